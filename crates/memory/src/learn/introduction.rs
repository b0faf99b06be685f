//! What somebody says they are called: "I'm Aoife by the way", "ich bin der Korbinian und wohn in Isny", "soy Jimena, jime para todos".
//!
//! It is the first thing that a memory must know, and the one that people say in the fewest words: "I'm Aoife" is "I'm tired" with a capital.
//! So it is read from the words. Some phrases are for names alone; others are followed by anything, and there a name is known by its
//! capital and by what stands behind it. In scripts without capitals only the first kind counts.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::heuristic;
use crate::text::fold;

/// What is followed by a name and nothing else, folded.
const FOR_NAMES: &[&str] = &[
    "my name is",
    "my name's",
    "i am called",
    "i'm called",
    "ich heisse",
    "mein name ist",
    "me llamo",
    "mi nombre es",
    "je m'appelle",
    "mon nom est",
    "mon prenom est",
    "mi chiamo",
    "il mio nome e",
    "me chamo",
    "meu nome e",
    "o meu nome e",
    "ik heet",
    "mijn naam is",
    "nazywam sie",
    "mam na imie",
    "мое имя",
    "benim adim",
    "اسمي",
    "मेरा नाम",
];

/// What may be followed by a name, folded; the capital tells.
const BEFORE_NAMES: &[&str] = &[
    "i am",
    "i'm",
    "the name is",
    "the name's",
    "everyone calls me",
    "i go by",
    "signing off as",
    "меня зовут",
    "ich bin der",
    "ich bin die",
    "i bin der",
    "i bin die",
    "soy",
    "je suis",
    "moi c'est",
    "sono",
    "sou o",
    "sou a",
    "sou",
    "aqui e o",
    "aqui e a",
    "ik ben",
    "jestem",
    "ben",
    "я",
];

/// The same, where something else must say that it is by the way: "it's Nadia by the way".
const BEFORE_ASIDES: &[&str] = &["it's", "it is", "this is", "c'est", "es", "is"];
const ASIDES: &[&str] = &["by the way", "btw", "here", "au fait", "au passage"];

/// What stands behind a name where one is meant: another clause, or where somebody is from.
const BEHIND: &str =
    "and und y e et en i и ve by btw here from aus vom von de da do van z ze из hier ubrigens au";

/// What goes on with something that is no name behind a comma.
const RELATIVE: &str = "dass das den dem des deren dessen die der welche welcher";

/// Names have at most so many words.
const WORDS: usize = 3;

/// What is written like a name and is none: what people are by trade, nation or faith, and what they call themselves in jest.
const OTHERS: &str = "chef chefin leiter leiterin boss neue neuer mann frau vater mutter kunde kundin mieter mieterin besitzer lehrer lehrerin arzt arztin
    nederlander nederlandse belg vlaming duitser fries polak polka polakiem niemiec francais francaise italien belge suisse turk alman muslim
    team mr mrs ms dr it hr pm ceo cto ok meinung ansicht uberzeugung auffassung schwester bruder tochter sohn oma opa tante onkel freund
    freundin kollege kollegin nachbar nachbarin erste letzte einzige grund вас вам вы вами ваш ваша chatgpt gemini batman breton bretonne bretone
    brabander bayer berliner wiener virgo aries libra scorpio pisces american asian european";

static NOT_NAMES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| OTHERS.split_whitespace().collect());

/// What stands before a name where words are not set apart, and nowhere else.
const UNSPACED: &[&str] =
    &["我叫", "我的名字是", "我的名字叫", "私の名前は", "僕の名前は", "俺の名前は", "제 이름은", "내 이름은"];

/// What stands behind a name in Japanese; of a thing it is said with what it is called of before it.
const BEHIND_NAMES: &[&str] = &["といいます", "と言います", "と申します", "っていいます"];
const OF_A_THING: [char; 2] = ['は', 'を'];

/// What asks for a name, or does something else with the one who is called.
const NO_NAME: &[&str] = &["什么", "何", "뭐", "谁", "了", "他", "她", "你", "我", "外卖", "车"];

/// What stands behind a name and is not a part of it, the longest first.
const ENDINGS: &[&str] = &["입니다", "이에요", "이야", "예요", "です", "だよ", "だ", "今年"];

/// Letters of a name that is written without spaces.
const UNSPACED_LETTERS: usize = 8;

/// What somebody says in a sentence that they are called; nothing where they do not.
pub fn own_name(sentence: &str) -> Option<String> {
    unspaced_name(sentence).or_else(|| spaced_name(sentence))
}

fn unspaced_name(sentence: &str) -> Option<String> {
    let is_letter = |letter: &char| letter.is_alphanumeric();
    let before = UNSPACED.iter().find_map(|phrase| sentence.split_once(phrase)).map(|(_, rest)| rest);
    let name: String = match before {
        Some(rest) => rest.trim_start().chars().take_while(is_letter).collect(),
        None => {
            let (before, _) = BEHIND_NAMES.iter().find_map(|phrase| sentence.split_once(phrase))?;
            // Behind the last letter of grammar stands the name: "…をしてる瀬戸口". "…をドップラー効果と言います" names a thing.
            let name: Vec<char> = before
                .chars()
                .rev()
                .take_while(|letter| is_letter(letter) && !is_hiragana(*letter))
                .collect();
            let name: String = name.into_iter().rev().collect();
            if before[..before.len() - name.len()].ends_with(OF_A_THING) {
                return None;
            }
            name
        }
    };
    let name = match ENDINGS.iter().find_map(|ending| name.split_once(ending)) {
        Some((name, _)) => name.to_owned(),
        None => name,
    };
    let letters = name.chars().count();
    let is_other = NO_NAME.iter().any(|other| name.contains(other));
    (letters > 0 && letters <= UNSPACED_LETTERS && !is_other).then_some(name)
}

fn is_hiragana(letter: char) -> bool {
    ('\u{3041}'..='\u{309F}').contains(&letter)
}

/// A word of a sentence, as it is written and folded, and the mark right behind it.
struct IntroducingWord<'a> {
    written: &'a str,
    folded: String,
    mark: Option<char>,
}

fn spaced_name(sentence: &str) -> Option<String> {
    let words: Vec<IntroducingWord<'_>> =
        sentence.split_whitespace().filter_map(IntroducingWord::of).collect();
    (0..words.len()).find_map(|at| {
        let begins = at == 0 || words[at - 1].mark.is_some() || is_joint(&words[at - 1].folded);
        begins.then(|| name_behind(&words[at..])).flatten()
    })
}

fn name_behind(words: &[IntroducingWord<'_>]) -> Option<String> {
    let behind = |phrases: &[&str]| {
        let found = phrases.iter().filter_map(|phrase| {
            let parts: Vec<&str> = phrase.split(' ').collect();
            let stands = words.len() > parts.len()
                && parts.iter().zip(words).all(|(part, word)| *part == word.folded)
                && words[..parts.len()].iter().all(|word| matches!(word.mark, None | Some(':' | ',')));
            stands.then_some(parts.len())
        });
        found.max()
    };
    if let Some(from) = behind(FOR_NAMES) {
        let rest = &words[from..];
        return named(rest).or_else(|| {
            // Whoever writes no capitals writes the name so too.
            let first = &rest[0];
            (first.mark.is_some() || rest.len() == 1).then(|| first.written.to_owned())
        });
    }
    if let Some(from) = behind(BEFORE_NAMES) {
        // Ben is also a name.
        let is_ben = words[0].folded == "ben" && words[0].written != "ben";
        return named(&words[from..]).filter(|_| !is_ben);
    }
    let from = behind(BEFORE_ASIDES)?;
    let rest = &words[from..];
    let name = named(rest)?;
    let tail: Vec<&str> = rest.iter().map(|word| word.folded.as_str()).collect();
    let stands = |aside: &&str| {
        let parts: Vec<&str> = aside.split(' ').collect();
        tail.windows(parts.len()).any(|words| words == parts)
    };
    ASIDES.iter().any(stands).then_some(name)
}

/// The name that these words begin with: a few capitals, and behind them nothing that makes them something else.
fn named(words: &[IntroducingWord<'_>]) -> Option<String> {
    // "Ich bin der Meinung, dass …", "I'm Batman all day long".
    let mut count = 0;
    while count < WORDS.min(words.len()) && words[count].is_capitalised() {
        count += 1;
        if words[count - 1].mark.is_some() {
            break;
        }
    }
    let last = words.get(count.checked_sub(1)?)?;
    let goes_on = words.get(count).is_some_and(|next| has_word(RELATIVE, &next.folded));
    let closes = match last.mark {
        Some(_) => !goes_on,
        None => words.get(count).is_none_or(|next| has_word(BEHIND, &next.folded)),
    };
    let name: Vec<&str> = words[..count].iter().map(|word| word.written).collect();
    closes.then(|| name.join(" "))
}

impl<'a> IntroducingWord<'a> {
    fn of(word: &'a str) -> Option<Self> {
        let is_part =
            |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '-') || is_sign(letter);
        let start = word.find(is_part)?;
        let rest = &word[start..];
        let end = rest.find(|letter: char| !is_part(letter)).unwrap_or(rest.len());
        let (written, behind) = rest.split_at(end);
        Some(Self { written, folded: fold(written).replace('’', "'"), mark: behind.chars().next() })
    }

    fn is_capitalised(&self) -> bool {
        let mut letters = self.written.chars();
        let capital =
            letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase);
        let is_name = |part: &str| {
            !NOT_NAMES.contains(fold(part).as_str()) && !heuristic::is_no_name(&part.to_lowercase())
        };
        capital && self.written.split('-').all(is_name)
    }
}

/// Vowels that some scripts write as marks.
fn is_sign(letter: char) -> bool {
    matches!(letter, '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{064B}'..='\u{0652}')
}

fn is_joint(word: &str) -> bool {
    has_word(
        "and und y et en i и ve e hi hello hey hallo hola ola ciao salut bonjour czesc merhaba selam привет alright so ok btw also",
        word,
    )
}

fn has_word(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::own_name;

    #[test]
    fn people_say_what_they_are_called_in_many_ways() {
        for (said, name) in [
            ("I'm Aoife by the way.", "Aoife"),
            ("I'm Leo, 34", "Leo"),
            ("Hi, I'm Tom, I live in Leeds", "Tom"),
            ("and it's Nadia by the way, since we'll be at this for months", "Nadia"),
            ("my name is marcus", "marcus"),
            ("Signing off as Imogen, or Immy if we end up being friends", "Imogen"),
            ("I am Rohan Mehta and I teach", "Rohan Mehta"),
            ("I bin der Korbinian und wohn in Isny.", "Korbinian"),
            ("Hallo, ich bin die Anke, wohne in Kassel", "Anke"),
            ("soy Jimena, jime para todos.", "Jimena"),
            ("je m'appelle Chloé", "Chloé"),
            ("Ciao, sono Beatrice e vivo a Genova", "Beatrice"),
            ("oi, sou o Wagner", "Wagner"),
            ("Ik ben Sanne, kraamverzorgende", "Sanne"),
            ("cześć, jestem Kasia", "Kasia"),
            ("Привет, я Марина, живу в Перми", "Марина"),
            ("merhaba ben Nurcan", "Nurcan"),
            ("اسمي سلمى.", "سلمى"),
            ("मेरा नाम प्रिया, भोपाल से", "प्रिया"),
            ("我叫许沐晴，在成都教物理", "许沐晴"),
            ("テクニカルアーティストをしてる瀬戸口といいます。", "瀬戸口"),
            ("제 이름은 하은", "하은"),
        ] {
            assert_eq!(own_name(said).as_deref(), Some(name), "{said}");
        }
    }

    #[test]
    fn what_people_are_is_not_what_they_are_called() {
        for said in [
            "I'm tired",
            "I am British and proud",
            "I'm Catholic",
            "I'm OK with that",
            "I'm IT support here",
            "Ich bin Lehrer",
            "ich bin der Chef, frag mich",
            "It's Friday, finally",
            "soy vegana",
            "Ik ben Nederlander",
            "jestem zmęczona",
            "ben yoruldum",
            "My sister's name is Ana",
            "She said I'm Batman all day long",
            "我叫他回家",
            "this is Paris in spring",
            "This is London, where I grew up",
            "Ich bin der Meinung, dass das reicht",
            "Hier ist die Fehlermeldung: kein Zugriff",
            "Im Garten von meiner Oma wächst alles",
            "Ich bin die Schwester von Anna.",
            "I go by bus.",
            "The name is misspelled.",
            "Everyone calls me crazy.",
            "Меня зовут домой.",
            "я Вас, наверное, задерживаю",
            "Ekmek nasıl yapılır, adım adım?",
            "うちの犬の名前はポチです",
            "この現象をドップラー効果と言います",
            "我叫什么名字？",
            "私の名前は何ですか？",
            "Ben Carter, my boss, lives in Leeds",
            "I'm Korean-American",
        ] {
            assert_eq!(own_name(said), None, "{said}");
        }
    }
}
