-- What a model takes and what is put into prompts.

-- A model may fail at a session too; at the cap a person must look.
ALTER TABLE redo ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
ALTER TABLE redo ADD COLUMN last_error TEXT;
ALTER TABLE redo ADD COLUMN dead INTEGER NOT NULL DEFAULT 0;

-- The day's usage is summed before every call of a model.
ALTER TABLE processing ADD COLUMN at TEXT GENERATED ALWAYS AS (body ->> '$.at') VIRTUAL;
CREATE INDEX processing_by_time ON processing (at);

-- A client without session ids is known by what it sends again: messages by their place in the chain, or, where it has
-- dropped the beginning, replies by their text.
ALTER TABLE turn ADD COLUMN reply_hash TEXT;
CREATE INDEX turn_known_as ON turn (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX turn_by_reply ON turn (reply_hash) WHERE reply_hash IS NOT NULL;

-- What was put before a client's message, by the message's chain hash. A block whose sources are forgotten keeps its
-- place and loses its body.
CREATE TABLE block (
    hash        TEXT PRIMARY KEY,
    session     TEXT NOT NULL,
    body        TEXT,
    at          TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX block_by_session ON block (session);

CREATE INDEX memory_by_user ON memory (user, status, created_at);
