-- That somebody spoke of harm to themselves: for those who answer for safety, apart from memory, and never what was said.

CREATE TABLE crisis (
    row            INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    session_hash   TEXT NOT NULL,
    turn_hash      TEXT UNIQUE,
    level          INTEGER NOT NULL,
    reason         TEXT NOT NULL,
    path           TEXT NOT NULL,
    at             TEXT NOT NULL,
    retained_until TEXT
);
CREATE INDEX crisis_by_session ON crisis (session_hash);
CREATE INDEX crisis_by_end ON crisis (retained_until) WHERE retained_until IS NOT NULL;

-- Turns whose record somebody removed: they are not recorded again when they are read again.
CREATE TABLE crisis_removed (
    turn_hash TEXT PRIMARY KEY
) WITHOUT ROWID;

-- What conversations and turns are hashed with.
CREATE TABLE crisis_salt (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    bytes BLOB NOT NULL
);
INSERT INTO crisis_salt VALUES (1, randomblob(32));
