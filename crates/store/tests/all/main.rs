//! What a store must do, shown on every store there is.
//!
//! One program, so that it links once. [`conformance`] is the contract of `memory::ports`, case by case, on each kind
//! of store. [`properties`] compares random operations with a model in memory, [`processes`] what one process writes
//! with what another finds; [`continuity`] follows many conversations at once. [`crash`], [`durability`] and [`poison`]
//! are about what survives; [`tenants`] about many of them at once; [`migrations`] about files that other versions
//! wrote; [`keys`] about who is let in; [`forget`] about forgetting for good; [`tend`] about upkeep; [`transfer`] about moving; [`xquad`] measures keyword search on real text.

mod backup;
mod child;
mod conformance;
mod continuity;
mod crash;
mod dump;
mod durability;
mod forget;
mod integrity;
mod keys;
mod learn;
mod migrations;
mod poison;
mod processes;
mod properties;
mod recall;
mod subject;
mod tenants;
mod tend;
mod transfer;
mod xquad;
