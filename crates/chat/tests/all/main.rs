//! Conversations recognised over a real store.

mod continuity;
