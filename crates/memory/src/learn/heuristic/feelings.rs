//! Statements of feeling: "I feel lonely", "I'm anxious about the exam", in every language that the distiller reads.
//!
//! Apart from the other rules, because only an agent whose character asks for them gets them. They are read by the same
//! machine, with tables of their own in each language's folder: a feeling that is asked about, supposed, quoted or denied
//! is none.

use std::sync::LazyLock;

use super::build_candidate::RuleMatch;
use super::lexicon::FEELING_TONGUES;
use super::phrases::Phrases;
use super::{SessionBackground, add, lexer, listen, scan};
use crate::language::Language;
use crate::learn::draft::Candidate;
use crate::types::{Emotion, Turn};

/// What a feeling comes to where the lexicon of feelings does not know its word.
const GOOD_EMOTION: Emotion = Emotion { valence: 0.7, arousal: 0.5 };
const BAD_EMOTION: Emotion = Emotion { valence: -0.6, arousal: 0.5 };

static FEELS_GOOD: LazyLock<Phrases> = LazyLock::new(|| {
    let lists: Vec<&str> = Language::spoken().map(|(_, speech)| speech.feelings.good).collect();
    Phrases::new(&lists.join(" "))
});

/// What the user says to feel in these turns, each as an event with its emotion.
pub fn find(turns: &[Turn]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for heard in listen(turns, SessionBackground::default()) {
        for sentence in &heard.sentences {
            let unspaced = sentence.tokens.iter().any(|token| token.lower.starts_with(lexer::is_unspaced));
            let mut found: Vec<RuleMatch<'_>> = Vec::new();
            for tongue in FEELING_TONGUES.iter().filter(|tongue| unspaced || !tongue.unspaced) {
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
        check("Sono molto preoccupata.", Some(("User feels preoccupata", false)));
        check("Mi sento felice!", Some(("User feels felice", true)));
        check("Ho paura.", Some(("User feels paura", false)));
        check("我很难过。", Some(("User feels 难过", false)));
        check("私はとても不安です。", Some(("User feels 不安", false)));
    }
}
