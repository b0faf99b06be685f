//! Errors, by what the caller must do about them.
//!
//! *The user's* errors say what is wrong and what was expected, and are shown as they are. *Ours* are logged with
//! their cause and shown only as "something failed here".

use crate::types::{IdError, RecordRef, TimeError, UnknownWord};

pub use crate::types::shown;

/// The input is wrong: say what was expected and change nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Invalid {
    /// The field, as the surface calls it, where one is to blame.
    pub field: Option<&'static str>,
    /// What is wrong and what was expected.
    pub message: String,
    /// What to do about it, where there is something to say.
    pub hint: Option<String>,
}

impl Invalid {
    pub fn new(message: impl Into<String>) -> Self {
        Self { field: None, message: message.into(), hint: None }
    }

    pub fn field(field: &'static str, message: impl Into<String>) -> Self {
        Self { field: Some(field), message: message.into(), hint: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<IdError> for Invalid {
    fn from(error: IdError) -> Self {
        Invalid::new(error.to_string())
    }
}

impl From<UnknownWord> for Invalid {
    fn from(error: UnknownWord) -> Self {
        Invalid::field(error.what, error.to_string())
    }
}

impl From<TimeError> for Invalid {
    fn from(error: TimeError) -> Self {
        Invalid::new(error.to_string())
    }
}

/// What a store answers when it does not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Correct the input.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// There is no such record in this tenant.
    #[error("there is no {0}")]
    NotFound(RecordRef),
    /// Somebody was faster: read again and decide anew.
    #[error("{of} is at version {found}, not at {expected}")]
    Conflict { of: RecordRef, expected: String, found: String },
    /// Too much at once, or another process holds the lock: come back later.
    #[error("the store is busy: {0}")]
    Busy(String),
    /// The store was made by a newer version, or its key is missing. Nothing was changed.
    #[error("the store cannot be opened: {0}")]
    Locked(String),
    /// Ours: disk full, damaged file, a bug. Log it.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// What an embedder answers when it cannot.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ModelError {
    /// No key, or the wrong one: tell the operator.
    #[error("the model refused the key: {0}")]
    Refused(String),
    /// Too many requests: come back after this many seconds.
    #[error("the model is rate limited")]
    RateLimited { retry_after_seconds: Option<u64> },
    /// Not reachable, or it failed.
    #[error("the model is unavailable: {0}")]
    Unavailable(String),
    /// It took longer than it may.
    #[error("the model did not answer in time")]
    TimedOut,
    /// It failed so often that it is left alone for a while.
    #[error("the model is left alone after too many failures")]
    BreakerOpen,
    /// The day's allowance is used up.
    #[error("the day's allowance for the model is used up: {0}")]
    Capped(String),
    /// It answered, but not what was asked for.
    #[error("the model's answer cannot be used: {0}")]
    BadAnswer(String),
}

impl ModelError {
    /// Whether trying again later may help by itself, without anything being counted as a failure.
    pub fn is_absence(&self) -> bool {
        matches!(
            self,
            ModelError::Unavailable(_)
                | ModelError::BreakerOpen
                | ModelError::Capped(_)
                | ModelError::RateLimited { .. }
                | ModelError::Refused(_)
        )
    }
}

pub type StoreResult<T> = Result<T, StoreError>;
