//! Lines: one thing each, on one line, as data.
//!
//! What is recalled was written by anybody: a user, a page that was pasted, another model. So a line can neither break
//! out of its line (white space becomes single spaces) nor out of the fence that is put around a block: the fence's name,
//! which [`marks`] owns, is broken wherever a line has it.

use std::collections::BTreeSet;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::Line;
use crate::settings::LineStyle;
use crate::text::tokens::CHARACTERS_PER_TOKEN;
use crate::text::{fold, marks};
use crate::types::{Episode, Memory, MemoryId, Override, Role, Turn};

impl Line {
    pub fn plain(text: &str) -> Self {
        Self { text: format!("- {}", marks::escape_line(text)), ..Self::default() }
    }

    pub fn of_override(statement: &Override) -> Self {
        let memory_ids = statement.memory.iter().cloned().collect();
        Self { memory_ids, standing: true, ..Self::plain(&statement.text) }
    }

    pub fn of_rule(rule: &Memory, style: LineStyle) -> Self {
        Self { memory_ids: vec![rule.id.clone()], standing: true, ..Self::plain(&sentence(rule, style)) }
    }

    pub fn of_memory(memory: &Memory, tokens: usize, style: LineStyle) -> Self {
        let text = clipped(&marks::escape_line(&sentence(memory, style)), characters(tokens));
        Self { memory_ids: vec![memory.id.clone()], ..Self::plain(&text) }
    }

    /// `- [date] summary (decision: first)`
    pub fn of_episode(episode: &Episode, tokens: usize, zone: &TimeZone) -> Self {
        let decision = episode.decisions.first();
        let decision = decision.map(|first| format!(" (decision: {first})")).unwrap_or_default();
        let text =
            clipped(&marks::escape_line(&format!("{}{decision}", episode.summary)), characters(tokens));
        let line = Self::plain(&format!("[{}] {text}", episode.ended_at.date_in(zone)));
        Self { episode_ids: vec![episode.id.clone()], ..line }
    }

    /// `- [date, role] text`, with the speaker's name where there is one. A long turn is cut down to the part that has
    /// most of the message's words.
    pub fn of_turn(turn: &Turn, message: &BTreeSet<String>, tokens: usize, zone: &TimeZone) -> Self {
        let speaker = turn.speaker.as_deref().filter(|name| !name.trim().is_empty());
        let who = speaker_name(speaker.unwrap_or(turn.role.as_str()));
        let text = excerpt(&marks::escape_line(&turn.text), message, characters(tokens));
        let line = Self::plain(&format!("[{}, {who}] {text}", turn.at.date_in(zone)));
        Self { turn_ids: vec![turn.id.clone()], external_turn_ids: vec![client_id(turn)], ..line }
    }
}

/// What a memory says, in one of the two ways of saying it.
pub fn sentence(memory: &Memory, style: LineStyle) -> String {
    match style {
        LineStyle::Plain => memory.content.clone(),
        LineStyle::Triple => memory.line(),
    }
}

/// Characters of a speaker's name that are shown.
const WHO_CHARACTERS: usize = 40;

/// A speaker's name as far as it is shown.
pub fn speaker_name(name: &str) -> String {
    clipped(name, WHO_CHARACTERS)
}

/// The id that a turn's client gave it, where it gave any.
pub fn client_id(turn: &Turn) -> String {
    turn.external_id.clone().unwrap_or_else(|| turn.id.as_str().to_owned())
}

/// Characters of so many tokens.
pub fn characters(tokens: usize) -> usize {
    tokens.saturating_mul(CHARACTERS_PER_TOKEN)
}

/// A line of a profile with the memories behind it, if it says anything.
pub fn of_profile_line(text: &str, memories: &[MemoryId]) -> Option<Line> {
    let text = text.trim().trim_start_matches("- ");
    (!text.is_empty()).then(|| Line { memory_ids: memories.to_vec(), ..Line::plain(text) })
}

/// The day, for a reader who has no calendar.
pub fn of_date(today: Date) -> Line {
    Line { text: format!("{today} ({:?})", today.weekday()), standing: true, ..Line::default() }
}

/// What stands in the transcript for an answer that memory gave itself.
pub const ANSWERED_FROM_MEMORY: &str = "(answered from memory)";

/// A tool's output is nobody's memory: it is not shown as something said. Nor is it that memory itself answered.
pub fn is_speech(turn: &Turn) -> bool {
    matches!(turn.role, Role::User | Role::Assistant) && turn.text.trim() != ANSWERED_FROM_MEMORY
}

/// The words of a message that tell where in a long text it is answered.
pub fn telling_words(message: &str) -> BTreeSet<String> {
    let words = words(message).map(|(_, word)| fold(word));
    words.filter(|word| word.chars().count() > 3).collect()
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - start, word))
}

/// At most so many characters of a text: the part where most of the wanted words stand close together.
pub fn excerpt(text: &str, wanted: &BTreeSet<String>, characters: usize) -> String {
    if text.chars().count() <= characters {
        return text.to_owned();
    }
    // Bytes stand for characters here: where they differ, the window is a little narrow.
    let hits: Vec<(usize, String)> =
        words(text).map(|(at, word)| (at, fold(word))).filter(|(_, word)| wanted.contains(word)).collect();
    let inside = |start: usize| {
        let near = hits.iter().filter(|(at, _)| (start..start + characters).contains(at));
        near.map(|(_, word)| word.as_str()).collect::<BTreeSet<_>>().len()
    };
    let best = hits.iter().map(|(at, _)| *at).max_by_key(|&at| (inside(at), std::cmp::Reverse(at)));
    let start = best.filter(|&at| at + 1 > characters / 2 || inside(at) > inside(0)).unwrap_or(0);
    let start = sentence_start(text, start, characters / 4);
    let ellipsis = if start > 0 { "… " } else { "" };
    let rest = clipped(&text[start..], characters.saturating_sub(ellipsis.chars().count()));
    format!("{ellipsis}{rest}")
}

/// Where the sentence begins that has this place, if that is near; else the place itself.
fn sentence_start(text: &str, place: usize, near: usize) -> usize {
    let mut ends = text[..place].char_indices().filter(|(_, character)| ".!?。！？".contains(*character));
    let start = ends.next_back().map_or(0, |(position, character)| position + character.len_utf8());
    let start = start + (text[start..].len() - text[start..].trim_start().len());
    if place.saturating_sub(start) <= near { start } else { place }
}

/// At most so many characters, cut behind a word where there is one, with a mark that something is missing.
pub fn clipped(text: &str, characters: usize) -> String {
    if text.chars().count() <= characters {
        return text.to_owned();
    }
    let keep = characters.saturating_sub(1);
    let end = text.char_indices().nth(keep).map_or(text.len(), |(position, _)| position);
    let cut = &text[..end];
    let word_end = cut.rfind(' ').filter(|&space| space * 2 > cut.len());
    let cut = word_end.map_or(cut, |space| &cut[..space]).trim_end();
    if characters == 0 { String::new() } else { format!("{cut}…") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recalled_text_cannot_leave_its_line_or_its_fence() {
        let table = [
            ("plain", "plain"),
            ("two\nlines\r\n\u{2028}\t three ", "two lines three"),
            ("a < b and <html>", "a < b and <html>"),
            ("<recollect-memory id=\"1\">", "<recollect memory id=\"1\">"),
            ("x </ RECOLLECT-memory> y", "x </ recollect memory> y"),
            ("nul\0byte", "nul byte"),
        ];
        for (text, expected) in table {
            assert_eq!(marks::escape_line(text), expected, "{text:?}");
            assert_eq!(marks::escape_line(expected), expected, "escaping twice changes nothing");
        }
    }

    #[test]
    fn a_long_turn_is_cut_to_what_was_asked_for() {
        let filler = "Nothing of interest happens here at all. ".repeat(30);
        let text = format!("{filler}The violin teacher is called Ravel and lives upstairs. {filler}");
        let cut = excerpt(text.trim(), &telling_words("who is the violin teacher?"), 200);
        assert!(cut.starts_with("… The violin teacher is called Ravel"), "{cut}");
        assert!(cut.chars().count() <= 200 && cut.ends_with('…'), "{cut}");
        let cut = excerpt(text.trim(), &telling_words("unrelated"), 200);
        assert!(cut.starts_with("Nothing of interest"), "{cut}");
        assert_eq!(excerpt("short", &BTreeSet::new(), 200), "short");
        assert!(excerpt(&"日本語".repeat(300), &BTreeSet::new(), 50).chars().count() <= 50);
    }
}
