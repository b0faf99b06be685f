//! What the judge says of a new statement against what is known, and of what the user asks to be forgotten.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};

use super::commit::{BatchBuilder, PassTally};
use super::control::{asks_for_all, has_words_of_a_wish};
use super::draft::{Candidate, Draft, ForgetWish};
use super::ending::{self, HeardStatement};
use super::reconcile::{Reconciled, Rest};
use super::session_pass::{Learner, SessionSnapshot};
use super::taken_back::{self, Beginning};
use super::verify::ComparedMemory;
use super::{introduction, promote, rest, told};
use crate::error::StoreResult;
use crate::ports::{KnownText, NewStatement, PairReading, SpeechJudge};
use crate::text::{Analyser, fold};
use crate::types::{
    Change, Expect, Filter, Kind, Memory, MemoryId, Origin, PageRequest, Role, SessionKey, Status, TurnId,
};

/// How sure the judge must be that something is over, of the one statement that is ended most likely.
const OVER: f32 = 0.3;

/// The same where little is known: of two or three statements one seems to be meant by whatever comes.
const OVER_OF_FEW: f32 = 0.45;
const FEW: usize = 3;

/// The same of a further statement.
const ALSO_OVER: f32 = 0.75;

/// The same of what was said in the same conversation, by a statement that begins as those do that take something back.
const OVER_TAKEN_BACK: f32 = 0.12;

/// The same of a statement about somebody else, of one that is about the user, and how surely they must be different people's.
const OVER_OF_OTHERS: f32 = 0.92;
const OF_ANOTHER: f32 = 0.5;

/// Below this nothing is over, whatever is said.
const LEAST_OVER: f32 = 0.1;

/// The same of wishes about answers: there are many of them, and most hold beside each other.
const OVER_OF_RULES: f32 = 0.5;

/// The same of a statement that says in so many words that something is over, where the two share much; and where they share one short word.
const OVER_SAID: f32 = 0.04;
const OVER_SAID_BARELY: f32 = 0.15;

/// The same of one that says nothing else.
const ONLY_ENDS: f32 = 0.0005;

/// The same of one that gives another value for the one that it denies.
const CORRECTS: f32 = 0.02;

/// The same of one that says what is new in the place of something: "my new GP is Dr Lindqvist", and where patterns read both as what somebody's thing is.
const OVER_ANEW: f32 = 0.002;
const OVER_ANEW_BY_FORM: f32 = 0.001;

/// The same of one that says that people have moved, and how surely what is told of a home must belong in front of every conversation to be where it is.
const MOVED: f32 = 0.002;
const WHERE_SOMEBODY_LIVES: f32 = 0.5;

/// The same of one that tells of a death and names whom both name.
const DIED: f32 = 0.001;

/// The same where it repeats all of it, or is the same but for a number.
const IN_WORDS: f32 = 0.005;

/// The same where it gives another number of the same unit for what both name.
const MEASURED: f32 = 0.1;

/// The same where it gives another value for a name that both have, up to where all of it is over, and where it says what came in the place of what.
const REVALUED: f32 = 0.05;
const OVER_AS_A_WHOLE: f32 = 0.6;
const SWAPPED: f32 = 0.2;

/// How much a statement that denies another one must sound like it.
const SOUNDS_LIKE: f32 = 0.5;

/// How sure it must be that a statement which a pattern read speaks of a change, before it is held against others of the kind.
const CHANGES_SURELY: f32 = 0.6;

/// What is over by its words is more surely so than what is over by its sense.
const CERTAIN: f32 = 0.9;

/// How sure it must be that one of several statements that rest on the same words is over by itself.
const OVER_ITSELF: f32 = 0.5;

/// The share of the chance of the part that is over most surely, from which on another part of the same words is over too.
const OVER_BESIDE: f32 = 0.4;

/// How sure it must be that two statements say the same.
const SAME: f32 = 0.65;

/// How surely what a pattern found lasts, beside what the judge says of people's own words.
const LASTS: f32 = 0.9;

/// How sure it must be that a wish to forget means a statement.
const MEANT: f32 = 0.35;

/// How much a statement must have to do with a wish to forget by its words, before the wish can mean it.
const HAS_TO_DO: f32 = 0.15;

/// How near to the likeliest another statement must come to be meant too.
const LIKELIEST: f32 = 0.95;

/// Where none is meant so surely: how sure the judge must be of the likeliest ones together, of the best of them, and how near to it the others must come.
/// "Forget about my meds, all of it" means each of them as much as the others.
const MEANT_TOGETHER: f32 = 0.4;
const BEST_TOGETHER: f32 = 0.12;
const NEAR_BEST: f32 = 0.5;

/// Letters of a wish to forget that can only point at what was just said.
const POINTING_LETTERS: usize = 40;

/// What of a user's memories is compared with a new one beside what is near it, the newest.
pub const KNOWN: usize = 120;

/// The words by which a statement is compared: those of the user that it rests on, where a machine learned it from them.
pub fn spoken(memory: &Memory) -> &str {
    match &memory.evidence {
        Some(evidence)
            if memory.origin == Origin::Heuristic && !evidence.is_empty() && !memory.is_put_right() =>
        {
            evidence
        }
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

/// Words that are written as names are and name nothing that a wish could mean.
const NOTHING_NAMED: [&str; 6] = ["i", "sache", "sachen", "ding", "dinge", "thema"];

/// Whether a wish to forget can only point at what was just said: "don't keep that". One that is long or has a name says what it means.
pub fn points_back(wish: &str) -> bool {
    let letters = wish.chars().filter(|character| character.is_alphabetic()).count();
    let mut words = wish.split(|character: char| !character.is_alphanumeric() && character != '\'').skip(1);
    let names = words.any(|word| {
        let capital = word.starts_with(char::is_uppercase) && !word.starts_with("I'");
        capital && !NOTHING_NAMED.contains(&fold(word).as_str())
    });
    letters <= POINTING_LETTERS && !names
}

/// The places of the texts that a wish to forget means: the likeliest, or several that are likely together, and what rests on the same words.
/// None where the judge is not sure of them.
pub fn meant_by(judge: &dyn SpeechJudge, wish: &str, texts: &[&str]) -> HashSet<usize> {
    if texts.is_empty() {
        return HashSet::new();
    }
    let (different, places) = distinct(texts.iter().copied());
    let chances = among(&judge.heed(wish, &different), forgotten_by);
    let enough = meant_from(&chances, wish);
    let meant = |(_, place): &(usize, &usize)| enough.is_some_and(|enough| chances[**place] >= enough);
    places.iter().enumerate().filter(meant).map(|(at, _)| at).collect()
}

/// The chance from which on statements are meant by a wish to forget, of the chances that they share; nothing where none is. Several are meant
/// together only by a wish that asks for all of something.
fn meant_from(chances: &[f32], wish: &str) -> Option<f32> {
    let best = chances.iter().copied().fold(0.0, f32::max);
    if best >= MEANT {
        return Some(best * LIKELIEST);
    }
    let near = best * NEAR_BEST;
    let together: f32 = chances.iter().filter(|chance| **chance >= near).sum();
    (asks_for_all(wish) && best >= BEST_TOGETHER && together >= MEANT_TOGETHER).then_some(near)
}

/// What a candidate does to what stands near it; nothing where the judge has no opinion.
pub(super) fn reconcile(
    judge: &dyn SpeechJudge,
    candidate: &Candidate,
    standing: &[ComparedMemory<'_>],
    session: &SessionKey,
    analyser: &Analyser,
) -> Option<Reconciled> {
    let machine_made = |memory: &Memory| !memory.pinned && memory.origin != Origin::Person;
    let said = candidate.meant();
    let heard = HeardStatement::of(said, analyser);
    let ends = heard.ends();
    // Of two statements that have a form patterns know whether both hold, unless something is said to change or to be over.
    let is_heard = |memory: &Memory| {
        let read_by_patterns = !told::is_verbatim(candidate) && !memory.is_verbatim();
        !read_by_patterns
            || candidate.changing >= CHANGES_SURELY
            || ends
            || heard.revalued(&memory.content).is_some()
            || heard.swapped(&memory.content).is_some()
    };
    let active = standing.iter().map(|near| near.memory).filter(|memory| memory.status == Status::Active);
    let active: Vec<&Memory> = active.filter(|memory| is_heard(memory)).collect();
    if let Some(same) = active.iter().find(|memory| fold(&memory.content) == fold(&candidate.content)) {
        let reason = "says the same in the same words".into();
        return Some(Reconciled::Bump { known: same.id.clone(), reason });
    }
    let (texts, places) = distinct(active.iter().map(|memory| spoken(memory)));
    let (new, known) = (as_new(candidate), as_known(&active, &texts, candidate, session));
    let listened = judge.over_on_second_look(&new, &known);
    // What words hint at is meant where either look finds that the two have to do with each other.
    let first = judge.over(&new, &known);
    let overs: Vec<f32> = first.iter().zip(&listened).map(|(first, second)| first.max(*second)).collect();
    // One memory, of which the judge too hears that something changes; of what was said a moment ago it need not be so sure.
    let here = |memory: &Memory| memory.session.as_ref() == Some(&session.session);
    let correctable = active.iter().zip(&places).filter(|(memory, place)| {
        let needed = if here(memory) { IN_WORDS } else { CORRECTS };
        told::is_verbatim(candidate) && machine_made(memory) && overs[**place] >= needed
    });
    let corrected = correctable.filter_map(|(memory, place)| {
        let content = heard.corrected(&memory.content)?;
        Some((place, Rest { of: memory.id.clone(), content }))
    });
    let corrected: Vec<(&usize, Rest)> = corrected.collect();
    let of_one = corrected.windows(2).all(|pair| pair[0].0 == pair[1].0);
    if let Some((_, first)) = corrected.first().filter(|_| of_one) {
        // Who says more than that says it in words of their own, and what was told goes on with the value put right: of two children's ages
        // one is corrected.
        let short = heard.is_short();
        let says = short.then(|| first.content.clone());
        let mut rests: Vec<Rest> = corrected.into_iter().map(|(_, rest)| rest).collect();
        let replaced = rests.iter().map(|rest| rest.of.clone()).collect();
        rests.drain(..usize::from(short));
        return Some(Reconciled::Supersede {
            replaced,
            rests,
            says,
            reason: "corrects a value of it".into(),
        });
    }
    let in_part = |rests: Vec<Rest>, reason: &str| {
        let replaced = rests.iter().map(|rest| rest.of.clone()).collect();
        Reconciled::Supersede { replaced, rests, says: None, reason: reason.into() }
    };
    let changeable = || active.iter().zip(&places).filter(|(memory, _)| machine_made(memory));
    // Where one value of several is another one now, the statement goes on with it, unless all of it is over.
    let renewed = changeable().filter(|(_, place)| !ends && first[**place] < OVER_AS_A_WHOLE);
    let renewed = renewed.filter_map(|(memory, place)| {
        let chance = overs[*place];
        let anew = || heard.revalued(&memory.content).filter(|_| chance >= REVALUED);
        let content = anew().or_else(|| heard.swapped(&memory.content).filter(|_| chance >= SWAPPED));
        content.map(|content| Rest { of: memory.id.clone(), content })
    });
    let renewed: Vec<Rest> = renewed.collect();
    if !renewed.is_empty() {
        return Some(in_part(renewed, "gives another value of it"));
    }
    // Who died is no more part of what was told of others.
    let mourned = changeable().filter_map(|(memory, _)| {
        let left = rest::without(judge, &memory.content, |text| heard.tells_of_the_death_of(text));
        (!left.is_empty()).then(|| Rest { of: memory.id.clone(), content: left.join(", ") })
    });
    let mourned: Vec<Rest> = mourned.collect();
    if !mourned.is_empty() {
        return Some(in_part(mourned, "somebody in it died"));
    }
    // What denies a statement that it repeats sounds like that statement.
    let sounds_like = |text: &str| judge.compare(said, &[text])[0].same >= SOUNDS_LIKE;
    let by_words = |memory: &Memory, chance: f32| {
        let text = spoken(memory);
        let earlier = HeardStatement::of(text, analyser);
        let anew = heard.names_a_new_one_of(&earlier);
        let born = || heard.tells_of_the_birth_of_who_was_expected_in(&earlier);
        if !ends && !anew && chance < IN_WORDS && !born() {
            return chance;
        }
        // Of several things that were told in one sentence it is about the one that it names.
        let shared = if ends { heard.shared_with(&earlier) } else { 0 };
        let names = |content| heard.shared_with(&HeardStatement::of(content, analyser)) > 0;
        let of_it = || memory.is_verbatim() || names(&memory.content);
        let meant = shared > 0 && of_it();
        let over_said = match shared >= ending::MUCH {
            true if heard.only_ends() => ONLY_ENDS,
            true => OVER_SAID,
            false => OVER_SAID_BARELY,
        };
        let home = |category: Option<&str>| category == Some("home");
        let leaves = home(memory.category.as_deref()) && heard.moves(home(candidate.matter.as_deref()));
        let over_anew = if takes_its_name(candidate, memory) { OVER_ANEW_BY_FORM } else { OVER_ANEW };
        let denied = || heard.repeats(&earlier) && (chance >= IN_WORDS || sounds_like(text));
        match chance {
            _ if meant && (heard.parts_from(&earlier) || denied()) => chance.max(CERTAIN),
            _ if meant && chance >= over_said => chance.max(OVER_OF_RULES),
            _ if chance >= MOVED
                && leaves
                && memory.heard_core().is_none_or(|core| core >= WHERE_SOMEBODY_LIVES) =>
            {
                chance.max(CERTAIN)
            }
            _ if chance >= IN_WORDS && heard.counts_anew(&earlier) => chance.max(CERTAIN),
            _ if chance >= DIED && memory_is_a_fact(memory) && heard.tells_of_the_death_of(text) => {
                chance.max(CERTAIN)
            }
            _ if born() => chance.max(CERTAIN),
            _ if chance >= over_anew && anew => chance.max(CERTAIN),
            _ if chance >= IN_WORDS && heard.gives_another_value_than(&earlier) => chance.max(CERTAIN),
            _ if chance >= MEASURED && heard.measures_anew(&earlier) => chance.max(CERTAIN),
            _ => chance,
        }
    };
    // Where words say nothing the second look knows better.
    let chance = |memory: &Memory, place: usize| {
        let said = by_words(memory, overs[place]);
        if said > overs[place] { said.max(listened[place]) } else { listened[place] }
    };
    let chances: Vec<f32> =
        active.iter().zip(&places).map(|(memory, &place)| chance(memory, place)).collect();
    let judged = || active.iter().zip(chances.iter().copied());
    let takes_back = taken_back::beginning(said) == Some(Beginning::Surely);
    let about_another: OnceCell<Option<f32>> = OnceCell::new();
    // Who plays no more is not the one who plays: a statement of somebody else ends nothing of the user's unless it surely means it.
    let of_others = |memory: &Memory| {
        let said_of_another =
            *about_another.get_or_init(|| heard.names_a_relative().then(|| chance_of_another(judge, said)));
        said_of_another.is_some_and(|new| new - chance_of_another(judge, spoken(memory)) >= OF_ANOTHER)
            && !heard.shares_a_written_name_with(&HeardStatement::of(spoken(memory), analyser))
    };
    let needed = |memory: &Memory| match candidate.kind {
        Kind::Rule => OVER_OF_RULES,
        _ if takes_back && here(memory) => OVER_TAKEN_BACK,
        _ if of_others(memory) => OVER_OF_OTHERS,
        _ if active.len() <= FEW => OVER_OF_FEW,
        _ => OVER,
    };
    let over = judged().filter(|(memory, chance)| {
        machine_made(memory) && *chance >= LEAST_OVER && *chance >= needed(memory)
    });
    // Of several statements that rest on the same words, those that are over by themselves.
    let itself = |memory: &Memory| {
        let reading = judge.compare(said, &[&memory.content])[0];
        let named = ends
            && !memory.is_verbatim()
            && heard.shared_with(&HeardStatement::of(&memory.content, analyser)) >= ending::MUCH;
        reading.replaces + reading.ends + f32::from(u8::from(named))
    };
    let over: Vec<(&&Memory, f32)> = over.collect();
    let most = over.iter().map(|(_, chance)| *chance).fold(0.0, f32::max);
    let likeliest: Vec<&Memory> =
        over.iter().filter(|(_, chance)| *chance >= most).map(|(memory, _)| **memory).collect();
    let best = match likeliest.as_slice() {
        [] => None,
        [one] => Some(*one),
        several => {
            let chances: Vec<f32> = several.iter().map(|memory| itself(memory)).collect();
            (0..several.len()).max_by(|&a, &b| chances[a].total_cmp(&chances[b])).map(|at| several[at])
        }
    };
    if let Some((best, chance)) = best.map(|best| (best, most)) {
        // Of a sentence that says one thing nothing else is left.
        let says_it_alone = |memory: &Memory| ends && judge.clauses(spoken(memory)).len() == 1;
        let over_itself =
            |memory: &Memory| memory.id == best.id || itself(memory) >= OVER_ITSELF || says_it_alone(memory);
        // Who parts from somebody drops what both had planned.
        let also_over = |memory: &Memory, over: f32| over >= ALSO_OVER && memory.is_verbatim();
        let meant = judged().filter(|(memory, over)| {
            machine_made(memory) && (*over >= chance && over_itself(memory) || also_over(memory, *over))
        });
        let replaced = meant.map(|(memory, _)| memory.id.clone());
        let reason = format!("takes the place of what was told before (chance {chance:.2})");
        let replaced: Vec<MemoryId> = replaced.collect();
        let gone: Vec<&&Memory> = active.iter().filter(|memory| replaced.contains(&memory.id)).collect();
        let rests = gone.iter().filter_map(|memory| {
            let named = (ends
                && memory.is_verbatim()
                && !heard.mourns()
                && memory.category.as_deref() != Some("home"))
            .then(|| rest::without_items(&memory.content, |item| heard.names_of(item)));
            let rest = named.flatten().or_else(|| rest_of(judge, candidate, memory));
            let rest = rest.or_else(|| name_of(judge, candidate, memory));
            rest.map(|content| Rest { of: memory.id.clone(), content })
        });
        let mut rests: Vec<Rest> = rests.collect();
        // What is kept with the sentence before it, so that it is understood, tells that sentence too.
        let said: Vec<&str> = gone.iter().map(|memory| spoken(memory)).collect();
        let repeating = active.iter().filter(|memory| machine_made(memory) && !replaced.contains(&memory.id));
        let repeating = repeating.filter_map(|memory| {
            let content = said.iter().find_map(|said| rest::behind(&memory.content, said))?;
            Some(Rest { of: memory.id.clone(), content: content.to_owned() })
        });
        let repeating: Vec<Rest> = repeating.collect();
        let replaced = replaced.into_iter().chain(repeating.iter().map(|rest| rest.of.clone())).collect();
        rests.extend(repeating);
        return Some(Reconciled::Supersede { replaced, rests, says: None, reason });
    }
    let readings = judge.compare(said, &texts);
    let pairs = active.iter().zip(places.iter().map(|&place| readings[place]));
    // What is over is said again only by what says that it is over.
    let pairs = pairs.filter(|(memory, _)| !ends || ending::is_said(spoken(memory)));
    let (same, reading) = pairs.max_by(|a, b| a.1.same.total_cmp(&b.1.same))?;
    (reading.same >= SAME).then(|| Reconciled::Bump {
        known: same.id.clone(),
        reason: format!("says the same again (chance {:.2})", reading.same),
    })
}

/// Whether a memory says that an older statement is over, as it would have where both had come in the order of time.
pub(super) fn ends(
    judge: &dyn SpeechJudge,
    later: &Memory,
    older: &Memory,
    session: &SessionKey,
    analyser: &Analyser,
) -> bool {
    let made_by = if later.is_verbatim() { told::MADE_BY } else { "" };
    let mut said = promote::of_memory(later, Vec::new(), made_by.to_owned());
    said.changing = judge.read(&[spoken(later)], None)[0].changes;
    let older = [ComparedMemory { memory: older, cosine: None }];
    matches!(reconcile(judge, &said, &older, session, analyser), Some(Reconciled::Supersede { .. }))
}

/// What goes on of a memory in the user's own words of which a part is over: "I'm Priya, I teach chemistry" is still Priya when she stops teaching.
fn rest_of(judge: &dyn SpeechJudge, candidate: &Candidate, memory: &Memory) -> Option<String> {
    if !memory.is_verbatim() {
        return None;
    }
    let parts = rest::parts(judge, &memory.content);
    let known: Vec<KnownText<'_>> = parts.iter().map(|part| KnownText::of(part)).collect();
    let over = judge.over(&as_new(candidate), &known);
    let most = over.iter().copied().fold(0.0, f32::max);
    // What stands right behind a part that is over may have leaned on it: "for nineteen years" of which job?
    let mut left: Vec<&str> = Vec::new();
    let mut lost = false;
    for (part, over) in parts.into_iter().zip(over) {
        lost = over >= most * OVER_BESIDE || lost && !rest::is_understood_alone(judge, part);
        if !lost {
            left.push(part);
        }
    }
    (!left.is_empty()).then(|| left.join(", "))
}

/// What goes on of a memory that says among other things what the user is called: that. Who takes another job is called the same.
fn name_of(judge: &dyn SpeechJudge, candidate: &Candidate, memory: &Memory) -> Option<String> {
    let name = memory.own_name()?;
    if introduction::own_name(&candidate.evidence).is_some() {
        return None;
    }
    let clauses =
        judge.clauses(&memory.content).into_iter().map(|clause| memory.content[clause.range].trim());
    let mut saying = clauses.filter(|clause| introduction::own_name(clause).is_some_and(|said| said == name));
    let said = saying.next().map(|clause| clause.trim_end_matches([',', ';', '，', '、']).to_owned());
    Some(said.unwrap_or_else(|| format!("User's name is {name}")))
}

/// The chance that a statement is about somebody else than the user.
fn chance_of_another(judge: &dyn SpeechJudge, text: &str) -> f32 {
    judge.read(&[text], None)[0].of_another
}

/// Whether a memory says how something is, and not what once happened.
fn memory_is_a_fact(memory: &Memory) -> bool {
    memory.kind != Kind::Event
}

/// Whether patterns read both statements as what somebody's thing is.
fn takes_its_name(candidate: &Candidate, memory: &Memory) -> bool {
    candidate.predicate.is_some() && memory.predicate.is_some() && candidate.subject == memory.subject
}

fn as_new(candidate: &Candidate) -> NewStatement<'_> {
    let lasting = if told::is_verbatim(candidate) { candidate.confidence } else { LASTS };
    NewStatement { text: candidate.meant(), kept: &candidate.content, lasting, changes: candidate.changing }
}

/// What stands, by the different words that it rests on.
fn as_known<'a>(
    active: &[&'a Memory],
    texts: &[&'a str],
    candidate: &Candidate,
    session: &SessionKey,
) -> Vec<KnownText<'a>> {
    let known = texts.iter().map(|text| {
        let resting = || active.iter().filter(|memory| spoken(memory) == *text);
        let sure = resting().map(|memory| if memory.is_verbatim() { memory.confidence } else { LASTS });
        let said = resting().map(|memory| memory.valid_from.unwrap_or(memory.created_at)).max();
        let days = candidate.valid_from.zip(said).map(|(now, then)| now.days_since(then).max(0.0) as f32);
        let whole = resting().find(|memory| memory.is_verbatim()).or_else(|| resting().next());
        KnownText {
            kept: whole.map_or(text, |memory| &memory.content),
            lasting: sure.fold(0.0, f32::max),
            together: resting().any(|memory| memory.session.as_ref() == Some(&session.session)),
            days: days.unwrap_or_default(),
            ..KnownText::of(text)
        }
    });
    known.collect()
}

/// How surely a wish takes a statement, where the two have anything to do with each other: who asks that a blood test be forgotten does not mean
/// the rent, however little else is known.
fn forgotten_by(reading: &PairReading) -> f32 {
    if reading.alike >= HAS_TO_DO { reading.forgets } else { 0.0 }
}

/// The chance of each of several earlier statements to be the one that a later statement means: what speaks for it against what speaks for the others
/// and for none of them.
fn among(readings: &[PairReading], means: impl Fn(&PairReading) -> f32) -> Vec<f32> {
    let odds = readings.iter().map(|reading| {
        let nothing = 1.0 - reading.replaces - reading.ends - reading.forgets;
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
        Ok(self.tools.store.list_memories(&filter, PageRequest::newest(KNOWN)).await?.items)
    }

    /// Takes out of a draft what the user asked not to keep, and out of memory what the user asked to forget.
    pub(super) async fn heed_wishes(
        &self,
        writing: &mut BatchBuilder<'_>,
        matter: &SessionSnapshot,
        draft: &mut Draft,
        tally: &mut PassTally,
    ) -> StoreResult<()> {
        if draft.wishes.is_empty() {
            return Ok(());
        }
        let mut known = self.known_of(writing.session).await?;
        // A model names what is meant, among what it was shown; where it does not, the judge finds it.
        let named: Vec<MemoryId> = draft.wishes.iter().flat_map(|wish| wish.known.clone()).collect();
        let listed = |id: &MemoryId| known.iter().any(|memory| memory.id == *id);
        let unlisted: Vec<MemoryId> = named.iter().filter(|id| !listed(id)).cloned().collect();
        let owner = writing.session.owner();
        let others = self.tools.store.memories(&unlisted).await?.into_iter();
        known.extend(
            others.filter(|memory| memory.status == Status::Active && memory.is_within_reach_of(&owner)),
        );
        known.retain(|memory| !memory.pinned && memory.origin != Origin::Person);
        let mut forgotten: BTreeSet<usize> =
            (0..known.len()).filter(|&place| named.contains(&known[place].id)).collect();
        let unnamed: Vec<ForgetWish> =
            draft.wishes.iter().filter(|wish| wish.known.is_empty()).cloned().collect();
        for wish in unnamed {
            let Some(judge) = self.tools.judge.clone() else { break };
            let told = self.meant(&*judge, &wish, matter, draft, &known);
            let all = std::mem::take(&mut draft.candidates);
            let gone: Vec<String> = told
                .candidates
                .iter()
                .filter_map(|&at| all.get(at))
                .map(|one| one.evidence.clone())
                .collect();
            for (place, mut candidate) in all.into_iter().enumerate() {
                // What is kept with the sentence before it tells that sentence too.
                let behind = gone.iter().find_map(|gone| rest::behind(&candidate.content, gone));
                if let Some(behind) = behind.map(str::to_owned) {
                    candidate.content = behind;
                }
                if told.candidates.contains(&place) {
                    draft.leave_out(&candidate);
                    tally.dropped += 1;
                } else {
                    draft.candidates.push(candidate);
                }
            }
            forgotten.extend(told.memories);
        }
        for memory in forgotten.into_iter().map(|place| &known[place]) {
            let mut gone = memory.clone();
            gone.status = Status::Deleted;
            gone.updated_at = writing.now;
            gone.metadata.insert("why".into(), "the user asked to forget it".into());
            writing.change(Change::Put { record: gone.into(), expect: Expect::Version(memory.version) });
            tally.dropped += 1;
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
            !wish.said.contains(&candidate.evidence)
                && candidate.sources.first().is_some_and(|id| order(id) <= asked)
        };
        let own: Vec<usize> =
            (0..draft.candidates.len()).filter(|&at| before(&draft.candidates[at])).collect();
        let said = own.iter().map(|&at| draft.candidates[at].evidence.as_str());
        let (texts, places) = distinct(said.chain(known.iter().map(spoken)));
        let readings = judge.heed(&wish.said, &texts);
        let chances = among(&readings, forgotten_by);
        let enough = meant_from(&chances, &wish.said);
        let chances: Vec<f32> = places.iter().map(|&place| chances[place]).collect();
        // What stands in the wish itself is not to be kept either, where it has the words of one.
        let in_words = has_words_of_a_wish(&wish.said);
        let in_it = |at: &usize| in_words && wish.said.contains(&draft.candidates[*at].evidence);
        let within = (0..draft.candidates.len()).filter(in_it).collect();
        let mut told = MeantByWish { candidates: within, ..MeantByWish::default() };
        if let Some(enough) = enough {
            // The likeliest, and what rests on the same words.
            for (place, _) in chances.iter().enumerate().filter(|(_, chance)| **chance >= enough) {
                match own.get(place) {
                    Some(&at) => told.candidates.insert(at),
                    None => told.memories.insert(place - own.len()),
                };
            }
            return told;
        }
        // "Don't keep that" points at what was just said: in the same message, else in the one before it. A longer wish
        // names what it means, and that is not known.
        if !points_back(&wish.said) {
            return told;
        }
        for back in 0..=1 {
            let there = asked.and_then(|at| at.checked_sub(back)).map(|at| users[at]);
            let said_there =
                |&&at: &&usize| draft.candidates[at].sources.first().is_some_and(|id| Some(id) == there);
            let said_there: Vec<usize> = own.iter().filter(said_there).copied().collect();
            if !said_there.is_empty() {
                told.candidates.extend(said_there);
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

#[cfg(test)]
mod tests {
    use super::{meant_from, points_back};

    #[test]
    fn a_wish_that_names_something_points_at_nothing_else() {
        for wish in [
            "please don't keep that",
            "Forget what I just said",
            "Vergiss die Sache bitte",
            "I'd rather you forget it",
        ] {
            assert!(points_back(wish), "{wish}");
        }
        for wish in ["and please forget what I said about Denise", "olvida lo de Marcos", "забудь про Марину"]
        {
            assert!(!points_back(wish), "{wish}");
        }
    }

    #[test]
    fn a_wish_means_one_thing_surely_or_several_together() {
        let all = "forget about my meds, all of it";
        let meant_by = |chances: &[f32], wish: &str| {
            let enough = meant_from(chances, wish);
            let places = chances.iter().enumerate();
            places
                .filter(|(_, chance)| enough.is_some_and(|enough| **chance >= enough))
                .map(|(at, _)| at)
                .collect::<Vec<_>>()
        };
        assert_eq!(meant_by(&[0.1, 0.6, 0.05], "forget the dog"), [1]);
        assert_eq!(meant_by(&[0.26, 0.02, 0.22], all), [0, 2]);
        assert_eq!(meant_by(&[0.3, 0.05, 0.04], all), [] as [usize; 0], "of one alone it must be surer");
        assert_eq!(
            meant_by(&[0.26, 0.02, 0.22], "forget her birthday"),
            [] as [usize; 0],
            "one of two is meant"
        );
        assert_eq!(meant_by(&[0.02; 40], all), [] as [usize; 0], "of everything a little is nothing");
    }
}
