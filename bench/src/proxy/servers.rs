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
