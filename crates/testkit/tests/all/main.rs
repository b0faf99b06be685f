//! The instruments are themselves tested: what stands in for a language model behaves like one on the wire.

mod client;
mod failures;
mod load;
mod recording;
mod scripts;
mod streams;
mod wires;
