//! Sentences to write and to ask for, made up, the same in every run.
//!
//! Words are syllables put together and are drawn as words of a language are: the n-th most frequent about 1/n as
//! often as the first. That matters, because how long a keyword search takes depends on how common its words are.

use testkit::Random;

/// Different words there are.
const VOCABULARY: usize = 20_000;

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

    /// What somebody asks: three to six words, as common as those that are said.
    pub fn question(&mut self) -> String {
        let words = 3 + self.random.below(4);
        self.words(words)
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }

    /// A word by Zipf's law: its rank is e to a uniform power.
    fn word(&mut self) -> String {
        let rank = (VOCABULARY as f64).powf(self.random.share());
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
