//! Stand-ins and instruments that the tests and benchmarks of all crates share.
//!
//! [`clock`] owns time and ids, [`build`] makes records with as little said as a test needs to say, [`random`] is chance with
//! a seed, [`llm`] is a language model that says what it is told to, [`fsyncs`] counts what really reaches the disk,
//! [`folder`] gives a place to write and finds the data that is measured on, [`process`] reads what the operating system
//! knows about this process, [`tenant`] fills a store with everything by chance, [`vault`] looks at notes on the disk,
//! [`traces`] finds what is left of a text in a database, [`xquad`] reads questions that are measured on.

pub mod build;
pub mod child;
pub mod clock;
pub mod folder;
pub mod fsyncs;
pub mod integrity;
pub mod items;
pub mod llm;
pub mod process;
pub mod random;
pub mod subject;
pub mod tenant;
pub mod traces;
pub mod vault;
pub mod xquad;

pub use clock::ManualClock;
pub use random::Random;
