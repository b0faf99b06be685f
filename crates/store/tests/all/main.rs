//! What a store must do, shown on every store there is.
//!
//! One program, so that it links once. [`conformance`] is the contract of `memory::ports`, case by case, on each kind
//! of store. [`properties`] compares random operations with a model in memory, [`processes`] what one process writes
//! with what another finds. [`crash`], [`durability`] and [`poison`]
//! are about what survives; [`tenants`] about many of them at once; [`migrations`] about files that other versions
//! wrote; [`keys`] about who is let in; [`deck`] about what searches keep in memory; [`transfer`] about moving; [`views`] about the moment of a request; [`xquad`] measures keyword search on real text.

mod backup;
mod conformance;
mod crash;
mod deck;
mod dump;
mod durability;
mod keys;
mod migrations;
mod poison;
mod processes;
mod properties;
mod tenants;
mod transfer;
mod views;
mod xquad;
