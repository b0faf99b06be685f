-- Keys, by which callers show which tenant they may use; and the record of who was let in and who was not.

CREATE TABLE api_key (
    id           TEXT PRIMARY KEY,
    tenant       TEXT NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('read', 'memory', 'admin')),
    name         TEXT NOT NULL,
    agents       TEXT,          -- a JSON list; null means all
    prefix       TEXT NOT NULL, -- the secret's first characters: finds the row, and tells keys apart for people
    salt         BLOB NOT NULL CHECK (length(salt) = 16),
    hash         BLOB NOT NULL CHECK (length(hash) = 32),
    created_at   TEXT NOT NULL,
    expires_at   TEXT,
    revoked_at   TEXT,
    last_used_at TEXT           -- to the minute or so
) WITHOUT ROWID;

-- Rises with every change that may open or close a door, whoever makes it, so that what processes keep of the keys in
-- memory is known to be stale by reading one row. The time of last use opens nothing and does not count.
CREATE TABLE key_generation (
    one    INTEGER PRIMARY KEY CHECK (one = 1),
    number INTEGER NOT NULL
);
INSERT INTO key_generation VALUES (1, 0);

CREATE TRIGGER key_made AFTER INSERT ON api_key BEGIN
    UPDATE key_generation SET number = number + 1;
END;
CREATE TRIGGER key_changed AFTER UPDATE OF id, tenant, role, name, agents, prefix, salt, hash, expires_at, revoked_at
ON api_key BEGIN
    UPDATE key_generation SET number = number + 1;
END;
CREATE TRIGGER key_gone AFTER DELETE ON api_key BEGIN
    UPDATE key_generation SET number = number + 1;
END;

-- One row a decision, never what it was about. Numbers are not used twice, so that the oldest rows are those with the
-- lowest numbers and keeping the newest N needs no counting.
CREATE TABLE audit (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    at        TEXT NOT NULL,
    request   TEXT,
    caller    TEXT NOT NULL,
    tenant    TEXT,
    operation TEXT NOT NULL,
    allowed   INTEGER NOT NULL CHECK (allowed IN (0, 1)),
    reason    TEXT
);
CREATE INDEX audit_by_tenant ON audit (tenant, number);
