//! What the user's sentences tell, as the judge of speech reads them.
//!
//! ```text
//! turn → sentences → judge (lasting, quoted, supposed, a wish to forget) → the clause that tells it → candidate
//! ```
//!
//! Patterns find what has a form; the judge finds what people say in any form, and knows whose words they are. What only the judge finds is kept
//! in the user's own words. What patterns found in words that are not the user's own is taken out again.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use jiff::tz::TimeZone;

use super::control::{self, asks_for_silence, has_words_of_a_wish};
use super::crisis;
use super::decide::says_for_good;
use super::draft::{Candidate, Draft, ForgetWish};
use super::given;
use super::model::USUAL_SALIENCE;
use super::quotation::{all_quotations, handed_over, hands_over, is_within, quotations};
use super::taken_back::{self, Beginning};
use super::wish::{AskedSilence, Plainness, WishForm};
use super::{answers, ending, heuristic, introduction, judged, request_words, term};
use crate::limits;
use crate::ports::{SentenceReading, SpeechJudge, SpeechSort};
use crate::text::Analyser;
use crate::text::similarity::word_set;
use crate::types::{Kind, Memory, Role, StatementDurability, Turn, TurnId};

/// Who made a candidate that no pattern made.
pub const MADE_BY: &str = Memory::BY_JUDGE;

/// How sure the judge must be that a sentence lasts.
const LASTING: f32 = 0.2;

/// The same of one that speaks of a change: where it changes something that is known it lasts as long as that would have, else it is let go.
const LASTING_IF_IT_CHANGES: f32 = 0.12;

/// The same of one that says in so many words that something is over.
const LASTING_IF_IT_ENDS: f32 = 0.05;

/// The same of one that the user asks not to forget, where the judge is sure that it is to be kept.
const LASTING_IF_NOT_TO_BE_FORGOTTEN: f32 = 0.01;
const ASKED_SURELY: f32 = 0.9;

/// The same of one that gives a value for another one that it denies: it may change something, or is let go.
const LASTING_IF_IT_CORRECTS: f32 = 0.0;

/// The same of one that the user asks to be kept.
const LASTING_IF_ASKED: f32 = 0.12;

/// The same of one that orders something for every answer.
const LASTING_OF_AN_ORDER: f32 = 0.05;

/// The same of one that is a question from its first word to its last: what lasts is mostly a part of it.
const LASTING_OF_A_QUESTION: f32 = 0.75;

/// The share of a sentence that makes the whole of it.
const WHOLE: f64 = 0.9;

/// The same of one that the judge takes for somebody else's words where nobody else can have said it: "Hi, I'm Tom, I live in Leeds" is in every textbook.
const LASTING_IF_OWN: f32 = 0.25;
const LIKE_A_QUOTATION: f32 = 0.4;

/// How surely each sentence of a first message must tell something, whoever's it may be, for the message to introduce its speaker: nobody hands over a text at
/// the beginning and says nothing of what is to be done with it.
const INTRODUCES: f32 = 0.6;

/// How sure it must be that a sentence lasts that says what its speaker is called.
const LASTING_OF_A_NAME: f32 = 0.05;

/// How surely it is to stand in front of every conversation what somebody is called.
pub(super) const CORE_OF_A_NAME: f32 = 0.95;

/// How sure it must be that a sentence is not its speaker's, before what a pattern read in it is taken out.
const NOT_MEANT: f32 = 0.8;

/// The same in a message that asks for work on a text.
const NOT_MEANT_BESIDE_TEXT: f32 = 0.5;

/// How sure it must be that something is to be kept.
const KEPT: f32 = 0.5;

/// How sure it must be that a sentence without any words for it asks for something to be forgotten: who orders something for all time, or asks that it be
/// kept, asks for nothing of the kind. And from which chance on a quick look is worth a longer one.
const FORGET_UNSAID: f32 = 0.9;
const WORTH_LISTENING: f32 = 0.5;

/// The same of one that speaks of forgetting, and neither asks for it by its form nor is ordinary talk by it.
const FORGET_NEARLY: f32 = 0.95;

/// The same of an order to forget, of one that has a name, and of one that goes on with something else.
const FORGET_IN_WORDS: f32 = 0.3;
const FORGET_BY_NAME: f32 = 0.1;
const FORGET_AND_GO_ON: f32 = 0.5;

/// The same of an order to delete what was told.
const FORGET_BY_DELETING: f32 = 0.15;

/// The same of what asks a memory so plainly that it can hardly be meant otherwise.
const FORGET_ASKED_SURELY: f32 = 0.02;

/// The same of one that asks that nothing of this conversation be kept. Where it does not name the conversation it must be as sure as of an order.
const SILENCE: f32 = 0.025;
const SILENCE_OF_ANYTHING: f32 = FORGET_IN_WORDS;

/// How sure it must be that a sentence speaks of a change.
const CHANGES: f32 = 0.4;

/// How much of a sentence's words what patterns made of it must have to stand for it.
const COVERED: f64 = 0.6;

/// Words that a sentence may have beyond a value that a pattern found in it, and yet say no more.
const LITTLE_MORE: usize = 3;

/// The same in scripts whose words are not set apart.
const LITTLE_MORE_LETTERS: usize = 8;

/// Sentences of one turn that are read: of longer turns the first and the last.
const SENTENCES: usize = 120;

/// Characters of what is kept; what is longer is a story, of which the transcript keeps the rest.
const CHARACTERS: usize = 230;

/// Whether it is in the user's own words.
pub fn is_verbatim(candidate: &Candidate) -> bool {
    candidate.made_by == MADE_BY
}

/// Whether it is kept only if it changes something that is known.
pub(super) fn lasts_by_change_alone(candidate: &Candidate) -> bool {
    is_verbatim(candidate)
        && candidate.confidence < LASTING
        && candidate.durability != StatementDurability::Explicit
}

/// Reads the new turns of a session and betters a draft by what is found.
pub(super) fn improve(
    draft: &mut Draft,
    turns: &[Turn],
    new: &HashSet<TurnId>,
    judge: &dyn SpeechJudge,
    analyser: &Analyser,
    zone: &TimeZone,
) {
    let mut before: Option<String> = None;
    let mut last: Option<&Turn> = None;
    let played = heuristic::played(turns);
    for turn in turns.iter().filter(|turn| turn.role == Role::User) {
        let sentences = sentences_of(&turn.text);
        let texts: Vec<&str> = sentences.iter().map(|range| &turn.text[range.clone()]).collect();
        if new.contains(&turn.id) {
            let readings = judge.listen(&texts, before.as_deref());
            let worked_on = given::given_text(&turn.text);
            let (quotations, mut given) = (quotations(&turn.text), handed_over(&turn.text));
            given.extend(worked_on.parts.iter().cloned());
            let tells = |reading: &SentenceReading| {
                reading.chance(SpeechSort::Lasting) + reading.chance(SpeechSort::Quoted) >= INTRODUCES
            };
            let introduction = before.is_none() && readings.iter().all(tells);
            for (place, reading) in readings.iter().enumerate() {
                let sentence = &sentences[place];
                let asked = heuristic::durability(texts[place]) == Some(StatementDurability::Explicit);
                let foreign = is_within(&quotations, sentence) || !asked && hands_over(&given, sentence);
                let whose = match foreign {
                    true => WhoseSentence::PassedOn,
                    false if played.contains(&turn.id) => WhoseSentence::Played,
                    false if worked_on.is_worked_on && given.is_empty() => WhoseSentence::BesideText,
                    false if worked_on.is_worked_on => WhoseSentence::OutsideText,
                    false if introduction => WhoseSentence::Introduction,
                    false => WhoseSentence::Own,
                };
                match heard_alone(judge, texts[place], whose, before.as_deref()) {
                    Some((alone, heard)) => {
                        let mut told = texts.clone();
                        told[place] = alone;
                        take_in(draft, turn, &told, place, &heard, whose, analyser);
                    }
                    None => take_in(draft, turn, &texts, place, reading, whose, analyser),
                }
            }
            // Nobody wants kept what they ask a memory to forget, whether or not anything is known of it. Whoever only has the words for it asks nothing.
            let asks = |one: &Candidate| {
                is_verbatim(one)
                    && has_words_of_a_wish(&one.evidence)
                    && is_wish(&one.evidence, &judge.read(&[&one.evidence], None)[0])
            };
            draft.candidates.retain(|one| one.sources.first() != Some(&turn.id) || !asks(one));
            draft.wishes.extend(own_wishes(judge, turn));
            taken_back::put_right(draft, turn, &sentences, &readings, judge);
            take_in_answer(draft, turns, turn, &texts, &readings);
            if let Some(last) = last {
                taken_back::put_right_before(
                    draft,
                    last,
                    turn,
                    question_before(turns, turn).is_some(),
                    judge,
                    analyser,
                );
            }
            let said = |candidate: &Candidate| candidate.sources.contains(&turn.id);
            let ends = |one: &Candidate| {
                one.valid_until.is_none() && said(one) && (is_verbatim(one) || term::happens(one))
            };
            let told = draft.candidates.iter_mut().filter(|one| ends(one));
            told.for_each(|candidate| candidate.valid_until = term::end(candidate, turn.at, zone));
        }
        before = texts.first().map(|text| (*text).to_owned()).or(before);
        last = Some(turn);
    }
}

/// What the assistant asked right before a turn.
fn question_before<'a>(turns: &'a [Turn], turn: &Turn) -> Option<&'a str> {
    let before = turns.iter().rev().find(|one| one.session == turn.session && one.index + 1 == turn.index)?;
    answers::question_at_the_end(&before.text).filter(|_| before.role == Role::Assistant)
}

/// Takes in what a turn answers in a word or two to what the assistant asked right before it.
fn take_in_answer(
    draft: &mut Draft,
    turns: &[Turn],
    turn: &Turn,
    texts: &[&str],
    readings: &[SentenceReading],
) {
    let Some(reading) = readings.first().filter(|_| texts.len() == 1) else { return };
    let crisis = crisis::is_crisis(texts[0], reading.chance(SpeechSort::Crisis));
    let question =
        question_before(turns, turn).filter(|_| !crisis && !control::has_words_of_a_wish(texts[0]));
    let told = candidate(turn, texts, 0, reading, reading.chance(SpeechSort::Lasting));
    let Some(answer) = question.and_then(|question| answers::answered(question, texts[0], told)) else {
        return;
    };
    // What a pattern reads in it stands beside it.
    draft.candidates.retain(|one| one.sources.first() != Some(&turn.id) || !is_verbatim(one));
    draft.candidates.push(answer);
}

/// What a turn asks to forget.
fn own_wishes(judge: &dyn SpeechJudge, turn: &Turn) -> Vec<ForgetWish> {
    let wishes = wishes_of(judge, &turn.text).into_iter();
    wishes.map(|said| ForgetWish { turn: turn.id.clone(), said, known: Vec::new() }).collect()
}

/// What the judge adds to what a model made of a session: what each memory is about and how much it matters, where the model
/// did not say; what is never kept, whoever found it; and requests to forget that the model did not hear.
pub(super) fn review(draft: &mut Draft, turns: &[Turn], new: &HashSet<TurnId>, judge: &dyn SpeechJudge) {
    let mut before: Option<String> = None;
    for turn in turns.iter().filter(|turn| turn.role == Role::User) {
        let sentences = sentences_of(&turn.text);
        let texts: Vec<&str> = sentences.iter().map(|range| &turn.text[range.clone()]).collect();
        if new.contains(&turn.id) {
            for (text, reading) in texts.iter().zip(judge.listen(&texts, before.as_deref())) {
                review_sentence(draft, turn, text, &reading);
            }
            // What the model did not hear.
            if draft.wishes.iter().all(|wish| wish.turn != turn.id) {
                draft.wishes.extend(own_wishes(judge, turn));
            }
        }
        before = texts.first().map(|text| (*text).to_owned()).or(before);
    }
}

fn review_sentence(draft: &mut Draft, turn: &Turn, text: &str, reading: &SentenceReading) {
    let rests = |candidate: &Candidate| {
        let carried = candidate.advice.as_ref().is_some_and(|advice| advice.carried_from.is_some());
        let quotes = text.contains(&candidate.evidence) || candidate.evidence.contains(text);
        candidate.sources.first() == Some(&turn.id) && quotes && !carried
    };
    if crisis::is_crisis(text, reading.chance(SpeechSort::Crisis)) {
        draft.candidates.retain(|candidate| !rests(candidate));
        return;
    }
    for candidate in draft.candidates.iter_mut().filter(|candidate| rests(candidate)) {
        if candidate.matter.is_none() && candidate.key.is_none() {
            candidate.category = reading.subject.to_owned();
        }
        candidate.matter.get_or_insert_with(|| reading.subject.to_owned());
        candidate.sensitive |= is_sensitive(reading);
        if candidate.salience == USUAL_SALIENCE {
            candidate.salience = salience(reading);
        }
    }
}

/// What is told only where a message calls for it, unless everyday life needs it in front of every conversation: an allergy, a condition that every meal
/// must heed.
const PRIVATE: [&str; 3] = ["health", "money", "feeling"];

/// The chance of belonging in front of every conversation from which on everyday life needs it there.
const EVERYDAY: f32 = 0.3;

/// Whether a sentence is told only where a message calls for it.
pub(super) fn is_sensitive(reading: &SentenceReading) -> bool {
    PRIVATE.contains(&reading.subject) && reading.core < EVERYDAY
}

/// How much a sentence matters, as the judge hears it.
fn salience(reading: &SentenceReading) -> f32 {
    (0.45 + 0.45 * reading.core).clamp(0.0, 1.0)
}

/// The sentences of a message but for what stands within a text that is handed over: "put this into Italian: forget what I said" asks for nothing.
fn own_sentences_of(message: &str) -> Vec<Range<usize>> {
    let handed_over = given::given_text(message).parts;
    let mut sentences = sentences_of(message);
    sentences.retain(|sentence| !is_within(&handed_over, sentence));
    sentences
}

/// The wishes to forget something that a message of the user's makes. They are the same when it is said and when its conversation is learned from: neither
/// looks at what was said before it.
pub fn wishes_of(judge: &dyn SpeechJudge, message: &str) -> Vec<String> {
    let sentences = own_sentences_of(message);
    let texts: Vec<&str> = sentences.iter().map(|range| &message[range.clone()]).collect();
    if !may_wish(judge, &texts) {
        return Vec::new();
    }
    let readings = judge.listen(&texts, None);
    // Who wants nothing kept of a conversation is heard by that, and names nothing that was told in another one.
    let one = |place: &usize| is_wish(texts[*place], &readings[*place]) && !asks_for_silence(texts[*place]);
    let meant = (0..texts.len()).filter(one);
    meant.map(|place| wish_with_its_matter(message, &sentences, place).to_owned()).collect()
}

/// Sentences of a message in which a wish that has no words for it is looked for. A longer one is a text that is handed over.
const SENTENCES_OF_TALK: usize = 12;

/// Whether a message is worth a longer look for wishes: it speaks of forgetting, or sounds like it.
fn may_wish(judge: &dyn SpeechJudge, texts: &[&str]) -> bool {
    let speaks = |text: &&str| !matches!(control::wish_form(text), WishForm::Nothing | WishForm::Ordinary);
    let sounds = |reading: &SentenceReading| reading.chance(SpeechSort::Forget) >= WORTH_LISTENING;
    texts.iter().any(speaks) || texts.len() <= SENTENCES_OF_TALK && judge.read(texts, None).iter().any(sounds)
}

/// A wish, with the sentence right before it where that says what the wish points at: "What I said about Piers wasn't mine to tell. Please forget that."
/// It is read from the words alone, so that a wish is the same whoever hears it.
fn wish_with_its_matter<'a>(message: &'a str, sentences: &[Range<usize>], place: usize) -> &'a str {
    let wish = &message[sentences[place].clone()];
    let before = place.checked_sub(1).filter(|_| judged::points_back(wish));
    let before = before.filter(|&before| {
        let said = &message[sentences[before].clone()];
        control::names_what_was_told(said) && !has_words_of_a_wish(said)
    });
    &message[sentences[before.unwrap_or(place)].start..sentences[place].end]
}

/// The sentences of a message outside of blocks of code, as they were said.
pub fn spoken_sentences(message: &str) -> Vec<String> {
    sentences_of(message).into_iter().map(|range| message[range].to_owned()).collect()
}

/// Whether a sentence is a wish to forget: by its form first, which says how sure the judge must be that it is meant.
fn is_wish(text: &str, reading: &SentenceReading) -> bool {
    let chance = reading.chance(SpeechSort::Forget);
    if text.chars().nth(limits::WISH_LETTERS).is_some() {
        return false;
    }
    let named = || names_in(text).next().is_some() || is_uncased(text);
    match control::wish_form(text) {
        WishForm::Asked(Plainness::Surely) => chance >= FORGET_ASKED_SURELY,
        WishForm::Asked(Plainness::Deletion) => chance >= FORGET_BY_DELETING,
        WishForm::Asked(Plainness::Order) if named() => chance >= FORGET_BY_NAME,
        WishForm::Asked(Plainness::Order) => chance >= FORGET_IN_WORDS,
        WishForm::Asked(Plainness::GoesOn) => chance >= FORGET_AND_GO_ON,
        WishForm::Ordinary => false,
        WishForm::Near => chance >= FORGET_NEARLY && !control::asks_not_to_forget(text),
        WishForm::Nothing => {
            chance >= FORGET_UNSAID
                && !control::tells_of_not_remembering(text)
                && !control::asks_not_to_forget(text)
        }
    }
}

/// Whether a text is of a script that does not tell names from other words.
fn is_uncased(text: &str) -> bool {
    let mut letters = text.chars().filter(|letter| letter.is_alphabetic());
    letters.next().is_some_and(|letter| !letter.is_lowercase() && !letter.is_uppercase())
}

/// Whether the user asks that nothing at all be kept of the session: in the words for it, and as the judge hears it meant.
pub(super) fn is_silenced(judge: &dyn SpeechJudge, turns: &[Turn]) -> bool {
    let mut users = turns.iter().filter(|turn| turn.role == Role::User);
    users.any(|turn| silences(judge, &turn.text))
}

/// The same of one message.
pub(crate) fn silences(judge: &dyn SpeechJudge, message: &str) -> bool {
    let sentences = own_sentences_of(message);
    let texts: Vec<&str> = sentences.iter().map(|range| &message[range.clone()]).collect();
    let asked: Vec<Option<AskedSilence>> = texts.iter().map(|text| control::silence_of(text)).collect();
    if asked.iter().all(Option::is_none) {
        return false;
    }
    let readings = judge.listen(&texts, None);
    let meant = |(asked, reading): (Option<AskedSilence>, &SentenceReading)| {
        let enough = match asked {
            Some(AskedSilence::OfThisConversation) => SILENCE,
            Some(AskedSilence::OfAnything) => SILENCE_OF_ANYTHING,
            None => return false,
        };
        reading.chance(SpeechSort::Forget) >= enough
    };
    asked.into_iter().zip(&readings).any(meant)
}

/// Whether a sentence of the user's orders that nothing be kept, in so many words.
pub(super) fn orders_silence(turns: &[Turn]) -> bool {
    let mut users = turns.iter().filter(|turn| turn.role == Role::User);
    users.any(|turn| {
        let sentences = sentences_of(&turn.text);
        sentences.into_iter().any(|range| asks_for_silence(&turn.text[range]))
    })
}

/// The sentences of a turn outside of blocks of code and of lines that are nobody's speech, however many there are.
pub(crate) fn all_sentences_of(text: &str) -> Vec<Range<usize>> {
    outside_fences(text).into_iter().flat_map(|part| heuristic::sentences_of(text, part)).collect()
}

/// The same, as many as are read.
fn sentences_of(text: &str) -> Vec<Range<usize>> {
    let mut all = all_sentences_of(text);
    if all.len() > SENTENCES {
        let end = all.split_off(all.len() - SENTENCES / 2);
        all.truncate(SENTENCES / 2);
        all.extend(end);
    }
    all
}

/// Quotations, headings, tables, and lines of a block like our own.
fn is_foreign(line: &str) -> bool {
    let line = line.trim();
    let told = line.trim_start_matches(['-', ' ']);
    let of_block = ["User ", "User's ", "Today is "].iter().any(|start| told.starts_with(start));
    let repeats = line.starts_with("- ")
        && (told.contains(" said on ") || told.starts_with("Until ") || is_quoted_line(told));
    line.starts_with(['>', '#', '|']) || line.starts_with("- [") || of_block || repeats
}

/// A line of a block like our own that quotes the user: nothing but the quotation, and its day where it has one.
fn is_quoted_line(line: &str) -> bool {
    let dated = |line: &str| {
        line.ends_with(')') && line.rfind("\" (").is_some_and(|at| line.len() - at == "\" (2026-01-01)".len())
    };
    line.starts_with('"') && line.len() > 1 && (line.ends_with('"') || dated(line))
}

/// The parts of a text between blocks of code and lines that are nobody's speech.
fn outside_fences(text: &str) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let (mut at, mut inside) = (0, false);
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        if inside || fence || is_foreign(line) {
            continue;
        }
        match parts.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => parts.push(range),
        }
    }
    parts
}

/// What of a sentence must be heard without what stands around it: what is stated before a question, and what is said beside a text that is no part of it.
fn heard_alone<'a>(
    judge: &dyn SpeechJudge,
    text: &'a str,
    whose: WhoseSentence,
    before: Option<&str>,
) -> Option<(&'a str, SentenceReading)> {
    let stated = request_words::stated_before_question(text);
    let stated =
        stated.and_then(|stated| Some((stated, judge.listen(&[stated], before).into_iter().next()?)));
    let stated = stated.filter(|(_, reading)| is_stated(reading));
    if stated.is_some() || whose != WhoseSentence::OutsideText {
        return stated;
    }
    Some((text, judge.listen(&[text], None).into_iter().next()?))
}

/// How sure the judge must be that what was stated before a question lasts, and that it is nobody else's.
const STATED: f32 = 0.3;

fn is_stated(reading: &SentenceReading) -> bool {
    reading.chance(SpeechSort::Lasting) >= STATED && reading.chance(SpeechSort::Quoted) < LIKE_A_QUOTATION
}

/// Whose words a sentence is, as the marks and the turns around it show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WhoseSentence {
    Own,
    /// Of a first message that tells and asks for nothing.
    Introduction,
    /// In a message that asks for work on a text, which it may be a part of.
    BesideText,
    /// In a message that hands over a text, and no part of it.
    OutsideText,
    /// Said in a part that is played.
    Played,
    /// Within a quotation, or handed over to be worked on.
    PassedOn,
}

fn take_in(
    draft: &mut Draft,
    turn: &Turn,
    texts: &[&str],
    place: usize,
    reading: &SentenceReading,
    whose: WhoseSentence,
    analyser: &Analyser,
) {
    let text = texts[place];
    let found = |candidate: &Candidate| {
        candidate.sources.first() == Some(&turn.id)
            && (text.contains(&candidate.evidence) || candidate.evidence.contains(text))
    };
    // In a message that shows no mark of it nothing is quoted so surely that what patterns read is taken out, and a sentence alone is its speaker's.
    let beside_text = whose == WhoseSentence::BesideText;
    let outside_text = whose == WhoseSentence::OutsideText;
    let unmarked = outside_text
        || !beside_text && !turn.text.trim().contains('\n') && !texts.iter().any(|text| marked(text));
    let own = unmarked && (texts.len() == 1 || outside_text || whose == WhoseSentence::Introduction);
    let quoted = if unmarked { 0.0 } else { reading.chance(SpeechSort::Quoted) };
    let crisis = crisis::is_crisis(text, reading.chance(SpeechSort::Crisis));
    let foreign = if beside_text { NOT_MEANT_BESIDE_TEXT } else { NOT_MEANT };
    if quoted >= foreign || crisis || whose == WhoseSentence::PassedOn {
        let gone: Vec<Candidate> = draft.candidates.iter().filter(|one| found(one)).cloned().collect();
        draft.candidates.retain(|one| !found(one));
        gone.iter().for_each(|candidate| draft.leave_out(candidate));
        return;
    }
    // "From now on I work four days a week" orders nothing.
    let of_oneself = reading.subject != "instruction" && speaks_of_oneself(text);
    draft.candidates.retain(|one| {
        !(of_oneself && found(one) && one.kind == Kind::Rule && one.made_by.ends_with("from_now_on"))
    });
    for candidate in draft.candidates.iter_mut().filter(|one| found(one)) {
        candidate.matter = Some(reading.subject.to_owned());
        candidate.changes |= reading.changes >= CHANGES;
        candidate.changing = candidate.changing.max(reading.changes);
        let named =
            candidate.predicate.as_deref().is_some_and(|predicate| ["NAMED", "GOES_BY"].contains(&predicate));
        candidate.core = Some(if named { reading.core.max(CORE_OF_A_NAME) } else { reading.core });
        candidate.dated = Some(reading.dated);
        candidate.sensitive |= is_sensitive(reading);
    }
    // What is longer than a quotation may be is no sentence, and a draft has room for a conversation and not for a document.
    if text.len() > limits::EVIDENCE_BYTES
        || draft.candidates.len() >= heuristic::CANDIDATES_MAXIMUM
        || matches!(whose, WhoseSentence::Played | WhoseSentence::PassedOn)
    {
        return;
    }
    let among = if own { 1.0 - reading.chance(SpeechSort::Quoted) } else { 1.0 };
    let asked = heuristic::durability(text) == Some(StatementDurability::Explicit);
    let like_a_quotation = own
        && reading.chance(SpeechSort::Quoted) >= LIKE_A_QUOTATION
        && all_quotations(text).is_empty()
        && !only_asks(text, reading);
    let name = match own && whose == WhoseSentence::Introduction {
        // Nobody else can have said it.
        true => introduction::own_name(text).filter(|_| all_quotations(text).is_empty()),
        false => own_name(text, reading),
    };
    let corrects = ending::gives_another_value(text);
    // "I meant 3.12, not 3.11" says nothing by itself.
    draft.candidates.retain(|one| !(corrects && found(one) && one.predicate.as_deref() == Some("MEANT")));
    // What was said to be remembered and has no form that is known is kept as it was said.
    let to_remember =
        draft.candidates.iter().any(|one| found(one) && one.predicate.as_deref() == Some("SAID"));
    if control::is_errand(text) {
        draft.candidates.retain(|one| !(found(one) && one.predicate.as_deref() == Some("SAID")));
        return;
    }
    let needed = match asked {
        _ if to_remember => 0.0,
        _ if name.is_some() => LASTING_OF_A_NAME,
        _ if reading.asked_to_keep >= ASKED_SURELY && control::asks_not_to_forget(text) => {
            LASTING_IF_NOT_TO_BE_FORGOTTEN
        }
        _ if reading.subject == "instruction" && says_for_good(text) => LASTING_OF_AN_ORDER,
        true => LASTING_IF_ASKED,
        false if corrects => LASTING_IF_IT_CORRECTS,
        false if reading.changes >= CHANGES => LASTING_IF_IT_CHANGES,
        false if like_a_quotation => LASTING_IF_OWN,
        false if only_asks(text, reading) => LASTING_OF_A_QUESTION,
        false if ending::is_said(text) => LASTING_IF_IT_ENDS,
        false => LASTING,
    };
    // What is left when nobody else can be its speaker.
    let lasting = (reading.chance(SpeechSort::Lasting) / among.max(f32::EPSILON)).min(1.0);
    if lasting < needed {
        return;
    }
    // It lasts by itself, and not only where it changes something.
    let introduces = like_a_quotation && lasting >= LASTING_IF_OWN;
    let lasting = if introduces || name.is_some() { lasting.max(LASTING) } else { lasting };
    draft.candidates.retain(|one| !(found(one) && one.predicate.as_deref() == Some("SAID")));
    let mut candidate = candidate(turn, texts, place, reading, lasting);
    if to_remember {
        candidate.content = clipped(request_words::without_request(text));
    }
    if name.is_some() {
        candidate.core = Some(reading.core.max(CORE_OF_A_NAME));
    }
    let told = word_set(&candidate.content, analyser);
    let known = || draft.candidates.iter().filter(|one| found(one));
    let said: BTreeSet<String> = known().flat_map(|one| word_set(&one.content, analyser)).collect();
    let more = told.difference(&said).count();
    // "I moved to Irvine last week" says no more than where the user lives; "my friend Clara is getting divorced" says more than who she is.
    // To ask that it be kept takes words too.
    let formal = known().any(|one| one.single_valued || one.durability == StatementDurability::Explicit);
    let wide = text.chars().any(|character| character >= '\u{2E80}');
    // "I'm Tom, I live in Leeds and work as a plumber": where patterns read several things, the little that they leave is one more.
    let several = known().count() > 1;
    let little = match formal && !several {
        true if wide => LITTLE_MORE_LETTERS,
        true => LITTLE_MORE,
        false => 1,
    };
    let covered = more as f64 <= (1.0 - COVERED) * told.len() as f64;
    // Who else is named is more, however little it takes: "and so is Tom". So is that it is over.
    let unsaid =
        |name: &str| known().all(|one| !one.made_by.starts_with("de.") && !one.content.contains(name));
    let names = names_in(&candidate.content).any(unsaid);
    let over = ending::is_said(text) && known().all(|one| !ending::is_said(&one.content));
    let joined = behind_a_joint(text).is_some_and(|behind| {
        let told = word_set(behind, analyser);
        told.len() >= JOINED_WORDS && told.is_disjoint(&said)
    });
    // "My dad Frank has dementia" says more than who Frank is, in one word.
    let who_somebody_is = known().any(|one| one.kind == Kind::Relationship);
    let of_naming = |word: &&String| OF_NAMING.contains(&word.as_str());
    let more_than_who = who_somebody_is && told.difference(&said).any(|word| !of_naming(&word));
    let little_more = (more <= little || covered && !several) && !more_than_who;
    let nothing_more = little_more && !names && !over && !joined;
    if said.is_empty() || !nothing_more {
        // "My dog Biscuit died" does not say that Biscuit is the user's dog.
        let denied = |one: &Candidate| {
            let named = one.object.as_deref().filter(|_| !ending::is_said(&one.content));
            named.is_some_and(|object| ending::denies(text, object))
        };
        let lost = |one: &Candidate| {
            one.kind == Kind::Relationship && ending::is_of_a_loss(text, &one.content) || denied(one)
        };
        draft.candidates.retain(|one| !(lasting >= LASTING && found(one) && lost(one)));
        draft.candidates.push(candidate);
    }
}

/// Stems of the words around a name that say no more than that it is one.
const OF_NAMING: [&str; 5] = ["call", "name", "known", "goe", "go"];

/// How speakers name themselves as those who do something, folded.
const ONESELF: &str = "i we ich wir je j nous yo nosotros eu nos io noi ik wij we ja my я мы ben biz मैं हम";

fn speaks_of_oneself(text: &str) -> bool {
    let folded = crate::text::fold(text);
    let mut words = folded.split(|character: char| !character.is_alphanumeric());
    words.any(|word| !word.is_empty() && ONESELF.split(' ').any(|oneself| oneself == word))
}

/// What the user says in a sentence that they are called: in words of their own, and not in a question, a template or a story.
fn own_name(text: &str, reading: &SentenceReading) -> Option<String> {
    let meant = reading.chance(SpeechSort::Quoted) < LIKE_A_QUOTATION
        && reading.chance(SpeechSort::Supposed) < LIKE_A_QUOTATION
        && all_quotations(text).is_empty()
        && !text.trim_end().ends_with(['?', '？', '؟'])
        && !text.contains(['[', '{', '<', ':', '：', '“', '„', '«', '「']);
    introduction::own_name(text).filter(|_| meant)
}

/// Words behind an "and" that say something of their own: "I live in Oslo and work as a nurse".
const JOINED_WORDS: usize = 2;

/// What joins two statements in the languages that write words apart.
const JOINTS: &str = "and und y et en i и ve och e og ja și és";

/// What stands behind the last word that joins two statements.
fn behind_a_joint(text: &str) -> Option<&str> {
    let joint = |word: &str| JOINTS.split_whitespace().any(|joint| joint == word);
    let places = text.split_inclusive(char::is_whitespace).scan(0, |at, word| {
        *at += word.len();
        Some((*at, joint(&word.trim().to_lowercase())))
    });
    places.filter(|(_, joins)| *joins).last().map(|(end, _)| &text[end..])
}

/// The words of a text that are written as names; the first one is written so in any case. In German every noun is.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.skip(1).filter(|word| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    })
}

/// Whether a sentence is a question, and what it tells no smaller part of it.
fn only_asks(text: &str, reading: &SentenceReading) -> bool {
    let whole = reading.clause.len() as f64 >= WHOLE * text.len() as f64;
    whole && text.trim_end().ends_with(['?', '？', '؟'])
}

/// Whether a sentence shows that it is not its speaker's.
fn marked(text: &str) -> bool {
    text.contains(['"', '“', '”', '„', '«', '»', '「', '『', ':', '：', '>', '*'])
        || text.starts_with(['\'', '‘', '-'])
}

pub(super) fn candidate(
    turn: &Turn,
    texts: &[&str],
    place: usize,
    reading: &SentenceReading,
    lasting: f32,
) -> Candidate {
    let text = texts[place];
    let clause = text.get(reading.clause.clone()).filter(|clause| !clause.trim().is_empty()).unwrap_or(text);
    let clause = request_words::without_request(clause);
    let content = standing_alone(clause, texts, place, reading);
    let kind = kind_of(reading.subject);
    Candidate {
        layer: kind.usual_layer(),
        kind,
        key: None,
        category: reading.subject.to_owned(),
        matter: Some(reading.subject.to_owned()),
        subject: None,
        predicate: None,
        object: None,
        evidence: text.to_owned(),
        sources: vec![turn.id.clone()],
        confidence: lasting,
        salience: salience(reading),
        tags: Vec::new(),
        emotion: None,
        valid_from: Some(turn.at),
        valid_until: None,
        durability: match heuristic::durability(text) {
            Some(said) => said,
            None if reading.asked_to_keep >= KEPT => StatementDurability::Explicit,
            None => StatementDurability::Lasting,
        },
        single_valued: false,
        made_by: MADE_BY.to_owned(),
        advice: None,
        changes: reading.changes >= CHANGES,
        changing: reading.changes,
        core: Some(reading.core),
        dated: Some(reading.dated),
        sensitive: is_sensitive(reading),
        put_right: false,
        content,
    }
}

/// How sure the judge must be that whom a sentence is about stands in another one.
const ELSEWHERE: f32 = 0.6;

/// Letters of the sentence before it that are kept with it at least and at most: "Exactly." names nobody.
const BEFORE_LETTERS: std::ops::RangeInclusive<usize> = 12..=90;

/// The same of scripts whose letters are words.
const BEFORE_WIDE_LETTERS: usize = 5;

/// A clause with what it needs to be understood by itself: where it does not name whom it is about, the sentence before it.
fn standing_alone(clause: &str, texts: &[&str], place: usize, reading: &SentenceReading) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let clause = one_line(clause);
    let before = place.checked_sub(1).map(|at| one_line(texts[at]));
    let needed = |before: &String| {
        reading.subject_elsewhere >= ELSEWHERE
            && names_somebody(before)
            && taken_back::beginning(before) != Some(Beginning::Surely)
            && !before.ends_with(['?', '？', '؟'])
    };
    let joined = before.filter(needed).map(|before| {
        let ends = before.ends_with(['.', '!', '?', '。', '！', '？', '।', '؟', '…', ':', ',']);
        format!("{before}{} {clause}", if ends { "" } else { "." })
    });
    let content = joined.filter(|joined| joined.chars().count() <= CHARACTERS).unwrap_or(clause);
    clipped(&content)
}

/// A text as long as what is kept may be.
pub(super) fn clipped(text: &str) -> String {
    crate::text::clip(text, CHARACTERS)
}

/// Whether a sentence is long enough to name whom the next one is about, and short enough to stand before it.
fn names_somebody(text: &str) -> bool {
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    let wide = text.chars().any(|character| character >= '\u{2E80}');
    let enough = if wide { BEFORE_WIDE_LETTERS } else { *BEFORE_LETTERS.start() };
    letters >= enough && text.chars().count() <= *BEFORE_LETTERS.end()
}

/// The kind of record that says such a thing.
fn kind_of(subject: &str) -> Kind {
    match subject {
        "instruction" => Kind::Rule,
        "preference" => Kind::Preference,
        "schedule" => Kind::Commitment,
        "event" | "feeling" => Kind::Event,
        _ => Kind::Fact,
    }
}
