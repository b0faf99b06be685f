//! Nominating by plain words from memory: the words of a corpus follow the change log, as the vectors do.
//!
//! A store that is asked once, by a command, is answered by FTS5; one that is asked again has its words loaded behind its
//! back, and is answered from there from then on. What operators select is always FTS5's to find.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use memory::error::StoreResult;
use memory::follower::Follower;
use memory::ports::Nominee;
use memory::text::Query;
use memory::text::query::Expression;
use memory::types::{Corpus, Filter, Validity};
use rusqlite::{Connection, params};

use super::connection::snapshot;
use super::{TenantInner, corpus_table, failed, history, search, vector_search};
use crate::limits;
use crate::postings::WordIndex;

/// The words of each corpus.
#[derive(Default)]
pub struct WordIndexes {
    memories: WordSlot,
    episodes: WordSlot,
    turns: WordSlot,
}

#[derive(Default)]
struct WordSlot {
    loaded: Follower<WordIndex>,
    /// Questions asked before it was loaded; [`LOADING`] while somebody loads it.
    asked: AtomicU32,
}

/// Questions that FTS5 answers before the words are loaded: a command asks one or two and ends.
const ASKED_BEFORE: u32 = 4;

const LOADING: u32 = u32::MAX;

/// How many more are taken than are asked for, because the database may refuse some.
const SPARE: usize = 24;

impl WordIndexes {
    fn slot(&self, corpus: Corpus) -> &WordSlot {
        match corpus {
            Corpus::Memories => &self.memories,
            Corpus::Episodes => &self.episodes,
            Corpus::Turns => &self.turns,
        }
    }
}

/// Nothing where this question, or this store, is not answered from memory.
pub fn nominate(
    connection: &Connection,
    inner: &Arc<TenantInner>,
    corpus: Corpus,
    query: &Query,
    filter: &Filter,
    limit: usize,
) -> StoreResult<Option<Vec<Nominee>>> {
    let Some(terms) = plain_terms(query) else { return Ok(None) };
    if matches!(filter.validity, Validity::KnownAt { .. }) && corpus == Corpus::Memories {
        return Ok(None);
    }
    // One moment for the log's head, the changes and the rows.
    let _moment = snapshot(connection)?;
    let slot = inner.words.slot(corpus);
    if !catch_up(connection, slot, corpus)? {
        load_if_asked_again(connection, inner, corpus)?;
        return Ok(None);
    }
    let (mut wanted, mut looked_at) = (limit + limit / 4 + SPARE, 0);
    let mut found = Vec::new();
    loop {
        let Some(best) = slot.loaded.look(|index| index.best(&terms, wanted)) else { return Ok(None) };
        let new = &best[looked_at.min(best.len())..];
        let known = inner.decks.rows(connection, corpus, inner.signature(), new)?;
        found.extend(known.iter().flatten().filter(|row| row.is_admitted(filter)).map(|row| row.nominee()));
        if found.len() >= limit || best.len() < wanted {
            found.truncate(limit);
            return Ok(Some(found));
        }
        (looked_at, wanted) = (best.len(), wanted * 4);
    }
}

/// How many documents rank by each of these terms, where the words of the corpus are there; nothing for a term that none ranks by.
pub fn documents_with(
    connection: &Connection,
    inner: &TenantInner,
    corpus: Corpus,
    terms: &[&str],
) -> StoreResult<Vec<Option<u64>>> {
    let slot = inner.words.slot(corpus);
    if terms.is_empty() || !catch_up(connection, slot, corpus)? {
        return Ok(vec![None; terms.len()]);
    }
    let count = |index: &WordIndex| {
        let counts = terms.iter().map(|term| index.documents_with(term));
        counts.map(|count| (count > 0).then_some(count)).collect()
    };
    Ok(slot.loaded.look(count).unwrap_or_else(|| vec![None; terms.len()]))
}

/// The terms of a question that plain words make; a stop word is looked for as it stands, which only FTS5 can.
fn plain_terms(query: &Query) -> Option<Vec<&str>> {
    let Expression::Any(words) = &query.expression else { return None };
    let terms: Option<Vec<&str>> = words.iter().map(|word| word.stem.as_deref()).collect();
    terms.filter(|terms| !terms.is_empty())
}

/// Brings the index up to the log's head. False when there is none, or it fell too far behind: a bulk import by somebody else,
/// or too much by now. FTS5 answers until it is loaded anew, if it is.
fn catch_up(connection: &Connection, slot: &WordSlot, corpus: Corpus) -> StoreResult<bool> {
    if slot.loaded.look(|_| ()).is_none() {
        return Ok(false);
    }
    let head = history::head(connection)?;
    let news = |after| {
        let changed = vector_search::changed_rows(connection, corpus, after, head)?;
        match changed.filter(|changed| changed.len() <= limits::INDEX_CHANGES) {
            Some(changed) if fits(connection, corpus)? => words_of(connection, corpus, &changed).map(Some),
            _ => {
                slot.asked.store(0, Ordering::Release);
                Ok(None)
            }
        }
    };
    slot.loaded.catch_up(head, news, |index, words| {
        for (row, words) in words {
            match words {
                Some((surface, stems)) => index.put(row, &surface, &stems),
                None => index.remove(row),
            }
        }
    })
}

type WordPair = Option<(String, String)>;

/// The words of each of these rows; nothing for one that is not to be found.
fn words_of(connection: &Connection, corpus: Corpus, rows: &[i64]) -> StoreResult<Vec<(i64, WordPair)>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT j.value, d.surface, d.stems FROM json_each(?1) j LEFT JOIN {}_doc d ON d.row = j.value",
        corpus_table(corpus)
    );
    super::read::all(connection, &sql, params![search::json_list(rows)], |row| {
        let (surface, stems): (Option<String>, Option<String>) = (row.get(1)?, row.get(2)?);
        Ok((row.get(0)?, surface.zip(stems)))
    })
}

/// Loads the words behind the back of whoever asks, where they are few enough and it was asked before.
fn load_if_asked_again(connection: &Connection, inner: &Arc<TenantInner>, corpus: Corpus) -> StoreResult<()> {
    let asked = &inner.words.slot(corpus).asked;
    let is_due =
        |count: u32| (count != LOADING).then(|| if count >= ASKED_BEFORE { LOADING } else { count + 1 });
    let before = asked.fetch_update(Ordering::AcqRel, Ordering::Acquire, is_due);
    if before != Ok(ASKED_BEFORE) {
        return Ok(());
    }
    if !fits(connection, corpus)? {
        // Asked again after as many questions: it may have shrunk.
        asked.store(0, Ordering::Release);
        return Ok(());
    }
    let inner = Arc::clone(inner);
    tokio::task::spawn_blocking(move || {
        if let Err(error) = inner.with_reader(|connection| load(connection, &inner, corpus)) {
            tracing::warn!(%error, %corpus, "the words could not be loaded; FTS5 goes on answering");
        }
        inner.words.slot(corpus).asked.store(0, Ordering::Release);
    });
    Ok(())
}

/// Whether the words of the corpus are few enough to be held.
fn fits(connection: &Connection, corpus: Corpus) -> StoreResult<bool> {
    let sql = "SELECT total_length FROM corpus WHERE name = ?1";
    let words: i64 = connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.query_row([corpus_table(corpus)], |row| row.get(0)))
        .map_err(failed)?;
    Ok(words <= limits::INDEX_WORDS)
}

fn load(connection: &Connection, inner: &TenantInner, corpus: Corpus) -> StoreResult<()> {
    let _moment = snapshot(connection)?;
    let number = history::head(connection)?;
    let mut index = WordIndex::default();
    {
        let sql = format!("SELECT row, surface, stems FROM {}_doc ORDER BY row", corpus_table(corpus));
        let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let text = |column| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
            let (surface, stems) = (text(1).map_err(failed)?, text(2).map_err(failed)?);
            index.put(row.get(0).map_err(failed)?, surface, stems);
        }
    }
    tracing::debug!(documents = index.len(), %corpus, "words loaded");
    inner.words.slot(corpus).loaded.begin(number, index);
    Ok(())
}

#[cfg(test)]
mod tests {
    use memory::ports::{Clock, ReadStore, WriteStore};
    use memory::text::query;
    use memory::types::{Actor, Batch, Change, Expect, Kind, Memory, MemoryId, Owner, RecordRef, Time};

    use super::*;
    use crate::{Credential, SystemClock, Tenant, Tenants, TenantsOptions};

    const WORDS: [&str; 12] = [
        "kettle", "garden", "violin", "harbour", "winter", "lantern", "copper", "meadow", "ticket", "saddle",
        "orchard", "pepper",
    ];

    /// Sentences of two to nine words, some of them in many and some in few.
    fn sentence(number: usize) -> String {
        let count = 2 + number % 8;
        let word = |place: usize| WORDS[(number * (place + 3) + place * place) % (1 + (number + place) % 12)];
        (0..count).map(word).collect::<Vec<_>>().join(" ")
    }

    fn memory(tenant: &Tenant, content: String) -> Memory {
        let id = MemoryId::from_uuid(SystemClock.uuid());
        Memory::new(id, tenant.id().clone(), &Owner::unnamed(), Kind::Fact, content, Time::MIN)
    }

    async fn tenant(tenants: &Tenants) -> Tenant {
        let credential = Credential::Operator { tenant: memory::types::TenantId::local() };
        let pass = tenants.authenticate_at(credential, SystemClock.now()).await.expect("let in");
        tenants.open(&pass).await.expect("it opens")
    }

    fn is_loaded(tenant: &Tenant) -> bool {
        tenant.inner.words.slot(Corpus::Memories).loaded.look(|_| ()).is_some()
    }

    /// The order of plain words, which memory answers, beside the same with operators, which FTS5 does.
    async fn check(tenant: &Tenant, filter: &Filter) {
        for number in 0..40 {
            let words: Vec<&str> =
                (0..1 + number % 4).map(|place| WORDS[(number + place * 5) % 12]).collect();
            let limit = [3, 17, 500][number % 3];
            let plain = query::plain(&words.join(" "), tenant.analyser());
            let asked = words.join(" OR ");
            let selecting = query::parse(&asked, tenant.analyser());
            let ours = tenant.nominate(Corpus::Memories, &plain, filter, limit).await.expect("readable");
            let theirs =
                tenant.nominate(Corpus::Memories, &selecting, filter, limit).await.expect("readable");
            let rows = |found: &[Nominee]| found.iter().map(|nominee| nominee.row).collect::<Vec<_>>();
            assert_eq!(rows(&ours), rows(&theirs), "{asked}, {limit}");
            assert!(!ours.is_empty(), "{asked}");
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn memory_nominates_what_fts5_does_and_follows_every_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let tenants = Tenants::open_folder(folder.path(), TenantsOptions::default()).expect("it opens");
        let others = Tenants::open_folder(folder.path(), TenantsOptions::default()).expect("it opens twice");
        let (tenant, other) = (tenant(&tenants).await, tenant(&others).await);
        let made: Vec<Memory> = (0..300).map(|number| memory(&tenant, sentence(number))).collect();
        let batch = |memories: &[Memory]| {
            memories.iter().cloned().fold(Batch::new(Actor::Person, Time::MIN), Batch::insert)
        };
        tenant.apply(batch(&made)).await.expect("stored");
        let everything = Filter::ever();
        for _ in 0..2_000 {
            check_one(&tenant, &everything).await;
            if is_loaded(&tenant) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        assert!(is_loaded(&tenant), "it was asked often enough");
        check(&tenant, &everything).await;
        // Another process adds, changes and removes.
        let later: Vec<Memory> = (300..340).map(|number| memory(&other, sentence(number))).collect();
        other.apply(batch(&later)).await.expect("stored");
        let mut changes = Batch::new(Actor::Person, Time::MIN);
        for (place, known) in made.iter().enumerate().take(60) {
            let of = RecordRef::memory(&known.id);
            changes = match place % 3 {
                0 => changes.with(Change::Remove { of, expect: Expect::Version(1) }),
                1 => changes.replace(Memory { content: sentence(place + 77), version: 1, ..known.clone() }),
                _ => changes,
            };
        }
        other.apply(changes).await.expect("stored");
        check(&tenant, &everything).await;
        check(&tenant, &Filter { kinds: vec![Kind::Fact], ..Filter::current(SystemClock.now()) }).await;
    }

    async fn check_one(tenant: &Tenant, filter: &Filter) {
        let plain = query::plain("kettle", tenant.analyser());
        tenant.nominate(Corpus::Memories, &plain, filter, 5).await.expect("readable");
    }
}
