//! From the messages of a foreign conversation to its turns.
//!
//! What every source gets wrong now and then is put right here, once: messages without an id get one from what they say, ids that
//! occur twice are told apart, a message that is larger than a turn becomes several, and one without a time was said when the one before
//! it was. All of it comes out the same on every import, which is how a second one finds everything known.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use memory::types::{Role, Time};

use serde_json::Value;

use super::branches::{self, Knot};
use super::import_model::{ImportedConversation, ImportedMessage, ImportedRecord};
use super::lenient;

/// A message as its source has it.
#[derive(Debug, Default, Clone)]
pub struct SourceMessage {
    pub id: Option<String>,
    pub role: Option<Role>,
    pub speaker: Option<String>,
    pub text: String,
    pub at: Option<Time>,
}

/// Bytes of one turn. Secrets are masked before a turn is stored, and a mask may be longer than what it hides.
const TURN_BYTES: usize = memory::limits::TURN_TEXT_BYTES - memory::limits::TURN_TEXT_BYTES / 8;

/// The turns. Messages that say nothing are left out.
pub fn turns(messages: Vec<SourceMessage>, started_at: Option<Time>) -> Vec<ImportedMessage> {
    let mut names = DistinctNames::default();
    let mut turns = Vec::with_capacity(messages.len());
    for message in messages {
        if message.text.trim().is_empty() {
            continue;
        }
        // Whose role nobody knows is nobody's evidence.
        let role = message.role.unwrap_or(Role::Tool);
        let id = match &message.id {
            Some(id) if !id.trim().is_empty() => lenient::id(id),
            _ => lenient::hashed(&format!("{role}\u{1f}{}", message.text)),
        };
        let id = names.tell_apart(id);
        let speaker = message
            .speaker
            .map(|name| lenient::cut(name.trim(), 100).to_owned())
            .filter(|name| !name.is_empty());
        for (number, part) in split(&message.text).into_iter().enumerate() {
            let id = if number == 0 { id.clone() } else { names.tell_apart(format!("{id}/{}", number + 1)) };
            let text = part.to_owned();
            turns.push(ImportedMessage { id, role, speaker: speaker.clone(), text, at: message.at });
        }
    }
    fill_times(&mut turns, started_at);
    turns
}

/// A conversation that forks, as its main line and its branches: each a conversation of its own, so that none is lost and none is read as
/// part of another. `names` are the messages' own, by which a branch says where it forks.
pub fn branches(
    main: ImportedConversation,
    knots: &[Knot],
    names: &[String],
    messages: &[Vec<SourceMessage>],
    current: Option<usize>,
) -> Vec<ImportedConversation> {
    let says = |place: &usize| messages[*place].iter().any(|message| !message.text.trim().is_empty());
    let mut lines = branches::lines(knots, current);
    if lines.first().is_some_and(|line| !line.knots.iter().any(says)) {
        // What is said to be the last message leads to nothing: the deepest line does better.
        lines = branches::lines(knots, None);
    }
    let mut all: Vec<ImportedConversation> = Vec::new();
    for (number, line) in lines.into_iter().filter(|line| line.knots.iter().any(says)).enumerate() {
        let said = line.knots.iter().flat_map(|place| messages[*place].clone()).collect();
        let mut one = ImportedConversation { turns: turns(said, main.started_at), ..main.clone_head() };
        if number > 0 {
            one.id = format!("{}#branch-{number}", main.id);
            one.started_at = one.turns.first().and_then(|turn| turn.at).or(one.started_at);
            one.metadata.insert("branch_of".to_owned(), Value::String(main.id.clone()));
            if let Some(after) = line.forks_after {
                one.metadata.insert("forks_after".to_owned(), Value::String(names[after].clone()));
            }
        }
        all.push(one);
    }
    if all.is_empty() {
        all.push(main);
    }
    all
}

impl ImportedConversation {
    /// The same but for what is said in it.
    fn clone_head(&self) -> Self {
        Self {
            id: self.id.clone(),
            title: self.title.clone(),
            started_at: self.started_at,
            agent: self.agent.clone(),
            user: self.user.clone(),
            tags: self.tags.clone(),
            metadata: self.metadata.clone(),
            turns: Vec::new(),
            document: self.document,
        }
    }
}

/// A time that is missing is the one before; at the beginning the conversation's, or the first that is known.
fn fill_times(turns: &mut [ImportedMessage], started_at: Option<Time>) {
    let first = turns.iter().find_map(|turn| turn.at);
    let mut before = started_at.or(first);
    for turn in turns {
        turn.at = turn.at.or(before);
        before = turn.at;
    }
}

/// A text in parts that are turns, between lines where there are any.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > TURN_BYTES {
        let most = rest.floor_char_boundary(TURN_BYTES);
        let at = rest[..most].rfind('\n').map(|line| line + 1).filter(|at| *at > most / 2).unwrap_or(most);
        let (part, after) = rest.split_at(at);
        parts.push(part);
        rest = after;
    }
    if !rest.trim().is_empty() || parts.is_empty() {
        parts.push(rest);
    }
    parts
}

/// Names that must differ.
#[derive(Default)]
struct DistinctNames(HashMap<String, u64>);

impl DistinctNames {
    fn tell_apart(&mut self, name: String) -> String {
        let times = self.0.entry(name.clone()).or_default();
        *times += 1;
        if *times == 1 {
            return name;
        }
        let other = format!("{name}~{times}");
        self.tell_apart(other)
    }
}

/// Which conversations a file has had so far.
#[derive(Default)]
pub struct SeenConversations(HashMap<String, Vec<u64>>);

impl SeenConversations {
    /// The conversation under a name that no other of the file has. One that stands in the file twice, word for word, comes in once.
    pub fn incoming(&mut self, mut conversation: ImportedConversation) -> ImportedRecord {
        if conversation.turns.is_empty() {
            return ImportedRecord::LeftOut("nothing is said in it".to_owned());
        }
        let mut hasher = DefaultHasher::new();
        for turn in &conversation.turns {
            (&turn.id, turn.role.as_str(), &turn.text).hash(&mut hasher);
        }
        let whole = hasher.finish();
        let same = self.0.entry(conversation.id.clone()).or_default();
        if same.contains(&whole) {
            return ImportedRecord::LeftOut("it stands in the file twice".to_owned());
        }
        same.push(whole);
        if same.len() > 1 {
            conversation.id = format!("{}~{}", conversation.id, same.len());
        }
        ImportedRecord::Conversation(Box::new(conversation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: Option<&str>, text: &str) -> SourceMessage {
        SourceMessage {
            id: id.map(str::to_owned),
            role: Some(Role::User),
            text: text.to_owned(),
            ..SourceMessage::default()
        }
    }

    #[test]
    fn ids_are_unique_and_the_same_every_time() {
        let said = || {
            let messages = vec![
                message(Some("a"), "one"),
                message(Some("a"), "two"),
                message(Some("a~2"), "three"),
                message(None, "same"),
                message(None, "same"),
                message(Some("\u{7}"), "bell"),
                message(Some("b"), "  "),
            ];
            turns(messages, None).into_iter().map(|turn| turn.id).collect::<Vec<_>>()
        };
        let ids = said();
        assert_eq!(ids.len(), 6);
        assert_eq!(ids[..2], ["a", "a~2"]);
        assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), 6);
        assert_eq!(ids, said());
    }

    #[test]
    fn a_gigantic_message_loses_nothing() {
        for text in ["ä".repeat(3_000_000), "line of a log\n".repeat(300_000)] {
            let parts = turns(vec![message(Some("a"), &text)], None);
            assert!(parts.len() > 1);
            assert!(parts.iter().all(|part| part.text.len() <= TURN_BYTES));
            assert_eq!(parts.iter().map(|part| part.text.as_str()).collect::<String>(), text);
        }
    }

    #[test]
    fn missing_times_are_those_around() {
        let at = |text: &str| text.parse::<Time>().ok();
        let mut messages = vec![message(None, "a"), message(None, "b"), message(None, "c")];
        messages[1].at = at("2026-01-02");
        let times =
            |started| turns(messages.clone(), started).into_iter().map(|turn| turn.at).collect::<Vec<_>>();
        assert_eq!(times(None), [at("2026-01-02"); 3]);
        assert_eq!(times(at("2026-01-01")), [at("2026-01-01"), at("2026-01-02"), at("2026-01-02")]);
    }

    #[test]
    fn the_same_name_twice_is_two_conversations_unless_it_is_the_same() {
        let conversation = |text: &str| ImportedConversation {
            id: "c".to_owned(),
            turns: turns(vec![message(Some("m"), text)], None),
            ..ImportedConversation::default()
        };
        let mut seen = SeenConversations::default();
        let names: Vec<String> = ["one", "two", "one"]
            .into_iter()
            .map(|text| match seen.incoming(conversation(text)) {
                ImportedRecord::Conversation(conversation) => conversation.id,
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(names, ["c", "c~2", "LeftOut(\"it stands in the file twice\")"]);
    }
}
