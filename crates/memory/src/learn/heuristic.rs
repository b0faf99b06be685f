//! The heuristic distiller: from a session's turns to what might be worth remembering, with no model.
//!
//! ```text
//! turn → guard (own speech) → sentences → clauses (stated, asked, supposed, quoted) → patterns → candidates
//!                                        ↘ entities, summary, topics, dates → graph, episode
//! ```
//!
//! Only the user's turns are read: what an assistant, a tool or a system message says is not evidence of anything. The
//! patterns are tables in the folder of each language ([`crate::language`]). Precision goes before recall throughout, because
//! what is not caught stays in the transcript and can be found there, while what is caught wrongly is believed.

mod build_candidate;
mod clauses;
mod dates;
mod entities;
pub mod feelings;
mod jokes;
mod kin;
mod lexicon;
mod list_commas;
mod names;
mod normalise;
mod object;
mod own_speech;
mod pattern;
mod phrases;
pub mod salient_sentences;
mod sentences;
mod slot_limits;
mod slots;
mod summary;
#[cfg(test)]
mod tests;
mod topics;

use self::build_candidate::RuleMatch;
use self::clauses::Sentence;
use self::lexicon::{CompiledRule, TONGUES, Tongue};
use self::own_speech::{Played, RoleGame};
use crate::language::{DistilRule, RulePlace};
use crate::learn::draft::{Candidate, Draft};
use crate::text::{Analyser, emotion, lexer};
use crate::types::{Kind, Origin, Role, StatementDurability, Turn, TurnId};
use jiff::tz::TimeZone;
use std::collections::HashSet;

/// What is known of a session from before the turns at hand.
#[derive(Debug, Clone, Copy, Default)]
pub struct SessionBackground<'a> {
    /// Earlier turns of the same session, already distilled. The episode covers them; they give no candidates.
    pub earlier: &'a [Turn],
    /// Names of entities that are known already: a name at a sentence's beginning is believed if it is one of them.
    pub known_names: &'a [String],
    /// Where the user is; UTC where that is not known.
    pub zone: Option<&'a TimeZone>,
}

/// Candidates of one draft. A session that gives more is a document, not a conversation.
pub const CANDIDATES_MAXIMUM: usize = 200;

/// One turn of the user, with its sentences.
struct UserTurn<'a> {
    turn: &'a Turn,
    sentences: Vec<Sentence<'a>>,
    /// Whether it was said before the turns at hand.
    earlier: bool,
}

/// How long a sentence itself says that it holds: for good, or for the moment.
pub fn durability(text: &str) -> Option<StatementDurability> {
    let tokens = lexer::lex(text, 0..text.len());
    let unspaced = tokens.iter().any(|token| token.lower.starts_with(lexer::is_unspaced));
    let tongues = || TONGUES.iter().filter(|tongue| unspaced || !tongue.unspaced);
    if tongues().any(|tongue| tongue.durable.stands_in(&tokens)) {
        return Some(StatementDurability::Explicit);
    }
    tongues().any(|tongue| tongue.passing.stands_in(&tokens)).then_some(StatementDurability::Turn)
}

/// The key of what a predicate says of the user, where that has one value at a time: `LIVES_IN` is `home:city`.
pub fn slot_of(predicate: &str) -> Option<String> {
    let rules = TONGUES.iter().flat_map(|tongue| &tongue.rules).map(|compiled| compiled.rule);
    // "IS" says a profession in one sentence and a mood in the next.
    let mut slots = rules.filter(|rule| rule.predicate != "IS").filter_map(|rule| {
        let slot = rule.slot?;
        match rule.predicate.split_once("{what}") {
            None => (rule.predicate == predicate).then(|| slot.to_owned()),
            Some(("", _)) => None,
            Some((before, _)) => {
                let what = predicate.strip_prefix(before).filter(|what| !what.is_empty())?;
                Some(slot.replace("{what}", &normalise::slug(what)))
            }
        }
    });
    slots.next()
}

/// Whether a word with a capital, in lower case, is what people are and not what they are called: of a nation, a faith, a trade.
pub(super) fn is_no_name(word: &str) -> bool {
    lexicon::TONGUES.iter().any(|tongue| tongue.not_names.contains(word) || tongue.professions.contains(word))
}

/// Distils the turns of a session. Every candidate quotes a user's turn among `turns`.
pub fn distil(turns: &[Turn], context: SessionBackground<'_>, analyser: &Analyser) -> Draft {
    let heard = listen(turns, context);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut relations = Vec::new();
    for heard in heard.iter().filter(|heard| !heard.earlier) {
        for sentence in &heard.sentences {
            for found in read(sentence) {
                let Some(candidate) = found.candidate(heard.turn) else { continue };
                // "We moved to Postgres" is no change of address.
                let home = candidate.predicate.as_deref() == Some("LIVES_IN");
                if home && candidate.object.as_deref().is_some_and(entities::is_tool) {
                    continue;
                }
                if found.rule.relates {
                    relations.extend(entities::relation(&candidate));
                }
                add(candidate, &mut candidates);
            }
        }
    }
    for heard in heard.iter().filter(|heard| !heard.earlier) {
        relations.extend(kin::relations(heard));
    }
    candidates.truncate(CANDIDATES_MAXIMUM);
    let entities = entities::spot(&heard, &relations, context.known_names);
    let episode = summary::digest(&heard, &candidates, &entities, analyser);
    Draft {
        origin: Origin::Heuristic,
        episode,
        candidates,
        entities,
        relations,
        wishes: Vec::new(),
        unsupported: 0,
    }
}

/// The sentences of the user's own speech. A game of roles, once begun, is passed over until it ends.
fn listen<'a>(turns: &'a [Turn], context: SessionBackground<'a>) -> Vec<UserTurn<'a>> {
    let mut heard = Vec::new();
    let mut game = None;
    let mut others = false;
    let earlier = context.earlier.iter().map(|turn| (turn, true));
    for (turn, earlier) in earlier.chain(turns.iter().map(|turn| (turn, false))) {
        if turn.role != Role::User {
            continue;
        }
        if matches!(RoleGame::step(&mut game, turn), Played::Yes | Played::Ends) {
            continue;
        }
        let Ok(speech) = own_speech::listen(&turn.text) else { continue };
        let today = context.zone.map_or_else(|| turn.at.date(), |zone| turn.at.date_in(zone));
        let mut sentences: Vec<Sentence> = speech
            .parts
            .iter()
            .flat_map(|part| sentences::split(&turn.text, part.clone()))
            .map(|range| Sentence::read(&turn.text, range, today, context.zone))
            .collect();
        let asks = sentences.iter().any(Sentence::asks_for_help);
        for sentence in &mut sentences {
            sentence.others_before = others;
            others |= slot_limits::names_others(sentence);
            sentence.turn_asks = asks;
            sentence.turn_shows_code = speech.shows_code;
        }
        // What a turn begins with may go on with whom the turn before it ended.
        others = sentences.iter().any(slot_limits::names_others);
        heard.push(UserTurn { turn, sentences, earlier });
    }
    heard
}

/// The user's turns that are part of a game of roles or an exercise, whose "I" is nobody.
pub fn played(turns: &[Turn]) -> HashSet<TurnId> {
    use own_speech::Silence::{Exercise, RolePlay};
    let mut played = HashSet::new();
    let mut game = None;
    for turn in turns.iter().filter(|turn| turn.role == Role::User) {
        let is_part = match RoleGame::step(&mut game, turn) {
            Played::Ends => false,
            Played::Yes | Played::Begins => true,
            Played::No => matches!(own_speech::listen(&turn.text), Err(RolePlay | Exercise)),
        };
        if is_part {
            played.insert(turn.id.clone());
        }
    }
    played
}

/// The sentences of a part of a text.
pub fn sentences_of(text: &str, part: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    sentences::split(text, part)
}

/// Everything that the rules find in a sentence.
fn read<'a>(sentence: &'a Sentence<'a>) -> Vec<RuleMatch<'a>> {
    let mut found = Vec::new();
    let unspaced = sentence.tokens.iter().any(|token| token.lower.starts_with(lexer::is_unspaced));
    for tongue in TONGUES.iter().filter(|tongue| unspaced || !tongue.unspaced) {
        let states = |rule: &DistilRule| {
            rule.kind != Kind::Rule && matches!(rule.place, RulePlace::Clause | RulePlace::Sentence)
        };
        scan(sentence, tongue, true, states, &mut found);
        scan(sentence, tongue, true, |rule| rule.kind == Kind::Rule, &mut found);
        scan(sentence, tongue, false, |rule| rule.place == RulePlace::Anywhere, &mut found);
        if found.is_empty() {
            scan(sentence, tongue, true, |rule| rule.place == RulePlace::Otherwise, &mut found);
        }
    }
    found
}

/// Tries the chosen rules at every word. Where `exclusive`, what one rule has read is not read again.
fn scan<'a>(
    sentence: &'a Sentence<'a>,
    tongue: &'a Tongue,
    exclusive: bool,
    chosen: impl Fn(&DistilRule) -> bool,
    found: &mut Vec<RuleMatch<'a>>,
) {
    let mut at = 0;
    while at < sentence.tokens.len() {
        let attempt = tongue
            .beginning_with(&sentence.tokens[at].lower)
            .filter(|compiled| chosen(compiled.rule) && may_stand(compiled.rule, sentence, tongue, at))
            .find_map(|compiled| try_rule(compiled, sentence, tongue, at));
        match attempt {
            Some(one) => {
                let end = one.matched.tokens.end;
                found.push(one);
                at = if exclusive { end.max(at + 1) } else { at + 1 };
            }
            None => at += 1,
        }
    }
}

fn try_rule<'a>(
    compiled: &'a CompiledRule,
    sentence: &'a Sentence<'a>,
    tongue: &'a Tongue,
    at: usize,
) -> Option<RuleMatch<'a>> {
    let rule = compiled.rule;
    let matched = compiled.pattern.match_at(sentence, tongue, rule, at)?;
    let words = &sentence.text[sentence.span(matched.tokens.clone())];
    if !slot_limits::may_be_told(sentence, tongue, rule, &matched.tokens)
        || jokes::is_joke(sentence, rule, words)
    {
        return None;
    }
    let dated = sentence.times_of(matched.tokens.clone()).next().is_some();
    let passes = (!rule.needs_date || dated)
        && (!rule.uncoded || !sentence.turn_shows_code || dated)
        && (!rule.specific || !sentence.turn_asks || dated || is_specific(sentence, &matched));
    if !passes {
        return None;
    }
    Some(RuleMatch { sentence, tongue, rule, matched })
}

/// Whether a rule's conditions on the place and the sentence are met.
fn may_stand(rule: &DistilRule, sentence: &Sentence, tongue: &Tongue, at: usize) -> bool {
    let placed = match rule.place {
        RulePlace::Clause => sentence.starts[at] && !sentence.asked[at],
        RulePlace::Sentence | RulePlace::Otherwise => at == sentence.first_word() && !sentence.asked[at],
        RulePlace::Anywhere => sentence.tokens[at].is_word && !sentence.quoted[at],
    };
    placed
        && (!rule.unasked || !sentence.turn_asks)
        && (rule.after.is_empty() || sentence.says_before(rule.after, at))
        && !sentence.is_supposed(at, tongue)
}

/// Whether it names or counts something, so that it means something without the conversation around it.
fn is_specific(sentence: &Sentence, matched: &pattern::PatternMatch) -> bool {
    let words = &sentence.tokens[matched.tokens.start + 1..matched.tokens.end];
    words.iter().any(|token| token.has_digit() || token.lower != "i" && token.is_capitalised(sentence.text))
}

/// Adds a candidate, or a source to the one that says the same.
fn add(candidate: Candidate, candidates: &mut Vec<Candidate>) {
    let same = candidates
        .iter_mut()
        .find(|known| known.content == candidate.content && known.kind == candidate.kind);
    match same {
        Some(known) => {
            let new = candidate.sources.into_iter().filter(|source| !known.sources.contains(source));
            known.sources.extend(new.collect::<Vec<_>>());
        }
        None => candidates.push(candidate),
    }
}
