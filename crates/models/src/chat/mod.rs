//! Asking a model of an upstream for one answer, with everything that can go wrong on the way.
//!
//! ```text
//! breaker → request → (wait, again) → answer          once more with less, where the server does not take something
//! ```
//!
//! Only what certainly failed for a passing reason is tried again: not reached, cut off, 429, 5xx. A refused key or a wrong
//! request stays wrong, and an answer that took too long would take too long again. Errors carry neither the key nor the
//! prompt nor the server's own words.

pub mod breaker;
mod clients;
mod exchange;
pub mod retry;
mod timer;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use memory::error::ModelError;
use memory::ports::{ChatModel, Completion, Prompt};
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::{Upstream, limits};
pub use breaker::BreakerState;
pub use clients::ChatClients;
use clients::ModelState;
use exchange::ExchangeFailure;
pub use timer::{SystemTimer, Timer};
use wire::Manners;

/// One model of one upstream.
pub struct ChatClient {
    upstream: Arc<Upstream>,
    model: String,
    name: String,
    /// What everybody who calls this model knows of it.
    lane: Arc<ModelState>,
    timer: Arc<dyn Timer>,
}

impl ChatClient {
    pub fn upstream(&self) -> &Upstream {
        &self.upstream
    }

    pub fn breaker(&self) -> BreakerState {
        self.lane.breaker.state(self.timer.elapsed())
    }

    /// With fewer demands each time the server says that it does not take one.
    async fn negotiate(&self, prompt: &Prompt<'_>) -> Result<Completion, CallFailure> {
        let known = self.lane.manners();
        let mut manners = known;
        loop {
            let refused = match self.insist(prompt, manners).await {
                Ok(completion) => {
                    // Only what is seen to work is remembered: a refusal may have been about this one request.
                    if manners != known {
                        self.lane.remember(manners);
                    }
                    return Ok(completion);
                }
                Err(failed) => failed,
            };
            let next = match &refused {
                CallFailure::Exchange(ExchangeFailure::Status { status: 400 | 422, explanation, .. }) => {
                    manners.after(explanation, self.upstream.wire)
                }
                _ => None,
            };
            manners = next.ok_or(refused)?;
        }
    }

    /// Again, after a wait, where that may help.
    async fn insist(&self, prompt: &Prompt<'_>, manners: Manners) -> Result<Completion, CallFailure> {
        let wire = self.upstream.wire;
        let body = wire::body(wire, &self.model, prompt, manners).to_string().into_bytes();
        for tries in 1.. {
            match self.once(body.clone()).await {
                Ok(answer) => return wire::read(wire, &answer, prompt).map_err(CallFailure::Answer),
                Err(failure) => match worth_waiting(&failure).and_then(|asked| retry::wait(tries, asked)) {
                    Some(wait) => self.timer.sleep(wait).await,
                    None => return Err(CallFailure::Exchange(failure)),
                },
            }
        }
        unreachable!("the waits come to an end")
    }

    async fn once(&self, body: Vec<u8>) -> Result<Vec<u8>, ExchangeFailure> {
        let mut headers = HeaderMap::new();
        self.upstream.dress(&mut headers);
        let url = self.upstream.url(wire::path(self.upstream.wire));
        exchange::post(&url, headers, body, self.upstream.timeout, self.timer.unix_seconds()).await
    }
}

#[async_trait]
impl ChatModel for ChatClient {
    fn name(&self) -> &str {
        &self.name
    }

    async fn complete(&self, prompt: Prompt<'_>) -> Result<Completion, ModelError> {
        if let (None, Some(variable)) = (&self.upstream.key, &self.upstream.key_variable) {
            return Err(ModelError::Refused(format!("the variable {variable} is not set")));
        }
        let permit = self.lane.breaker.admit(self.timer.elapsed()).ok_or(ModelError::BreakerOpen)?;
        let outcome = self.negotiate(&prompt).await;
        match &outcome {
            Err(failed) if failed.is_the_servers() => permit.failed(self.timer.elapsed()),
            _ => permit.succeeded(),
        }
        outcome.map_err(CallFailure::into_error)
    }
}

/// Why a call came to nothing.
enum CallFailure {
    Exchange(ExchangeFailure),
    /// It answered, with something that is of no use.
    Answer(ModelError),
}

impl CallFailure {
    /// Whether it says that the server is ill, and not that the request or the key is wrong.
    fn is_the_servers(&self) -> bool {
        match self {
            CallFailure::Exchange(ExchangeFailure::Network(_) | ExchangeFailure::Slow) => true,
            CallFailure::Exchange(ExchangeFailure::Status { status, .. }) => *status == 429 || *status >= 500,
            CallFailure::Exchange(ExchangeFailure::Large) | CallFailure::Answer(_) => false,
        }
    }

    fn into_error(self) -> ModelError {
        match self {
            CallFailure::Answer(error) => error,
            CallFailure::Exchange(ExchangeFailure::Network(why)) => ModelError::Unavailable(why.to_owned()),
            CallFailure::Exchange(ExchangeFailure::Slow) => ModelError::TimedOut,
            CallFailure::Exchange(ExchangeFailure::Large) => {
                ModelError::BadAnswer(format!("it is longer than {} bytes", limits::ANSWER_BYTES))
            }
            CallFailure::Exchange(ExchangeFailure::Status { status, asked, explanation }) => {
                of_status(status, asked, &explanation)
            }
        }
    }
}

fn of_status(status: u16, asked: Option<Duration>, explanation: &str) -> ModelError {
    let parsed: Value = serde_json::from_str(explanation).unwrap_or_default();
    let said =
        format!("the server answered {status}{}", wire::class(parsed.get("error").unwrap_or(&Value::Null)));
    match status {
        401..=403 => ModelError::Refused(said),
        408 => ModelError::TimedOut,
        429 => ModelError::RateLimited { retry_after_seconds: asked.map(|asked| asked.as_secs()) },
        // A name or an address that is not there: nothing that was asked is to blame, so it waits for an operator.
        404 | 405 | 410 | 300..=399 | 500.. => ModelError::Unavailable(said),
        _ => ModelError::BadAnswer(said),
    }
}

/// Whether to try again and, in that case, what the server asked to be waited for.
fn worth_waiting(failure: &ExchangeFailure) -> Option<Option<Duration>> {
    match failure {
        ExchangeFailure::Network(_) => Some(None),
        ExchangeFailure::Status { status, asked, .. } if *status == 429 || *status >= 500 => Some(*asked),
        ExchangeFailure::Status { .. } | ExchangeFailure::Slow | ExchangeFailure::Large => None,
    }
}
