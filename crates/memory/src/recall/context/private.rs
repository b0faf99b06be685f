//! What of somebody is theirs alone: told where a message calls for it, and not in front of every conversation.
//!
//! Diagnoses, doses, money and feelings go to whoever answers only where they help. What everybody must heed who cooks, prescribes or plans for
//! somebody (allergies, intolerances, what people do not eat, a child on its way) stands in front of every conversation all the same. It is decided
//! when a portrait is made and not only when something is learned, so that it holds for whatever is stored, by whichever door it came.
//!
//! The judge of speech says what a statement is about. It takes some illnesses of relatives for a matter of people, so a few word stems that many
//! languages share say what it misses, and a few more what is for everybody's safety. Of a statement of several parts what is open is told.

use std::sync::LazyLock;

use crate::ports::{KnownText, SpeechJudge};
use crate::text::fold;
use crate::types::Memory;

/// Subjects of what is private.
const SUBJECTS: [&str; 3] = ["health", "money", "feeling"];

/// Parts of words that name what everybody must heed.
const HEEDED: &str = "allerg alerg alerj аллерг حساسي एलर्जी 过敏 過敏 アレルギー 알레르기 알러지 anaphyla epipen penicil penizil пеницил بنسلين 青霉素 ペニシリン 페니실린 \
    intoleran unvertrag nietoleranc toleruj непереносим переношу اتحمل تحمل पचत 不耐 불내 \
    celiac coeliac coeliaq celiaq celiak coeliak zoliak целиак colyak البطني سيلياك सीलिएक 乳糜泻 セリアック 셀리악 \
    gluten glutin глютен غلوتين ग्लूटेन 麸质 グルテン 글루텐 lactos laktos laktoz lattos лактоз لاكتوز लैक्टोज 乳糖 유당 \
    pregnan schwanger embaraz enceinte incinta gravid zwanger ciaz беремен hamile حامل गर्भवती 怀孕 孕妇 妊娠 妊婦 임신 임산부 \
    vegan vegetari vegetar vejetary wegetari wegan веган вегетариан نباتي शाकाहारी वीगन 吃素 素食 ベジタリアン ヴィーガン 菜食 비건 채식 \
    halal helal халяль حلال हलाल 清真 ハラル 할랄 kosher koscher kasher kosjer кошер";

/// Parts of words that name an illness whoever has it, or that somebody was found to have one.
const ILLNESS: &str = "diagnos diagnoz диагно teshis تشخيص 诊断 診断 진단 निदान \
    bipolar dwubiegun биполяр القطب बाइपोलर 双相 双極 양극성 schizo skizo esquizo sizofren шизофр فصام सिज़ोफ्र 精神分裂 統合失調 조현병 \
    depress depresy depresj depresi депресс اكتئاب अवसाद डिप्रेशन 抑郁 うつ病 우울증 dement demenz demenc деменц alzheim альцгейм الزهايمر \
    डिमेंशिया 痴呆 認知症 치매 seropositi sieropositi एचआईवी brustkrebs krebs cancer cancro kanker kanser tumor tumeur онколог سرطان कैंसर 癌 乳がん \
    がんです がんに 유방암 폐암 위암 암에 suicid суицид";

/// The same as whole words, which are too short to be looked for inside of others.
const ILLNESS_WORDS: &str = "hiv vih вич aids сида rak raka рак рака";

/// What doses are measured in.
const DOSES: &str = "mg mcg µg μg ug мг мкг ملغ مجم मिलीग्राम मिग्रा 毫克 ミリグラム 밀리그램";

static FOLDED: LazyLock<[Vec<String>; 4]> = LazyLock::new(|| {
    [HEEDED, ILLNESS, ILLNESS_WORDS, DOSES].map(|words| words.split_whitespace().map(fold).collect())
});

/// What of a memory may stand in front of every conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Openness {
    Open,
    /// Nothing but this part of it.
    Partly(String),
    Private,
}

/// What of a memory may be told unasked, where the judge takes what it says for this subject. What a person pinned is always told.
pub(super) fn openness(memory: &Memory, subject: &str, judge: &dyn SpeechJudge) -> Openness {
    if memory.pinned {
        return Openness::Open;
    }
    if memory.sensitive {
        return Openness::Private;
    }
    // What was filed under a private matter is private, however the judge reads it.
    let filed = SUBJECTS.iter().find(|subject| memory.category.as_deref() == Some(**subject));
    of_text(&memory.content, filed.copied().unwrap_or(subject), judge)
}

fn of_text(text: &str, subject: &str, judge: &dyn SpeechJudge) -> Openness {
    if !is_private(text, subject) {
        return Openness::Open;
    }
    // What begins with something that stands by itself and is open is told up to where it is not.
    let clauses = judge.clauses(text);
    let parts: Vec<&str> = clauses.iter().filter_map(|clause| text.get(clause.range.clone())).collect();
    let first = clauses.first().is_some_and(|clause| clause.stands_surely);
    if !first || parts.len() < 2 || parts.len() != clauses.len() {
        return Openness::Private;
    }
    let subjects = subjects(judge, &parts);
    let open = parts.iter().zip(subjects).take_while(|(part, subject)| !is_private(part, subject)).count();
    let end = clauses[..open].last().map_or(0, |clause| clause.range.end);
    let part =
        text[..end].trim().trim_end_matches([',', ';', ':', '，', '、', '；', '-', '–', '—']).trim_end();
    if part.is_empty() || open == clauses.len() {
        Openness::Private
    } else {
        Openness::Partly(part.to_owned())
    }
}

/// What the judge takes each of several texts for.
pub(super) fn subjects(judge: &dyn SpeechJudge, texts: &[&str]) -> Vec<&'static str> {
    let known: Vec<KnownText<'_>> = texts.iter().map(|text| KnownText::of(text)).collect();
    judge.weigh("", &known).memories.iter().map(|worth| worth.subject).collect()
}

/// What may have to be heeded by all: of money and feelings nothing is, whatever words are in it.
const HEEDED_SUBJECTS: [&str; 2] = ["health", "diet"];

/// Whether a statement about a subject is its speaker's alone.
fn is_private(text: &str, subject: &str) -> bool {
    let heeded = HEEDED_SUBJECTS.contains(&subject) && is_heeded(text);
    names_illness(text) || SUBJECTS.contains(&subject) && !heeded
}

/// Whether everybody must heed what a text says.
fn is_heeded(text: &str) -> bool {
    let text = fold(text);
    FOLDED[0].iter().any(|stem| text.contains(stem.as_str()))
}

/// Whether a text names an illness or a dose, whatever it is about.
fn names_illness(text: &str) -> bool {
    let text = fold(text);
    let [_, illness, words, doses] = &*FOLDED;
    let has_word = || {
        let mut said = text.split(|character: char| !character.is_alphanumeric());
        said.any(|word| words.iter().any(|one| one == word))
    };
    illness.iter().any(|stem| text.contains(stem.as_str())) || has_word() || has_dose(&text, doses)
}

/// Whether a number stands before a unit that medicine is measured in.
fn has_dose(text: &str, units: &[String]) -> bool {
    let of_unit = |unit: &String| {
        text.match_indices(unit.as_str()).any(|(at, _)| {
            let counts = text[..at].trim_end().ends_with(char::is_numeric);
            let ends = text[at + unit.len()..].chars().next();
            // "20mg" and "20 mg"; scripts that write words together go on behind it.
            counts && ends.is_none_or(|next| !next.is_alphanumeric() || next >= '\u{0600}')
        })
    };
    units.iter().any(of_unit)
}

#[cfg(test)]
mod tests {
    use super::is_private;

    #[test]
    fn what_is_for_everybodys_safety_is_told_and_what_is_somebodys_own_is_not() {
        for (said, subject) in [
            ("I'm allergic to penicillin", "health"),
            ("Meine Tochter hat Zöliakie", "health"),
            ("Ma fille est cœliaque", "health"),
            ("Nie toleruję laktozy", "diet"),
            ("Я беременна", "identity"),
            ("我怀孕了", "health"),
            ("임신 중이에요", "health"),
            ("I live in Leeds", "home"),
            ("I eat 200 mgs of crisps", "preference"),
        ] {
            assert!(!is_private(said, subject), "{said}");
        }
        for (said, subject) in [
            ("I take 20 mg of escitalopram", "work"),
            ("Я принимаю 20 мг эсциталопрама", "work"),
            ("毎朝エスシタロプラムを20mg飲んでいます", "work"),
            ("我每天早上吃20毫克艾司西酞普兰", "diet"),
            ("Mein Bruder hat Schizophrenie", "people"),
            ("У меня ВИЧ", "people"),
            ("Moja żona ma raka piersi", "people"),
            ("妻は乳がんです", "diet"),
            ("I have type 1 diabetes", "health"),
            ("I earn 5200 a month", "money"),
            ("I feel lonely", "feeling"),
        ] {
            assert!(is_private(said, subject), "{said}");
        }
    }
}
