//! The changes of one batch, inside the transaction that the writer opened for a group of them.
//!
//! Each change reads what stands, asks the core what the change makes of it ([`memory::write`], [`memory::forget::cascade`]),
//! writes the answer, keeps the index in step, and leaves its history and its entry in the change log. The first error stops
//! the batch; the writer rolls it back.

use memory::error::{Invalid, StoreError, StoreResult};
use memory::forget::cascade::{Leaving, may_go, with_record};
use memory::text::Analyser;
use memory::types::{
    Batch, Change, Corpus, Expect, Memory, MemoryId, Node, Record, RecordKind, RecordRef, RunId, Scope,
    Status, Time, Written, content_hash,
};
use memory::write::{self, searchable};
use rusqlite::{Connection, OptionalExtension, params};

use super::cascade::{self, LeavingRecord};
use super::index::{self, IndexWords};
use super::read::bodies;
use super::{
    TenantInner, archive, blocks, checkup, corpus_table, crises, failed, feedback, history, jobs, purge,
    receipts, restore, scan, table, turns, veils,
};
use crate::control;

/// A batch whose texts are analysed and embedded already: that is done on the caller's side, so that the one writer
/// need not.
pub struct Prepared {
    batch: Batch,
    /// For each change, what its texts came to.
    texts: Vec<Vec<PreparedText>>,
    signature: Option<String>,
}

/// A text's words, and its vector where there is an embedder and it answered.
pub struct PreparedText {
    pub words: IndexWords,
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

fn analysed(change: &Change, analyser: &Analyser) -> Vec<PreparedText> {
    let text = |text: String| PreparedText { words: IndexWords::of(&text, analyser), vector: None };
    match change {
        Change::Put { record: Record::Memory(memory), .. }
        | Change::Upsert { memory }
        | Change::AddNew { memory } => {
            vec![text(searchable::memory(memory))]
        }
        Change::Put { record: Record::Episode(episode), .. } => vec![text(searchable::episode(episode))],
        Change::AppendTurns { turns, .. } => turns.iter().map(|turn| text(searchable::turn(turn))).collect(),
        Change::Restore { item, .. } => searchable::item(item).map(text).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Does all changes of the batch. The caller rolls back when this fails.
pub fn apply(tenant: &TenantInner, connection: &Connection, prepared: &Prepared) -> StoreResult<Written> {
    let last = history::head(connection)?;
    let mut applying = Applying {
        tenant,
        connection,
        batch: &prepared.batch,
        at: prepared.batch.at.to_string(),
        number: last + 1,
        ordinal: 0,
        stamp: None,
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
    pub tenant: &'a TenantInner,
    pub connection: &'a Connection,
    pub batch: &'a Batch,
    pub at: String,
    number: u64,
    /// Entries of the change log so far; none means that the batch takes no number.
    ordinal: u32,
    /// Where and when the commit is made; known from its first entry in the log on.
    stamp: Option<history::Stamp>,
    /// Whose vectors the batch brings.
    signature: Option<i64>,
    pub written: Written,
}

/// A record as it stands.
pub struct StandingRow {
    pub row: i64,
    pub version: u64,
    pub body: String,
}

impl Applying<'_> {
    fn change(&mut self, change: &Change, texts: &[PreparedText]) -> StoreResult<()> {
        match change {
            Change::Put { record, expect } => self.put(record.clone(), *expect, texts.first()),
            Change::Upsert { memory } => self.upsert(memory, texts.first()),
            Change::AddNew { memory } => self.add_new(memory, texts.first()),
            Change::Remove { of, expect } => self.remove(of, *expect),
            Change::Purge { of } => self.purge(of),
            Change::AppendTurns { turns, pending } => turns::append(self, turns, texts, *pending),
            Change::BindSession { session } => turns::bind_session(self, session),
            Change::PurgeTurns { turns } => turns::purge(self, turns),
            Change::ClearPending { turns } => turns::clear_pending(self, turns),
            Change::FailPending { turns, error, cap } => turns::fail_pending(self, turns, error, *cap),
            Change::RevivePending { session } => turns::revive_pending(self, session),
            Change::PutRedo { session, since, error } => {
                turns::put_redo(self, session, *since, error.as_deref())
            }
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
            Change::Classify { memory, content_hash, category, sensitive } => {
                self.classify(memory, content_hash, category, *sensitive)
            }
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
            Change::Reindex { corpus, rows } => scan::reindex(self, *corpus, rows),
            Change::Restore { item, unite } => restore::restore(self, item, *unite, texts.first()),
            Change::Judge { entry } => feedback::judge(self, entry),
            Change::PutReceipt { receipt } => receipts::put(self, receipt),
            Change::NoteCrisis { note } => crises::put(self, note),
            Change::RemoveCrises { ids } => crises::remove(self, ids),
            Change::Mend { what } => checkup::mend(self, what),
            Change::Erase { what } => purge::erase(self, what),
        }
    }

    pub fn put(
        &mut self,
        mut record: Record,
        expect: Expect,
        text: Option<&PreparedText>,
    ) -> StoreResult<()> {
        let of = record.reference();
        let standing = self.standing(&of)?;
        let version = write::next_version(&of, expect, standing.as_ref().map(|standing| standing.version))?;
        record.set_version(version);
        write::settle(&mut record, &self.tenant.id);
        let row = self.write_body(&of, standing.as_ref(), &record.body())?;
        self.keep_index(&record, row, text)?;
        self.keep_names(&record)?;
        veils::keep(self, &record)?;
        self.record(&of, Some(row), standing.as_ref().map(|standing| standing.body.as_str()))?;
        self.written.records.push((of, version));
        Ok(())
    }

    pub fn write_body(&self, of: &RecordRef, standing: Option<&StandingRow>, body: &str) -> StoreResult<i64> {
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
    pub fn keep_index(&self, record: &Record, row: i64, given: Option<&PreparedText>) -> StoreResult<()> {
        let Some((corpus, text)) = searchable::record(record) else { return Ok(()) };
        let table = corpus_table(corpus);
        let Some(text) = text else {
            blocks::drop_made_from(self, table, &record.id())?;
            if index::remove(self.connection, table, row)? {
                self.drop_vectors(table, row)?;
            }
            return Ok(());
        };
        let changed = match given {
            Some(given) => index::put(self.connection, table, row, &given.words)?,
            None => index::put(self.connection, table, row, &IndexWords::of(&text, &self.tenant.analyser))?,
        };
        // The vector of the old words must not answer for the new ones, not even until the new one comes.
        if changed {
            self.drop_vectors(table, row)?;
        }
        given
            .and_then(|given| given.vector.as_ref())
            .map_or(Ok(()), |vector| self.keep_vector(table, row, vector))
    }

    /// Stores the vector that came with a text, if the batch's embedder said whose it is.
    pub fn keep_vector(&self, table: &str, row: i64, vector: &[f32]) -> StoreResult<()> {
        let Some(signature) = self.signature else { return Ok(()) };
        write_vector(self.connection, table, signature, row, vector)
    }

    fn upsert(&mut self, memory: &Memory, text: Option<&PreparedText>) -> StoreResult<()> {
        let Some(standing) = self.under_key(memory)? else {
            return self.put(memory.clone().into(), Expect::Absent, text);
        };
        let merged = write::restate(standing, memory, self.batch.by);
        // The vector is of the content alone.
        let vector = text.and_then(|text| text.vector.clone()).filter(|_| merged.content == memory.content);
        self.put_merged(merged, vector)
    }

    /// The live memory that this one restates by its key: of those to whom it belongs or, where the user has it with any
    /// agent, what the agent alone had under that key.
    fn under_key(&self, memory: &Memory) -> StoreResult<Option<Memory>> {
        let sql =
            "SELECT body FROM memory WHERE user = ?1 AND key = ?2 AND key IS NOT NULL AND status = 'active'
                   AND holder IN (?3, ?4) ORDER BY holder = ?3 DESC LIMIT 1";
        let agents = Memory { scope: Scope::Agent, ..memory.clone() };
        let wider = if memory.scope == Scope::User { &agents } else { memory };
        let key = memory.key.as_deref().unwrap_or_default();
        let parameters = [memory.user.as_str(), key, &holder(memory), &holder(wider)];
        Ok(bodies(self.connection, sql, parameters)?.into_iter().next())
    }

    fn add_new(&mut self, memory: &Memory, text: Option<&PreparedText>) -> StoreResult<()> {
        let Some(standing) = self.like(memory)? else {
            return self.put(memory.clone().into(), Expect::Absent, text);
        };
        let Some(wider) = write::widen(&standing, memory) else {
            self.written.records.push((RecordRef::memory(&standing.id), standing.version));
            return Ok(());
        };
        // Same content, same meaning: the vector that came along fits the wider memory too.
        self.put_merged(wider, text.and_then(|text| text.vector.clone()))
    }

    /// Writes a memory that was made from the standing one. Its words are those of the merged memory, which the caller could
    /// not know.
    pub fn put_merged(&mut self, merged: Memory, vector: Option<Vec<f32>>) -> StoreResult<()> {
        let expect = Expect::Version(merged.version);
        let text = PreparedText {
            words: IndexWords::of(&searchable::memory(&merged), &self.tenant.analyser),
            vector,
        };
        self.put(merged.into(), expect, Some(&text))
    }

    /// The standing memory that counts as the same.
    pub fn like(&self, memory: &Memory) -> StoreResult<Option<Memory>> {
        let sql = "SELECT body FROM memory WHERE content_hash = ?1 AND user = ?2 AND status = 'active' ORDER BY row";
        let hash = content_hash(&memory.content);
        let alike: Vec<Memory> = bodies(self.connection, sql, [hash.as_str(), memory.user.as_str()])?;
        Ok(alike.into_iter().find(|standing| write::is_same(standing, memory)))
    }

    fn remove(&mut self, of: &RecordRef, expect: Expect) -> StoreResult<()> {
        let standing = self.standing(of)?;
        write::next_version(of, expect, standing.as_ref().map(|standing| standing.version))?;
        let Some(standing) = standing else { return Ok(()) };
        let has_turns = of.kind == RecordKind::Session && cascade::has_turns(self, standing.row)?;
        may_go(of.kind, has_turns)?;
        let gone = LeavingRecord {
            kind: table(of.kind),
            id: &of.id,
            row: Some(standing.row),
            body: Some(&standing.body),
        };
        cascade::carry_out(self, &gone, &with_record(of.kind, Leaving::Removed))?;
        self.record(of, Some(standing.row), Some(&standing.body))
    }

    pub fn purge(&mut self, of: &RecordRef) -> StoreResult<()> {
        let standing = self.standing(of)?;
        let gone = LeavingRecord {
            kind: table(of.kind),
            id: &of.id,
            row: standing.as_ref().map(|standing| standing.row),
            body: standing.as_ref().map(|standing| standing.body.as_str()),
        };
        cascade::carry_out(self, &gone, &with_record(of.kind, Leaving::Purged))
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

    /// Writes what a memory is about beside what it says; who keeps memories at hand reads it anew.
    fn classify(&mut self, id: &MemoryId, hash: &str, category: &str, sensitive: bool) -> StoreResult<()> {
        let of = RecordRef::memory(id);
        let Some(standing) = self.standing(&of)? else { return Ok(()) };
        let known: Memory =
            serde_json::from_str(&standing.body).map_err(|error| StoreError::Failed(error.to_string()))?;
        let Some(classified) = write::classified(known, hash, category, sensitive) else { return Ok(()) };
        let body = Record::from(classified).body();
        self.write_body(&of, Some(&standing), &body)?;
        self.log_row(of.kind.as_str(), &of.id, Some(standing.row))
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

    pub fn standing(&self, of: &RecordRef) -> StoreResult<Option<StandingRow>> {
        let sql = format!("SELECT row, version, body FROM {} WHERE id = ?1", table(of.kind));
        let mut statement = self.connection.prepare_cached(&sql).map_err(failed)?;
        let standing = |row: &rusqlite::Row<'_>| {
            Ok(StandingRow { row: row.get(0)?, version: row.get::<_, i64>(1)? as u64, body: row.get(2)? })
        };
        statement.query_row([&of.id], standing).optional().map_err(failed)
    }

    /// History and change log of one record's change.
    pub fn record(&mut self, of: &RecordRef, row: Option<i64>, before: Option<&str>) -> StoreResult<()> {
        let event = history::HistoryRow {
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
    pub fn past(&mut self, past: &history::ForeignHistoryRow<'_>) -> StoreResult<()> {
        history::write_past(self.connection, self.number, self.ordinal, past)?;
        self.log_row("history", &past.of.id, None)
    }

    pub fn log(&mut self, kind: &str, id: &str) -> StoreResult<()> {
        self.log_row(kind, id, None)
    }

    pub fn log_row(&mut self, kind: &str, id: &str, row: Option<i64>) -> StoreResult<()> {
        if self.stamp.is_none() {
            self.stamp = Some(history::stamp(self.connection, &self.tenant.instance, self.batch.at)?);
        }
        let entry = history::Logged { number: self.number, ordinal: self.ordinal, kind, id, row };
        history::log(self.connection, &entry, self.stamp)?;
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

/// The memory's column `holder`, which the key's uniqueness is drawn over.
fn holder(memory: &Memory) -> String {
    match memory.scope {
        Scope::User => "user".to_owned(),
        Scope::Project => {
            format!("project\u{1f}{}", memory.project.as_ref().map_or("", |project| project.as_str()))
        }
        Scope::Thread | Scope::Agent | Scope::Persona | Scope::Organization => {
            format!("agent\u{1f}{}", memory.agent)
        }
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

/// A broken uniqueness rule is the caller's to solve.
fn taken(of: &RecordRef, error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::ConstraintViolation) => write::place_taken(of),
        _ => failed(error),
    }
}
