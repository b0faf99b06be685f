//! Calls that a chat client makes for itself: a title for the conversation, tags, follow-up questions.
//!
//! They look like chats, and often carry the whole conversation as one text. Nothing may be learned from them, nothing
//! recalled into them, and they begin no session. They are known in two ways. The prompts of the usual clients are known
//! by how they begin ([`TEMPLATES`]). Any other is known by three things together: it asks for a title (tags, questions)
//! *of the conversation*, and says *how the answer must look* so that a program can use it. People do the first, and
//! sometimes the second; hardly ever all three. Where a person does, one message is not learned from: it was none that
//! tells anything.
//!
//! What is looked at is the instruction, the user's latest message or, in a request with one message, the system's: a
//! title that is spoken of further up in a conversation, or further down in a long text, asks for nothing.

use super::wire::{ChatBody, WireMessage};
use crate::limits;
use memory::types::Role;

/// What the client wants for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SideCall {
    /// What the conversation is called.
    Title,
    Tags,
    /// What the user might say next.
    FollowUps,
    /// What to look for on the web or in files.
    Query,
    /// The rest of what the user is typing.
    Completion,
    /// The conversation so far, to take its place.
    Summary,
    Emoji,
    /// What a picture shall show.
    Picture,
    /// Which tools fit.
    Tools,
}

impl SideCall {
    /// For metrics and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            SideCall::Title => "title",
            SideCall::Tags => "tags",
            SideCall::FollowUps => "follow_ups",
            SideCall::Query => "query",
            SideCall::Completion => "completion",
            SideCall::Summary => "summary",
            SideCall::Emoji => "emoji",
            SideCall::Picture => "picture",
            SideCall::Tools => "tools",
        }
    }
}

/// Whether this is a client's side call, and which.
pub fn recognise(chat: &ChatBody) -> Option<SideCall> {
    let is_short = chat.envelope.max_tokens.is_some_and(|tokens| tokens <= limits::SIDE_CALL_TOKENS);
    let last = chat.last_user().map(|user| &chat.messages[user]);
    // A program's own errand is one whatever came before it, tools too.
    if let Some(call) = last.and_then(errand) {
        return Some(call);
    }
    let last = last.map(|message| Instruction::of(&message.own_text()));
    // While tools are called there is a conversation, whatever it is about.
    let in_a_round = chat.messages.iter().any(|message| message.role == Role::Tool || message.calls_tools());
    let is_last = chat.messages.last().is_some_and(|message| message.role == Role::User);
    if in_a_round || !is_last && chat.last_user().is_some() {
        return None;
    }
    let by_user = last.as_ref().and_then(|last| last.asks_for(is_short));
    by_user.or_else(|| by_system(chat, is_short))
}

/// What a program asks for itself, in one of the parts of a message.
fn errand(message: &WireMessage) -> Option<SideCall> {
    let known = |text: &str| Instruction::of(text).begins_as(OWN_ERRANDS);
    match message.content.as_array() {
        Some(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).find_map(known),
        None => message.content.as_str().and_then(known),
    }
}

/// A system message that makes a helper of the model, and one message that it is to be done to; some have their helper told twice.
fn by_system(chat: &ChatBody, is_short: bool) -> Option<SideCall> {
    let count = |role: Role| chat.messages.iter().filter(|message| message.role == role).count();
    let system = chat.messages.iter().find(|message| message.role == Role::System)?;
    let system = Instruction::of(&system.text());
    match (count(Role::User), count(Role::Assistant)) {
        (0 | 1, 0 | 1) => system.asks_for(is_short),
        (_, 0) => system.begins_as(TEMPLATES),
        _ => None,
    }
}

/// How the errands of coding agents begin, and what else they have: taking a conversation together, naming it, keeping notes of it.
const OWN_ERRANDS: &[(&str, &str, SideCall)] = &[
    ("critical: respond with text only. do not call any tools", "summary", SideCall::Summary),
    ("your task is to create a detailed summary of the conversation so far", "", SideCall::Summary),
    ("your task is to create a detailed summary of the recent portion", "", SideCall::Summary),
    ("you are performing a context checkpoint compaction", "", SideCall::Summary),
    ("provide a detailed prompt for continuing our conversation above", "", SideCall::Summary),
    ("first, reason in your scratchpad. then, generate the <state_snapshot>", "", SideCall::Summary),
    ("managed memory has two directories", "", SideCall::Summary),
    ("<session>", "write the title", SideCall::Title),
    ("generate a title for this conversation:", "", SideCall::Title),
    ("please write a 5-10 word title", "", SideCall::Title),
];

/// How known prompts begin, and what else they have.
const TEMPLATES: &[(&str, &str, SideCall)] = &[
    ("task: generate a concise, 3-5 word title", "", SideCall::Title),
    ("task: generate 1-3 broad tags", "", SideCall::Tags),
    ("task: suggest 3-5 relevant follow-up questions", "", SideCall::FollowUps),
    (
        "task: analyze the chat history to determine the necessity of generating search queries",
        "",
        SideCall::Query,
    ),
    ("task: you are an autocompletion system", "", SideCall::Completion),
    ("task: generate a detailed prompt for a", "image generation", SideCall::Picture),
    ("task:", "<chat_history>", SideCall::Summary),
    ("your task is to reflect the speaker's likely facial expression", "emoji", SideCall::Emoji),
    ("available tools:", "your task is to choose and return the correct tool(s)", SideCall::Tools),
    ("here is the query:", "as a title for the previous query", SideCall::Title),
    ("create a concise, 3-5 word", "as a title for the", SideCall::Title),
    ("detect user language and write in the same language an extremely concise title", "", SideCall::Title),
    ("please generate a concise, 5-word-or-less title for the conversation", "", SideCall::Title),
    ("provide a concise, 5-word-or-less title for the conversation", "", SideCall::Title),
    ("analyze this conversation and provide: 1. the detected language", "title", SideCall::Title),
    ("you are a professional conversation summarizer", "title", SideCall::Title),
    ("you're an assistant who's good at extracting key takeaways from conversations", "", SideCall::Summary),
    ("based on the chat history, give this conversation a name", "", SideCall::Title),
    ("summarize the given session as a", "title", SideCall::Title),
    ("please generate a four to five word title summarizing our conversation", "", SideCall::Title),
    (
        "summarize the discussion briefly in 200 words or less to use as a prompt for future context",
        "",
        SideCall::Summary,
    ),
    ("you are an ai conversation titles assistant", "", SideCall::Title),
    (
        "- you will generate a short title based on the first message a user begins a conversation with",
        "",
        SideCall::Title,
    ),
    ("you will generate a short title based on the first message", "", SideCall::Title),
    ("you are a summarization ai", "do not try to answer it", SideCall::Title),
    (
        "what would be a short and relevant title for this chat? you must strictly answer with only the title",
        "",
        SideCall::Title,
    ),
    ("summarize in a", "give the title only", SideCall::Title),
    ("summarize in a", "word title", SideCall::Title),
    ("you are a title generator", "", SideCall::Title),
    ("you are now acting as the managed memory extraction subagent", "", SideCall::Summary),
    ("generate a concise 3-7 word title for this conversation", "", SideCall::Title),
    ("analyze if this message indicates a new conversation topic", "title", SideCall::Title),
    (
        "based on the conversation so far, provide a concise description of this session in",
        "",
        SideCall::Title,
    ),
    ("你是一名擅长会话的助理", "标题", SideCall::Title),
    ("总结给出的会话", "标题", SideCall::Title),
    ("使用四到五个字直接返回这句话的简要主题", "", SideCall::Title),
    ("简要总结一下对话内容", "上下文", SideCall::Summary),
];

/// Ways of asking, what for, and what of.
const VERBS: [&str; 14] = [
    "generate",
    "create",
    "write",
    "provide",
    "suggest",
    "give",
    "come up with",
    "summarize",
    "summarise",
    "name",
    "return",
    "reply with",
    "respond with",
    "propose",
];
const WANTED: &[(&str, SideCall)] = &[
    ("follow-up question", SideCall::FollowUps),
    ("follow up question", SideCall::FollowUps),
    ("suggested repl", SideCall::FollowUps),
    ("suggested question", SideCall::FollowUps),
    ("search quer", SideCall::Query),
    ("title", SideCall::Title),
    ("headline", SideCall::Title),
    ("a name", SideCall::Title),
    ("tags", SideCall::Tags),
    ("keywords", SideCall::Tags),
];
const OF_THE_CONVERSATION: &[&str] = &[
    "this conversation",
    "the conversation",
    "our conversation",
    "following conversation",
    "chat history",
    "conversation history",
    "<chat_history>",
    "<conversation>",
    "this chat",
    "the chat",
    "this session",
    "the session",
    "given session",
    "this dialogue",
    "the dialogue",
    "following dialogue",
    "the discussion",
    "this thread",
    "user's first message",
    "first message",
    "user's query",
];
const FOR_A_PROGRAM: &[&str] = &[
    "nothing else",
    "only the title",
    "just the title",
    "title only",
    "only return",
    "return only",
    "only output",
    "output only",
    "only respond with",
    "respond only with",
    "respond with only",
    "reply only with",
    "reply with only",
    "answer with only",
    "do not output",
    "do not include",
    "don't include",
    "no other text",
    "no additional text",
    "no punctuation",
    "without punctuation",
    "no quotes",
    "without quotes",
    "without quotation",
    "no quotation",
    "no explanation",
    "without any lead-in",
    "json format",
    "json array",
    "json object",
    "as json",
    "in json",
    "comma-separated",
    "comma separated",
    "words or less",
    "words or fewer",
    "word title",
    "characters or less",
    "characters max",
    "max 5 words",
    "maximum of",
];

/// Characters of a message within which it says what it wants, at either end.
const SAID_WITHIN_CHARACTERS: usize = 700;

/// Characters from the beginning within which the wish stands: what comes later is material.
const WISH_WITHIN_CHARACTERS: usize = 160;

/// What a message says first and last: in lower case, on one line.
struct Instruction {
    head: String,
    tail: String,
}

impl Instruction {
    fn of(text: &str) -> Self {
        let head = text.chars().take(SAID_WITHIN_CHARACTERS).collect::<String>();
        let skipped = text.chars().count().saturating_sub(SAID_WITHIN_CHARACTERS);
        let tail = text.chars().skip(skipped).collect::<String>();
        Self { head: plain(&head), tail: plain(&tail) }
    }

    fn asks_for(&self, is_short: bool) -> Option<SideCall> {
        self.begins_as(TEMPLATES).or_else(|| self.asks_in_general(is_short))
    }

    fn begins_as(&self, templates: &[(&str, &str, SideCall)]) -> Option<SideCall> {
        let begins = |beginning: &str| self.head.starts_with(beginning);
        let known = templates.iter().find(|(beginning, other, _)| begins(beginning) && self.has(other));
        known.map(|(_, _, call)| *call)
    }

    /// A wish at the beginning or at the end, of the conversation, for a program.
    fn asks_in_general(&self, is_short: bool) -> Option<SideCall> {
        let beginning: String = self.head.chars().take(WISH_WITHIN_CHARACTERS).collect();
        let skipped = self.tail.chars().count().saturating_sub(WISH_WITHIN_CHARACTERS);
        let end: String = self.tail.chars().skip(skipped).collect();
        let wish = [&beginning, &end].into_iter().find_map(|place| wish(place).map(|call| (call, place)));
        let (call, place) = wish?;
        let of_it = OF_THE_CONVERSATION.iter().any(|words| place.contains(words));
        let for_a_program = FOR_A_PROGRAM.iter().any(|words| self.has(words));
        (of_it && (for_a_program || is_short)).then_some(call)
    }

    fn has(&self, words: &str) -> bool {
        self.head.contains(words) || self.tail.contains(words)
    }
}

/// What is asked for here: a verb that begins a sentence, and behind it one of the things that clients want. Who asks a
/// question is a person.
fn wish(text: &str) -> Option<SideCall> {
    if text.ends_with('?') {
        return None;
    }
    let verb = VERBS.iter().filter_map(|verb| command_at(text, verb)).min()?;
    WANTED.iter().find(|(words, _)| text[verb..].contains(words)).map(|(_, call)| *call)
}

/// Where the word stands as a command: first in its sentence, or after the words with which one is told to do something.
fn command_at(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text[..*at].trim_end();
        let begins = before.is_empty()
            || before.ends_with(['.', '!', '?', ':', '-', ')', '>'])
            || ["please", "you will", "task is to", "must", "and", "assistant:"]
                .iter()
                .any(|lead| before.ends_with(lead));
        let after = text[at + word.len()..].chars().next();
        begins && !after.is_some_and(char::is_alphanumeric)
    })
}

/// On one line, in lower case, without the marks of a heading and with plain apostrophes.
fn plain(text: &str) -> String {
    let text = text.to_lowercase().replace(['’', '‘'], "'");
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_start_matches(['#', '*', '"', ' ']).to_owned()
}

#[cfg(test)]
mod tests;
