//! What a judge of speech says: which sentences last, whose words they are, and what one does to another.

use std::ops::Range;

/// What a sentence of a user's message is, as far as memory goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpeechSort {
    /// A task, a question, small talk: nothing to keep.
    Passing,
    /// Something that a good assistant would still know weeks later.
    Lasting,
    /// Not the person's own words about themselves: pasted, quoted, forwarded, fiction, a part that is played, a text to work on.
    Quoted,
    /// Supposed, wished, asked or joked only.
    Supposed,
    /// A request to forget something, or not to keep it.
    Forget,
    /// A statement of self-harm, or a wish against help.
    Crisis,
}

impl SpeechSort {
    /// In the order in which a judge gives their chances.
    pub const ALL: [Self; 6] =
        [Self::Passing, Self::Lasting, Self::Quoted, Self::Supposed, Self::Forget, Self::Crisis];
}

/// What lasting statements are about, in the order in which a judge gives their chances.
pub const SUBJECTS: [&str; 14] = [
    "identity",
    "home",
    "work",
    "people",
    "health",
    "diet",
    "money",
    "schedule",
    "project",
    "tool",
    "preference",
    "instruction",
    "event",
    "feeling",
];

/// A sentence as a judge reads it, with the sentences around it. All chances are from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct SentenceReading {
    /// By [`SpeechSort::ALL`]; they sum to 1.
    pub sorts: [f32; 6],
    /// One of [`SUBJECTS`].
    pub subject: &'static str,
    /// Belongs in front of every conversation.
    pub core: f32,
    /// Told as over already.
    pub past: f32,
    /// The user asks that it be kept.
    pub asked_to_keep: f32,
    /// Says that something is no longer as it was.
    pub changes: f32,
    /// About somebody else than the user.
    pub of_another: f32,
    /// Whom it is about is not named in it.
    pub subject_elsewhere: f32,
    /// Has a day on which it happens or ends.
    pub dated: f32,
    /// The part of the sentence that tells it, as bytes of the sentence.
    pub clause: Range<usize>,
}

impl SentenceReading {
    pub fn chance(&self, sort: SpeechSort) -> f32 {
        self.sorts[sort as usize]
    }
}

/// What a later statement does to an earlier one; with the chance that it does nothing they sum to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PairReading {
    /// Says the same again.
    pub same: f32,
    /// Gives a new value, or corrects it.
    pub replaces: f32,
    /// Says that it no longer holds.
    pub ends: f32,
    /// Asks that it be forgotten.
    pub forgets: f32,
    /// How much both have to do with each other by their words alone, from -1 to 1; no chance.
    pub alike: f32,
}

/// A new statement, with what the message around it says of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewStatement<'a> {
    pub text: &'a str,
    /// What is kept of it: the part that tells it, with what it needs to be understood.
    pub kept: &'a str,
    /// The chance that it lasts.
    pub lasting: f32,
    /// The chance that it says of something that it is no longer as it was.
    pub changes: f32,
}

/// Something that is known, as something new is laid beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownText<'a> {
    pub text: &'a str,
    /// What is kept of it: the part that tells it, with what it needs to be understood.
    pub kept: &'a str,
    /// The chance that it lasts.
    pub lasting: f32,
    /// How many of those that it is weighed with are newer.
    pub newer: usize,
    /// Whether it was said in the same conversation as what is laid beside it, and how many days before.
    pub together: bool,
    pub days: f32,
    /// The chance that it belongs in front of every conversation, where that was heard when it was said.
    pub core: Option<f32>,
}

impl<'a> KnownText<'a> {
    /// A text of which nothing else is known.
    pub fn of(text: &'a str) -> Self {
        Self { text, kept: text, lasting: 1.0, newer: 0, together: false, days: 0.0, core: None }
    }
}

/// What a message calls for, and what each of several memories would do for it.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageNeeds {
    /// The chance that it calls for anything that is known at all.
    pub calls: f32,
    /// By [`SUBJECTS`], the chance that the message calls for something about it.
    pub subjects: [f32; 14],
    /// In the order of the memories.
    pub memories: Vec<MemoryWorth>,
}

/// What a memory is worth before a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MemoryWorth {
    /// The chance that it helps with the message, among what is known of a user.
    pub helps: f32,
    /// The message has a word for it that few others of what is known have.
    pub named: bool,
    /// How much it has to do with the message, where it is no memory and of no user.
    pub relates: f32,
    /// The chance that it belongs in front of every conversation.
    pub core: f32,
    /// One of [`SUBJECTS`].
    pub subject: &'static str,
}

/// A clause of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedClause {
    pub range: Range<usize>,
    /// It tells something that lasts, by itself.
    pub stands: bool,
    /// So surely that what stands beside it may be over and this not.
    pub stands_surely: bool,
}

/// Reads what people tell. It needs no server and answers in about a millisecond a sentence or pair, so it is asked directly.
pub trait SpeechJudge: Send + Sync {
    /// The sentences of one message, with the beginning of the user's message before it.
    fn read(&self, message: &[&str], before: Option<&str>) -> Vec<SentenceReading>;

    /// The same with a longer look, where something is learned by it.
    fn listen(&self, message: &[&str], before: Option<&str>) -> Vec<SentenceReading> {
        self.read(message, before)
    }

    /// What a later statement does to each of the earlier ones.
    fn compare(&self, later: &str, earlier: &[&str]) -> Vec<PairReading>;

    /// The same of a wish to forget, which is rare and worth a longer look.
    fn heed(&self, wish: &str, earlier: &[&str]) -> Vec<PairReading> {
        self.compare(wish, earlier)
    }

    /// The clauses of a statement, in order, and which of them tell something by themselves.
    fn clauses(&self, statement: &str) -> Vec<StatedClause>;

    /// The chance of each of several earlier statements of the same user to be over by a later one.
    fn over(&self, later: &NewStatement<'_>, earlier: &[KnownText<'_>]) -> Vec<f32>;

    /// The same with a second, longer look at those that are over most likely.
    fn over_on_second_look(&self, later: &NewStatement<'_>, earlier: &[KnownText<'_>]) -> Vec<f32> {
        self.over(later, earlier)
    }

    /// What a message calls for, and which of the memories, each a sentence, would help with it.
    fn weigh(&self, message: &str, memories: &[KnownText<'_>]) -> MessageNeeds;
}
