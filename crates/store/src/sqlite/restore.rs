//! Takes in what another store held, as it was there.

use memory::error::{StoreError, StoreResult};
use memory::types::Item;

use super::apply::{Applying, Text};

pub fn restore(
    _applying: &mut Applying<'_>,
    _item: &Item,
    _unite: bool,
    _text: Option<&Text>,
) -> StoreResult<()> {
    Err(StoreError::Failed("nothing can be taken in yet".into()))
}
