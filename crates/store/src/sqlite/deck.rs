//! What scoring needs of the rows that were asked for lately: their words, their vectors, and where turns stand.
//!
//! A search looks at a thousand rows to choose ten, and most of them were looked at before. They are kept in memory, follow the
//! change log, and are bounded by bytes over all tenants of the process; what is not kept is read and put there. SQL says the same, and is what
//! the tests hold this against.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lru::LruCache;
use memory::error::StoreResult;
use memory::limits::SCORED_NEIGHBOURS;
use memory::ports::{IndexedDocument, TurnPlace};
use memory::types::{Corpus, Filter, Role, Validity};
use parking_lot::Mutex;
use rusqlite::{Connection, Row, params};

use super::read::{all, given, session_key};
use super::vector_search::{changed_rows, numbers};
use super::{corpus_table, history, search};
use crate::limits;

/// A row as scoring needs it.
pub struct DeckRow {
    /// Nothing of a row without words.
    pub document: Option<Arc<IndexedDocument>>,
    /// Nothing of a row without a vector of the deck's signature.
    pub vector: Option<Arc<[f32]>>,
    /// Of turns alone.
    pub turn: Option<DeckTurn>,
    bytes: usize,
}

/// Where a turn stands.
pub struct DeckTurn {
    pub place: Arc<TurnPlace>,
    /// Something of it is left to be told.
    told: bool,
    /// Rows of its session that are no further away than [`SCORED_NEIGHBOURS`], its own among them.
    around: Vec<i64>,
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

    /// These rows, as far as there are any. The connection is inside a snapshot. Vectors are of the signature, where one is named.
    pub fn rows(
        &self,
        connection: &Connection,
        corpus: Corpus,
        signature: Option<&str>,
        rows: &[i64],
    ) -> StoreResult<HashMap<i64, Arc<DeckRow>>> {
        let deck = self.of(corpus);
        let head = history::head(connection)?;
        let is_there = deck.catch_up(connection, corpus, signature, head)?;
        let mut found = HashMap::with_capacity(rows.len());
        if is_there {
            let mut state = deck.state.lock();
            let same = state.number == head && state.signature.as_deref() == signature;
            for row in rows.iter().filter(|_| same) {
                if let Some(known) = state.rows.get(row) {
                    found.insert(*row, Arc::clone(known));
                }
            }
        }
        let missing: Vec<i64> = rows.iter().copied().filter(|row| !found.contains_key(row)).collect();
        if missing.is_empty() {
            return Ok(found);
        }
        let read = read(connection, corpus, signature, &missing)?;
        let mut state = deck.state.lock();
        // What was read is of this moment: a deck that went on meanwhile must not be given something older.
        let keeps = is_there && state.number == head && state.signature.as_deref() == signature;
        for (row, read) in read {
            if keeps {
                state.put(row, Arc::clone(&read));
            }
            found.insert(row, read);
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

fn read(
    connection: &Connection,
    corpus: Corpus,
    signature: Option<&str>,
    rows: &[i64],
) -> StoreResult<Vec<(i64, Arc<DeckRow>)>> {
    let documents = search::documents(connection, corpus, rows)?;
    let mut documents: HashMap<i64, IndexedDocument> =
        documents.into_iter().map(|document| (document.row, document)).collect();
    let mut vectors = match signature {
        Some(signature) => vectors_of(connection, corpus, signature, rows)?,
        None => HashMap::new(),
    };
    let mut turns = if corpus == Corpus::Turns { turns_of(connection, rows)? } else { HashMap::new() };
    let of_row = |&row: &i64| {
        let (document, vector) = (documents.remove(&row), vectors.remove(&row));
        let turn = turns.remove(&row);
        if document.is_none() && vector.is_none() && turn.is_none() {
            return None;
        }
        let words = document.as_ref().map_or(0, |document| document.terms.len() + document.surface.len());
        let bytes = ROW_BYTES + words + vector.as_ref().map_or(0, |vector| vector.len() * 4);
        Some((row, Arc::new(DeckRow { document: document.map(Arc::new), vector, turn, bytes })))
    };
    Ok(rows.iter().filter_map(of_row).collect())
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

fn turns_of(connection: &Connection, rows: &[i64]) -> StoreResult<HashMap<i64, DeckTurn>> {
    let rows = search::json_list(rows);
    let sql = "SELECT t.row, n.row FROM json_each(?1) j CROSS JOIN turn t ON t.row = j.value
               CROSS JOIN turn n ON n.session_row = t.session_row AND n.idx BETWEEN t.idx - ?2 AND t.idx + ?2";
    let mut beside: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (row, near) in all(connection, sql, params![rows, SCORED_NEIGHBOURS as i64], |row| {
        Ok((row.get::<_, i64>(0)?, row.get(1)?))
    })? {
        beside.entry(row).or_default().push(near);
    }
    let sql = "SELECT t.row, t.id, s.agent, s.user, s.session, t.idx, t.role, t.speaker, t.at,
                      t.said IS NULL OR t.text <> ''
               FROM json_each(?1) j CROSS JOIN turn t ON t.row = j.value
               CROSS JOIN session s ON s.row = t.session_row";
    let turns = all(connection, sql, params![rows], |row| {
        let place = TurnPlace {
            id: given(row, 1)?,
            row: row.get(0)?,
            session: session_key(row, 2)?,
            index: row.get::<_, i64>(5)? as u64,
            role: row.get::<_, String>(6)?.parse().unwrap_or(Role::User),
            speaker: row.get(7)?,
            at: given(row, 8)?,
        };
        Ok((place, row.get::<_, bool>(9)?))
    })?;
    let turn = |(place, told): (TurnPlace, bool)| {
        let around = beside.remove(&place.row).unwrap_or_default();
        (place.row, DeckTurn { place: Arc::new(place), told, around })
    };
    Ok(turns.into_iter().map(turn).collect())
}

/// The rows of these turns and of those around them, in order.
pub fn neighbourhood(rows: &HashMap<i64, Arc<DeckRow>>) -> Vec<i64> {
    let turns = rows.values().filter_map(|row| row.turn.as_ref());
    turns.flat_map(|turn| turn.around.iter().copied()).collect::<BTreeSet<i64>>().into_iter().collect()
}

impl DeckTurn {
    /// Whether a filter lets the turn through: the same rules as the SQL of `filter.rs`.
    pub fn is_admitted(&self, filter: &Filter) -> bool {
        let place = &self.place;
        let (agent, user) = (&place.session.agent, &place.session.user);
        let owned = |of: Option<&memory::types::Owner>| {
            of.is_none_or(|owner| owner.agent == *agent && owner.user == *user)
        };
        let narrowed = !(filter.scopes.is_empty()
            && filter.layers.is_empty()
            && filter.kinds.is_empty()
            && filter.categories.is_empty()
            && filter.project.is_none()
            && filter.tags.is_empty());
        let in_time = match filter.validity {
            Validity::AsOf { then } | Validity::KnownAt { then } => place.at <= then,
            Validity::Current { .. } | Validity::Ever => true,
        };
        self.told
            && !narrowed
            && filter.agent.as_ref().is_none_or(|of| of == agent)
            && filter.user.as_ref().is_none_or(|of| of == user)
            && filter.session.as_ref().is_none_or(|of| *of == place.session.session)
            && filter.bounds.user.as_ref().is_none_or(|of| of == user)
            && (filter.bounds.agents.is_empty() || filter.bounds.agents.contains(agent))
            && owned(filter.viewer.as_ref().map(|viewer| &viewer.owner))
            && owned(filter.in_reach_of.as_ref())
            && filter.since.is_none_or(|since| place.at >= since)
            && filter.until.is_none_or(|until| place.at < until)
            && in_time
    }
}
