-- The control database: which tenants exist, the defaults of all of them, and who may be the only one at something.

CREATE TABLE tenant (
    id         TEXT PRIMARY KEY,
    created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE lease (
    name   TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until  TEXT NOT NULL
) WITHOUT ROWID;
