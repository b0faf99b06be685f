//! The name under which the steps of the way are traced.
//!
//! The core marks where its steps begin and end; whether anybody looks, and what time it is then, is the surface's business.
//! A target of their own keeps these marks out of the logs, so that they cost a look at a flag where nobody asked for traces.
//! They never hold what anybody said.

/// The target of every span that is exported.
pub const TARGET: &str = "recollect::trace";
