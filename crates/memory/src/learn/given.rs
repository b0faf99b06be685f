//! What of a message is handed over to be worked on, and where a game of roles begins: the one room before every reader of a turn.
//!
//! "Can you put this into Italian? I have two dogs." speaks of somebody's dogs, and nobody says whose. A request to translate, to proofread or to
//! continue stands before the text, behind it or right at a colon; the text is what it points at, and the person's own words are the rest. Patterns and
//! judge both ask here, so that what one of them leaves out the other does not take in.

use std::ops::Range;
use std::sync::LazyLock;

use super::heuristic::{durability, sentences_of};
use super::quotation::all_quotations;
use crate::language::{GivenWords, Language};
use crate::text::fold;
use crate::text::tokens::is_wide;
use crate::types::StatementDurability;

/// Bytes of a message that are looked at.
const BYTES: usize = 64 * 1024;

/// Bytes of a sentence that can be a request.
const REQUEST_BYTES: usize = 400;

/// Words between what is asked for and what it is asked of.
const BESIDE_WORDS: usize = 8;

/// Letters of a text that is worth handing over behind a colon.
const GIVEN_LETTERS: usize = 6;

/// A list of words and phrases of one language, folded.
#[derive(Debug)]
struct Words {
    phrases: Vec<Vec<String>>,
    /// Found inside of words.
    wide: Vec<String>,
}

impl Words {
    fn new(list: &str) -> Self {
        let folded = |phrase: &str| plain(&phrase.replace('_', " "));
        let (wide, spaced): (Vec<String>, Vec<String>) =
            list.split_whitespace().map(folded).partition(|phrase| phrase.chars().any(is_wide));
        let words = |phrase: &String| words_of(phrase);
        Self { phrases: spaced.iter().map(words).filter(|words| !words.is_empty()).collect(), wide }
    }

    fn stand_in(&self, said: &GivenSentence) -> bool {
        self.first_place(said).is_some()
    }

    /// Whether one of them stands within a few words of one of the others: "put the headings right, that one too" points at nothing.
    fn stand_beside(&self, others: &Self, said: &GivenSentence) -> bool {
        let places = |list: &Self| -> Vec<usize> {
            let stands =
                |place: &usize| list.phrases.iter().any(|phrase| said.words[*place..].starts_with(phrase));
            (0..said.words.len()).filter(stands).collect()
        };
        let (own, other) = (places(self), places(others));
        own.is_empty()
            || other.is_empty()
            || own.iter().any(|one| other.iter().any(|other| one.abs_diff(*other) <= BESIDE_WORDS))
    }

    /// The word at which the first of them stands.
    fn first_place(&self, said: &GivenSentence) -> Option<usize> {
        let stands =
            |place: &usize| self.phrases.iter().any(|phrase| said.words[*place..].starts_with(phrase));
        let wide = || self.wide.iter().any(|phrase| said.text.contains(phrase.as_str())).then_some(0);
        (0..said.words.len()).find(stands).or_else(wide)
    }
}

/// A language's words made ready for use.
#[derive(Debug)]
struct Given {
    work: Words,
    amend: Words,
    say: Words,
    languages: Words,
    this: Words,
    right: Words,
    goes_on: Words,
    writes: Words,
    texts: Words,
    on_behalf: Words,
    play: Words,
    invites: Words,
    you_are: Words,
    i_am: Words,
    ends: Words,
    supposes: Words,
}

static GIVEN: LazyLock<Vec<Given>> = LazyLock::new(|| Language::giving().map(Given::new).collect());

impl Given {
    fn new(words: &GivenWords) -> Self {
        Self {
            work: Words::new(words.work),
            amend: Words::new(words.amend),
            say: Words::new(words.say),
            languages: Words::new(words.languages),
            this: Words::new(words.this),
            right: Words::new(words.right),
            goes_on: Words::new(words.goes_on),
            writes: Words::new(words.writes),
            texts: Words::new(words.texts),
            on_behalf: Words::new(words.on_behalf),
            play: Words::new(words.play),
            invites: Words::new(words.invites),
            you_are: Words::new(words.you_are),
            i_am: Words::new(words.i_am),
            ends: Words::new(words.ends),
            supposes: Words::new(words.supposes),
        }
    }
}

/// A part of a message as the lists are looked for in it.
struct GivenSentence {
    text: String,
    words: Vec<String>,
}

impl GivenSentence {
    fn new(text: &str) -> Self {
        let text = plain(text);
        let words = words_of(&text);
        Self { text, words }
    }
}

fn plain(text: &str) -> String {
    fold(text).replace(['’', '‘'], "'")
}

/// The words of a folded text, marks left out.
fn words_of(text: &str) -> Vec<String> {
    let part_of_word =
        |character: char| character.is_alphanumeric() || character == '\'' || is_mark(character);
    let words = text.split(|character: char| !part_of_word(character));
    words.map(|word| word.trim_matches('\'')).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Vowels that some scripts write as marks.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{0900}'..='\u{0903}' | '\u{093A}'..='\u{094F}' | '\u{064B}'..='\u{0652}')
}

/// How a sentence asks for work on a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Request {
    /// As one corrects a fact too: a judge must hear that what stands beside it is somebody's text.
    Perhaps,
    /// How something is said elsewhere: "how do you say that in Spanish?" asks of what was just said.
    Back,
    /// To work on a text, wherever it stands: "can you translate this?".
    Points,
}

/// What a message hands over.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct GivenText {
    /// What is surely not the speaker's own.
    pub parts: Vec<Range<usize>>,
    /// Whether something is asked of a text, so that what sounds like one may be it.
    pub is_worked_on: bool,
}

/// What a message hands over to be worked on.
pub(super) fn given_text(message: &str) -> GivenText {
    let message = &message[..message.floor_char_boundary(BYTES)];
    if let Some(colon) = colon_before_text(message) {
        return GivenText { parts: behind_colon(message, colon), is_worked_on: true };
    }
    let sentences = sentences_of(message, 0..message.len());
    let requests: Vec<Option<Request>> =
        sentences.iter().map(|range| request(&message[range.clone()])).collect();
    let pointing =
        requests.iter().position(|request| matches!(request, Some(Request::Points | Request::Back)));
    let Some(place) = pointing else {
        return GivenText { parts: Vec::new(), is_worked_on: requests.iter().any(Option::is_some) };
    };
    let tells = |range: &Range<usize>| is_more_than_a_greeting(&message[range.clone()]);
    let behind = sentences[place + 1..].iter().any(tells);
    let before = sentences[..place].iter().any(tells);
    let back =
        requests[place] == Some(Request::Back) && !names_what_follows(&message[sentences[place].clone()]);
    let part = match behind && !(before && back) {
        true => sentences[place].end..message.len(),
        false => 0..sentences[place].start,
    };
    let parts = if message[part.clone()].trim().is_empty() { Vec::new() } else { vec![part] };
    GivenText { parts, is_worked_on: true }
}

/// Words and letters of what is more than "hi there" or "thank you so much".
const TELLING_WORDS: usize = 4;
const TELLING_WIDE_LETTERS: usize = 6;

fn is_more_than_a_greeting(sentence: &str) -> bool {
    let wide = sentence.chars().filter(|&character| is_wide(character)).count();
    sentence.split_whitespace().count() >= TELLING_WORDS || wide >= TELLING_WIDE_LETTERS
}

/// Words of a question that asks only how something is said.
const SHORT_WORDS: usize = 6;

/// "Translate the following."
fn names_what_follows(sentence: &str) -> bool {
    const FOLLOWING: [&str; 16] = [
        "following",
        "below",
        "siguiente",
        "seguinte",
        "suivant",
        "folgende",
        "seguente",
        "volgende",
        "nastepujac",
        "ponizsz",
        "следующ",
        "asagidaki",
        "التالي",
        "下面",
        "以下",
        "다음",
    ];
    let folded = plain(sentence);
    FOLLOWING.iter().any(|word| folded.contains(word))
}

/// How a sentence asks for work on a text, where it does. Who types in lower case has several lines in one sentence, and each may ask.
fn request(sentence: &str) -> Option<Request> {
    if sentence.len() > REQUEST_BYTES || durability(sentence) == Some(StatementDurability::Explicit) {
        return None;
    }
    let lines = sentence.lines().filter(|line| line.len() < sentence.len());
    lines.chain([sentence]).filter_map(asked_of_text).max()
}

fn asked_of_text(sentence: &str) -> Option<Request> {
    let said = GivenSentence::new(sentence);
    // What is quoted is the text that is asked about.
    if !all_quotations(sentence).is_empty() || tells(sentence, &said) {
        return None;
    }
    // "Como se diz em coreano?" has room for nothing else.
    let short = said.words.len() <= SHORT_WORDS && is_question(sentence);
    let ask = |given: &Given| {
        let points = given.this.stand_in(&said);
        let language = given.languages.stand_in(&said);
        let works = given.work.stand_in(&said);
        let says = language && is_asked(&given.say, sentence, &said);
        let checks = given.right.stand_in(&said);
        let goes_on = is_asked(&given.goes_on, sentence, &said) && given.texts.stand_in(&said);
        match () {
            () if points && works && given.work.stand_beside(&given.this, &said) || goes_on => {
                Some(Request::Points)
            }
            () if says && (points || short) || checks && language => Some(Request::Back),
            () if works && language || checks || points && given.amend.stand_in(&said) => {
                Some(Request::Perhaps)
            }
            () => None,
        }
    };
    GIVEN.iter().filter_map(ask).max()
}

/// Words at the beginning or the end of an order among which its verb stands.
const ORDER_WORDS: usize = 5;
const ORDER_WORDS_LAST: usize = 2;

/// How one asks how something is done, folded.
const HOW: &str = "how como comment wie come hoe jak как nasil كيف कैसे";

/// Whether one of these verbs is asked for: in a question, or where an order has its verb. "When I write in Welsh, answer me in Welsh" tells.
fn is_asked(verbs: &Words, sentence: &str, said: &GivenSentence) -> bool {
    let Some(place) = verbs.first_place(said) else { return false };
    let asks_how = || said.words.iter().any(|word| HOW.split(' ').any(|how| how == word));
    place < ORDER_WORDS || place + ORDER_WORDS_LAST >= said.words.len() || is_question(sentence) || asks_how()
}

fn is_question(sentence: &str) -> bool {
    sentence.trim_end().ends_with(['?', '？', '؟'])
}

/// How speakers name themselves at the beginning of what they tell and do not ask, folded.
const ONESELF: &str =
    "i i'm im i've ive i'll we ich wir je j'ai nous yo eu io noi ik wij ja я мы ben biz أنا मैं हम मुझे";
const ONESELF_WIDE: [&str; 5] = ["我", "私", "僕", "저는", "나는"];

/// Words in which a statement names its speaker.
const FIRST_WORDS: usize = 3;

/// How speakers name their own people and things, folded: "my sister can translate that for us".
const OWN: &str = "my our mein meine meinem meiner unser unsere mi mis nuestra nuestro mon ma mes notre nos meu minha meus minhas
    nosso nossa mio mia miei mie nostro nostra mijn m'n onze moj moja moje mojej nasz nasza мои моя мое моей моего наша наш
    people everybody मेरी मेरा मेरे हमारी हमारा";

/// The same where a word has its owner in itself.
const OWN_KIN: &str =
    "kardeşim annem babam eşim kocam karım oğlum kızım ablam abim arkadaşım patronum teyzem amcam
    أختي أخي أمي أبي ابي امي اخي اختي زوجي زوجتي صديقي صديقتي ابني ابنتي بنتي مديري مديرتي خالتي عمي";

/// Words at the beginning of a sentence of which one names whose it is: "la mia collega".
const OWN_WORDS: usize = 2;

static OWN_KIN_FOLDED: LazyLock<Vec<String>> =
    LazyLock::new(|| OWN_KIN.split_whitespace().map(plain).collect());
static OWN_FOLDED: LazyLock<Vec<String>> = LazyLock::new(|| OWN.split_whitespace().map(plain).collect());

/// What ends a statement in languages whose verb stands last, and what asks there all the same.
const STATED_JAPANESE: [&str; 8] = ["ます", "です", "ました", "でした", "ません", "ている", "てる", "した"];
const STATED_KOREAN: [&str; 16] = [
    "어요", "아요", "해요", "에요", "예요", "돼요", "워요", "와요", "가요", "네요", "데요", "니다", "한다",
    "있다", "이야", "거든",
];
const ASKED: [&str; 15] = [
    "お願い",
    "ください",
    "下さい",
    "くれ",
    "もらえ",
    "いただけ",
    "ほしい",
    "줘",
    "주세요",
    "주실",
    "부탁",
    "달라",
    "줄래",
    "주라",
    "주시",
];

/// Whether a sentence tells and asks for nothing: of its speaker ("I have to translate this"), or of their people.
fn tells(sentence: &str, said: &GivenSentence) -> bool {
    !is_question(sentence) && (names_oneself(said) || names_own(said) || ends_statement(said))
}

fn names_oneself(said: &GivenSentence) -> bool {
    let names = |word: &String| ONESELF.split_whitespace().any(|oneself| oneself == word);
    said.words.iter().take(FIRST_WORDS).any(names)
        || ONESELF_WIDE.iter().any(|oneself| said.text.starts_with(oneself))
}

/// "My essay needs proofreading" speaks of a text, and "mi traduci questo" of nothing that is one's own.
fn names_own(said: &GivenSentence) -> bool {
    let asks = |place: usize| {
        let Some(behind) = said.words.get(place..) else { return false };
        let begins = |list: &Words| list.phrases.iter().any(|phrase| behind.starts_with(phrase));
        GIVEN.iter().any(|given| [&given.work, &given.amend, &given.say].into_iter().any(begins))
    };
    let owns = |place: usize| {
        let is_dative =
            said.words[place] == "mi" && (asks(place + 1) || place.checked_sub(1).is_some_and(asks));
        OWN_FOLDED.contains(&said.words[place]) && !is_dative
    };
    let own = (0..said.words.len().min(OWN_WORDS)).any(owns);
    let kin = said.words.first().is_some_and(|word| OWN_KIN_FOLDED.contains(word));
    (own || kin) && !GIVEN.iter().any(|given| given.texts.stand_in(said))
}

fn ends_statement(said: &GivenSentence) -> bool {
    let text = said.text.trim_end_matches(|character: char| !character.is_alphanumeric());
    let ends = |ends: &[&str]| ends.iter().any(|end| text.ends_with(end));
    (ends(&STATED_JAPANESE) || ends(&STATED_KOREAN)) && !ASKED.iter().any(|asks| text.contains(asks))
}

/// The place behind the colon of a request for work on a text: "summarise: …", "continue my story: …".
fn colon_before_text(message: &str) -> Option<usize> {
    let mut from = 0;
    while let Some((offset, mark)) = message[from..].match_indices([':', '：']).next() {
        let colon = from + offset + mark.len();
        from = colon;
        let spaced = mark == "：" || message[colon..].chars().next().is_none_or(char::is_whitespace);
        let letters = message[colon..].chars().filter(|character| character.is_alphabetic()).count();
        let before =
            message[..colon - mark.len()].rsplit(['.', '!', '?', '\n', '。', '！', '？', '।', '؟']).next();
        let asks = before.is_some_and(hands_over);
        if spaced && letters >= GIVEN_LETTERS && asks {
            return Some(colon);
        }
    }
    None
}

/// Letters and other texts that tell of their writer: what stands behind "write a cover letter:" is what it is to say.
static OWN_TEXTS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(
        "letter bio article paragraph carta lettre brief lettera list письмо رسالة चिट्ठी पाठ texto texte text testo tekst tekst metin نص 信 手紙 편지",
    )
});

/// Words for one's trade: "校正の仕事：…".
const TRADES: [&str; 7] = ["仕事", "工作", "职业", "직업", "for a living", "as a job", "beruf"];

fn tells_of_own(said: &GivenSentence) -> bool {
    names_own(said) || ends_statement(said) || TRADES.iter().any(|trade| said.text.contains(trade))
}

/// Whether what stands before a colon tells of its speaker's life: "I edit wedding films for a living".
pub(super) fn tells_of_its_speaker(before: &str) -> bool {
    let said = GivenSentence::new(before);
    let points = || GIVEN.iter().any(|given| given.work.stand_in(&said) && given.this.stand_in(&said));
    tells_of_own(&said) || names_oneself(&said) && !points()
}

/// Whether what stands before a colon asks for work on what stands behind it.
fn hands_over(request: &str) -> bool {
    if request.len() > REQUEST_BYTES || durability(request) == Some(StatementDurability::Explicit) {
        return false;
    }
    let said = GivenSentence::new(request);
    if tells_of_own(&said) {
        return false;
    }
    // "I need you to translate this: …", not "I translate novels for a living: …".
    let of_oneself = names_oneself(&said);
    GIVEN.iter().any(|given| {
        let language = given.languages.stand_in(&said);
        let of_text = given.texts.stand_in(&said);
        let points = given.this.stand_in(&said);
        let works = given.work.stand_in(&said) || given.right.stand_in(&said);
        if of_oneself {
            return works && points && given.work.stand_beside(&given.this, &said);
        }
        let amends = given.amend.stand_in(&said) && (of_text || language || points);
        let says = language && is_asked(&given.say, request, &said);
        let goes_on = is_asked(&given.goes_on, request, &said) && (of_text || points);
        let writes = given.writes.stand_in(&said)
            && of_text
            && !OWN_TEXTS.stand_in(&said)
            && !given.on_behalf.stand_in(&said);
        works || amends || says || goes_on || writes
    })
}

/// What stands behind a colon: the quotation that begins there, else the rest of the message.
fn behind_colon(message: &str, colon: usize) -> Vec<Range<usize>> {
    let start = colon + (message[colon..].len() - message[colon..].trim_start().len());
    let quoted = all_quotations(&message[start..]).into_iter().find(|range| range.start == 0);
    std::iter::once(start..quoted.map_or(message.len(), |range| start + range.end)).collect()
}

/// What is played in games of roles and elsewhere, so that a part must be given out too: "a simulation of an interview: you're the manager".
static PLAYED_ELSEWHERE: LazyLock<Words> = LazyLock::new(|| {
    Words::new(
        "simulation simulate improv simulacro simular simulemos simulación simulação simulazione symulacja symulację simülasyon симуляция
         симуляцию сыграем разыграем просценируем scenkę محاكاة नाटक 模拟 シミュレーション 시뮬레이션",
    )
});

/// Whether a text begins a game of roles that goes on in the turns behind.
pub(super) fn begins_play(text: &str) -> bool {
    let sentences = sentences_of(text, 0..text.floor_char_boundary(BYTES));
    let begins = |range: Range<usize>| {
        let said = GivenSentence::new(&text[range]);
        let elsewhere = PLAYED_ELSEWHERE.stand_in(&said);
        GIVEN.iter().any(|given| {
            // "Can we plan around my mock interview?"
            let of_somebody = given
                .play
                .first_place(&said)
                .is_some_and(|place| place > 0 && OWN_FOLDED.contains(&said.words[place - 1]));
            let invited = given.play.stand_in(&said) && !of_somebody && given.invites.stand_in(&said);
            let given_out = given.you_are.stand_in(&said) && given.i_am.stand_in(&said);
            invited || given_out && (elsewhere || given.play.stand_in(&said))
        })
    };
    sentences.into_iter().filter(|range| range.len() <= REQUEST_BYTES).any(begins)
}

/// Whether a text ends such a game.
pub(super) fn ends_play(text: &str) -> bool {
    let said = GivenSentence::new(text);
    GIVEN.iter().any(|given| given.ends.stand_in(&said))
}

/// Whether a text makes its speaker somebody else: "pretend I'm a pensioner from Prague".
pub(super) fn supposes_speaker(text: &str) -> bool {
    let end = text.floor_char_boundary(REQUEST_BYTES);
    let first = sentences_of(text, 0..end).into_iter().next();
    let said = GivenSentence::new(first.map_or("", |range| &text[range]));
    GIVEN.iter().any(|given| given.supposes.stand_in(&said))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is handed over begins with these words, or nothing is.
    fn check(message: &str, expected: Option<&str>) {
        let found = given_text(message).parts;
        let shown: Vec<&str> = found.iter().map(|part| message[part.clone()].trim()).collect();
        match expected {
            Some(beginning) => {
                assert!(shown.iter().any(|shown| shown.starts_with(beginning)), "{message}: {shown:?}")
            }
            None => assert!(shown.is_empty(), "{message}: {shown:?}"),
        }
    }

    #[test]
    fn a_text_is_handed_over_before_the_request_behind_it_or_behind_its_colon() {
        for (message, given) in [
            ("Hi! Can you put this into Italian? I keep two goats.", Some("I keep two goats.")),
            ("I keep two goats and a mule. How would you say that in Welsh?", Some("I keep two goats")),
            ("I'm a vet in Leith. Please proofread this: I has two goats.", Some("I has two goats.")),
            ("Continue my story: I keep goats on the moon.", Some("I keep goats")),
            ("Tengo dos cabras en Soria. ¿Cómo se dice eso en alemán?", Some("Tengo dos cabras")),
            ("Traduz isto para francês: Tenho duas cabras.", Some("Tenho duas cabras.")),
            ("Peux-tu traduire ça en grec ? J'ai deux chèvres à Foix.", Some("J'ai deux chèvres")),
            ("Ich halte zwei Ziegen. Wie sagt man das auf Polnisch?", Some("Ich halte zwei Ziegen.")),
            ("Riassumi: Tengo due capre da vent'anni.", Some("Tengo due capre")),
            ("Vat dit samen: Ik heb twee geiten in Urk.", Some("Ik heb twee geiten")),
            ("Przetłumacz to na czeski: Mam dwie kozy.", Some("Mam dwie kozy.")),
            ("У меня две козы и осёл. Как это будет? Скажи это по-немецки.", Some("У меня две козы")),
            ("Şunu İngilizceye çevir: İki keçim var.", Some("İki keçim var.")),
            ("لخص هذا النص: عندي عنزتان في صفاقس.", Some("عندي عنزتان")),
            ("इसे जर्मन में अनुवाद करो: मेरे पास दो बकरियाँ हैं।", Some("मेरे पास")),
            ("我养了两只山羊和一头驴。这句用德语怎么说？", Some("我养了两只山羊")),
            ("要約して：私は山羊を二匹飼っています。", Some("私は山羊")),
            ("이거 독일어로 번역해 줘: 저는 염소 두 마리를 키워요.", Some("저는 염소")),
            ("I translate manuals for a living and keep two goats.", None),
            ("From now on always translate this kind of letter into German. I keep goats.", None),
            ("My address: 4 Hill Lane, and I keep two goats.", None),
            ("Write a card for my niece Orla: she turns six and loves goats.", None),
            ("Soy traductora y vivo en Soria.", None),
            ("Je traduis des manuels et j'ai deux chèvres.", None),
            ("Ich muss das Handbuch übersetzen. Ich habe zwei Ziegen.", None),
            ("Wir wohnen zusammen: ich und meine Schwester Ute.", None),
            ("Traduco manuali e tengo due capre.", None),
            ("Ik woon in Urk. Kun je me helpen met een recept?", None),
            ("Mieszkam w Pile i uczę się angielskiego.", None),
            ("Я переводчик, живу в Пскове и учу немецкий.", None),
            ("Almanca öğreniyorum ve Uşak'ta yaşıyorum.", None),
            ("أنا مترجم وأعيش في صفاقس.", None),
            ("मैं अनुवादक हूँ और सतना में रहता हूँ।", None),
            ("我是翻译，住在宜昌。", None),
            ("翻訳の仕事をしています。函館に住んでいます。", None),
            ("저는 번역가이고 여수에 살아요.", None),
            ("Kurze Frage: Ich habe Zöliakie, darf ich Grünkern essen?", None),
            ("Das ist nur eine kurze Frage. Ich bin Diabetiker und halte Ziegen.", None),
            ("Mein Fehler: ich halte keine Ziegen, sondern Schafe.", None),
            ("I translate novels for a living: mostly Czech ones, in Leith.", None),
            ("People say my Welsh is good: I kept goats in Wales for years.", None),
            ("I finish this week: then I'm off to Leith with my goats.", None),
            ("My niece can translate that for us. I keep two goats in Leith.", None),
            ("Je termine ce mois-ci mon contrat : je cherche une ferme à Foix.", None),
            ("我是翻译：主要做法律文件，住在宜昌。", None),
            ("치과에서 교정 받고 있어서 이거 못 먹어요. 저는 여수에 살아요.", None),
            ("أخي حسن يسكن هذا الحي: وعنده عنزتان.", None),
            ("Next is the thesis, this chapter must finish in spring. I keep two goats.", None),
            ("Write a cover letter: I am a vet in Leith with two goats.", None),
            ("I need you to translate this: I keep two goats.", Some("I keep two goats.")),
            ("Ich muss das übersetzen: Ich halte zwei Ziegen.", Some("Ich halte zwei Ziegen.")),
        ] {
            check(message, given);
        }
    }

    #[test]
    fn a_game_of_roles_begins_where_one_is_proposed() {
        for text in [
            "Let's do a role play: you're the landlord and I'm the tenant.",
            "Vamos a hacer un juego de rol: tú eres el médico y yo la paciente.",
            "Vamos fazer um jogo de papéis, tu és o médico.",
            "Faisons un jeu de rôle.",
            "Lass uns ein Rollenspiel machen!",
            "Facciamo un gioco di ruolo, tu sei il medico.",
            "Laten we een rollenspel doen.",
            "Zróbmy role play: ty jesteś lekarzem.",
            "Давай сыграем в ролевую игру.",
            "Hadi rol yapma oyunu oynayalım.",
            "لنلعب تمثيل أدوار: أنت الطبيب وأنا المريض.",
            "चलो रोल-प्ले करते हैं।",
            "我们来玩角色扮演吧。",
            "ロールプレイをしましょう。",
            "역할극 하자.",
            "Faisons une simulation d'entretien : tu es la recruteuse et moi je suis le candidat.",
        ] {
            assert!(begins_play(text), "{text}");
        }
        for text in [
            "I love role play games and run a campaign on Sundays.",
            "Me encantan los juegos de rol.",
            "Ich leite sonntags ein Rollenspiel.",
            "J'anime un jeu de rôle le dimanche.",
            "我喜欢角色扮演游戏。",
            "ロールプレイングゲームが好きです。",
            "You are the best and I am grateful.",
            "Can we plan around my mock interview on Monday?",
            "Could we do a mortgage simulation? I earn 40k.",
            "On peut faire une simulation de crédit immobilier ?",
            "Vamos a simular una hipoteca.",
            "Vamos fazer uma simulação do financiamento da casa.",
            "Facciamo una simulazione del mutuo.",
            "Завтра сыграем в шахматы с дедом.",
            "हम हर रविवार नाटक करते हैं।",
        ] {
            assert!(!begins_play(text), "{text}");
        }
        assert!(ends_play("Okay, stop the role play now."));
        assert!(ends_play("Ende des Rollenspiels, danke."));
        assert!(!ends_play("I can't stop eating crisps."));
    }
}

#[cfg(test)]
mod corpus {
    //! What people tell of themselves is not taken for somebody's text, counted over the labelled conversations.

    use std::collections::BTreeMap;
    use std::path::Path;

    use super::{begins_play, given_text};

    /// Of how many messages one is read, so many told sentences are in them at least, and so many of those may be taken for a text at most: what is
    /// told in a text that is handed over is labelled as told too.
    const STEP: usize = 3;
    const TOLD_LEAST: usize = 10_000;
    const LOST_MOST: usize = 6;

    /// A message of the corpus: its sentences, each with whether it tells something of its speaker.
    type Message = Vec<(bool, String)>;

    /// The messages of a file in which everything is in the user's own words.
    fn messages_of(text: &str) -> Vec<Message> {
        let (mut found, mut message, mut foreign) = (Vec::new(), Message::new(), false);
        for line in text.lines().chain(["<"]) {
            let first = line.chars().next().unwrap_or('<');
            match first {
                '*' | '+' | 'h' | 'f' if line.contains(' ') => {
                    let said = line.split_once(" | ").map_or(&line[2..], |(_, said)| said);
                    let said = said.split(" || ").next().unwrap_or(said);
                    message.push((first == '+', said.trim().to_owned()));
                }
                'q' | 'x' => foreign = true,
                '<' | '@' | '=' | '?' | '~' => {
                    let whole = std::mem::take(&mut message);
                    if !foreign && whole.iter().any(|(tells, _)| *tells) {
                        found.push(whole);
                    }
                    foreign = false;
                }
                _ => {}
            }
        }
        found
    }

    #[test]
    fn what_people_tell_of_themselves_is_seldom_taken_for_a_text() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../eval/told");
        let mut counted: BTreeMap<String, [usize; 3]> = BTreeMap::new();
        let mut shown = Vec::new();
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .expect("the corpus")
            .filter_map(|file| Some(file.ok()?.path()))
            .collect();
        files.sort();
        for path in files {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if !name.ends_with(".lives.txt") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a file of the corpus");
            for message in messages_of(&text).into_iter().step_by(STEP) {
                let count = counted.entry(name[..2].to_owned()).or_default();
                let (mut whole, mut told) = (String::new(), Vec::new());
                for (tells, said) in &message {
                    if !whole.is_empty() {
                        whole.push('\n');
                    }
                    if *tells {
                        told.push(whole.len()..whole.len() + said.len());
                    }
                    whole.push_str(said);
                }
                let given = given_text(&whole).parts;
                let lost = told
                    .iter()
                    .filter(|told| given.iter().any(|part| part.start < told.end && told.start < part.end));
                let lost = lost.count();
                let plays = usize::from(message.iter().any(|(_, said)| begins_play(said)));
                count[0] += told.len();
                count[1] += lost;
                count[2] += plays;
                if lost > 0 || plays > 0 {
                    shown.push(format!("{name} {lost} {plays}: {whole}"));
                }
            }
        }
        let sum = |place: usize| counted.values().map(|count| count[place]).sum::<usize>();
        let [told, lost, plays] = [sum(0), sum(1), sum(2)];
        assert!(told > TOLD_LEAST, "{told} sentences: the corpus is not read");
        assert!(
            lost <= LOST_MOST && plays == 0,
            "{lost} of {told} lost, {plays} games of roles: {counted:?}\n{}",
            shown.join("\n---\n")
        );
    }
}
