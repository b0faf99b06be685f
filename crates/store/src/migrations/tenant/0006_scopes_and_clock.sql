-- Who sees a memory, said more finely; and for each commit where it was made and when.

-- What was `user` (this user with this agent) is `agent` from here on, and `user` means this user with any agent. Everything
-- that is here keeps its viewers. Bodies that do not read are left to the check-up.
UPDATE memory SET body = json_set(body, '$.scope', 'agent') WHERE scope = 'user' AND json_valid(body);
UPDATE held SET body = json_set(body, '$.memory.scope', 'agent')
    WHERE CASE WHEN json_valid(body) THEN body ->> '$.memory.scope' END = 'user';
UPDATE history SET before = json_set(before, '$.scope', 'agent')
    WHERE kind = 'memory' AND CASE WHEN json_valid(before) THEN before ->> '$.scope' END = 'user';
UPDATE history SET before = json_set(before, '$.memory.scope', 'agent')
    WHERE kind = 'held' AND CASE WHEN json_valid(before) THEN before ->> '$.memory.scope' END = 'user';

ALTER TABLE memory ADD COLUMN project TEXT GENERATED ALWAYS AS (body ->> '$.project') VIRTUAL;

-- Whose a memory is beside its user: the agent's, or, where the user has it with any agent, nobody's or the project's. A key
-- is given once for each. Beginnings differ, so that no agent's name is a project's.
ALTER TABLE memory ADD COLUMN holder TEXT GENERATED ALWAYS AS (
    CASE body ->> '$.scope'
        WHEN 'user' THEN 'user'
        WHEN 'project' THEN 'project' || char(31) || coalesce(body ->> '$.project', '')
        ELSE 'agent' || char(31) || (body ->> '$.agent')
    END) VIRTUAL;
DROP INDEX memory_live_key;
CREATE UNIQUE INDEX memory_live_key ON memory (user, key, holder) WHERE key IS NOT NULL AND status = 'active';

-- Installations by number, because each commit names its own.
CREATE TABLE instance (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
-- Both null in commits that are older than this. `clock` is the hybrid logical clock: milliseconds * 65536 + counter.
ALTER TABLE change_log ADD COLUMN instance INTEGER REFERENCES instance (id);
ALTER TABLE change_log ADD COLUMN clock INTEGER;
