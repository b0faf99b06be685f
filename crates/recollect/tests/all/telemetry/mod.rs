//! Traces as a collector gets them: a real server, a scripted model, a stand-in for the collector over real HTTP.

mod collector;

use serde_json::json;
use testkit::llm::{Llm, ScriptedReply};

use self::collector::{CollectedTraces, TraceCollector};
use super::support::{Home, RunningServer};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CLIENT: &str = "b7ad6b7169203331";

/// A server that traces to this address.
fn serve(home: &Home, llm: &Llm, endpoint: Option<&str>) -> RunningServer {
    let mut command = home.command();
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("OTEL_") || name.starts_with("ANTHROPIC_") || name == "OPENAI_API_KEY" {
            command.env_remove(name);
        }
    }
    if let Some(endpoint) = endpoint {
        command.env("RECOLLECT_TELEMETRY_OTLP_ENDPOINT", endpoint);
    }
    command.env("OPENAI_BASE_URL", llm.base_url()).env("OTEL_SERVICE_NAME", "memory-of-a-test");
    RunningServer::start(command.args(["serve", "--listen", "127.0.0.1:0"]))
}

/// Says something in a trace of the client's.
fn chat(server: &RunningServer, text: &str, stream: bool) -> u16 {
    let messages = json!([{ "role": "user", "content": text }]);
    let body = json!({
        "model": "scripted-model", "user": "zenobia", "messages": messages, "stream": stream,
        "stream_options": { "include_usage": true },
    });
    let (body, length) = (body.to_string(), body.to_string().len());
    let reply = server.send(&format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         X-Recollect-Session-Id: hush-hush-{stream}\r\ntraceparent: 00-{TRACE}-{CLIENT}-01\r\nContent-Length: {length}\r\n\r\n{body}"
    ));
    reply.status
}

fn stop(server: RunningServer) -> Vec<String> {
    server.signal("TERM");
    let (code, said) = server.wait();
    assert_eq!(code, Some(0), "{said:#?}");
    said
}

#[test]
fn one_trace_leads_from_the_request_to_the_commit() {
    let (home, llm, collector) = (Home::new(), Llm::start_blocking(), TraceCollector::start());
    for stream in [true, false] {
        let server = serve(&home, &llm, Some(&collector.url()));
        llm.reply(ScriptedReply::text("Noted, sunflower.").with_usage(31, 7));
        let text = "My sister Ana is allergic to peanuts and I live in Lisbon. What do you know of me?";
        assert_eq!(chat(&server, text, stream), 200);
        // Distils what waits, and sends what is left.
        stop(server);
        let received = collector.take();
        let spans = received.in_trace(TRACE);
        let one = |name: &str| {
            spans.iter().find(|span| span.name == name).unwrap_or_else(|| {
                panic!(
                    "there is no span {name:?} among {:#?}",
                    spans.iter().map(|span| &span.name).collect::<Vec<_>>()
                )
            })
        };
        let request = one("POST /v1/chat/completions");
        assert_eq!(CollectedTraces::hex(&request.parent_span_id), CLIENT, "the client's trace goes on");
        for name in ["recognise", "recall", "chat scripted-model", "capture"] {
            assert_eq!(one(name).parent_span_id, request.span_id, "{name}");
        }
        for (name, parent) in [("gate", "recall"), ("retrieve", "recall")] {
            assert_eq!(one(name).parent_span_id, one(parent).span_id, "{name}");
        }
        // What became of the memories that were shown is noted apart from what was said.
        let said = |span: &&_| CollectedTraces::attribute(span, "recollect.captured") != "use";
        let captures: Vec<_> = spans.iter().filter(|span| span.name == "capture").filter(said).collect();
        assert_eq!(captures.len(), 2, "the question and the reply");
        let distil = one("distil");
        assert!(captures.iter().any(|capture| capture.span_id == distil.parent_span_id), "{distil:#?}");
        let commits = |parent: &[u8]| {
            spans.iter().filter(|span| span.name == "commit" && span.parent_span_id == parent).count()
        };
        assert!(commits(&distil.span_id) > 0, "what was learned is in the same trace");
        assert!(captures.iter().all(|capture| commits(&capture.span_id) > 0), "and what was said");
        assert!(distil.start_time_unix_nano >= request.start_time_unix_nano);

        let model = one("chat scripted-model");
        assert_eq!(model.kind, 3, "a client");
        let told = |name: &str| CollectedTraces::attribute(model, name);
        assert_eq!(told("gen_ai.operation.name"), "chat");
        assert_eq!(told("gen_ai.provider.name"), "openai");
        assert_eq!(told("gen_ai.request.model"), "scripted-model");
        assert_eq!(
            (told("gen_ai.usage.input_tokens"), told("gen_ai.usage.output_tokens")),
            ("31".into(), "7".into())
        );
        assert!(
            !told("gen_ai.response.model").is_empty()
                && told("gen_ai.response.finish_reasons").contains("stop")
        );
        let seen = llm.requests().last().expect("asked").clone();
        let expected = format!("00-{TRACE}-{}-01", CollectedTraces::hex(&model.span_id));
        assert_eq!(seen.header("traceparent"), expected, "the upstream gets the trace");

        assert!(received.resource().contains("memory-of-a-test"));
        for secret in ["peanuts", "Lisbon", "Ana", "sunflower", "zenobia", "hush-hush"] {
            assert!(!received.holds(secret), "{secret} is nobody's business");
        }
    }
}

#[test]
fn a_collector_that_is_away_or_ill_disturbs_nobody() {
    let (home, llm, ill) = (Home::new(), Llm::start_blocking(), TraceCollector::failing());
    for endpoint in ["http://127.0.0.1:9", &ill.url()] {
        let server = serve(&home, &llm, Some(endpoint));
        assert_eq!(chat(&server, "I live in Lisbon and my sister is called Ana.", true), 200);
        let said = stop(server);
        let warned = said.iter().filter(|line| line.contains("traces")).count();
        assert_eq!(warned, 1, "it is said once: {said:#?}");
    }
}

#[test]
fn without_a_collector_the_clients_trace_passes_by() {
    let (home, llm) = (Home::new(), Llm::start_blocking());
    let server = serve(&home, &llm, None);
    assert_eq!(chat(&server, "Hello there.", false), 200);
    assert_eq!(llm.requests()[0].header("traceparent"), format!("00-{TRACE}-{CLIENT}-01"));
    stop(server);
}

#[test]
fn probes_and_commands_tell_no_stories() {
    let (home, llm, collector) = (Home::new(), Llm::start_blocking(), TraceCollector::start());
    let server = serve(&home, &llm, Some(&collector.url()));
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(server.http(&format!("GET {path} HTTP/1.1")).status, 200);
    }
    stop(server);
    assert!(
        collector.take().names().iter().all(|name| !name.contains("GET")),
        "{:?}",
        collector.take().names()
    );
}

#[test]
fn the_common_variable_is_heeded_and_a_bad_address_is_refused() {
    let home = Home::new();
    let shown = |name: &str, value: &str| {
        super::support::ran(home.command().env(name, value).args(["config", "show"]))
    };
    let ran = shown("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318");
    let line =
        ran.stdout.lines().find(|line| line.contains("telemetry.otlpEndpoint")).expect("shown").to_owned();
    assert!(line.contains("http://127.0.0.1:4318") && line.contains("OTEL_EXPORTER_OTLP_ENDPOINT"), "{line}");
    let ran = shown("RECOLLECT_TELEMETRY_OTLP_ENDPOINT", "127.0.0.1:4318");
    assert!(ran.code == Some(2) && ran.stderr.contains("the address of a collector"), "{ran:?}");
}
