//! What scoring needs of the rows that were asked for lately: their words, their vectors, where turns stand, and the records themselves.
//!
//! A search looks at a thousand rows to choose ten, and most of them were looked at before. They are kept in memory, follow the
//! change log, and are bounded by bytes over all tenants of the process; what is not kept is read and put there. SQL says the same, and is what
//! the tests hold this against.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lru::LruCache;
use memory::error::StoreResult;
use memory::limits::SCORED_NEIGHBOURS;
use memory::ports::{IndexedDocument, Nominee, RowMaterial, TurnPlace};
use memory::types::{Corpus, Filter, Record, RecordKind, Role};
use parking_lot::Mutex;
use rusqlite::{Connection, Row, params};

use super::read::{all, given, session_key};
use super::vector_search::{changed_rows, numbers};
use super::{corpus_table, filter, history, search, unreadable};
use crate::limits;

/// A row as scoring needs it, and all that a filter asks of it.
pub struct DeckRow {
    pub material: Arc<RowMaterial>,
    /// Of a turn: something of it is left to be told.
    told: bool,
    /// Of a turn: rows of its session that are no further away than [`SCORED_NEIGHBOURS`], its own among them.
    around: Vec<i64>,
    bytes: usize,
}

impl DeckRow {
    /// Whether a filter lets the row through: the same rules as the SQL of `filter.rs`.
    pub fn is_admitted(&self, filter: &Filter) -> bool {
        match (&self.material.record, &self.material.place) {
            (Some(Record::Memory(memory)), _) => filter::admits_memory(filter, memory),
            (Some(Record::Episode(episode)), _) => filter::admits_episode(filter, episode),
            (_, Some(place)) => self.told && filter::admits_turn(filter, place),
            _ => false,
        }
    }

    pub fn nominee(&self) -> Nominee {
        let id = match (&self.material.record, &self.material.place) {
            (Some(Record::Memory(memory)), _) => memory.id.to_string(),
            (Some(Record::Episode(episode)), _) => episode.id.to_string(),
            (_, Some(place)) => place.id.to_string(),
            _ => String::new(),
        };
        Nominee { id, row: self.material.row }
    }
}

/// How many bytes all decks together may hold, and hold.
#[derive(Debug)]
pub struct DeckBudget {
    most: usize,
    held: AtomicUsize,
}

impl DeckBudget {
    /// Nothing is kept where it is zero.
    pub fn new(most: usize) -> Self {
        Self { most, held: AtomicUsize::new(0) }
    }

    fn is_over(&self) -> bool {
        self.held.load(Ordering::Relaxed) > self.most
    }
}

/// What a row takes beside its texts and numbers.
const ROW_BYTES: usize = 400;

/// The rows of each corpus.
pub struct Decks {
    memories: Deck,
    episodes: Deck,
    turns: Deck,
}

struct Deck {
    state: Mutex<DeckState>,
}

struct DeckState {
    /// The log's number that it is of.
    number: u64,
    signature: Option<String>,
    rows: LruCache<i64, Arc<DeckRow>>,
    budget: Arc<DeckBudget>,
}

impl Drop for DeckState {
    fn drop(&mut self) {
        self.clear();
    }
}

impl DeckState {
    fn is_of(&self, head: u64, signature: Option<&str>) -> bool {
        self.number == head && self.signature.as_deref() == signature
    }

    fn clear(&mut self) {
        let held: usize = self.rows.iter().map(|(_, row)| row.bytes).sum();
        self.rows.clear();
        self.budget.held.fetch_sub(held, Ordering::Relaxed);
    }

    fn remove(&mut self, row: i64) {
        if let Some(gone) = self.rows.pop(&row) {
            self.budget.held.fetch_sub(gone.bytes, Ordering::Relaxed);
        }
    }

    fn put(&mut self, row: i64, found: Arc<DeckRow>) {
        self.remove(row);
        self.budget.held.fetch_add(found.bytes, Ordering::Relaxed);
        self.rows.put(row, found);
        while self.budget.is_over() {
            let Some((_, gone)) = self.rows.pop_lru() else { return };
            self.budget.held.fetch_sub(gone.bytes, Ordering::Relaxed);
        }
    }
}

impl Decks {
    pub fn within(budget: &Arc<DeckBudget>) -> Self {
        let deck = || {
            let rows = LruCache::unbounded();
            let state = DeckState { number: 0, signature: None, rows, budget: Arc::clone(budget) };
            Deck { state: Mutex::new(state) }
        };
        Self { memories: deck(), episodes: deck(), turns: deck() }
    }

    /// Drops everything: what was purged must not outlive it here.
    pub fn clear(&self) {
        for deck in [&self.memories, &self.episodes, &self.turns] {
            deck.state.lock().clear();
        }
    }

    fn of(&self, corpus: Corpus) -> &Deck {
        match corpus {
            Corpus::Memories => &self.memories,
            Corpus::Episodes => &self.episodes,
            Corpus::Turns => &self.turns,
        }
    }

    /// Each of these rows, where there is one. The connection is inside a snapshot. Vectors are of the signature, where one is named.
    pub fn rows(
        &self,
        connection: &Connection,
        corpus: Corpus,
        signature: Option<&str>,
        rows: &[i64],
    ) -> StoreResult<Vec<Option<Arc<DeckRow>>>> {
        let deck = self.of(corpus);
        let head = history::head(connection)?;
        let is_there = deck.catch_up(connection, corpus, signature, head)?;
        let mut found: Vec<Option<Arc<DeckRow>>> = vec![None; rows.len()];
        if is_there {
            let mut state = deck.state.lock();
            if state.is_of(head, signature) {
                for (found, row) in found.iter_mut().zip(rows) {
                    *found = state.rows.get(row).map(Arc::clone);
                }
            }
        }
        let places: Vec<usize> = (0..rows.len()).filter(|place| found[*place].is_none()).collect();
        if places.is_empty() {
            return Ok(found);
        }
        let missing: Vec<i64> = places.iter().map(|place| rows[*place]).collect();
        let read = stored(connection, corpus, signature, &missing)?;
        let mut state = deck.state.lock();
        // What was read is of this moment: a deck that went on meanwhile must not be given something older.
        let keeps = is_there && state.is_of(head, signature);
        for (place, read) in places.into_iter().zip(read) {
            if let Some(read) = read.as_ref().filter(|_| keeps) {
                state.put(rows[place], Arc::clone(read));
            }
            found[place] = read;
        }
        Ok(found)
    }
}

impl Deck {
    /// Brings the deck to this number. False where it is ahead of it: then it is not looked at.
    fn catch_up(
        &self,
        connection: &Connection,
        corpus: Corpus,
        signature: Option<&str>,
        head: u64,
    ) -> StoreResult<bool> {
        let number = {
            let mut state = self.state.lock();
            if state.signature.as_deref() != signature {
                // Without vectors one asks rarely; with them, of another model than before.
                if signature.is_none() {
                    return Ok(false);
                }
                state.clear();
                (state.number, state.signature) = (head, signature.map(str::to_owned));
            }
            state.number
        };
        if number >= head {
            return Ok(number == head);
        }
        let changed = changed_rows(connection, corpus, number, head)?;
        let changed = changed.filter(|changed| changed.len() <= limits::INDEX_CHANGES);
        let beside = match (&changed, corpus) {
            (Some(changed), Corpus::Turns) if !changed.is_empty() => around(connection, changed)?,
            _ => Some(Vec::new()),
        };
        let mut state = self.state.lock();
        if state.number != number {
            return Ok(state.number == head);
        }
        match (changed, beside) {
            (Some(changed), Some(beside)) => changed.iter().chain(&beside).for_each(|row| state.remove(*row)),
            _ => state.clear(),
        }
        state.number = head;
        Ok(true)
    }
}

/// The rows whose neighbours changed with these turns; nothing where one of them is gone, whose neighbours nobody knows.
fn around(connection: &Connection, changed: &[i64]) -> StoreResult<Option<Vec<i64>>> {
    let rows = search::json_list(changed);
    let sql =
        "SELECT count(*) FROM json_each(?1) j WHERE EXISTS (SELECT 1 FROM turn t WHERE t.row = j.value)";
    let there: Vec<i64> = all(connection, sql, params![rows], |row| row.get(0))?;
    if there.first().copied() != Some(changed.len() as i64) {
        return Ok(None);
    }
    let sql = "SELECT DISTINCT n.row FROM json_each(?1) j CROSS JOIN turn t ON t.row = j.value
               CROSS JOIN turn n ON n.session_row = t.session_row AND n.idx BETWEEN t.idx - ?2 AND t.idx + ?2";
    all(connection, sql, params![rows, SCORED_NEIGHBOURS as i64], |row| row.get(0)).map(Some)
}

/// Each of these rows as it stands in the database, where there is one.
pub fn stored(
    connection: &Connection,
    corpus: Corpus,
    signature: Option<&str>,
    rows: &[i64],
) -> StoreResult<Vec<Option<Arc<DeckRow>>>> {
    let documents = search::documents(connection, corpus, rows)?;
    let mut documents: HashMap<i64, IndexedDocument> =
        documents.into_iter().map(|document| (document.row, document)).collect();
    let mut vectors = match signature {
        Some(signature) => vectors_of(connection, corpus, signature, rows)?,
        None => HashMap::new(),
    };
    let (mut turns, mut records) = (HashMap::new(), HashMap::new());
    match corpus {
        Corpus::Turns => turns = turns_of(connection, rows)?,
        Corpus::Memories | Corpus::Episodes => records = records_at(connection, corpus, rows)?,
    }
    let of_row = |&row: &i64| {
        let (document, vector) = (documents.remove(&row), vectors.remove(&row));
        let (turn, record) = (turns.remove(&row), records.remove(&row));
        if turn.is_none() && record.is_none() {
            return None;
        }
        let words = document
            .as_ref()
            .map_or(0, |document| document.terms.len() + document.surface.len() + document.numbers.len() * 8);
        let (record, body) = record.map_or((None, 0), |(record, bytes)| (Some(record), bytes));
        let bytes = ROW_BYTES + words + body + vector.as_ref().map_or(0, |vector| vector.len() * 4);
        let (place, told, around) = turn.map_or((None, true, Vec::new()), |turn| {
            let ReadTurn { place, told, around } = turn;
            (Some(place), told, around)
        });
        let material = Arc::new(RowMaterial { row, document, vector, place, record });
        Some(Arc::new(DeckRow { material, told, around, bytes }))
    };
    Ok(rows.iter().map(of_row).collect())
}

/// The records of these rows, each with the bytes of its body.
pub fn records_at(
    connection: &Connection,
    corpus: Corpus,
    rows: &[i64],
) -> StoreResult<HashMap<i64, (Record, usize)>> {
    let kind = match corpus {
        Corpus::Memories => RecordKind::Memory,
        Corpus::Episodes => RecordKind::Episode,
        Corpus::Turns => return Ok(HashMap::new()),
    };
    let sql = format!(
        "SELECT x.row, x.id, x.body FROM json_each(?1) j CROSS JOIN {} x ON x.row = j.value",
        corpus_table(corpus)
    );
    let found = all(connection, &sql, params![search::json_list(rows)], |row| {
        let body = row.get_ref(2)?.as_str()?;
        let record = match Record::from_body(kind, body) {
            Ok(record) => Ok((record, body.len())),
            Err(error) => Err(unreadable(kind.as_str(), &row.get::<_, String>(1)?, &error)),
        };
        Ok((row.get::<_, i64>(0)?, record))
    })?;
    found.into_iter().map(|(row, record)| Ok((row, record?))).collect()
}

fn vectors_of(
    connection: &Connection,
    corpus: Corpus,
    signature: &str,
    rows: &[i64],
) -> StoreResult<HashMap<i64, Arc<[f32]>>> {
    let sql = format!(
        "SELECT j.value, v.bytes FROM signature s CROSS JOIN json_each(?2) j
         CROSS JOIN {}_vector v ON v.place = j.value * 256 + s.id WHERE s.name = ?1",
        corpus_table(corpus)
    );
    let vector = |row: &Row<'_>| Ok((row.get(0)?, numbers(row.get_ref(1)?.as_blob()?).into()));
    Ok(all(connection, &sql, params![signature, search::json_list(rows)], vector)?.into_iter().collect())
}

/// A turn as it was read.
struct ReadTurn {
    place: TurnPlace,
    told: bool,
    around: Vec<i64>,
}

fn turns_of(connection: &Connection, rows: &[i64]) -> StoreResult<HashMap<i64, ReadTurn>> {
    let rows = search::json_list(rows);
    let sql = "SELECT t.row, n.row FROM json_each(?1) j CROSS JOIN turn t ON t.row = j.value
               CROSS JOIN turn n ON n.session_row = t.session_row AND n.idx BETWEEN t.idx - ?2 AND t.idx + ?2";
    let mut beside: HashMap<i64, Vec<i64>> = HashMap::new();
    for (row, near) in all(connection, sql, params![rows, SCORED_NEIGHBOURS as i64], |row| {
        Ok((row.get::<_, i64>(0)?, row.get(1)?))
    })? {
        beside.entry(row).or_default().push(near);
    }
    let sql = "SELECT t.row, t.id, s.agent, s.user, s.session, t.idx, t.role, t.speaker, t.at,
                      t.said IS NULL OR t.text <> '', t.session_row
               FROM json_each(?1) j CROSS JOIN turn t ON t.row = j.value
               CROSS JOIN session s ON s.row = t.session_row";
    let turns = all(connection, sql, params![rows], |row| {
        let place = TurnPlace {
            id: given(row, 1)?,
            row: row.get(0)?,
            session: session_key(row, 2)?,
            session_row: row.get(10)?,
            index: row.get::<_, i64>(5)? as u64,
            role: row.get::<_, String>(6)?.parse().unwrap_or(Role::User),
            speaker: row.get(7)?,
            at: given(row, 8)?,
        };
        Ok((place, row.get::<_, bool>(9)?))
    })?;
    let turn = |(place, told): (TurnPlace, bool)| {
        let around = beside.remove(&place.row).unwrap_or_default();
        (place.row, ReadTurn { place, told, around })
    };
    Ok(turns.into_iter().map(turn).collect())
}

/// The rows of these turns and of those around them, in order.
pub fn neighbourhood(rows: &[Option<Arc<DeckRow>>]) -> Vec<i64> {
    let mut around: Vec<i64> = rows.iter().flatten().flat_map(|row| row.around.iter().copied()).collect();
    around.sort_unstable();
    around.dedup();
    around
}
