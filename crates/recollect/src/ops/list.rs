//! Page through what is remembered, newest first.

use memory::limits::PAGE_ROWS;
use memory::ports::ReadStore;
use memory::types::{Memory, Order, PageRequest};
use serde::{Deserialize, Serialize};

use super::Visit;
use super::select::Selection;
use crate::limits;
use crate::problem::Problem;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct List {
    pub filter: Selection,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    pub offset: usize,
    pub oldest_first: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    pub memories: Vec<Memory>,
    /// How many there are on all pages.
    pub total: u64,
    pub offset: usize,
}

pub(super) async fn list(visit: &Visit<'_>, request: List) -> Result<Listed, Problem> {
    let limit = request.limit.unwrap_or(limits::USUAL_ROWS);
    if !(1..=PAGE_ROWS).contains(&limit) {
        let message = format!("a page of {limit} rows is asked for; expected from 1 to {}", PAGE_ROWS);
        return Err(Problem::invalid(message));
    }
    let order = if request.oldest_first { Order::Oldest } else { Order::Newest };
    let page = PageRequest { limit, offset: request.offset, order };
    let page = visit.tenant.list_memories(&request.filter.filter(visit.now)?, page).await?;
    Ok(Listed { memories: page.items, total: page.total, offset: request.offset })
}
