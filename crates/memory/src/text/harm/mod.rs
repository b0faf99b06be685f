//! In which words people speak of their own death or harm, in every language, and in which they order that help be kept away.
//!
//! Most people say it in parts that are harmless apart: a bridge and a jump, an arm and a blade, letters and a farewell. So the tables join them where they lie close
//! together in one clause, and name what the same words are usual for. Who speaks is part of it, by a pronoun or the verb's form: what a
//! relative did is a memory as any other. [`own`] has how people speak of themselves, [`retold`] how others tell it again, [`orders`] the orders.
//!
//! What is told in words that no table has, the judge of speech and meaning hear ([`crate::learn`]): a table that guesses hides what people live.

mod orders;
mod own;
mod retold;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::wording::Wordings;

static SPOKEN: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(own::OWN_HARM.iter().copied()));

static TOLD_AGAIN: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(retold::RETOLD.iter().copied()));

static OF_ANOTHER: LazyLock<Wordings> = LazyLock::new(|| {
    Wordings::with_lists(retold::OF_ANOTHER.iter().copied(), &[("@others", retold::OTHER_PEOPLE)])
});

static NAMED: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(retold::TOPICS.iter().copied()));

static FORBIDS_HELP: LazyLock<Wordings> =
    LazyLock::new(|| Wordings::with_lists(orders::HELP_FORBIDDEN.iter().copied(), orders::HELPERS));

static AGAINST_HELP_IN_ORDERS: LazyLock<Wordings> =
    LazyLock::new(|| Wordings::with_lists(orders::IN_ORDERS.iter().copied(), orders::HELPERS));

/// Whether a text speaks of its speaker's own death or harm.
pub fn speaks_of_harm(text: &str) -> bool {
    sentences(text).any(|sentence| SPOKEN.are_in(sentence))
}

/// Whether a text tells it again of the user.
fn retells_harm(text: &str) -> bool {
    sentences(text).any(|sentence| TOLD_AGAIN.are_in(sentence) && !OF_ANOTHER.are_in(sentence))
}

/// Whether a text must not be told again: it speaks of its speaker's own death or harm, or tells it of the user.
pub fn must_not_be_told(text: &str) -> bool {
    speaks_of_harm(text) || retells_harm(text)
}

/// Whether a few words name it.
pub fn names_harm(text: &str) -> bool {
    NAMED.are_in(text)
}

/// Whether an order wants help kept away: that nobody be named who helps, that nothing be warned of, that nothing be refused.
pub fn keeps_help_away(order: &str) -> bool {
    orders_help_away(order) || sentences(order).any(|sentence| AGAINST_HELP_IN_ORDERS.are_in(sentence))
}

/// The same of a sentence of which nobody knows yet that it is an order.
pub fn orders_help_away(sentence: &str) -> bool {
    sentences(sentence).any(|sentence| FORBIDS_HELP.are_in(sentence))
}

/// A text's sentences, in none of which the words of another stand.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let mut signs = rest.char_indices().map(|(at, sign)| (at + sign.len_utf8(), sign));
        let ends = |(end, sign): (usize, char)| match sign {
            '。' | '！' | '？' | '\n' => Some(end),
            '.' | '!' | '?' | '…' | '؟' | '।' if rest[end..].starts_with(char::is_whitespace) => {
                Some(end)
            }
            _ => None,
        };
        let end = signs.find_map(ends).unwrap_or(rest.len());
        let (sentence, behind) = rest.split_at(end);
        rest = behind;
        (!sentence.is_empty()).then_some(sentence)
    })
}
