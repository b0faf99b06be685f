//! A sentence with what the rules must know about each of its places: does a clause begin here, is it asked, is it
//! quoted, is it only supposed?
//!
//! People put a fact and a request into one breath ("I'm 35 and live in Oslo, how can I …?"), so a question mark does not
//! make a sentence a question: the clause that begins like one does, and what stands before it was stated.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::lexer::{LexedToken, lex};
use super::lexicon::{OPENERS, TONGUES, Tongue};
use super::phrases::Phrases;
use crate::text::TimeSpan;
use crate::text::time::find;
use crate::types::Time;

/// Longer sentences are data or a mistake; nobody reads them out.
const TOKENS_MAXIMUM: usize = 400;

/// Words that state their clause even inside a question: "how do I …, considering I am 35".
const STATING: [&str; 6] = ["considering", "given", "since", "because", "as", "especially"];

/// Verbs behind which a clause is somebody else's, with a comma or without.
const REPORTING: [&str; 14] = [
    "said", "says", "say", "told", "asked", "wrote", "thinks", "claims", "claimed", "replied", "goes",
    "quote", "quoted", "tells",
];

/// Words before `that` which make the clause behind it a statement.
const ASSERTING: [&str; 14] = [
    "remember",
    "note",
    "mention",
    "given",
    "mind",
    "glad",
    "considering",
    "share",
    "forget",
    "happy",
    "fact",
    "say",
    "know",
    "sad",
];

/// What people say when they want something done, and when they are about to ask for it.
static HELP: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "not_sure having_trouble need_help need_some_help am_stuck wondering having_issues running_into struggling
        need_assistance having_difficulty having_some_trouble having_some_issues help_me unsure can_not_figure
        keep_getting looking_for_advice looking_for_some can_you_help could_you_help can_you_give can_you_show can_you_explain
        can_you_review can_you_suggest can_you_provide can_you_create can_you_write can_you_check can_you_tell can_you_offer
        can_you_recommend could_you_give could_you_show could_you_explain could_you_suggest could_you_provide
        would_you_mind how_do_i how_can_i how_should_i how_would_i how_could_i how_to should_i can_i could_i do_i
        what_should what_are_some what_are_the what_is_the what_would_be what_steps any_tips any_advice any_ideas
        any_suggestions any_recommendations do_you_recommend would_you_recommend is_there_a is_there_any
        are_there_any best_way help_with give_me_some i_need_help can_someone please_help please_provide want_to_make_sure
        wanna_know want_to_know do_you_have_any what_do_you_think do_you_think what_strategies what_other will_this am_i",
    )
});

pub(super) struct Sentence<'a> {
    pub text: &'a str,
    pub range: Range<usize>,
    pub tokens: Vec<LexedToken>,
    /// Whether a clause begins at each token.
    pub starts: Vec<bool>,
    /// Whether each token belongs to a question or a request.
    pub asked: Vec<bool>,
    pub quoted: Vec<bool>,
    /// The day it was said, where the user is.
    pub today: Date,
    pub zone: Option<&'a TimeZone>,
    /// Time expressions, in bytes of the turn's text.
    pub times: Vec<TimeSpan>,
    /// Whether the turn asks for something, or shows code: facts of the turn, kept where the rules look.
    pub turn_asks: bool,
    pub turn_shows_code: bool,
    /// Whether somebody else was spoken of right before, in a language whose sentences need no subject.
    pub others_before: bool,
}

impl<'a> Sentence<'a> {
    pub fn read(text: &'a str, range: Range<usize>, today: Date, zone: Option<&'a TimeZone>) -> Self {
        let mut tokens = lex(text, range.clone());
        tokens.truncate(TOKENS_MAXIMUM);
        let mut times = find(&text[range.clone()], today);
        for time in &mut times {
            time.phrase = range.start + time.phrase.start..range.start + time.phrase.end;
        }
        let quoted = quoted(&tokens, text);
        let mut sentence = Self {
            text,
            range,
            starts: Vec::new(),
            asked: Vec::new(),
            quoted,
            today,
            zone,
            tokens,
            times,
            turn_asks: false,
            turn_shows_code: false,
            others_before: false,
        };
        sentence.starts = (0..sentence.tokens.len()).map(|at| sentence.begins_clause(at)).collect();
        sentence.asked = sentence.find_questions();
        sentence
    }

    /// When a day begins where the user is.
    pub fn day(&self, date: Date) -> Time {
        self.zone.map_or_else(|| Time::from_date(date), |zone| Time::from_date_in(date, zone))
    }

    /// The sentence as it was said.
    pub fn quote(&self) -> &'a str {
        &self.text[self.range.clone()]
    }

    /// Where the tokens stand in the text.
    pub fn span(&self, tokens: Range<usize>) -> Range<usize> {
        match (
            self.tokens.get(tokens.start),
            tokens.end.checked_sub(1).and_then(|last| self.tokens.get(last)),
        ) {
            (Some(first), Some(last)) if first.range.start < last.range.end => {
                first.range.start..last.range.end
            }
            _ => self.range.start..self.range.start,
        }
    }

    /// Whether it asks for help: a task is at hand, of which it may be a part. "How have you been?" asks for none.
    pub fn asks_for_help(&self) -> bool {
        HELP.stands_in(&self.tokens)
    }

    /// The stretch of plain words around these tokens, in bytes: what a date must stand in to belong to them.
    pub fn stretch(&self, tokens: Range<usize>) -> Range<usize> {
        let mut start = tokens.start;
        let timed = |comma: usize| {
            comma > 0 && self.times.iter().any(|time| time.phrase.end == self.tokens[comma - 1].range.end)
        };
        while start > 0
            && (self.tokens[start - 1].is_word && !OPENERS.contains(&self.tokens[start - 1].lower)
                || self.tokens[start - 1].is(",") && timed(start - 1))
        {
            start -= 1;
        }
        let mut end = tokens.end;
        while end < self.tokens.len() && self.tokens[end].is_word && !self.starts[end] {
            end += 1;
        }
        self.span(start..end)
    }

    /// The times that belong to these tokens.
    pub fn times_of(&self, tokens: Range<usize>) -> impl Iterator<Item = &TimeSpan> {
        let stretch = self.stretch(tokens);
        self.times
            .iter()
            .filter(move |time| stretch.start < time.phrase.end && time.phrase.start < stretch.end)
    }

    /// Whether what begins at `at` is only supposed: "if I lived …", "imagine I …". "Wondering if" supposes nothing.
    pub fn is_supposed(&self, at: usize, tongue: &Tongue) -> bool {
        const NOT_SUPPOSING: [&str; 10] =
            ["wondering", "sure", "know", "see", "ask", "check", "unsure", "curious", "wonder", "decide"];
        (0..at).any(|place| {
            tongue.suppositions.stands_at(&self.tokens, place)
                && !(place > 0 && NOT_SUPPOSING.contains(&self.tokens[place - 1].lower.as_str()))
        })
    }

    /// The token at which the sentence's words begin, politeness and marks left out.
    pub fn first_word(&self) -> usize {
        const BEFORE: [&str; 7] = ["and", "also", "but", "so", "oh", "ok", "okay"];
        let begins = |token: &LexedToken| token.is_word && !BEFORE.contains(&token.lower.as_str());
        self.tokens.iter().position(begins).unwrap_or(0)
    }

    /// Whether a phrase stands before `at`, its words joined by `_`.
    pub fn says_before(&self, phrase: &str, at: usize) -> bool {
        let words: Vec<&str> = phrase.split('_').collect();
        self.tokens[..at]
            .windows(words.len())
            .any(|window| window.iter().zip(&words).all(|(token, word)| token.is(word)))
    }

    fn begins_clause(&self, at: usize) -> bool {
        if !self.tokens[at].is_word || self.quoted[at] {
            return false;
        }
        let Some(before) = at.checked_sub(1) else { return true };
        if self.is_reported(at) {
            return false;
        }
        let previous = &self.tokens[before];
        let earlier =
            |steps: usize| at.checked_sub(steps).map_or("", |place| self.tokens[place].lower.as_str());
        if !previous.is_word {
            return !matches!(previous.lower.as_str(), "/" | "." | "$");
        }
        match previous.lower.as_str() {
            "think" | "guess" | "believe" | "suppose" | "feel" | "mean" => {
                ["i", "really", "still"].contains(&earlier(2))
            }
            "know" => earlier(2) == "you",
            "that" => ASSERTING.contains(&earlier(2)),
            "remember" => at == 1 || earlier(2) == "please",
            word => {
                OPENERS.contains(word)
                    || self.tokens[before].lower.starts_with(super::lexer::is_unspaced)
                        && (1..=4).any(|length| {
                            at >= length && OPENERS.length_at(&self.tokens, at - length) == Some(length)
                        })
                    || self.times.iter().any(|time| time.phrase.end == previous.range.end)
            }
        }
    }

    /// Whether somebody else's verb of saying stands right before, a comma or a colon between or not.
    fn is_reported(&self, at: usize) -> bool {
        let mut before = at;
        while before > 0 && !self.tokens[before - 1].is_word {
            before -= 1;
        }
        let Some(verb) = before.checked_sub(1).map(|place| &self.tokens[place]) else { return false };
        let speaker = before.checked_sub(2).map_or("", |place| self.tokens[place].lower.as_str());
        REPORTING.contains(&verb.lower.as_str()) && !["i", "to", "just"].contains(&speaker)
    }

    /// Marks the clauses that ask. A wh-question or an inverted verb goes on to the sentence's end; a request ("can you
    /// help, I am using Rust") ends where a new first-person clause begins behind a comma.
    fn find_questions(&self) -> Vec<bool> {
        let mut asked = vec![false; self.tokens.len()];
        let mut state = ClauseMood::No;
        for (at, mark) in asked.iter_mut().enumerate() {
            if self.starts[at] && !self.follows(at, &STATING) {
                let begins = TONGUES.iter().any(|tongue| tongue.questions.stands_at(&self.tokens, at));
                let own = ["i", "my", "we"].contains(&self.tokens[at].lower.as_str());
                if begins {
                    let is_request = self.tokens.get(at + 1).is_some_and(|next| next.is("you"));
                    state = if is_request { ClauseMood::Request } else { ClauseMood::Question };
                } else if state == ClauseMood::Request && own && !self.tokens[at - 1].is_word {
                    state = ClauseMood::No;
                }
            } else if self.starts[at] {
                state = ClauseMood::No;
            }
            *mark = state != ClauseMood::No;
        }
        let ends_in_question =
            self.tokens.iter().rev().take_while(|token| !token.is_word).any(|token| token.is("?"));
        if ends_in_question && !asked.contains(&true) {
            asked.fill(true);
        }
        asked
    }

    fn follows(&self, at: usize, words: &[&str]) -> bool {
        at.checked_sub(1).is_some_and(|before| words.contains(&self.tokens[before].lower.as_str()))
    }
}

#[derive(PartialEq, Eq)]
enum ClauseMood {
    No,
    Request,
    Question,
}

/// Marks what stands between quotation marks. A lone mark quotes to the end: what is cut off is rather not believed. An
/// apostrophe opens only before a word and closes only behind one.
fn quoted(tokens: &[LexedToken], text: &str) -> Vec<bool> {
    let mut quoted = vec![false; tokens.len()];
    let mut open: Option<&str> = None;
    for (at, token) in tokens.iter().enumerate() {
        if !token.is_word && (token.is("\"") || token.is("'")) {
            match open {
                Some(mark) if token.is(mark) => open = None,
                None if token.is("\"") || touches_word(tokens, at, text) => {
                    open = Some(if token.is("'") { "'" } else { "\"" })
                }
                _ => {}
            }
        }
        quoted[at] = open.is_some();
    }
    quoted
}

fn touches_word(tokens: &[LexedToken], at: usize, text: &str) -> bool {
    let end = tokens[at].range.end;
    let before = text[..tokens[at].range.start].chars().next_back();
    let closes_later = tokens[at + 1..].iter().any(|token| token.is("'"));
    tokens.get(at + 1).is_some_and(|next| next.is_word && next.range.start == end)
        && before.is_none_or(|character| !character.is_alphanumeric())
        && closes_later
}
