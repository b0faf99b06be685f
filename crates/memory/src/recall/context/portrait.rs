//! Who the user is, as it stands at the beginning of a conversation.
//!
//! Short sentences of what is known, by how much it matters for somebody's wellbeing and daily life. What is private ([`super::private`]) is told where a
//! message calls for it and not here. One fact is one line: what a pattern made of words that are kept as they were said is told by these
//! words, and by the pattern's plain sentence where they say too little or too much to stand here.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::private::{self, Openness};
use super::{ContextRequest, Disclosure, judged};
use crate::limits;
use crate::ports::{MemoryWorth, MessageNeeds, SpeechJudge};
use crate::recall::assemble::Line;
use crate::recall::assemble::judged::WeighedLine;
use crate::settings::LineStyle;
use crate::types::{Kind, Memory, Origin};

/// The chance that a memory must have of belonging in front of every conversation.
const CORE: f32 = 0.4;

/// How much a subject matters for who somebody is, by their wellbeing and daily life; what is not here is told where a message calls for it.
const STANDING: [(&str, f32); 10] = [
    ("instruction", 1.0),
    ("identity", 1.0),
    ("diet", 0.95),
    ("health", 0.9),
    ("home", 0.9),
    ("work", 0.9),
    ("people", 0.85),
    ("schedule", 0.6),
    ("project", 0.6),
    ("tool", 0.5),
];

/// What is known, each fact once, and what is hidden by words that say the same.
#[derive(Default)]
pub(super) struct KnownFacts {
    pub told: Vec<Arc<Memory>>,
    /// What patterns made of words that are kept as they were said.
    pub hidden: Vec<Arc<Memory>>,
}

impl KnownFacts {
    /// One fact, one line: what a pattern made of words that are kept as they were said is said by them.
    pub fn once(known: Vec<Arc<Memory>>) -> Self {
        let said: HashSet<String> = known
            .iter()
            .filter(|memory| memory.is_verbatim())
            .filter_map(|memory| evidence(memory))
            .map(str::to_owned)
            .collect();
        let again = |memory: &Memory| {
            !memory.is_verbatim()
                && memory.origin == Origin::Heuristic
                && !memory.pinned
                && evidence(memory).is_some_and(|evidence| said.contains(evidence))
        };
        let (hidden, told) = known.into_iter().partition(|memory| again(memory));
        Self { told, hidden }
    }
}

/// The words that a memory rests on.
fn evidence(memory: &Memory) -> Option<&str> {
    memory.evidence.as_deref().filter(|evidence| !evidence.is_empty())
}

/// What a portrait is drawn from.
pub(super) struct PortraitMaker<'a> {
    pub request: &'a ContextRequest,
    pub disclosure: &'a Disclosure,
    pub judge: &'a dyn SpeechJudge,
    pub style: LineStyle,
    /// What is told for the message: of what it tells whole no part is told beside it.
    pub found: &'a [WeighedLine],
}

impl PortraitMaker<'_> {
    /// The lines, what matters most first.
    pub fn lines(
        &self,
        known: &[Arc<Memory>],
        needs: &MessageNeeds,
        hidden: Vec<Arc<Memory>>,
    ) -> Vec<WeighedLine> {
        let mut lines = Vec::new();
        // Words that do not stand here, with whether they say too little: then the plain sentence stands for them.
        let mut unsaid: HashMap<&str, Option<&Memory>> = HashMap::new();
        for (memory, worth) in known.iter().zip(&needs.memories) {
            let Some(standing) = self.standing(memory, worth) else { continue };
            let open = self.openness(memory, worth.subject);
            let is_aside = memory.is_verbatim() && !memory.pinned && is_aside(&memory.content, worth.subject);
            let line = match (own_name_alone(memory, worth, self.disclosure), &open) {
                (Some(_), _) if self.tells(memory) => None,
                (Some(name), _) => Some(Line::of_own_name(memory, name)),
                (None, Openness::Open) if memory.own_name().is_none() && is_aside => {
                    unsaid.extend(evidence(memory).map(|said| (said, Some(&**memory))));
                    None
                }
                (None, Openness::Open) => Some(Line::of_portrait(memory, self.style, &self.request.zone)),
                (None, Openness::Partly(part)) if !self.tells(memory) => {
                    Some(Line::of_part(memory, part, &self.request.zone))
                }
                (None, Openness::Partly(_)) => None,
                (None, Openness::Private) => {
                    unsaid.extend(evidence(memory).map(|said| (said, None)));
                    memory.own_name().map(|name| Line::of_own_name(memory, name))
                }
            };
            let why = "says who the user is";
            lines.extend(
                line.map(|line| WeighedLine { worth: standing, line: line.because(why, worth.core) }),
            );
        }
        if !unsaid.is_empty() {
            self.say_plainly(&unsaid, hidden, &mut lines);
        }
        lines.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        lines
    }

    /// The plain sentences of what is not told in the words that it was said in.
    fn say_plainly(
        &self,
        unsaid: &HashMap<&str, Option<&Memory>>,
        hidden: Vec<Arc<Memory>>,
        lines: &mut Vec<WeighedLine>,
    ) {
        let is_unsaid = |memory: &Memory| evidence(memory).is_some_and(|said| unsaid.contains_key(said));
        let plain: Vec<Arc<Memory>> = hidden.into_iter().filter(|memory| is_unsaid(memory)).collect();
        if plain.is_empty() {
            return;
        }
        let needs = self.judge.weigh(&self.request.message, &judged::as_known(&plain));
        let (plain, needs) = self.disclosure.permitted(plain, needs);
        for (memory, worth) in plain.iter().zip(&needs.memories) {
            let Some(standing) = self.standing(memory, worth) else { continue };
            if self.openness(memory, worth.subject) != Openness::Open {
                continue;
            }
            let mut line = Line::of_portrait(memory, self.style, &self.request.zone);
            // The words that were said tell no more, and are not told beside it.
            let words = evidence(memory).and_then(|said| unsaid.get(said).copied().flatten());
            line.memory_ids.extend(words.map(|words| words.id.clone()));
            lines.push(WeighedLine {
                worth: standing,
                line: line.because("says who the user is", worth.core),
            });
        }
    }

    /// Whether what is told for the message tells a memory.
    fn tells(&self, memory: &Memory) -> bool {
        self.found.iter().any(|found| found.line.memory_ids.contains(&memory.id))
    }

    fn openness(&self, memory: &Memory, subject: &str) -> Openness {
        let subject = match memory.is_verbatim() {
            true => subject,
            // Of what patterns made the words that were said are weighed, which may tell more.
            false => private::subjects(self.judge, &[&memory.content])[0],
        };
        if !memory.sensitive && self.disclosure.names(subject) {
            return Openness::Open;
        }
        private::openness(memory, subject, self.judge)
    }

    /// What a memory counts for among what is told of somebody at the beginning; nothing where it does not belong there.
    fn standing(&self, memory: &Memory, worth: &MemoryWorth) -> Option<f32> {
        if memory.kind == Kind::Rule {
            return None;
        }
        let usual = STANDING.iter().find(|(subject, _)| *subject == worth.subject).map(|(_, weight)| *weight);
        let usual = if memory.own_name().is_some() { Some(1.0) } else { usual };
        let weight = self.disclosure.weight(memory, worth, usual)?;
        let now = self.request.now;
        let soon =
            memory.valid_until.is_some_and(|until| until <= now.plus_seconds(limits::DUE_SOON_SECONDS));
        let due = soon && worth.subject == "schedule";
        let core = if memory.pinned || due || memory.own_name().is_some() { 1.0 } else { worth.core };
        (core >= self.disclosure.floor(CORE)).then_some(core * weight * memory.confidence)
    }
}

/// The name that a statement says, where nothing else of it belongs in front of every conversation, or into the portrait that was asked for.
fn own_name_alone<'a>(memory: &'a Memory, worth: &MemoryWorth, disclosure: &Disclosure) -> Option<&'a str> {
    let name = memory.own_name()?;
    let is_core = worth.core >= CORE && STANDING.iter().any(|(subject, _)| *subject == worth.subject);
    (!is_core || disclosure.tells_name_alone(worth.subject)).then_some(name)
}

/// Words of what somebody said in passing, and letters of scripts whose words are not set apart.
const ASIDE_WORDS: usize = 5;
const ASIDE_WIDE_LETTERS: usize = 7;

/// What a few words can say of somebody: who they are, what they do, have and eat.
const SHORTLY_SAID: [&str; 4] = ["identity", "work", "health", "diet"];

/// "We moved!", "my son called": a few words that stand for more that was said around them, and say nothing of who somebody is.
fn is_aside(said: &str, subject: &str) -> bool {
    let wide = said.chars().filter(|character| *character >= '\u{2E80}' && character.is_alphabetic()).count();
    let words = said.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    let few = if wide > 0 { wide <= ASIDE_WIDE_LETTERS } else { words <= ASIDE_WORDS };
    let calls_out = said.trim_end().ends_with(['!', '！']);
    few && (calls_out && subject != "identity" || !SHORTLY_SAID.contains(&subject))
}
