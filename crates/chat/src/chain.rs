//! The hash chain over a client's messages, by which a message is known again.
//!
//! Chat clients send the whole conversation with every request and give messages no ids. What tells the second "yes"
//! from the first is what came before it; so a message's identity is a hash of its role, its text and the identity of the
//! message before. The same beginning always gives the same hashes, and a message that was edited changes its own and
//! every later one: that is a branch.
//!
//! Some things do not count, because they change while the conversation stays the same. Recalled blocks come out
//! first, and what programs write into messages in their user's name ([`memory::text::harness`]). White space at the ends and the kind of line breaks are the client's business. And nothing hangs on a system
//! message, though it has a hash of its own: many clients write the time of day into it.
//!
//! Hashes are stored, and the masked text stands beside them; a hash over the unmasked text would let anybody try all
//! four-digit numbers until one fits. So secrets are masked before the hash is taken.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;
use sha2::{Digest, Sha256};

use memory::text::secrets::Masker;
use memory::text::{harness, marks};
use memory::types::{AgentId, Role, SessionKey, UserId, hex};

/// Bytes of a hash: enough that no two messages of a tenant ever meet.
const HASH_BYTES: usize = 16;

/// Stands between the parts of what is hashed, and of a message that is more than text. No given id contains it.
const SEPARATOR: char = '\u{1f}';

/// A message's identity. Written as hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChainHash([u8; HASH_BYTES]);

impl ChainHash {
    /// The message in one session. Conversations may begin with the same words; what was put before those words belongs
    /// to one of them.
    #[must_use]
    pub fn within(&self, session: &SessionKey) -> Self {
        Self::of(&[b"recollect session 1", &self.0, session.to_string().as_bytes()])
    }

    fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        let mut hash = [0; HASH_BYTES];
        hash.copy_from_slice(&hasher.finalize()[..HASH_BYTES]);
        Self(hash)
    }
}

/// Not the hexadecimal digits of a hash: an id that a client gave, for instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a message's hash; expected {} hexadecimal digits", 2 * HASH_BYTES)]
pub struct NotAHash;

impl FromStr for ChainHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        if text.len() != 2 * HASH_BYTES || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NotAHash);
        }
        let mut hash = [0; HASH_BYTES];
        for (byte, place) in hash.iter_mut().zip((0..text.len()).step_by(2)) {
            *byte = u8::from_str_radix(&text[place..place + 2], 16).map_err(|_| NotAHash)?;
        }
        Ok(Self(hash))
    }
}

impl fmt::Display for ChainHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for ChainHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// A place between two messages: everything before it, as one hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    head: ChainHash,
}

impl Chain {
    /// Before the first message of a conversation.
    pub fn start(agent: &AgentId, user: &UserId) -> Self {
        let owner = format!("recollect chain 1{SEPARATOR}{agent}{SEPARATOR}{user}");
        Self { head: ChainHash::of(&[owner.as_bytes()]) }
    }

    /// After a message that is already known.
    pub fn after(message: ChainHash) -> Self {
        Self { head: message }
    }

    /// The identity of the message that comes here. The text is one that [`tidy`] has seen.
    pub fn hash(&self, role: Role, tidy_text: &str) -> ChainHash {
        let separator = [SEPARATOR as u8];
        let said = if role == Role::Assistant { without_thoughts(tidy_text) } else { tidy_text };
        ChainHash::of(&[&self.head.0, role.as_str().as_bytes(), &separator, said.as_bytes()])
    }

    /// The place behind that message.
    #[must_use]
    pub fn next(&self, role: Role, tidy_text: &str) -> Self {
        match role {
            Role::System => *self,
            Role::User | Role::Assistant | Role::Tool => Self { head: self.hash(role, tidy_text) },
        }
    }
}

/// A message as the client's JSON has it.
#[derive(Debug, Clone, Copy)]
pub struct ChainMessage<'a> {
    pub role: Role,
    /// A string, a list of parts, or null.
    pub content: &'a Value,
    pub tool_calls: Option<&'a Value>,
}

/// The identities of messages, one for each. A message that held nothing but a recalled block is none of the client's:
/// it leaves the chain where it was and gets the hash of an empty message there.
pub fn hashes(start: Chain, messages: &[ChainMessage<'_>], masker: &Masker) -> Vec<ChainHash> {
    let mut chain = start;
    let mut hashes = Vec::with_capacity(messages.len());
    for message in messages {
        let said = said(message, masker);
        hashes.push(chain.hash(message.role, &said.text));
        chain = said.behind(chain, message.role);
    }
    hashes
}

/// What a message says, as it counts in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainText {
    /// Without recalled spans and what a program wrote in the user's name, masked and tidy.
    pub text: String,
    /// The message held nothing but that: nobody said anything in it.
    pub only_recalled: bool,
}

impl ChainText {
    /// The place behind the message.
    #[must_use]
    pub fn behind(&self, chain: Chain, role: Role) -> Chain {
        if self.only_recalled { chain } else { chain.next(role, &self.text) }
    }
}

pub fn said(message: &ChainMessage<'_>, masker: &Masker) -> ChainText {
    let (content, harness) = own_content(message.role, message.content);
    let (stripped, recalled) = marks::strip(&canonical(&content, message.tool_calls));
    let text = tidy(&masker.mask(&stripped).text);
    ChainText { only_recalled: harness + recalled > 0 && text.is_empty(), text }
}

/// What a message says without what its program wrote into it in the user's name, and how many parts of that there were.
pub fn own_content(role: Role, content: &Value) -> (Cow<'_, Value>, usize) {
    let has_harness = |text: &str| harness::strip(text).1 > 0;
    let part_text = |part: &Value| part.as_str().or_else(|| part.get("text")?.as_str()).map(has_harness);
    let concerned = role == Role::User
        && match content {
            Value::String(text) => has_harness(text),
            Value::Array(parts) => parts.iter().any(|part| part_text(part) == Some(true)),
            _ => false,
        };
    if !concerned {
        return (Cow::Borrowed(content), 0);
    }
    let mut content = content.clone();
    let mut count = 0;
    let mut strip = |text: &mut String| {
        let (own, spans) = harness::strip(text);
        (*text, count) = (own, count + spans);
        !text.is_empty() || spans == 0
    };
    match &mut content {
        Value::String(text) => _ = strip(text),
        Value::Array(parts) => parts.retain_mut(|part| match part {
            Value::String(text) => strip(text),
            Value::Object(fields) => match fields.get_mut("text") {
                Some(Value::String(text)) => strip(text),
                _ => true,
            },
            _ => true,
        }),
        _ => {}
    }
    (Cow::Owned(content), count)
}

/// A reply by what it says alone, wherever it stands: how it is known before its conversation is. For memory and never for
/// the disk.
pub fn fingerprint(content: &Value, tool_calls: Option<&Value>) -> ChainHash {
    let said = said(&ChainMessage { role: Role::Assistant, content, tool_calls }, &Masker::default());
    ChainHash::of(&[b"recollect reply 1", without_thoughts(&said.text).as_bytes()])
}

/// A reply without the thoughts before it, where a model writes them into its text: many clients show them and do not
/// send them back.
fn without_thoughts(text: &str) -> &str {
    let thoughts = text.strip_prefix("<think>").and_then(|rest| rest.split_once("</think>"));
    thoughts.map_or(text, |(_, reply)| reply.trim_start())
}

/// The text without what clients change on its way: white space at the ends, and carriage returns.
pub fn tidy(text: &str) -> String {
    text.trim().replace("\r\n", "\n")
}

/// Everything that a message says, as one text: text parts as they are, so that a string and a list with one text part
/// are the same; images by a hash of where they are; tool calls by name and arguments; anything else as sorted JSON.
pub fn canonical(content: &Value, tool_calls: Option<&Value>) -> String {
    let mut parts: Vec<String> = match content {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(parts) => parts.iter().map(part).collect(),
        other => vec![sorted(other)],
    };
    let calls = tool_calls.and_then(Value::as_array).into_iter().flatten();
    parts.extend(calls.map(tool_call));
    parts.join("\n")
}

fn part(part: &Value) -> String {
    if let Some(text) = part.as_str() {
        return text.to_owned();
    }
    let kind = part["type"].as_str().unwrap_or_default();
    if let ("text" | "input_text" | "output_text", Some(text)) = (kind, part["text"].as_str()) {
        return text.to_owned();
    }
    let image = [&part["image_url"]["url"], &part["image_url"]].into_iter().find_map(Value::as_str);
    let (name, value) = match image {
        Some(url) => ("image", url.to_owned()),
        None => (kind, sorted(part)),
    };
    format!("{SEPARATOR}{name} {}", ChainHash::of(&[value.as_bytes()]))
}

fn tool_call(call: &Value) -> String {
    let function = if call["function"].is_object() { &call["function"] } else { call };
    let name = function["name"].as_str().unwrap_or_default();
    let arguments = match &function["arguments"] {
        Value::String(written) => written.clone(),
        other => sorted(other),
    };
    format!("{SEPARATOR}call {name} {arguments}")
}

/// JSON with the keys of every object in order, whatever order the client wrote them in.
fn sorted(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(sorted).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| name.as_str());
            let written = fields.into_iter().map(|(name, value)| format!("{name:?}:{}", sorted(value)));
            format!("{{{}}}", written.collect::<Vec<_>>().join(","))
        }
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory::types::Owner;
    use proptest::prelude::*;
    use serde_json::json;

    fn start() -> Chain {
        Chain::start(&AgentId::unnamed(), &UserId::unnamed())
    }

    fn hashes_of(messages: &[(Role, Value)]) -> Vec<ChainHash> {
        let messages: Vec<_> = messages
            .iter()
            .map(|(role, content)| ChainMessage { role: *role, content, tool_calls: None })
            .collect();
        hashes(start(), &messages, &Masker::default())
    }

    #[test]
    fn owners_have_chains_of_their_own() {
        let ada: UserId = "ada".parse().expect("a user");
        let chains = [start(), Chain::start(&AgentId::unnamed(), &ada)];
        assert_ne!(chains[0], chains[1]);
        assert_eq!(chains[0], start());
        assert_eq!(chains[0].hash(Role::User, "hi").to_string().len(), 2 * HASH_BYTES);
    }

    #[test]
    fn the_same_words_are_the_same_message() {
        let table = [
            json!("I like tea"),
            json!([{"type": "text", "text": "I like tea"}]),
            json!([{"text": "I like tea", "type": "text", "cache_control": {"type": "ephemeral"}}]),
            json!("  I like tea\r\n"),
            json!(format!("{}\nI like tea", marks::fence("User likes tea", "b1"))),
        ];
        for content in &table {
            assert_eq!(
                hashes_of(&[(Role::User, content.clone())]),
                hashes_of(&[(Role::User, json!("I like tea"))])
            );
        }
    }

    #[test]
    fn images_tool_calls_and_unknown_parts_count() {
        let image = |url: &str| json!([{"type": "image_url", "image_url": {"url": url}}]);
        let call = |arguments: Value| {
            canonical(
                &Value::Null,
                Some(&json!([{"id": "1", "function": {"name": "f", "arguments": arguments}}])),
            )
        };
        assert_ne!(canonical(&image("data:a"), None), canonical(&image("data:b"), None));
        assert!(canonical(&image(&"x".repeat(1_000_000)), None).len() < 100);
        assert_ne!(call(json!("{\"a\":1}")), call(json!("{\"a\":2}")));
        let audio = |one: Value, other: Value| canonical(&json!([one, other]), None);
        let (left, right) = (
            json!({"type": "audio", "data": "q", "rate": 1}),
            json!({"rate": 1, "data": "q", "type": "audio"}),
        );
        assert_eq!(audio(left.clone(), right.clone()), audio(right, left));
    }

    #[test]
    fn nothing_hangs_on_a_system_message_or_on_a_recalled_block() {
        let told = |system: Value| {
            hashes_of(&[(Role::System, system), (Role::User, json!("hi")), (Role::Assistant, json!("hello"))])
        };
        let noon = told(json!("It is 12:00."));
        let later = told(json!("It is 12:01."));
        assert_ne!(noon[0], later[0]);
        assert_eq!(noon[1..], later[1..]);
        let fenced = hashes_of(&[(Role::User, json!(marks::fence("x", "1"))), (Role::User, json!("hi"))]);
        assert_eq!(fenced[1], noon[1]);
    }

    #[test]
    fn a_hash_survives_being_text() {
        let hash = start().hash(Role::User, "hi");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        for wrong in ["", "m1", "zz", &"é".repeat(HASH_BYTES), &hash.to_string()[1..]] {
            assert_eq!(wrong.parse::<ChainHash>(), Err(NotAHash), "{wrong}");
        }
    }

    #[test]
    fn a_message_is_another_one_in_each_session() {
        let key = |name: &str| SessionKey::new(&Owner::unnamed(), name.parse().expect("a session"));
        let hash = start().hash(Role::User, "hi");
        assert_eq!(hash.within(&key("a")), hash.within(&key("a")));
        assert_ne!(hash.within(&key("a")), hash.within(&key("b")));
    }

    #[test]
    fn thoughts_before_a_reply_do_not_count() {
        let hash = |text: &str| start().hash(Role::Assistant, text);
        assert_eq!(hash("<think>\nhm, tea?\n</think>\n\nTea it is."), hash("Tea it is."));
        assert_ne!(hash("<think> is a tag"), hash(" is a tag"));
        let user = |text: &str| start().hash(Role::User, text);
        assert_ne!(user("<think>a</think>b"), user("b"));
    }

    #[test]
    fn a_secret_cannot_be_guessed_from_its_hash() {
        let told = |pin: &str| hashes_of(&[(Role::User, json!(format!("my password is {pin}")))]);
        assert_eq!(told("blue4711"), told("green815"));
    }

    proptest! {
        #[test]
        fn a_change_changes_everything_from_there_on(
            texts in proptest::collection::vec("[a-d ]{0,6}", 1..8),
            place in any::<prop::sample::Index>(),
        ) {
            let messages: Vec<_> = texts.iter().map(|text| (Role::User, json!(text))).collect();
            let whole = hashes_of(&messages);
            let place = place.index(messages.len());
            prop_assert_eq!(&hashes_of(&messages[..place])[..], &whole[..place]);
            let mut edited = messages;
            edited[place].1 = json!("something else");
            let changed = hashes_of(&edited);
            prop_assert_eq!(&changed[..place], &whole[..place]);
            for (before, after) in whole.iter().zip(&changed).skip(place) {
                prop_assert_ne!(before, after);
            }
        }
    }
}
