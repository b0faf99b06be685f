//! Segmentation: from a text to its tokens in order, each folded.
//!
//! Words are what stands between spaces and punctuation, marks included. Runs of scripts that write no spaces become
//! overlapping pairs of characters, because a dictionary would have to guess and a pair does not (measured on XQuAD:
//! 9.9 % of Chinese paragraphs found by words, 93 % by pairs). An emoji is a token. A token holds only ASCII letters
//! and digits and non-ASCII characters, so that SQLite's `ascii` tokenizer reads tokens joined by spaces back as they are.

use super::fold::{fold_character, normalise};
use super::script::{CharacterClass, Unspaced, classify};

/// Longer words are cut: nobody searches by the 65th character, and a pasted blob must not become a token of 100 KB.
pub const TOKEN_CHARACTERS_MAXIMUM: usize = 64;

/// Stands for the decimal point, which a token cannot hold: `3.14` is one number, neither `3` and `14` nor `314`.
const DECIMAL_POINT: char = '·';

/// Articles and pronouns that French and Italian write together with the next word. They become words of their own.
const ELISIONS: [&str; 29] = [
    "all", "c", "d", "dall", "degl", "dell", "j", "jusqu", "l", "lorsqu", "m", "n", "nell", "presqu",
    "puisqu", "qu", "quell", "quelqu", "quest", "quoiqu", "s", "sant", "sull", "t", "tutt", "un", "gl",
    "com", "dov",
];

/// What English writes behind an apostrophe: possessive and contracted verbs, which carry nothing to search by.
const CONTRACTED_TAILS: [&str; 6] = ["s", "m", "re", "ve", "ll", "d"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Segment<'a> {
    /// A word or a number.
    Word(&'a str),
    /// A pair of characters of an unspaced run, or the only character of one.
    Pair(&'a str),
    /// One Han character of a longer run. It is no position in the sequence: it ranks, for words of one character.
    Character(&'a str),
    Emoji(&'a str),
}

impl<'a> Segment<'a> {
    pub(crate) fn text(self) -> &'a str {
        match self {
            Self::Word(text) | Self::Pair(text) | Self::Character(text) | Self::Emoji(text) => text,
        }
    }

    /// Whether the token stands in the sequence that phrases are matched against.
    pub(crate) fn has_position(self) -> bool {
        !matches!(self, Self::Character(_))
    }
}

/// Calls `visit` for each token of the text, in order.
pub(crate) fn segment(text: &str, visit: impl FnMut(Segment<'_>)) {
    let normalised = normalise(text);
    let mut segmenter =
        Segmenter { buffer: String::new(), state: SegmentState::Between, characters: 0, inner: false, visit };
    let mut characters =
        normalised.chars().filter(|&character| classify(character) != CharacterClass::Invisible).peekable();
    let mut previous = ' ';
    while let Some(character) = characters.next() {
        segmenter.step(previous, character, characters.peek().copied());
        previous = character;
    }
    segmenter.flush();
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SegmentState {
    Between,
    Word,
    Run(Unspaced),
    FlagHalf,
}

struct Segmenter<Visit> {
    /// The folded characters of the token or run at hand.
    buffer: String,
    state: SegmentState,
    /// Source characters in the buffer, to bound it.
    characters: usize,
    /// Whether the buffer holds an apostrophe, a point or a comma to be resolved.
    inner: bool,
    visit: Visit,
}

impl<Visit: FnMut(Segment<'_>)> Segmenter<Visit> {
    fn step(&mut self, previous: char, character: char, next: Option<char>) {
        match classify(character) {
            CharacterClass::Word => self.push(SegmentState::Word, character),
            CharacterClass::Unspaced(script) => self.push(SegmentState::Run(script), character),
            CharacterClass::Mark if self.state != SegmentState::Between => self.push(self.state, character),
            CharacterClass::Emoji => {
                self.flush();
                self.buffer.push(character);
                (self.visit)(Segment::Emoji(&self.buffer));
                self.buffer.clear();
            }
            CharacterClass::FlagHalf => {
                let is_second = self.state == SegmentState::FlagHalf;
                self.push(SegmentState::FlagHalf, character);
                if is_second {
                    self.flush();
                }
            }
            CharacterClass::Boundary if self.state == SegmentState::Word => {
                match inner_mark(previous, character, next) {
                    Some(mark) => {
                        self.buffer.push(mark);
                        self.inner = true;
                    }
                    None => self.flush(),
                }
            }
            _ => self.flush(),
        }
    }

    fn push(&mut self, state: SegmentState, character: char) {
        if self.state != state {
            self.flush();
            self.state = state;
        }
        self.characters += 1;
        // A run of unspaced script is cut into pairs anyway; only words can grow without bound.
        if state != SegmentState::Word || self.characters <= TOKEN_CHARACTERS_MAXIMUM {
            fold_character(character, &mut self.buffer);
        }
    }

    fn flush(&mut self) {
        match self.state {
            SegmentState::Between => {}
            SegmentState::Word if self.inner => resolve_inner_marks(&self.buffer, &mut self.visit),
            SegmentState::Word => visit_word(&self.buffer, &mut self.visit),
            SegmentState::Run(script) => visit_pairs(&self.buffer, script, &mut self.visit),
            SegmentState::FlagHalf => (self.visit)(Segment::Emoji(&self.buffer)),
        }
        self.buffer.clear();
        self.state = SegmentState::Between;
        self.characters = 0;
        self.inner = false;
    }
}

/// Apostrophes between letters and points or commas between digits are part of the word, for now.
fn inner_mark(previous: char, character: char, next: Option<char>) -> Option<char> {
    let next = next?;
    match character {
        '\'' | '\u{2018}' | '\u{2019}' if previous.is_alphanumeric() && next.is_alphabetic() => Some('\''),
        '.' | DECIMAL_POINT if previous.is_ascii_digit() && next.is_ascii_digit() => Some('.'),
        ',' if previous.is_ascii_digit() && next.is_ascii_digit() => Some(','),
        _ => None,
    }
}

fn resolve_inner_marks(word: &str, visit: &mut impl FnMut(Segment<'_>)) {
    if word.contains('\'') {
        resolve_apostrophes(word, visit);
    } else {
        resolve_number(word, visit);
    }
}

/// `what's` → what, `l'homme` → l, homme, `don't` → dont, `O'Brien` → obrien.
fn resolve_apostrophes(word: &str, visit: &mut impl FnMut(Segment<'_>)) {
    let mut rest = word;
    if let Some((head, tail)) = word.rsplit_once('\'')
        && CONTRACTED_TAILS.contains(&tail)
    {
        rest = head;
    }
    while let Some((head, tail)) = rest.split_once('\'')
        && ELISIONS.contains(&head)
    {
        visit_word(head, visit);
        rest = tail;
    }
    let joined: String = rest.chars().filter(|&character| character != '\'').collect();
    resolve_number(&joined, visit);
}

/// `10,000` → 10000, `3.14` stays one number, `1.2.3` and `7,8` are several.
fn resolve_number(word: &str, visit: &mut impl FnMut(Segment<'_>)) {
    let groups: Vec<&str> = word.split(',').collect();
    if groups[1..].iter().all(|group| digits_at_start(group) == 3) {
        resolve_points(&groups.concat(), visit);
    } else {
        groups.iter().for_each(|group| resolve_points(group, visit));
    }
}

fn resolve_points(word: &str, visit: &mut impl FnMut(Segment<'_>)) {
    if word.matches('.').count() == 1 {
        visit_word(&word.replace('.', "·"), visit);
    } else {
        word.split('.').for_each(|part| visit_word(part, visit));
    }
}

fn digits_at_start(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn visit_word(word: &str, visit: &mut impl FnMut(Segment<'_>)) {
    // Folding can grow a word (ß → ss) and a mark can be all there was.
    let end = word.char_indices().nth(TOKEN_CHARACTERS_MAXIMUM).map_or(word.len(), |(position, _)| position);
    if end > 0 {
        visit(Segment::Word(&word[..end]));
    }
}

fn visit_pairs(run: &str, script: Unspaced, visit: &mut impl FnMut(Segment<'_>)) {
    let mut starts = run.char_indices().map(|(position, _)| position).chain([run.len()]);
    let Some(mut first) = starts.next() else { return };
    let Some(mut second) = starts.next() else { return };
    if second == run.len() {
        visit(Segment::Pair(run));
        return;
    }
    for third in starts {
        visit(Segment::Pair(&run[first..third]));
        visit_character(&run[first..second], script, visit);
        (first, second) = (second, third);
    }
    visit_character(&run[first..], script, visit);
}

/// Only Han characters mean something by themselves.
fn visit_character(character: &str, script: Unspaced, visit: &mut impl FnMut(Segment<'_>)) {
    if script == Unspaced::HanAndKana && character.chars().all(|character| character >= '\u{3400}') {
        visit(Segment::Character(character));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        segment(text, |token| {
            if token.has_position() {
                found.push(token.text().to_owned());
            }
        });
        found
    }

    #[test]
    fn text_becomes_tokens() {
        let table = [
            ("", ""),
            ("Hello, World!", "hello world"),
            ("what's what’s What'S", "what what what"),
            ("don't can’t", "dont cant"),
            ("I'm they're we've she'll he'd", "i they we she he"),
            ("O'Brien's dogs' tails", "obrien dogs tails"),
            ("l'homme qu'aujourd'hui", "l homme qu aujourdhui"),
            ("rock'n'roll 'quoted'", "rocknroll quoted"),
            ("foo-bar foo_bar a/b", "foo bar foo bar a b"),
            ("2023 3.14 10,000 1,234,567.5", "2023 3·14 10000 1234567·5"),
            ("1.2.3 7,8 end.2 5.", "1 2 3 7 8 end 2 5"),
            ("3rd 5km mp3", "3rd 5km mp3"),
            ("a\u{200B}b \u{FEFF}c so\u{AD}ft", "ab c soft"),
            ("nul\0byte", "nul byte"),
            ("naïve Zoë", "naive zoe"),
            ("हिन्दी भाषा", "हिन्दी भाषा"),
            ("ทดสอบ", "ทด ดส สอ อบ"),
            ("我喝茶", "我喝 喝茶"),
            ("茶", "茶"),
            ("食べる", "食べ べる"),
            ("iPhone手机", "iphone 手机"),
            ("308分", "308 分"),
            ("안녕 세상", "안녕 세상"),
            ("한국어", "한국 국어"),
            ("I ❤️ 🎸🎸", "i ❤ 🎸 🎸"),
            ("👍🏽 👨‍👩‍👧", "👍 👨 👩 👧"),
            ("🇫🇷🇩🇪", "🇫🇷 🇩🇪"),
            ("1️⃣", "1"),
            ("\u{301}x \u{300}", "x"),
        ];
        for (text, expected) in table {
            assert_eq!(tokens(text).join(" "), expected, "{text:?}");
        }
    }

    #[test]
    fn han_characters_come_along_for_ranking() {
        let mut found = Vec::new();
        segment("我喝茶 べる ทด", |token| found.push(format!("{token:?}")));
        let expected = [
            "Pair(\"我喝\")",
            "Character(\"我\")",
            "Pair(\"喝茶\")",
            "Character(\"喝\")",
            "Character(\"茶\")",
            "Pair(\"べる\")",
            "Pair(\"ทด\")",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_blob_is_one_short_token() {
        assert_eq!(tokens(&"x".repeat(100_000)), ["x".repeat(TOKEN_CHARACTERS_MAXIMUM)]);
        assert_eq!(tokens(&"ß".repeat(100_000)), ["s".repeat(TOKEN_CHARACTERS_MAXIMUM)]);
        assert!(tokens(&"1,".repeat(50_000)).len() <= TOKEN_CHARACTERS_MAXIMUM);
    }
}
