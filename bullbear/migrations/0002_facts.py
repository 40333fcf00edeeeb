"""Facts are append-only, also for a superuser in replica mode.

Three trigger functions, used by every package's own migration:
`bullbear_refuse_change` (a fact), `bullbear_keep_identity(mutable columns …)` (a row with mutable columns),
`bullbear_refuse_truncate` (any table).  `ENABLE ALWAYS` keeps them on under session_replication_role=replica.
What an owner can still do (drop a trigger) is detected by the chain, not prevented here.

Source: design.md D4; PostgreSQL manual, ALTER TABLE … ENABLE ALWAYS TRIGGER.
"""

from django.db import migrations

FUNCTIONS = """
CREATE FUNCTION bullbear_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'facts are append-only: % on %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'facts are append-only';
END $$;

CREATE FUNCTION bullbear_refuse_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'facts are append-only: TRUNCATE on %', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'facts are append-only';
END $$;

CREATE FUNCTION bullbear_keep_identity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Without arguments TG_ARGV is null: then no column is mutable.
    IF (to_jsonb(OLD) - COALESCE(TG_ARGV, '{}')) IS DISTINCT FROM (to_jsonb(NEW) - COALESCE(TG_ARGV, '{}')) THEN
        RAISE EXCEPTION 'the identity of % never changes', TG_TABLE_NAME
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'identity never changes';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION bullbear_final_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'sealed' THEN
        RAISE EXCEPTION 'a final state stays: request % is %', OLD.id, OLD.state
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'a final state stays';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION bullbear_final_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state = ANY (TG_ARGV) AND (NEW.state, NEW.end_reason) IS DISTINCT FROM (OLD.state, OLD.end_reason) THEN
        RAISE EXCEPTION 'a final state stays: % % is %', TG_TABLE_NAME, OLD.id, OLD.state
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'a final state stays';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION bullbear_next_receipt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq > 1 AND NOT EXISTS (
        SELECT FROM bullbear_receipt
        WHERE root_id = NEW.root_id AND chain = NEW.chain AND seq = NEW.seq - 1 AND digest = NEW.previous
    ) THEN
        RAISE EXCEPTION 'a chain has no holes: % % %', NEW.root_id, NEW.chain, NEW.seq
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'a chain has no holes';
    END IF;
    RETURN NEW;
END $$;
"""

FACTS = ["bullbear_content", "bullbear_requestpart", "bullbear_receipt", "bullbear_timer"]
IDENTITIES = {
    "bullbear_root": [
        "state", "cause", "result", "end_reason", "model_calls_spent", "model_calls_reserved",
        "model_calls_hand_back", "tokens_spent", "tokens_reserved", "tokens_hand_back", "tool_calls_spent",
        "tool_calls_reserved", "receipts_seq", "receipts_head",
    ],
    "bullbear_child": [
        "state", "wakes", "rescues", "worker_id", "lease_token", "hard_end_at", "end_reason",
    ],
    "bullbear_modelrequest": [
        "state", "outcome_class", "status_code", "response_id", "response_sha256", "served_model",
        "provider_request_id", "finish_reason", "prompt_tokens", "completion_tokens", "call_ms",
    ],
    "bullbear_worker": ["alive_until"],
}
# Work owed is no fact: its row goes when it has begun.  Until then it names the same work.
OWED = {"bullbear_outboxentry": ["attempts", "last_error", "offer_at"]}
KEYS = {
    ("bullbear_modelrequest", "act"): "one request for each act",
    ("bullbear_outboxentry", "dedupe_key"): "work is owed once",
}
EXTRA = """
CREATE TRIGGER final_state_stays BEFORE UPDATE ON bullbear_modelrequest
    FOR EACH ROW EXECUTE FUNCTION bullbear_final_request();
ALTER TABLE bullbear_modelrequest ENABLE ALWAYS TRIGGER final_state_stays;
CREATE TRIGGER final_state_stays BEFORE UPDATE ON bullbear_root
    FOR EACH ROW EXECUTE FUNCTION bullbear_final_state('finished', 'cancelled', 'expired');
ALTER TABLE bullbear_root ENABLE ALWAYS TRIGGER final_state_stays;
CREATE TRIGGER final_state_stays BEFORE UPDATE ON bullbear_child
    FOR EACH ROW EXECUTE FUNCTION bullbear_final_state('finished', 'failed', 'stopped');
ALTER TABLE bullbear_child ENABLE ALWAYS TRIGGER final_state_stays;
CREATE TRIGGER no_holes BEFORE INSERT ON bullbear_receipt
    FOR EACH ROW EXECUTE FUNCTION bullbear_next_receipt();
ALTER TABLE bullbear_receipt ENABLE ALWAYS TRIGGER no_holes;
"""


def fact_triggers(table: str) -> str:
    """Refuse UPDATE, DELETE and TRUNCATE on a table of facts."""
    return f"""
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION bullbear_refuse_change();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only;
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION bullbear_refuse_truncate();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER not_truncated;
"""


def identity_trigger(table: str, mutable: list[str]) -> str:
    """Refuse any UPDATE of a column that is not mutable."""
    columns = ", ".join(f"'{column}'" for column in mutable)
    return f"""
CREATE TRIGGER identity_stays BEFORE UPDATE ON {table}
    FOR EACH ROW EXECUTE FUNCTION bullbear_keep_identity({columns});
ALTER TABLE {table} ENABLE ALWAYS TRIGGER identity_stays;
"""


def identity_triggers(table: str, mutable: list[str]) -> str:
    """Refuse DELETE, TRUNCATE and any UPDATE of a column that is not mutable."""
    return f"""{identity_trigger(table, mutable)}
CREATE TRIGGER not_deleted BEFORE DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION bullbear_refuse_change();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER not_deleted;
CREATE TRIGGER not_truncated BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION bullbear_refuse_truncate();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER not_truncated;
"""


def named_keys(names: dict[tuple[str, str], str]) -> str:
    """Give unique keys of single columns, which Django leaves unnamed, names that read as sentences."""
    return "".join(
        f'ALTER TABLE {table} RENAME CONSTRAINT {table}_{column}_key TO "{name}";\n'
        for (table, column), name in names.items()
    )


class Migration(migrations.Migration):
    dependencies = [("bullbear", "0001_initial")]
    operations = [
        migrations.RunSQL(FUNCTIONS),
        *(migrations.RunSQL(fact_triggers(table)) for table in FACTS),
        *(migrations.RunSQL(identity_triggers(table, cols)) for table, cols in IDENTITIES.items()),
        *(migrations.RunSQL(identity_trigger(table, cols)) for table, cols in OWED.items()),
        migrations.RunSQL(EXTRA),
        migrations.RunSQL(named_keys(KEYS)),
    ]
