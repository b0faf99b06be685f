//! A page of a list, the same for every list.

use serde::Serialize;
use utoipa::ToSchema;

use crate::request::values::Pages;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageBody<T> {
    data: Vec<T>,
    /// How many there are on all pages.
    total: u64,
    limit: usize,
    offset: usize,
    /// From 1.
    #[schema(minimum = 1)]
    page: usize,
    total_pages: u64,
}

impl<T> PageBody<T> {
    pub fn new(pages: Pages, total: u64, data: Vec<T>) -> Self {
        let (limit, offset) = (pages.limit(), pages.offset());
        Self { data, total, limit, offset, page: pages.page(), total_pages: pages.count(total) }
    }

    /// Of a list that is there as a whole.
    pub fn of(pages: Pages, all: Vec<T>) -> Self {
        let total = all.len() as u64;
        Self::new(pages, total, all.into_iter().skip(pages.offset()).take(pages.limit()).collect())
    }
}

/// Whether something was taken away: false when it was not there, or not the caller's.
#[derive(Debug, Serialize, ToSchema)]
pub struct Removed {
    pub deleted: bool,
}
