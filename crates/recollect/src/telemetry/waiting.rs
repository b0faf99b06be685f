//! Which requests the turns of a session came with, for as long as they wait to be distilled.
//!
//! A pass happens a minute later, in another task, over what several requests brought. Its span goes on in the trace of the
//! last of them, and is linked to the others. In memory only: after a restart a pass is a trace of its own.

use std::collections::HashMap;
use std::sync::Arc;

use memory::trace::TARGET;
use memory::types::{SessionKey, TenantId, TenantSession};
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, TraceContextExt};
use parking_lot::{Mutex, MutexGuard};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::{TracePlace, is_on};
use crate::limits;

/// The traces of sessions that wait, of one server. Empty while nobody traces.
#[derive(Debug, Default)]
pub struct WaitingTraces {
    /// Shared by those who capture and those who distil; held for a look-up.
    sessions: Mutex<HashMap<TenantSession, Vec<SpanContext>>>,
}

/// A pass over a session, as it is traced.
pub struct TracedPass {
    pub span: Span,
    taken: Option<(TenantSession, Vec<SpanContext>)>,
    waiting: Arc<WaitingTraces>,
}

impl WaitingTraces {
    fn sessions(&self) -> MutexGuard<'_, HashMap<TenantSession, Vec<SpanContext>>> {
        self.sessions.lock()
    }

    /// The session got turns in the trace that is under way here.
    pub fn remember(&self, tenant: &TenantId, key: &SessionKey) {
        if let Some(here) = TracePlace::here().context() {
            self.add((tenant.clone(), key.clone()), [here]);
        }
    }

    fn add(&self, name: TenantSession, contexts: impl IntoIterator<Item = SpanContext>) {
        let mut sessions = self.sessions();
        if sessions.len() >= limits::WAITING_SESSIONS && !sessions.contains_key(&name) {
            return;
        }
        let kept = sessions.entry(name).or_default();
        for context in contexts {
            // One request brings a question and a reply.
            kept.retain(|other| other.trace_id() != context.trace_id());
            kept.push(context);
        }
        let excess = kept.len().saturating_sub(limits::TRACES_LINKED);
        kept.drain(..excess);
    }

    /// Begins to trace a pass, in the trace of the request that last brought something to distil.
    pub fn distil(self: &Arc<Self>, tenant: &TenantId, key: &SessionKey) -> TracedPass {
        let pass = |span, taken| TracedPass { span, taken, waiting: Arc::clone(self) };
        if !is_on() {
            return pass(Span::none(), None);
        }
        let name = (tenant.clone(), key.clone());
        let taken = self.sessions().remove(&name).unwrap_or_default();
        let Some((last, earlier)) = taken.split_last() else {
            return pass(tracing::info_span!(target: TARGET, "distil"), None);
        };
        let asked_by = TracePlace::here().context();
        let span = tracing::info_span!(target: TARGET, parent: None, "distil");
        // It can only fail for a span that has begun or that nobody looks at.
        let _ = span.set_parent(Context::new().with_remote_span_context(last.clone()));
        for other in earlier.iter().chain(&asked_by) {
            if other.trace_id() != last.trace_id() {
                span.add_link(other.clone());
            }
        }
        pass(span, Some((name, taken)))
    }
}

impl TracedPass {
    /// How it ended, in the words of [`crate::learning::PassOutcome`], of which only the first is told. One that did not take
    /// place is remembered for the next.
    pub fn ended(self, distillation: &str, is_put_off: bool) {
        if self.span.is_disabled() {
            return;
        }
        let word = distillation.split(':').next().unwrap_or_default().to_owned();
        if matches!(word.as_str(), "error" | "dead_letter") {
            super::spans::failed(&self.span, &word);
        }
        self.span.set_attribute("recollect.distillation", word);
        if let Some((name, contexts)) = self.taken.filter(|_| is_put_off) {
            self.waiting.add(name, contexts);
        }
    }
}
