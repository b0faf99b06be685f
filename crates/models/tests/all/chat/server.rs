//! A server that answers what it is told, byte by byte where that is the point, and remembers what it was asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use models::Timer;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with one request.
#[derive(Clone)]
pub enum ServerBehaviour {
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    /// Takes the request and says nothing.
    Silence,
    /// A sound head, then a byte now and then.
    Drip,
    /// A sound head, then more bytes than anybody wants.
    Flood(usize),
    /// Half of an answer, then the connection is closed.
    Cut,
}

impl ServerBehaviour {
    pub fn status(status: u16, body: &str) -> ServerBehaviour {
        ServerBehaviour::Answer { status, headers: Vec::new(), body: body.to_owned() }
    }

    pub fn retry_after(status: u16, header: &str) -> ServerBehaviour {
        ServerBehaviour::Answer {
            status,
            headers: vec![("retry-after", header.to_owned())],
            body: String::new(),
        }
    }

    pub fn json(body: Value) -> ServerBehaviour {
        ServerBehaviour::status(200, &body.to_string())
    }
}

#[derive(Clone)]
pub struct RecordedRequest {
    pub path: String,
    pub headers: HashMap<String, String>,
    pub body: Value,
}

pub struct ChatServer {
    pub base_url: String,
    asked: Arc<Mutex<Vec<RecordedRequest>>>,
    /// Bytes that went out, to see whether the other side stopped reading.
    pub sent: Arc<Mutex<usize>>,
}

impl ChatServer {
    /// Answers with each of the replies in turn, and with the last one from then on.
    pub async fn start(replies: Vec<ServerBehaviour>) -> ChatServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("bound"));
        let asked: Arc<Mutex<Vec<RecordedRequest>>> = Arc::default();
        let sent: Arc<Mutex<usize>> = Arc::default();
        let (list, bytes) = (asked.clone(), sent.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, replies.clone(), list.clone(), bytes.clone()));
            }
        });
        ChatServer { base_url, asked, sent }
    }

    pub fn asked(&self) -> Vec<RecordedRequest> {
        self.asked.lock().expect("not poisoned").clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    replies: Vec<ServerBehaviour>,
    asked: Arc<Mutex<Vec<RecordedRequest>>>,
    sent: Arc<Mutex<usize>>,
) {
    let Some(request) = read(&mut stream).await else { return };
    let index = {
        let mut asked = asked.lock().expect("not poisoned");
        asked.push(request);
        asked.len() - 1
    };
    let reply = replies.get(index).or(replies.last()).expect("at least one reply").clone();
    // A client that goes away is among what is tested.
    let _ = answer(&mut stream, reply, &sent).await;
}

async fn answer(stream: &mut TcpStream, reply: ServerBehaviour, sent: &Mutex<usize>) -> std::io::Result<()> {
    let head = |length: usize| {
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
        )
    };
    match reply {
        ServerBehaviour::Answer { status, headers, body } => {
            let extra: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let length = body.len();
            let text = format!(
                "HTTP/1.1 {status} Told\r\n{extra}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
            stream.write_all(text.as_bytes()).await?;
            stream.shutdown().await
        }
        ServerBehaviour::Silence => {
            tokio::time::sleep(Duration::from_secs(30)).await;
            Ok(())
        }
        ServerBehaviour::Drip => {
            stream.write_all(head(100_000).as_bytes()).await?;
            loop {
                stream.write_all(b" ").await?;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        ServerBehaviour::Flood(bytes) => {
            stream.write_all(head(bytes).as_bytes()).await?;
            let chunk = vec![b' '; 64 * 1024];
            while *sent.lock().expect("not poisoned") < bytes {
                stream.write_all(&chunk).await?;
                *sent.lock().expect("not poisoned") += chunk.len();
            }
            Ok(())
        }
        ServerBehaviour::Cut => {
            stream.write_all(head(1_000).as_bytes()).await?;
            stream.write_all(b"{\"choices\": [").await?;
            stream.shutdown().await
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<RecordedRequest> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let mut lines = head.lines();
            let path = lines.next()?.split(' ').nth(1)?.to_owned();
            let pairs = lines.filter_map(|line| line.split_once(": "));
            let headers: HashMap<String, String> =
                pairs.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
            let length: usize = headers.get("content-length")?.parse().ok()?;
            if bytes.len() >= end + 4 + length {
                let body = serde_json::from_slice(&bytes[end + 4..end + 4 + length]).ok()?;
                return Some(RecordedRequest { path, headers, body });
            }
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&buffer[..read]),
        }
    }
}

/// Time that passes only when somebody says so, or sleeps.
#[derive(Default)]
pub struct ManualTimer {
    now: Mutex<Duration>,
    pub slept: Mutex<Vec<Duration>>,
}

impl ManualTimer {
    pub fn advance(&self, by: Duration) {
        *self.now.lock().expect("not poisoned") += by;
    }

    /// The waits so far, in milliseconds.
    pub fn waits(&self) -> Vec<u128> {
        self.slept.lock().expect("not poisoned").iter().map(Duration::as_millis).collect()
    }
}

#[async_trait]
impl Timer for ManualTimer {
    fn elapsed(&self) -> Duration {
        *self.now.lock().expect("not poisoned")
    }

    fn unix_seconds(&self) -> i64 {
        784_111_777 // Sun, 06 Nov 1994 08:49:37 GMT
    }

    async fn sleep(&self, duration: Duration) {
        self.slept.lock().expect("not poisoned").push(duration);
        self.advance(duration);
    }
}
