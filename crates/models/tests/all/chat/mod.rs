//! Clients of models against a server that misbehaves in every way we know of.

mod failures;
mod server;
mod wires;

use std::sync::Arc;
use std::time::Duration;

use memory::error::ModelError;
use memory::ports::{ChatModel, Completion, Prompt};
use models::{ChatClient, ChatClients, ProviderSecret, Upstream, UpstreamWire, Upstreams};
use serde_json::{Value, json};

use server::{ChatServer, ManualTimer, ServerBehaviour};

const KEY: &str = "sk-very-secret";

/// A server with its clients.
struct ChatBench {
    server: ChatServer,
    upstream: Upstream,
    clients: ChatClients,
    timer: Arc<ManualTimer>,
}

impl ChatBench {
    async fn new(wire: UpstreamWire, replies: Vec<ServerBehaviour>) -> ChatBench {
        let server = ChatServer::start(replies).await;
        let upstream = Upstream::new("test", wire, &server.base_url).with_key(ProviderSecret::new(KEY));
        let upstream = Upstream { timeout: Duration::from_secs(10), ..upstream };
        let timer = Arc::new(ManualTimer::default());
        let clients = ChatClients::with_timer(Upstreams::new(vec![upstream.clone()], None), timer.clone());
        ChatBench { server, upstream, clients, timer }
    }

    /// A client for itself, as each tenant has one.
    fn client(&self) -> ChatClient {
        self.clients.client(&self.upstream, "some-model")
    }

    async fn ask(&self) -> Result<Completion, ModelError> {
        self.client().complete(prompt(None)).await
    }

    /// How often the server was asked.
    fn count(&self) -> usize {
        self.server.asked().len()
    }
}

fn prompt(schema: Option<&Value>) -> Prompt<'_> {
    Prompt { task: "distil", system: "You distil.", user: "A private matter.", schema, max_tokens: 500 }
}

fn openai_says(text: &str) -> ServerBehaviour {
    ServerBehaviour::json(json!({
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 },
    }))
}

/// An error must not give away what it is about.
fn check_discreet(error: &ModelError) {
    let said = format!("{error} {error:?}");
    assert!(!said.contains(KEY) && !said.contains("private matter") && !said.contains("127.0.0.1"), "{said}");
}
