//! What the judge says of a new statement against what is known, and of what the user asks to be forgotten.

use std::collections::HashSet;

use super::commit::{BatchBuilder, PassTally};
use super::draft::{Candidate, Draft, ForgetWish};
use super::reconcile::Reconciled;
use super::session_pass::{Learner, SessionSnapshot};
use super::told;
use super::verify::ComparedMemory;
use crate::error::StoreResult;
use crate::ports::{PairReading, SpeechJudge};
use crate::text::fold;
use crate::types::{
    Change, Expect, Filter, Kind, Memory, Origin, PageRequest, Role, SessionKey, Status, TurnId,
};

/// How sure the judge must be that something is over, of the one statement that is ended most likely.
const OVER: f32 = 0.6;

/// The same where the new statement itself speaks of a change.
const OVER_IN_CHANGE: f32 = 0.5;

/// The same of wishes about answers: there are many of them, and most hold beside each other.
const OVER_OF_RULES: f32 = 0.85;

/// How sure it must be that two statements say the same.
const SAME: f32 = 0.65;

/// How sure it must be that a wish to forget means a statement.
const MEANT: f32 = 0.35;

/// What of a user's memories is compared with a new one beside what is near it, the newest.
pub(super) const KNOWN: usize = 120;

/// Whether a memory is in the user's own words.
fn is_verbatim(memory: &Memory) -> bool {
    memory.metadata.get("rule").is_some_and(|rule| rule == told::MADE_BY)
}

/// The words by which a statement is compared: those of the user that it rests on, where a machine learned it from them.
fn spoken(memory: &Memory) -> &str {
    match &memory.evidence {
        Some(evidence) if memory.origin == Origin::Heuristic && !evidence.is_empty() => evidence,
        _ => &memory.content,
    }
}

/// The different ones of several texts, and by text which of them it is: what rests on the same words is compared once.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> (Vec<&'a str>, Vec<usize>) {
    let mut different: Vec<&str> = Vec::new();
    let places = texts.map(|text| {
        different.iter().position(|known| *known == text).unwrap_or_else(|| {
            different.push(text);
            different.len() - 1
        })
    });
    let places = places.collect();
    (different, places)
}

/// What a candidate does to what stands near it; nothing where the judge has no opinion.
pub(super) fn reconcile(
    judge: &dyn SpeechJudge,
    candidate: &Candidate,
    standing: &[ComparedMemory<'_>],
) -> Option<Reconciled> {
    let machine_made = |memory: &Memory| !memory.pinned && memory.origin != Origin::Person;
    let active: Vec<&Memory> = standing
        .iter()
        .map(|near| near.memory)
        .filter(|memory| memory.status == Status::Active)
        // Patterns know what has a form: of two statements that have one, they have spoken.
        .filter(|memory| told::is_verbatim(candidate) || is_verbatim(memory))
        .collect();
    let said = &candidate.evidence;
    if let Some(same) = active.iter().find(|memory| fold(&memory.content) == fold(&candidate.content)) {
        let reason = "says the same in the same words".into();
        return Some(Reconciled::Bump { known: same.id.clone(), reason });
    }
    let (texts, places) = distinct(active.iter().map(|memory| spoken(memory)));
    let readings = judge.compare(said, &texts);
    let overs = among(&readings, |reading| reading.replaces + reading.ends);
    let judged = || active.iter().zip(places.iter().map(|&place| overs[place]));
    let (best, chance) =
        judged().filter(|(memory, _)| machine_made(memory)).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let needed = match candidate.changes {
        _ if candidate.kind == Kind::Rule => OVER_OF_RULES,
        true => OVER_IN_CHANGE,
        false => OVER,
    };
    if chance >= needed {
        let mut replaced = vec![best.id.clone()];
        let further = judged().filter(|(memory, over)| machine_made(memory) && *over >= OVER_IN_CHANGE);
        replaced.extend(further.map(|(memory, _)| memory.id.clone()).filter(|id| *id != best.id));
        let reason = format!("takes the place of what was told before (chance {chance:.2})");
        return Some(Reconciled::Supersede { replaced, reason });
    }
    let pairs = active.iter().zip(places.iter().map(|&place| readings[place]));
    let (same, reading) = pairs.max_by(|a, b| a.1.same.total_cmp(&b.1.same))?;
    (reading.same >= SAME).then(|| Reconciled::Bump {
        known: same.id.clone(),
        reason: format!("says the same again (chance {:.2})", reading.same),
    })
}

/// The chance of each of several earlier statements to be the one that a later statement means: what speaks for it against what speaks for the others
/// and for none of them.
fn among(readings: &[PairReading], means: impl Fn(&PairReading) -> f32) -> Vec<f32> {
    let odds = readings.iter().map(|reading| {
        let nothing = 1.0 - reading.same - reading.replaces - reading.ends - reading.forgets;
        means(reading).max(1e-6) / nothing.max(1e-6)
    });
    let odds: Vec<f32> = odds.collect();
    let all = 1.0 + odds.iter().sum::<f32>();
    odds.into_iter().map(|odds| odds / all).collect()
}

impl Learner {
    /// What is known of the owner of a session, the newest of it.
    pub(super) async fn known_of(&self, session: &SessionKey) -> StoreResult<Vec<Memory>> {
        let mut filter = Filter::current(self.tools.clock.now());
        (filter.agent, filter.user) = (Some(session.agent.clone()), Some(session.user.clone()));
        Ok(self.tools.store.list_memories(&filter, PageRequest::first(KNOWN)).await?.items)
    }

    /// Takes out of a draft what the user asked not to keep, and out of memory what the user asked to forget.
    pub(super) async fn heed_wishes(
        &self,
        writing: &mut BatchBuilder<'_>,
        matter: &SessionSnapshot,
        draft: &mut Draft,
        tally: &mut PassTally,
    ) -> StoreResult<()> {
        let Some(judge) = self.tools.judge.clone() else { return Ok(()) };
        if draft.wishes.is_empty() {
            return Ok(());
        }
        let mut known = self.known_of(writing.session).await?;
        known.retain(|memory| !memory.pinned && memory.origin != Origin::Person);
        for wish in std::mem::take(&mut draft.wishes) {
            let told = self.meant(&*judge, &wish, matter, draft, &known);
            let mut place = 0;
            draft.candidates.retain(|_| {
                place += 1;
                !told.candidates.contains(&(place - 1))
            });
            tally.dropped += told.candidates.len() as u64;
            for place in told.memories {
                let memory = known[place].clone();
                let expect = Expect::Version(memory.version);
                let mut gone = memory;
                gone.status = Status::Deleted;
                gone.updated_at = writing.now;
                gone.metadata.insert("why".into(), "the user asked to forget it".into());
                writing.change(Change::Put { record: gone.into(), expect });
                tally.dropped += 1;
            }
        }
        Ok(())
    }

    /// What a wish to forget means: what the judge says, else what was said just before it.
    fn meant(
        &self,
        judge: &dyn SpeechJudge,
        wish: &ForgetWish,
        matter: &SessionSnapshot,
        draft: &Draft,
        known: &[Memory],
    ) -> MeantByWish {
        let users: Vec<&TurnId> =
            matter.turns.iter().filter(|turn| turn.role == Role::User).map(|turn| &turn.id).collect();
        let order = |id: &TurnId| users.iter().position(|turn| *turn == id);
        let asked = order(&wish.turn);
        let before = |candidate: &Candidate| {
            candidate.sources.first().is_some_and(|id| order(id) <= asked) && candidate.evidence != wish.said
        };
        let own: Vec<usize> =
            (0..draft.candidates.len()).filter(|&at| before(&draft.candidates[at])).collect();
        let said = own.iter().map(|&at| draft.candidates[at].evidence.as_str());
        let (texts, places) = distinct(said.chain(known.iter().map(spoken)));
        let readings = judge.compare(&wish.said, &texts);
        let chances = among(&readings, |reading| reading.forgets);
        let chances: Vec<f32> = places.iter().map(|&place| chances[place]).collect();
        let best = chances.iter().copied().fold(0.0, f32::max);
        let mut told = MeantByWish::default();
        if best >= MEANT {
            let enough = best * 0.5;
            for (place, _) in chances.iter().enumerate().filter(|(_, chance)| **chance >= enough) {
                match own.get(place) {
                    Some(&at) => told.candidates.insert(at),
                    None => told.memories.insert(place - own.len()),
                };
            }
            return told;
        }
        // "Don't keep that" points at what was just said: in the same message, else in the one before it.
        for back in 0..=1 {
            let there = asked.and_then(|at| at.checked_sub(back)).map(|at| users[at]);
            let said_there =
                |&&at: &&usize| draft.candidates[at].sources.first().is_some_and(|id| Some(id) == there);
            told.candidates = own.iter().filter(said_there).copied().collect();
            if !told.candidates.is_empty() {
                break;
            }
        }
        told
    }
}

/// Which candidates of a draft and which memories a wish means, by their places.
#[derive(Default)]
struct MeantByWish {
    candidates: HashSet<usize>,
    memories: HashSet<usize>,
}
