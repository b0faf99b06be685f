//! Search: who matches, how often words occur, and the words of the matches. Scoring is the core's.

use std::collections::HashMap;

use memory::error::StoreResult;
use memory::ports::{IndexedDocument, Nominee, Statistics};
use memory::text::query::QUERY_TERMS_MAXIMUM;
use memory::text::{Analyser, Query};
use memory::types::{Corpus, Filter, Memory, Order, Page, PageRequest, Time, Validity};
use memory::write::searchable;
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::connection::snapshot;
use super::filter::{Condition, admits, alias, condition, source};
use super::{TenantInner, corpus_table, failed, keyword_cache, unreadable};
use crate::limits;

/// Document frequencies as they were counted, by corpus. Counting a word walks all its documents, and questions repeat words.
/// Every process's changes are counted in the database beside the documents, so a count is used for as long as what
/// changed since can have moved it by no more than [`DRIFT`]: a rare word is counted again at the next change, which is quick,
/// and one that is in every tenth document of a large store after hundreds of them.
#[derive(Default)]
pub struct Frequencies {
    memories: HashMap<String, DocumentCount>,
    episodes: HashMap<String, DocumentCount>,
    turns: HashMap<String, DocumentCount>,
}

#[derive(Clone, Copy)]
struct DocumentCount {
    documents: u64,
    /// The number of changes to the corpus until then.
    at: u64,
}

/// The share by which a count may be off: a weight in the third decimal place.
const DRIFT: u64 = 256;

/// Words whose counts are kept for each corpus; more than a session's questions use.
const FREQUENCIES_KEPT: usize = 10_000;

impl Frequencies {
    fn of(&mut self, corpus: Corpus) -> &mut HashMap<String, DocumentCount> {
        match corpus {
            Corpus::Memories => &mut self.memories,
            Corpus::Episodes => &mut self.episodes,
            Corpus::Turns => &mut self.turns,
        }
    }

    fn known(&mut self, corpus: Corpus, term: &str, changes: u64) -> Option<u64> {
        let counted = self.of(corpus).get(term)?;
        let since = changes.checked_sub(counted.at)?;
        (since <= counted.documents / DRIFT).then_some(counted.documents)
    }

    fn keep(&mut self, corpus: Corpus, term: &str, counted: DocumentCount) {
        let kept = self.of(corpus);
        if kept.len() >= FREQUENCIES_KEPT {
            kept.clear();
        }
        kept.insert(term.to_owned(), counted);
    }
}

pub fn nominate(
    connection: &Connection,
    analyser: &Analyser,
    corpus: Corpus,
    query: &Query,
    filter: &Filter,
    limit: usize,
) -> StoreResult<Vec<Nominee>> {
    if let (Corpus::Memories, Validity::KnownAt { then }) = (corpus, filter.validity) {
        let words = |memory: &Memory| query.matches(&analyser.analyse(&searchable::memory(memory)));
        return known_at(connection, then, filter, limit, words).map(nominees);
    }
    let Some(expression) = query.to_fts5() else { return Ok(Vec::new()) };
    let (table, alias) = (corpus_table(corpus), alias(corpus));
    let Condition { sql, parameters } = condition(corpus, filter);
    let from = source(corpus);
    // The index proposes rows in its order, and each is checked against the filter before it counts towards the limit. The
    // inner LIMIT keeps the two apart: joined directly, every match would be looked up before the first is sorted.
    let sql = format!(
        "SELECT {alias}.id, {alias}.row
         FROM (SELECT rowid FROM {table}_fts WHERE {table}_fts MATCH ? ORDER BY rank LIMIT -1) f CROSS JOIN {from}
         WHERE {alias}.row = f.rowid AND {sql} LIMIT ?"
    );
    let mut all = vec![Value::Text(expression)];
    all.extend(parameters);
    all.push(Value::Integer(limit as i64));
    rows(connection, &sql, all)
}

/// Longer words are not looked for: SQLite refuses patterns of over 50,000 bytes, and no word is that long.
const LIKE_WORD_BYTES: usize = 1_024;

pub fn nominate_like(
    connection: &Connection,
    corpus: Corpus,
    words: &[String],
    filter: &Filter,
    limit: usize,
) -> StoreResult<Vec<Nominee>> {
    if let (Corpus::Memories, Validity::KnownAt { then }) = (corpus, filter.validity) {
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let contains = |memory: &Memory| {
            let content = memory.content.to_lowercase();
            lower.iter().any(|word| content.contains(word))
        };
        return known_at(connection, then, filter, limit, contains).map(nominees);
    }
    let text = match corpus {
        Corpus::Memories => "x.body ->> '$.content'",
        Corpus::Episodes => "x.body ->> '$.summary'",
        Corpus::Turns => "t.text",
    };
    let mut condition = condition(corpus, filter);
    let words = words.iter().filter(|word| word.len() <= LIKE_WORD_BYTES).take(QUERY_TERMS_MAXIMUM);
    let patterns: Vec<Value> = words.map(|word| Value::Text(pattern(word))).collect();
    if patterns.is_empty() {
        return Ok(Vec::new());
    }
    let any = vec![format!("{text} LIKE ? ESCAPE '\\'"); patterns.len()].join(" OR ");
    condition.and(&format!("({any})"), patterns);
    newest(connection, corpus, condition, limit)
}

/// The word anywhere in the text, its own wildcards taken literally.
fn pattern(word: &str) -> String {
    let escaped = word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

pub fn nominate_recent(
    connection: &Connection,
    corpus: Corpus,
    filter: &Filter,
    limit: usize,
) -> StoreResult<Vec<Nominee>> {
    if let (Corpus::Memories, Validity::KnownAt { then }) = (corpus, filter.validity) {
        return known_at(connection, then, filter, limit, |_| true).map(nominees);
    }
    newest(connection, corpus, condition(corpus, filter), limit)
}

fn newest(
    connection: &Connection,
    corpus: Corpus,
    condition: Condition,
    limit: usize,
) -> StoreResult<Vec<Nominee>> {
    let (alias, from) = (alias(corpus), source(corpus));
    let Condition { sql, mut parameters } = condition;
    let time = match corpus {
        Corpus::Memories => "x.created_at",
        Corpus::Episodes => "x.ended_at",
        Corpus::Turns => "t.at",
    };
    let sql = format!(
        "SELECT {alias}.id, {alias}.row FROM {from} WHERE {sql} ORDER BY {time} DESC, {alias}.row DESC LIMIT ?"
    );
    parameters.push(Value::Integer(limit.min(limits::LIKE_ROWS) as i64));
    rows(connection, &sql, parameters)
}

pub fn admit(
    connection: &Connection,
    corpus: Corpus,
    of: &[i64],
    filter: &Filter,
) -> StoreResult<Vec<Nominee>> {
    let (alias, from) = (alias(corpus), source(corpus));
    let Condition { sql, parameters } = condition(corpus, filter);
    let sql = format!(
        "SELECT {alias}.id, {alias}.row FROM json_each(?) j CROSS JOIN {from}
         WHERE {alias}.row = j.value AND {sql} ORDER BY j.key"
    );
    let mut all = vec![Value::Text(json_list(of))];
    all.extend(parameters);
    rows(connection, &sql, all)
}

fn rows(connection: &Connection, sql: &str, parameters: Vec<Value>) -> StoreResult<Vec<Nominee>> {
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let nominee = |row: &rusqlite::Row<'_>| Ok(Nominee { id: row.get(0)?, row: row.get(1)? });
    let found = statement.query_map(params_from_iter(parameters), nominee).map_err(failed)?;
    found.collect::<rusqlite::Result<_>>().map_err(failed)
}

/// A list of row numbers as one parameter.
pub fn json_list(rows: &[i64]) -> String {
    let items: Vec<String> = rows.iter().map(i64::to_string).collect();
    format!("[{}]", items.join(","))
}

pub fn statistics(
    connection: &Connection,
    inner: &TenantInner,
    corpus: Corpus,
    terms: &[String],
) -> StoreResult<Statistics> {
    // One snapshot for totals, counts and the changes they were counted at.
    let _moment = snapshot(connection)?;
    let table = corpus_table(corpus);
    let (documents, total, changes): (i64, i64, i64) = connection
        .prepare_cached("SELECT documents, total_length, changes FROM corpus WHERE name = ?1")
        .and_then(|mut statement| {
            statement.query_row([table], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        })
        .map_err(failed)?;
    let at = changes.max(0) as u64;
    let mut frequencies = HashMap::with_capacity(terms.len());
    let mut unknown = Vec::new();
    for term in terms {
        match inner.frequencies.lock().known(corpus, term, at) {
            Some(count) => drop(frequencies.insert(term.clone(), count)),
            None => unknown.push(term.as_str()),
        }
    }
    let held = keyword_cache::documents_with(connection, inner, corpus, &unknown)?;
    for (term, held) in unknown.into_iter().zip(held) {
        let documents = match held {
            Some(documents) => documents,
            None => count_documents(connection, table, term)?,
        };
        inner.frequencies.lock().keep(corpus, term, DocumentCount { documents, at });
        frequencies.insert(term.to_owned(), documents);
    }
    let mean_length = if documents > 0 { total as f64 / documents as f64 } else { 0.0 };
    Ok(Statistics { documents: documents.max(0) as u64, mean_length, frequencies })
}

/// How many documents rank by the term; for a word that no document ranks by (a stop word), how many contain it.
fn count_documents(connection: &Connection, table: &str, term: &str) -> StoreResult<u64> {
    let sql = format!("SELECT doc FROM {table}_vocab WHERE term = ?1 AND col = ?2");
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    for column in ["stems", "surface"] {
        let mut rows = statement.query([term, column]).map_err(failed)?;
        if let Some(row) = rows.next().map_err(failed)? {
            return Ok(row.get::<_, i64>(0).map_err(failed)?.max(0) as u64);
        }
    }
    Ok(0)
}

pub fn documents(connection: &Connection, corpus: Corpus, of: &[i64]) -> StoreResult<Vec<IndexedDocument>> {
    let table = corpus_table(corpus);
    let sql = format!(
        "SELECT r.id, d.row, d.stems, d.length, d.surface FROM json_each(?1) j
         CROSS JOIN {table}_doc d ON d.row = j.value CROSS JOIN {table} r ON r.row = d.row ORDER BY j.key"
    );
    let mut statement = connection.prepare_cached(&sql).map_err(failed)?;
    let document = |row: &rusqlite::Row<'_>| {
        Ok(IndexedDocument::new(row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
    };
    let found = statement.query_map(params![json_list(of)], document).map_err(failed)?;
    found.collect::<rusqlite::Result<_>>().map_err(failed)
}

/// What was known then: each memory as its history says it stood, newest first.
pub fn known_at(
    connection: &Connection,
    then: Time,
    filter: &Filter,
    limit: usize,
    wanted: impl Fn(&Memory) -> bool,
) -> StoreResult<Vec<(i64, Memory)>> {
    // The record's body then: what the first change after that moment replaced, or what stands now. A record that was
    // first written after that moment has no `before`. Purged ones were made to be unknowable.
    let sql = "WITH known (row, id, body) AS (
                   SELECT m.row, m.id, CASE WHEN later.id IS NULL THEN m.body ELSE later.before END
                   FROM memory m LEFT JOIN (
                       SELECT h.id, h.before, min(h.number * 1000000 + h.ordinal) FROM history h
                       WHERE h.kind = 'memory' AND h.at > ?1 GROUP BY h.id) later ON later.id = m.id
                   UNION ALL
                   SELECT 0, gone.id, gone.before FROM (
                       SELECT h.id, h.before, min(h.number * 1000000 + h.ordinal) FROM history h
                       WHERE h.kind = 'memory' AND h.at > ?1 AND h.id NOT IN (SELECT id FROM memory)
                       GROUP BY h.id) gone)
               SELECT row, id, body FROM known WHERE body IS NOT NULL
               ORDER BY body ->> '$.created_at' DESC, row DESC LIMIT ?2";
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let mut rows =
        statement.query(params![then.to_string(), memory::limits::KNOWN_AT_ROWS as i64]).map_err(failed)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let (number, id): (i64, String) = (row.get(0).map_err(failed)?, row.get(1).map_err(failed)?);
        let body: String = row.get(2).map_err(failed)?;
        let memory: Memory =
            serde_json::from_str(&body).map_err(|error| unreadable("memory", &id, &error))?;
        let alive = memory.expires_at.is_none_or(|expires| expires > then);
        if alive && admits(filter, &memory) && wanted(&memory) {
            found.push((number, memory));
            if found.len() >= limit {
                break;
            }
        }
    }
    Ok(found)
}

fn nominees(known: Vec<(i64, Memory)>) -> Vec<Nominee> {
    known.into_iter().map(|(row, memory)| Nominee { id: memory.id.into(), row }).collect()
}

/// A page of what was known then.
pub fn page_known_at(
    connection: &Connection,
    then: Time,
    filter: &Filter,
    page: PageRequest,
) -> StoreResult<Page<Memory>> {
    let mut known = known_at(connection, then, filter, memory::limits::KNOWN_AT_ROWS, |_| true)?;
    if page.order == Order::Oldest {
        known.reverse();
    }
    let total = known.len() as u64;
    let items = known.into_iter().skip(page.offset).take(page.limit).map(|(_, memory)| memory).collect();
    Ok(Page { items, total })
}
