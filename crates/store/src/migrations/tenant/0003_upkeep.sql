-- Upkeep: when it is due, what of it can be taken back, and what memories said before they were shortened.

CREATE TABLE job (
    name        TEXT PRIMARY KEY,
    due_at      TEXT NOT NULL,
    last_run_at TEXT,
    mark        TEXT
) WITHOUT ROWID;

CREATE TABLE archive (
    memory         TEXT PRIMARY KEY,
    text           TEXT NOT NULL,
    hash           TEXT NOT NULL,
    archived_at    TEXT NOT NULL,
    last_access_at TEXT,
    run            TEXT
) WITHOUT ROWID;
CREATE INDEX archive_by_run ON archive (run) WHERE run IS NOT NULL;

CREATE TABLE archive_access (
    row    INTEGER PRIMARY KEY,
    memory TEXT NOT NULL,
    at     TEXT NOT NULL,
    intact INTEGER NOT NULL
);
CREATE INDEX archive_access_by_memory ON archive_access (memory);
CREATE INDEX archive_access_by_time ON archive_access (at);

-- Counts have no history. What a run added to them stands here, so that an undo takes away exactly that.
CREATE TABLE counted (
    run              TEXT NOT NULL,
    memory           TEXT NOT NULL,
    use_count        INTEGER NOT NULL,
    source_count     INTEGER NOT NULL,
    last_used_at     TEXT,
    last_used_before TEXT,
    PRIMARY KEY (run, memory)
) WITHOUT ROWID;
CREATE INDEX counted_by_memory ON counted (memory);

-- Nor have derivations.
ALTER TABLE derived ADD COLUMN run TEXT;
CREATE INDEX derived_by_run ON derived (run) WHERE run IS NOT NULL;

CREATE INDEX block_by_time ON block (at, hash);
