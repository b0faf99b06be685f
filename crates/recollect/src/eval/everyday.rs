//! Everyday lives, measured: is what stands in the prompt what a person would want there?
//!
//! A life is some weeks of conversations, the facts that a good assistant would know after them, and messages in new conversations. The
//! conversations are taken in and learned from as a server does it, in a store of their own in which it is noon of [`TODAY`]; each message gets the
//! context that a prompt would get, which is held against the facts, line by line and sentence by sentence.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use memory::learn::relearn::ReplayClock;
use memory::ports::{Clock, Embedder};
use memory::types::{SessionId, TenantId, Time, UserId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::{Credential, SystemClock, Tenants, TenantsOptions, WriteDurability};

use super::everyday_text::{casefold, lines_of, sentences_of, tokens_of, units_of};
use crate::conversation;
use crate::ops::context::{ContextOperation, Contextual};
use crate::ops::forget::Forget;
use crate::ops::list::ListMemories;
use crate::ops::select::Selection;
use crate::ops::settings::SettingsSet;
use crate::ops::{OperationRequest, Services};
use crate::problem::Problem;

/// The day on which every life is asked.
pub const TODAY: &str = "2026-11-15";

/// What may stand before a message that needs nothing: who the user is, in a few lines.
const QUIET_TOKENS: f64 = 200.0;

/// What a block may cost where it is to be right.
const RIGHT_TOKENS: f64 = 450.0;

/// Letters of a memory that count: it is one thought.
const MEMORY_LETTERS: usize = 240;

/// Memories on a page of the list.
const PAGE: usize = 100;

/// One person's life with an assistant.
#[derive(Debug, Deserialize)]
pub struct EverydayLife {
    pub id: String,
    pub language: String,
    conversations: Vec<Value>,
    facts: Vec<LifeFact>,
    questions: Vec<LifeQuestion>,
    small: Vec<String>,
}

/// Something that a good assistant would know, or must not tell.
#[derive(Debug, Deserialize)]
struct LifeFact {
    id: String,
    /// Alternatives, each a list of words that stand in one line.
    #[serde(rename = "match")]
    matching: Vec<Vec<String>>,
    #[serde(default)]
    status: FactStatus,
    /// Words by which a line says that it is over.
    #[serde(default)]
    unless: Vec<String>,
    #[serde(default)]
    core: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FactStatus {
    #[default]
    Current,
    Past,
    Wrong,
    Forgotten,
}

#[derive(Debug, Deserialize)]
struct LifeQuestion {
    ask: String,
    needs: Vec<String>,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
}

impl LifeFact {
    fn is_in(&self, line: &str) -> bool {
        let text = casefold(line);
        let has = |word: &String| text.contains(&casefold(word));
        !self.unless.iter().any(has) && self.matching.iter().any(|words| words.iter().all(has))
    }

    fn is_current(&self) -> bool {
        self.status == FactStatus::Current
    }
}

/// The figures of some lives, in percent but for tokens and counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EverydayFigures {
    /// Everything that is needed, nothing that must not be told, in few tokens.
    pub right: Option<f64>,
    pub answered: Option<f64>,
    pub clean: Option<f64>,
    /// The same among the questions for which something must not be told.
    pub risk: Option<f64>,
    /// The share of a block that is about what the question is about, or about who the user is.
    pub apt: Option<f64>,
    pub noise: Option<f64>,
    /// What says who the user is and stands before a message that needs nothing.
    pub known: Option<f64>,
    pub quiet: Option<f64>,
    pub tokens: Option<f64>,
    pub learned: Option<f64>,
    pub about: Option<f64>,
    pub stale: Option<f64>,
    pub memories: usize,
    pub questions: usize,
}

/// What was seen, before it is counted.
#[derive(Debug, Clone, Default)]
struct Seen {
    shares: BTreeMap<&'static str, Vec<f64>>,
    tokens: Vec<f64>,
}

impl Seen {
    fn note(&mut self, name: &'static str, holds: bool) {
        self.share(name, f64::from(u8::from(holds)));
    }

    fn share(&mut self, name: &'static str, share: f64) {
        self.shares.entry(name).or_default().push(share);
    }

    fn add(&mut self, other: &Seen) {
        for (name, values) in &other.shares {
            self.shares.entry(name).or_default().extend(values);
        }
        self.tokens.extend(&other.tokens);
    }

    fn figures(&self) -> EverydayFigures {
        let of = |name: &str| self.shares.get(name).filter(|values| !values.is_empty());
        let count = |name: &str| of(name).map_or(0, Vec::len);
        let mean = |name: &str| {
            let values = of(name)?;
            Some((1_000.0 * values.iter().sum::<f64>() / values.len() as f64).round_ties_even() / 10.0)
        };
        EverydayFigures {
            right: mean("right"),
            answered: mean("answered"),
            clean: mean("clean"),
            risk: mean("risk"),
            apt: mean("apt"),
            noise: mean("noise"),
            known: mean("known"),
            quiet: mean("quiet"),
            tokens: median(&self.tokens),
            learned: mean("learned"),
            about: mean("about"),
            stale: mean("stale"),
            memories: count("about"),
            questions: count("answered"),
        }
    }
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// All lives, and those of each language.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EverydayReport {
    pub all: EverydayFigures,
    #[serde(flatten)]
    pub by_language: BTreeMap<String, EverydayFigures>,
}

pub fn read(file: &Path) -> anyhow::Result<EverydayLife> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let life: EverydayLife =
        serde_json::from_str(&text).with_context(|| format!("{} is no life", file.display()))?;
    let known = |id: &String| life.facts.iter().any(|fact| fact.id == *id);
    let named =
        life.questions.iter().flat_map(|asked| asked.needs.iter().chain(&asked.also).chain(&asked.never));
    if let Some(unknown) = named.into_iter().find(|id| !known(id)) {
        anyhow::bail!("{}: a question names {unknown}, which is no fact of the life", file.display());
    }
    Ok(life)
}

/// Measures lives, all in one store, as one server would have them.
pub async fn measure(
    lives: &[EverydayLife],
    settings: &[(String, Value)],
    done: impl Fn(),
) -> anyhow::Result<EverydayReport> {
    let folder = tempfile::tempdir().context("no place for a scratch store")?;
    let embedder: Arc<dyn Embedder> = Arc::new(models::Builtin);
    let clock = Arc::new(ReplayClock::new(Arc::new(SystemClock)));
    let options = TenantsOptions {
        durability: WriteDurability::Normal,
        embedder: Some(Arc::clone(&embedder)),
        clock: Arc::clone(&clock) as Arc<dyn Clock>,
        ..TenantsOptions::default()
    };
    let tenants = Tenants::open_folder(folder.path(), options)?;
    let house = Services { waits_for_vectors: true, ..Services::new(tenants, Some(embedder)) };
    let noon: Time = format!("{TODAY}T12:00:00Z").parse()?;
    let world = LivedIn { house, clock, noon, began: Instant::now() };
    for (name, value) in settings {
        let set = SettingsSet { name: name.clone(), value: value.clone(), everywhere: false };
        world.ask(set).await?;
    }
    let (mut all, mut by_language) = (Seen::default(), BTreeMap::<String, Seen>::new());
    for life in lives {
        let seen = world.score(life).await?;
        all.add(&seen);
        by_language.entry(life.language.clone()).or_default().add(&seen);
        done();
    }
    world.house.tenants.close().await;
    let by_language = by_language.into_iter().map(|(language, seen)| (language, seen.figures())).collect();
    Ok(EverydayReport { all: all.figures(), by_language })
}

/// A house in which lives are lived and asked about.
struct LivedIn {
    house: Services,
    /// Noon, and as much later as has passed since.
    clock: Arc<ReplayClock>,
    noon: Time,
    began: Instant,
}

impl LivedIn {
    async fn ask<R: OperationRequest>(&self, request: R) -> Result<R::Answer, Problem> {
        let passed = i64::try_from(self.began.elapsed().as_micros()).unwrap_or(i64::MAX);
        self.clock.set(Time::from_microseconds(self.noon.microseconds().saturating_add(passed)));
        let caller = self.house.admit(Credential::Operator { tenant: TenantId::local() }).await?;
        self.house.ask(&caller, request).await
    }

    async fn score(&self, life: &EverydayLife) -> anyhow::Result<Seen> {
        let contents = self.live(life).await?;
        let mut seen = Seen::default();
        let current: Vec<&LifeFact> = life.facts.iter().filter(|fact| fact.is_current()).collect();
        let core: Vec<&LifeFact> = current.iter().copied().filter(|fact| fact.core).collect();
        for fact in &life.facts {
            let name = if fact.is_current() { "learned" } else { "stale" };
            seen.note(name, contents.iter().any(|content| fact.is_in(content)));
        }
        for content in &contents {
            seen.note("about", current.iter().any(|fact| fact.is_in(content)));
        }
        for (place, question) in life.questions.iter().enumerate() {
            let context = self.context(life, &question.ask, &format!("q{place}")).await?;
            score_question(&mut seen, life, question, &context.block, &current, &core);
        }
        for (place, message) in life.small.iter().enumerate() {
            let block = self.context(life, message, &format!("s{place}")).await?.block;
            let sentences: Vec<String> =
                lines_of(&block).iter().flat_map(|line| sentences_of(line)).collect();
            let loud = sentences.iter().any(|said| !current.iter().any(|fact| fact.is_in(said)));
            seen.note("quiet", !loud && tokens_of(&block).round_ties_even() <= QUIET_TOKENS);
            if place == 0 {
                let units = units_of(&block);
                core.iter().for_each(|fact| seen.note("known", units.iter().any(|unit| fact.is_in(unit))));
            }
        }
        Ok(seen)
    }

    /// Takes a life in, and gives what is known after it.
    async fn live(&self, life: &EverydayLife) -> anyhow::Result<Vec<String>> {
        let user: UserId = life.id.parse()?;
        for conversation in &life.conversations {
            if let Some(words) = conversation["forget"]["match"].as_str() {
                let filter = Selection { user: Some(user.clone()), ..Selection::default() };
                let matching = Some(words.to_owned());
                self.ask(Forget { matching, filter, confirmed: true, ..Forget::default() }).await?;
                continue;
            }
            let name = conversation["id"].as_str().unwrap_or_default();
            let taken = json!({
                "agent_id": life.id, "user_id": life.id, "conversation_id": format!("{}-{name}", life.id),
                "session_date": conversation["date"], "turns": conversation["turns"],
            });
            self.ask(conversation::read(taken)?).await?;
        }
        let mut contents = Vec::new();
        loop {
            let filter =
                Selection { agent: Some(life.id.parse()?), user: Some(user.clone()), ..Selection::default() };
            let page =
                ListMemories { filter, limit: Some(PAGE), offset: contents.len(), ..ListMemories::default() };
            let listed = self.ask(page).await?.memories;
            let end = listed.len() < PAGE;
            let clipped = |content: &str| content.chars().take(MEMORY_LETTERS).collect::<String>();
            contents.extend(listed.iter().map(|memory| clipped(&memory.content)));
            if end {
                return Ok(contents);
            }
        }
    }

    /// What a message in a new conversation gets.
    async fn context(&self, life: &EverydayLife, message: &str, session: &str) -> anyhow::Result<Contextual> {
        let session: SessionId = format!("{}-{session}", life.id).parse()?;
        let request = ContextOperation {
            message: message.to_owned(),
            agent: Some(life.id.parse()?),
            user: Some(life.id.parse()?),
            session: Some(session),
            ..ContextOperation::default()
        };
        Ok(self.ask(request).await?)
    }
}

fn score_question(
    seen: &mut Seen,
    life: &EverydayLife,
    question: &LifeQuestion,
    block: &str,
    current: &[&LifeFact],
    core: &[&LifeFact],
) {
    let named = |ids: &[String]| -> Vec<&LifeFact> {
        life.facts.iter().filter(|fact| ids.contains(&fact.id)).collect()
    };
    let sentences: Vec<String> = lines_of(block).iter().flat_map(|line| sentences_of(line)).collect();
    let units = units_of(block);
    let tokens = tokens_of(block).round_ties_even();
    let (needs, never) = (named(&question.needs), named(&question.never));
    let answered = needs.iter().all(|fact| units.iter().any(|unit| fact.is_in(unit)));
    let clean = !never.iter().any(|fact| sentences.iter().any(|said| fact.is_in(said)));
    seen.note("answered", answered);
    seen.note("clean", clean);
    seen.note("right", answered && clean && tokens <= RIGHT_TOKENS);
    if !never.is_empty() {
        seen.note("risk", clean);
    }
    seen.tokens.push(tokens);
    let all: f64 = sentences.iter().map(|said| tokens_of(said)).sum();
    if sentences.is_empty() {
        return;
    }
    let wanted: Vec<&LifeFact> =
        needs.into_iter().chain(named(&question.also)).chain(core.iter().copied()).collect();
    let share = |about: &[&LifeFact]| {
        let told = sentences.iter().filter(|said| about.iter().any(|fact| fact.is_in(said)));
        told.map(|said| tokens_of(said)).sum::<f64>() / all
    };
    seen.share("apt", share(&wanted));
    seen.share("noise", 1.0 - share(current));
}
