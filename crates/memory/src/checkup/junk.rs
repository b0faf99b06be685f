//! What is remembered and should not be: said twice, learned back from what was recalled, contradicted, or said by nobody.
//!
//! Each is judged by the code that keeps it out on the way in: merging decides what says the same, verification what contradicts, and
//! evidence is a user's turn. So a store that only learned and tended has none. A memory is junk for one reason at a time, the first of
//! these that holds. What a person wrote, pinned or changed is named and never changed.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::slots::Statement;
use super::{CheckSelection, Finding};
use crate::error::StoreResult;
use crate::learn::decide::{contains_words, plain};
use crate::learn::observe::is_note;
use crate::learn::verify::{ComparedMemory, Relationship, compare};
use crate::limits;
use crate::ports::Store;
use crate::tend::ownership::is_unclaimed;
use crate::tend::{TendContext, Tender, merge};
use crate::types::{
    Belonging, Change, Expect, Memory, MemoryId, Node, Origin, RecordKind, Role, SessionKey, Status, Time,
    Turn, TurnId,
};

/// One piece of junk, and what would be done about it.
#[derive(Debug, Clone)]
pub struct Judged {
    pub code: &'static str,
    /// First what goes.
    pub ids: Vec<MemoryId>,
    /// A person's: nothing is done.
    pub left_to_people: bool,
    pub changes: Vec<Change>,
}

/// All junk of a store.
#[derive(Debug, Default)]
pub struct Junk {
    pub judged: Vec<Judged>,
    /// Active memories that were looked at.
    pub memories: u64,
}

impl Junk {
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for judged in &self.judged {
            let place = findings.iter().position(|finding| finding.code == judged.code);
            let place = place.unwrap_or_else(|| {
                findings.push(Finding::new(judged.code, self.memories));
                findings.len() - 1
            });
            let ids: Vec<&str> = judged.ids.iter().map(MemoryId::as_str).collect();
            findings[place].add(ids.join(" "));
            findings[place].left_to_people += u64::from(judged.left_to_people);
        }
        findings
    }
}

const LEARNED_BACK: &str = "junk.learned-back";
const NO_EVIDENCE: &str = "junk.no-evidence";
const DUPLICATES: &str = "junk.duplicates";
const CONTRADICTIONS: &str = "junk.contradictions";

/// Looks through everything that counts today.
pub async fn judge(tender: &Tender, choice: &CheckSelection) -> StoreResult<Junk> {
    let mut judging = Judging {
        tender,
        now: tender.tools.clock.now(),
        junk: Junk::default(),
        taken: HashSet::new(),
        statements: HashMap::new(),
        alike: HashMap::new(),
        recalled: None,
    };
    judging.walk(choice).await?;
    if choice.has(DUPLICATES) {
        judging.duplicates().await?;
    }
    if choice.has(CONTRADICTIONS) {
        judging.contradictions();
    }
    Ok(judging.junk)
}

struct Judging<'a> {
    tender: &'a Tender,
    now: Time,
    junk: Junk,
    /// What is judged already: nothing is changed twice.
    taken: HashSet<MemoryId>,
    /// Memories by what they speak of.
    statements: HashMap<(Belonging, String), Vec<Spoken>>,
    /// Memories by place and content, and whether each has a key.
    alike: HashMap<u64, Vec<(MemoryId, bool)>>,
    /// What prompts held, read where a memory is suspected.
    recalled: Option<Vec<String>>,
}

/// A memory that says something of something.
#[derive(Clone)]
struct Spoken {
    memory: Memory,
    statement: Statement,
    theirs: bool,
}

impl Judging<'_> {
    fn store(&self) -> &dyn Store {
        &*self.tender.tools.store
    }

    fn judge(&mut self, code: &'static str, ids: Vec<MemoryId>, left_to_people: bool, changes: Vec<Change>) {
        self.taken.extend(ids.iter().cloned());
        let changes = if left_to_people { Vec::new() } else { changes };
        self.junk.judged.push(Judged { code, ids, left_to_people, changes });
    }

    /// Once through everything: evidence is judged, and what the other questions need is gathered.
    async fn walk(&mut self, choice: &CheckSelection) -> StoreResult<()> {
        let mut after = 0;
        loop {
            let rows = self.store().memories_after(after, limits::TEND_ROWS).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = *last;
            self.junk.memories += rows.len() as u64;
            let ids: Vec<String> = rows.iter().map(|(_, memory)| memory.id.as_str().to_owned()).collect();
            let touched = self.store().touched_by_people(RecordKind::Memory, &ids).await?;
            for (_, memory) in rows {
                let theirs = !is_unclaimed(&memory) || touched.contains(memory.id.as_str());
                if choice.has_any(&[LEARNED_BACK, NO_EVIDENCE])
                    && let Some(code) = self.unsupported(&memory).await?
                {
                    if choice.has(code) {
                        let archived = vec![archived(&memory, code, self.now)];
                        self.judge(code, vec![memory.id.clone()], theirs, archived);
                    }
                    continue;
                }
                self.remember(memory, theirs);
            }
        }
    }

    fn remember(&mut self, memory: Memory, theirs: bool) {
        let place = (memory.belonging(), memory.layer, memory.kind, &memory.content_hash);
        self.alike.entry(hashed(&place)).or_default().push((memory.id.clone(), memory.key.is_some()));
        // Notes pass by themselves.
        if !is_current(&memory, self.now) || is_note(&memory) {
            return;
        }
        for (matter, statement) in Statement::of(&memory, &self.tender.tools.analyser) {
            let spoken = Spoken { memory: memory.clone(), statement, theirs };
            self.statements.entry((memory.belonging(), matter)).or_default().push(spoken);
        }
    }

    /// Why a learned memory has nothing to stand on, if it has nothing.
    async fn unsupported(&mut self, memory: &Memory) -> StoreResult<Option<&'static str>> {
        if !matches!(memory.origin, Origin::Model | Origin::Heuristic) {
            return Ok(None);
        }
        let parents = self.store().parents(&Node::Memory(memory.id.clone())).await?;
        let turns: Vec<TurnId> = parents
            .iter()
            .filter_map(|parent| if let Node::Turn(id) = parent { Some(id.clone()) } else { None })
            .collect();
        let turns = self.store().turns(&turns).await?;
        let users: Vec<&Turn> = turns.iter().filter(|turn| turn.role == Role::User).collect();
        if !turns.is_empty() && users.is_empty() {
            return Ok(Some(LEARNED_BACK));
        }
        let supported = match &memory.evidence {
            Some(quote) => users.is_empty() || users.iter().any(|turn| says(&turn.text, quote)),
            None => !parents.is_empty(),
        };
        if supported {
            return Ok(None);
        }
        let words = memory.evidence.clone().unwrap_or_else(|| memory.content.clone());
        let code = if self.was_recalled(memory, &words).await? { LEARNED_BACK } else { NO_EVIDENCE };
        Ok(Some(code))
    }

    /// Whether the words stand in a prompt's block, or were an assistant's or a tool's in the same conversation.
    async fn was_recalled(&mut self, memory: &Memory, words: &str) -> StoreResult<bool> {
        if self.recalled.is_none() {
            self.recalled = Some(self.blocks().await?);
        }
        let (words, content) = (plain(words), plain(&memory.content));
        let in_block = |text: &String| contains_words(text, &words) || contains_words(text, &content);
        if self.recalled.iter().flatten().any(in_block) {
            return Ok(true);
        }
        let Some(session) = &memory.session else { return Ok(false) };
        let key = SessionKey::new(&memory.owner(), session.clone());
        let said = self.store().session_turns(&key, 0, limits::PAGE_ROWS).await?;
        Ok(said.iter().any(|turn| turn.role != Role::User && contains_words(&plain(&turn.text), &words)))
    }

    async fn blocks(&self) -> StoreResult<Vec<String>> {
        let mut texts = Vec::new();
        let (mut at, mut hash) = (Time::MIN, String::new());
        while texts.len() < limits::CHECKUP_BLOCKS {
            let blocks = self.store().blocks_after(at, &hash, limits::TEND_ROWS).await?;
            let Some(last) = blocks.last() else { break };
            (at, hash) = (last.at, last.hash.clone());
            texts.extend(blocks.iter().map(|block| plain(&block.text)));
        }
        Ok(texts)
    }

    /// What merging would take together; and what people wrote twice.
    async fn duplicates(&mut self) -> StoreResult<()> {
        let analyser = &self.tender.tools.analyser;
        let look = TendContext { now: self.now, since: None, analyser, rehearsing: true };
        let mut tender = self.tender.clone();
        let (mut cursor, mut rows) = (String::new(), 0);
        loop {
            if rows >= limits::CHECKUP_NEAR_ROWS {
                // From here on by equal contents alone: closeness would cost a scan of everything for each.
                tender.tools.embedder = None;
            }
            let portion = merge::plan(&tender, &cursor, &look).await?;
            rows += limits::TEND_ROWS;
            for proposed in portion.proposed {
                let ids: Vec<MemoryId> = proposed.of.iter().filter_map(|of| of.id.parse().ok()).collect();
                if ids.iter().any(|id| self.taken.contains(id)) {
                    continue;
                }
                self.judge(DUPLICATES, ids, false, proposed.changes);
            }
            match portion.next {
                Some(next) => cursor = next,
                None => break,
            }
        }
        // What merging leaves alone is a person's. Several keys are several names that somebody gave.
        let alike: Vec<Vec<(MemoryId, bool)>> = self.alike.drain().map(|(_, alike)| alike).collect();
        for alike in alike.into_iter().filter(|alike| alike.len() > 1) {
            let nameless = alike.iter().any(|(_, has_key)| !has_key);
            let ids: Vec<MemoryId> = alike.into_iter().map(|(id, _)| id).collect();
            if nameless && !ids.iter().any(|id| self.taken.contains(id)) {
                self.judge(DUPLICATES, ids, true, Vec::new());
            }
        }
        Ok(())
    }

    /// Of those that speak of the same, the newest holds.
    fn contradictions(&mut self) {
        let mut matters: Vec<((Belonging, String), Vec<Spoken>)> =
            std::mem::take(&mut self.statements).into_iter().filter(|(_, spoken)| spoken.len() > 1).collect();
        matters.sort_by(|left, right| left.0.cmp(&right.0));
        for (_, mut spoken) in matters {
            spoken.sort_by(|left, right| since(&left.memory).cmp(&since(&right.memory)));
            let newest = spoken.pop().expect("more than one");
            for older in spoken {
                let known = self.taken.contains(&older.memory.id) || self.taken.contains(&newest.memory.id);
                if known || !self.contradict(&newest, &older) {
                    continue;
                }
                let ids = vec![older.memory.id.clone(), newest.memory.id.clone()];
                let change = superseded(&older.memory, &newest.memory, self.now);
                let theirs = older.theirs;
                self.judge(CONTRADICTIONS, ids, theirs, vec![change]);
                // The newest may stand against several.
                self.taken.remove(&newest.memory.id);
            }
        }
    }

    fn contradict(&self, newest: &Spoken, older: &Spoken) -> bool {
        let candidate = newest.statement.candidate(&newest.memory);
        let standing = older.statement.filled(&older.memory);
        let standing = ComparedMemory { memory: &standing, cosine: None };
        let tools = &self.tender.tools;
        compare(&candidate, &standing, &tools.settings, &tools.analyser).0 == Relationship::Contradicts
    }
}

fn hashed(place: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    place.hash(&mut hasher);
    hasher.finish()
}

fn is_current(memory: &Memory, now: Time) -> bool {
    memory.valid_from.is_none_or(|from| from <= now)
        && memory.valid_until.is_none_or(|until| until > now)
        && memory.expires_at.is_none_or(|at| at > now)
}

fn since(memory: &Memory) -> (Time, &MemoryId) {
    (memory.valid_from.unwrap_or(memory.created_at).max(memory.created_at), &memory.id)
}

/// Whether a quote stands in what was said; what it leaves out is marked with dots.
fn says(text: &str, quote: &str) -> bool {
    let text = plain(text);
    let parts = quote.split("...").flat_map(|part| part.split('…')).map(plain);
    let mut parts = parts.filter(|part| !part.is_empty()).peekable();
    // A quote that was cut off may end within a word.
    parts.peek().is_some() && parts.all(|part| text.contains(&part))
}

fn replaced(memory: Memory) -> Change {
    let expect = Expect::Version(memory.version);
    Change::Put { record: memory.into(), expect }
}

fn archived(memory: &Memory, why: &str, now: Time) -> Change {
    let mut archived = Memory { status: Status::Archived, updated_at: now, ..memory.clone() };
    archived.metadata.insert("archivedBecause".into(), format!("doctor: {why}").into());
    replaced(archived)
}

fn superseded(older: &Memory, newer: &Memory, now: Time) -> Change {
    let ends = newer.valid_from.unwrap_or(newer.created_at);
    let valid_until = Some(older.valid_from.map_or(ends, |from| from.max(ends)));
    let superseded_by = Some(newer.id.clone());
    replaced(Memory {
        status: Status::Superseded,
        superseded_by,
        valid_until,
        updated_at: now,
        ..older.clone()
    })
}
