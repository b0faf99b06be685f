//! The core over a real store: what recall, learning, upkeep and forgetting do, shown on SQLite, in a file and in memory.
//!
//! One program, so that it links once. The core knows no store, so its own tests of pure steps stand beside the code; whatever
//! needs a store stands here. [`golden`] holds the stored form of every record.

mod forget;
mod golden;
mod learn;
mod recall;
mod tend;
