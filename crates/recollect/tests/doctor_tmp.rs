//! Temporary.
#[path = "all/doctor/mod.rs"]
mod doctor;
#[allow(dead_code)]
#[path = "all/support.rs"]
mod support;
