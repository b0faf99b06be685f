//! Who is whose: relatives by name, in the languages that English rules do not read.
//!
//! "Mein Bruder Manfred", "mi señora, Graciela", "oğlum Emre", "我女儿叫小雨": a word for somebody close that is said to be the user's, and a name
//! right behind it. Where names have capitals they are known by them; elsewhere something must say that a name follows. Only the
//! graph learns from it: the sentence itself is kept as it was said.

use super::UserTurn;
use super::clauses::Sentence;
use super::lexicon::TONGUES;
use crate::learn::draft::RelationDraft;
use crate::text::fold;
use crate::types::Turn;

/// How sure it is: a word and a capital beside each other.
const CONFIDENCE: f32 = 0.8;

/// What somebody is to the user, and how that is said, folded: with a word before it that says whose.
const OWNED: [(&str, &str); 17] = [
    ("MOTHER_OF", "mutter mama mutti madre mere maman mamma mae moeder mam matka мать мама"),
    ("FATHER_OF", "vater papa vati padre pere babbo pai vader pa ojciec tata отец папа"),
    ("SISTER_OF", "schwester hermana soeur sorella irma zus zusje siostra сестра"),
    ("BROTHER_OF", "bruder hermano frere fratello irmao broer brat брат"),
    ("SON_OF", "sohn hijo nene fils figlio filho zoon zoontje syn сын"),
    ("DAUGHTER_OF", "tochter hija nena fille figlia filha dochter dochtertje corka дочь дочка"),
    ("WIFE_OF", "frau ehefrau mujer esposa senora femme moglie mulher vrouw жена"),
    ("HUSBAND_OF", "mann ehemann marido esposo mari marito man maz муж"),
    (
        "PARTNER_OF",
        "partner partnerin lebensgefahrte lebensgefahrtin pareja companero companera compagnon compagne compagno compagna convivente
        companheiro companheira vriend vriendin partnerka",
    ),
    ("GIRLFRIEND_OF", "freundin novia copine fidanzata namorada dziewczyna девушка"),
    ("BOYFRIEND_OF", "freund novio copain fidanzato namorado chlopak парень"),
    ("GRANDMOTHER_OF", "oma grossmutter abuela grand-mere mamie nonna avo babcia бабушка"),
    ("GRANDFATHER_OF", "opa grossvater abuelo grand-pere papi nonno dziadek дедушка"),
    ("COLLEAGUE_OF", "kollege kollegin collegue collega colega kolega kolezanka коллега"),
    ("BOSS_OF", "chef chefin jefe jefa patron patronne capo chefe baas szef szefowa начальник начальница"),
    ("NEIGHBOUR_OF", "nachbar nachbarin vecino vecina voisin voisine vicino vicina vizinho vizinha buurman buurvrouw sasiad sasiadka сосед соседка"),
    ("DOG_OF", "hund perro perra chien chienne cane cachorro cachorra cao hond pies собака пес"),
];

/// The same in a language that says it within the word.
const WITHIN: [(&str, &str); 10] = [
    ("MOTHER_OF", "annem"),
    ("FATHER_OF", "babam"),
    ("SISTER_OF", "ablam bacim"),
    ("BROTHER_OF", "abim agabeyim kardesim"),
    ("SON_OF", "oglum"),
    ("DAUGHTER_OF", "kizim"),
    ("WIFE_OF", "hanimim"),
    ("HUSBAND_OF", "kocam"),
    ("GRANDMOTHER_OF", "babaannem anneannem ninem"),
    ("GRANDFATHER_OF", "dedem"),
];

/// Whose it is.
const POSSESSIVES: &str = "mi mis mein meine mei unser unsere mon ma mes notre nos mio mia miei mie nostro nostra
    meu minha meus minhas nosso nossa mijn onze ons m'n мой моя мою моего моему моей моим наш наша moj moja moje mojego mojej moim nasz nasza";

/// Words that may stand between: "mein kleiner Bruder", "mi hermana mayor".
const BETWEEN: &str = "kleiner kleine grosser grosse alterer altere jungerer jungere bester beste mayor menor grand grande petit petite piccolo piccola mais
    velho velha novo nova oudere jongere beste старший старшая младший младшая starszy starsza mlodszy mlodsza hermano querida querido";

/// Said in scripts that have no capitals, with what says that a name follows: the word for somebody, then within a few letters the cue, then the name.
const NAMED: [(&str, &str); 12] = [
    ("MOTHER_OF", "我妈妈 我妈 我母亲 母の 엄마 어머니 أمي मेरी_माँ मेरी_मम्मी"),
    ("FATHER_OF", "我爸爸 我爸 我父亲 父の 아빠 아버지 أبي मेरे_पापा मेरे_पिता"),
    ("SISTER_OF", "我姐姐 我妹妹 我姐 我妹 姉の 妹の 언니 누나 여동생 أختي मेरी_बहन मेरी_दीदी"),
    ("BROTHER_OF", "我哥哥 我弟弟 我哥 我弟 兄の 弟の 오빠 남동생 أخي اخوي मेरे_भाई मेरा_भाई"),
    ("SON_OF", "我儿子 息子の 아들 ابني मेरे_बेटे मेरा_बेटा"),
    ("DAUGHTER_OF", "我女儿 我闺女 娘の 딸 بنتي ابنتي मेरी_बेटी"),
    ("WIFE_OF", "我老婆 我妻子 我太太 妻の 嫁の 아내 와이프 زوجتي مرتي मेरी_पत्नी मेरी_बीवी"),
    ("HUSBAND_OF", "我老公 我丈夫 我先生 夫の 旦那の 남편 زوجي मेरे_पति"),
    ("GIRLFRIEND_OF", "我女朋友 여자친구 صديقتي मेरी_गर्लफ्रेंड"),
    ("BOYFRIEND_OF", "我男朋友 남자친구 मेरे_बॉयफ्रेंड"),
    ("DOG_OF", "我家狗 我的狗 犬の 강아지 كلبي मेरे_कुत्ते"),
    ("CAT_OF", "我家猫 我的猫 猫の 고양이 قطتي मेरी_बिल्ली"),
];

/// What says that a name follows.
const CUES: [&str; 11] =
    ["名字叫", "的名字是", "名叫", "叫做", "叫", "名前は", "이름은", "이름이", "اسمها", "اسمه", "का नाम"];

/// Letters between the word and the cue, and of a name that is written without spaces.
const APART: usize = 6;
const NAME_LETTERS: usize = 4;

/// Marks and words at which a name that is written without spaces ends.
const ENDS: &str = "，。！？、,.!?;；「」()（） 今是的在了和跟很也就都已不有这那で、です　だはがもと";

/// What stands before a name and is none.
const TITLES: &str = "frau herr dr doktor doctor señora senora señor senor don dona doña madame monsieur signora signor mevrouw meneer pani pan";

/// Who is called to do something, and not called something: "我妈叫我回家".
const CALLED: [char; 5] = ['我', '你', '他', '她', '咱'];

/// Whose it is in Korean: a friend's daughter is not the user's.
const KOREAN_OWN: [&str; 4] = ["제 ", "내 ", "우리 ", "저희 "];

/// What Korean joins to a name, the longest first.
const KOREAN_ENDINGS: [&str; 9] = ["이라고", "입니다", "이에요", "라고", "예요", "이야", "이고", "야", "고"];

/// The relations that a turn tells.
pub(super) fn relations(heard: &UserTurn) -> Vec<RelationDraft> {
    let mut found: Vec<RelationDraft> = Vec::new();
    for sentence in &heard.sentences {
        let told = by_capital(sentence).into_iter().chain(by_cue(&sentence.text[sentence.range.clone()]));
        for (name, predicate) in told {
            if !found.iter().any(|known| known.subject == name) {
                found.push(relation(heard.turn, name, predicate));
            }
        }
    }
    found
}

fn relation(turn: &Turn, name: String, predicate: &str) -> RelationDraft {
    RelationDraft {
        subject: name,
        predicate: predicate.to_owned(),
        object: "User".to_owned(),
        confidence: CONFIDENCE,
        valid_from: None,
        valid_until: None,
        sources: vec![turn.id.clone()],
    }
}

/// "Mein Bruder Manfred", "mi señora, Graciela", "oğlum Emre".
fn by_capital(sentence: &Sentence) -> Vec<(String, &'static str)> {
    let tokens = &sentence.tokens;
    let folded: Vec<String> = tokens.iter().map(|token| fold(&token.lower)).collect();
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let said = |table: &'static [(&str, &str)]| {
            table.iter().find(|(_, words)| has_word(words, &folded[at])).map(|(predicate, _)| *predicate)
        };
        let owned = || is_owned(&folded, at).then(|| said(&OWNED)).flatten();
        let Some(predicate) = said(&WITHIN).or_else(owned) else { continue };
        // "mi hermana mayor, Ana, …"; "mi hermano, Ana y Luis" are three.
        let mut next = at + 1;
        while folded.get(next).is_some_and(|word| has_word(BETWEEN, word)) {
            next += 1;
        }
        if folded.get(next).is_some_and(|word| word == ",") {
            let closes =
                folded.get(next + 2).is_none_or(|word| [",", ".", "!", ")"].contains(&word.as_str()));
            if !closes {
                continue;
            }
            next += 1;
        }
        let named = |place: usize| {
            tokens.get(place).is_some_and(|token| {
                token.is_capitalised(sentence.text)
                    && token.source(sentence.text).chars().count() > 1
                    && !has_word(TITLES, &fold(&token.lower))
                    && !TONGUES.iter().any(|tongue| tongue.not_names.contains(&token.lower))
            })
        };
        if !sentence.quoted.get(at).copied().unwrap_or_default() && named(next) {
            found.push((tokens[next].source(sentence.text).to_owned(), predicate));
        }
    }
    found
}

/// Whether something before a word says that it is the user's.
fn is_owned(folded: &[String], at: usize) -> bool {
    let mut before = at;
    for _ in 0..2 {
        let Some(place) = before.checked_sub(1) else { return false };
        if has_word(POSSESSIVES, &folded[place]) {
            return true;
        }
        if !has_word(BETWEEN, &folded[place]) {
            return false;
        }
        before = place;
    }
    false
}

/// "我女儿叫小雨", "娘の名前はさくら", "أختي اسمها سارة".
fn by_cue(text: &str) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (predicate, words) in NAMED {
        for word in words.split_whitespace() {
            let word = word.replace('_', " ");
            let Some(at) = text.find(&word) else { continue };
            let korean = word.starts_with(|letter: char| ('\u{AC00}'..='\u{D7A3}').contains(&letter));
            if korean && !KOREAN_OWN.iter().any(|own| text[..at].ends_with(own)) {
                continue;
            }
            let rest = &text[at + word.len()..];
            let cues = CUES.iter().filter_map(|cue| Some((rest.find(cue)?, cue.len())));
            let cue = cues.min_by_key(|(from, length)| (*from, std::cmp::Reverse(*length)));
            let Some((from, length)) = cue.filter(|(from, _)| rest[..*from].chars().count() <= APART) else {
                continue;
            };
            if let Some(name) = name_at(&rest[from + length..]) {
                found.push((name, predicate));
                break;
            }
        }
    }
    found
}

/// The name at the beginning of a text: a word, or a few letters where words are not set apart.
fn name_at(text: &str) -> Option<String> {
    let text = text.trim_start_matches([' ', '：', ':', '「', '"', '“']);
    let unspaced = text
        .chars()
        .next()
        .is_some_and(|letter| letter >= '\u{2E80}' && !('\u{AC00}'..='\u{D7A3}').contains(&letter));
    let name: String = match unspaced {
        true => text.chars().take_while(|letter| !ENDS.contains(*letter)).collect(),
        false => text.split(|letter: char| !letter.is_alphanumeric() && !is_mark(letter)).next()?.to_owned(),
    };
    let ending = KOREAN_ENDINGS.iter().find(|ending| name.len() > ending.len() && name.ends_with(**ending));
    let name = ending.map_or(name.clone(), |ending| name[..name.len() - ending.len()].to_owned());
    let letters = name.chars().count();
    let called = name.starts_with(CALLED);
    (letters > 0 && !called && (!unspaced || letters <= NAME_LETTERS)).then_some(name)
}

/// Vowels that some scripts write as marks.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{064B}'..='\u{0652}')
}

fn has_word(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}
