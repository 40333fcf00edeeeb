"""The facts of a dialogue are append-only, and a pair is of this Root's Bull and Bear.

Source: design.md D4, D9.
"""

from importlib import import_module

from django.db import migrations

_facts = import_module("bullbear.migrations.0002_facts")

FACTS = [
    "dialogue_pairoffer", "dialogue_peermessage", "dialogue_claim", "dialogue_claimmove",
    "dialogue_disposition", "dialogue_gap", "dialogue_report",
]
IDENTITIES = {
    "dialogue_pair": ["end_reason"],
    "dialogue_halfround": ["attempts", "outcome"],
}
KEYS = {
    ("dialogue_pairoffer", "root_id"): "one offer in each root",
    ("dialogue_pairoffer", "child_id"): "one offer by each execution",
    ("dialogue_pair", "root_id"): "one pair in each root",
    ("dialogue_pair", "bull_id"): "a bull is in one pair",
    ("dialogue_pair", "bear_id"): "a bear is in one pair",
    ("dialogue_halfround", "first_request_id"): "a request opens one half-round",
    ("dialogue_peermessage", "half_round_id"): "one message for each half-round",
    ("dialogue_peermessage", "reply_to_id"): "one reply to each challenge",
    ("dialogue_peermessage", "act"): "one message for each act",
}
PAIR = """
CREATE FUNCTION dialogue_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM bullbear_child bull, bullbear_child bear
        WHERE bull.id = NEW.bull_id AND bull.root_id = NEW.root_id AND bull.role = 'bull'
          AND bear.id = NEW.bear_id AND bear.root_id = NEW.root_id AND bear.role = 'bear'
    ) THEN
        RAISE EXCEPTION 'a pair is of the bull and the bear of its root'
            USING ERRCODE = 'integrity_constraint_violation',
                  CONSTRAINT = 'a pair is of the bull and the bear of its root';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER members BEFORE INSERT ON dialogue_pair
    FOR EACH ROW EXECUTE FUNCTION dialogue_members();
ALTER TABLE dialogue_pair ENABLE ALWAYS TRIGGER members;

CREATE FUNCTION dialogue_one_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.end_reason <> '' AND NEW.end_reason <> OLD.end_reason THEN
        RAISE EXCEPTION 'a pair ends once'
            USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'a pair ends once';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER one_end BEFORE UPDATE ON dialogue_pair
    FOR EACH ROW EXECUTE FUNCTION dialogue_one_end();
ALTER TABLE dialogue_pair ENABLE ALWAYS TRIGGER one_end;

CREATE FUNCTION dialogue_addressee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM dialogue_pair p JOIN dialogue_halfround h ON h.pair_id = p.id
        WHERE p.id = NEW.pair_id AND h.id = NEW.half_round_id AND h.child_id = NEW.sender_id
          AND p.root_id = NEW.root_id
          AND ((p.bull_id = NEW.sender_id AND p.bear_id = NEW.recipient_id AND h.kind = 'response')
            OR (p.bear_id = NEW.sender_id AND p.bull_id = NEW.recipient_id AND h.kind = 'challenge'))
    ) THEN
        RAISE EXCEPTION 'a message goes from its half-round''s author to the other of its pair'
            USING ERRCODE = 'integrity_constraint_violation',
                  CONSTRAINT = 'a message goes to the other of its pair';
    END IF;
    RETURN NEW;
END $$;
CREATE CONSTRAINT TRIGGER addressee AFTER INSERT ON dialogue_peermessage
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dialogue_addressee();
ALTER TABLE dialogue_peermessage ENABLE ALWAYS TRIGGER addressee;
"""


class Migration(migrations.Migration):
    dependencies = [("dialogue", "0001_initial"), ("bullbear", "0002_facts")]
    operations = [
        *(migrations.RunSQL(_facts.fact_triggers(table)) for table in FACTS),
        *(
            migrations.RunSQL(_facts.identity_triggers(table, columns))
            for table, columns in IDENTITIES.items()
        ),
        migrations.RunSQL(PAIR),
        migrations.RunSQL(_facts.named_keys(KEYS)),
    ]
