//! The phrases of other languages, one file each, written as folding leaves text.
//!
//! They stand for the same things as the English ones. The learned model was trained on English, so what is certain in
//! one of these languages fires by itself, and the rest is a hint.

mod chinese;
mod french;
mod german;
mod japanese;
mod portuguese;
mod russian;
mod spanish;

use super::pattern::PhraseTable;

pub(super) static TABLES: &[PhraseTable] =
    &[german::TABLE, spanish::TABLE, french::TABLE, portuguese::TABLE, russian::TABLE];

/// Looked for as they stand, whatever is around them.
pub(super) static UNSPACED: &[PhraseTable] = &[chinese::TABLE, japanese::TABLE];
