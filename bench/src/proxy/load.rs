//! The client's side: requests over kept connections, timed to the first and to the last byte of the answer.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// What is asked, and of whom.
#[derive(Clone)]
pub struct LoadRequest {
    pub address: SocketAddr,
    pub headers: Vec<(&'static str, String)>,
    /// The user's message; `{n}` becomes the number of the request, so that no two are the same.
    pub message: &'static str,
    pub stream: bool,
}

/// How long one answer took.
#[derive(Debug, Clone, Copy)]
pub struct AnswerTimes {
    pub first_byte: Duration,
    pub whole: Duration,
}

/// One connection, kept open as client libraries keep theirs.
pub struct Connection {
    sender: SendRequest<Full<Bytes>>,
}

impl Connection {
    pub async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream =
            TcpStream::connect(address).await.with_context(|| format!("no connection to {address}"))?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // It ends when the sender is dropped; what goes wrong before that, the request says.
        tokio::spawn(async move { connection.await.ok() });
        Ok(Self { sender })
    }

    pub async fn ask(&mut self, asked: &LoadRequest, number: u64) -> anyhow::Result<AnswerTimes> {
        self.send(request(asked, number)?).await
    }

    /// Sends any request and reads the whole answer, which must be one that says yes.
    pub async fn send(&mut self, request: Request<Full<Bytes>>) -> anyhow::Result<AnswerTimes> {
        let start = Instant::now();
        self.sender.ready().await?;
        let mut answer = self.sender.send_request(request).await?;
        let status = answer.status();
        let mut first_byte = None;
        let mut bytes = 0;
        while let Some(frame) = answer.frame().await {
            if let Ok(data) = frame?.into_data() {
                bytes += data.len();
                first_byte.get_or_insert_with(|| start.elapsed());
            }
        }
        ensure!(status.is_success() && bytes > 0, "the answer was {status} with {bytes} bytes");
        Ok(AnswerTimes { first_byte: first_byte.unwrap_or_default(), whole: start.elapsed() })
    }
}

impl Connection {
    /// The whole answer as text.
    pub async fn text(&mut self, request: Request<Full<Bytes>>) -> anyhow::Result<String> {
        self.sender.ready().await?;
        let answer = self.sender.send_request(request).await?;
        let bytes = answer.into_body().collect().await?.to_bytes();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn request(asked: &LoadRequest, number: u64) -> anyhow::Result<Request<Full<Bytes>>> {
    let message = asked.message.replace("{n}", &number.to_string());
    let body = serde_json::json!({
        "model": "scripted-1",
        "stream": asked.stream,
        "messages": [{ "role": "user", "content": message }],
    });
    let mut request = Request::post("/v1/chat/completions")
        .header("host", asked.address.to_string())
        .header("content-type", "application/json")
        .header("authorization", "Bearer key-of-the-client");
    for (name, value) in &asked.headers {
        request = request.header(*name, value);
    }
    Ok(request.body(Full::from(body.to_string()))?)
}

/// Answers a second of `connections` clients, each asking again as soon as it was answered.
pub async fn rate(asked: &LoadRequest, connections: usize, time: Duration, base: u64) -> anyhow::Result<f64> {
    let start = Instant::now();
    let until = start + time;
    let mut tasks = Vec::new();
    for place in 0..connections as u64 {
        let asked = asked.clone();
        tasks.push(tokio::spawn(async move {
            let mut connection = Connection::open(asked.address).await?;
            let mut done = 0_u64;
            while Instant::now() < until {
                connection.ask(&asked, base + place * 1_000_000 + done).await?;
                done += 1;
            }
            anyhow::Ok(done)
        }));
    }
    let mut done = 0;
    for task in tasks {
        done += task.await??;
    }
    Ok(done as f64 / start.elapsed().as_secs_f64())
}
