//! What of what is known may be told to whoever asks.
//!
//! Memory is somebody's. Where nobody says who speaks, nothing is told unasked. A server may be one that is told only what work
//! needs, and an agent one that is introduced to part of who the user is.

use std::sync::Arc;

use super::ContextRequest;
use crate::error::StoreResult;
use crate::personality;
use crate::ports::{KnownText, MemoryWorth, MessageNeeds, ReadStore, SpeechJudge};
use crate::recall::Recaller;
use crate::recall::assemble::Line;
use crate::recall::assemble::judged::WeighedLine;
use crate::recall::search::Glance;
use crate::types::{Kind, Memory};

/// A category of its own beside the subjects: what the user is called, and no more of who they are.
pub const NAME: &str = "name";

/// What work needs.
pub const WORK: [&str; 5] = [NAME, "instruction", "tool", "preference", "project"];

/// Characters of what somebody is called; what is longer says more than that.
const LONGEST_NAME: usize = 40;

/// What a subject counts for in a portrait that names it, where it is usually told only when a message calls for it.
const NAMED_WEIGHT: f32 = 0.5;

/// The chance of belonging in front of every conversation that is enough in a category that is named.
const NAMED_FLOOR: f32 = 0.0;

/// How much may be told.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Disclosure {
    /// It is known who speaks: who they are, their instructions and overrides are told unasked.
    pub introduces: bool,
    /// The only categories of the portrait; the usual ones where none is named.
    pub portrait: Option<Vec<String>>,
    /// Nothing but what work needs, whatever is asked.
    pub work_only: bool,
}

impl Default for Disclosure {
    fn default() -> Self {
        Self { introduces: true, portrait: None, work_only: false }
    }
}

impl Disclosure {
    /// Of what is known, what may be told at all.
    pub(super) fn permitted(
        &self,
        known: Vec<Arc<Memory>>,
        mut needs: MessageNeeds,
    ) -> (Vec<Arc<Memory>>, MessageNeeds) {
        if !self.work_only {
            return (known, needs);
        }
        let weighed = known.into_iter().zip(needs.memories);
        let kept = weighed.filter(|(memory, worth)| !memory.sensitive && is_among(&WORK, memory, worth));
        let known;
        (known, needs.memories) = kept.unzip();
        (known, needs)
    }

    /// Overrides, of which a server for work gets those that are about work.
    pub(super) fn overrides(&self, judge: &dyn SpeechJudge, message: &str, lines: Vec<Line>) -> Vec<Line> {
        if !self.introduces || lines.is_empty() {
            return Vec::new();
        }
        if !self.work_only {
            return lines;
        }
        let texts: Vec<KnownText<'_>> = lines.iter().map(|line| KnownText::of(&line.text)).collect();
        let weighed = judge.weigh(message, &texts).memories;
        let of_work = |worth: &MemoryWorth| WORK.contains(&worth.subject);
        lines.into_iter().zip(weighed).filter(|(_, worth)| of_work(worth)).map(|(line, _)| line).collect()
    }

    /// Whether standing instructions are told.
    pub(super) fn instructs(&self) -> bool {
        self.introduces && (self.portrait.is_none() || self.names("instruction"))
    }

    /// Whether somebody wants this subject in the portrait by its name.
    pub(super) fn names(&self, subject: &str) -> bool {
        self.portrait.as_ref().is_some_and(|categories| categories.iter().any(|one| one == subject))
    }

    /// Whether of a statement about this subject only the name that it says may be told: names are asked for, and the subject is not.
    pub(super) fn tells_name_alone(&self, subject: &str) -> bool {
        self.work_only && !WORK.contains(&subject) || self.portrait.is_some() && !self.names(subject)
    }

    /// Whether a new conversation may be told how the last one ended.
    pub(super) fn tells_digest(&self) -> bool {
        self.introduces && !self.work_only
    }

    /// The chance that a memory must have of belonging in front of every conversation, where it usually must have so much: who names
    /// categories wants what there is of them.
    pub(super) fn floor(&self, usual: f32) -> f32 {
        if self.portrait.is_some() { NAMED_FLOOR.min(usual) } else { usual }
    }

    /// What a memory of this subject counts for in the portrait, where it usually counts for so much; nothing where it does not belong there.
    pub(super) fn weight(&self, memory: &Memory, worth: &MemoryWorth, usual: Option<f32>) -> Option<f32> {
        let Some(categories) = &self.portrait else { return usual.filter(|_| self.introduces) };
        let categories: Vec<&str> = categories.iter().map(String::as_str).collect();
        let told = self.introduces && is_among(&categories, memory, worth);
        told.then(|| usual.unwrap_or(NAMED_WEIGHT))
    }
}

impl Recaller {
    /// What the request says, and what the agent's record says of its portrait, which counts for more.
    pub(super) async fn disclosure(&self, request: &ContextRequest) -> StoreResult<Disclosure> {
        self.now().disclosure(request).await
    }
}

impl Glance<'_> {
    /// The same within a moment that is held: who holds one must not wait for another.
    pub(super) async fn disclosure(&self, request: &ContextRequest) -> StoreResult<Disclosure> {
        let mut disclosure = request.disclosure.clone();
        if disclosure.introduces {
            let agent = self.view.agent(&request.viewer.owner.agent).await?;
            let said = agent.and_then(|agent| personality::portrait_categories(&agent.personality));
            disclosure.portrait = said.or(disclosure.portrait);
        }
        Ok(disclosure)
    }
}

/// The lines of a portrait, of which those that help with the message too are told for it, with the reason why, and that is a use of them.
pub(super) fn serve(portrait: Vec<WeighedLine>, found: &[WeighedLine]) -> Vec<WeighedLine> {
    let same = |one: &Line, other: &Line| one.memory_ids.iter().any(|id| other.memory_ids.contains(id));
    let helping = |line: &Line| found.iter().find(|found| same(&found.line, line));
    let told = portrait.into_iter().map(|WeighedLine { worth, line }| match helping(&line) {
        Some(found) => {
            let why = found.line.why.clone();
            WeighedLine { worth, line: Line { standing: false, why, ..line } }
        }
        None => WeighedLine { worth, line: Line { standing: true, ..line } },
    });
    told.collect()
}

/// Whether a memory is of one of these categories.
fn is_among(categories: &[&str], memory: &Memory, worth: &MemoryWorth) -> bool {
    let is_rule = memory.kind == Kind::Rule && categories.contains(&"instruction") && !memory.sensitive;
    let is_name = categories.contains(&NAME) && is_own_name(memory);
    is_rule || is_name || categories.contains(&worth.subject)
}

/// What the user is called, and nothing else.
fn is_own_name(memory: &Memory) -> bool {
    let of_user = memory.subject.as_deref().is_none_or(|subject| subject.eq_ignore_ascii_case("user"));
    let names = |predicate: &str| {
        let predicate = predicate.to_ascii_uppercase();
        predicate.contains("NAME") || predicate == "GOES_BY" || predicate.contains("CALLED")
    };
    match memory.predicate.as_deref() {
        Some(predicate) => of_user && names(predicate),
        None => memory.own_name().is_some() || says_own_name(&memory.content),
    }
}

/// How people say what they are called.
const MY_NAME_IS: [&str; 24] = [
    "my name is",
    "user's name is",
    "call me",
    "i'm called",
    "i am called",
    "ich heiße",
    "mein name ist",
    "me llamo",
    "mi nombre es",
    "je m'appelle",
    "mon nom est",
    "mi chiamo",
    "il mio nome è",
    "me chamo",
    "meu nome é",
    "ik heet",
    "mijn naam is",
    "nazywam się",
    "mam na imię",
    "меня зовут",
    "benim adım",
    "اسمي",
    "मेरा नाम",
    "我叫",
];

/// A sentence that somebody wrote as a memory, and that says a name and no more.
fn says_own_name(content: &str) -> bool {
    let said = content.trim().trim_end_matches(['.', '。']).to_lowercase().replace('’', "'");
    let begins = MY_NAME_IS.iter().find_map(|words| said.strip_prefix(words));
    begins.is_some_and(|name| name.chars().count() <= LONGEST_NAME && !name.contains([',', ';', '.', '，']))
}

#[cfg(test)]
mod tests {
    use super::says_own_name;

    #[test]
    fn a_name_is_told_from_the_rest_of_who_somebody_is() {
        for said in ["My name is Mara.", "Me llamo José Luis", "Ich heiße Mara", "меня зовут Мара"]
        {
            assert!(says_own_name(said), "{said}");
        }
        for said in ["I am Catholic", "My name is Mara, I am in therapy", "My sister's name is Ana"] {
            assert!(!says_own_name(said), "{said}");
        }
    }
}
