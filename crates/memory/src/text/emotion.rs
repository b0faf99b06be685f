//! How a sentence feels, by a small lexicon: valence from -1 to 1, arousal from 0 to 1.
//!
//! Enough to tell a bad day from a good one when memories are weighed; a negation turns the valence round.

use super::lexer::{self, LexedToken};
use crate::types::Emotion;

/// Words by how they feel: valence, arousal, and the stems (a word that begins with one counts).
const LEXICON: [(f32, f32, &str); 8] = [
    (0.9, 0.8, "thrill excit ecstat amaz awesome incredibl fantastic delight love wonderful"),
    (
        0.7,
        0.5,
        "happy happi glad proud joy enjoy grateful thankful celebrat fun hopeful inspir passionate adore",
    ),
    (0.4, 0.2, "calm relax relie peaceful content comfortable satisf pleas confident like cozy"),
    (-0.4, 0.2, "tired bored lonely lone exhaust disappoint regret miss sick guilty drain"),
    (-0.6, 0.6, "worri anxious anxiety nervous stress overwhelm frustrat annoy confus afraid dread struggl"),
    (-0.8, 0.5, "sad depress heartbr grie mourn cry cried hopeless worthless miserabl devastat lost"),
    (-0.8, 0.9, "angry anger furious hate terrif scare panic horribl rage mad disgust"),
    (-0.7, 0.4, "pain hurt ill diagnos injur died death divorce fired"),
];

/// How a text feels, if it feels like anything.
pub fn of_text(text: &str) -> Option<Emotion> {
    of(&lexer::lex(text, 0..text.len()))
}

/// The emotion of these words; none where nothing in them feels like anything.
pub(crate) fn of(tokens: &[LexedToken]) -> Option<Emotion> {
    let (mut valence, mut arousal, mut count) = (0.0, 0.0, 0.0);
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.is_word) {
        let Some((word_valence, word_arousal)) = feeling(&token.lower) else { continue };
        let negated = tokens[at.saturating_sub(3)..at]
            .iter()
            .any(|before| ["not", "never", "no"].contains(&before.lower.as_str()));
        valence += if negated { -0.5 * word_valence } else { word_valence };
        arousal += word_arousal;
        count += 1.0;
    }
    let exclaims = tokens.iter().any(|token| token.is("!"));
    (count > 0.0).then(|| Emotion {
        valence: (valence / count).clamp(-1.0, 1.0),
        arousal: (arousal / count + if exclaims { 0.1 } else { 0.0 }).clamp(0.0, 1.0),
    })
}

fn feeling(word: &str) -> Option<(f32, f32)> {
    // Short stems would catch other words ("like" in "likely", "ill" in "illustrate"), so they must be the whole word.
    let fits = |stem: &str| word == stem || stem.len() >= 5 && word.starts_with(stem) || inflects(word, stem);
    LEXICON
        .iter()
        .find(|(_, _, stems)| stems.split(' ').any(fits))
        .map(|(valence, arousal, _)| (*valence, *arousal))
}

fn inflects(word: &str, stem: &str) -> bool {
    word.strip_prefix(stem).is_some_and(|ending| ["s", "d", "ed", "es", "ing"].contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lexer::lex;

    fn check(text: &str, expected: Option<bool>) {
        let found = of(&lex(text, 0..text.len())).map(|emotion| emotion.valence > 0.0);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn good_bad_and_nothing() {
        check("I am so excited about the trip!", Some(true));
        check("I'm worried about my exam", Some(false));
        check("I'm not happy with it", Some(false));
        check("I use Postgres", None);
        check("She will likely illustrate it", None);
    }
}
