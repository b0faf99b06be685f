//! The changes of one batch, inside the savepoint that the writer opened for it.
//!
//! Each change checks what it expects, writes its rows, keeps the index in step, and leaves its history and its entry in
//! the change log. The first error stops the batch; the writer rolls its savepoint back.

use memory::error::{Invalid, StoreError, StoreResult};
use memory::limits;
use memory::text::Analyser;
use memory::types::{
    Batch, Change, Corpus, Expect, Memory, MemoryId, Node, Origin, Override, Record, RecordKind, RecordRef,
    RunId, Scope, Status, Time, Written, content_hash,
};
use rusqlite::{Connection, OptionalExtension, params};

use super::index::{self, Words};
use super::{
    Inner, archive, blocks, checkup, corpus_table, failed, feedback, history, jobs, purge, receipts, restore,
    table, turns, unreadable, walk,
};
use crate::control;

/// A batch whose texts are analysed and embedded already: that is done on the caller's side, so that the one writer
/// need not.
pub struct Prepared {
    batch: Batch,
    /// For each change, what its texts came to.
    texts: Vec<Vec<Text>>,
    signature: Option<String>,
}

/// A text's words, and its vector where there is an embedder and it answered.
pub struct Text {
    pub words: Words,
    pub vector: Option<Vec<f32>>,
}

impl Prepared {
    pub fn new(batch: Batch, analyser: &Analyser) -> Self {
        let texts = batch.changes.iter().map(|change| analysed(change, analyser)).collect();
        Self { batch, texts, signature: None }
    }

    pub fn batch(&self) -> &Batch {
        &self.batch
    }

    /// Hands out the vectors of the texts at these places: change, then text within the change.
    pub fn give_vectors(&mut self, signature: &str, places: &[(usize, usize)], vectors: Vec<Vec<f32>>) {
        self.signature = Some(signature.to_owned());
        for ((change, text), vector) in places.iter().zip(vectors) {
            self.texts[*change][*text].vector = Some(vector);
        }
    }
}

fn analysed(change: &Change, analyser: &Analyser) -> Vec<Text> {
    let text = |text: String| Text { words: Words::of(&text, analyser), vector: None };
    match change {
        Change::Put { record: Record::Memory(memory), .. }
        | Change::Upsert { memory }
        | Change::AddNew { memory } => {
            vec![text(index::memory_text(memory))]
        }
        Change::Put { record: Record::Episode(episode), .. } => vec![text(index::episode_text(episode))],
        Change::AppendTurns { turns, .. } => turns.iter().map(|turn| text(index::turn_text(turn))).collect(),
        Change::Restore { item, .. } => restore::searchable(item).map(text).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Does all changes of the batch. The caller rolls back when this fails.
pub fn apply(tenant: &Inner, connection: &Connection, prepared: &Prepared) -> StoreResult<Written> {
    let last = history::head(connection)?;
    let mut applying = Applying {
        tenant,
        connection,
        batch: &prepared.batch,
        at: prepared.batch.at.to_string(),
        number: last + 1,
        ordinal: 0,
        signature: None,
        written: Written::default(),
    };
    applying.signature =
        prepared.signature.as_deref().map(|name| signature_id(connection, name)).transpose()?;
    for (change, texts) in prepared.batch.changes.iter().zip(&prepared.texts) {
        applying.change(change, texts)?;
    }
    applying.written.number = if applying.ordinal == 0 { last } else { last + 1 };
    Ok(applying.written)
}

/// A batch at work.
pub struct Applying<'a> {
    pub tenant: &'a Inner,
    pub connection: &'a Connection,
    pub batch: &'a Batch,
    pub at: String,
    number: u64,
    /// Entries of the change log so far; none means that the batch takes no number.
    ordinal: u32,
    /// Whose vectors the batch brings.
    signature: Option<i64>,
    pub written: Written,
}

/// A record as it stands.
pub struct Standing {
    pub row: i64,
    pub version: u64,
    pub body: String,
}

impl Applying<'_> {
    fn change(&mut self, change: &Change, texts: &[Text]) -> StoreResult<()> {
        match change {
            Change::Put { record, expect } => self.put(record.clone(), *expect, texts.first()),
            Change::Upsert { memory } => self.upsert(memory, texts.first()),
            Change::AddNew { memory } => self.add_new(memory, texts.first()),
            Change::Remove { of, expect } => self.remove(of, *expect),
            Change::Purge { of } => self.purge(of),
            Change::AppendTurns { turns, pending } => turns::append(self, turns, texts, *pending),
            Change::PurgeTurns { turns } => turns::purge(self, turns),
            Change::ClearPending { turns } => turns::clear_pending(self, turns),
            Change::FailPending { turns, error, cap } => turns::fail_pending(self, turns, error, *cap),
            Change::RevivePending { session } => turns::revive_pending(self, session),
            Change::PutRedo { session, since } => turns::put_redo(self, session, *since),
            Change::ClearRedo { session } => turns::clear_redo(self, session),
            Change::FailRedo { session, error, cap } => turns::fail_redo(self, session, error, *cap),
            Change::PutBlock { block } => blocks::put(self, block),
            Change::Derive { child, parents } => {
                purge::must_stand(self, parents)?;
                self.derive(child, parents)
            }
            Change::PutVector { corpus, id, signature, vector } => {
                self.put_vector(*corpus, id, signature, vector, true).map(drop)
            }
            Change::FillVector { corpus, id, signature, vector } => {
                self.put_vector(*corpus, id, signature, vector, false).map(drop)
            }

            Change::Touch { memories, at } => self.touch(memories, *at),
            Change::CountSource { memory } => self.count_source(memory),
            Change::SetSetting { name, value } => {
                control::write_setting(self.connection, name, value.as_ref()).map_err(failed)?;
                self.log("setting", name)
            }
            Change::Log { entry } => {
                let body =
                    serde_json::to_string(entry).map_err(|error| StoreError::Failed(error.to_string()))?;
                self.execute("INSERT INTO processing (body) VALUES (?1)", [body]).map(drop)
            }
            Change::PutJob { job } => jobs::put(self, job),
            Change::AddCounts { memory, counts } => jobs::add_counts(self, memory, counts),
            Change::Archive { memory, text } => archive::put(self, memory, text),
            Change::LogAccess { memory, intact } => archive::log_access(self, memory, *intact),
            Change::TakeBack { run } => jobs::take_back(self, run),
            Change::Prune { what, before, limit } => jobs::prune(self, *what, *before, *limit),
            Change::Reindex { corpus, rows } => walk::reindex(self, *corpus, rows),
            Change::Restore { item, unite } => restore::restore(self, item, *unite, texts.first()),
            Change::Judge { entry } => feedback::judge(self, entry),
            Change::PutReceipt { receipt } => receipts::put(self, receipt),
            Change::Mend { what } => checkup::mend(self, what),
            Change::Erase { what } => purge::erase(self, what),
        }
    }

    pub fn put(&mut self, mut record: Record, expect: Expect, text: Option<&Text>) -> StoreResult<()> {
        let of = record.reference();
        let standing = self.standing(&of)?;
        self.check(&of, expect, standing.as_ref())?;
        let version = standing.as_ref().map_or(1, |standing| standing.version + 1);
        record.set_version(version);
        if let Record::Memory(memory) = &mut record {
            memory.tenant = self.tenant.id.clone();
            memory.content_hash = content_hash(&memory.content);
            memory.clamp();
        }
        let row = self.write_body(&of, standing.as_ref(), &record.body())?;
        self.keep_index(&record, row, text)?;
        self.keep_names(&record)?;
        self.record(&of, Some(row), standing.as_ref().map(|standing| standing.body.as_str()))?;
        self.written.records.push((of, version));
        Ok(())
    }

    pub fn write_body(&self, of: &RecordRef, standing: Option<&Standing>, body: &str) -> StoreResult<i64> {
        let table = table(of.kind);
        let written = match standing {
            Some(standing) => self
                .connection
                .prepare_cached(&format!("UPDATE {table} SET body = ?2 WHERE row = ?1"))
                .and_then(|mut statement| statement.execute(params![standing.row, body]))
                .map(|_| standing.row),
            None => self
                .connection
                .prepare_cached(&format!("INSERT INTO {table} (body) VALUES (?1)"))
                .and_then(|mut statement| statement.insert([body])),
        };
        written.map_err(|error| taken(of, error))
    }

    /// Brings words and vectors in step with a record that can be searched.
    pub fn keep_index(&self, record: &Record, row: i64, given: Option<&Text>) -> StoreResult<()> {
        let (table, status, text) = match record {
            Record::Memory(memory) => ("memory", memory.status, index::memory_text(memory)),
            Record::Episode(episode) => ("episode", episode.status, index::episode_text(episode)),
            _ => return Ok(()),
        };
        let changed = if status == Status::Deleted {
            blocks::drop_made_from(self, table, &record.id())?;
            index::remove(self.connection, table, row)?
        } else if let Some(given) = given {
            index::put(self.connection, table, row, &given.words)?
        } else {
            index::put(self.connection, table, row, &Words::of(&text, &self.tenant.analyser))?
        };
        // The vector of the old words must not answer for the new ones, not even until the new one comes.
        if changed {
            self.drop_vectors(table, row)?;
        }
        match given.and_then(|given| given.vector.as_ref()) {
            Some(vector) if status != Status::Deleted => self.keep_vector(table, row, vector),
            _ => Ok(()),
        }
    }

    /// Stores the vector that came with a text, if the batch's embedder said whose it is.
    pub fn keep_vector(&self, table: &str, row: i64, vector: &[f32]) -> StoreResult<()> {
        let Some(signature) = self.signature else { return Ok(()) };
        write_vector(self.connection, table, signature, row, vector)
    }

    fn upsert(&mut self, memory: &Memory, text: Option<&Text>) -> StoreResult<()> {
        let sql = "SELECT body FROM memory WHERE agent = ?1 AND user = ?2 AND key = ?3 AND status = 'active'";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let key = memory.key.as_deref().unwrap_or_default();
        let body: Option<String> = statement
            .query_row(params![memory.agent.as_str(), memory.user.as_str(), key], |row| row.get(0))
            .optional()
            .map_err(failed)?;
        let Some(body) = body else { return self.put(memory.clone().into(), Expect::Absent, text) };
        let standing: Memory =
            serde_json::from_str(&body).map_err(|error| unreadable("memory", memory.id.as_str(), &error))?;
        let expect = Expect::Version(standing.version);
        let by_person = self.batch.by == memory::types::Actor::Person;
        let merged = merge(standing, memory, by_person);
        // The words are those of the merged memory, which the caller could not know; the vector is of the content alone.
        let vector = text.and_then(|text| text.vector.clone()).filter(|_| merged.content == memory.content);
        let text = Text { words: Words::of(&index::memory_text(&merged), &self.tenant.analyser), vector };
        self.put(merged.into(), expect, Some(&text))
    }

    fn add_new(&mut self, memory: &Memory, text: Option<&Text>) -> StoreResult<()> {
        let Some(standing) = self.like(memory)? else {
            return self.put(memory.clone().into(), Expect::Absent, text);
        };
        let mut wider = standing.clone();
        unite_tags(&mut wider.tags, &memory.tags);
        for (name, value) in &memory.metadata {
            wider.metadata.entry(name.clone()).or_insert_with(|| value.clone());
        }
        if memory::validate::memory(&wider).is_err() {
            wider.metadata.clone_from(&standing.metadata);
        }
        wider.pinned |= memory.pinned;
        if wider == standing {
            self.written.records.push((RecordRef::memory(&standing.id), standing.version));
            return Ok(());
        }
        wider.updated_at = memory.updated_at;
        let expect = Expect::Version(standing.version);
        // Same content, same meaning: the vector that came along fits the wider memory too.
        let vector = text.and_then(|text| text.vector.clone());
        let text = Text { words: Words::of(&index::memory_text(&wider), &self.tenant.analyser), vector };
        self.put(wider.into(), expect, Some(&text))
    }

    /// The live memory with the same content, layer, scope and owner.
    pub fn like(&self, memory: &Memory) -> StoreResult<Option<Memory>> {
        // Only a thread's memory belongs to its session; elsewhere the session is where it happened to be said.
        let session = memory.session.as_ref().filter(|_| memory.scope == Scope::Thread);
        let place = if memory.scope == Scope::Thread { "session IS ?6" } else { "?6 IS NULL" };
        let sql = format!(
            "SELECT body FROM memory WHERE content_hash = ?1 AND agent = ?2 AND user = ?3 AND scope = ?4
             AND layer = ?5 AND {place} AND status = 'active' ORDER BY row LIMIT 1"
        );
        let parameters = params![
            content_hash(&memory.content),
            memory.agent.as_str(),
            memory.user.as_str(),
            memory.scope.as_str(),
            memory.layer.as_str(),
            session.map(|session| session.as_str())
        ];
        let mut statement = self.connection.prepare_cached(&sql).map_err(failed)?;
        let body: Option<String> =
            statement.query_row(parameters, |row| row.get(0)).optional().map_err(failed)?;
        let parsed = body.map(|body| serde_json::from_str(&body));
        parsed.transpose().map_err(|error| unreadable("memory", memory.id.as_str(), &error))
    }

    fn remove(&mut self, of: &RecordRef, expect: Expect) -> StoreResult<()> {
        let standing = self.standing(of)?;
        self.check(of, expect, standing.as_ref())?;
        let Some(standing) = standing else { return Ok(()) };
        self.take_back(of, &standing)?;
        self.take_away(of, standing.row)?;
        self.record(of, Some(standing.row), Some(&standing.body))?;
        self.written.removed += 1;
        Ok(())
    }

    pub fn purge(&mut self, of: &RecordRef) -> StoreResult<()> {
        if of.kind == RecordKind::Session {
            turns::purge_session(self, of)?;
        }
        let standing = self.standing(of)?;
        if let Some(standing) = &standing {
            self.take_back(of, standing)?;
        }
        let row = standing.map(|standing| standing.row);
        if let Some(row) = row {
            self.take_away(of, row)?;
            self.written.removed += 1;
        }
        self.execute("DELETE FROM derived WHERE child = ?1 AND child_kind = ?2", [&of.id, of.kind.as_str()])?;
        self.execute(
            "DELETE FROM derived WHERE parent = ?1 AND parent_kind = ?2",
            [&of.id, of.kind.as_str()],
        )?;
        if of.kind == RecordKind::Memory {
            self.purge_links(&of.id)?;
            archive::purge(self, &of.id)?;
            feedback::purge(self, &of.id)?;
        }
        if of.kind == RecordKind::Entity {
            self.purge_relations(&of.id)?;
        }
        self.record(of, row, None)?;
        history::purge(self.connection, of)
    }

    /// Links say which memories belonged together; without the memory they say nothing that may stay.
    fn purge_links(&mut self, memory: &str) -> StoreResult<()> {
        let sql = "SELECT id FROM link WHERE source = ?1 OR target = ?1";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let links = statement.query_map([memory], |row| row.get::<_, String>(0)).map_err(failed)?;
        let links = links.collect::<rusqlite::Result<Vec<_>>>().map_err(failed)?;
        links.into_iter().try_for_each(|id| self.purge(&RecordRef { kind: RecordKind::Link, id }))
    }

    /// Nor do relations say anything without one of their ends.
    fn purge_relations(&mut self, entity: &str) -> StoreResult<()> {
        let sql = "SELECT id FROM relation WHERE subject = ?1 OR object = ?1";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let relations = statement.query_map([entity], |row| row.get::<_, String>(0)).map_err(failed)?;
        let relations = relations.collect::<rusqlite::Result<Vec<_>>>().map_err(failed)?;
        relations.into_iter().try_for_each(|id| self.purge(&RecordRef { kind: RecordKind::Relation, id }))
    }

    /// An override that goes must not stay in what is put into prompts.
    fn take_back(&self, of: &RecordRef, standing: &Standing) -> StoreResult<()> {
        if of.kind != RecordKind::Override {
            return Ok(());
        }
        let body: Override =
            serde_json::from_str(&standing.body).map_err(|error| unreadable("override", &of.id, &error))?;
        blocks::drop_saying(self, body.user.as_str(), &body.text)
    }

    /// The row, its words, its vectors and its counters.
    fn take_away(&self, of: &RecordRef, row: i64) -> StoreResult<()> {
        if matches!(of.kind, RecordKind::Memory | RecordKind::Episode) {
            blocks::drop_made_from(self, table(of.kind), &of.id)?;
            index::remove(self.connection, table(of.kind), row)?;
            self.drop_vectors(table(of.kind), row)?;
        }
        if of.kind == RecordKind::Memory {
            self.execute("DELETE FROM counter WHERE memory = ?1", [&of.id])?;
        }
        if of.kind == RecordKind::Entity {
            self.name_entity(&of.id, &[])?;
        }
        if of.kind == RecordKind::Session {
            turns::detach_session(self, row)?;
        }
        self.execute(&format!("DELETE FROM {} WHERE row = ?1", table(of.kind)), [row]).map(drop)
    }

    pub fn derive(&mut self, child: &Node, parents: &[Node]) -> StoreResult<()> {
        let sql = "INSERT OR IGNORE INTO derived (child_kind, child, parent_kind, parent, run) VALUES (?1, ?2, ?3, ?4, ?5)";
        let run = self.batch.run.as_ref().map(RunId::as_str);
        for parent in parents {
            self.execute(sql, params![child.kind(), child.id(), parent.kind(), parent.id(), run])?;
        }
        Ok(())
    }

    pub fn put_vector(
        &mut self,
        corpus: Corpus,
        id: &str,
        signature: &str,
        vector: &[f32],
        replace: bool,
    ) -> StoreResult<bool> {
        let table = corpus_table(corpus);
        let sql = format!("SELECT row FROM {table} WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql).map_err(failed)?;
        let row: Option<i64> = statement.query_row([id], |row| row.get(0)).optional().map_err(failed)?;
        let Some(row) = row else {
            return Err(
                Invalid::field("vector", format!("there is no {table} {id} to keep a vector for")).into()
            );
        };
        let signature = signature_id(self.connection, signature)?;
        let sql = format!("SELECT 1 FROM {table}_vector WHERE place = ?1");
        let mut statement = self.connection.prepare_cached(&sql).map_err(failed)?;
        if !replace && statement.exists([vector_place(row, signature)]).map_err(failed)? {
            return Ok(false);
        }
        write_vector(self.connection, table, signature, row, vector)?;
        self.log_row(table, id, Some(row))?;
        Ok(true)
    }

    fn touch(&mut self, memories: &[MemoryId], at: Time) -> StoreResult<()> {
        let sql = "INSERT INTO counter (memory, use_count, last_used_at)
                   SELECT id, 1, ?2 FROM memory WHERE id = ?1
                   ON CONFLICT (memory) DO UPDATE SET use_count = use_count + 1,
                       last_used_at = max(coalesce(last_used_at, ''), excluded.last_used_at)";
        for id in memories {
            self.execute(sql, [id.as_str(), &at.to_string()])?;
        }
        Ok(())
    }

    fn count_source(&mut self, memory: &MemoryId) -> StoreResult<()> {
        let sql = "INSERT INTO counter (memory, source_count) SELECT id, 1 FROM memory WHERE id = ?1
                   ON CONFLICT (memory) DO UPDATE SET source_count = source_count + 1";
        self.execute(sql, [memory.as_str()]).map(drop)
    }

    /// Names by which an entity is found, while it counts.
    pub fn keep_names(&self, record: &Record) -> StoreResult<()> {
        let Record::Entity(entity) = record else { return Ok(()) };
        let known = entity.status == Status::Active;
        let names = entity.aliases.iter().chain([&entity.name]).filter(|_| known);
        self.name_entity(entity.id.as_str(), &names.map(|name| name.to_lowercase()).collect::<Vec<_>>())
    }

    fn name_entity(&self, id: &str, names: &[String]) -> StoreResult<()> {
        self.execute("DELETE FROM entity_name WHERE entity = ?1", [id])?;
        for name in names {
            self.execute(
                "INSERT OR IGNORE INTO entity_name (folded, entity) VALUES (?1, ?2)",
                [name.as_str(), id],
            )?;
        }
        Ok(())
    }

    pub fn drop_vectors(&self, table: &str, row: i64) -> StoreResult<()> {
        let sql = format!("DELETE FROM {table}_vector WHERE place BETWEEN ?1 AND ?1 + 255");
        self.execute(&sql, [vector_place(row, 0)]).map(drop)
    }

    pub fn standing(&self, of: &RecordRef) -> StoreResult<Option<Standing>> {
        let sql = format!("SELECT row, version, body FROM {} WHERE id = ?1", table(of.kind));
        let mut statement = self.connection.prepare_cached(&sql).map_err(failed)?;
        let standing = |row: &rusqlite::Row<'_>| {
            Ok(Standing { row: row.get(0)?, version: row.get::<_, i64>(1)? as u64, body: row.get(2)? })
        };
        statement.query_row([&of.id], standing).optional().map_err(failed)
    }

    fn check(&self, of: &RecordRef, expect: Expect, standing: Option<&Standing>) -> StoreResult<()> {
        let conflict = |expected: &str, found: String| {
            Err(StoreError::Conflict { of: of.clone(), expected: expected.to_owned(), found })
        };
        match (expect, standing) {
            (Expect::Absent, Some(standing)) => conflict("nothing", standing.version.to_string()),
            (Expect::Version(_), None) => Err(StoreError::NotFound(of.clone())),
            (Expect::Version(expected), Some(standing)) if expected != standing.version => {
                conflict(&expected.to_string(), standing.version.to_string())
            }
            _ => Ok(()),
        }
    }

    /// History and change log of one record's change.
    pub fn record(&mut self, of: &RecordRef, row: Option<i64>, before: Option<&str>) -> StoreResult<()> {
        let event = history::Event {
            number: self.number,
            ordinal: self.ordinal,
            at: &self.at,
            by: self.batch.by,
            run: self.batch.run.as_ref(),
            reason: self.batch.reason.as_deref(),
            of,
            before,
        };
        history::write(self.connection, &event)?;
        self.log_row(of.kind.as_str(), &of.id, row)
    }

    /// What happened elsewhere, under the number of this commit.
    pub fn past(&mut self, past: &history::Past<'_>) -> StoreResult<()> {
        history::write_past(self.connection, self.number, self.ordinal, past)?;
        self.log_row("history", &past.of.id, None)
    }

    pub fn log(&mut self, kind: &str, id: &str) -> StoreResult<()> {
        self.log_row(kind, id, None)
    }

    pub fn log_row(&mut self, kind: &str, id: &str, row: Option<i64>) -> StoreResult<()> {
        history::log(self.connection, self.number, self.ordinal, kind, id, row)?;
        self.ordinal += 1;
        Ok(())
    }

    pub fn execute(&self, sql: &str, parameters: impl rusqlite::Params) -> StoreResult<usize> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(parameters))
            .map_err(failed)
    }
}

/// As many of the new tags as one memory may have: what is united must be able to come in again elsewhere.
fn unite_tags(tags: &mut Vec<String>, new: &[String]) {
    for tag in new {
        if tags.len() < limits::TAGS && !tags.contains(tag) {
            tags.push(tag.clone());
        }
    }
}

/// The standing memory with the new statement in it. What a person wrote stays as they wrote it, unless a person restates it.
fn merge(mut standing: Memory, new: &Memory, by_person: bool) -> Memory {
    standing.metadata.extend(new.metadata.clone());
    unite_tags(&mut standing.tags, &new.tags);
    standing.updated_at = new.updated_at;
    let persons = standing.pinned || standing.origin == Origin::Person;
    if persons && !by_person {
        return standing;
    }
    Memory {
        id: standing.id,
        version: standing.version,
        created_at: standing.created_at,
        metadata: standing.metadata,
        tags: standing.tags,
        pinned: standing.pinned || new.pinned,
        salience: standing.salience.max(new.salience),
        stability_days: standing.stability_days.max(new.stability_days),
        ..new.clone()
    }
}

fn write_vector(
    connection: &Connection,
    table: &str,
    signature: i64,
    row: i64,
    vector: &[f32],
) -> StoreResult<()> {
    let bytes: Vec<u8> = vector.iter().flat_map(|number| number.to_le_bytes()).collect();
    // Not INSERT OR REPLACE: replacing does not fire the trigger that counts what goes.
    let sql = format!(
        "INSERT INTO {table}_vector (place, bytes) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET bytes = excluded.bytes"
    );
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    statement.execute(params![vector_place(row, signature), bytes]).map(drop).map_err(failed)
}

/// Where a row's vector of one signature lies.
pub fn vector_place(row: i64, signature: i64) -> i64 {
    row * 256 + signature
}

fn signature_id(connection: &Connection, name: &str) -> StoreResult<i64> {
    let insert = "INSERT OR IGNORE INTO signature (name) VALUES (?1)";
    connection.prepare_cached(insert).and_then(|mut statement| statement.execute([name])).map_err(failed)?;
    let mut select = connection.prepare_cached("SELECT id FROM signature WHERE name = ?1").map_err(failed)?;
    let id: i64 = select.query_row([name], |row| row.get(0)).map_err(failed)?;
    if id > 255 {
        return Err(StoreError::Failed("more than 255 embedding models were used with this store".into()));
    }
    Ok(id)
}

/// A broken uniqueness rule is the caller's to solve: two live memories under one key, two active episodes.
fn taken(of: &RecordRef, error: rusqlite::Error) -> StoreError {
    if error.sqlite_error_code() != Some(rusqlite::ErrorCode::ConstraintViolation) {
        return failed(error);
    }
    let (expected, found) = match of.kind {
        RecordKind::Memory => ("no other live memory with its key", "one"),
        RecordKind::Episode => ("no other active episode of its session", "one"),
        _ => ("its place to be free", "another record"),
    };
    StoreError::Conflict { of: of.clone(), expected: expected.into(), found: found.into() }
}
