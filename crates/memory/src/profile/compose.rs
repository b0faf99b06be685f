//! From lines to a version: what a person wrote stays on top, what is new stands under it, and the difference is kept.
//!
//! A person who edits the profile has the last word. Their lines stay as they are in every later version, the lines that
//! they took out do not come back, and what is learned after their edit is added under a heading of its own, where they
//! have not said it already. That lasts until they hand the profile back.

use std::collections::HashSet;

use super::template::{self, ProfileLine, says_the_same};
use crate::limits;
use crate::ports::Clock;
use crate::text::similarity::word_set;
use crate::text::{Analyser, tokens};
use crate::types::{Edited, Memory, MemoryId, Origin, ProfileId, ProfileVersion, Time, UserId};

/// What stands above the lines that were learned after a person's edit.
pub const LEARNED_SINCE: &str = "Learned since:";

/// A line of which a person's line has this share of the words is said already.
const SAID: f64 = 0.7;

/// A version's content, before it has a number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Composed {
    pub lines: Vec<ProfileLine>,
    pub edited: Option<Edited>,
}

impl Composed {
    /// A profile that is all the machine's.
    pub fn generated(lines: Vec<ProfileLine>) -> Self {
        Self { lines, edited: None }
    }

    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The memories behind the lines, each once.
    pub fn sources(&self) -> Vec<MemoryId> {
        let mut ids: Vec<MemoryId> = self.lines.iter().flat_map(|line| line.sources.clone()).collect();
        ids.sort();
        ids.dedup();
        ids
    }

    /// The next version after `before`.
    pub fn after(
        self,
        before: Option<&ProfileVersion>,
        user: &UserId,
        origin: Origin,
        now: Time,
        clock: &dyn Clock,
    ) -> ProfileVersion {
        let text = self.text();
        ProfileVersion {
            id: ProfileId::from_uuid(clock.uuid()),
            version: 1,
            user: user.clone(),
            number: before.map_or(1, |before| before.number + 1),
            difference: difference(before.map_or("", |before| &before.text), &text),
            text,
            sources: self.lines.into_iter().map(|line| line.sources).collect(),
            edited: self.edited,
            checked_at: None,
            origin,
            created_at: now,
        }
    }
}

/// The lines of a version with what each rests on.
pub fn told(version: &ProfileVersion) -> Vec<ProfileLine> {
    let sources = version.sources.iter().cloned().chain(std::iter::repeat(Vec::new()));
    let lines = version.text.lines().zip(sources);
    lines.map(|(text, sources)| ProfileLine { text: text.to_owned(), sources }).collect()
}

/// What a person makes of the profile. A line that they left as it was still rests on what it rested on.
pub fn edited(before: Option<&ProfileVersion>, text: &str, now: Time) -> Composed {
    let known = before.map(told).unwrap_or_default();
    let trimmed = text.trim_matches('\n').trim_end();
    let lines: Vec<ProfileLine> = trimmed
        .lines()
        .map(|line| {
            let line = line.trim_end();
            let same = known.iter().find(|known| known.text.trim_end() == line && !line.is_empty());
            ProfileLine {
                text: line.to_owned(),
                sources: same.map(|same| same.sources.clone()).unwrap_or_default(),
            }
        })
        .collect();
    let stays: HashSet<&str> = lines.iter().map(|line| line.text.trim()).collect();
    let earlier = before.and_then(|before| before.edited.as_ref()).map(|edited| edited.removed.clone());
    let taken_out = known.iter().map(|line| line.text.trim().to_owned());
    let mut removed: Vec<String> = earlier.unwrap_or_default().into_iter().chain(taken_out).collect();
    removed.retain(|line| !line.is_empty() && line != LEARNED_SINCE && !stays.contains(line.as_str()));
    let mut seen = HashSet::new();
    removed.retain(|line| seen.insert(line.clone()));
    let over = removed.len().saturating_sub(limits::PROFILE_REMOVED_LINES);
    removed.drain(..over);
    let edited = Edited { at: now, lines: lines.len(), removed };
    Composed { lines, edited: Some(edited) }
}

/// A person's lines as they are, and under them what was learned since and is neither said nor taken out.
pub fn beside(
    current: &ProfileVersion,
    edited: &Edited,
    telling: &[&Memory],
    max_tokens: i64,
    analyser: &Analyser,
) -> Composed {
    let mut lines: Vec<ProfileLine> = told(current).into_iter().take(edited.lines).collect();
    let later: Vec<&Memory> =
        telling.iter().copied().filter(|memory| memory.created_at > edited.at).collect();
    let theirs = tokens::estimate(&Composed::generated(lines.clone()).text());
    let room = max_tokens.saturating_sub(i64::try_from(theirs).unwrap_or(i64::MAX));
    let said = |line: &str| {
        lines.iter().any(|theirs| covers(&theirs.text, line, analyser))
            || edited.removed.iter().any(|removed| says_the_same(removed, line, analyser))
    };
    let new = template::lines(&later, room, said);
    let has_heading = lines.iter().any(|line| line.text.trim() == LEARNED_SINCE);
    if !new.is_empty() && !has_heading {
        lines.push(ProfileLine { text: LEARNED_SINCE.to_owned(), sources: Vec::new() });
    }
    lines.extend(new);
    Composed { lines, edited: Some(edited.clone()) }
}

/// Whether a line has most of the words of another, so that the other need not be said.
fn covers(line: &str, other: &str, analyser: &Analyser) -> bool {
    let mut wanted = word_set(other, analyser);
    wanted.remove("user");
    let words = word_set(line, analyser);
    let common = wanted.intersection(&words).count();
    !wanted.is_empty() && common as f64 / wanted.len() as f64 >= SAID
}

/// What changed, line by line: what went with `-`, what came with `+`.
pub fn difference(before: &str, after: &str) -> String {
    let (old, new): (HashSet<&str>, HashSet<&str>) = (lines_of(before).collect(), lines_of(after).collect());
    let gone = lines_of(before).filter(|line| !new.contains(line)).map(|line| format!("- {line}"));
    let come = lines_of(after).filter(|line| !old.contains(line)).map(|line| format!("+ {line}"));
    gone.chain(come).collect::<Vec<_>>().join("\n")
}

fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}
