//! The tests of the models, in one binary, because linking one is quicker than linking several.

mod chat;
mod judge;
mod static_table;
mod wordpiece;
