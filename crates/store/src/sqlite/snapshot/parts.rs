//! How each part of a snapshot is read: from which rows, in which order, and what an item is made of.

use std::fmt::Display;
use std::str::FromStr;

use memory::error::{StoreError, StoreResult};
use memory::types::{
    ArchiveAccess, ArchivedText, Block, Counters, FeedbackEntry, Item, Node, Part, PendingTurn, Record,
    RecordKind, RecordRef, RedoEntry, Role, SessionKey, Turn,
};
use rusqlite::Row;
use rusqlite::types::FromSql;

use super::{corpora, extent::ExtentTest};
use crate::sqlite::{failed, table, unreadable};

/// Rows in their order, and how to read one.
pub struct PartQuery {
    pub from: String,
    pub condition: String,
    pub columns: String,
    /// What orders the rows; together they name one.
    pub keys: Vec<&'static str>,
    /// The item, and about how many bytes it takes.
    pub item: Box<ReadItem>,
}

/// Makes an item of a row.
pub type ReadItem = dyn Fn(&SnapshotRow<'_>) -> StoreResult<(Item, usize)> + Send + Sync;

/// A row, from the column on where the item's own columns begin.
pub struct SnapshotRow<'a> {
    pub row: &'a Row<'a>,
    pub column: usize,
}

impl SnapshotRow<'_> {
    fn get<T: FromSql>(&self, column: usize) -> StoreResult<T> {
        self.row.get(self.column + column).map_err(failed)
    }

    fn text(&self, column: usize) -> StoreResult<String> {
        self.get(column)
    }

    fn count(&self, column: usize) -> StoreResult<u64> {
        self.get::<i64>(column).map(|number| number.max(0) as u64)
    }

    fn parsed<T: FromStr<Err: Display>>(&self, column: usize) -> StoreResult<T> {
        self.text(column)?.parse().map_err(|error| StoreError::Failed(format!("a stored value: {error}")))
    }

    fn maybe<T: FromStr<Err: Display>>(&self, column: usize) -> StoreResult<Option<T>> {
        let text: Option<String> = self.get(column)?;
        let parsed = text.map(|text| text.parse());
        parsed.transpose().map_err(|error| StoreError::Failed(format!("a stored value: {error}")))
    }

    fn json<T: serde::de::DeserializeOwned>(&self, column: usize, what: &str) -> StoreResult<(T, usize)> {
        let body = self.text(column)?;
        let read = serde_json::from_str(&body).map_err(|error| unreadable(what, "in a snapshot", &error))?;
        Ok((read, body.len()))
    }

    fn session(&self, column: usize) -> StoreResult<SessionKey> {
        let (agent, user) = (self.parsed(column)?, self.parsed(column + 1)?);
        Ok(SessionKey { agent, user, session: self.parsed(column + 2)? })
    }
}

/// Bytes of an item without a text worth counting.
const SMALL: usize = 200;
const TURN: &str = "turn t JOIN session s ON s.row = t.session_row";

/// Where the items of a part come from: one source, or one for each corpus.
pub fn sources(part: Part, within: &ExtentTest) -> Vec<PartQuery> {
    let source = match part {
        Part::History => history(within),
        Part::Setting => source("setting x", within.administration(), "x.value", &["x.name"], setting),
        Part::Agent => record(RecordKind::Agent, within.administration()),
        Part::Run => record(RecordKind::Run, within.administration()),
        Part::Session => source(
            "session x",
            within.session("x"),
            "x.body, x.last_turn_at, x.next_index",
            &["x.row"],
            session,
        ),
        Part::Turn => turns(within),
        Part::Veil => record(RecordKind::Veil, within.veil("x")),
        Part::Pending => pending(within),
        Part::Redo => redo(within),
        Part::Held => record(
            RecordKind::Held,
            within.of_session("x.agent", "x.user", "x.session", "x.body ->> '$.created_at'"),
        ),
        Part::Memory => record(RecordKind::Memory, within.memory("x")),
        Part::Counter => {
            let columns = "x.memory, x.use_count, x.source_count, x.last_used_at, x.used, x.ignored, x.wrong";
            source("counter x", within.of_memory("x.memory"), columns, &["x.memory"], counter)
        }
        Part::Counted => {
            let columns = "x.run, x.memory, x.use_count, x.source_count, x.last_used_at, x.last_used_before";
            let condition = format!("{} AND {}", within.administration(), within.of_memory("x.memory"));
            source("counted x", condition, columns, &["x.run", "x.memory"], counted)
        }
        Part::Archive => {
            let columns = "x.memory, x.text, x.hash, x.archived_at, x.last_access_at, x.run";
            source("archive x", within.of_memory("x.memory"), columns, &["x.memory"], archive)
        }
        Part::Access => {
            let columns = "x.memory, x.at, x.intact";
            source("archive_access x", within.of_memory("x.memory"), columns, &["x.row"], access)
        }
        Part::Feedback => {
            let columns = "x.memory, x.judgement, x.by, x.session, x.turn, x.at";
            source("feedback x", within.feedback("x"), columns, &["x.row"], feedback)
        }
        Part::Episode => record(RecordKind::Episode, within.episode("x")),
        Part::Entity => record(RecordKind::Entity, within.entity("x")),
        Part::Relation => record(RecordKind::Relation, within.relation("x")),
        Part::Link => record(RecordKind::Link, within.link("x")),
        Part::Profile => record(RecordKind::Profile, within.identity("x.user", "x.body ->> '$.created_at'")),
        Part::Override => {
            record(RecordKind::Override, within.identity("x.user", "x.body ->> '$.created_at'"))
        }
        Part::Block => source(
            "block x",
            within.block("x"),
            "x.body, x.hash, x.session, x.at",
            &["x.at", "x.hash"],
            block,
        ),
        Part::Derivation => derivations(within),
        Part::Vector => return vectors(within),
        Part::Processing => source("processing x", within.administration(), "x.body", &["x.row"], processing),
        Part::Receipt => source("receipt x", within.administration(), "x.body", &["x.row"], receipt),
    };
    vec![source]
}

fn source(
    from: &str,
    condition: String,
    columns: &str,
    keys: &[&'static str],
    item: fn(&SnapshotRow<'_>) -> StoreResult<(Item, usize)>,
) -> PartQuery {
    PartQuery {
        from: from.to_owned(),
        condition,
        columns: columns.to_owned(),
        keys: keys.to_vec(),
        item: Box::new(item),
    }
}

fn record(kind: RecordKind, condition: String) -> PartQuery {
    let item = move |read: &SnapshotRow<'_>| {
        let body = read.text(0)?;
        let record = Record::from_body(kind, &body)
            .map_err(|error| unreadable(kind.as_str(), "of a snapshot", &error))?;
        Ok((record.into(), body.len()))
    };
    PartQuery {
        from: format!("{} x", table(kind)),
        condition,
        columns: "x.body".to_owned(),
        keys: vec!["x.row"],
        item: Box::new(item),
    }
}

fn history(within: &ExtentTest) -> PartQuery {
    let place = "(SELECT count(*) FROM history p WHERE p.id = x.id AND p.kind = x.kind
                  AND (p.number, p.ordinal) < (x.number, x.ordinal))";
    let columns = format!("x.at, x.by, x.run, x.reason, x.kind, x.id, x.before, x.purged, {place}");
    source("history x", within.history("x"), &columns, &["x.number", "x.ordinal"], |read| {
        let of = RecordRef { kind: read.parsed(4)?, id: read.text(5)? };
        let before: Option<String> = read.get(6)?;
        let size = SMALL + before.as_ref().map_or(0, String::len);
        let parsed = before.map(|body| Record::from_body(of.kind, &body));
        let before = parsed.transpose().map_err(|error| unreadable(of.kind.as_str(), &of.id, &error))?;
        let by = serde_json::from_value(read.text(1)?.into())
            .map_err(|error| unreadable("actor", &of.id, &error))?;
        let item = Item::History {
            place: read.count(8)?,
            at: read.parsed(0)?,
            by,
            run: read.maybe(2)?,
            reason: read.get(3)?,
            of,
            before: before.map(Box::new),
            purged: read.get(7)?,
        };
        Ok((item, size))
    })
}

fn setting(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    let name = read.row.get(0).map_err(failed)?;
    let (value, size) = read.json(0, "setting")?;
    Ok((Item::Setting { name, value }, size))
}

fn session(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    let (mut session, size): (memory::types::Session, usize) = read.json(0, "session")?;
    if let Some(last) = read.maybe(1)? {
        session.last_turn_at = last;
    }
    let value = Box::new(session.into());
    Ok((Item::Record { value, next_index: Some(read.count(2)?) }, size))
}

fn turns(within: &ExtentTest) -> PartQuery {
    let text = within.text_of_turn("t");
    let columns = format!(
        "t.id, t.external_id, s.agent, s.user, s.session, t.idx, t.role, t.speaker, {text}, t.tokens, t.at, t.partial"
    );
    source(TURN, within.turn("t", "s"), &columns, &["t.row"], |read| {
        let turn = Turn {
            id: read.parsed(0)?,
            external_id: read.get(1)?,
            session: read.session(2)?,
            index: read.count(5)?,
            role: read.parsed(6).unwrap_or(Role::User),
            speaker: read.get(7)?,
            text: read.text(8)?,
            tokens: read.get(9)?,
            at: read.parsed(10)?,
            partial: read.get(11)?,
        };
        let size = SMALL + turn.text.len();
        Ok((Item::Turn { value: Box::new(turn) }, size))
    })
}

fn pending(within: &ExtentTest) -> PartQuery {
    let from = "pending x JOIN turn t ON t.row = x.turn_row JOIN session s ON s.row = x.session_row";
    let columns = "t.id, s.agent, s.user, s.session, x.since, x.failures, x.last_error, x.dead";
    source(from, within.turn("t", "s"), columns, &["x.turn_row"], |read| {
        let value = PendingTurn {
            turn: read.parsed(0)?,
            session: read.session(1)?,
            since: read.parsed(4)?,
            failures: read.get(5)?,
            last_error: read.get(6)?,
            dead: read.get(7)?,
        };
        Ok((Item::Pending { value }, SMALL))
    })
}

fn redo(within: &ExtentTest) -> PartQuery {
    let from = "redo x JOIN session s ON s.row = x.session_row";
    let columns = "s.agent, s.user, s.session, x.since, x.failures, x.last_error, x.dead";
    source(from, within.session("s"), columns, &["x.session_row"], |read| {
        let value = RedoEntry {
            session: read.session(0)?,
            since: read.parsed(3)?,
            failures: read.get(4)?,
            last_error: read.get(5)?,
            dead: read.get(6)?,
        };
        Ok((Item::Redo { value }, SMALL))
    })
}

fn counter(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    let value = Counters {
        use_count: read.count(1)?,
        source_count: read.count(2)?,
        last_used_at: read.maybe(3)?,
        used: read.count(4)?,
        ignored: read.count(5)?,
        wrong: read.count(6)?,
    };
    Ok((Item::Counter { memory: read.parsed(0)?, value }, SMALL))
}

fn counted(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    let item = Item::Counted {
        run: read.parsed(0)?,
        memory: read.parsed(1)?,
        use_count: read.count(2)?,
        source_count: read.count(3)?,
        last_used_at: read.maybe(4)?,
        last_used_before: read.maybe(5)?,
    };
    Ok((item, SMALL))
}

fn archive(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    let value = ArchivedText {
        memory: read.parsed(0)?,
        text: read.text(1)?,
        hash: read.text(2)?,
        archived_at: read.parsed(3)?,
        last_access_at: read.maybe(4)?,
    };
    let size = SMALL + value.text.len();
    Ok((Item::Archive { value, run: read.maybe(5)? }, size))
}

fn access(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    let value = ArchiveAccess { memory: read.parsed(0)?, at: read.parsed(1)?, intact: read.get(2)? };
    Ok((Item::Access { value }, SMALL))
}

fn feedback(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    let value = FeedbackEntry {
        memory: read.parsed(0)?,
        judgement: read.parsed(1)?,
        by: read.parsed(2)?,
        session: read.maybe(3)?,
        turn: read.maybe(4)?,
        at: read.parsed(5)?,
    };
    Ok((Item::Feedback { value }, SMALL))
}

fn block(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    if read.get::<Option<String>>(0)?.is_some() {
        let (block, size) = read.json::<Block>(0, "block")?;
        return Ok((Item::Block { value: Box::new(block) }, size));
    }
    let block = Block {
        hash: read.text(1)?,
        session: read.parsed(2)?,
        text: String::new(),
        tokens: 0,
        memories: Vec::new(),
        turns: Vec::new(),
        episodes: Vec::new(),
        at: read.parsed(3)?,
        standing: Vec::new(),
        standing_tokens: 0,
        dropped: true,
    };
    Ok((Item::Block { value: Box::new(block) }, SMALL))
}

fn derivations(within: &ExtentTest) -> PartQuery {
    let condition = format!(
        "{} AND {}",
        within.node("x.child_kind", "x.child"),
        within.node("x.parent_kind", "x.parent")
    );
    let columns = "x.child_kind, x.child, x.parent_kind, x.parent, x.run";
    let keys = ["x.child", "x.parent", "x.child_kind", "x.parent_kind"];
    source("derived x", condition, columns, &keys, |read| {
        let node = |column: usize| {
            let (kind, id) = (read.text(column)?, read.text(column + 1)?);
            Node::from_parts(&kind, &id)
                .ok_or_else(|| StoreError::Failed(format!("the derivation of {kind} {id} cannot be read")))
        };
        Ok((Item::Derivation { child: node(0)?, parent: node(2)?, run: read.maybe(4)? }, SMALL))
    })
}

fn vectors(within: &ExtentTest) -> Vec<PartQuery> {
    if !within.extent.embeddings {
        return Vec::new();
    }
    let read = |(corpus, table): (memory::types::Corpus, &'static str)| {
        let session = if table == "turn" { "JOIN session s ON s.row = t.session_row" } else { "" };
        let from = format!(
            "{table}_vector v JOIN {table} t ON t.row = v.place >> 8 {session}
             JOIN signature g ON g.id = v.place & 255"
        );
        let condition = match table {
            "memory" => within.memory("t"),
            "episode" => within.episode("t"),
            _ => within.turn("t", "s"),
        };
        let item = move |read: &SnapshotRow<'_>| {
            let bytes: Vec<u8> = read.get(2)?;
            let numbers =
                bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            let (id, signature) = (read.text(0)?, read.text(1)?);
            // Written out, a number takes about three times the room.
            let size = SMALL + 3 * bytes.len();
            Ok((Item::Vector { corpus, id, signature, vector: numbers.collect() }, size))
        };
        PartQuery {
            from,
            condition,
            columns: "t.id, g.name, v.bytes".to_owned(),
            keys: vec!["v.place"],
            item: Box::new(item),
        }
    };
    corpora().map(read).collect()
}

fn processing(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    let (value, size) = read.json(0, "log entry")?;
    Ok((Item::Processing { value }, size))
}

fn receipt(read: &SnapshotRow<'_>) -> StoreResult<(Item, usize)> {
    let (value, size) = read.json(0, "receipt")?;
    Ok((Item::Receipt { value }, size))
}
