//! What patterns read and nobody means: "I'm allergic to mornings", "married to my job", "I hate my life today".
//!
//! A pattern sees the form alone, and a joke has the form of a fact. Two sorts are known by their words: what nobody is allergic to, lives in or is married
//! to, and what is taken back in the same breath ("just kidding"). A laugh alone shows nothing: "I'm vegetarian lol" is true. A dislike of today is a mood.

use std::sync::LazyLock;

use super::clauses::Sentence;
use crate::language::DistilRule;
use crate::text::wording::Wordings;

/// What shows that the whole sentence is not meant.
const NOT_MEANT: &[&str] = &[
    "just kidding | only kidding | im kidding | i am kidding | jk | just joking | im joking | thats a joke",
    "nur spass | war nur spass | scherz & ! kein scherz | ich scherze | kleiner scherz",
    "es broma & ! no es broma | era broma | mentira jaja | jaja mentira | jajaja mentira | es mentira | mentira es broma | te lo crei*",
    "je rigole | je plaisante | jdeconne | je deconne | cest une blague & ! pas une blague",
    "to brincando | estou a brincar | estou brincando | e brincadeira & ! nao e brincadeira | to a brincar",
    "sto scherzando | scherzo & ! non scherzo | per scherzo",
    "grapje | geintje & ! geen geintje | ik maak maar een grapje",
    "zartuje & ! nie zartuje | zartowalem | zartowalam",
    "шучу & ! не шучу | шутка & ! не шутка",
    "saka yapiyorum | saka saka | sakaydi",
    "بهزر & ! مش بهزر | امزح & ! لا امزح",
    "मज़ाक कर | मजाक कर | मज़ाक था",
    "开玩笑的 | 骗你的 | 逗你的",
    "冗談だよ | 冗談です | うそうそ | 嘘です",
    "농담이야 | 농담이에요 | 뻥이야",
];

/// What nobody is allergic to.
const NO_ALLERGENS: &[&str] = &[
    "mornings | mondays | monday | work | working | people | stupidity | stupid | drama | bullshit | taxes | responsibility | adulting | effort | commitment | school | homework | exercise | cardio | meetings | small talk",
    "montage | montag | arbeit | dummheit | menschen | leute | fruhaufstehen | stress | unpunktlichkeit",
    "lunes | trabajo | trabajar | madrugar | gente | tonterias | estupidez | mentiras | drama | reuniones",
    "lundis | lundi | travail | matins | cons | betise | connerie | gens | reunions",
    "segunda | segundas | trabalho | trabalhar | acordar | gente | estupidez | burrice | drama | reunioes",
    "lunedi | lavoro | lavorare | stupidita | gente | persone | mattine | riunioni",
    "понедельник* | работ* | утр* | люд* | глупост* | дурак*",
    "周一 | 上班 | 工作 | 早起 | 蠢 | 傻",
    "月曜 | 仕事 | 早起き | 朝",
];

/// What is loathed in a mood.
const MOODS: &[&str] = &[
    "my life | my job today | everything | everyone | myself",
    "mi vida | todo | todos",
    "a minha vida | minha vida | tudo",
    "ma vie | tout",
    "mein leben | alles",
    "la mia vita | tutto",
    "свою жизнь | все",
    "生活 | 一切 | 人生",
];

/// Days of which a dislike is a mood.
const TODAY: &[&str] = &[
    "today | right now | rn | tonight | this morning",
    "heute | gerade",
    "hoy | ahora mismo",
    "hoje | agora",
    "aujourdhui | la maintenant",
    "oggi | adesso",
    "сегодня | сейчас",
    "今天 | 现在",
    "今日 | 今は",
];

static MEANT_BY_NOBODY: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(NOT_MEANT.iter().copied()));
static EATEN_BY_NOBODY: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(NO_ALLERGENS.iter().copied()));
static MOOD: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(MOODS.iter().copied()));
static OF_TODAY: LazyLock<Wordings> = LazyLock::new(|| Wordings::of(TODAY.iter().copied()));

/// Whether what a rule has read in these words is not meant.
pub(super) fn is_joke(sentence: &Sentence, rule: &DistilRule, words: &str) -> bool {
    match rule.predicate {
        "ALLERGIC_TO" if EATEN_BY_NOBODY.are_in(words) => true,
        "DISLIKES" if MOOD.are_in(words) || OF_TODAY.are_in(sentence.quote()) => true,
        _ => MEANT_BY_NOBODY.are_in(sentence.quote()),
    }
}
