-- What is forgotten of turns, until that is undone or was long enough ago.

CREATE TABLE veil (
    row     INTEGER PRIMARY KEY,
    body    TEXT NOT NULL,
    id      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    agent   TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.session.agent') STORED,
    user    TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.session.user') STORED,
    session TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.session.session') STORED,
    created_at TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.created_at') STORED
);
CREATE INDEX veil_by_session ON veil (agent, user, session);

-- The parts of turns that veils hide, as bytes of the turn as it was said; kept by the store from the veils' bodies.
CREATE TABLE veiled (
    turn    TEXT NOT NULL,
    veil    TEXT NOT NULL,
    "begin" INTEGER NOT NULL,
    "end"   INTEGER NOT NULL,
    PRIMARY KEY (turn, veil, "begin")
) WITHOUT ROWID;
CREATE INDEX veiled_by_veil ON veiled (veil);

-- The turn as it was said, where `text` is what is left of it.
ALTER TABLE turn ADD COLUMN said TEXT;
