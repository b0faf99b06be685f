//! Where in a request memory goes, and as what.
//!
//! By default a system message of its own just before the user's latest message: near the question, marked as nobody's
//! words, and behind everything that a prompt cache has. Some models know no system role and get a user message there;
//! some take one system message only, at the beginning, and get it at that message's end; what a server refused is not
//! tried there again ([`PlacementManner::unless`]). A person may choose another
//! place ([`Placement`]), but not for a request that says what the provider shall cache: every place before the end would
//! undo it.
//!
//! Nothing ever goes between a tool's call and its result, which providers refuse. While tools are being called for a
//! message, what stands before the message stays, and nothing new comes ([`open`]).
//!
//! The dialects differ in what a message of its own is. Anthropic's has none in the list, so memory is a part of the
//! user's message there: before what the user says, behind what tools gave. Where the request marks what the provider
//! shall cache it is the message's last part, because the marks wander: one that stands on the message now is gone with
//! the next request, and the block must be where it was.

pub mod refused;

use serde_json::json;

use super::wire::{ChatBody, Dialect, Splice, WireMessage, quoted};
use memory::settings::{InjectionPlacement, Settings};
use memory::types::Role;

/// Models and providers that know no system role.
const WITHOUT_SYSTEM: [&str; 8] = ["o1", "o1-mini", "o1-preview", "glm", "glmt", "glm-cn", "zai", "qianfan"];

/// Models and providers that want one system message, at the beginning: their chat templates refuse any other.
const SYSTEM_FIRST: [&str; 10] = [
    "xiaomi-mimo",
    "mimo",
    "qwen",
    "qwq",
    "mistral",
    "mixtral",
    "ministral",
    "codestral",
    "devstral",
    "magistral",
];

/// Models whose chat templates know only a user and a model who take turns.
const TAKING_TURNS: [&str; 2] = ["gemma", "codegemma"];

/// Where a block goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Placement {
    /// A message of its own before the user's message that it is for.
    BeforeUser,
    /// A message of its own before all others.
    First,
    /// At the end of the client's first system message; where there is none, as [`Placement::First`].
    InSystem,
    /// At the beginning of the user's message that it is for.
    InUser,
}

/// Where blocks go, and in whose name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacementManner {
    pub placement: Placement,
    /// The role of a message of its own.
    pub role: &'static str,
}

/// A block and the user's message that it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed<'a> {
    pub message: usize,
    pub text: &'a str,
}

impl PlacementManner {
    /// How this request takes memory. `provider` is the upstream's name, where one is chosen, `model` what it calls its model.
    pub fn of(settings: &Settings, provider: Option<&str>, model: &str, chat: &ChatBody) -> Self {
        if chat.dialect == Dialect::Messages {
            let in_system = matches!(
                settings.injection_placement,
                InjectionPlacement::SystemFirst | InjectionPlacement::SystemAppend
            );
            let in_system = in_system && !chat.has_cache_control;
            let placement = if in_system { Placement::InSystem } else { Placement::InUser };
            return Self { placement, role: "user" };
        }
        let names = || provider.into_iter().chain(model.split('/'));
        let is_any = |known: &[&str]| names().any(|name| known.iter().any(|known| is_of(name, known)));
        let role = if chat.messages.iter().any(|message| message.role_name == "developer") {
            // The newer name of the role; a request must not have both.
            "developer"
        } else {
            "system"
        };
        if is_any(&TAKING_TURNS) {
            return Self { placement: Placement::InUser, role: "user" };
        }
        if is_any(&SYSTEM_FIRST) {
            return Self { placement: Placement::InSystem, role };
        }
        let wanted = match settings.injection_placement {
            _ if chat.has_cache_control => Placement::BeforeUser,
            wanted => Placement::from(wanted),
        };
        if !is_any(&WITHOUT_SYSTEM) {
            return Self { placement: wanted, role };
        }
        let placement = if wanted == Placement::InSystem { Placement::BeforeUser } else { wanted };
        Self { placement, role: "user" }
    }

    /// The same where somebody said it for the server that is asked: that counts for every model there.
    pub fn as_said(said: InjectionPlacement, chat: &ChatBody) -> Self {
        let in_system = matches!(said, InjectionPlacement::SystemFirst | InjectionPlacement::SystemAppend);
        if chat.dialect == Dialect::Messages {
            let placement = if in_system { Placement::InSystem } else { Placement::InUser };
            return Self { placement, role: "user" };
        }
        let is_newer = chat.messages.iter().any(|message| message.role_name == "developer");
        Self { placement: Placement::from(said), role: if is_newer { "developer" } else { "system" } }
    }

    /// The same, or the next that whoever is asked may take, where it refused some; nothing where it refused all. At the end of
    /// the first system message, or else within the user's own: the stricter a template is, the less it minds these.
    pub fn unless(self, refused: &[Placement]) -> Option<Self> {
        let by_nobody = |placement: &Placement| self.role == "user" && *placement == Placement::InSystem;
        let next = [Placement::InSystem, Placement::InUser].into_iter().filter(|next| !by_nobody(next));
        let mut all = std::iter::once(self.placement).chain(next);
        all.find(|placement| !refused.contains(placement)).map(|placement| Self { placement, ..self })
    }
}

impl From<InjectionPlacement> for Placement {
    fn from(said: InjectionPlacement) -> Self {
        match said {
            InjectionPlacement::SystemFirst => Placement::First,
            InjectionPlacement::SystemAppend => Placement::InSystem,
            InjectionPlacement::LastUser => Placement::InUser,
            InjectionPlacement::BeforeLastUser => Placement::BeforeUser,
        }
    }
}

/// Whether a name is the known one or one of its family: `glm-4.6` is a glm, `qwen2.5:7b` a qwen, `o1-2024-12-17` is o1, `o1-pro` is not.
fn is_of(name: &str, known: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    let Some(rest) = name.strip_prefix(known) else { return false };
    if known == "o1" {
        return rest.is_empty() || rest.starts_with("-20");
    }
    let behind = rest.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    behind.is_empty() || behind.starts_with(['-', ':'])
}

/// The user's latest message, where something new may be put before it.
pub fn open(chat: &ChatBody) -> Option<usize> {
    let user = chat.last_user()?;
    let in_a_round = |message: &WireMessage| message.role == Role::Tool || message.calls_tools();
    let round_begun = chat.messages[user + 1..].iter().any(in_a_round);
    let calls_before = user.checked_sub(1).is_some_and(|before| chat.messages[before].calls_tools());
    (!round_begun && !calls_before).then_some(user)
}

/// The changes that put the blocks in, in the order of their messages.
pub fn splices(chat: &ChatBody, manner: PlacementManner, blocks: &[Placed<'_>]) -> Vec<Splice> {
    let mut splices = Vec::with_capacity(blocks.len());
    // The first part of an empty list needs no comma before it; the next one does.
    let mut filled = false;
    for block in blocks {
        let own = |message: &WireMessage| own_message(chat, message, manner.role, block.text);
        let (Some(message), Some(first)) = (chat.messages.get(block.message), chat.first_listed()) else {
            continue;
        };
        splices.extend(match manner.placement {
            Placement::BeforeUser => own(message),
            Placement::First => own(first),
            Placement::InSystem => {
                let system = system(chat).and_then(|system| at_end(chat, system, block.text, &mut filled));
                match (system, chat.dialect) {
                    (Some(splice), _) => vec![splice],
                    (None, Dialect::Messages) => own_part(chat, message, block.text),
                    (None, _) => own(first),
                }
            }
            Placement::InUser if chat.dialect == Dialect::Messages => own_part(chat, message, block.text),
            Placement::InUser => match at_beginning(chat, message, block.text) {
                Some(splice) => vec![splice],
                None => own(message),
            },
        });
    }
    splices
}

/// The client's system message. Anthropic's stands beside the list, and what is in the list is none.
fn system(chat: &ChatBody) -> Option<&WireMessage> {
    let in_list = |message: &WireMessage| chat.span.contains(&message.span.start);
    let counts = |message: &WireMessage| chat.dialect != Dialect::Messages || !in_list(message);
    chat.messages.iter().find(|message| message.role == Role::System && counts(message))
}

/// A message before another one, and the comma between them. A text in place of a list becomes the list's only message.
fn own_message(chat: &ChatBody, before: &WireMessage, role: &str, text: &str) -> Vec<Splice> {
    let at = before.span.start;
    if chat.dialect != Dialect::Responses {
        return vec![Splice::insert(at, format!("{{\"role\":\"{role}\",\"content\":{}}},", quoted(text)))];
    }
    let part = part(chat.dialect, text);
    let own = format!("{{\"type\":\"message\",\"role\":\"{role}\",\"content\":[{part}]}},");
    if before.span != chat.span {
        return vec![Splice::insert(at, own)];
    }
    let begin = format!("[{own}{{\"role\":\"user\",\"content\":");
    vec![Splice::insert(at, begin), Splice::insert(before.span.end, "}]")]
}

/// A part of its own in a user's message. A text in place of a list of parts becomes the list's only other part.
fn own_part(chat: &ChatBody, message: &WireMessage, text: &str) -> Vec<Splice> {
    let Some(span) = message.content_span.clone() else { return Vec::new() };
    let own = part(chat.dialect, text);
    let theirs = "{\"type\":\"text\",\"text\":";
    if message.content.is_string() {
        let (begin, end) = match chat.has_cache_control {
            true => (format!("[{theirs}"), format!("}},{own}]")),
            false => (format!("[{own},{theirs}"), "}]".to_owned()),
        };
        return vec![Splice::insert(span.start, begin), Splice::insert(span.end, end)];
    }
    let Some(room) = message.room else { return Vec::new() };
    let splice = match (room.before.filter(|_| !chat.has_cache_control), room.after) {
        (Some(before), _) => Splice::insert(before, format!("{own},")),
        (None, Some(after)) => Splice::insert(after, format!(",{own}")),
        (None, None) => Splice::insert(span.start + 1, own),
    };
    vec![splice]
}

/// The text behind everything that the message says; nothing where it says nothing that text can be added to.
fn at_end(chat: &ChatBody, message: &WireMessage, text: &str, filled: &mut bool) -> Option<Splice> {
    let span = message.content_span.clone()?;
    let is_empty = is_empty(message)? && !*filled;
    *filled = true;
    let insert = match (message.content.is_string(), is_empty) {
        (true, true) => inner(text),
        (true, false) => inner(&format!("\n\n{text}")),
        (false, true) => part(chat.dialect, text),
        (false, false) => format!(",{}", part(chat.dialect, text)),
    };
    Some(Splice::insert(span.end - 1, insert))
}

/// The text before everything that the message says.
fn at_beginning(chat: &ChatBody, message: &WireMessage, text: &str) -> Option<Splice> {
    let span = message.content_span.clone()?;
    let insert = match (message.content.is_string(), is_empty(message)?) {
        (true, true) => inner(text),
        (true, false) => inner(&format!("{text}\n\n")),
        (false, true) => part(chat.dialect, text),
        (false, false) => format!("{},", part(chat.dialect, text)),
    };
    Some(Splice::insert(span.start + 1, insert))
}

/// Whether a content that text can be added to is empty; nothing where it is of another kind.
fn is_empty(message: &WireMessage) -> Option<bool> {
    match (message.content.as_str(), message.content.as_array()) {
        (Some(text), _) => Some(text.is_empty()),
        (_, Some(parts)) => Some(parts.is_empty()),
        _ => None,
    }
}

/// The text as it stands inside a JSON string.
fn inner(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}

fn part(dialect: Dialect, text: &str) -> String {
    let kind = if dialect == Dialect::Responses { "input_text" } else { "text" };
    json!({ "type": kind, "text": text }).to_string()
}

#[cfg(test)]
mod tests;
