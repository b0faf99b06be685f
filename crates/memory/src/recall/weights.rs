//! The one scoring table: what each part of a score counts for, by what was found and the way it was found.
//!
//! A score is always the sum of part times weight. [`super::fuse`] computes it, a result carries the weights it was made
//! with, and `explain` prints the two beside each other; nothing else knows a weight.

use super::request::{Fusion, ScoreParts};
use crate::settings::Settings;
use crate::types::Corpus;

macro_rules! each_part {
    ($($part:ident),+ $(,)?) => {
        impl ScoreParts {
            /// Each part's name and value.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, f64)> {
                [$((stringify!($part), self.$part)),+].into_iter()
            }

            /// The score that these parts come to: Σ part · weight.
            pub fn weighed_by(&self, weights: &PartWeights) -> f64 {
                0.0 $(+ self.$part * weights.0.$part)+
            }

            fn scale(&mut self, factor: f64) {
                $(self.$part *= factor;)+
            }
        }
    };
}

each_part![
    text,
    window,
    dense,
    dense_window,
    neighbours,
    session,
    speaker,
    role,
    time,
    recency,
    salience,
    strength,
    graph,
    emotion,
    feedback,
    words_rank,
    meaning_rank,
];

/// What each part counts for, written as parts; 0 where it does not count.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PartWeights(ScoreParts);

impl PartWeights {
    /// By the settings. `coverage` says how far the question's vector is trusted.
    pub fn of(corpus: Corpus, settings: &Settings, coverage: f64) -> Self {
        match corpus {
            Corpus::Turns => Self::turns(settings, coverage),
            Corpus::Memories => Self(ScoreParts {
                graph: settings.weight_graph,
                emotion: settings.weight_emotion,
                feedback: settings.weight_feedback,
                ..Self::sentences(settings, coverage)
            }),
            Corpus::Episodes => Self(Self::sentences(settings, coverage)),
        }
    }

    /// Every weight times a factor.
    pub fn scaled(self, factor: f64) -> Self {
        let mut scaled = self;
        scaled.0.scale(factor);
        scaled
    }

    /// What a turn counts for by itself: its words and its meaning, alone and with its neighbours' beside it.
    pub fn of_turn_alone(settings: &Settings, coverage: f64) -> Self {
        Self(ScoreParts {
            text: settings.weight_text,
            window: settings.weight_window,
            dense: coverage * settings.weight_dense,
            dense_window: coverage * settings.weight_dense_window,
            ..ScoreParts::default()
        })
    }

    fn turns(settings: &Settings, coverage: f64) -> Self {
        Self(ScoreParts {
            neighbours: settings.weight_neighbours,
            session: settings.weight_session,
            speaker: settings.weight_speaker,
            role: settings.weight_role,
            time: settings.weight_time,
            ..Self::of_turn_alone(settings, coverage).0
        })
    }

    /// Memories and episodes have no window, so what it would count goes to their own text and meaning.
    fn sentences(settings: &Settings, coverage: f64) -> ScoreParts {
        ScoreParts {
            text: settings.weight_text + settings.weight_window,
            dense: coverage * (settings.weight_dense + settings.weight_dense_window),
            time: settings.weight_time,
            recency: settings.weight_recency,
            salience: settings.weight_salience,
            strength: settings.weight_strength,
            ..ScoreParts::default()
        }
    }

    /// Where another order than the settings' is asked for, the table that makes it.
    pub fn instead(fusion: Fusion, by_meaning_alone: bool) -> Option<Self> {
        match fusion {
            _ if by_meaning_alone => Some(Self(ScoreParts { dense: 1.0, ..ScoreParts::default() })),
            Fusion::Rrf => {
                Some(Self(ScoreParts { words_rank: 1.0, meaning_rank: 1.0, ..ScoreParts::default() }))
            }
            Fusion::Weighted => None,
        }
    }

    /// The newest first.
    pub fn recency() -> Self {
        Self(ScoreParts { recency: 1.0, ..ScoreParts::default() })
    }

    /// By the words alone: texts that were looked through, or that stand in history.
    pub fn words() -> Self {
        Self(ScoreParts { text: 1.0, ..ScoreParts::default() })
    }

    /// The weights under their parts' names.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.0.named()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part that is missing here would be measured and never counted.
    #[test]
    fn the_table_has_every_part() {
        let parts = serde_json::to_value(ScoreParts::default()).expect("numbers");
        let mut known: Vec<&String> = parts.as_object().expect("by name").keys().collect();
        let mut named: Vec<&str> = ScoreParts::default().named().map(|(name, _)| name).collect();
        known.sort();
        named.sort_unstable();
        assert_eq!(known, named);
    }

    #[test]
    fn what_only_memories_have_counts_for_nothing_else() {
        let settings = Settings::default();
        let weight = |corpus: Corpus, part: &str| {
            let weights = PartWeights::of(corpus, &settings, 0.5);
            weights.named().find(|(name, _)| *name == part).map(|(_, weight)| weight)
        };
        for part in ["graph", "emotion", "feedback"] {
            assert!(weight(Corpus::Memories, part) > Some(0.0), "{part}");
            assert_eq!(weight(Corpus::Episodes, part), Some(0.0), "{part}");
            assert_eq!(weight(Corpus::Turns, part), Some(0.0), "{part}");
        }
        let whole = settings.weight_dense + settings.weight_dense_window;
        assert_eq!(weight(Corpus::Memories, "dense"), Some(0.5 * whole), "a half-trusted vector counts half");
        assert_eq!(weight(Corpus::Memories, "dense_window"), Some(0.0));
        assert_eq!(weight(Corpus::Turns, "dense"), Some(0.5 * settings.weight_dense));
    }
}
