//! What the server counts, for Prometheus: every name in one table, and a function for each thing that happens.
//!
//! Counters and histograms are written where something happens; gauges are read from their owners when somebody asks. No
//! label holds what anybody said, nor who they are: routes as they are declared, words of closed lists, and the names that
//! an operator gave to upstreams and models. `docs/metrics.md` explains each; a test holds the page and the table together.

use std::sync::OnceLock;
use std::time::Duration;

use ::metrics::{Unit, counter, gauge, histogram};
use memory::types::{JudgedBy, Judgement, ProcessingOutcome, Step};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use models::BreakerState;

use crate::ops::Services;

/// One name, what kind of number it is and what it means.
pub struct Metric {
    pub name: &'static str,
    pub kind: MetricKind,
    pub labels: &'static [&'static str],
    pub about: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    Counter,
    Gauge,
    /// Of seconds.
    Histogram,
}

macro_rules! table {
    ($( $constant:ident = $name:literal, $kind:ident, [$($label:literal),*], $about:literal; )+) => {
        $( const $constant: &str = $name; )+

        /// Everything that is exported.
        pub const TABLE: &[Metric] = &[ $( Metric {
            name: $name, kind: MetricKind::$kind, labels: &[$($label),*], about: $about,
        } ),+ ];
    };
}

table! {
    REQUESTS = "recollect_requests_total", Counter, ["method", "route", "status"],
        "Requests answered, by declared route and status.";
    REQUEST_SECONDS = "recollect_request_seconds", Histogram, ["route"],
        "Time until a request's answer began.";
    GATE = "recollect_gate_decisions_total", Counter, ["section"],
        "What the gate chose for chat messages; none means that memory added nothing.";
    RECALL_SECONDS = "recollect_recall_seconds", Histogram, [],
        "Time that the read path took of a chat request, before it went upstream.";
    READS_MISSED = "recollect_reads_missed_total", Counter, ["stage", "reason"],
        "Chat requests that went on with less memory than they should have had.";
    INJECTED_TOKENS = "recollect_injected_tokens_total", Counter, ["kind"],
        "Tokens put into prompts: new blocks, and blocks of earlier turns put back in place.";
    INJECTED_MEMORIES = "recollect_injected_memories_total", Counter, [],
        "Memories newly put into prompts.";
    PREFIXES = "recollect_prefixes_total", Counter, ["outcome"],
        "Continued conversations whose prompt began as the one before (hit) or not (miss).";
    LINES_LEFT_OUT = "recollect_lines_left_out_total", Counter, [],
        "Lines of memory for which the budget of a conversation had no room.";
    ZONES_REFUSED = "recollect_time_zones_refused_total", Counter, [],
        "Chats whose header named a time zone that there is not; they went on without it.";
    PLACEMENTS_REFUSED = "recollect_placements_refused_total", Counter, ["upstream", "outcome"],
        "Requests with memory in them that an upstream refused and that were tried once more without it.";
    CAPTURED = "recollect_captured_turns_total", Counter, ["role"],
        "Turns stored from chats, each once.";
    CAPTURE_LOSSES = "recollect_capture_losses_total", Counter, ["reason"],
        "Messages or replies that should have been stored and were not.";
    CAPTURES_LATE = "recollect_captures_late_total", Counter, [],
        "Replies that were stored only after their answer had gone out.";
    CONVERSATIONS_LATE = "recollect_conversations_late_total", Counter, [],
        "Chats whose conversation was recognised only after they had gone on, and that were stored then.";
    UNSTORED = "recollect_unstored_writes", Gauge, [],
        "Messages and replies of chats that wait to be stored or are being stored.";
    PARTIALS = "recollect_partial_replies_total", Counter, [],
        "Replies stored as partial: cut off, or too long to keep whole.";
    SIDE_CALLS = "recollect_side_calls_total", Counter, [],
        "Requests that a client made for itself, such as titles, and that memory left alone.";
    CHATS_UNDER_WAY = "recollect_chats_under_way", Gauge, [],
        "Chat requests whose answer has not come to its end.";
    UPSTREAM_SECONDS = "recollect_upstream_seconds", Histogram, ["upstream"],
        "Time from sending a request upstream until its answer began.";
    UPSTREAM_ANSWERS = "recollect_upstream_answers_total", Counter, ["upstream", "status"],
        "Answers of upstreams, by status.";
    UPSTREAM_FAILURES = "recollect_upstream_failures_total", Counter, ["upstream", "reason"],
        "Requests that got no answer from their upstream.";
    QUEUE = "recollect_learning_queue_sessions", Gauge, [],
        "Sessions that wait to be distilled or ended.";
    DISTILLATIONS = "recollect_distillations_total", Counter, ["outcome"],
        "Passes over sessions, by what came of them.";
    FEEDBACK = "recollect_feedback_total", Counter, ["judgement", "source"],
        "What became of memories that were recalled, and who says so.";
    FEEDBACK_LOSSES = "recollect_feedback_losses_total", Counter, ["reason"],
        "Replies whose use of memories could not be judged or counted.";
    UPKEEP_RUNS = "recollect_upkeep_runs_total", Counter, ["outcome"],
        "Passes of upkeep that ended, and those that were put off.";
    UPKEEP_CHANGES = "recollect_upkeep_changes_total", Counter, ["step"],
        "What the steps of upkeep did: memories, digests, links or rows.";
    UPKEEP_SECONDS = "recollect_upkeep_portion_seconds", Histogram, ["step"],
        "Time that a portion of a step of upkeep took, its commit included.";
    PURGED = "recollect_purged_total", Counter, ["kind"],
        "What purges took away for good, by kind.";
    MODEL_CALLS = "recollect_model_calls_total", Counter, ["task", "outcome"],
        "Calls of models that memory made for itself.";
    BREAKER = "recollect_breaker_state", Gauge, ["model"],
        "Whether a model is called (0), probed (1) or left alone (2).";
    CONTEXT_CACHE = "recollect_context_cache_total", Counter, ["outcome"],
        "Contexts found ready (hit) or made (miss).";
    CONTEXTS_KEPT = "recollect_context_cache_entries", Gauge, [],
        "Contexts kept for the same question asked again.";
    OPEN_TENANTS = "recollect_open_tenants", Gauge, [],
        "Tenants whose stores are open.";
    STORE_QUEUE = "recollect_store_queued_batches", Gauge, [],
        "Writes that wait for a commit.";
    STORE_COMMITS = "recollect_store_commits_total", Counter, [],
        "Commits, each with a sync where durability is full.";
    STORE_BATCHES = "recollect_store_batches_total", Counter, [],
        "Writes committed; several share a commit.";
}

/// Seconds at which histograms are cut: a gate takes microseconds, a recall milliseconds, a model minutes.
const BUCKETS: &[f64] = &[
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0,
];

/// The one recorder of the process, made when it is first asked for.
pub fn recorder() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), BUCKETS)
            .expect("the buckets are not empty")
            .build_recorder();
        let handle = recorder.handle();
        if ::metrics::set_global_recorder(recorder).is_err() {
            tracing::error!("another recorder was installed first; /metrics stays empty");
        }
        for metric in TABLE {
            describe(metric);
        }
        handle
    })
}

fn describe(metric: &Metric) {
    match metric.kind {
        MetricKind::Counter => ::metrics::describe_counter!(metric.name, metric.about),
        MetricKind::Gauge => ::metrics::describe_gauge!(metric.name, metric.about),
        MetricKind::Histogram => ::metrics::describe_histogram!(metric.name, Unit::Seconds, metric.about),
    }
}

/// Reads the gauges and writes everything in the text format of Prometheus.
pub fn render(house: &Services) -> String {
    let handle = recorder();
    let gauges = house.tenants.gauges();
    gauge!(OPEN_TENANTS).set(gauges.open_tenants as f64);
    gauge!(STORE_QUEUE).set(gauges.queued_batches as f64);
    counter!(STORE_COMMITS).absolute(gauges.commits);
    counter!(STORE_BATCHES).absolute(gauges.batches);
    gauge!(UNSTORED).set(house.backlog.unstored() as f64);
    gauge!(QUEUE).set(house.worker.as_ref().map_or(0, |worker| worker.waiting()) as f64);
    let (hits, misses) = house.contexts.hits_and_misses();
    counter!(CONTEXT_CACHE, "outcome" => "hit").absolute(hits);
    counter!(CONTEXT_CACHE, "outcome" => "miss").absolute(misses);
    gauge!(CONTEXTS_KEPT).set(house.contexts.len() as f64);
    for (model, state) in house.models.breakers() {
        let state = match state {
            BreakerState::Closed => 0.0,
            BreakerState::HalfOpen => 1.0,
            BreakerState::Open => 2.0,
        };
        gauge!(BREAKER, "model" => model).set(state);
    }
    handle.render()
}

pub fn request(method: &str, route: &str, status: u16, took: Duration) {
    // A method that somebody made up must not become a label.
    let known = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    let method = known.into_iter().find(|known| *known == method).unwrap_or("other");
    let labels = [("method", method.to_owned()), ("route", route.to_owned()), ("status", status.to_string())];
    counter!(REQUESTS, &labels).increment(1);
    histogram!(REQUEST_SECONDS, "route" => route.to_owned()).record(took.as_secs_f64());
}

pub fn gate(section: &'static str) {
    counter!(GATE, "section" => section).increment(1);
}

pub fn recalled(took: Duration) {
    histogram!(RECALL_SECONDS).record(took.as_secs_f64());
}

/// A stage of the read path was late or failed, and the request goes on without it.
pub fn read_missed(stage: &'static str, reason: &'static str) {
    counter!(READS_MISSED, "stage" => stage, "reason" => reason).increment(1);
}

pub fn injected(new_tokens: u64, replayed_tokens: u64, memories: u64) {
    counter!(INJECTED_TOKENS, "kind" => "new").increment(new_tokens);
    counter!(INJECTED_TOKENS, "kind" => "replayed").increment(replayed_tokens);
    counter!(INJECTED_MEMORIES).increment(memories);
}

pub fn prefix(hit: bool) {
    counter!(PREFIXES, "outcome" => if hit { "hit" } else { "miss" }).increment(1);
}

pub fn lines_left_out(lines: u64) {
    counter!(LINES_LEFT_OUT).increment(lines);
}

/// A chat named a time zone that there is not.
pub fn zone_refused() {
    counter!(ZONES_REFUSED).increment(1);
}

/// A request with memory in it was refused and tried again without.
pub fn placement_refused(upstream: &str, outcome: &'static str) {
    counter!(PLACEMENTS_REFUSED, "upstream" => upstream.to_owned(), "outcome" => outcome).increment(1);
}

pub fn captured(role: &'static str, turns: u64) {
    counter!(CAPTURED, "role" => role).increment(turns);
}

pub fn capture_lost(reason: &'static str) {
    counter!(CAPTURE_LOSSES, "reason" => reason).increment(1);
}

/// The server leaves before these were stored.
pub fn captures_cut_off(writes: u64) {
    counter!(CAPTURE_LOSSES, "reason" => "shutdown").increment(writes);
}

pub fn conversation_late() {
    counter!(CONVERSATIONS_LATE).increment(1);
}

pub fn capture_late() {
    counter!(CAPTURES_LATE).increment(1);
}

pub fn partial() {
    counter!(PARTIALS).increment(1);
}

pub fn side_call() {
    counter!(SIDE_CALLS).increment(1);
}

/// A chat is under way until this is dropped.
pub struct UnderWay;

pub fn chat_begins() -> UnderWay {
    gauge!(CHATS_UNDER_WAY).increment(1);
    UnderWay
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        gauge!(CHATS_UNDER_WAY).decrement(1);
    }
}

pub fn upstream_answered(upstream: &str, status: u16, took: Duration) {
    let labels = [("upstream", upstream.to_owned()), ("status", status.to_string())];
    counter!(UPSTREAM_ANSWERS, &labels).increment(1);
    histogram!(UPSTREAM_SECONDS, "upstream" => upstream.to_owned()).record(took.as_secs_f64());
}

pub fn upstream_failed(upstream: &str, reason: &'static str) {
    counter!(UPSTREAM_FAILURES, "upstream" => upstream.to_owned(), "reason" => reason).increment(1);
}

/// A pass over a session ended; of `skipped:why` and the like only the first word counts.
pub fn distilled(distillation: &str) {
    let words = ["distilled", "no_signals", "skipped", "empty", "dead_letter", "error"];
    let outcome = words.into_iter().find(|word| distillation.starts_with(word)).unwrap_or("other");
    counter!(DISTILLATIONS, "outcome" => outcome).increment(1);
}

pub fn judged(judgement: Judgement, by: JudgedBy) {
    counter!(FEEDBACK, "judgement" => judgement.as_str(), "source" => by.as_str()).increment(1);
}

pub fn feedback_lost(reason: &'static str) {
    counter!(FEEDBACK_LOSSES, "reason" => reason).increment(1);
}

/// A portion of a step of upkeep is done.
pub fn tended(step: Step, changes: u64, took: Duration) {
    counter!(UPKEEP_CHANGES, "step" => step.as_str()).increment(changes);
    histogram!(UPKEEP_SECONDS, "step" => step.as_str()).record(took.as_secs_f64());
}

/// A pass of upkeep is over: `done`, `failed`, or `put_off` to be tried again.
pub fn upkeep_ended(outcome: &'static str) {
    counter!(UPKEEP_RUNS, "outcome" => outcome).increment(1);
}

/// A purge took away so many of these.
pub fn purged(kind: &str, count: u64) {
    counter!(PURGED, "kind" => kind.to_owned()).increment(count);
}

pub fn model_called(task: &'static str, outcome: ProcessingOutcome) {
    let outcome = match outcome {
        ProcessingOutcome::Succeeded => "succeeded",
        ProcessingOutcome::Failed => "failed",
        ProcessingOutcome::Skipped => "skipped",
    };
    counter!(MODEL_CALLS, "task" => task, "outcome" => outcome).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ours_and_end_in_their_unit() {
        for metric in TABLE {
            assert!(metric.name.starts_with("recollect_"), "{}", metric.name);
            assert_eq!(
                metric.kind == MetricKind::Counter,
                metric.name.ends_with("_total"),
                "{}",
                metric.name
            );
            assert_eq!(
                metric.kind == MetricKind::Histogram,
                metric.name.ends_with("_seconds"),
                "{}",
                metric.name
            );
        }
    }

    #[test]
    fn the_page_and_the_table_name_the_same() {
        let page = include_str!("../../../docs/metrics.md");
        let row = |line: &'static str| line.strip_prefix("| `")?.split('`').next();
        let mut explained: Vec<&str> = page.lines().filter_map(row).collect();
        let mut exported: Vec<&str> = TABLE.iter().map(|metric| metric.name).collect();
        explained.sort_unstable();
        exported.sort_unstable();
        assert_eq!(explained, exported);
        for metric in TABLE {
            let line = page.lines().find(|line| row(line) == Some(metric.name)).expect("just compared");
            let labels = metric.labels.iter().all(|label| line.contains(&format!("`{label}`")));
            assert!(labels, "{} has labels {:?}", metric.name, metric.labels);
        }
    }
}
