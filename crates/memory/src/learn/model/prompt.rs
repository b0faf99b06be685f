//! Everything the model may know, as one text: the day, who the user is, what is known, and the conversation as data.
//!
//! The text is a function of its material, byte for byte, so that a server's cache of prompts helps and a snapshot holds
//! it. Every line that somebody said begins with `| `, which nothing said can undo, and our own marks are broken wherever
//! they turn up inside: what is said in a conversation stays inside it.

use std::collections::HashSet;

use jiff::tz::TimeZone;

use crate::limits;
use crate::text::clip;
use crate::text::quote::{escaped, quoted};
use crate::types::{Episode, Memory, Role, Status, Time, Turn, TurnId};

/// What a prompt is made from.
#[derive(Clone, Copy)]
pub struct PromptMaterial<'a> {
    pub now: Time,
    /// Where the user is: the days are those of the user's calendar.
    pub zone: &'a TimeZone,
    /// The session's turns, in order.
    pub turns: &'a [Turn],
    /// Those that have not been distilled by a model yet.
    pub new: &'a HashSet<TurnId>,
    /// The user's profile, then the overrides.
    pub identity: &'a [String],
    /// Of earlier sessions, the latest first.
    pub episodes: &'a [Episode],
    /// What is known, or held until more supports it, and can be named by its place.
    pub known: &'a [Memory],
}

/// A prompt, and which turns it had no room for.
pub struct BuiltPrompt {
    pub text: String,
    pub left_out: HashSet<TurnId>,
}

/// Of a conversation that is too long, this share of the room is its beginning's, in percent; the rest is its end's.
const HEAD_PERCENT: usize = 30;

/// The turns that have handles: what people and assistants said. The place in this list counts from t1.
pub fn speech(turns: &[Turn]) -> Vec<&Turn> {
    turns.iter().filter(|turn| matches!(turn.role, Role::User | Role::Assistant)).collect()
}

pub fn write(material: &PromptMaterial<'_>) -> BuiltPrompt {
    let mut text = format!("Today is {}.\n", material.now.date_in(material.zone));
    if !material.identity.is_empty() {
        let known = clip(&material.identity.join("\n"), limits::DISTIL_IDENTITY_CHARACTERS);
        section(&mut text, "identity", &quoted(&known));
    }
    let episodes = material.episodes.iter().take(limits::DISTIL_EPISODES);
    let lines: Vec<String> = episodes
        .map(|episode| {
            let summary = clip(&one_line(&episode.summary), limits::DISTIL_EPISODE_CHARACTERS);
            format!("[{}] {}", episode.ended_at.date_in(material.zone), escaped(&summary))
        })
        .collect();
    section(&mut text, "episodes", &lines.join("\n"));
    let known = material.known.iter().take(limits::DISTIL_KNOWN).enumerate().map(|(place, memory)| {
        let content = clip(&one_line(&memory.content), limits::DISTIL_KNOWN_CHARACTERS);
        let said = memory.valid_from.unwrap_or(memory.created_at).min(memory.created_at);
        let said = said.date_in(material.zone);
        let held = if memory.status == Status::Held { ", said once in passing" } else { "" };
        format!("m{} [{}] {} ({said}{held})", place + 1, memory.kind, escaped(&content))
    });
    section(&mut text, "known", &known.collect::<Vec<_>>().join("\n"));
    let (conversation, left_out) = conversation(material);
    section(&mut text, "conversation", &conversation);
    BuiltPrompt { text, left_out }
}

fn section(text: &mut String, name: &str, inside: &str) {
    if !inside.is_empty() {
        text.push_str(&format!("\n<{name}>\n{inside}\n</{name}>\n"));
    }
}

fn conversation(material: &PromptMaterial<'_>) -> (String, HashSet<TurnId>) {
    let speech = speech(material.turns);
    let told: Vec<String> =
        speech.iter().enumerate().map(|(place, turn)| told(place, turn, material.new)).collect();
    let costs: Vec<usize> = told.iter().map(|text| cost(text)).collect();
    let (head, tail) = kept(&costs, limits::DISTIL_CONVERSATION_TOKENS);
    let mut parts: Vec<String> = told[..head].to_vec();
    if head < tail {
        parts.push(format!("[… {} turns left out …]", tail - head));
    }
    parts.extend_from_slice(&told[tail..]);
    (parts.join("\n"), speech[head..tail].iter().map(|turn| turn.id.clone()).collect())
}

/// How far the beginning reaches and where the end begins; the same where nothing must be left out.
fn kept(costs: &[usize], room: usize) -> (usize, usize) {
    if costs.iter().sum::<usize>() <= room {
        return (costs.len(), costs.len());
    }
    let fits = |costs: &mut dyn Iterator<Item = &usize>, room: usize| {
        let mut used = 0;
        costs
            .take_while(|cost| {
                used += **cost;
                used <= room
            })
            .count()
    };
    let head_room = room * HEAD_PERCENT / 100;
    let head = fits(&mut costs.iter(), head_room);
    let tail = fits(&mut costs.iter().rev(), room - head_room);
    (head, (costs.len() - tail).max(head))
}

/// A turn with its handle, who spoke, when, and whether it is new.
fn told(place: usize, turn: &Turn, new: &HashSet<TurnId>) -> String {
    let is_new = new.contains(&turn.id);
    let room = match (turn.role, is_new) {
        (Role::User, true) => limits::DISTIL_MESSAGE_CHARACTERS,
        _ => limits::DISTIL_CONTEXT_CHARACTERS,
    };
    let age = if is_new { "new" } else { "earlier" };
    let at = turn.at.to_string();
    let minute = at.get(..16).unwrap_or(&at).replace('T', " ");
    format!("[t{}] {}, {age}, {minute}\n{}", place + 1, turn.role, quoted(&clamped(&turn.text, room)))
}

/// The beginning and the end of a long message.
fn clamped(text: &str, characters: usize) -> String {
    let length = text.chars().count();
    if length <= characters {
        return text.to_owned();
    }
    let head: String = text.chars().take(characters * 2 / 3).collect();
    let tail: String = text.chars().skip(length - characters / 3).collect();
    format!("{head}\n[… {} characters left out …]\n{tail}", length - characters * 2 / 3 - characters / 3)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tokens, counted high: four letters of English are one, but a sign of many other scripts is one alone.
fn cost(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().filter(|c| !c.is_ascii()).count();
    ascii.div_ceil(4) + others
}

#[cfg(test)]
mod tests;
