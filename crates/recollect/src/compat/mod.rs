//! How operations answer what the clients of other systems ask, for REST and MCP alike: [`plan`] finds out how much of a filter of
//! mem0's the store can do, [`find`] does the rest, [`mem0_names`] is whose memory it is in its words; [`memory_view`] is a memory as OmniRoute's clients know it, and [`api_key_id`]
//! narrows a request to the user of a key that they name. Other words, filters and rows are in [`transfer::compat`].

pub mod api_key_id;
pub mod find;
pub mod mem0_names;
pub mod memory_view;
pub mod plan;

use std::future::Future;

use transfer::compat::mem0::filter::WrongFilter;
use transfer::compat::words::TypeFilter;

use crate::ops::select::Selection;
use crate::ops::{Caller, OperationRequest, Services};
use crate::problem::Problem;

/// A way to operations, whoever asks: a request over HTTP, or a client of the tools.
pub trait Asks: Sync {
    fn ask<R: OperationRequest + Send>(
        &self,
        request: R,
    ) -> impl Future<Output = Result<R::Answer, Problem>> + Send;
}

/// A caller who was let in.
impl Asks for (&Services, &Caller) {
    async fn ask<R: OperationRequest + Send>(&self, request: R) -> Result<R::Answer, Problem> {
        self.0.ask(self.1, request).await
    }
}

impl From<WrongFilter> for Problem {
    fn from(wrong: WrongFilter) -> Self {
        let message = wrong.to_string();
        Self::field(wrong.place, message)
    }
}

/// What `type` means as a filter.
pub fn narrow(selection: &mut Selection, sort: TypeFilter) {
    match sort {
        TypeFilter::Layer(layer) => selection.layers.push(layer),
        TypeFilter::Kind(kind) => selection.kinds.push(kind),
    }
}
