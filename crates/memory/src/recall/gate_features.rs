//! What the learned gate looks at in a message, and the linear model over it.
//!
//! The gate asks whether a message needs memory. A message that does speaks of its speaker ("where did I park"),
//! of what was said before ("as we discussed"), or of somebody and something that only a shared past explains. Each
//! of these is one named feature here; forms of it in other languages set the same feature, so that what is learned
//! from English messages holds for them. The features are written once, in Rust, and training reads them from
//! here (`cargo xtask train-gate`), so training and use cannot disagree. The built-in embedding goes in beside them.
//!
//! There is no regular expression: a message is cut into words, and runs of up to four words are looked up in one
//! table. That takes microseconds, and a pattern is a line in a list. Bare pronouns ("it", "that") are no feature:
//! they point into the conversation at hand.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// Characters of a message that are looked at, from its beginning and from its end: what somebody wants of a long
/// message stands at one of the two, and pasted material in between.
const HEAD_CHARS: usize = 1_500;
const TAIL_CHARS: usize = 500;

/// The longest pattern in words.
const MAX_PATTERN_WORDS: usize = 4;

/// The names of the features, in the order in which [`features`] returns them. A new one goes to the end.
pub const NAMES: &[&str] = &[
    "own_thing",
    "own_thing_many",
    "our_thing",
    "asks_own_past",
    "asks_own_present",
    "tells_own_past",
    "speaks_of_self",
    "our_conversation",
    "you_said",
    "remember",
    "past_time",
    "calendar",
    "recency",
    "identity",
    "history_of",
    "wants_suggestion",
    "own_situation",
    "how_to",
    "wants_task",
    "imperative_first",
    "question_word_first",
    "quantity_question_first",
    "auxiliary_first",
    "polite_request_first",
    "ends_as_question",
    "about_you",
    "about_anyone",
    "third_person",
    "name_inside",
    "names_many",
    "past_question_of_other",
    "given_material",
    "style_order",
    "role_play",
    "hypothetical",
    "code_marks",
    "math_marks",
    "numbers_many",
    "quoted",
    "line_breaks",
    "words_few",
    "words_log",
    "sentences_many",
    "definite_event",
    "greeting",
    "own_question_past",
    "own_past_question_first",
    "suggestion_with_situation",
    "task_with_own_thing",
    "your_thing",
    "you_past",
    "past_verb",
    "general_question",
    "why_question",
    "explanation",
    "own_how_to",
    "particulars",
    "impersonal_question",
    "impersonal_request",
    "advice_to_self",
    "wants_start",
];

/// The features of a message, each between 0 and 1, in the order of [`NAMES`].
pub fn features(text: &str) -> Vec<f32> {
    let seen = MessageCounts::of(text);
    let mut found = vec![0.0; NAMES.len()];
    let mut set = |name: &str, value: f32| {
        if let Some(at) = NAMES.iter().position(|known| *known == name) {
            found[at] = value.clamp(0.0, 1.0);
        }
    };
    for (class, count) in &seen.counts {
        set(class, if *count > 0 { 1.0 } else { 0.0 });
    }
    let has = |class: &str| seen.counts.get(class).is_some_and(|count| *count > 0);
    set("own_thing_many", ratio(seen.count("own_thing") + seen.count("our_thing"), 1, 3));
    set("tells_own_past", flag(seen.own_past_statement || has("tells_own_past")));
    set("name_inside", flag(seen.names > 0));
    set("names_many", ratio(seen.names, 1, 4));
    set("past_question_of_other", flag(seen.asks_past && !has("asks_own_past") && !has("speaks_of_self")));
    set("ends_as_question", flag(seen.is_question));
    set("code_marks", ratio(seen.code_marks, 0, 6));
    set("math_marks", ratio(seen.math_marks, 0, 3));
    set("numbers_many", ratio(seen.numbers, 1, 4));
    set("quoted", flag(seen.quotes >= 2));
    set("line_breaks", ratio(seen.line_breaks, 0, 3));
    set("words_few", flag(seen.words <= 4));
    set("words_log", (seen.words.max(1) as f32).ln() / 6.0);
    set("sentences_many", ratio(seen.sentences, 1, 5));
    let asks = seen.is_question || has("question_word_first") || has("quantity_question_first");
    let of_own_past = seen.own_past_statement || has("asks_own_past") || has("tells_own_past");
    set("own_question_past", flag(asks && of_own_past));
    set("own_past_question_first", flag(seen.own_past_first));
    set("suggestion_with_situation", flag(has("wants_suggestion") && has("own_situation")));
    let is_personal =
        has("speaks_of_self") || has("own_thing") || has("our_thing") || has("your_thing") || has("remember");
    let is_past = seen.past_verb || has("past_time") || has("calendar");
    set("you_past", flag(seen.you_past));
    set("past_verb", flag(seen.past_verb));
    set("own_how_to", flag(has("how_to") && (has("own_thing") || has("speaks_of_self"))));
    set("impersonal_question", flag(asks && !is_personal && !is_past));
    set("impersonal_request", flag(!asks && !is_personal && !is_past));
    set("task_with_own_thing", flag((has("imperative_first") || has("wants_task")) && has("own_thing")));
    found
}

fn flag(value: bool) -> f32 {
    f32::from(u8::from(value))
}

/// How far `count` is from `none` to `full`.
fn ratio(count: usize, none: usize, full: usize) -> f32 {
    count.saturating_sub(none) as f32 / (full - none) as f32
}

/// The linear model: `assets/gate/weights.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateWeights {
    /// The signature of the embedder that the weights belong to.
    pub embedder: String,
    pub bias: f32,
    /// By feature name, so that a weights file of other code is noticed instead of misread.
    pub features: Vec<(String, f32)>,
    pub embedding: Vec<f32>,
    /// From this probability on, the message needs memory.
    pub threshold: f32,
}

impl GateWeights {
    /// Whether the weights fit the code that reads them and the embedder beside it.
    pub fn fit(&self, signature: &str, dimensions: usize) -> bool {
        self.embedder == signature
            && self.embedding.len() == dimensions
            && self.features.iter().map(|(name, _)| name.as_str()).eq(NAMES.iter().copied())
    }

    /// How probable it is that a message with these features and this embedding needs memory.
    pub fn probability(&self, features: &[f32], embedding: &[f32]) -> f32 {
        let of_features: f32 =
            self.features.iter().zip(features).map(|((_, weight), value)| weight * value).sum();
        let of_embedding: f32 =
            self.embedding.iter().zip(embedding).map(|(weight, value)| weight * value).sum();
        1.0 / (1.0 + (-(self.bias + of_features + of_embedding)).exp())
    }

    /// The features that spoke loudest for the answer, by name, for the reason a person can read.
    pub fn loudest(&self, features: &[f32], count: usize) -> Vec<&str> {
        let mut spoken: Vec<(f32, &str)> = self
            .features
            .iter()
            .zip(features)
            .map(|((name, weight), value)| (weight * value, name.as_str()))
            .collect();
        spoken.retain(|(push, _)| *push > 0.0);
        spoken.sort_by(|left, right| right.0.total_cmp(&left.0));
        spoken.into_iter().take(count).map(|(_, name)| name).collect()
    }
}

/// What one pass over the message found.
#[derive(Default)]
struct MessageCounts {
    counts: HashMap<&'static str, usize>,
    words: usize,
    sentences: usize,
    names: usize,
    numbers: usize,
    code_marks: usize,
    math_marks: usize,
    quotes: usize,
    line_breaks: usize,
    is_question: bool,
    /// "I" before a verb in the past: "I bought", "I've been", "I initially described".
    own_past_statement: bool,
    /// The first sentence asks about the speaker's own past: "what did I", "how many … have I".
    own_past_first: bool,
    /// "you" before a verb in the past: "you joined", "you used".
    you_past: bool,
    /// A verb in the past tense anywhere.
    past_verb: bool,
    /// "did", "was", "has" somewhere after a question word.
    asks_past: bool,
}

impl MessageCounts {
    fn of(text: &str) -> Self {
        let text = ends_of(text.trim());
        let mut seen = Self::default();
        seen.marks(&text);
        let words = words_of(&text);
        seen.words = words.len();
        seen.patterns(&words);
        seen.unspaced(&text);
        seen.grammar(&words);
        seen
    }

    fn count(&self, class: &str) -> usize {
        self.counts.get(class).copied().unwrap_or(0)
    }

    fn marks(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '{' | '}' | '`' | ';' | '<' | '>' | '_' | '\\' | '|' | '#' => self.code_marks += 1,
                '=' | '+' | '^' | '$' | '%' | '√' | '×' | '÷' => self.math_marks += 1,
                '"' | '“' | '”' | '«' | '»' => self.quotes += 1,
                '\n' => self.line_breaks += 1,
                _ => {}
            }
            if matches!(character, '.' | '!' | '?' | '。' | '？' | '！') {
                self.sentences += 1;
            }
        }
        self.is_question = text.contains(['?', '？', '¿']);
    }

    /// Looks up every run of words; patterns that must stand first are kept apart.
    fn patterns(&mut self, words: &[FeatureWord]) {
        let table = patterns();
        let mut run = String::new();
        for start in 0..words.len() {
            run.clear();
            for word in words.iter().skip(start).take(MAX_PATTERN_WORDS) {
                if !run.is_empty() {
                    run.push(' ');
                }
                run.push_str(&word.text);
                if let Some(classes) = table.anywhere.get(run.as_str()) {
                    for class in classes {
                        *self.counts.entry(class).or_default() += 1;
                    }
                }
                if start == 0
                    && let Some(classes) = table.first.get(run.as_str())
                {
                    for class in classes {
                        *self.counts.entry(class).or_default() += 1;
                    }
                }
            }
        }
    }

    /// Han and kana stand without spaces, so their patterns are looked for as they are.
    fn unspaced(&mut self, text: &str) {
        if text.is_ascii() {
            return;
        }
        for (class, pattern) in &patterns().unspaced {
            if text.contains(pattern) {
                *self.counts.entry(class).or_default() += 1;
            }
        }
    }

    fn grammar(&mut self, words: &[FeatureWord]) {
        let is =
            |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.contains(&word.text.as_str()));
        let mut first_sentence = true;
        for (at, word) in words.iter().enumerate() {
            self.names += usize::from(word.is_name && !word.opens_sentence);
            self.numbers += usize::from(word.text.starts_with(|character: char| character.is_ascii_digit()));
            first_sentence = first_sentence && (at == 0 || !word.opens_sentence);
            if is(at, &["did", "was", "were", "had", "has", "have"]) {
                let after_question = words[..at]
                    .iter()
                    .rev()
                    .take(8)
                    .any(|before| QUESTION_WORDS.contains(&before.text.as_str()));
                self.asks_past |= after_question;
                self.own_past_first |= first_sentence && is(at + 1, &["i", "we"]) && word.text != "were";
            }
            self.past_verb |= word.text == "did" || is_past(&word.text);
            if word.text == "you" {
                self.you_past |= words.get(at + 1).is_some_and(|next| is_past(&next.text));
            }
            if is(at, &["i", "we"]) {
                let verb = if is(at + 1, ADVERBS) { at + 2 } else { at + 1 };
                self.own_past_statement |= words.get(verb).is_some_and(|next| is_past(&next.text));
            }
        }
    }
}

struct FeatureWord {
    text: String,
    /// It has a capital letter.
    is_name: bool,
    opens_sentence: bool,
}

/// The beginning and the end of a long text, the whole of a short one.
fn ends_of(text: &str) -> String {
    let count = text.chars().take(HEAD_CHARS + TAIL_CHARS + 1).count();
    if count <= HEAD_CHARS + TAIL_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(HEAD_CHARS).collect();
    let tail: Vec<char> = text.chars().rev().take(TAIL_CHARS).collect();
    format!("{head}\n{}", tail.into_iter().rev().collect::<String>())
}

/// Lower-case words with English contractions taken apart: "I've" becomes "i have", "what's" "what 's".
fn words_of(text: &str) -> Vec<FeatureWord> {
    let mut words = Vec::new();
    let mut opens_sentence = true;
    let mut raw = String::new();
    for character in text.chars().chain([' ']) {
        let character = if character == '’' { '\'' } else { character };
        if character.is_alphanumeric() || (character == '\'' && !raw.is_empty()) {
            raw.push(character);
            continue;
        }
        if !raw.is_empty() {
            push_word(raw.trim_end_matches('\''), opens_sentence, &mut words);
            raw.clear();
            opens_sentence = false;
        }
        opens_sentence |= matches!(character, '.' | '!' | '?' | ':' | '\n' | '"' | '¿' | '¡');
    }
    words
}

fn push_word(raw: &str, opens_sentence: bool, words: &mut Vec<FeatureWord>) {
    let lower = raw.to_lowercase();
    let is_name = raw.chars().next().is_some_and(char::is_uppercase)
        && !matches!(lower.as_str(), "i" | "i'm" | "i've" | "i'd" | "i'll");
    let mut push = |text: &str, is_name: bool, opens_sentence: bool| {
        words.push(FeatureWord { text: text.to_owned(), is_name, opens_sentence });
    };
    for (ending, full) in [
        ("n't", "not"),
        ("'ve", "have"),
        ("'m", "am"),
        ("'re", "are"),
        ("'ll", "will"),
        ("'d", "'d"),
        ("'s", "'s"),
    ] {
        if let Some(stem) = lower.strip_suffix(ending)
            && !stem.is_empty()
        {
            push(stem, is_name, opens_sentence);
            push(full, false, false);
            return;
        }
    }
    // French and its like: "j'ai", "m'as", "l'autre".
    if let Some((before, after)) = lower.split_once('\'')
        && before.chars().count() <= 2
        && !after.is_empty()
    {
        push(&format!("{before}'"), is_name, opens_sentence);
        push(after, false, false);
        return;
    }
    push(&lower, is_name, opens_sentence);
}

/// A past tense or participle: regular ones by their ending, the frequent irregular ones by list.
fn is_past(word: &str) -> bool {
    (word.len() > 4 && word.ends_with("ed") && !matches!(word, "need" | "indeed"))
        || IRREGULAR_PAST.contains(&word)
}

struct Patterns {
    anywhere: HashMap<&'static str, Vec<&'static str>>,
    first: HashMap<&'static str, Vec<&'static str>>,
    unspaced: Vec<(&'static str, &'static str)>,
}

fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let mut made = Patterns { anywhere: HashMap::new(), first: HashMap::new(), unspaced: Vec::new() };
        for (class, list) in ANYWHERE {
            for pattern in list.split('|').map(str::trim).filter(|pattern| !pattern.is_empty()) {
                made.anywhere.entry(pattern).or_default().push(class);
            }
        }
        for (class, list) in FIRST {
            for pattern in list.split('|').map(str::trim).filter(|pattern| !pattern.is_empty()) {
                made.first.entry(pattern).or_default().push(class);
            }
        }
        for (class, list) in UNSPACED {
            made.unspaced.extend(list.split('|').map(|pattern| (*class, pattern.trim())));
        }
        made
    })
}

const QUESTION_WORDS: &[&str] = &["what", "when", "where", "who", "which", "how", "why", "whom", "whose"];

const ADVERBS: &[&str] = &[
    "also",
    "already",
    "always",
    "ever",
    "finally",
    "first",
    "have",
    "had",
    "initially",
    "just",
    "last",
    "never",
    "once",
    "originally",
    "previously",
    "recently",
    "really",
    "was",
    "am",
];

const IRREGULAR_PAST: &[&str] = &[
    "ate",
    "became",
    "been",
    "began",
    "bought",
    "broke",
    "brought",
    "built",
    "came",
    "chose",
    "did",
    "done",
    "drank",
    "drove",
    "fell",
    "felt",
    "found",
    "forgot",
    "gave",
    "given",
    "gone",
    "got",
    "grew",
    "had",
    "heard",
    "held",
    "kept",
    "knew",
    "learnt",
    "left",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "put",
    "ran",
    "read",
    "said",
    "sat",
    "saw",
    "seen",
    "sent",
    "set",
    "slept",
    "sold",
    "spent",
    "spoke",
    "spoken",
    "stood",
    "swam",
    "taken",
    "taught",
    "thought",
    "told",
    "took",
    "understood",
    "was",
    "went",
    "were",
    "woke",
    "won",
    "wore",
    "wrote",
    "written",
];

/// Patterns that may stand anywhere: the feature, then its forms. English first, then German, Spanish, French,
/// Portuguese and Russian.
const ANYWHERE: &[(&str, &str)] = &[
    (
        "own_thing",
        "my | mine | mein | meine | meiner | meinem | meinen | meines | mi | mis | mío | mía | míos | mías | mon | ma | mes \
         | meu | minha | meus | minhas | мой | моя | моё | мое | мои | моей | моего | моему | моих | моим | мою | моём | моем",
    ),
    (
        "our_thing",
        "our | ours | unser | unsere | unserem | unseren | unserer | nuestro | nuestra | nuestros | nuestras | notre | nosso \
         | nossa | nossos | nossas | наш | наша | наше | наши | нашей | нашего | нашем",
    ),
    (
        "asks_own_past",
        "did i | have i | had i | was i | were we | did we | have we | had we | i did | i have ever | habe ich | hab ich | hatte ich \
         | war ich | bin ich | haben wir | hatten wir | waren wir | dije | he dicho | mencioné | hice | compré | fui | hicimos \
         | ai je | j' ai | ai mentionné | avons nous | avais je | étais je | eu disse | mencionei | eu fiz | comprei | eu falei | eu fui \
         | я говорил | я говорила | я сказал | я сказала | я упоминал | я упоминала | я купил | я купила | я делал | я был | я была | я ходил | я ездил",
    ),
    (
        "asks_own_present",
        "do i | am i | can i still | should i still | do we | are we | what 's my | what is my | who is my | where is my | when is my \
         | what are my | who are my | how is my | how old am i | ich | wo ist mein | wie heißt mein | wann ist mein | trabajo yo | vivo \
         | est ce que je | suis je | где мой | где моя | как зовут мою | как зовут моего | у меня | qual é meu | qual é o meu | qual é minha | cuál es mi | quel est mon | quelle est ma",
    ),
    (
        "tells_own_past",
        "i have been | i used to | i 'd been | i told | i said | i mentioned | i bought | i went | i got | i worked | i met | i brought up | i asked",
    ),
    ("speaks_of_self", "i | me | myself | mich | mir | je | moi | yo | eu | я | мне | меня"),
    (
        "our_conversation",
        "our conversation | our conversations | our chat | our chats | our discussion | our discussions | our last | our previous \
         | our earlier | our session | our sessions | our past | we discussed | we talked | we were talking | we spoke | we have discussed \
         | we chatted | we agreed | we decided | we planned | we went over | we covered | previous chat | previous conversation | previous discussion \
         | last conversation | last chat | last session | past conversations | earlier conversation | across our | throughout our | across all sessions \
         | wir besprochen | wir gesprochen | wir geredet | unser gespräch | unserem gespräch | letzten gespräch | hablamos | discutimos | conversación anterior \
         | nuestra conversación | nous avons parlé | nous avons discuté | on a parlé | notre conversation | notre discussion | conversamos | falamos \
         | nossa conversa | мы обсуждали | мы говорили | мы разговаривали | мы решили | нашего разговора | нашем разговоре",
    ),
    (
        "you_said",
        "you said | you told | you mentioned | you suggested | you recommended | you gave | you provided | you explained | you shared \
         | did you say | did you tell | did you suggest | did you recommend | you had | hast du gesagt | du gesagt | du erwähnt | du empfohlen \
         | me dijiste | dijiste | mencionaste | recomendaste | tu as dit | tu m' as dit | m' as dit | tu as mentionné | você disse | você falou | você mencionou \
         | ты говорил | ты говорила | ты сказал | ты советовал | вы говорили | вы сказали",
    ),
    (
        "remember",
        "remind | remind me | remember | recall | recap | refresh my memory | going back to | following up | follow up on | looking back | do you know my \
         | know about me | forgot | forgotten | erinnere | erinnern | erinnerst | erinner | weißt du noch | vergessen | recuerda | recuerdas | recuérdame | acuerdas | acuérdate \
         | rappelle | rappeler | rappelez | souviens | souvenir | souvenez | lembra | lembre | lembras | lembrar | помнишь | помните | напомни | напомните | вспомни | запомни",
    ),
    (
        "past_time",
        "yesterday | last week | last month | last year | last time | last night | last session | last weekend | last summer | last winter | last spring | last fall \
         | earlier | previously | ago | in the past | the other day | when did | since i | so far | over time | back then | last monday | last tuesday | last wednesday | last thursday | last friday \
         | last saturday | last sunday | past few | past week | past month | past two | past three | gestern | vorgestern | letzte woche | letzten monat | letztes jahr | letztes mal | letzten | neulich | vorhin | zuletzt | früher | damals \
         | ayer | anteayer | la semana pasada | el mes pasado | el año pasado | la última vez | última vez | hace unos | antes \
         | hier | avant hier | la semaine dernière | le mois dernier | l' année dernière | la dernière fois | dernière fois | récemment \
         | ontem | anteontem | semana passada | mês passado | ano passado | da última vez \
         | вчера | позавчера | прошлой неделе | прошлом месяце | прошлом году | прошлый раз | в прошлый раз | недавно | раньше | тогда",
    ),
    (
        "calendar",
        "monday | tuesday | wednesday | thursday | friday | saturday | sunday | january | february | march | april | june | july | august | september \
         | october | november | december | montag | dienstag | mittwoch | donnerstag | freitag | samstag | sonntag | lunes | martes | miércoles | jueves | viernes | sábado | domingo \
         | lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche | segunda feira | sexta feira | понедельник | вторник | среду | четверг | пятницу | субботу | воскресенье",
    ),
    (
        "recency",
        "recently | lately | currently | most recent | latest | these days | nowadays | still | now that | initially | originally | first time | ever | already | kürzlich | aktuell | últimamente | recientemente | actuellement | ultimamente",
    ),
    (
        "identity",
        "who am i | my name | do you know about | know about me | where do i work | where do i live | how old am i | my birthday | my favorite | my favourite | my job | about myself \
         | wer bin ich | wie heiße ich | wo wohne ich | wo arbeite ich | mein name | quién soy | cómo me llamo | dónde vivo | dónde trabajo | mi nombre | mi favorito | mi cumpleaños | qui suis je | comment je m' | où est ce que \
         | mon nom | mon anniversaire | quem sou eu | meu nome | onde eu moro | onde eu trabalho | meu aniversário | кто я | как меня зовут | где я живу | где я работаю | моё имя | мое имя | мой день рождения",
    ),
    (
        "history_of",
        "order in which | brought up | how my | how i have | evolved | progress | progressed | developed over | changed over | in total across | how many times | how long have | how long did | how long had \
         | how many days | how many weeks | how many months | happened first | came first | passed between | passed since | between the day | timeline of",
    ),
    (
        "wants_suggestion",
        "any suggestions | any advice | any tips | any ideas | any recommendations | suggest | recommend | recommendations | do you think | could you suggest | can you suggest | can you recommend \
         | ideas for | tips for | tips on | advice | empfehlen | empfiehl | vorschlag | recomiendas | recomendar | sugieres | recommandes | conseilles | recomenda | sugere | посоветуй | порекомендуй",
    ),
    (
        "own_situation",
        "i am planning | i am thinking | i am trying | i am getting | i am looking | i am struggling | i am feeling | i am going | i am a bit | i am considering | i am working | i have been | i was thinking | i want to try | i noticed | i feel | i am having | i am excited | i am worried",
    ),
    (
        "advice_to_self",
        "should i | should we | can i | could i | what can i | may i | would i | ought i | soll ich | sollte ich | kann ich | puedo | debo | debería | puis je | dois je | posso | devo | можно | стоит ли",
    ),
    (
        "wants_start",
        "i want to | i want a | i need a | i need to | i need help | i like to | i would like to | i am making | i am learning | i am writing | i just bought | ich möchte | quiero | je veux | eu quero | я хочу",
    ),
    (
        "how_to",
        "how to | how do i | how can i | how do you | how does | how can | how would | best way to | wie kann ich | wie mache ich | cómo puedo | comment faire | como fazer | как сделать",
    ),
    (
        "wants_task",
        "help me write | help me | write a | write me | write an | create a | make a | give me a | give me an | i want you to | i need you to | i would like you | your task | please write | can you write | could you write | generate | rewrite | translate | summarize | summarise \
         | schreib | schreibe | escribe | écris | escreva | напиши | переведи",
    ),
    ("about_you", "yourself | are you | can you | could you | would you | do you"),
    ("your_thing", "your"),
    (
        "general_question",
        "what are some | what are the | what are good | what are common | what are your | what is a | what is an | what is the | what is | what does | what do | what kind | what type | what would | what can | what could | what makes | what causes | what year | who is the | some good | good way | good ways \
         | difference between | meaning of | examples of | in the world | best way | the best | best time | most effective | most popular | most common | how much should | how often should | how long should | is it | is there | are there | was ist | was sind | wer hat | wie lange | was bedeutet \
         | cuál es | cuáles son | qué es | qué son | quién es | qué significa | quel est | quelle est | quels sont | qu' est ce que | qui a | combien de | qual é | quais são | o que é | que é | quem | что такое | какая | какие | какой | кто",
    ),
    (
        "why_question",
        "why do | why does | why is | why are | why did | why would | why the | warum | por qué | por que | pourquoi | почему | weshalb",
    ),
    (
        "explanation",
        "explain | the basics | describe | tell me a | tell me about | define | how does | how do you | how would you | would happen | funktioniert | erkläre | funciona | explica | explique | fonctionne | работает | объясни",
    ),
    (
        "particulars",
        "specific | exact | exactly | details | detailed summary | summary of | comprehensive summary | discussed | scheduled | attended | attend | feedback | background | qualifications | agenda | joined | mentioned | planned | currently | decided | chose | recommended | suggested | name of the | the name of",
    ),
    (
        "about_anyone",
        "people | someone | anyone | everyone | a person | one can | you can | children | humans",
    ),
    ("third_person", "he | she | his | her | him | they | their | them"),
    (
        "given_material",
        "following | the given | given a | given the | below | above | this sentence | the sentence | the text | the passage | the paragraph | the article | this article | the list | input | output | this code | the code | based on the | according to the | the function | this function | the equation | context",
    ),
    (
        "style_order",
        "your response | your answer | in the style | words or | at least | no more than | less than | without using | do not use | in all | capital letters | bullet points | markdown | bullet | entire response | paragraphs | json | format | in english | lowercase | uppercase | keywords | step by step",
    ),
    ("role_play", "you are a | you are an | act as | pretend | imagine | suppose | as a | as an | roleplay"),
    ("hypothetical", "if | what if | each | per | would it | how much does | how many does"),
    (
        "definite_event",
        "the meeting | the call | the appointment | the trip | the workshop | the conference | the event | the interview | the party | the wedding | the class | the session | the deadline | the project | the campaign | the plan | the recipe",
    ),
    (
        "greeting",
        "hello | hi | hey | thanks | thank you | ok | okay | good morning | hallo | hola | bonjour | olá | привет | danke | gracias | merci | obrigado | спасибо",
    ),
];

/// Patterns that count only as the first words.
const FIRST: &[(&str, &str)] = &[
    (
        "imperative_first",
        "write | create | explain | give | list | translate | generate | describe | summarize | summarise | make | provide | design | implement | rewrite | name | tell | compose | draft | compare | analyze | analyse | find | identify | convert | calculate | solve | suggest | develop | classify \
         | edit | fix | answer | come up | build | discuss | define | outline | evaluate | extract | choose | determine | construct | use | add | please | act | imagine | suppose | given | consider | render | plan | invent | expand | arrange | sort | detect | correct | improve | turn | change | brainstorm | code | show | prove | introduce | do | assume | let | read",
    ),
    (
        "question_word_first",
        "what | when | where | who | which | why | whose | was | wann | wo | wer | welche | welcher | welches | warum | wie | qué | cuándo | dónde | quién | cuál | quand | où | qui | quel | quelle | pourquoi | que | quando | onde | quem | qual | что | когда | где | кто | какой | какая | какое | почему | как",
    ),
    (
        "quantity_question_first",
        "how many | how much | how long | how often | how old | wie viele | wie oft | cuántos | cuántas | combien | quantos | quantas | сколько",
    ),
    (
        "auxiliary_first",
        "did | do | does | have | has | had | was | were | is | are | am | should | will | hast | habe | haben | war",
    ),
    (
        "polite_request_first",
        "can you | could you | would you | can i | could i | i wanted to | i want to | i would like | i was wondering | i am looking | i am trying",
    ),
];

/// Patterns of scripts that are written without spaces: Chinese, then Japanese.
const UNSPACED: &[(&str, &str)] = &[
    ("own_thing", "我的|私の|僕の|俺の|わたしの|自分の"),
    ("our_thing", "我们的|我們的|私たちの"),
    (
        "asks_own_past",
        "我说过|我說過|我提到|我上次|我之前|我买了|我買了|我去过|我做过|我做了|言いました|言った|話しました|買いました|行きました|私は何を",
    ),
    ("asks_own_present", "我在哪|我是|我有|我叫|私は"),
    ("speaks_of_self", "我|私|僕|俺"),
    ("our_conversation", "我们讨论|我們討論|我们聊|我们谈|上次聊|上次说|話したこと|私たちが話|会話"),
    ("you_said", "你说过|你說過|你提到|你告诉|你推荐|あなたが言|言ってた|教えてくれた"),
    ("remember", "记得|記得|提醒我|回忆|想起|忘了|覚えて|思い出|忘れ"),
    (
        "past_time",
        "昨天|上次|上周|上週|上个月|之前|以前|去年|前几天|昨日|先週|先月|前回|この前|以前に|さっき",
    ),
    ("identity", "我叫什么|我是谁|我的名字|我住在|我在哪里工作|私の名前|私は誰|私の誕生日|我的生日"),
    ("question_word_first", "什么|什麼|哪里|哪裡|谁|什么时候|为什么|何|どこ|誰|いつ|なぜ|どれ"),
    ("wants_task", "写一|帮我写|翻译|生成|書いて|翻訳"),
    ("wants_suggestion", "推荐|建议|おすすめ|提案"),
    ("our_thing", "我们|我們|私たち"),
    ("general_question", "是什么|是哪|有什么|有多少|多少|どれくらい|とは|ありますか|首都|何人"),
    ("why_question", "为什么|為什麼|怎么|怎样|なぜ|どうして"),
    ("explanation", "解释|说明|怎么进行|説明|仕組み"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Vec<&'static str> {
        features(text).iter().zip(NAMES).filter(|(value, _)| **value > 0.0).map(|(_, name)| *name).collect()
    }

    fn check(text: &str, expected: &[&str]) {
        let found = set(text);
        for name in expected {
            assert!(NAMES.contains(name), "{name} is no feature");
            assert!(found.contains(name), "{text:?} lacks {name}: {found:?}");
        }
    }

    #[test]
    fn every_pattern_belongs_to_a_feature() {
        for (class, list) in ANYWHERE.iter().chain(FIRST) {
            assert!(NAMES.contains(class), "{class}");
            for pattern in list.split('|').map(str::trim) {
                assert!(
                    pattern.split(' ').count() <= MAX_PATTERN_WORDS,
                    "{pattern:?} is too long to be found"
                );
            }
        }
        assert!(UNSPACED.iter().all(|(class, _)| NAMES.contains(class)));
    }

    #[test]
    fn finds_what_the_names_say() {
        check(
            "Where did I park my car yesterday?",
            &["asks_own_past", "own_thing", "past_time", "own_past_question_first"],
        );
        check(
            "I’ve been cooking a lot. Any suggestions?",
            &["own_situation", "wants_suggestion", "suggestion_with_situation"],
        );
        check(
            "Can you remind me what we discussed?",
            &["remember", "our_conversation", "polite_request_first"],
        );
        check("What's my name?", &["identity", "asks_own_present", "own_thing"]);
        check("Write a poem about the sea.", &["imperative_first", "wants_task"]);
    }

    #[test]
    fn other_languages_set_the_same_features() {
        check(
            "Was habe ich letzte Woche über meinen Hund gesagt?",
            &["asks_own_past", "past_time", "own_thing"],
        );
        check("¿Recuerdas cuál es mi comida favorita?", &["remember", "own_thing"]);
        check("Tu te souviens de ce que j’ai dit hier ?", &["remember", "asks_own_past", "past_time"]);
        check("Você lembra o nome da minha irmã?", &["remember", "own_thing"]);
        check("Напомни, как зовут мою собаку?", &["remember", "own_thing"]);
        check("你还记得我的生日吗？", &["remember", "own_thing", "identity"]);
        check("私の誕生日を覚えていますか？", &["remember", "own_thing", "identity"]);
    }

    #[test]
    fn bare_pronouns_set_nothing_of_the_speaker() {
        let found = set("Make it shorter and translate that.");
        for name in
            ["own_thing", "our_conversation", "remember", "asks_own_past", "speaks_of_self", "past_time"]
        {
            assert!(!found.contains(&name), "{name} fired: {found:?}");
        }
    }

    #[test]
    fn any_text_gives_finite_features() {
        for text in ["", " ", "'", "\0", "''''", "a'", "I'", "𓀀", &"my ".repeat(50_000), &"x".repeat(100_000)]
        {
            let found = features(text);
            assert_eq!(found.len(), NAMES.len());
            assert!(found.iter().all(|value| (0.0..=1.0).contains(value)));
        }
    }
}
