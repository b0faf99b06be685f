-- One tenant's memory.
--
-- A record is its JSON body. The columns that queries filter and join on are computed from the body by the database,
-- so a column can never say something else than the body does, and a new field of a record needs no migration.
-- Turns, which are many and never rewritten, have plain columns.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Row numbers of what can be searched are never used again (AUTOINCREMENT), because indexes outside refer to them.
CREATE TABLE memory (
    row          INTEGER PRIMARY KEY AUTOINCREMENT,
    body         TEXT NOT NULL,
    id           TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version      INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    agent        TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.agent') STORED,
    user         TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.user') STORED,
    session      TEXT GENERATED ALWAYS AS (body ->> '$.session') STORED,
    scope        TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.scope') STORED,
    layer        TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.layer') STORED,
    kind         TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.kind') STORED,
    key          TEXT GENERATED ALWAYS AS (body ->> '$.key') STORED,
    status       TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.status') STORED,
    valid_from   TEXT GENERATED ALWAYS AS (body ->> '$.valid_from') STORED,
    valid_until  TEXT GENERATED ALWAYS AS (body ->> '$.valid_until') STORED,
    expires_at   TEXT GENERATED ALWAYS AS (body ->> '$.expires_at') STORED,
    content_hash TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.content_hash') STORED,
    created_at   TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.created_at') STORED
);
CREATE UNIQUE INDEX memory_live_key ON memory (agent, user, key) WHERE key IS NOT NULL AND status = 'active';
CREATE INDEX memory_by_owner ON memory (agent, user, status, created_at);
CREATE INDEX memory_by_time ON memory (status, created_at);
CREATE INDEX memory_by_kind ON memory (kind, status, created_at);
CREATE INDEX memory_by_hash ON memory (content_hash);

CREATE TABLE episode (
    row        INTEGER PRIMARY KEY AUTOINCREMENT,
    body       TEXT NOT NULL,
    id         TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version    INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    agent      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.session.agent') STORED,
    user       TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.session.user') STORED,
    session    TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.session.session') STORED,
    status     TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.status') STORED,
    ended_at   TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.ended_at') STORED,
    created_at TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.created_at') STORED
);
CREATE UNIQUE INDEX episode_one_active ON episode (agent, user, session) WHERE status = 'active';
CREATE INDEX episode_by_time ON episode (status, ended_at);

-- `next_index` and `last_turn_at` move with every turn; they stand beside the body so that an append does not rewrite it.
CREATE TABLE session (
    row          INTEGER PRIMARY KEY AUTOINCREMENT,
    body         TEXT NOT NULL,
    next_index   INTEGER NOT NULL DEFAULT 0,
    last_turn_at TEXT,
    id           TEXT NOT NULL GENERATED ALWAYS AS
                 ((body ->> '$.key.agent') || char(31) || (body ->> '$.key.user') || char(31) || (body ->> '$.key.session')) STORED UNIQUE,
    version      INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    agent        TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.key.agent') STORED,
    user         TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.key.user') STORED,
    session      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.key.session') STORED,
    started_at   TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.started_at') STORED,
    ended_at     TEXT GENERATED ALWAYS AS (body ->> '$.ended_at') STORED
);
CREATE INDEX session_by_owner ON session (agent, user);
CREATE INDEX session_by_name ON session (session);

CREATE TABLE turn (
    row         INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT NOT NULL UNIQUE,
    session_row INTEGER NOT NULL REFERENCES session (row),
    idx         INTEGER NOT NULL,
    external_id TEXT,
    role        TEXT NOT NULL,
    speaker     TEXT,
    text        TEXT NOT NULL,
    tokens      INTEGER NOT NULL,
    at          TEXT NOT NULL,
    partial     INTEGER NOT NULL DEFAULT 0,
    UNIQUE (session_row, idx)
);
CREATE UNIQUE INDEX turn_by_external_id ON turn (session_row, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX turn_by_time ON turn (at);

CREATE TABLE entity (
    row        INTEGER PRIMARY KEY,
    body       TEXT NOT NULL,
    id         TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version    INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    agent      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.owner.agent') STORED,
    user       TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.owner.user') STORED,
    status     TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.status') STORED,
    created_at TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.created_at') STORED
);
CREATE INDEX entity_by_owner ON entity (agent, user, status);

-- Names and aliases in lower case, kept by the store.
CREATE TABLE entity_name (
    folded TEXT NOT NULL,
    entity TEXT NOT NULL,
    PRIMARY KEY (folded, entity)
) WITHOUT ROWID;
CREATE INDEX entity_name_by_entity ON entity_name (entity);

CREATE TABLE relation (
    row     INTEGER PRIMARY KEY,
    body    TEXT NOT NULL,
    id      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    subject TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.subject') STORED,
    object  TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.object') STORED,
    status  TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.status') STORED
);
CREATE INDEX relation_by_subject ON relation (subject);
CREATE INDEX relation_by_object ON relation (object);

CREATE TABLE link (
    row     INTEGER PRIMARY KEY,
    body    TEXT NOT NULL,
    id      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    source  TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.from') STORED,
    target  TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.to') STORED
);
CREATE INDEX link_by_source ON link (source);
CREATE INDEX link_by_target ON link (target);

CREATE TABLE held (
    row     INTEGER PRIMARY KEY,
    body    TEXT NOT NULL,
    id      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    agent   TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.session.agent') STORED,
    user    TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.session.user') STORED,
    session TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.session.session') STORED
);
CREATE INDEX held_by_session ON held (agent, user, session);

CREATE TABLE profile (
    row     INTEGER PRIMARY KEY,
    body    TEXT NOT NULL,
    id      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    user    TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.user') STORED,
    number  INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.number') STORED,
    UNIQUE (user, number)
);

CREATE TABLE override (
    row     INTEGER PRIMARY KEY,
    body    TEXT NOT NULL,
    id      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    user    TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.user') STORED
);
CREATE INDEX override_by_user ON override (user);

CREATE TABLE agent (
    row     INTEGER PRIMARY KEY,
    body    TEXT NOT NULL,
    id      TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED
);

CREATE TABLE run (
    row        INTEGER PRIMARY KEY,
    body       TEXT NOT NULL,
    id         TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.id') STORED UNIQUE,
    version    INTEGER NOT NULL GENERATED ALWAYS AS (body ->> '$.version') STORED,
    started_at TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.started_at') STORED
);

-- What search reads: the words as the core's analyser split them, space-separated, and their number. FTS5 indexes these
-- rows and keeps no copy; its `ascii` tokenizer splits at spaces and leaves every other script as it is.
CREATE TABLE memory_doc (row INTEGER PRIMARY KEY, surface TEXT NOT NULL, stems TEXT NOT NULL, length INTEGER NOT NULL);
CREATE TABLE episode_doc (row INTEGER PRIMARY KEY, surface TEXT NOT NULL, stems TEXT NOT NULL, length INTEGER NOT NULL);
CREATE TABLE turn_doc (row INTEGER PRIMARY KEY, surface TEXT NOT NULL, stems TEXT NOT NULL, length INTEGER NOT NULL);
CREATE VIRTUAL TABLE memory_fts USING fts5 (surface, stems, content = 'memory_doc', content_rowid = 'row', tokenize = 'ascii');
CREATE VIRTUAL TABLE episode_fts USING fts5 (surface, stems, content = 'episode_doc', content_rowid = 'row', tokenize = 'ascii');
CREATE VIRTUAL TABLE turn_fts USING fts5 (surface, stems, content = 'turn_doc', content_rowid = 'row', tokenize = 'ascii');
INSERT INTO memory_fts (memory_fts, rank) VALUES ('secure-delete', 1);
INSERT INTO episode_fts (episode_fts, rank) VALUES ('secure-delete', 1);
INSERT INTO turn_fts (turn_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE memory_vocab USING fts5vocab (memory_fts, 'col');
CREATE VIRTUAL TABLE episode_vocab USING fts5vocab (episode_fts, 'col');
CREATE VIRTUAL TABLE turn_vocab USING fts5vocab (turn_fts, 'col');

CREATE TABLE corpus (
    name         TEXT PRIMARY KEY,
    documents    INTEGER NOT NULL,
    total_length INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO corpus VALUES ('memory', 0, 0), ('episode', 0, 0), ('turn', 0, 0);

CREATE TABLE signature (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
-- A vector's place is its row and its signature in one number (row * 256 + signature), so that it lies in a plain table whose
-- pages hold three of them, and is found without an index. How many there are is counted as they come and go, because
-- counting them would read them all.
CREATE TABLE vector_count (
    corpus    TEXT NOT NULL,
    signature INTEGER NOT NULL,
    vectors   INTEGER NOT NULL,
    PRIMARY KEY (corpus, signature)
) WITHOUT ROWID;
CREATE TABLE memory_vector (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TRIGGER memory_vector_comes AFTER INSERT ON memory_vector BEGIN
    INSERT INTO vector_count VALUES ('memory', new.place & 255, 1)
    ON CONFLICT DO UPDATE SET vectors = vectors + 1;
END;
CREATE TRIGGER memory_vector_goes AFTER DELETE ON memory_vector BEGIN
    UPDATE vector_count SET vectors = vectors - 1 WHERE corpus = 'memory' AND signature = old.place & 255;
END;
CREATE TABLE episode_vector (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TRIGGER episode_vector_comes AFTER INSERT ON episode_vector BEGIN
    INSERT INTO vector_count VALUES ('episode', new.place & 255, 1)
    ON CONFLICT DO UPDATE SET vectors = vectors + 1;
END;
CREATE TRIGGER episode_vector_goes AFTER DELETE ON episode_vector BEGIN
    UPDATE vector_count SET vectors = vectors - 1 WHERE corpus = 'episode' AND signature = old.place & 255;
END;
CREATE TABLE turn_vector (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TRIGGER turn_vector_comes AFTER INSERT ON turn_vector BEGIN
    INSERT INTO vector_count VALUES ('turn', new.place & 255, 1)
    ON CONFLICT DO UPDATE SET vectors = vectors + 1;
END;
CREATE TRIGGER turn_vector_goes AFTER DELETE ON turn_vector BEGIN
    UPDATE vector_count SET vectors = vectors - 1 WHERE corpus = 'turn' AND signature = old.place & 255;
END;

CREATE TABLE counter (
    memory       TEXT PRIMARY KEY,
    use_count    INTEGER NOT NULL DEFAULT 0,
    source_count INTEGER NOT NULL DEFAULT 0,
    last_used_at TEXT
) WITHOUT ROWID;

CREATE TABLE derived (
    child_kind  TEXT NOT NULL,
    child       TEXT NOT NULL,
    parent_kind TEXT NOT NULL,
    parent      TEXT NOT NULL,
    PRIMARY KEY (child, parent, child_kind, parent_kind)
) WITHOUT ROWID;
CREATE INDEX derived_by_parent ON derived (parent, parent_kind);

CREATE TABLE pending (
    turn_row    INTEGER PRIMARY KEY REFERENCES turn (row),
    session_row INTEGER NOT NULL REFERENCES session (row),
    since       TEXT NOT NULL,
    failures    INTEGER NOT NULL DEFAULT 0,
    last_error  TEXT,
    dead        INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX pending_by_session ON pending (session_row);

CREATE TABLE redo (
    session_row INTEGER PRIMARY KEY REFERENCES session (row),
    since       TEXT NOT NULL
);

CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE processing (
    row  INTEGER PRIMARY KEY,
    body TEXT NOT NULL
);

-- What was there before each change. What came after is the next event's `before`, or the record as it is now.
CREATE TABLE history (
    number  INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    at      TEXT NOT NULL,
    by      TEXT NOT NULL,
    run     TEXT,
    reason  TEXT,
    kind    TEXT NOT NULL,
    id      TEXT NOT NULL,
    before  TEXT,
    purged  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (number, ordinal)
) WITHOUT ROWID;
CREATE INDEX history_by_record ON history (id, kind, number, ordinal);
CREATE INDEX history_by_run ON history (run) WHERE run IS NOT NULL;

-- The followers' feed: every commit has the next number and names what it touched. The row stands here too, because a
-- follower that is told of a removal can no longer look it up.
CREATE TABLE change_log (
    number  INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    id      TEXT NOT NULL,
    row     INTEGER,
    PRIMARY KEY (number, ordinal)
) WITHOUT ROWID;
