//! Folding notes: many dated sentences become few lasting memories, by the steps that everything learned goes through.
//!
//! Without a model, the quotes behind the notes are distilled together: what is sure or salient is kept, what is not must
//! have been said more than once, and a name that comes up again and again is remembered as such. What was learned from the
//! same turns before is not counted twice. A note that is folded is archived and says why.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use serde_json::Value;

use jiff::tz::TimeZone;

use super::{TAG, logged};
use crate::error::{StoreError, StoreResult};
use crate::learn::commit::{BatchBuilder, PassTally};
use crate::learn::decide::decide;
use crate::learn::draft::{Advice, Candidate};
use crate::learn::heuristic;
use crate::learn::session_pass::Learner;
use crate::limits;
use crate::personality::Tuning;
use crate::ports::Prompt;
use crate::text::similarity::word_set;
use crate::text::{Analyser, clip, fold, json, tokens};
use crate::types::StatementDurability;
use crate::types::{
    Batch, Change, Filter, Kind, Memory, Order, Origin, Owner, PageRequest, Role, Scope, SessionKey, Time,
    Turn, TurnId, Verdict,
};

const REFLECT: &str = include_str!("../prompts/reflect.txt");

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../prompts/reflect.schema.json"))
        .expect("the schema is part of the binary")
});

/// Times that folding is tried again when somebody else wrote in between.
const RACES: usize = 3;

/// From this salience on a statement is kept though it was made once.
const SALIENT: f32 = 0.6;

/// Notes that must name something for it to be remembered as what the user speaks of.
const OFTEN: usize = 3;

/// Words that two texts must share to speak of the same thing.
const SHARED_WORDS: usize = 2;

impl Learner {
    /// Folds the owner's notes if they are as many as that takes. Says how many were folded.
    pub(in crate::learn) async fn reflect(&self, owner: &Owner, tuning: &Tuning) -> StoreResult<usize> {
        for lost in 0.. {
            let notes = self.notes_of(owner).await?;
            let told: usize = notes.iter().map(|note| tokens::estimate(&note.content)).sum();
            if (told as u64) < tuning.sooner(self.tools.settings.reflector_token_threshold) {
                break;
            }
            match self.fold(owner, &notes).await {
                Err(StoreError::Conflict { .. }) if lost < RACES => {}
                Err(error) => return Err(error),
                Ok(()) => return Ok(notes.len()),
            }
        }
        Ok(0)
    }

    /// The owner's notes, oldest first; what a person took in hand is theirs.
    async fn notes_of(&self, owner: &Owner) -> StoreResult<Vec<Memory>> {
        let mut filter = Filter::current(self.tools.clock.now());
        (filter.agent, filter.user) = (Some(owner.agent.clone()), Some(owner.user.clone()));
        filter.tags = vec![TAG.to_owned()];
        let mut notes = Vec::new();
        for offset in (0..limits::REFLECTOR_NOTES).step_by(limits::PAGE_ROWS) {
            let page = PageRequest { limit: limits::PAGE_ROWS, offset, order: Order::Oldest, counted: false };
            let some = self.tools.store.list_memories(&filter, page).await?.items;
            let last = some.len() < limits::PAGE_ROWS;
            notes.extend(some.into_iter().filter(|note| super::is_note(note) && is_ours(note)));
            if last {
                break;
            }
        }
        Ok(notes)
    }

    async fn fold(&self, owner: &Owner, notes: &[Memory]) -> StoreResult<()> {
        let now = self.tools.clock.now();
        let quotes = quotes(owner, notes);
        let (candidates, origin) = match self.folded_by_model(notes, &quotes).await {
            Some(candidates) => (candidates, Origin::Model),
            None => (
                folded(&quotes, &self.tools.analyser, &self.tools.settings.zone_of(&owner.user)),
                Origin::Heuristic,
            ),
        };
        let mut tally = PassTally::default();
        let mut batch: Option<Batch> = None;
        for (key, candidates) in by_session(owner, &quotes, candidates) {
            let scope = scope_of(notes, &key);
            let mut writing =
                BatchBuilder::new(self.tools.tenant.clone(), &key, scope, origin, now, &*self.tools.clock);
            writing.batch = batch.take().unwrap_or(writing.batch);
            for candidate in candidates {
                self.keep(&mut writing, &candidate, &mut tally).await?;
            }
            batch = Some(writing.batch);
        }
        let key = SessionKey::new(owner, session_of(owner, notes.last()));
        let scope = scope_of(notes, &key);
        let mut writing =
            BatchBuilder::new(self.tools.tenant.clone(), &key, scope, origin, now, &*self.tools.clock);
        writing.batch = batch.unwrap_or(writing.batch).because("the observer's notes were folded");
        for note in notes {
            writing.archive(note, "folded into lasting memories");
        }
        let (inserted, bumped) = (tally.inserted, tally.bumped);
        let detail = format!("{} notes became {inserted} memories, {bumped} were known", notes.len());
        writing.change(Change::Log { entry: logged("reflect", now, detail) });
        self.tools.store.apply(writing.batch).await?;
        Ok(())
    }

    /// What the core model folds the notes into; none where there is no model, or it gives no answer that can be used.
    async fn folded_by_model(&self, notes: &[Memory], quotes: &[Turn]) -> Option<Vec<Candidate>> {
        let model = self.tools.model.as_ref()?;
        let from = notes.len().saturating_sub(limits::REFLECTOR_PROMPT_NOTES);
        let line = |(place, note): (usize, &Memory)| format!("{}\n| {}", place + 1, one_line(&note.content));
        let lines: Vec<String> = notes.iter().enumerate().skip(from).map(line).collect();
        let system = REFLECT.replace("{memories}", &limits::REFLECTOR_MEMORIES.to_string());
        let user = format!("<notes>\n{}\n</notes>\n", lines.join("\n"));
        let asked = Prompt {
            task: "reflect",
            system: &system,
            user: &user,
            schema: Some(&SCHEMA),
            max_tokens: limits::DISTIL_ANSWER_TOKENS,
        };
        let answer = model.complete(asked).await.ok()?;
        read(&answer.text, quotes, model.name())
    }
}

/// Whether no person wrote, edited or pinned it.
fn is_ours(note: &Memory) -> bool {
    !note.pinned && note.origin != Origin::Person
}

fn session_of(owner: &Owner, note: Option<&Memory>) -> crate::types::SessionId {
    let unnamed = || owner.agent.as_str().parse().expect("an agent's id is a good name for a session too");
    note.and_then(|note| note.session.clone()).unwrap_or_else(unnamed)
}

/// Who sees what is made of a session's notes: those who see the notes.
fn scope_of(notes: &[Memory], key: &SessionKey) -> Scope {
    let of_session = notes.iter().filter(|note| note.session.as_ref() == Some(&key.session));
    let narrow = of_session.map(|note| note.scope).any(|scope| scope == Scope::Agent);
    if narrow { Scope::Agent } else { Scope::User }
}

/// What the notes quote, as the user's turns that they were said in: the only evidence there is.
fn quotes(owner: &Owner, notes: &[Memory]) -> Vec<Turn> {
    let text = |note: &Memory, name: &str| {
        note.metadata.get(name).and_then(Value::as_str).map(str::to_owned).unwrap_or_default()
    };
    let quote = |(index, note): (usize, &Memory)| {
        let said = note.evidence.clone()?;
        Some(Turn {
            id: text(note, "turn").parse().ok()?,
            external_id: None,
            session: SessionKey::new(owner, session_of(owner, Some(note))),
            index: index as u64,
            role: Role::User,
            speaker: None,
            tokens: 0,
            text: said,
            at: text(note, "saidAt").parse::<Time>().unwrap_or(note.created_at),
            partial: false,
        })
    };
    notes.iter().enumerate().filter_map(quote).collect()
}

/// The candidates by the session that each was first said in.
fn by_session(
    owner: &Owner,
    quotes: &[Turn],
    candidates: Vec<Candidate>,
) -> BTreeMap<SessionKey, Vec<Candidate>> {
    let sessions: HashMap<&TurnId, &SessionKey> =
        quotes.iter().map(|quote| (&quote.id, &quote.session)).collect();
    let mut sorted: BTreeMap<SessionKey, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        let key = candidate.sources.first().and_then(|turn| sessions.get(turn).copied().cloned());
        let key = key.unwrap_or_else(|| SessionKey::new(owner, session_of(owner, None)));
        sorted.entry(key).or_default().push(candidate);
    }
    sorted
}

/// What the quotes come to without a model.
fn folded(quotes: &[Turn], analyser: &Analyser, zone: &TimeZone) -> Vec<Candidate> {
    let draft = heuristic::distil(
        quotes,
        heuristic::SessionBackground { zone: Some(zone), ..Default::default() },
        analyser,
    );
    let mut kept: Vec<Candidate> =
        draft.candidates.into_iter().filter(|candidate| has_earned_it(candidate, quotes, analyser)).collect();
    for entity in draft.entities {
        let turns: HashSet<&TurnId> = entity.sources.iter().collect();
        let told = kept.iter().any(|candidate| fold(&candidate.content).contains(&fold(&entity.name)));
        if turns.len() >= OFTEN && !told {
            kept.extend(spoken_of(&entity.name, &turns, quotes, zone));
        }
    }
    kept.truncate(limits::REFLECTOR_MEMORIES);
    kept
}

/// Said surely, saliently, or more than once; what the guards refuse is refused here too.
fn has_earned_it(candidate: &Candidate, quotes: &[Turn], analyser: &Analyser) -> bool {
    let supported = || support(candidate, quotes, analyser) >= 2;
    match decide(candidate, &candidate.evidence).verdict {
        Verdict::Drop => false,
        Verdict::CommitNow => true,
        Verdict::RequireRepetition => supported(),
        Verdict::CommitAtSessionEnd => {
            candidate.salience >= SALIENT && candidate.kind != Kind::Rule || supported()
        }
    }
}

/// How many of the quotes say it.
fn support(candidate: &Candidate, quotes: &[Turn], analyser: &Analyser) -> usize {
    let mut words = word_set(&candidate.content, analyser);
    words.remove("user");
    let names = |quote: &Turn| {
        let object = candidate.object.as_deref().filter(|object| object.chars().count() >= 3);
        object.is_some_and(|object| fold(&quote.text).contains(&fold(object)))
    };
    let says = |quote: &&Turn| {
        candidate.sources.contains(&quote.id)
            || names(quote)
            || word_set(&quote.text, analyser).intersection(&words).count() >= SHARED_WORDS
    };
    quotes.iter().filter(says).count()
}

/// Somebody or something that came up again and again, with the latest that was said of it.
fn spoken_of(name: &str, turns: &HashSet<&TurnId>, quotes: &[Turn], zone: &TimeZone) -> Option<Candidate> {
    let said: Vec<&Turn> = quotes.iter().filter(|quote| turns.contains(&quote.id)).collect();
    let (first, last) = (said.first()?, said.last()?);
    let quote = one_line(&last.text);
    let content = format!(
        "User spoke of {name} {} times from {} to {}, last: “{quote}”",
        turns.len(),
        first.at.date_in(zone),
        last.at.date_in(zone)
    );
    Some(Candidate {
        key: Some(format!("spoken_of:{}", fold(name))),
        subject: Some("User".to_owned()),
        predicate: Some("SPOKE_OF".to_owned()),
        object: Some(name.to_owned()),
        evidence: last.text.clone(),
        sources: said.iter().rev().map(|quote| quote.id.clone()).collect(),
        single_valued: true,
        ..lasting(clip(&content, limits::ANSWER_CONTENT_CHARACTERS), Kind::Fact, "reflector")
    })
}

/// The memories of a model's answer that name the notes they rest on; none where it is no answer.
fn read(answer: &str, quotes: &[Turn], model: &str) -> Option<Vec<Candidate>> {
    let answer = json::parse(answer).ok()?;
    let listed = json::list(answer.get("memories")?);
    let candidate = |given: &&Value| {
        let numbers = json::list(given.get("notes")?).into_iter().filter_map(json::number);
        let places: Vec<u64> =
            numbers.filter(|number| *number >= 1.0).map(|number| number as u64 - 1).collect();
        let behind: Vec<&Turn> = quotes.iter().filter(|quote| places.contains(&quote.index)).collect();
        let first = behind.first()?;
        let content = json::text(given.get("content")?)?;
        let kind = given.get("kind").and_then(json::text).and_then(|kind| kind.parse::<Kind>().ok());
        // A standing order goes into every prompt, and only the user's own words make one.
        let kind = kind.filter(|kind| *kind != Kind::Rule).unwrap_or(Kind::Fact);
        let share = |name: &str, usual: f32| {
            given.get(name).and_then(json::number).map_or(usual, |number| number.clamp(0.0, 1.0) as f32)
        };
        let mut candidate = Candidate {
            evidence: first.text.clone(),
            sources: behind.iter().map(|quote| quote.id.clone()).collect(),
            confidence: share("confidence", 0.7),
            salience: share("salience", SALIENT),
            // It was a model's idea, whatever it thinks of it.
            advice: Some(Advice::default()),
            ..lasting(clip(&one_line(&content), limits::ANSWER_CONTENT_CHARACTERS), kind, model)
        };
        candidate.sources.dedup();
        (decide(&candidate, &candidate.evidence).verdict != Verdict::Drop).then_some(candidate)
    };
    Some(listed.iter().take(limits::REFLECTOR_MEMORIES).filter_map(candidate).collect())
}

fn lasting(content: String, kind: Kind, made_by: &str) -> Candidate {
    Candidate {
        content,
        kind,
        layer: kind.usual_layer(),
        key: None,
        category: "reflection".to_owned(),
        subject: None,
        predicate: None,
        object: None,
        evidence: String::new(),
        sources: Vec::new(),
        confidence: 0.7,
        salience: 0.5,
        tags: Vec::new(),
        emotion: None,
        valid_from: None,
        valid_until: None,
        durability: StatementDurability::Lasting,
        single_valued: false,
        made_by: format!("reflect:{made_by}"),
        advice: None,
        matter: None,
        changes: false,
        changing: 0.0,
        core: None,
        dated: None,
        sensitive: false,
        put_right: false,
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_instructions_are_as_reviewed() {
        insta::assert_snapshot!("reflect_system", super::REFLECT);
        assert_eq!(super::SCHEMA["required"][0], "memories");
    }
}
