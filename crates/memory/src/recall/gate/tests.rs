//! What the gate says, as tables.

use super::*;
use jiff::civil::date;

const REFERENCE: Date = date(2026, 1, 15);

/// A model that is as sure as it is told to be.
struct CertainGate(f64);

impl GateModel for CertainGate {
    fn probability(&self, _text: &str, _vector: Option<&[f32]>) -> f64 {
        self.0
    }

    fn threshold(&self) -> f64 {
        0.5
    }
}

fn inputs<'a>(mode: GateMode, learned: Option<&'a dyn GateModel>, names: &'a KnownNames) -> Inputs<'a> {
    Inputs { mode, learned, vector: None, names, strongest: None, reference: REFERENCE }
}

fn heuristic(message: &str) -> GateDecision {
    decide(message, &inputs(GateMode::Heuristic, None, &KnownNames::of(["Caroline", "Ann"])))
}

fn check(table: &[(&str, Section)]) {
    for (message, expected) in table {
        let decision = heuristic(message);
        assert_eq!(decision.section, *expected, "{message:?}: {}", decision.reason);
        assert_eq!(decision.fire, *expected != Section::None, "{message:?}");
        assert!(!decision.reason.is_empty());
    }
}

#[test]
fn english_phrases_in_their_order() {
    use Section::{Episode, Identity, None, Pinned, Transcript};
    check(&[
        ("", None),
        ("hi", None),
        ("  ?  ", None),
        // 1 identity
        ("what's my name?", Identity),
        ("What’s my name", Identity),
        ("who am I", Identity),
        ("What do you know about me?", Identity),
        ("where do i work", Identity),
        ("How old am I?", Identity),
        // 2 transcript, and the ordinary words that are not
        ("what were my exact words?", Transcript),
        ("What exactly did I say?", Transcript),
        ("what did I write yesterday", Transcript),
        ("quote what I said about the budget", Transcript),
        ("repeat back what I typed", Transcript),
        ("verbatim", None),
        ("reply exactly OK", None),
        ("translate this word for word", None),
        ("copy the text verbatim", None),
        // 3 episode, by time
        ("yesterday", Episode),
        ("the plan from last week", Episode),
        ("what happened last session?", Episode),
        ("as noted earlier", Episode),
        ("previously", Episode),
        ("two days ago", Episode),
        ("when did the roof leak", Episode),
        ("the meeting on Tuesday", Episode),
        ("the trip in March", Episode),
        ("the note of 2025-12-24", Episode),
        ("call 2025-1224-55", None),
        // 4 episode, by what came before
        ("we discussed the budget", Episode),
        ("remember when you said it would rain", Episode),
        ("you told me so", Episode),
        ("you mentioned a book", Episode),
        ("do you recall the title", Episode),
        ("as I said, no sugar", Episode),
        ("that thing we built", Episode),
        // 5 pinned, by name
        ("What would Caroline like for dinner?", Pinned),
        ("What would Ann like for dinner?", None),
        // 6 and 7 pinned
        ("remember to be brief", Pinned),
        ("did I tell anybody", Pinned),
        ("forget it", Pinned),
        ("do you know about my allergies", Pinned),
        ("what breed is my dog", Pinned),
        ("our wedding venue", Pinned),
        // 8 none; bare pronouns point into the conversation at hand
        ("what about it?", None),
        ("can he do that too?", None),
        ("they said so", None),
        ("Write a poem about the sea.", None),
        ("What is 12 * 7?", None),
        ("mystery novels of the 1920s", None),
        ("Explain monads", None),
    ]);
}

#[test]
fn questions_in_other_languages_are_recognised() {
    use Section::{Episode, Identity, None, Pinned, Transcript};
    check(&[
        ("Wie heiße ich?", Identity),
        ("Was weißt du über mich?", Identity),
        ("Was habe ich genau gesagt?", Transcript),
        ("Was haben wir gestern gemacht?", Episode),
        ("Erinnerst du dich an den Plan?", Episode),
        ("Wie heißt mein Hund?", Pinned),
        ("Hier ist die Datei, bitte übersetzen", None),
        ("Schreibe ein Gedicht über das Meer", None),
        ("¿Cómo me llamo?", Identity),
        ("¿Qué sabes de mí?", Identity),
        ("¿Qué te dije exactamente?", Transcript),
        ("¿Qué hice la semana pasada?", Episode),
        ("¿Te acuerdas del plan?", Episode),
        ("¿Cómo se llama mi perro?", Pinned),
        ("Escribe un poema sobre el mar", None),
        ("Comment je m’appelle ?", Identity),
        ("Qui suis-je ?", Identity),
        ("Qu'est-ce que j'ai dit exactement ?", Transcript),
        ("Où étais-je hier ?", Episode),
        ("Tu te souviens du plan ?", Episode),
        ("Quel est le nom de mon chien ?", Pinned),
        ("Écris un poème sur la mer", None),
        ("Qual é o meu nome?", Identity),
        ("O que você sabe sobre mim?", Identity),
        ("O que eu disse exatamente?", Transcript),
        ("O que fizemos ontem na reunião?", Episode),
        ("Você lembra do plano?", Episode),
        ("Qual é a raça da minha cadela?", Pinned),
        ("Escreva um poema sobre o mar", None),
        ("Как меня зовут?", Identity),
        ("Что ты знаешь обо мне?", Identity),
        ("Что именно я сказал?", Transcript),
        ("Что я делал вчера?", Episode),
        ("Ты помнишь наш план?", Episode),
        ("Как зовут мою собаку?", Pinned),
        ("Напиши стихотворение о море", None),
        ("我叫什么名字？", Identity),
        ("我是谁", Identity),
        ("我说了什么？", Transcript),
        ("我昨天做了什么？", Episode),
        ("你还记得那个计划吗？", Episode),
        ("我的狗是什么品种？", Pinned),
        ("写一首关于大海的诗", None),
        ("私の名前は何ですか？", Identity),
        ("私は何と言いましたか", Transcript),
        ("昨日は何をしましたか", Episode),
        ("あの計画を覚えていますか", Episode),
        ("私の犬の種類は？", Pinned),
        ("海についての詩を書いて", None),
    ]);
}

#[test]
fn the_model_decides_whether_and_the_phrases_which() {
    let nobody = KnownNames::default();
    let check = |message: &str, probability: f64, expected: Section| {
        let model = CertainGate(probability);
        let decision = decide(message, &inputs(GateMode::Judged, Some(&model), &nobody));
        assert_eq!(decision.section, expected, "{message:?}: {}", decision.reason);
    };
    check("proofread my essay", 0.1, Section::None);
    check("what breed is my dog", 0.9, Section::Pinned);
    check("how many kits were bought", 0.9, Section::Pinned);
    check("how many kits were bought two weeks ago", 0.9, Section::Episode);
    check("how many kits were bought in the 1990s", 0.9, Section::Episode);
    check("a flight yesterday", 0.1, Section::None);
    check("what's my name?", 0.1, Section::Identity);
    check("remember when you said no?", 0.1, Section::Episode);
    check("reply exactly OK", 0.01, Section::None);
    check("ok", 0.99, Section::None);
    check("Wie heißt mein Hund?", 0.3, Section::Pinned);
    check("Wie heißt mein Hund?", 0.001, Section::None);
}

#[test]
fn what_memory_holds_moves_the_odds() {
    let names = KnownNames::of(["Caroline"]);
    let check = |message: &str, probability: f64, strongest: Option<f64>, fires: bool| {
        let model = CertainGate(probability);
        let inputs = Inputs { strongest, ..inputs(GateMode::Judged, Some(&model), &names) };
        let decision = decide(message, &inputs);
        assert_eq!(decision.fire, fires, "{message:?}: {}", decision.reason);
        assert!((0.0..=1.0).contains(&decision.score));
    };
    check("what does Caroline paint", 0.2, None, true);
    check("what does Melanie paint", 0.2, None, false);
    check("Caroline has 5 apples and eats 2; how many are left?", 0.001, None, false);
    check("what does Melanie paint", 0.2, Some(0.9), true);
    check("what does Melanie paint", 0.2, Some(0.4), false);
    check("what does Melanie paint", f64::NAN, Some(0.9), false);
}

#[test]
fn a_search_is_made_only_where_it_can_matter() {
    let nobody = KnownNames::default();
    let undecided = |message: &str, probability: f64| {
        let model = CertainGate(probability);
        let inputs = inputs(GateMode::Judged, Some(&model), &nobody);
        is_undecided(&decide(message, &inputs), &inputs)
    };
    assert!(undecided("what does Melanie paint", 0.3));
    assert!(!undecided("what does Melanie paint", 0.01), "too far off");
    assert!(!undecided("what does Melanie paint", 0.7), "it fires anyway");
    assert!(!undecided("no", 0.3), "too short for anything");
    let inputs = inputs(GateMode::Heuristic, None, &nobody);
    assert!(!is_undecided(&decide("what does Melanie paint", &inputs), &inputs));
}

#[test]
fn off_always_fires_and_no_model_means_phrases() {
    let nobody = KnownNames::default();
    let off = decide("Write a poem", &inputs(GateMode::Off, None, &nobody));
    assert_eq!((off.fire, off.section), (true, Section::Pinned));
    let off = decide("hm", &inputs(GateMode::Off, None, &nobody));
    assert!(off.fire);
    let without = decide("what breed is my dog", &inputs(GateMode::Judged, None, &nobody));
    assert_eq!((without.fire, without.section), (true, Section::Pinned));
}

#[test]
fn a_question_is_seen_before_and_behind_a_long_paste() {
    let paste = "lorem ipsum dolor ".repeat(20_000);
    for message in
        [format!("what's my name? {paste}"), format!("{paste} what's my name?"), "ü".repeat(100_000)]
    {
        let expected = if message.starts_with('ü') { Section::None } else { Section::Identity };
        assert_eq!(heuristic(&message).section, expected);
    }
}

#[test]
fn sections_are_written_in_lower_case() {
    let decision = heuristic("yesterday");
    let json = serde_json::to_value(&decision).expect("plain data");
    assert_eq!(json["section"], "episode");
    assert_eq!(json["reason"], "it speaks of a time gone by: “yesterday”");
}
