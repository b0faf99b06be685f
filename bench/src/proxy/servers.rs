//! The servers that are measured, each a process of its own, as in life.
//!
//! The upstream answers at once with the same bytes, so that what is measured is the way there and back. The bare
//! pass-through is what a proxy costs that does nothing: axum in front, reqwest behind, the body handed on as it comes.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::serve::ListenerExt;

/// Events of a streamed answer.
const EVENTS: usize = 20;

/// How long a server may take to start. LiteLLM imports for half a minute on a busy machine.
const START_WITHIN: Duration = Duration::from_secs(180);

/// Linux counts a process's time a hundred times a second.
const MILLISECONDS_A_TICK: f64 = 10.0;

/// A server whose instructions are counted by callgrind; it ends with this.
pub struct InstructionCount {
    server: BenchServer,
    folder: tempfile::TempDir,
}

impl InstructionCount {
    pub fn start(binary: &Path, data: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=counts"]);
        command.arg(std::path::absolute(binary)?);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log-level", "warn", "--data"]).arg(data);
        command.env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1").env("OPENAI_API_KEY", "x");
        command.current_dir(folder.path()).stderr(Stdio::piped());
        let server =
            BenchServer::reading(&mut command, |child| Box::new(child.stderr.take().expect("piped")))
                .context("valgrind does not start; it is Debian's package of that name")?;
        Ok(Self { server, folder })
    }

    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    pub fn begin(&self) -> anyhow::Result<()> {
        self.control(&["-i", "on"])?;
        self.control(&["-z"])
    }

    /// Instructions since the beginning.
    pub fn end(&self) -> anyhow::Result<u64> {
        self.control(&["-d"])?;
        self.control(&["-i", "off"])?;
        let mut newest = None;
        for entry in std::fs::read_dir(self.folder.path())? {
            let entry = entry?;
            let written = entry.metadata()?.modified()?;
            if newest.as_ref().is_none_or(|(before, _)| written >= *before) {
                newest = Some((written, entry.path()));
            }
        }
        let (_, path) = newest.context("callgrind wrote no counts")?;
        let text = std::fs::read_to_string(&path)?;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("totals: ").or_else(|| line.strip_prefix("summary: ")));
        line.and_then(|count| count.trim().parse().ok()).context("no sum in what callgrind wrote")
    }

    fn control(&self, what: &[&str]) -> anyhow::Result<()> {
        let mut command = Command::new("callgrind_control");
        let done = command.args(what).arg(self.server.child.id().to_string()).output()?;
        if !done.status.success() {
            bail!("callgrind_control {what:?}: {}", String::from_utf8_lossy(&done.stderr));
        }
        Ok(())
    }
}

/// A server under way; it ends with this.
pub struct BenchServer {
    child: Child,
    pub address: SocketAddr,
}

impl Drop for BenchServer {
    fn drop(&mut self) {
        // It may have ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl BenchServer {
    /// This program as one of the two servers below; it prints its address.
    pub fn own(role: &str, upstream: Option<SocketAddr>) -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("serve-for-proxy").arg(role).args(upstream.map(|upstream| upstream.to_string()));
        Self::reading(command.stdout(Stdio::piped()), |child| Box::new(child.stdout.take().expect("piped")))
    }

    pub fn recollect(binary: &Path, data: &Path, upstream: SocketAddr) -> anyhow::Result<Self> {
        let mut command = Command::new(binary);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log-level", "warn", "--data"]).arg(data);
        command.env("OPENAI_BASE_URL", format!("http://{upstream}/v1")).env("OPENAI_API_KEY", "x");
        Self::reading(command.stderr(Stdio::piped()), |child| Box::new(child.stderr.take().expect("piped")))
            .with_context(|| format!("{} does not start", binary.display()))
    }

    /// Milliseconds that the processor has worked for it, in its own code and in the system's.
    pub fn cpu_milliseconds(&self) -> anyhow::Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name may have spaces; the fields behind it have none.
        let fields: Vec<&str> =
            stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        Ok((ticks(11) + ticks(12)) * MILLISECONDS_A_TICK)
    }

    pub fn resident_mebibytes(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
        Ok(kibibytes.unwrap_or(0.0) / 1_024.0)
    }

    /// LiteLLM's proxy, from the Python environment that has it.
    pub fn litellm(python: &Path, folder: &Path, upstream: SocketAddr) -> anyhow::Result<Self> {
        let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let config = folder.join("litellm.yaml");
        std::fs::write(
            &config,
            format!(
                "model_list:\n  - model_name: scripted-1\n    litellm_params:\n      model: openai/scripted-1\n      \
                 api_base: http://{upstream}/v1\n      api_key: x\n"
            ),
        )?;
        let mut command = Command::new(python.with_file_name("litellm"));
        command.args([
            "--host",
            "127.0.0.1",
            "--port",
            &port.to_string(),
            "--telemetry",
            "False",
            "--config",
        ]);
        command
            .arg(&config)
            .env("LITELLM_LOG", "ERROR")
            .env("LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY", "true")
            .env("NO_DOCS", "True")
            .env("DISABLE_ADMIN_UI", "True");
        let child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().context("LiteLLM does not start")?;
        let mut server = Self { child, address: SocketAddr::from(([127, 0, 0, 1], port)) };
        let until = Instant::now() + START_WITHIN;
        while std::net::TcpStream::connect(server.address).is_err() {
            if Instant::now() > until || server.child.try_wait()?.is_some() {
                bail!("LiteLLM's proxy did not come up");
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(server)
    }

    /// Starts a program that says `http://ADDRESS` on a line, and hears the rest of what it says, so that it never waits for us.
    fn reading(
        command: &mut Command,
        pipe: impl Fn(&mut Child) -> Box<dyn std::io::Read + Send>,
    ) -> anyhow::Result<Self> {
        let mut child = command.stdin(Stdio::null()).spawn()?;
        let mut lines = BufReader::new(pipe(&mut child)).lines();
        for line in &mut lines {
            let line = line?;
            let Some((_, rest)) = line.split_once("http://") else { continue };
            let address: String = rest.chars().take_while(|letter| !letter.is_whitespace()).collect();
            let address = address.parse().with_context(|| format!("no address in {line:?}"))?;
            std::thread::spawn(move || lines.for_each(drop));
            return Ok(Self { child, address });
        }
        bail!("it ended without saying where it listens")
    }
}

/// `bench serve-for-proxy upstream | bare ADDRESS`: what the child processes run.
pub async fn serve(role: &str, upstream: Option<SocketAddr>) -> anyhow::Result<()> {
    let router = match (role, upstream) {
        ("upstream", _) => Router::new().route("/v1/chat/completions", post(answer)),
        ("bare", Some(upstream)) => Router::new()
            .route("/v1/chat/completions", post(pass))
            .with_state((models::http::client(), format!("http://{upstream}/v1/chat/completions"))),
        _ => bail!("expected `upstream` or `bare ADDRESS`"),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    // As every server that streams does; otherwise the last write waits for an acknowledgement of the one before.
    let listener = listener.tap_io(|connection| drop(connection.set_nodelay(true)));
    axum::serve(listener, router).await?;
    Ok(())
}

async fn answer(body: Bytes) -> Response {
    let streams = body.windows(13).any(|window| window == b"\"stream\":true");
    if !streams {
        let text = r#"{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"scripted-1","choices":[{"index":0,"message":{"role":"assistant","content":"All is well."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}"#;
        return ([(header::CONTENT_TYPE, "application/json")], text).into_response();
    }
    let event = |number: usize| {
        let delta =
            if number == 0 { r#"{"role":"assistant","content":""}"# } else { r#"{"content":" word"}"# };
        let finish = if number + 1 == EVENTS { r#""stop""# } else { "null" };
        format!(
            "data: {{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"scripted-1\",\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n"
        )
    };
    let events = (0..EVENTS).map(event).chain(["data: [DONE]\n\n".to_owned()]);
    let chunks = events.map(|event| Ok::<_, std::convert::Infallible>(Bytes::from(event)));
    let body = Body::from_stream(tokio_stream::iter(chunks.collect::<Vec<_>>()));
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

async fn pass(
    State((client, address)): State<(reqwest::Client, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut request = client.post(address).body(body);
    for name in [header::CONTENT_TYPE, header::AUTHORIZATION] {
        if let Some(value) = headers.get(&name) {
            request = request.header(name, value);
        }
    }
    match request.send().await {
        Ok(answer) => {
            let mut response = Response::builder().status(answer.status());
            if let Some(kind) = answer.headers().get(header::CONTENT_TYPE) {
                response = response.header(header::CONTENT_TYPE, kind);
            }
            let body = Body::from_stream(answer.bytes_stream());
            response.body(body).unwrap_or_else(|_| StatusCode::BAD_GATEWAY.into_response())
        }
        Err(_) => StatusCode::BAD_GATEWAY.into_response(),
    }
}
