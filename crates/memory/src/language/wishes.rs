//! How people ask a machine to forget what they told it, or to keep nothing of a conversation: the tables of a language.
//!
//! All of them are lists of forms. A form is words that stand beside each other, or with something in between (`…`). A word that ends in `*` stands for
//! all that begin so. `^` before a form asks that the clause begin with it, but for words that open one ("please", "and"); `$` behind it that the
//! clause end there, but for words that close one ("olur mu") or are only polite. `a|b` stands for either, and `_` for a space inside one of them. What is
//! written without spaces is found inside of words, and has no `*`.

/// How a language asks that something be forgotten, and what has the same words and asks for nothing.
#[derive(Debug)]
pub(crate) struct WishWords {
    /// Forms that order or ask by themselves that something be forgotten.
    pub orders: &'static [&'static str],
    /// The same of deleting. Much can be deleted: they ask for it only where the sentence says that it was told or is known.
    pub deletions: &'static [&'static str],
    /// Forms of verbs that take something away, ordered or asked for: of a memory alone they mean that.
    pub removals: &'static [&'static str],
    /// What makes an order of any form of these verbs that stands behind it: "could you", "I'd like you to".
    pub requests: &'static [&'static str],
    /// The forms of the verbs, as they stand behind a request.
    pub forgetting: &'static [&'static str],
    pub deleting: &'static [&'static str],
    /// Forms that ask that something be not kept, whole: of a memory, or with what they point at.
    pub refusals: &'static [&'static str],
    /// The same of what can be kept elsewhere too. They ask a memory where they point at what was said, or name it: "don't save that".
    pub keepings: &'static [&'static str],
    /// Forms that ask to act as if something had never been said, whole.
    pub pretences: &'static [&'static str],
    /// Where what is told is kept: "your memory".
    pub memory: &'static [&'static str],
    /// How a sentence names something by its having been told or being known: "what I said", "the thing about".
    pub told: &'static [&'static str],
    /// What people have told of themselves in one word, as theirs: "my address".
    pub own: &'static [&'static str],
    /// What makes ordinary talk of it in the same clause: who forgets, how often, and what is not to be forgotten.
    pub ordinary: &'static [&'static str],
    /// What makes somebody else's message of all that stands behind it: "write her that".
    pub passed_on: &'static [&'static str],
    /// Forms that ask that nothing at all be kept, whole: with a verb of keeping that is ordered or asked for.
    pub silences: &'static [&'static str],
    /// How a sentence names the conversation, or what is said in it.
    pub here: &'static [&'static str],
    /// What stands before the matter of such a form, and behind it: then it is about that matter alone.
    pub about: &'static [&'static str],
    pub about_behind: &'static [&'static str],
    /// Words that point at what is being said, at the conversation or at who speaks, and name nothing by themselves.
    pub pointing: &'static str,
    /// Whether much may stand between a request and its verb: "kannst du das mit dem Auto bitte vergessen".
    pub verb_far: bool,
    /// Words before an order in its clause, and behind one that ends a clause.
    pub openers: &'static str,
    pub closers: &'static str,
}
