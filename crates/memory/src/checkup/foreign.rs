//! Memories of another system, judged one by one as they stream by: how much of them is worth taking in.
//!
//! What extraction by a model alone leaves behind is known: the assistant's words as facts about the user, requests as facts ("user is
//! asking"), pieces of system prompts, recalled text extracted again, what held for a moment, names that models make up, secrets in
//! clear, and everything several times. Duplicates are found by hashes and near ones by min-hashes of the words, so that a file larger
//! than memory can be judged; contradictions by the slots of [`super::slots`].

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::slots;
use crate::learn::decide::{contains_words, plain};
use crate::learn::verify::same_values;
use crate::limits;
use crate::text::secrets::Masker;
use crate::text::{Analyser, fold};

/// What is wrong with a memory: code, what it means, and whether others of the file decide it.
pub const SORTS: &[(&str, &str)] = &[
    ("empty", "says nothing"),
    ("over-long", "a document, not a memory: longer than 1000 characters"),
    ("no-owner", "belongs to no user, agent or run"),
    ("secret", "holds a key, a password or another secret in clear"),
    ("assistant", "is what an assistant said or did, stored as a fact about the user"),
    ("request", "is what somebody asked for in that moment, not something about them"),
    ("prompt", "is a piece of a system prompt or of an instruction to a model"),
    ("recalled", "is recalled text that was extracted again"),
    ("transient", "held for a moment only"),
    ("made-up", "names a stock person or place that models make up"),
    ("duplicate", "says word for word what an earlier one says"),
    ("near-duplicate", "says in nearly the same words what an earlier one says"),
    ("contradiction", "says otherwise than an earlier one about what has one value"),
];

/// Longest memory that is still one thing remembered, in characters.
const LONG: usize = 1_000;

/// Min-hashes of a sentence, in bands: sentences that share a band are compared.
const HASHES: usize = 32;
const BAND: usize = 4;

/// The share of words, estimated, from which two sentences are nearly the same.
const NEAR: f64 = 0.75;

/// Judges a file's memories in the order in which they come.
pub struct Auditor<'a> {
    analyser: &'a Analyser,
    masker: Masker,
    seen: HashMap<u64, u32>,
    bands: HashMap<u64, u32>,
    sketches: Vec<Sketch>,
    slots: HashMap<u64, (u32, String)>,
}

struct Sketch {
    number: u32,
    hashes: [u32; HASHES],
    content: String,
}

/// Something wrong, and the earlier memory that it is wrong beside, by its number from 1.
pub type Wrong = (&'static str, Option<u32>);

impl<'a> Auditor<'a> {
    pub fn new(analyser: &'a Analyser) -> Self {
        let masker = Masker::new("").expect("no patterns are sound patterns");
        Self {
            analyser,
            masker,
            seen: HashMap::new(),
            bands: HashMap::new(),
            sketches: Vec::new(),
            slots: HashMap::new(),
        }
    }

    /// What is wrong with the memory of this number; nothing where it is worth taking in.
    pub fn judge(&mut self, number: u32, owner: &str, content: &str) -> Vec<Wrong> {
        if content.trim().is_empty() {
            return vec![("empty", None)];
        }
        let mut wrong: Vec<Wrong> = Vec::new();
        if owner.is_empty() {
            wrong.push(("no-owner", None));
        }
        if content.chars().nth(LONG).is_some() {
            wrong.push(("over-long", None));
        }
        if self.masker.mask(content).text != content {
            wrong.push(("secret", None));
        }
        wrong.extend(by_phrase(content).map(|sort| (sort, None)));
        wrong.extend(self.beside(number, owner, content));
        wrong
    }

    /// What earlier memories of the same owner make of it.
    fn beside(&mut self, number: u32, owner: &str, content: &str) -> Option<Wrong> {
        let words = self.analyser.analyse(content).surface.join(" ");
        // What has no words, such as a row of signs, is compared as it is.
        let words = if words.is_empty() { fold(content.trim()) } else { words };
        let whole = hashed(&(owner, words));
        if let Some(first) = self.seen.get(&whole) {
            return Some(("duplicate", Some(*first)));
        }
        if self.seen.len() < limits::AUDIT_MEMORIES {
            self.seen.insert(whole, number);
        }
        let near = self.near(number, owner, content).map(|first| ("near-duplicate", Some(first)));
        let against = self.against(number, owner, content).map(|first| ("contradiction", Some(first)));
        near.or(against)
    }

    fn near(&mut self, number: u32, owner: &str, content: &str) -> Option<u32> {
        let terms = self.analyser.ranked_terms(content);
        let told = terms.iter().filter(|term| *term != "user").count();
        if told < 3 {
            return None;
        }
        let hashes = sketch(&terms);
        let bands: Vec<u64> = hashes.chunks(BAND).enumerate().map(|band| hashed(&(owner, band))).collect();
        for place in bands.iter().filter_map(|band| self.bands.get(band)) {
            let other = &self.sketches[*place as usize];
            let equal = hashes.iter().zip(&other.hashes).filter(|(left, right)| left == right).count();
            if equal as f64 / HASHES as f64 >= NEAR && same_values(content, &other.content) {
                return Some(other.number);
            }
        }
        if self.sketches.len() < limits::AUDIT_SKETCHES {
            let place = self.sketches.len() as u32;
            self.sketches.push(Sketch { number, hashes, content: content.to_owned() });
            for band in bands {
                self.bands.entry(band).or_insert(place);
            }
        }
        None
    }

    fn against(&mut self, number: u32, owner: &str, content: &str) -> Option<u32> {
        let [subject, predicate, object] = slots::read(content, self.analyser)?;
        crate::learn::heuristic::slot_of(&predicate)?;
        let slot = hashed(&(owner, fold(&subject), predicate));
        let value = fold(&object);
        match self.slots.get(&slot) {
            Some((first, known)) if *known != value => return Some(*first),
            Some(_) => {}
            None if self.slots.len() < limits::AUDIT_SKETCHES => {
                drop(self.slots.insert(slot, (number, value)))
            }
            None => {}
        }
        None
    }
}

fn hashed(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn sketch(terms: &[String]) -> [u32; HASHES] {
    let mut hashes = [u32::MAX; HASHES];
    for term in terms {
        for (seed, least) in hashes.iter_mut().enumerate() {
            *least = (*least).min(hashed(&(seed, term)) as u32);
        }
    }
    hashes
}

/// Phrases that give a sort away, as they begin a sentence or as they stand anywhere in it.
const BEGINNINGS: &[(&str, &[&str])] = &[
    (
        "request",
        &[
            "user is asking",
            "user asks",
            "user asked",
            "the user is asking",
            "the user asks",
            "the user asked",
            "user wants to know",
            "the user wants to know",
            "user is looking for help",
            "user requested",
            "the user requested",
            "user is requesting",
            "user needs help with",
            "user is inquiring",
            "user inquired",
            "user would like to know",
            "wants to know",
            "asking about",
            "asked about",
            "is asking",
            "user is seeking",
            "user greeted",
            "user said hello",
        ],
    ),
    (
        "assistant",
        &[
            "assistant",
            "the assistant",
            "ai assistant",
            "the ai",
            "agent will",
            "the agent",
            "i am an ai",
            "i m an ai",
            "as an ai",
            "sure here",
            "here is",
            "here are",
            "i have updated",
            "i ve updated",
            "i can help",
            "i will help",
            "i ll help",
            "i recommend",
            "i suggested",
            "let me know",
            "of course",
            "certainly",
            "got it",
        ],
    ),
    (
        "prompt",
        &[
            "you are a",
            "you are an",
            "you are the",
            "your task is",
            "your role is",
            "respond with",
            "respond only",
            "always respond",
            "do not reveal",
            "never reveal",
            "system prompt",
            "instructions",
            "output format",
            "follow these",
            "return only",
            "return json",
            "reply with",
        ],
    ),
    (
        "recalled",
        &[
            "relevant memories",
            "user memories",
            "here are the relevant memories",
            "memory context",
            "recalled memories",
            "memories from previous",
            "previous memories",
            "retrieved memories",
        ],
    ),
    (
        "transient",
        &[
            "current time is",
            "the current time",
            "today is",
            "the time is",
            "current date",
            "the current date",
            "heartbeat",
            "session started",
            "session ended",
            "user is online",
            "user is typing",
            "user is currently",
            "user is testing",
            "the user is currently",
            "currently",
            "right now",
            "user is waiting",
            "user just",
        ],
    ),
];

const ANYWHERE: &[(&str, &[&str])] = &[
    (
        "assistant",
        &[
            "the assistant suggested",
            "the assistant recommended",
            "assistant provided",
            "assistant will",
            "as a language model",
        ],
    ),
    (
        "prompt",
        &[
            "you are a helpful assistant",
            "ignore previous instructions",
            "system prompt",
            "tool call",
            "function call",
        ],
    ),
    ("recalled", &["relevant memories from", "do not mention these memories", "recalled from memory"]),
    ("transient", &["cron job ran", "at this moment", "for the time being", "as of this message"]),
    (
        "made-up",
        &[
            "john doe",
            "jane doe",
            "john smith",
            "acme corp",
            "acme corporation",
            "example com",
            "lorem ipsum",
            "123 main st",
            "123 main street",
            "foo bar",
        ],
    ),
];

/// The first sort that the words give away.
fn by_phrase(content: &str) -> Option<&'static str> {
    if content.contains("<relevant-memories>") || content.contains("</memory>") || content.contains("<system")
    {
        return Some("recalled");
    }
    let text = plain(content);
    let begins = |phrase: &&str| {
        text.strip_prefix(*phrase).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let anywhere =
        ANYWHERE.iter().find(|(_, phrases)| phrases.iter().any(|phrase| contains_words(&text, phrase)));
    let beginning = || BEGINNINGS.iter().find(|(_, phrases)| phrases.iter().any(begins));
    anywhere.or_else(beginning).map(|(sort, _)| *sort)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(contents: &[&str], expected: &[&str]) {
        let analyser = Analyser::default();
        let mut auditor = Auditor::new(&analyser);
        let judged: Vec<String> = contents
            .iter()
            .enumerate()
            .map(|(place, content)| {
                let wrong = auditor.judge(place as u32 + 1, "ada", content);
                wrong.iter().map(|(sort, _)| *sort).collect::<Vec<_>>().join(" ")
            })
            .collect();
        assert_eq!(judged, expected, "{contents:?}");
    }

    #[test]
    fn each_sort_is_known() {
        check(&["User lives in Lyon", "Likes green tea"], &["", ""]);
        check(&["User is asking about the weather", "As an AI I cannot do that"], &["request", "assistant"]);
        check(&["You are a helpful assistant that answers briefly"], &["prompt"]);
        check(&["Relevant memories: likes tea"], &["recalled"]);
        check(&["User is currently debugging a test", "Name is John Doe"], &["transient", "made-up"]);
        check(&["", "My key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"], &["empty", "secret"]);
    }

    #[test]
    fn the_second_is_the_one_too_many() {
        check(&["Likes green tea", "likes green tea "], &["", "duplicate"]);
        check(&["User lives in Porto", "User lives in Porto."], &["", "duplicate"]);
        check(
            &["User works on the payment service in Rust", "The user works on the payment service, in Rust."],
            &["", "near-duplicate"],
        );
        check(
            &["The shop opens at 9 on weekdays in summer", "The shop opens at 8 on weekdays in summer"],
            &["", ""],
        );
        check(&["User lives in Lyon", "Lives in Lisbon"], &["", "contradiction"]);
    }

    #[test]
    fn owners_stand_apart() {
        let analyser = Analyser::default();
        let mut auditor = Auditor::new(&analyser);
        assert!(auditor.judge(1, "ada", "Likes green tea").is_empty());
        assert!(auditor.judge(2, "bo", "Likes green tea").is_empty());
        assert_eq!(auditor.judge(3, "", "Likes black tea"), [("no-owner", None)]);
    }
}
