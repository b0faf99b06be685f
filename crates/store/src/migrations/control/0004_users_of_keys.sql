-- Whose memory a key speaks for, and which installation this is.

-- One user's id, or `*`: may speak for anybody. Keys from before this speak for anybody, as they did.
ALTER TABLE api_key ADD COLUMN user TEXT NOT NULL DEFAULT '*';
-- A key that is bound to agents sees what its user has with any agent, too.
ALTER TABLE api_key ADD COLUMN shares_user INTEGER NOT NULL DEFAULT 0 CHECK (shares_user IN (0, 1));
CREATE TRIGGER key_user_changed AFTER UPDATE OF user, shares_user ON api_key BEGIN
    UPDATE key_generation SET number = number + 1;
END;

-- Once there was a key, keys are needed until the operator says otherwise.
CREATE TABLE door (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    is_shut INTEGER NOT NULL CHECK (is_shut IN (0, 1))
);
INSERT INTO door SELECT 1, EXISTS (SELECT 1 FROM api_key WHERE revoked_at IS NULL);

-- This installation's name, made once; a backup that is put back goes on under it.
CREATE TABLE instance (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    name TEXT NOT NULL
);
