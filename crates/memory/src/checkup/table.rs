//! Every check there is: its code, where it looks, how grave it is, what it means and what mends it. A list; `docs/doctor.md` is held
//! against it by a test.

use super::Area::{
    self, Configuration, Database, Disk, Index, Isolation, Junk, Orphans, Statistics, Vectors, Waiting,
};
use super::Severity::{self, Fault, Notice};

/// One check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// Never changes once released: monitors know it.
    pub code: &'static str,
    pub area: Area,
    pub severity: Severity,
    /// What it means where something is found.
    pub means: &'static str,
    pub repair: Repair,
}

/// What `--fix` does about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// Changes records in the run, which an undo takes back.
    Undoable(&'static str),
    /// Puts right what is computed, or moves aside what cannot be read: nothing to take back.
    Mends(&'static str),
    /// Nothing can be done by itself; what a person can do.
    None(&'static str),
}

impl Repair {
    pub fn about(&self) -> &'static str {
        match self {
            Repair::Undoable(about) | Repair::Mends(about) | Repair::None(about) => about,
        }
    }
}

const fn check(
    code: &'static str,
    area: Area,
    severity: Severity,
    means: &'static str,
    repair: Repair,
) -> Check {
    Check { code, area, severity, means, repair }
}

use Repair::{Mends, None as Nothing, Undoable};

/// In the order in which they are reported.
#[rustfmt::skip]
pub const CHECKS: &[Check] = &[
    check("config.file", Configuration, Fault, "the configuration file is refused, so nothing starts with it",
        Nothing("correct the line that is named; `recollect config check FILE` tries it")),
    check("config.environment", Configuration, Fault, "a variable of the environment is unknown or wrong",
        Nothing("correct or unset the variable that is named")),
    check("config.modes", Configuration, Fault, "the configuration holds keys and others on this machine can read it",
        Mends("the file is made readable for its owner alone")),
    check("config.upstream", Configuration, Notice, "a configured server of models does not answer",
        Nothing("start it, or correct its baseUrl; memory works without")),
    check("config.model", Configuration, Fault, "`coreModelProvider` or `coreModelName` chooses a model of no configured server, or of a default one that is told no memory (`memory = \"off\"`) without naming it, so nothing helps with learning",
        Nothing("set it to one of the names that are told, or configure that server; memory works without")),
    check("config.settings", Configuration, Fault, "a stored setting is unknown or out of its range, and is passed over",
        Mends("the setting goes back to its default")),
    check("disk.writable", Disk, Fault, "the data folder cannot be written",
        Nothing("give the folder to the user who runs this, or mount it for writing")),
    check("disk.space", Disk, Notice, "little room is left: less than the databases take, or under 256 MiB",
        Nothing("make room, or move the folder; a database that cannot grow refuses writes")),
    check("disk.modes", Disk, Fault, "others on this machine can read what is remembered",
        Mends("folders become 0700 and files 0600")),
    check("disk.log", Disk, Notice, "a database's write-ahead log has grown beyond 256 MiB, which slows reading",
        Mends("the log is moved into the database and cut")),
    check("disk.socket", Disk, Notice, "a server that ended left its socket behind",
        Mends("the socket is taken away")),
    check("disk.leases", Disk, Notice, "a process that ended an hour ago or more left a lease behind",
        Mends("the lease is taken away")),
    check("control.integrity", Database, Fault, "the control database, with the keys, is damaged",
        Nothing("restore it from a backup")),
    check("control.missing", Database, Fault, "a tenant is known and its database is gone",
        Nothing("restore the file from a backup")),
    check("control.strays", Database, Fault, "a tenant's database lies in the folder and is not known",
        Mends("the tenant becomes known")),
    check("db.unopenable", Database, Fault, "the database cannot be opened: it is damaged, encrypted, or no database",
        Nothing("restore it from a backup; the file is left as it is")),
    check("db.newer", Database, Fault, "a newer version of this program wrote the database",
        Nothing("use that version")),
    check("db.integrity", Database, Fault, "SQLite finds the database damaged",
        Mends("its indexes are built anew; damaged pages need a backup")),
    check("schema.objects", Database, Fault, "a table, an index or a trigger is missing or not as it should be",
        Mends("what is missing is made, and indexes and triggers are replaced")),
    check("body.unreadable", Database, Fault, "a record cannot be read, and breaks every list that it is in",
        Mends("it is moved into a file in the folder `aside`, readable for its owner alone")),
    check("hash.wrong", Database, Fault, "the hash of a memory is not that of what it says, so its like is not found",
        Mends("the hash is computed anew")),
    check("archive.damaged", Database, Fault, "the words that a memory had before it was shortened do not fit their hash",
        Mends("what history has of them takes their place, or they are moved into the folder `aside`")),
    check("index.missing-words", Index, Fault, "something remembered cannot be found by its words",
        Mends("its words are split anew")),
    check("index.stray-words", Index, Fault, "words of something that is gone are still in the index",
        Mends("they are taken away")),
    check("index.wrong-words", Index, Fault, "the words in the index are not those of the text",
        Mends("they are split anew")),
    check("index.damaged", Index, Fault, "the full-text index disagrees with the words that it indexes",
        Mends("it is built anew")),
    check("vectors.missing", Vectors, Fault, "something remembered cannot be found by its meaning",
        Mends("its vector is made")),
    check("vectors.stray", Vectors, Fault, "vectors of something that is gone are still there",
        Mends("they are taken away")),
    check("vectors.damaged", Vectors, Fault, "a vector has the wrong length or is not made of numbers",
        Mends("it is made anew")),
    check("vectors.wrong", Vectors, Fault, "a vector is not that of its text, so the wrong thing is found",
        Mends("it is made anew")),
    check("vectors.count", Vectors, Fault, "the counted vectors are not as many as there are",
        Mends("they are counted anew")),
    check("statistics.corpus", Statistics, Fault, "the numbers that scores rest on are wrong: documents, or their lengths",
        Mends("they are counted anew")),
    check("statistics.sessions", Statistics, Fault, "a conversation does not know where it goes on, or when it last spoke",
        Mends("both are read off its turns")),
    check("statistics.names", Statistics, Fault, "an entity is not found under its names, or under others",
        Mends("the names are read off the entities")),
    check("orphans.derived", Orphans, Fault, "something was made from what is gone, or something gone from something",
        Mends("such rows are taken away")),
    check("orphans.links", Orphans, Fault, "a link leads to a memory that is gone",
        Undoable("it is removed")),
    check("orphans.relations", Orphans, Fault, "a relation names an entity that is gone",
        Undoable("it is removed")),
    check("orphans.counters", Orphans, Fault, "uses are counted of a memory that is gone",
        Mends("such counts are taken away")),
    check("orphans.archive", Orphans, Fault, "words of a memory that is gone are archived",
        Mends("they are taken away, because whoever purged the memory meant them too")),
    check("orphans.turns", Orphans, Fault, "something was said in a conversation that is gone",
        Mends("it is moved into a file in the folder `aside`")),
    check("orphans.waiting", Orphans, Fault, "a turn or conversation that is gone waits to be learned from",
        Mends("the mark is taken away")),
    check("pending.stuck", Waiting, Fault, "turns have waited for more than a day to be learned from",
        Mends("they are learned from now")),
    check("pending.dead", Waiting, Fault, "turns failed so often that they were given up",
        Mends("they are tried once more")),
    check("redo.dead", Waiting, Fault, "a model failed so often at a conversation that it was given up",
        Mends("it is put in line once more")),
    check("jobs.overdue", Waiting, Notice, "upkeep should have run more than a day ago",
        Mends("a pass of upkeep is made; it is a run of its own")),
    check("learner.older", Waiting, Notice, "an older version of this program learned from the conversations that are stored",
        Nothing("`recollect relearn --dry-run` shows what today's learner makes of them; without --dry-run it is done, and can be undone")),
    check("runs.unfinished", Waiting, Fault, "a run began long ago, nobody is at it, and it never ended",
        Mends("it is marked as failed; what it did can be undone")),
    check("isolation.rows", Isolation, Fault, "a record in this tenant's database says that it is another tenant's",
        Mends("it is moved into a file in the folder `aside`; where most say so, the file was renamed and nothing is done")),
    check("isolation.tenants", Isolation, Fault, "asked with this tenant's pass, the store gives out another tenant's memory",
        Nothing("stop serving and report it: this must never happen")),
    check("isolation.scopes", Isolation, Fault, "somebody is shown a memory whose scope is not theirs",
        Nothing("stop serving and report it: this must never happen")),
    check("isolation.blocks", Isolation, Fault, "a prompt of one user holds a memory of another's",
        Mends("the block is dropped, as if its sources were forgotten")),
    check("junk.duplicates", Junk, Severity::Junk, "several memories say the same",
        Undoable("the one that says most takes over the others")),
    check("junk.learned-back", Junk, Severity::Junk, "a memory rests on what an assistant said or on recalled text, not on the user's words",
        Undoable("it is archived")),
    check("junk.contradictions", Junk, Severity::Junk, "two memories that count today say opposite things",
        Undoable("the newer one supersedes the older")),
    check("junk.no-evidence", Junk, Severity::Junk, "a learned memory names nothing it was learned from, or quotes what nobody said",
        Undoable("it is archived")),
];
