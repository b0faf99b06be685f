-- What became of memories that were recalled, and what purges say of themselves.

CREATE TABLE feedback (
    row       INTEGER PRIMARY KEY,
    memory    TEXT NOT NULL,
    judgement TEXT NOT NULL,
    by        TEXT NOT NULL,
    session   TEXT,
    turn      TEXT,
    at        TEXT NOT NULL
);
CREATE INDEX feedback_by_memory ON feedback (memory, row);
CREATE INDEX feedback_by_turn ON feedback (turn, memory) WHERE turn IS NOT NULL;
CREATE INDEX feedback_by_time ON feedback (at);
CREATE INDEX feedback_by_session ON feedback (session, row) WHERE session IS NOT NULL;

ALTER TABLE counter ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counter ADD COLUMN ignored INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counter ADD COLUMN wrong INTEGER NOT NULL DEFAULT 0;

-- What a run added to them goes with the run.
ALTER TABLE counted ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counted ADD COLUMN ignored INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counted ADD COLUMN wrong INTEGER NOT NULL DEFAULT 0;

-- Receipts never say what they are about.
CREATE TABLE receipt (
    row  INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    id   TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE
);
