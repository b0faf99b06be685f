//! stub
use crate::learn::heuristic::rule::Lexicon;
pub(super) const LEXICON: Lexicon = Lexicon { code: "zh", ..Lexicon::EMPTY };
