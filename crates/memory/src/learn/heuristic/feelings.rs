//! Statements of feeling: "I feel lonely", "I'm anxious about the exam", in every language that the distiller reads.
//!
//! Apart from the other rules, because only an agent whose character asks for them gets them. They are read by the same
//! machine, with tables of their own on each language's words: a feeling that is asked about, supposed, quoted or denied
//! is none.

use std::sync::LazyLock;

use super::make::Found;
use super::phrases::Phrases;
use super::rule::{Lexicon, Rule};
use super::tongue::Tongue;
use super::{Context, add, languages, lexer, listen, scan};
use crate::learn::draft::{Candidate, Durability};
use crate::types::{Emotion, Kind, Turn};

/// Felt by somebody now. Less salient than what is usually kept: without a character that wants it, it would fall through.
const FEELING: Rule = Rule::family(Kind::Event, "emotional_context", 0.65, 0.35)
    .between("User", "{feeling}")
    .lasts(Durability::Session);

/// A feeling and what it is about.
const ABOUT: Rule = FEELING.between("User", "{object}");

const SAYS: &str = "User feels {feeling}";
const SAYS_ABOUT: &str = "User feels {feeling} {base} {object}";
const PREDICATE: &str = "FEELS_{feeling}";

// One rule a line, so that the tables can be read as such.
#[rustfmt::skip]
mod rules {
    use super::*;

    pub const EN: &[Rule] = &[
        ABOUT.on("feels_about", "i ~ am|feel|felt|am_feeling|have_been|have_been_feeling ~ {feeling} <about|of|for|by|with|at> {object}").says(SAYS_ABOUT, PREDICATE),
        FEELING.on("feels", "i ~ am|feel|felt|am_feeling|have_been|have_been_feeling ~ {feeling}").says(SAYS, PREDICATE),
    ];
    pub const DE: &[Rule] = &[
        ABOUT.on("feels_about", "ich ~ bin|fühle_mich|fühl_mich|war ~ {feeling} <wegen|über|auf|vor> {object}").says(SAYS_ABOUT, PREDICATE),
        FEELING.on("feels", "ich ~ bin|fühle_mich|fühl_mich ~ {feeling}").says(SAYS, PREDICATE),
        ABOUT.on("fears", "ich ~ habe|hab ~ {feeling} <vor|um> {object}").says(SAYS_ABOUT, PREDICATE),
    ];
    pub const ES: &[Rule] = &[
        ABOUT.on("feels_about", "[yo] estoy|me_siento|me_he_sentido|ando ~ {feeling} <por|con|de|sobre> {object}").says(SAYS_ABOUT, PREDICATE),
        FEELING.on("feels", "[yo] estoy|me_siento|me_he_sentido|ando ~ {feeling}").says(SAYS, PREDICATE),
        FEELING.on("has", "[yo] tengo ~ {feeling}").says(SAYS, PREDICATE),
    ];
    pub const FR: &[Rule] = &[
        ABOUT.on("feels_about", "je suis|me_sens ~ [très|trop|si|vraiment|assez] {feeling} <par|pour|de> {object}").says(SAYS_ABOUT, PREDICATE),
        FEELING.on("feels", "je suis|me_sens ~ [très|trop|si|vraiment|assez] {feeling}").says(SAYS, PREDICATE),
        FEELING.on("has", "j' ai ~ [très|trop|si|vraiment] {feeling}").says(SAYS, PREDICATE),
    ];
    pub const PT: &[Rule] = &[
        ABOUT.on("feels_about", "[eu] estou|me_sinto|sinto-me|ando ~ [muito|tão|bastante] {feeling} <por|com|sobre> {object}").says(SAYS_ABOUT, PREDICATE),
        FEELING.on("feels", "[eu] estou|me_sinto|sinto-me|ando ~ [muito|tão|bastante] {feeling}").says(SAYS, PREDICATE),
    ];
    pub const RU: &[Rule] = &[
        FEELING.on("feels", "мне ~ {feeling}").says(SAYS, PREDICATE),
        FEELING.on("feels", "я чувствую себя ~ {feeling}").says(SAYS, PREDICATE),
        FEELING.on("is", "я ~ {feeling}").says(SAYS, PREDICATE),
    ];
    pub const ZH: &[Rule] = &[
        FEELING.on("feels", "我 ~ 感到|觉得|感觉 ~ {feeling}").says(SAYS, PREDICATE),
        FEELING.on("is", "我 ~ {feeling}").says(SAYS, PREDICATE),
    ];
    pub const JA: &[Rule] = &[
        FEELING.on("feels", "私は|僕は|俺は ~ {feeling}").says(SAYS, PREDICATE),
        FEELING.on("feels", "とても|すごく|本当に|最近 ~ {feeling}").says(SAYS, PREDICATE),
    ];
}

const EN: &str = "worried anxious nervous stressed excited proud scared afraid sad happy frustrated overwhelmed concerned
    thrilled grateful upset angry disappointed confident torn hesitant ashamed terrified optimistic lonely alone depressed
    hopeless heartbroken relieved jealous guilty bored hurt embarrassed homesick insecure burned_out burnt_out exhausted
    hopeful delighted devastated miserable numb irritated furious restless peaceful joyful calm content ecstatic down
    unhappy helpless stressed_out worn_out glad thankful uneasy tense";
const DE: &str = "traurig glücklich froh ängstlich nervös besorgt gestresst überfordert einsam allein wütend enttäuscht stolz
    dankbar erleichtert aufgeregt verzweifelt frustriert erschöpft deprimiert unglücklich eifersüchtig beschämt angst sorge
    sorgen heimweh zufrieden";
const ES: &str = "triste feliz contento contenta ansioso ansiosa nervioso nerviosa preocupado preocupada estresado estresada
    agobiado agobiada solo sola enojado enojada enfadado enfadada decepcionado decepcionada orgulloso orgullosa agradecido
    agradecida aliviado aliviada emocionado emocionada frustrado frustrada agotado agotada deprimido deprimida asustado
    asustada miedo vergüenza celos";
const FR: &str = "triste heureux heureuse content contente anxieux anxieuse nerveux nerveuse inquiet inquiète stressé stressée
    dépassé dépassée seul seule fâché fâchée déçu déçue fier fière reconnaissant reconnaissante soulagé soulagée excité excitée
    frustré frustrée épuisé épuisée déprimé déprimée peur honte effrayé effrayée malheureux malheureuse";
const PT: &str = "triste feliz contente ansioso ansiosa nervoso nervosa preocupado preocupada estressado estressada stressado
    stressada sozinho sozinha zangado zangada irritado irritada desapontado desapontada orgulhoso orgulhosa grato grata aliviado
    aliviada animado animada frustrado frustrada exausto exausta deprimido deprimida assustado assustada";
const RU: &str = "грустно страшно тревожно одиноко радостно стыдно обидно больно тяжело тоскливо скучно счастлив счастлива
    рад рада расстроен расстроена встревожен встревожена зол зла устал устала подавлен подавлена напуган напугана
    разочарован разочарована горжусь одиноким одинокой счастливым счастливой несчастным несчастной плохо";
const ZH: &str = "难过 伤心 开心 高兴 快乐 焦虑 紧张 担心 害怕 孤独 寂寞 生气 愤怒 失望 沮丧 压力很大 疲惫 累 骄傲 自豪 感激 兴奋 幸福 痛苦 无助 绝望";
const JA: &str = "悲しい 嬉しい うれしい 楽しい 不安 心配 怖い 寂しい さみしい 怒っている 落ち込んでいる 疲れた 疲れている 幸せ 緊張している つらい 辛い 苦しい 感謝している";

/// Of all of them, those that feel good; the others feel bad.
const GOOD: &str = "excited proud happy thrilled grateful confident optimistic relieved hopeful delighted peaceful joyful calm
    content ecstatic glad thankful glücklich froh stolz dankbar erleichtert zufrieden feliz contento contenta orgulloso
    orgullosa agradecido agradecida aliviado aliviada emocionado emocionada heureux heureuse contente fier fière
    reconnaissant reconnaissante soulagé soulagée orgulhoso orgulhosa grato grata animado animada радостно счастлив
    счастлива рад рада горжусь счастливым счастливой 开心 高兴 快乐 骄傲 自豪 感激 兴奋 幸福 嬉しい うれしい 楽しい 幸せ 感謝している";

/// What a feeling comes to where the lexicon of feelings does not know its word.
const GOOD_EMOTION: Emotion = Emotion { valence: 0.7, arousal: 0.5 };
const BAD_EMOTION: Emotion = Emotion { valence: -0.6, arousal: 0.5 };

/// A language's words with the tables of feelings in place of its rules.
const fn of(code: usize, rules: &'static [&'static [Rule]], feelings: &'static str) -> Lexicon {
    Lexicon { rules, feelings, ..*languages::ALL[code] }
}

/// In the order of [`languages::ALL`].
static LEXICONS: [Lexicon; 8] = [
    of(0, &[rules::EN], EN),
    of(1, &[rules::DE], DE),
    of(2, &[rules::ES], ES),
    of(3, &[rules::FR], FR),
    of(4, &[rules::PT], PT),
    of(5, &[rules::RU], RU),
    of(6, &[rules::ZH], ZH),
    of(7, &[rules::JA], JA),
];

static TONGUES: LazyLock<Vec<Tongue>> = LazyLock::new(|| LEXICONS.iter().map(Tongue::new).collect());

static FEELS_GOOD: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(GOOD));

/// What the user says to feel in these turns, each as an event with its emotion.
pub fn find(turns: &[Turn]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for heard in listen(turns, Context::default()) {
        for sentence in &heard.sentences {
            let unspaced = sentence.tokens.iter().any(|token| token.lower.starts_with(lexer::is_unspaced));
            let mut found: Vec<Found<'_>> = Vec::new();
            for tongue in TONGUES.iter().filter(|tongue| unspaced || !tongue.unspaced) {
                if found.is_empty() {
                    scan(sentence, tongue, true, |_| true, &mut found);
                }
            }
            for candidate in found.iter().filter_map(|found| found.candidate(heard.turn)) {
                add(felt(candidate), &mut candidates);
            }
        }
    }
    candidates
}

fn felt(mut candidate: Candidate) -> Candidate {
    if candidate.emotion.is_none() {
        let tokens = lexer::lex(&candidate.content, 0..candidate.content.len());
        let good = FEELS_GOOD.stands_in(&tokens);
        candidate.emotion = Some(if good { GOOD_EMOTION } else { BAD_EMOTION });
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::heuristic::tests::said;

    fn check(text: &str, expected: Option<(&str, bool)>) {
        let turn = said(text);
        let found = find(std::slice::from_ref(&turn));
        let found = found.first().map(|candidate| {
            let emotion = candidate.emotion.expect("a feeling has its emotion");
            (candidate.content.as_str(), emotion.valence > 0.0)
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn feelings_in_english() {
        check("I feel lonely these days.", Some(("User feels lonely", false)));
        check("I'm so anxious about my exam.", Some(("User feels anxious about their exam", false)));
        check("I have been feeling hopeful.", Some(("User feels hopeful", true)));
        check("I am really proud of my sister!", Some(("User feels proud of their sister", true)));
        for other in [
            "I use Postgres.",
            "I am not happy with it.",
            "If I am sad, what should I do?",
            "He said \"I feel lonely\".",
            "Am I anxious?",
            "She feels lonely.",
        ] {
            check(other, None);
        }
    }

    #[test]
    fn feelings_in_other_languages() {
        check("Ich bin sehr traurig.", Some(("User feels traurig", false)));
        check("Ich fühle mich heute einsam.", None);
        check("Ich fühle mich einsam.", Some(("User feels einsam", false)));
        check("Me siento muy feliz.", Some(("User feels feliz", true)));
        check("Je suis très inquiète.", Some(("User feels inquiète", false)));
        check("J'ai peur.", Some(("User feels peur", false)));
        check("Estou ansiosa.", Some(("User feels ansiosa", false)));
        check("Мне очень грустно.", Some(("User feels грустно", false)));
        check("我很难过。", Some(("User feels 难过", false)));
        check("私はとても不安です。", Some(("User feels 不安", false)));
    }
}
