//! Models: what turns text into vectors and, later, the clients of others' models.
//!
//! [`StaticTable`] is the embedding model that is always there: it is part of the binary and needs nothing else.

mod builtin;
pub mod static_table;
pub mod wordpiece;

pub use builtin::Builtin;
pub use static_table::{Embedded, StaticTable};
