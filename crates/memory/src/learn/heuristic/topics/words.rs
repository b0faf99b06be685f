//! The words of a sentence that can be topics, each with what it weighs.
//!
//! `common_words.txt` has the words that people use every day, by language and the commonest first, and `chinese_words.txt` the words of
//! Chinese, which writes no spaces (both made by `xtask/python/common_words.py`). The commonest are no topics, the next ones half of
//! one. Verbs and adverbs are known by their endings, nouns by what stands before them; in German by their capital, in Korean by
//! their particle, in Japanese by their script.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::clauses::Sentence;
use super::super::lexer::{LexedToken, is_unspaced};
use crate::text::fold;

/// The commonest words of a language, which are no topics, and what the others of its list weigh.
const STOP_RANK: usize = 350;
const COMMON_WEIGHT: f32 = 0.45;

/// The same for Chinese and Japanese, whose lists have no particles in front.
const CHINESE_STOP_RANK: usize = 220;
const CHINESE_COMMON_RANK: usize = 500;
const JAPANESE_STOP_RANK: usize = 40;
const JAPANESE_COMMON_RANK: usize = 250;

/// What a word weighs that is written like a verb or an adverb, and one that nothing shows to be a noun where something should.
const VERBAL: f32 = 0.35;
const UNMARKED: f32 = 0.3;

/// What a noun counts for more that is shown to be one.
const SHOWN: f32 = 1.3;

/// Letters that a topic has at least.
const LETTERS_MINIMUM: usize = 3;
const DENSE_LETTERS_MINIMUM: usize = 2;

/// What is particular to a language's nouns and verbs, separated by white space.
struct WordShape {
    code: &'static str,
    /// Words before a noun.
    before_nouns: &'static str,
    /// Endings of verbs and adverbs, folded.
    verbal_endings: &'static str,
}

const SHAPES: [WordShape; 12] = [
    WordShape {
        code: "en",
        before_nouns: "the a an my our his her their your this these for of with in at",
        verbal_endings: "ing ed ly",
    },
    WordShape {
        code: "de",
        before_nouns: "der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner unser unsere im am zum zur beim",
        verbal_endings: "",
    },
    WordShape {
        code: "es",
        before_nouns: "el la los las un una unos unas mi mis nuestro nuestra su sus del al este esta de",
        verbal_endings: "ar er ir ando iendo mente ado ido aba aban ia ian amos emos imos are ere arme erme irme",
    },
    WordShape {
        code: "pt",
        before_nouns: "o a os as um uma meu minha meus minhas nosso nossa seu sua do da dos das no na nos nas ao de",
        verbal_endings: "ar er ir ando endo indo mente ado ido ava avam ia iam amos emos imos ou eu",
    },
    WordShape {
        code: "fr",
        before_nouns: "le la les l' un une des du mon ma mes notre nos son sa ses cette ce de d' au aux",
        verbal_endings: "er ir ant ez ement ait aient ons",
    },
    WordShape {
        code: "it",
        before_nouns: "il lo la i gli le l' un una uno mio mia miei mie nostro nostra del della dei delle nel nella al alla di",
        verbal_endings: "are ere ire ando endo mente ato ito uto avo evo ivo armi ermi iamo",
    },
    WordShape {
        code: "nl",
        before_nouns: "de het een mijn onze ons zijn haar van voor in op",
        verbal_endings: "end lijk",
    },
    WordShape { code: "pl", before_nouns: "", verbal_endings: "c l la lam lem li ly am em cie nie uje ie e" },
    WordShape {
        code: "ru",
        before_nouns: "",
        verbal_endings: "ть ться л ла ли ло ю ет ит ешь ишь ем им ют ят ся сь но ый ая ое ые ого",
    },
    WordShape {
        code: "tr",
        before_nouns: "bir bu su benim bizim",
        verbal_endings: "yor yorum yorsun yoruz dim dum di du dik duk mek mak iyor uyor eyim ayim mis mus ince erek arak ip up",
    },
    WordShape {
        code: "hi",
        before_nouns: "मेरा मेरी मेरे हमारा हमारी एक अपना अपनी अपने",
        verbal_endings: "ना ता ती ते ूँ ूंगा ऊँगा कर",
    },
    WordShape {
        code: "ko",
        before_nouns: "",
        verbal_endings: "다 요 죠 까 네 고 서 면 데 지 어 아 해 줘 게 음 함 려고 니다",
    },
];

/// Particles behind a Korean noun, the longest first.
const KOREAN_PARTICLES: [&str; 26] = [
    "에서는",
    "에서도",
    "한테는",
    "이라고",
    "으로는",
    "에게",
    "에서",
    "한테",
    "까지",
    "부터",
    "처럼",
    "보다",
    "마다",
    "이랑",
    "하고",
    "으로",
    "은",
    "는",
    "을",
    "를",
    "에",
    "로",
    "와",
    "과",
    "도",
    "의",
];

/// Those that stand behind many nouns that end in the same sound, so that they only count behind two syllables.
const KOREAN_SUBJECTS: [&str; 2] = ["이", "가"];

/// Characters of Chinese that hold a sentence together and begin or end no unknown word.
const CHINESE_FUNCTION: &str = "的了是我你您他她它們们在有和不也就都要会會说說这這那個个把被给給跟从從到对對很太还還没沒吗嗎吧呢啊么麼上下里裡去来來能想让讓为為以与與及等得着著过過再又才只更最每些什怎谁誰哪几幾多少年月日号號点點时時天一二三四五六七八九十百千万萬两兩半今明昨做用看写寫叫请請帮幫吃喝住买買卖賣好大小后後前先因所如果但而且或者呀嘛哦啦学學教养養开開找问問听聽比试試";

struct CommonWords {
    code: &'static str,
    ranks: HashMap<String, usize>,
}

static COMMON: LazyLock<Vec<CommonWords>> = LazyLock::new(|| {
    let lines = include_str!("common_words.txt").lines();
    let languages = lines.filter_map(|line| line.split_once(' '));
    languages.map(|(code, words)| CommonWords { code, ranks: ranked(words) }).collect()
});

static CHINESE: LazyLock<HashMap<String, usize>> =
    LazyLock::new(|| ranked(include_str!("chinese_words.txt")));

fn ranked(words: &str) -> HashMap<String, usize> {
    let mut ranks = HashMap::new();
    for (rank, word) in words.split_whitespace().enumerate() {
        ranks.entry(fold(word)).or_insert(rank);
    }
    ranks
}

/// A word that can be a topic.
pub(super) struct SpokenWord {
    pub written: String,
    pub weight: f32,
    /// Its place among the words of the sentence.
    pub place: usize,
    /// Whether the word behind it may belong to it.
    pub may_pair: bool,
}

/// Which everyday words a session's words are weighed against: those of the language it is in, and English words among them.
pub(super) struct Vocabulary {
    language: &'static CommonWords,
    english: &'static CommonWords,
    shape: Option<&'static WordShape>,
    is_japanese: bool,
}

impl Vocabulary {
    /// By the language whose commonest words are said most.
    pub fn of<'s, 'a: 's>(sentences: impl Iterator<Item = &'s Sentence<'a>>) -> Self {
        let mut said: HashMap<&str, usize> = HashMap::new();
        let mut kana = false;
        for sentence in sentences {
            for token in sentence.tokens.iter().filter(|token| token.is_word) {
                *said.entry(token.lower.as_str()).or_default() += 1;
                kana |= token.lower.chars().any(is_kana);
            }
        }
        let hits = |list: &CommonWords| -> usize {
            let common = |word: &str| list.ranks.get(word).is_some_and(|rank| *rank < STOP_RANK);
            said.iter().filter(|(word, _)| common(word)).map(|(_, count)| count).sum()
        };
        let english = &COMMON[0];
        let spaced = COMMON.iter().filter(|list| list.code != "ja");
        // Of equals the first, which is English.
        let language = spaced.rev().max_by_key(|list| hits(list)).unwrap_or(english);
        let shape = SHAPES.iter().find(|shape| shape.code == language.code);
        Self { language, english, shape, is_japanese: kana }
    }

    /// The words of a sentence that can be topics.
    pub fn words_of(&self, sentence: &Sentence) -> Vec<SpokenWord> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(token) = sentence.tokens.get(at) {
            if token.lower.starts_with(is_unspaced) {
                let end = run_end(&sentence.tokens, at);
                found.extend(self.unspaced_words(sentence, at, end));
                at = end;
                continue;
            }
            let dated = sentence.times.iter().any(|time| time.phrase.contains(&token.range.start));
            if token.is_word && !token.has_digit() && !dated {
                found.extend(self.spaced_word(sentence, at));
            }
            at += 1;
        }
        found
    }

    fn spaced_word(&self, sentence: &Sentence, at: usize) -> Option<SpokenWord> {
        let token = &sentence.tokens[at];
        let source = token.source(sentence.text).replace('’', "'");
        let source = source.strip_suffix("'s").unwrap_or(&source);
        if source.starts_with('\'') || !source.starts_with(char::is_alphabetic) {
            return None;
        }
        let is_korean = source.starts_with(is_hangul);
        let (written, shown) = if is_korean { without_particle(source) } else { (source, false) };
        let letters = written.chars().filter(|character| character.is_alphabetic()).count();
        let dense = !written.starts_with(|first: char| (first as u32) < 0x0590);
        if letters < if dense { DENSE_LETTERS_MINIMUM } else { LETTERS_MINIMUM } {
            return None;
        }
        let common = self.commonness(&token.lower).min(self.commonness(&fold(written)));
        let shaped = match is_korean {
            true if shown => SHOWN,
            _ => self.shaped(sentence, at),
        };
        let weight = common * shaped;
        let first = at == sentence.first_word();
        let keeps_capital =
            !first || self.language.code == "de" || source.chars().skip(1).any(char::is_uppercase);
        let written = if keeps_capital { written.to_owned() } else { written.to_lowercase() };
        (weight > 0.0).then_some(SpokenWord { written, weight, place: at, may_pair: !dense })
    }

    /// How rare a word is, from 0 for one that everybody says.
    fn commonness(&self, folded: &str) -> f32 {
        let of = |list: &CommonWords| match list.ranks.get(folded) {
            Some(rank) if *rank < STOP_RANK => 0.0,
            Some(_) => COMMON_WEIGHT,
            None => 1.0,
        };
        let stem = folded.split('\'').next().unwrap_or(folded);
        let contracted =
            stem != folded && self.language.ranks.get(stem).is_some_and(|rank| *rank < STOP_RANK);
        if contracted { 0.0 } else { of(self.language).min(of(self.english)) }
    }

    /// What a word's form and the word before it say of its being a noun.
    fn shaped(&self, sentence: &Sentence, at: usize) -> f32 {
        let Some(shape) = self.shape else { return 1.0 };
        let token = &sentence.tokens[at];
        let capital = token.is_capitalised(sentence.text);
        if shape.code == "de" {
            return if capital && at != sentence.first_word() {
                SHOWN
            } else if capital {
                1.0
            } else {
                UNMARKED
            };
        }
        if capital && at != sentence.first_word() {
            return SHOWN;
        }
        let before = at.checked_sub(1).map(|before| sentence.tokens[before].lower.as_str());
        let shown = before.is_some_and(|before| shape.before_nouns.split(' ').any(|word| word == before));
        // An ending is one where enough of the word stands before it: "ring" and "amor" are nouns.
        let verbal = shape
            .verbal_endings
            .split(' ')
            .filter(|ending| !ending.is_empty())
            .any(|ending| token.lower.strip_suffix(ending).is_some_and(|stem| stem.chars().count() >= 3));
        match (shown, verbal) {
            (true, false) => SHOWN,
            (true, true) => 0.8,
            (false, true) => VERBAL,
            (false, false) => 1.0,
        }
    }

    /// Words in a run without spaces: by the dictionary, or what is left between characters that hold sentences together.
    fn unspaced_words(&self, sentence: &Sentence, from: usize, end: usize) -> Vec<SpokenWord> {
        let tokens = &sentence.tokens[from..end];
        let is_dated =
            |token: &LexedToken| sentence.times.iter().any(|time| time.phrase.contains(&token.range.start));
        let characters: Vec<(char, usize)> = tokens
            .iter()
            .zip(from..)
            .flat_map(|(token, place)| {
                let dated = is_dated(token);
                token.source(sentence.text).chars().map(move |one| (if dated { ' ' } else { one }, place))
            })
            .collect();
        if self.is_japanese { japanese_words(&characters) } else { chinese_words(&characters) }
    }
}

/// Runs of kanji and runs of katakana.
fn japanese_words(characters: &[(char, usize)]) -> Vec<SpokenWord> {
    let ranks = COMMON.iter().find(|list| list.code == "ja").map(|list| &list.ranks);
    let mut found = Vec::new();
    for run in characters.chunk_by(|left, right| kind_of(left.0) == kind_of(right.0)) {
        let written: String = run.iter().map(|(character, _)| character).collect();
        let long_enough = match kind_of(run[0].0) {
            CharacterKind::Kanji => run.len() >= DENSE_LETTERS_MINIMUM,
            CharacterKind::Katakana => run.len() >= LETTERS_MINIMUM,
            CharacterKind::Other => false,
        };
        let weight = match ranks.and_then(|ranks| ranks.get(&fold(&written))) {
            Some(rank) if *rank < JAPANESE_STOP_RANK => 0.0,
            Some(rank) if *rank < JAPANESE_COMMON_RANK => 0.7,
            _ => 1.0,
        };
        if long_enough && weight > 0.0 {
            found.push(SpokenWord { written, weight, place: run[0].1, may_pair: false });
        }
    }
    found
}

/// Characters of the longest Chinese word of the dictionary.
const CHINESE_WORD_CHARACTERS: usize = 4;

fn chinese_words(characters: &[(char, usize)]) -> Vec<SpokenWord> {
    let mut found = Vec::new();
    let mut unknown: Vec<(char, usize)> = Vec::new();
    let close = |unknown: &mut Vec<(char, usize)>, found: &mut Vec<SpokenWord>| {
        if (DENSE_LETTERS_MINIMUM..=CHINESE_WORD_CHARACTERS).contains(&unknown.len()) {
            let written = unknown.iter().map(|(character, _)| character).collect();
            found.push(SpokenWord { written, weight: 1.0, place: unknown[0].1, may_pair: false });
        }
        unknown.clear();
    };
    let mut at = 0;
    while at < characters.len() {
        let longest = (2..=CHINESE_WORD_CHARACTERS.min(characters.len() - at)).rev().find_map(|length| {
            let word: String = characters[at..at + length].iter().map(|(character, _)| character).collect();
            CHINESE.get(&fold(&word)).map(|rank| (word, *rank, length))
        });
        match longest {
            Some((word, rank, length)) => {
                close(&mut unknown, &mut found);
                let weight = match rank {
                    rank if rank < CHINESE_STOP_RANK => 0.0,
                    rank if rank < CHINESE_COMMON_RANK => 0.6,
                    _ => 1.0,
                };
                let holds = word.chars().any(|character| CHINESE_FUNCTION.contains(character));
                if weight > 0.0 && !holds {
                    found.push(SpokenWord {
                        written: word,
                        weight,
                        place: characters[at].1,
                        may_pair: false,
                    });
                }
                at += length;
            }
            None => {
                let character = characters[at].0;
                if character == ' ' || CHINESE_FUNCTION.contains(character) {
                    close(&mut unknown, &mut found);
                } else {
                    unknown.push(characters[at]);
                }
                at += 1;
            }
        }
    }
    close(&mut unknown, &mut found);
    found
}

#[derive(PartialEq)]
enum CharacterKind {
    Kanji,
    Katakana,
    Other,
}

fn kind_of(character: char) -> CharacterKind {
    match character as u32 {
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x3005 => CharacterKind::Kanji,
        0x30A1..=0x30FA | 0x30FC => CharacterKind::Katakana,
        _ => CharacterKind::Other,
    }
}

fn is_kana(character: char) -> bool {
    matches!(character as u32, 0x3040..=0x30FF)
}

fn is_hangul(character: char) -> bool {
    matches!(character as u32, 0xAC00..=0xD7A3)
}

/// Where the run of characters without spaces that begins at `at` ends.
fn run_end(tokens: &[LexedToken], at: usize) -> usize {
    let more = |place: usize| {
        tokens[place].lower.starts_with(is_unspaced)
            && (place == at || tokens[place].range.start == tokens[place - 1].range.end)
    };
    (at..tokens.len()).find(|place| !more(*place)).unwrap_or(tokens.len())
}

/// A Korean word without what stands behind its noun, and whether something did.
fn without_particle(word: &str) -> (&str, bool) {
    let stem = KOREAN_PARTICLES.iter().find_map(|particle| {
        word.strip_suffix(particle).filter(|stem| stem.chars().count() >= DENSE_LETTERS_MINIMUM)
    });
    let subject = KOREAN_SUBJECTS
        .iter()
        .find_map(|particle| word.strip_suffix(particle).filter(|stem| stem.chars().count() >= 2));
    match stem.or(subject) {
        Some(stem) => (stem, true),
        None => (word, false),
    }
}

/// Letters by which forms of a word are looked for.
const BEGINNING_LETTERS: usize = 4;

/// Letters in which two forms of one word may differ at their end.
const ENDING_LETTERS: usize = 3;

/// How a word begins, folded.
pub(super) fn beginning(word: &str) -> String {
    fold(word).chars().take(BEGINNING_LETTERS).collect()
}

/// Whether two written words are forms of one: equal but for a short ending.
pub(super) fn is_form_of(left: &str, right: &str) -> bool {
    let (left, right) = (fold(left), fold(right));
    if left == right {
        return true;
    }
    let common = left.chars().zip(right.chars()).take_while(|(one, other)| one == other).count();
    let longer = left.chars().count().max(right.chars().count());
    // Scripts that write no spaces have no endings, and a short word with another ending is another word.
    !left.starts_with(is_unspaced) && common > BEGINNING_LETTERS && longer - common <= ENDING_LETTERS
}
