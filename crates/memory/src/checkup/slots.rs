//! What a memory speaks of, so that those that speak of the same are found without comparing each with all.
//!
//! Where it has a triple, that is its subject and predicate (if the predicate holds one value) and its subject and object (for the
//! opposite of what was said). Where it has none, the distiller's own patterns read the sentence, turned into the first person, in which
//! they are written. And every sentence speaks of what it says without its numbers and its "not".

use crate::learn::draft::Candidate;
use crate::learn::heuristic;
use crate::text::{Analyser, fold};
use crate::types::StatementDurability;
use crate::types::{Kind, Memory, Owner, Role, SessionKey, Time, Turn};

/// A sentence's triple, where it has one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statement {
    triple: Option<[String; 3]>,
}

impl Statement {
    /// The matters a memory speaks of. Events and plans speak of themselves alone: two of them are two.
    pub fn of(memory: &Memory, analyser: &Analyser) -> Vec<(String, Statement)> {
        if matches!(memory.kind, Kind::Event | Kind::Commitment | Kind::Goal | Kind::Decision) {
            return Vec::new();
        }
        let triple = match (&memory.subject, &memory.predicate, &memory.object) {
            (Some(subject), Some(predicate), Some(object)) => {
                Some([subject.clone(), predicate.clone(), object.clone()])
            }
            _ => read(&memory.content, analyser),
        };
        matters(&memory.content, triple, analyser)
    }

    /// The memory with the triple that was read in its sentence.
    pub fn filled(&self, memory: &Memory) -> Memory {
        let [subject, predicate, object] = self.parts();
        Memory { subject, predicate, object, ..memory.clone() }
    }

    /// The memory as if it were said now.
    pub fn candidate(&self, memory: &Memory) -> Candidate {
        let [subject, predicate, object] = self.parts();
        let single_valued =
            predicate.as_deref().is_some_and(|predicate| heuristic::slot_of(predicate).is_some());
        Candidate {
            content: memory.content.clone(),
            kind: memory.kind,
            layer: memory.layer,
            key: None,
            category: String::new(),
            subject,
            predicate,
            object,
            evidence: memory.evidence.clone().unwrap_or_default(),
            sources: Vec::new(),
            confidence: memory.confidence,
            salience: memory.salience,
            tags: Vec::new(),
            emotion: None,
            valid_from: memory.valid_from,
            valid_until: memory.valid_until,
            durability: StatementDurability::Lasting,
            single_valued,
            made_by: String::new(),
            advice: None,
            matter: None,
            changes: false,
            changing: 0.0,
            core: None,
            dated: None,
            sensitive: false,
            put_right: false,
        }
    }

    fn parts(&self) -> [Option<String>; 3] {
        match &self.triple {
            Some(triple) => triple.clone().map(Some),
            None => [None, None, None],
        }
    }
}

/// By a triple where there is one; by the words where there is none.
pub fn matters(content: &str, triple: Option<[String; 3]>, analyser: &Analyser) -> Vec<(String, Statement)> {
    let Some([subject, predicate, object]) = &triple else {
        let masked = masked(content, analyser);
        return if masked.is_empty() {
            Vec::new()
        } else {
            vec![(format!("words {masked}"), Statement { triple })]
        };
    };
    let mut matters = vec![(
        format!("object {}\u{1f}{}", fold(subject), fold(object)),
        Statement { triple: triple.clone() },
    )];
    if heuristic::slot_of(predicate).is_some() {
        matters
            .push((format!("slot {}\u{1f}{predicate}", fold(subject)), Statement { triple: triple.clone() }));
    }
    matters
}

/// The sentence's words without numbers and polarity, where numbers or polarity are what it says.
fn masked(content: &str, analyser: &Analyser) -> String {
    // A note of several lines is a document: two days' notes of one form differ in the date and contradict nothing.
    if content.trim().contains('\n') {
        return String::new();
    }
    let terms = analyser.ranked_terms(content);
    let mask =
        |term: &String| if term.chars().any(|c| c.is_ascii_digit()) { "#".to_owned() } else { term.clone() };
    let words: Vec<String> = terms.iter().filter(|term| !is_negation(term)).map(mask).collect();
    // One word says too little to say that two sentences speak of the same.
    let telling = words.iter().filter(|word| *word != "#").count();
    if telling < 2 { String::new() } else { words.join(" ") }
}

fn is_negation(term: &str) -> bool {
    matches!(
        term,
        "not"
            | "no"
            | "never"
            | "without"
            | "doesn't"
            | "isn't"
            | "don't"
            | "can't"
            | "won't"
            | "didn't"
            | "doesnt"
            | "isnt"
            | "dont"
            | "cant"
            | "wont"
            | "didnt"
            | "do"
            | "does"
            | "doesn"
            | "don"
            | "isn"
            | "t"
    )
}

/// The triple that the distiller reads in a sentence about the user, if it reads exactly one.
pub fn read(content: &str, analyser: &Analyser) -> Option<[String; 3]> {
    let said = first_person(content)?;
    let turn = Turn {
        id: "tu_00000000-0000-7000-8000-000000000000".parse().ok()?,
        external_id: None,
        session: SessionKey::new(&Owner::unnamed(), "doctor".parse().ok()?),
        index: 0,
        role: Role::User,
        speaker: None,
        text: said,
        tokens: 0,
        at: Time::MIN,
        partial: false,
    };
    let draft =
        heuristic::distil(std::slice::from_ref(&turn), heuristic::SessionBackground::default(), analyser);
    let [candidate] = draft.candidates.as_slice() else { return None };
    Some([candidate.subject.clone()?, candidate.predicate.clone()?, candidate.object.clone()?])
}

/// Verbs with which systems begin a sentence whose subject, the user, they leave out.
const BEGINNINGS: &[&str] = &[
    "lives", "works", "likes", "loves", "prefers", "hates", "dislikes", "is", "has", "uses", "wants",
    "enjoys", "owns", "speaks", "plays", "studies", "does", "doesn't", "was", "moved",
];

/// "User lives in Lyon" as the user says it.
fn first_person(content: &str) -> Option<String> {
    let content = content.trim().trim_end_matches('.');
    let lower = content.to_lowercase();
    for owner in ["the user's ", "user's ", "users ", "the user’s ", "user’s "] {
        if lower.starts_with(owner) {
            return Some(format!("My {}", content.get(owner.len()..)?));
        }
    }
    for user in ["the user ", "user "] {
        if lower.starts_with(user) {
            return Some(format!("I {}", unbent(content.get(user.len()..)?)));
        }
    }
    if lower.starts_with("i ") || lower.starts_with("my ") || lower.starts_with("i'm ") {
        return Some(content.to_owned());
    }
    if lower.starts_with("name is ") {
        return Some(format!("My {lower_first}{}", content.get(1..)?, lower_first = 'n'));
    }
    let first = lower.split_whitespace().next()?;
    BEGINNINGS.contains(&first).then(|| format!("I {}", unbent(content)))
}

/// The first word, a verb in the third person, in the first.
fn unbent(rest: &str) -> String {
    let (verb, after) = rest.split_once(' ').unwrap_or((rest, ""));
    let verb = verb.to_lowercase();
    let verb = match verb.as_str() {
        "is" => "am".to_owned(),
        "has" => "have".to_owned(),
        "does" => "do".to_owned(),
        "doesn't" => "don't".to_owned(),
        "isn't" => "am not".to_owned(),
        "was" => verb,
        _ => match verb.strip_suffix("ies") {
            Some(stem) => format!("{stem}y"),
            None => match verb
                .strip_suffix("es")
                .filter(|stem| stem.ends_with(['h', 'x', 'o']) || stem.ends_with("ss"))
            {
                Some(stem) => stem.to_owned(),
                None => verb.strip_suffix('s').unwrap_or(&verb).to_owned(),
            },
        },
    };
    if after.is_empty() { verb } else { format!("{verb} {after}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_other_systems_are_read_too() {
        let analyser = Analyser::default();
        let home = |content: &str| read(content, &analyser).map(|[_, predicate, object]| (predicate, object));
        let lyon = Some(("LIVES_IN".to_owned(), "Lyon".to_owned()));
        assert_eq!(home("User lives in Lyon"), lyon);
        assert_eq!(home("Lives in Lyon."), lyon);
        assert_eq!(home("The user lives in Lyon"), lyon);
        assert_eq!(home("I live in Lyon"), lyon);
        assert_eq!(home("The weather is fine"), None);
        let name = |content: &str| read(content, &analyser).map(|[_, predicate, _]| predicate);
        assert!(name("User's name is Ada").is_some());
        assert_eq!(name("User's name is Ada"), name("Name is Ada"));
    }

    #[test]
    fn numbers_and_denials_are_what_changes() {
        let analyser = Analyser::default();
        let matter = |content: &str| masked(content, &analyser);
        assert_eq!(matter("The office has 2 printers"), matter("The office has 3 printers"));
        assert_eq!(matter("The team likes meetings"), matter("The team doesn't like meetings"));
        assert_ne!(matter("The team likes meetings"), matter("The team likes pizza"));
        assert_eq!(matter("2026-09-12\n\n## Notes of the day"), "", "a document is no statement");
    }
}
