//! The settings that are a choice between a few words: one enum each, with its words.
//!
//! The words stand here once. The table of settings lists them as what is allowed, the stored value is one of them, and
//! code compares variants, so that a misspelt word does not compile.

use serde::{Deserialize, Serialize};

/// A closed choice: each variant with its word, and the words that other systems use for it.
macro_rules! choices {
    ($(#[$doc:meta])* $name:ident, $what:literal { $( $(#[$variant_doc:meta])* $variant:ident = $word:literal $(| $alias:literal)* ),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $name {
            $( $(#[$variant_doc])* #[serde(rename = $word $(, alias = $alias)*)] $variant ),+
        }

        impl $name {
            /// The words of the variants, in their order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            pub fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word ),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::types::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let given = text.trim();
                let is = |word: &str| word.eq_ignore_ascii_case(given);
                $( if is($word) $(|| is($alias))* { return Ok(Self::$variant); } )+
                Err(crate::types::UnknownWord {
                    what: $what,
                    given: crate::error::shown(text),
                    expected: [$($word $(, $alias)*),+].join(", "),
                })
            }
        }

        impl super::FromValue for $name {
            fn from_value(value: &serde_json::Value) -> Self {
                value.as_str().and_then(|word| word.parse().ok()).expect("checked to be one of the words")
            }
            fn to_value(&self) -> serde_json::Value {
                serde_json::Value::from(self.as_str())
            }
        }
    };
}

choices! {
    /// How to look.
    Strategy, "strategy" {
        /// By words and by meaning.
        Hybrid = "hybrid",
        /// By meaning alone.
        Semantic = "semantic",
        /// The newest first.
        Recent = "recent",
        /// What has every word as it is written, the newest first.
        Exact = "exact",
    }
}

choices! {
    /// How words and meaning become one score.
    Fusion, "fusion" {
        Weighted = "weighted",
        Rrf = "rrf",
    }
}

choices! {
    /// Whether a stored reply is compared with what was recalled for it.
    FeedbackMode, "feedback mode" {
        Overlap = "overlap",
        Off = "off",
    }
}

choices! {
    /// How the gate decides.
    GateMode, "gate mode" {
        /// What is known is weighed for each message.
        Judged = "judged" | "learned",
        Heuristic = "heuristic",
        /// The core model is asked; where it does not answer, the trained gate.
        Llm = "llm",
        /// Every message gets memory.
        Off = "off",
    }
}

impl GateMode {
    /// Whether the trained model decides, or stands in for one that does not answer.
    pub fn is_learned(self) -> bool {
        matches!(self, Self::Judged | Self::Llm)
    }
}

choices! {
    /// Whether a new conversation is told how the last one ended.
    FirstTurnDigest, "first turn's digest" {
        /// Where its first message goes on from it.
        Continues = "continues",
        Always = "always",
        Off = "off",
    }
}

choices! {
    /// How a line tells a memory.
    LineStyle, "line style" {
        /// As a sentence.
        Plain = "plain",
        /// As what it says of what, with the words it rests on, where that is known.
        Triple = "triple",
    }
}

choices! {
    /// Which blocks are made.
    ContextMode, "context mode" {
        Compact = "compact",
        Full = "full",
    }
}

choices! {
    /// Where in a prompt memory goes, where the request leaves the choice.
    InjectionPlacement, "placement" {
        BeforeLastUser = "beforeLastUser",
        SystemFirst = "systemFirst",
        SystemAppend = "systemAppend",
        LastUser = "lastUser",
    }
}

choices! {
    /// When conversations are learned from.
    ExtractionMode, "extraction mode" {
        SessionEnd = "sessionEnd",
        Turn = "turn",
        Manual = "manual",
    }
}
