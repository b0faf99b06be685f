//! One pass over a message: its marks, the patterns among its words, and a little of its grammar.

use std::collections::HashMap;

use super::patterns::{MAX_PATTERN_WORDS, patterns};

/// Characters of a message that are looked at, from its beginning and from its end: what somebody wants of a long
/// message stands at one of the two, and pasted material in between.
const HEAD_CHARS: usize = 1_500;
const TAIL_CHARS: usize = 500;

/// What one pass over the message found.
#[derive(Default)]
pub(super) struct MessageCounts {
    pub counts: HashMap<&'static str, usize>,
    pub words: usize,
    pub sentences: usize,
    pub names: usize,
    pub numbers: usize,
    pub code_marks: usize,
    pub math_marks: usize,
    pub quotes: usize,
    pub line_breaks: usize,
    pub is_question: bool,
    /// "I" before a verb in the past: "I bought", "I've been", "I initially described".
    pub own_past_statement: bool,
    /// The first sentence asks about the speaker's own past: "what did I", "how many … have I".
    pub own_past_first: bool,
    /// "you" before a verb in the past: "you joined", "you used".
    pub you_past: bool,
    /// A verb in the past tense anywhere.
    pub past_verb: bool,
    /// "did", "was", "has" somewhere after a question word.
    pub asks_past: bool,
}

impl MessageCounts {
    pub fn of(text: &str) -> Self {
        let text = ends_of(text.trim());
        let mut seen = Self::default();
        seen.marks(&text);
        let words = words_of(&text);
        seen.words = words.len();
        seen.patterns(&words);
        seen.unspaced(&text);
        seen.grammar(&words);
        seen
    }

    pub fn count(&self, class: &str) -> usize {
        self.counts.get(class).copied().unwrap_or(0)
    }

    fn marks(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '{' | '}' | '`' | ';' | '<' | '>' | '_' | '\\' | '|' | '#' => self.code_marks += 1,
                '=' | '+' | '^' | '$' | '%' | '√' | '×' | '÷' => self.math_marks += 1,
                '"' | '“' | '”' | '«' | '»' => self.quotes += 1,
                '\n' => self.line_breaks += 1,
                _ => {}
            }
            if matches!(character, '.' | '!' | '?' | '。' | '？' | '！') {
                self.sentences += 1;
            }
        }
        self.is_question = text.contains(['?', '？', '¿']);
    }

    /// Looks up every run of words; patterns that must stand first are kept apart.
    fn patterns(&mut self, words: &[FeatureWord]) {
        let table = patterns();
        let mut run = String::new();
        for start in 0..words.len() {
            run.clear();
            for word in words.iter().skip(start).take(MAX_PATTERN_WORDS) {
                if !run.is_empty() {
                    run.push(' ');
                }
                run.push_str(&word.text);
                if let Some(classes) = table.anywhere.get(run.as_str()) {
                    for class in classes {
                        *self.counts.entry(class).or_default() += 1;
                    }
                }
                if start == 0
                    && let Some(classes) = table.first.get(run.as_str())
                {
                    for class in classes {
                        *self.counts.entry(class).or_default() += 1;
                    }
                }
            }
        }
    }

    /// Han and kana stand without spaces, so their patterns are looked for as they are.
    fn unspaced(&mut self, text: &str) {
        if text.is_ascii() {
            return;
        }
        for (class, pattern) in &patterns().unspaced {
            if text.contains(pattern) {
                *self.counts.entry(class).or_default() += 1;
            }
        }
    }

    fn grammar(&mut self, words: &[FeatureWord]) {
        let is =
            |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.contains(&word.text.as_str()));
        let mut first_sentence = true;
        for (at, word) in words.iter().enumerate() {
            self.names += usize::from(word.is_name && !word.opens_sentence);
            self.numbers += usize::from(word.text.starts_with(|character: char| character.is_ascii_digit()));
            first_sentence = first_sentence && (at == 0 || !word.opens_sentence);
            if is(at, &["did", "was", "were", "had", "has", "have"]) {
                let after_question = words[..at]
                    .iter()
                    .rev()
                    .take(8)
                    .any(|before| QUESTION_WORDS.contains(&before.text.as_str()));
                self.asks_past |= after_question;
                self.own_past_first |= first_sentence && is(at + 1, &["i", "we"]) && word.text != "were";
            }
            self.past_verb |= word.text == "did" || is_past(&word.text);
            if word.text == "you" {
                self.you_past |= words.get(at + 1).is_some_and(|next| is_past(&next.text));
            }
            if is(at, &["i", "we"]) {
                let verb = if is(at + 1, ADVERBS) { at + 2 } else { at + 1 };
                self.own_past_statement |= words.get(verb).is_some_and(|next| is_past(&next.text));
            }
        }
    }
}

struct FeatureWord {
    text: String,
    /// It has a capital letter.
    is_name: bool,
    opens_sentence: bool,
}

/// The beginning and the end of a long text, the whole of a short one.
fn ends_of(text: &str) -> String {
    let count = text.chars().take(HEAD_CHARS + TAIL_CHARS + 1).count();
    if count <= HEAD_CHARS + TAIL_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(HEAD_CHARS).collect();
    let tail: Vec<char> = text.chars().rev().take(TAIL_CHARS).collect();
    format!("{head}\n{}", tail.into_iter().rev().collect::<String>())
}

/// Lower-case words with English contractions taken apart: "I've" becomes "i have", "what's" "what 's".
fn words_of(text: &str) -> Vec<FeatureWord> {
    let mut words = Vec::new();
    let mut opens_sentence = true;
    let mut raw = String::new();
    for character in text.chars().chain([' ']) {
        let character = if character == '’' { '\'' } else { character };
        if character.is_alphanumeric() || (character == '\'' && !raw.is_empty()) {
            raw.push(character);
            continue;
        }
        if !raw.is_empty() {
            push_word(raw.trim_end_matches('\''), opens_sentence, &mut words);
            raw.clear();
            opens_sentence = false;
        }
        opens_sentence |= matches!(character, '.' | '!' | '?' | ':' | '\n' | '"' | '¿' | '¡');
    }
    words
}

fn push_word(raw: &str, opens_sentence: bool, words: &mut Vec<FeatureWord>) {
    let lower = raw.to_lowercase();
    let is_name = raw.chars().next().is_some_and(char::is_uppercase)
        && !matches!(lower.as_str(), "i" | "i'm" | "i've" | "i'd" | "i'll");
    let mut push = |text: &str, is_name: bool, opens_sentence: bool| {
        words.push(FeatureWord { text: text.to_owned(), is_name, opens_sentence });
    };
    for (ending, full) in [
        ("n't", "not"),
        ("'ve", "have"),
        ("'m", "am"),
        ("'re", "are"),
        ("'ll", "will"),
        ("'d", "'d"),
        ("'s", "'s"),
    ] {
        if let Some(stem) = lower.strip_suffix(ending)
            && !stem.is_empty()
        {
            push(stem, is_name, opens_sentence);
            push(full, false, false);
            return;
        }
    }
    // French and its like: "j'ai", "m'as", "l'autre".
    if let Some((before, after)) = lower.split_once('\'')
        && before.chars().count() <= 2
        && !after.is_empty()
    {
        push(&format!("{before}'"), is_name, opens_sentence);
        push(after, false, false);
        return;
    }
    push(&lower, is_name, opens_sentence);
}

/// A past tense or participle: regular ones by their ending, the frequent irregular ones by list.
fn is_past(word: &str) -> bool {
    (word.len() > 4 && word.ends_with("ed") && !matches!(word, "need" | "indeed"))
        || IRREGULAR_PAST.contains(&word)
}

const QUESTION_WORDS: &[&str] = &["what", "when", "where", "who", "which", "how", "why", "whom", "whose"];

const ADVERBS: &[&str] = &[
    "also",
    "already",
    "always",
    "ever",
    "finally",
    "first",
    "have",
    "had",
    "initially",
    "just",
    "last",
    "never",
    "once",
    "originally",
    "previously",
    "recently",
    "really",
    "was",
    "am",
];

const IRREGULAR_PAST: &[&str] = &[
    "ate",
    "became",
    "been",
    "began",
    "bought",
    "broke",
    "brought",
    "built",
    "came",
    "chose",
    "did",
    "done",
    "drank",
    "drove",
    "fell",
    "felt",
    "found",
    "forgot",
    "gave",
    "given",
    "gone",
    "got",
    "grew",
    "had",
    "heard",
    "held",
    "kept",
    "knew",
    "learnt",
    "left",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "put",
    "ran",
    "read",
    "said",
    "sat",
    "saw",
    "seen",
    "sent",
    "set",
    "slept",
    "sold",
    "spent",
    "spoke",
    "spoken",
    "stood",
    "swam",
    "taken",
    "taught",
    "thought",
    "told",
    "took",
    "understood",
    "was",
    "went",
    "were",
    "woke",
    "won",
    "wore",
    "wrote",
    "written",
];
