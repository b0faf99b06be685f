//! Sentences to write and to ask for, made up, the same in every run.
//!
//! Half of the words are the small words of English, which no search ranks by. The others are syllables put together,
//! drawn as words of a language are: the n-th most frequent about 1/(n + 30) as often as any. That matters, because
//! how long a keyword search takes depends on how common its words are.

use testkit::Random;

/// Different words there are, besides the small ones.
const VOCABULARY: f64 = 20_000.0;

/// Flattens the beginning of the curve (Mandelbrot's correction of Zipf's law): once the small words are out, the most
/// frequent word of a language makes up about half a per cent of a text.
const FLATTENING: f64 = 30.0;

const SMALL_WORDS: [&str; 24] = [
    "the", "to", "and", "a", "of", "i", "you", "is", "it", "in", "that", "was", "for", "on", "my", "with",
    "what", "did", "we", "are", "at", "when", "do", "be",
];

const SYLLABLES: [&str; 27] = [
    "ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su", "ta", "ve",
    "wi", "xo", "yu", "za", "bre", "cli", "dro", "flu", "gra", "ple",
];

pub struct Sentences {
    random: Random,
}

impl Sentences {
    pub fn seeded(seed: u64) -> Self {
        Self { random: Random::seeded(seed) }
    }

    /// What somebody says in a conversation: eight to twenty-four words.
    pub fn turn(&mut self) -> String {
        let words = 8 + self.random.below(17);
        self.words(words)
    }

    /// What somebody asks: five to nine words, as common as those that are said.
    pub fn question(&mut self) -> String {
        let words = 5 + self.random.below(5);
        self.words(words)
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn word(&mut self) -> String {
        if self.random.below(2) == 0 {
            return (*self.random.choose(&SMALL_WORDS)).to_owned();
        }
        // Ranks whose logarithms are spread evenly follow Zipf's law.
        let rank = FLATTENING * (1.0 + VOCABULARY / FLATTENING).powf(self.random.share()) - FLATTENING;
        spell(rank as usize)
    }
}

/// The word of that rank, always the same.
fn spell(rank: usize) -> String {
    let (mut word, mut rest) = (String::new(), rank + SYLLABLES.len());
    while rest > 0 {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    word
}
