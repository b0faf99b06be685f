//! The answer on its way to the client: every byte passes as it came, and a copy is followed.
//!
//! Pull-based: nothing is read from the upstream before the client's connection wants more, so a slow reader slows the
//! upstream and never fills memory; dropping the body drops the upstream's connection, which cancels the request. The
//! only thing ever held back is the end: the line that ends a stream, or the last piece of a whole answer, waits until
//! the reply is stored, or for [`limits::CAPTURE_WAIT`]. After that the reply is stored behind the answer, as long as there is
//! room for what waits ([`Backlog`]); where there is none the end waits on. So a slow store never holds up more than an end,
//! and never loses a reply that went out.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use chat::Dialect;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;
use tracing::Span;

use crate::backlog::Backlog;
use crate::limits;
use crate::metrics::{self, UnderWay};
use crate::telemetry::AnswerWatch;
use chat::collect::{CollectedReply, ReplyCollector};

/// What is to be done with the reply once it is known: the last step of the path. Runs by itself, whoever waits for it.
pub trait ReplySink: Send + 'static {
    /// Begins to keep the reply, or takes note that there was none. `whole`: the answer came to its proper end.
    fn keep(self, reply: Option<CollectedReply>, whole: bool) -> Keeping;
}

/// A reply that is being kept. Dropped, it goes on behind the answer, as what a client left behind.
pub struct Keeping {
    /// Gone once it needs nobody any longer.
    stored: Option<JoinHandle<()>>,
    bytes: usize,
    backlog: Backlog,
}

impl Keeping {
    /// `bytes`: how much waits as long as it is not stored.
    pub fn new(stored: JoinHandle<()>, bytes: usize, backlog: Backlog) -> Self {
        Self { stored: Some(stored), bytes, backlog }
    }

    /// Waits until the reply is stored, or until it is late and there is room for what waits.
    async fn before_the_end(mut self) {
        let Some(stored) = &mut self.stored else { return };
        if tokio::time::timeout(limits::CAPTURE_WAIT, &mut *stored).await.is_ok() {
            self.stored = None;
            return;
        }
        metrics::capture_late();
        let room = tokio::select! {
            biased;
            _ = stored => None,
            room = self.backlog.room(self.bytes) => Some(room),
        };
        if let (Some(room), Some(stored)) = (room, self.stored.take()) {
            tokio::spawn(holding(room, stored));
        }
        self.stored = None;
    }
}

impl Drop for Keeping {
    fn drop(&mut self) {
        if let Some(stored) = self.stored.take() {
            left_behind(stored, self.bytes, &self.backlog);
        }
    }
}

/// Lets a task go on that no client waits for, where there is room for what it holds.
pub fn left_behind<T: Send + 'static>(stored: JoinHandle<T>, bytes: usize, backlog: &Backlog) {
    if stored.is_finished() || tokio::runtime::Handle::try_current().is_err() {
        return;
    }
    match backlog.room_left_behind(bytes) {
        Some(room) => drop(tokio::spawn(holding(room, stored))),
        None => {
            stored.abort();
            metrics::capture_lost("busy");
            tracing::warn!("what a client left behind found no room and was not stored");
        }
    }
}

/// Keeps the room until the task is over.
async fn holding<T>(room: OwnedSemaphorePermit, stored: JoinHandle<T>) {
    // A task that failed has said so itself.
    let _ = stored.await;
    drop(room);
}

/// A body that is passed on and followed.
pub struct Tee<B, K: ReplySink> {
    upstream: B,
    /// Gone once the reply has been handed over; never there for an answer that nobody keeps.
    following: Option<(ReplyCollector, K)>,
    is_stream: bool,
    /// Taken from the upstream and not yet given on.
    held: Option<Bytes>,
    /// Under way: the reply is being kept.
    settling: Option<PendingSettle>,
    ended: bool,
    /// For the trace of the model's answer, which lasts as long.
    watch: AnswerWatch,
    _under_way: UnderWay,
}

type PendingSettle = Pin<Box<dyn Future<Output = ()> + Send>>;

impl<B, K: ReplySink> Tee<B, K> {
    pub fn new(
        upstream: B,
        dialect: Dialect,
        is_stream: bool,
        keeper: Option<K>,
        under_way: UnderWay,
    ) -> Self {
        let following = keeper.map(|keeper| (ReplyCollector::new(dialect, is_stream), keeper));
        Self {
            upstream,
            following,
            is_stream,
            held: None,
            settling: None,
            ended: false,
            watch: AnswerWatch::nothing(),
            _under_way: under_way,
        }
    }

    /// Tells a trace of the answer.
    pub fn watched(mut self, span: Span) -> Self {
        self.watch = AnswerWatch::new(span, self.is_stream);
        self
    }

    /// Hands the reply over; what comes back is over when it is kept, or when the client has waited long enough.
    fn settle(&mut self) {
        let Some((collector, keeper)) = self.following.take() else { return };
        let whole = collector.has_ended();
        self.settling = Some(Box::pin(keeper.keep(collector.reply(), whole).before_the_end()));
    }

    /// Takes note of a piece; gives what may go on at once.
    fn follow(&mut self, data: Bytes) -> Option<Bytes> {
        self.watch.feed(&data);
        let Some((collector, _)) = &mut self.following else { return Some(data) };
        let end = collector.feed(&data);
        if !self.is_stream {
            return self.held.replace(data);
        }
        let Some(end) = end else { return Some(data) };
        let before = data.slice(..end);
        self.held = Some(data.slice(end..));
        self.settle();
        (!before.is_empty()).then_some(before)
    }
}

impl<B, K> Body for Tee<B, K>
where
    B: Body<Data = Bytes> + Unpin,
    K: ReplySink + Unpin,
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = &mut *self;
        loop {
            if let Some(settling) = &mut this.settling {
                ready!(settling.as_mut().poll(context));
                this.settling = None;
            }
            if this.following.is_none()
                && let Some(held) = this.held.take()
            {
                return Poll::Ready(Some(Ok(Frame::data(held))));
            }
            if this.ended {
                return Poll::Ready(None);
            }
            match ready!(Pin::new(&mut this.upstream).poll_frame(context)) {
                // Trailers are the connection's business, and nobody announced them to this client.
                Some(Ok(frame)) => {
                    if let Some(data) = frame.into_data().ok().and_then(|data| this.follow(data)) {
                        return Poll::Ready(Some(Ok(Frame::data(data))));
                    }
                }
                // The upstream broke off: so does the answer, and what came of it is partial.
                Some(Err(error)) => {
                    this.ended = true;
                    this.watch.broke();
                    this.settle();
                    this.settling = None;
                    return Poll::Ready(Some(Err(error)));
                }
                None => {
                    this.ended = true;
                    if let Some((collector, _)) = &mut this.following {
                        collector.end();
                    }
                    this.settle();
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        let over = self.ended || (self.following.is_none() && self.upstream.is_end_stream());
        over && self.held.is_none() && self.settling.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        // Of what is still to come from the upstream; what is held comes on top and is known.
        let held = self.held.as_ref().map_or(0, |held| held.len() as u64);
        let mut hint = self.upstream.size_hint();
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + held);
        }
        hint.set_lower(hint.lower() + held);
        hint
    }
}

/// The client went away, or the upstream's connection broke: what came until then is kept as partial.
impl<B, K: ReplySink> Drop for Tee<B, K> {
    fn drop(&mut self) {
        // Outside a runtime the process is ending, and nobody could keep anything.
        let can_keep = tokio::runtime::Handle::try_current().is_ok();
        if let Some((collector, keeper)) = self.following.take().filter(|_| can_keep) {
            let whole = collector.has_ended();
            drop(keeper.keep(collector.reply(), whole));
        }
    }
}

/// A body whose bytes are passed on and not looked at.
pub fn plain<B>(upstream: B) -> axum::body::Body
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    axum::body::Body::new(upstream.map_err(Into::into))
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::convert::Infallible;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::{Duration, Instant};

    use super::*;

    /// A body of given pieces.
    struct Pieces(VecDeque<&'static str>);

    impl Body for Pieces {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(Bytes::from_static(piece.as_bytes())))))
        }
    }

    /// Takes some time, and then says what it was given.
    struct Slow(Duration, Sender<Option<CollectedReply>>, Backlog);

    impl ReplySink for Slow {
        fn keep(self, reply: Option<CollectedReply>, _: bool) -> Keeping {
            let stored = tokio::spawn(async move {
                tokio::time::sleep(self.0).await;
                // Who is no longer interested has dropped the other end.
                let _ = self.1.send(reply);
            });
            Keeping::new(stored, 1, self.2)
        }
    }

    fn tee(
        pieces: &[&'static str],
        is_stream: bool,
        takes: Duration,
    ) -> (Tee<Pieces, Slow>, Receiver<Option<CollectedReply>>) {
        tee_in(&Backlog::default(), pieces, is_stream, takes)
    }

    fn tee_in(
        backlog: &Backlog,
        pieces: &[&'static str],
        is_stream: bool,
        takes: Duration,
    ) -> (Tee<Pieces, Slow>, Receiver<Option<CollectedReply>>) {
        let (sender, receiver) = channel();
        let keeper = Slow(takes, sender, backlog.clone());
        let pieces = Pieces(pieces.iter().copied().collect());
        (Tee::new(pieces, Dialect::Chat, is_stream, Some(keeper), UnderWay), receiver)
    }

    const HALF: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"He\"}}]}\n\n";
    const END: &str = ": bye\n\ndata: [DONE]\n\n";

    #[tokio::test]
    async fn the_end_of_a_stream_waits_for_the_reply_to_be_kept() {
        let (mut body, kept) = tee(&[HALF, END], true, Duration::from_millis(5));
        let mut next = async || body.frame().await.expect("more").expect("fine").into_data().expect("data");
        assert_eq!(next().await, HALF);
        assert_eq!(next().await, ": bye\n\n");
        assert!(kept.try_recv().is_err());
        assert_eq!(next().await, "data: [DONE]\n\n");
        let reply = kept.try_recv().expect("kept before the end went out").expect("a reply");
        assert!(!reply.partial && reply.message["content"] == "He");
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn a_slow_keeper_holds_up_only_the_end_and_not_for_long() {
        for (pieces, is_stream) in [(vec![HALF, END], true), (vec!["{\"choices\":", "[]}"], false)] {
            let (body, _kept) = tee(&pieces, is_stream, Duration::from_secs(60));
            let start = Instant::now();
            let bytes = body.collect().await.expect("whole").to_bytes();
            assert_eq!(bytes, pieces.concat());
            assert!(start.elapsed() < Duration::from_secs(5));
        }
    }

    #[tokio::test]
    async fn without_room_the_end_waits_and_the_reply_is_kept() {
        let backlog = Backlog::of_bytes(limits::UNSTORED_LEAST_BYTES);
        let (first, _kept) = tee_in(&backlog, &[HALF, END], true, Duration::from_secs(60));
        first.collect().await.expect("there is room for one");
        let (mut second, kept) = tee_in(&backlog, &[HALF, END], true, Duration::from_millis(300));
        let mut pieces = 0;
        while let Ok(piece) = tokio::time::timeout(Duration::from_millis(100), second.frame()).await {
            piece.expect("not the end").expect("fine");
            pieces += 1;
        }
        assert!(pieces == 2 && kept.try_recv().is_err(), "everything but the end came: {pieces}");
        assert_eq!(second.collect().await.expect("the end").to_bytes(), "data: [DONE]\n\n");
        assert!(kept.try_recv().expect("kept before the end went out").is_some());
    }

    #[tokio::test]
    async fn the_last_piece_of_a_whole_answer_waits() {
        let (mut body, kept) =
            tee(&["{\"choices\":[{\"message\":", "{\"content\":\"Hi\"}}]}"], false, Duration::ZERO);
        assert!(body.frame().await.expect("more").is_ok());
        assert!(kept.try_recv().is_err());
        assert!(body.frame().await.expect("more").is_ok());
        assert_eq!(kept.try_recv().expect("kept").expect("a reply").message["content"], "Hi");
        assert!(body.frame().await.is_none());
    }

    #[tokio::test]
    async fn a_body_that_is_dropped_was_partial() {
        let (mut body, kept) = tee(&[HALF, END], true, Duration::ZERO);
        assert!(body.frame().await.expect("more").is_ok());
        drop(body);
        let reply = tokio::task::spawn_blocking(move || kept.recv_timeout(Duration::from_secs(5)));
        assert!(reply.await.expect("joined").expect("kept").expect("a reply").partial);
    }
}
