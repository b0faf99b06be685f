-- What a viewer sees is found by whose it is: the user's own by the user, and what other users share by these, which are few.
CREATE INDEX memory_shared ON memory (status, created_at) WHERE scope IN ('organization', 'persona');
CREATE INDEX memory_of_thread ON memory (session, created_at) WHERE scope = 'thread';

-- How many active memories an owner has, so that whoever keeps to a bound need not count them.
CREATE TABLE memory_count (
    agent  TEXT NOT NULL,
    user   TEXT NOT NULL,
    active INTEGER NOT NULL,
    PRIMARY KEY (agent, user)
) WITHOUT ROWID;
INSERT INTO memory_count SELECT agent, user, count(*) FROM memory WHERE status = 'active' GROUP BY agent, user;
CREATE TRIGGER memory_comes AFTER INSERT ON memory WHEN new.status = 'active' BEGIN
    INSERT INTO memory_count VALUES (new.agent, new.user, 1) ON CONFLICT DO UPDATE SET active = active + 1;
END;
CREATE TRIGGER memory_goes AFTER DELETE ON memory WHEN old.status = 'active' BEGIN
    UPDATE memory_count SET active = active - 1 WHERE agent = old.agent AND user = old.user;
    DELETE FROM memory_count WHERE agent = old.agent AND user = old.user AND active <= 0;
END;
CREATE TRIGGER memory_returns AFTER UPDATE ON memory
    WHEN new.status = 'active' AND (old.status, old.agent, old.user) <> (new.status, new.agent, new.user) BEGIN
    INSERT INTO memory_count VALUES (new.agent, new.user, 1) ON CONFLICT DO UPDATE SET active = active + 1;
END;
CREATE TRIGGER memory_leaves AFTER UPDATE ON memory
    WHEN old.status = 'active' AND (old.status, old.agent, old.user) <> (new.status, new.agent, new.user) BEGIN
    UPDATE memory_count SET active = active - 1 WHERE agent = old.agent AND user = old.user;
    DELETE FROM memory_count WHERE agent = old.agent AND user = old.user AND active <= 0;
END;
