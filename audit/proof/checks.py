"""What is verified, in order: each check's name is a sentence that holds of a sound record.

The first check that fails names the first bad place; later ones may rely on earlier ones.

Source: design.md D18.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from audit.proof import (
    budget,
    calls,
    chain,
    citations,
    decisions,
    desk,
    ending,
    exchange,
    facts,
    frozen,
    layout,
    lineage,
    origins,
    parts,
    register,
    rows,
    states,
)
from audit.proof.evidence import Evidence
from audit.proof.record import Record
from audit.proof.verdict import Bad, Result, Verdict

CHECKS: Sequence[Callable[[Evidence], int]] = (
    chain.receipts_are_numbered_without_a_hole,
    chain.every_receipt_follows_its_predecessor,
    chain.every_receipt_can_be_read,
    chain.every_receipts_columns_repeat_its_body,
    chain.no_act_has_two_receipts,
    chain.the_roots_head_is_the_last_digest,
    rows.every_row_belongs_to_this_root,
    rows.no_row_stands_twice,
    rows.handles_are_dense,
    facts.every_row_has_its_receipt,
    facts.every_receipt_has_its_row,
    frozen.the_configuration_is_the_frozen_one,
    frozen.every_authorization_is_the_issued_one,
    frozen.no_authorization_is_wider_than_was_frozen,
    frozen.the_sources_are_the_frozen_ones,
    frozen.the_pair_keeps_to_what_was_frozen,
    calls.every_sealed_body_has_its_digest,
    calls.every_act_names_its_place,
    calls.every_response_has_its_digest,
    calls.every_answer_says_what_is_recorded_of_it,
    calls.every_late_answer_is_kept,
    decisions.every_repeated_request_repeats_an_unknown_one,
    decisions.every_decision_is_about_a_held_request,
    parts.every_part_is_of_a_request,
    parts.every_slice_is_its_records_text,
    parts.every_request_holds_its_roles_prompts,
    layout.every_body_holds_its_parts_and_nothing_else,
    lineage.every_part_carries_its_records_lineage,
    lineage.every_requests_lineage_is_its_parts_union,
    lineage.every_text_carries_its_requests_lineage,
    lineage.nobody_was_shown_what_he_may_not_see,
    lineage.every_messages_lineage_may_flow_to_its_recipient,
    lineage.openings_and_exchange_are_built_from_what_both_may_see,
    lineage.nothing_was_shown_before_it_was_on_record,
    origins.the_plan_follows_wish_and_answer,
    origins.every_opening_is_what_its_answer_says,
    origins.every_message_is_what_its_answer_says,
    origins.every_finding_is_what_its_answer_says,
    origins.every_tool_call_was_asked_for,
    citations.every_cited_figure_was_shown,
    origins.every_valid_answer_had_its_effect,
    exchange.half_rounds_are_legal_and_consecutive,
    exchange.every_half_rounds_request_is_of_a_slot,
    exchange.sender_recipient_and_turn_follow_from_the_pair,
    exchange.every_author_saw_what_he_answers,
    exchange.openings_are_independent_where_they_say_so,
    register.every_claim_quotes_its_origin,
    register.every_stated_claim_is_on_record,
    register.every_move_is_lawful,
    register.every_message_moved_what_it_says,
    register.every_disposition_is_what_its_synthesis_says,
    register.every_claim_is_disposed_of_once,
    states.every_executions_states_are_legal,
    states.the_roots_states_are_legal,
    states.an_ended_root_has_no_live_work,
    states.timers_and_deadlines_are_on_record,
    budget.model_calls_are_what_was_sealed_and_not_rejected,
    budget.tokens_are_what_the_answers_say,
    budget.tool_calls_are_what_ran,
    budget.nothing_is_reserved_at_an_ended_root,
    ending.every_ended_root_has_its_report,
    ending.the_pair_has_ended_with_its_root,
    ending.every_gap_is_disclosed,
    desk.the_desk_chain_is_linked,
    desk.every_release_has_its_receipt,
    desk.every_release_is_lawful,
)


def verify(record: Record) -> Verdict:
    """Recompute everything on record of a Root from its bytes."""
    evidence = Evidence(record)
    checked: dict[str, int] = {}
    for check in CHECKS:
        sentence = check.__name__.replace("_", " ")
        try:
            checked[sentence] = check(evidence)
        except Bad as bad:
            return Verdict(bad.result, bad.place, bad.problem, sentence, checked)
    return Verdict(Result.VERIFIED, checked=checked)
