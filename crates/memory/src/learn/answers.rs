//! Short answers to what the assistant asked about the user: "Any allergies?" – "yeah, nuts".
//!
//! An answer of a word or two says nothing by itself. With the question it is what the user told: it is kept so where the question is about the user and not
//! about the work at hand. Which questions are is read from how they are asked in fifteen languages.

use std::sync::LazyLock;

use super::draft::Candidate;
use crate::text::fold;
use crate::text::script::is_han_kana_or_hangul;

/// Words of an answer that is not understood without its question, or letters of a script without spaces.
const ANSWER_WORDS: usize = 9;
const ANSWER_WIDE_LETTERS: usize = 16;

/// Letters of a question that are kept with its answer.
const QUESTION_LETTERS: usize = 140;

/// How surely something that was asked for lasts, and belongs in front of every conversation.
const LASTS: f32 = 0.8;
const CORE: f32 = 0.8;

/// What questions about the user are about, and how they are asked, folded: all words of one of the phrases in this order, a star behind the beginning of a word.
const QUESTIONS: [(&str, bool, &str); 8] = [
    (
        "home",
        true,
        "where do you live | city are you | town are you | city do you live | where are you based | where are you located | what city | wo wohn* | welcher stadt wohn* | welcher stadt bist |
        welcher stadt leb* | in welcher stadt | donde viv* | que ciudad viv* | en que ciudad | ou habit* | ou vi* vous | ou vis | quelle ville | onde mor* | que cidade | em que cidade | dove viv* | dove abit* |
        in che citta | in quale citta | waar woon* | welke stad | gdzie mieszka* | jakim miescie | jakim jestes miescie | где вы жив* | где ты жив* | каком городе | какой у вас город | какой у тебя город | nerede yas* |
        nerede otur* | hangi sehir* | وين ساكن* | اين تسكن* | اين تعيش* | في اي مدينة | اي مدينة | कहाँ रहते | कहां रहते | किस शहर | कौन से शहर | 哪个城市 | 哪座城市 | 住在哪 | 住哪 | どこに住 | どちらにお住まい | お住まいはど | どの街 | どこの街 | 어디 사 | 어디에 사 | 어느 도시",
    ),
    (
        "health",
        true,
        "allerg* | intoleran* | alergi* | аллерг* | unvertraglich* | uczulen* | alerji* | حساسية | एलर्जी | 过敏 | 過敏 | アレルギー | 알레르기 | 알러지 | medication* do you | medikament* nimmst | medikament* nehmen",
    ),
    (
        "diet",
        true,
        "are you vegetarian | are you vegan | dietary | diet do you | what do you not eat | ernahrst du | vegetarisch | que no com* | eres vegetarian* | regime alimentaire | etes vous vegetarien* | restric* alimentar* |
        sei vegetarian* | eet je geen | vegetarisch | nie je* | вегетариан* | vejetaryen | beslenme | نباتي | शाकाहारी | 忌口 | 不吃什么 | 食べられない | 苦手な食べ物 | 채식 | 못 먹는",
    ),
    (
        "work",
        false,
        "do you do for a living | what do you do | your job | your occupation | your profession | where do you work | was machst du beruflich | was machen sie beruflich | ihr beruf | dein beruf | wo arbeit* | a que te dedic* |
        donde trabaj* | cual es tu trabajo | cual es su profesion | que faites vous dans la vie | votre metier | ton metier | quel est votre travail | ou travaill* | qual e sua profissao | com o que voce trabalha | onde trabalh* |
        che lavoro fa* | dove lavor* | wat voor werk | wat doe je voor werk | waar werk | czym sie zajmujesz | gdzie pracuj* | kim jestes z zawodu | кем вы работа* | кем ты работа* | где вы работа* | ne is yap* |
        mesleg* | nerede calis* | ما عملك | وين تشتغل | شو بتشتغل | क्या काम करते | आपका पेशा | 什么工作 | 做什么的 | 职业 | お仕事は | ご職業 | 仕事は何 | 무슨 일 하 | 직업",
    ),
    (
        "identity",
        true,
        "your name | what should i call you | how should i sign | who should i sign | sign it as | signed by | wie heisst du | wie heissen sie | dein name | ihr name | unterschreib* soll | como te llamas | como se llama usted | tu nombre |
        como lo firmo | comment vous appelez | comment tu t'appelles | votre nom | ton nom | je signe | seu nome | como voce se chama | come ti chiami | come si chiama lei | il tuo nome | il suo nome | come firmo | hoe heet je | hoe heet u |
        je naam | uw naam | jak masz na imie | jak sie nazywasz | jak ma pan* na imie | как вас зовут | как тебя зовут | ваше имя | adin* ne | isminiz | ismin ne | ما اسمك | شو اسمك | اسمك ايه | आपका नाम | तुम्हारा नाम | 你叫什么 | 怎么称呼 | 您贵姓 | 你的名字 |
        お名前 | 名前は何 | 이름이 뭐 | 성함",
    ),
    (
        "identity",
        false,
        "how old are you | your age | your birthday | your shoe size | what size do you | your size | your height | wie alt bist | wie alt sind sie | schuhgrosse | welche grosse hast | welche grosse trag* | wann hast du geburtstag | cuantos anos tien* |
        que talla | que numero calzas | tu talla | quel age avez | quel age as | quelle pointure | quelle taille fai* | quantos anos voce | que numero voce calca | qual seu tamanho | quanti anni hai | che numero porti | che taglia |
        hoe oud ben | welke maat | schoenmaat | ile masz lat | jaki rozmiar | rozmiar nosisz | сколько вам лет | сколько тебе лет | какой размер | размер обуви | размер ноги | kac yasind* | kac numara | hangi beden | كم عمرك | مقاسك | مقاس رجلك | उम्र क्या | जूते का साइज | कौन सा साइज |
        你多大 | 您多大 | 多少码 | 几码 | 鞋码 | おいくつ | 何歳 | 靴のサイズ | サイズはいくつ | 몇 살 | 나이가 | 신발 사이즈 | 사이즈가",
    ),
    (
        "people",
        true,
        "do you have any pets | have any pets | any kids | have children | have kids | are you married | do you have a partner | do you live alone | who do you live with | how many people are you | who is travel* | hast du haustiere | haben sie haustiere |
        hast du kinder | haben sie kinder | tienes mascotas | tienes hijos | animaux de compagnie | avez vous des enfants | as tu des enfants | tem animais | tem filhos | tem pets | hai animali | hai figli | heb je huisdieren | heb je kinderen | masz zwierzeta |
        masz dzieci | есть дети | есть животные | домашние животные | evcil hayvan* | cocug* var | عندك اولاد | عندك حيوان* | बच्चे हैं | पालतू | 养宠物 | 有宠物 | 有孩子 | ペットは | お子さん | 반려동물 | 아이가 있 | 자녀",
    ),
    (
        "people",
        false,
        "old is your | is your * called | your * name | wie alt ist dein* | wie alt ist ihr* | wie heisst dein* | wie heisst ihr* | cuantos anos tiene tu | como se llama tu | quel age a votre | quel age a ton | comment s'appelle votre | comment s'appelle ton |
        quantos anos tem seu | quantos anos tem sua | como se chama seu | como se chama sua | quanti anni ha tu* | come si chiama tu* | hoe oud is je | hoe heet je | ile lat ma twoj* | jak ma na imie twoj* | сколько лет ваш* | сколько лет тво* | как зовут ваш* |
        как зовут тво* | kac yasinda | adi ne | 你女儿多大 | 你儿子多大 | 孩子多大 | 孩子几岁 | お子さんは何歳 | 아이가 몇",
    ),
];

/// What questions of one kind are about, whether that belongs in front of every conversation, and how they are asked.
struct AskedAbout {
    subject: &'static str,
    core: bool,
    phrases: Vec<Vec<String>>,
}

/// The same, cut into words.
static READ: LazyLock<Vec<AskedAbout>> = LazyLock::new(|| {
    let phrases = |list: &str| {
        list.split('|').map(|phrase| fold(phrase).split_whitespace().map(str::to_owned).collect()).collect()
    };
    let read = |&(subject, core, list)| AskedAbout { subject, core, phrases: phrases(list) };
    QUESTIONS.iter().map(read).collect()
});

/// The question at the end of what the assistant said; nothing where it asks none there.
pub(super) fn question_at_the_end(said: &str) -> Option<&str> {
    let said = said.trim_end();
    let ends = |letter: char| matches!(letter, '?' | '？' | '؟');
    let body = said.strip_suffix(ends)?;
    let from = body
        .rfind(|letter: char| matches!(letter, '.' | '!' | '\n' | '。' | '！' | '।' | ':') || ends(letter));
    let from = from.map_or(0, |at| at + body[at..].chars().next().map_or(1, char::len_utf8));
    Some(said[from..].trim())
}

/// What a short answer tells with its question, on a candidate that was made of the answer; nothing where the question is not about the user.
pub(super) fn answered(question: &str, answer: &str, told: Candidate) -> Option<Candidate> {
    let answer = answer.trim();
    let wide = answer.chars().filter(|&letter| is_han_kana_or_hangul(letter)).count();
    let short = answer.split_whitespace().count() <= ANSWER_WORDS && wide <= ANSWER_WIDE_LETTERS;
    let asks = answer.ends_with(['?', '？', '؟']) || answer.contains('\n');
    if !short || asks || answer.is_empty() || question.chars().count() > QUESTION_LETTERS {
        return None;
    }
    let (subject, core) = about(question)?;
    Some(Candidate {
        content: format!("{question} – {answer}"),
        category: subject.to_owned(),
        matter: Some(subject.to_owned()),
        confidence: told.confidence.max(LASTS),
        core: Some(if core { CORE } else { told.core.unwrap_or_default() }),
        sensitive: false,
        put_right: true,
        ..told
    })
}

/// What of the user a question is about, and whether that belongs in front of every conversation.
fn about(question: &str) -> Option<(&'static str, bool)> {
    let folded = fold(question).replace('’', "'");
    let words: Vec<&str> = folded
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let is_word = |word: &str, asked: &str| match asked.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == asked,
    };
    let stands = |phrase: &Vec<String>| {
        let in_letters = || {
            phrase.iter().any(|word| word.chars().any(is_han_kana_or_hangul))
                && folded.replace(' ', "").contains(&phrase.concat())
        };
        let in_words = || {
            words
                .windows(phrase.len())
                .any(|part| part.iter().zip(phrase).all(|(word, asked)| is_word(word, asked)))
        };
        !phrase.is_empty() && (in_words() || in_letters())
    };
    let asked = READ.iter().find(|asked| asked.phrases.iter().any(stands))?;
    Some((asked.subject, asked.core))
}

#[cfg(test)]
mod tests {
    use super::{about, question_at_the_end};

    #[test]
    fn questions_about_the_user_are_told_from_those_about_the_work() {
        for (question, subject) in [
            ("Which city are you in?", "home"),
            ("Any allergies I should know about?", "health"),
            ("In welcher Stadt wohnst du?", "home"),
            ("¿A qué te dedicas?", "work"),
            ("Какой у вас размер обуви? Какой размер?", "identity"),
            ("你在哪个城市？", "home"),
            ("アレルギーはありますか？", "health"),
            ("신발 사이즈가 어떻게 되세요?", "identity"),
            ("How old is your daughter?", "people"),
            ("Czym się zajmujesz?", "work"),
        ] {
            assert_eq!(about(question).map(|(subject, _)| subject), Some(subject), "{question}");
        }
        for question in [
            "Should it be formal or casual?",
            "Which format would you like?",
            "What is the name of the function?",
            "Soll ich es kürzer machen?",
            "你想要什么风格的标题？",
            "Which language should the script be in?",
            "How long should the text be?",
        ] {
            assert_eq!(about(question), None, "{question}");
        }
    }

    #[test]
    fn what_is_asked_last_is_answered() {
        assert_eq!(question_at_the_end("Sure! Which city are you in?"), Some("Which city are you in?"));
        assert_eq!(question_at_the_end("好的。你在哪个城市？"), Some("你在哪个城市？"));
        assert_eq!(question_at_the_end("Do you like it? Here it is."), None);
    }
}
