//! A language model that says what a test tells it to, over real HTTP.
//!
//! It stands in for every upstream: the OpenAI wires (chat completions, responses, completions, embeddings, models)
//! and Anthropic's (messages), whole and streamed, and it fails in every way that a real one fails. A test starts it,
//! scripts it, lets the program under test talk to it, and then reads what arrived:
//!
//! ```
//! # async fn example() {
//! use testkit::llm::{Llm, ScriptedReply, RequestMatcher};
//!
//! let llm = Llm::start().await;
//! llm.reply(ScriptedReply::text("Hello."));                                // the next answer
//! llm.when(RequestMatcher::system_contains("distil"), ScriptedReply::rate_limited(2)); // every request that matches
//! // … the program under test talks to llm.base_url() …
//! let seen = llm.wait_for(1).await;
//! assert_eq!(seen[0].last_user_text(), "Hi!");
//! # }
//! ```
//!
//! All servers of a process share one runtime of their own. A test may therefore stop its clock, block its thread or
//! run without any runtime, and the server still answers. It speaks through hyper directly, because a router cannot
//! hang up before the headers, and a real server can.

mod body;
mod reply;
mod script;
mod script_file;
mod seen;
mod serve;
mod wire;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

pub use reply::ScriptedReply;
pub use script::RequestMatcher;
pub use script_file::{FAILURES, ScriptError, failure, read_script};
pub use seen::SeenRequest;

use serve::ServerState;

/// How long a test waits for requests before it is told that they did not come.
const WAIT_LIMIT: Duration = Duration::from_secs(20);

/// Between two looks at the counters while waiting.
const WAIT_STEP: Duration = Duration::from_millis(1);

/// A running server. It stops, and its connections break, when this is dropped.
#[derive(Debug)]
pub struct Llm {
    address: SocketAddr,
    shared: Arc<ServerState>,
    accepting: Mutex<Option<JoinHandle<()>>>,
}

impl Llm {
    /// A server on a free loopback port that echoes until it is told otherwise.
    pub async fn start() -> Self {
        Self::start_blocking()
    }

    /// The same for a test without a runtime.
    pub fn start_blocking() -> Self {
        Self::start_on(0).expect("a loopback port is free")
    }

    /// A server on the given loopback port; 0 takes a free one.
    pub fn start_on(port: u16) -> std::io::Result<Self> {
        let listener = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(ServerState::default());
        let accepting = runtime().spawn(serve::accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, accepting: Mutex::new(Some(accepting)) })
    }

    /// What `OPENAI_BASE_URL` is set to: with `/v1`, without a slash at the end.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What `ANTHROPIC_BASE_URL` is set to: without `/v1`.
    pub fn root_url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Queues the answer to one coming request for text. Requests for models or embeddings do not use it up.
    pub fn reply(&self, reply: ScriptedReply) {
        self.shared.script().queue.push_back(reply);
    }

    pub fn replies(&self, replies: impl IntoIterator<Item = ScriptedReply>) {
        self.shared.script().queue.extend(replies);
    }

    /// What is answered, on every path, when no rule matches and the queue is empty. At first [`ScriptedReply::echo`].
    pub fn fallback(&self, reply: ScriptedReply) {
        self.respond_with(move |_| reply.clone());
    }

    /// Like [`Llm::fallback`], decided by looking at the request.
    pub fn respond_with(&self, respond: impl Fn(&SeenRequest) -> ScriptedReply + Send + Sync + 'static) {
        self.shared.script().fallback = Some(Arc::new(respond));
    }

    /// Answers every request that matches, before the queue is looked at; the rule that was added first wins.
    pub fn when(&self, when: RequestMatcher, reply: ScriptedReply) {
        self.shared.script().rules.push((when, reply));
    }

    /// Forgets rules, queue and fallback; what was recorded stays.
    pub fn clear_script(&self) {
        let mut script = self.shared.script();
        script.rules.clear();
        script.queue.clear();
        script.fallback = None;
    }

    /// From now on answers 401 to whoever brings another key, as `Authorization: Bearer` or `x-api-key`.
    pub fn require_key(&self, key: &str) {
        self.shared.script().key = Some(key.to_owned());
    }

    /// Calls this for each request when its body has arrived, before it is answered.
    pub fn observe(&self, observe: impl Fn(&SeenRequest) + Send + Sync + 'static) {
        self.shared.script().observer = Some(Arc::new(observe));
    }

    /// Queued answers that nobody has asked for yet.
    pub fn queued(&self) -> usize {
        self.shared.script().queue.len()
    }

    /// Everything that arrived, in the order of arrival.
    pub fn requests(&self) -> Vec<Arc<SeenRequest>> {
        self.shared.seen().clone()
    }

    /// Everything that arrived since this was last called.
    pub fn take_requests(&self) -> Vec<Arc<SeenRequest>> {
        std::mem::take(&mut *self.shared.seen())
    }

    /// Waits until so many requests are recorded and returns them.
    ///
    /// # Panics
    /// After 20 seconds, saying what did arrive.
    pub async fn wait_for(&self, count: usize) -> Vec<Arc<SeenRequest>> {
        self.wait(format!("{count} requests"), move |shared| shared.seen().len() >= count).await;
        self.requests()
    }

    /// Waits until every request has been answered to the end or given up by its client.
    ///
    /// # Panics
    /// After 20 seconds.
    pub async fn wait_until_idle(&self) {
        self.wait("the end of all requests".to_owned(), |shared| shared.counters.open_requests() == 0).await;
    }

    /// Requests that have arrived and are neither answered to the end nor given up.
    pub fn open_requests(&self) -> usize {
        self.shared.counters.open_requests()
    }

    /// Of these, the ones whose answer is being streamed.
    pub fn open_streams(&self) -> usize {
        self.shared.counters.open_streams()
    }

    /// The most streams that were ever open at the same time.
    pub fn most_open_streams(&self) -> usize {
        self.shared.counters.most_open_streams()
    }

    /// Connections that were ever accepted: fewer than the requests when the client keeps a pool.
    pub fn connections(&self) -> usize {
        self.shared.counters.connections()
    }

    /// Closes the port and breaks all connections: from now on connecting is refused.
    pub fn refuse(&self) {
        let Some(accepting) = self.accepting.lock().take() else {
            return;
        };
        accepting.abort();
        // The listener lives in the task, so the port is closed when the task is gone, which takes microseconds.
        while !accepting.is_finished() {
            std::thread::yield_now();
        }
    }

    /// Opens the same port again after [`Llm::refuse`].
    pub fn reopen(&self) {
        self.refuse();
        let listener = listen(self.address).expect("the port we had is still free");
        let accepting = runtime().spawn(serve::accept(listener, Arc::clone(&self.shared)));
        *self.accepting.lock() = Some(accepting);
    }

    /// On the server's own runtime, so that it also works while the test's clock stands still.
    async fn wait(&self, what: String, reached: impl Fn(&ServerState) -> bool + Send + 'static) {
        let shared = Arc::clone(&self.shared);
        let waiting = runtime().spawn(async move {
            let start = Instant::now();
            while !reached(&shared) {
                if start.elapsed() > WAIT_LIMIT {
                    return false;
                }
                tokio::time::sleep(WAIT_STEP).await;
            }
            true
        });
        let reached = waiting.await.expect("waiting does not panic");
        assert!(
            reached,
            "waited {WAIT_LIMIT:?} for {what}; arrived: {:?}; open: {}",
            self.requests().iter().map(|seen| seen.path.clone()).collect::<Vec<_>>(),
            self.open_requests(),
        );
    }
}

impl Drop for Llm {
    fn drop(&mut self) {
        if let Some(accepting) = self.accepting.lock().take() {
            accepting.abort();
        }
    }
}

/// Listens with a queue that is long enough for a thousand clients who connect at the same moment.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    const WAITING_CONNECTIONS: u32 = 4096;
    let _inside = runtime().enter();
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING_CONNECTIONS)
}

/// The runtime of all servers in this process; it is never shut down.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        raise_open_files_limit();
        tokio::runtime::Builder::new_multi_thread()
            .thread_name("scripted-llm")
            .enable_all()
            .build()
            .expect("threads can be started")
    })
}

/// A thousand streams are two thousand open files when the client is in the same process; many machines begin with 1,024.
fn raise_open_files_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Where it is not allowed the test that needs more fails and says why.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}
