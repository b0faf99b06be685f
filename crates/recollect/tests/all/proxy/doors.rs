//! What a key must not reach through us: addresses beside the upstream's, what others sent, and the key itself; and a request
//! that comes round to ourselves.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use models::{ProviderSecret, Upstream, UpstreamWire, Upstreams};
use recollect::core_model::Models;
use recollect::ops::audit::AuditList;
use recollect::ops::keys::KeyCreate;
use serde_json::json;

use super::super::support::Home;
use super::{PATIENT, ProxyAnswer, Rig, answer, serve, user};

/// Both wires, with a key of the operator's.
async fn shared() -> Rig {
    Rig::with(|house| {
        let base = house.models.upstreams().all()[0].base_url.clone();
        let keyed = |name: &str, wire| {
            Upstream::new(name, wire, &base).with_key(ProviderSecret::new("sk-operator-SECRET"))
        };
        let list = vec![keyed("a", UpstreamWire::OpenAi), keyed("b", UpstreamWire::Anthropic)];
        house.models = Arc::new(Models::new(Upstreams::new(list, None)));
    })
    .await
}

async fn key(rig: &Rig, role: &str, agents: &[&str]) -> String {
    let request = json!({ "role": role, "agents": agents });
    let created = rig.ask(serde_json::from_value::<KeyCreate>(request).expect("a request")).await;
    created.key.reveal().to_owned()
}

/// Writes the request as it is: clients tidy addresses before they send them.
fn raw(rig: &Rig, method: &str, path: &str, key: &str) -> (u16, String) {
    let address = rig.url.trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&address).expect("connected");
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nx-recollect-key: {key}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("an answer");
    let status = reply.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, reply)
}

async fn attacked(rig: &Rig, method: &'static str, path: &'static str, key: &str) -> (u16, String) {
    let before = rig.llm.requests().len();
    let result = tokio::task::block_in_place(|| raw(rig, method, path, key));
    assert_eq!(rig.llm.requests().len(), before, "{method} {path} reached the upstream: {}", result.1);
    result
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_address_leads_out_of_the_interface() {
    let rig = shared().await;
    for (role, agents) in [("read", ["alpha"].as_slice()), ("memory", &["alpha"]), ("admin", &[])] {
        let key = key(&rig, role, agents).await;
        for (method, path) in [
            ("DELETE", "/v1/responses/../files/file-1"),
            ("POST", "/v1/responses/../fine_tuning/jobs"),
            ("GET", "/v1/messages/../organizations/users"),
            ("POST", "/v1/responses/../../api/pull"),
            ("GET", "/v1/models/../../admin"),
            ("DELETE", "/v1/responses/%2e%2e/files/file-1"),
            ("DELETE", "/v1/responses/%2E%2e/files/file-1"),
            ("DELETE", "/v1/responses/.%2e/files/file-1"),
            ("DELETE", "/v1/responses/%252e%252e/files/file-1"),
            ("DELETE", "/v1/responses/..%2ffiles%2ffile-1"),
            ("DELETE", "/v1/responses/..%5cfiles"),
            ("DELETE", "/v1/responses/..\\files"),
            ("GET", "/v1/models/..%2f..%2fadmin"),
            ("GET", "/v1/messages/./batches"),
        ] {
            let (status, reply) = attacked(&rig, method, path, &key).await;
            assert!((400..=404).contains(&status), "{role} {method} {path}: {reply}");
            assert!(!reply.contains("SECRET"), "{reply}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_a_shared_key_nobody_sees_what_others_sent_and_readers_change_nothing() {
    let rig = shared().await;
    let (reader, writer) = (key(&rig, "read", &["alpha"]).await, key(&rig, "memory", &[]).await);
    for (method, path) in [
        ("GET", "/v1/messages/batches"),
        ("GET", "/v1/messages/batches/b1/results"),
        ("POST", "/v1/messages/batches"),
        ("POST", "/v1/responses/compact"),
    ] {
        for key in [&reader, &writer] {
            let (status, reply) = attacked(&rig, method, path, key).await;
            assert_eq!(status, 403, "{method} {path}: {reply}");
        }
    }
    for (method, path) in [("DELETE", "/v1/responses/resp_1"), ("POST", "/v1/responses/resp_1/cancel")] {
        assert_eq!(attacked(&rig, method, path, &reader).await.0, 403, "{method} {path}");
        let before = rig.llm.requests().len();
        tokio::task::block_in_place(|| raw(&rig, method, path, &writer));
        assert_eq!(rig.llm.requests().len(), before + 1, "{method} {path} passes for whoever may write");
    }
    let before = rig.llm.requests().len();
    tokio::task::block_in_place(|| raw(&rig, "GET", "/v1/responses/resp_1", &reader));
    tokio::task::block_in_place(|| raw(&rig, "POST", "/v1/messages/count_tokens", &reader));
    assert_eq!(rig.llm.requests().len(), before + 2, "a reader reads and counts");
    let audit =
        rig.ask(serde_json::from_value::<AuditList>(json!({ "limit": 100 })).expect("a request")).await;
    let rows = serde_json::to_value(&audit).expect("JSON").to_string();
    let passes = rows.matches("\"Pass\"").count();
    assert!(passes >= 14, "each decision is in the record: {passes} in {rows}");
}

#[tokio::test]
async fn an_agents_key_passes_for_its_own_agent_alone() {
    let rig = Rig::new().await;
    let key = key(&rig, "memory", &["alpha"]).await;
    let get = async |agent: &str| -> ProxyAnswer {
        let request = rig.client.get(format!("{}/v1/responses/resp_1", rig.url));
        answer(request.header("x-recollect-key", &key).header("x-recollect-agent-id", agent)).await
    };
    assert_eq!(get("beta").await.status, 403);
    assert_eq!(rig.llm.requests().len(), 0);
    get("alpha").await;
    assert_eq!(rig.llm.requests().len(), 1);
}

#[tokio::test]
async fn our_key_goes_nowhere_however_it_is_sent() {
    let rig = Rig::new().await;
    let key = key(&rig, "memory", &[]).await;
    let basic = format!("Basic {}", STANDARD.encode(format!("user:{key}")));
    let cookie = format!("theme=dark; key={key}");
    for (name, value) in [
        ("authorization", key.clone()),
        ("authorization", format!("Bearer {key}")),
        ("authorization", basic),
        ("authorization", format!("ApiKey {key}")),
        ("x-api-key", key.clone()),
        ("api-key", key.clone()),
        ("x-goog-api-key", key.clone()),
        ("cookie", cookie),
    ] {
        // The first value is the provider's, the second one ours.
        let request = rig.post("/v1/chat/completions").header("x-recollect-key", &key);
        let request = request.header("x-api-key", "sk-theirs").header("authorization", "Bearer sk-theirs");
        let answer = answer(request.header(name, &value).body(user("Hello.").to_string())).await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.text());
        let seen = rig.seen();
        let shown = seen.headers.iter().filter(|(_, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            let decoded = value.strip_prefix("Basic ").and_then(|text| STANDARD.decode(text).ok());
            value.contains("rk_")
                || decoded.is_some_and(|text| String::from_utf8_lossy(&text).contains("rk_"))
        });
        assert_eq!(shown.count(), 0, "{name}: {value} in {:?}", seen.headers);
        assert_eq!(seen.header("x-api-key"), "sk-theirs", "{name}: theirs goes on");
        assert_eq!(seen.header("authorization"), "Bearer sk-theirs", "{name}: theirs goes on");
    }
}

#[tokio::test]
async fn a_request_that_comes_round_is_refused_in_the_clients_dialect() {
    let rig = Rig::new().await;
    assert_eq!(rig.chat(&user("Hello.")).await.status, 200);
    let way = rig.seen().header("x-recollect-hop").to_owned();
    assert_eq!(way, *rig.house.instance);
    for (path, pointer) in [
        ("/v1/chat/completions", "/error/code"),
        ("/v1/responses", "/error/code"),
        ("/v1/messages", "/error/code"),
        ("/v1/embeddings", "/error/code"),
    ] {
        let before = rig.llm.requests().len();
        let request = rig.post(path).header("x-recollect-hop", format!("other, {way}"));
        let refused =
            answer(request.body(json!({ "model": "m", "messages": [], "input": "x" }).to_string())).await;
        let body = refused.json();
        assert_eq!(
            (refused.status, body.pointer(pointer)),
            (508, Some(&json!("loop_detected"))),
            "{path}: {body}"
        );
        assert_eq!(body.get("type").is_some(), path == "/v1/messages", "{body}");
        assert_eq!(rig.llm.requests().len(), before);
    }
    let passing = rig.post("/v1/chat/completions").header("x-recollect-hop", "other");
    assert_eq!(answer(passing.body(user("Hello.").to_string())).await.status, 200);
    assert_eq!(rig.seen().header("x-recollect-hop"), format!("other, {way}"));
}

#[tokio::test]
async fn two_servers_that_lead_to_each_other_end_the_circle() {
    let (one, other) = (Rig::new().await, Rig::new().await);
    let lead = |house: &mut recollect::ops::Services, url: &str| {
        let upstream = Upstream::new("other", UpstreamWire::OpenAi, &format!("{url}/v1"));
        house.models = Arc::new(Models::new(Upstreams::new(vec![upstream], None)));
    };
    let mut second = other.house.clone();
    lead(&mut second, &one.url);
    let (url, serving) = serve(&second, PATIENT).await;
    let mut first = one.house.clone();
    lead(&mut first, &url);
    let (entry, entering) = serve(&first, PATIENT).await;
    // The second leads to the first rig's server, which is the same house under another address.
    let request = one.client.post(format!("{entry}/v1/chat/completions")).body(user("Hello.").to_string());
    let reply =
        tokio::time::timeout(super::super::support::PATIENCE, answer(request)).await.expect("it ends");
    assert_eq!((reply.status, reply.json()["error"]["code"].as_str()), (508, Some("loop_detected")));
    serving.abort();
    entering.abort();
}

#[test]
fn a_server_that_is_its_own_upstream_does_not_start() {
    let home = Home::new();
    // A port that was free a moment ago.
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").port();
    for host in ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"] {
        let mut command = home.command();
        command.args(["serve", "--listen", &format!("127.0.0.1:{port}")]);
        command.env_remove("OPENAI_API_KEY").env("OPENAI_BASE_URL", format!("http://{host}:{port}/v1"));
        let output = command.output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains("is this server itself"), "{host}: {told}");
    }
}

/// Beside chats there is more that clients of the same address ask for, and memory has no part in it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_memory_has_no_part_in_goes_to_the_upstream_as_it_is() {
    let rig = Rig::new().await;
    for path in ["completions", "moderations", "images/generations", "audio/speech", "files", "batches"] {
        let body = json!({ "model": "m", "input": "My name is Mara." }).to_string();
        rig.llm.fallback(testkit::llm::ScriptedReply::json(json!({ "fine": path })));
        let answer = answer(rig.post(&format!("/v1/{path}")).body(body.clone())).await;
        assert_eq!((answer.status, &answer.json()["fine"]), (200, &json!(path)), "{}", answer.text());
        assert_eq!(
            (rig.seen().path.as_str(), rig.seen().text().as_ref()),
            (format!("/v1/{path}").as_str(), body.as_str())
        );
    }
    assert!(rig.sessions().await.is_empty(), "nothing is kept");
    // Under the operator's key what is kept there is everybody's, and stays closed.
    let shared = shared().await;
    let reader = key(&shared, "read", &[]).await;
    let writer = key(&shared, "memory", &[]).await;
    shared.llm.fallback(testkit::llm::ScriptedReply::json(json!({ "fine": true })));
    for (method, path, key, status) in [
        ("POST", "/v1/completions", &writer, 200),
        ("POST", "/v1/completions", &reader, 403),
        ("GET", "/v1/files", &writer, 403),
        ("GET", "/v1/files/file-1/content", &writer, 403),
        ("POST", "/v1/batches", &writer, 403),
    ] {
        assert_eq!(raw(&shared, method, path, key).0, status, "{method} {path}");
    }
}

/// Sound and pictures come as forms, in which the model is a field.
#[tokio::test]
async fn a_form_goes_to_the_upstream_that_its_model_names() {
    let other = testkit::llm::Llm::start().await;
    let rig = Rig::with(|house| {
        let here = house.models.upstreams().all()[0].base_url.clone();
        let list = [("usual", here), ("groq", other.base_url())];
        let list = list.map(|(name, base)| Upstream::new(name, UpstreamWire::OpenAi, &base));
        house.models = Arc::new(Models::new(Upstreams::new(list.to_vec(), Some("usual"))));
    })
    .await;
    let form = |model: &str| {
        let sound =
            "--cut\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\nRIFF\r\n";
        let name = "--cut\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\n";
        format!("{sound}{name}{model}\r\n--cut--\r\n")
    };
    for (model, asked, named) in [("groq/whisper", &other, "whisper"), ("whisper-1", &rig.llm, "whisper-1")] {
        asked.fallback(testkit::llm::ScriptedReply::json(json!({ "text": "Hello." })));
        let request = rig.client.post(format!("{}/v1/audio/transcriptions", rig.url));
        let request = request.header("content-type", "multipart/form-data; boundary=cut").body(form(model));
        let answer = answer(request).await;
        assert_eq!((answer.status, &answer.json()["text"]), (200, &json!("Hello.")), "{}", answer.text());
        let seen = asked.requests().last().expect("it was asked").clone();
        assert_eq!(
            (seen.path.as_str(), seen.text().as_ref()),
            ("/v1/audio/transcriptions", form(named).as_str())
        );
    }
}
