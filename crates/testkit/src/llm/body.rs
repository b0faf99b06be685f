//! The body of an answer: ready-made pieces, with time between them and an end that may be a bad one.
//!
//! Everything is rendered before the first byte goes out, so a piece costs neither a lock nor an allocation, and
//! thousands of streams can run at once. When the body is dropped early, the client has hung up.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::time::Sleep;

use super::SeenRequest;
use super::serve::{ServerCounters, ServerState};

/// Long enough for what was written before to leave, so that a break comes after it and not instead of it.
const BEFORE_BREAK: Duration = Duration::from_millis(10);

/// How the pieces end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Complete,
    Break,
    Hang,
}

/// The connection is to be broken here.
#[derive(Debug, thiserror::Error)]
#[error("the script breaks the connection here")]
pub(super) struct BrokenConnection;

impl From<Infallible> for BrokenConnection {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Watches over one request from its arrival until its answer's last byte or the client's hanging up.
pub(super) struct RequestWatch {
    seen: Arc<SeenRequest>,
    shared: Arc<ServerState>,
    streaming: bool,
    finished: bool,
}

impl RequestWatch {
    pub fn new(seen: Arc<SeenRequest>, shared: Arc<ServerState>) -> Self {
        shared.counters.request_begins();
        Self { seen, shared, streaming: false, finished: false }
    }

    pub fn streams(&mut self) {
        self.streaming = true;
        self.counters().stream_begins();
    }

    /// The script itself ends the connection here: nobody has hung up.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    fn counters(&self) -> &ServerCounters {
        &self.shared.counters
    }
}

impl Drop for RequestWatch {
    fn drop(&mut self) {
        // First how it ended, then the counters: whoever sees the server idle can rely on the former.
        self.seen.end(self.finished);
        if self.streaming {
            self.counters().stream_ends();
        }
        self.counters().request_ends();
    }
}

pub(super) struct ScriptedBody {
    pieces: std::vec::IntoIter<Bytes>,
    remaining_bytes: u64,
    started: bool,
    between: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
    last: Last,
    watch: RequestWatch,
}

impl ScriptedBody {
    pub fn new(pieces: Vec<Bytes>, between: Duration, last: Last, watch: RequestWatch) -> Self {
        let remaining_bytes = pieces.iter().map(|piece| piece.len() as u64).sum();
        Self {
            pieces: pieces.into_iter(),
            remaining_bytes,
            started: false,
            between,
            sleep: None,
            last,
            watch,
        }
    }

    /// Waits once for the given time; calling it again after that is ready at once and waits anew.
    fn rest(&mut self, time: Duration, context: &mut Context<'_>) -> Poll<()> {
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
        ready!(sleep.as_mut().poll(context));
        self.sleep = None;
        Poll::Ready(())
    }

    fn poll_last(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenConnection>>> {
        match self.last {
            Last::Complete => {
                self.watch.finish();
                Poll::Ready(None)
            }
            Last::Hang => Poll::Pending,
            Last::Break => {
                ready!(self.rest(BEFORE_BREAK, context));
                self.watch.finish();
                Poll::Ready(Some(Err(BrokenConnection)))
            }
        }
    }
}

impl Body for ScriptedBody {
    type Data = Bytes;
    type Error = BrokenConnection;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenConnection>>> {
        if self.pieces.len() == 0 {
            return self.poll_last(context);
        }
        if self.started && !self.between.is_zero() {
            let between = self.between;
            ready!(self.rest(between, context));
        }
        self.started = true;
        let piece = self.pieces.next().unwrap_or_default();
        self.remaining_bytes -= piece.len() as u64;
        if self.pieces.len() == 0 && self.last == Last::Complete {
            self.watch.finish();
        }
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.last == Last::Complete && self.pieces.len() == 0
    }

    /// A stream's length is not known to its server either, so that it goes out in HTTP chunks.
    fn size_hint(&self) -> SizeHint {
        if self.watch.streaming || self.last != Last::Complete {
            return SizeHint::default();
        }
        SizeHint::with_exact(self.remaining_bytes)
    }
}
