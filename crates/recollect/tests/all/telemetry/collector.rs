//! A stand-in for an OpenTelemetry collector: takes OTLP over HTTP, and shows what came.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::AnyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use parking_lot::Mutex;
use prost::Message;

pub struct TraceCollector {
    address: SocketAddr,
    bodies: Arc<Mutex<Vec<Vec<u8>>>>,
}

/// What came since the last look.
pub struct CollectedTraces {
    bodies: Vec<Vec<u8>>,
    requests: Vec<ExportTraceServiceRequest>,
}

impl TraceCollector {
    pub fn start() -> TraceCollector {
        Self::answering("200 OK")
    }

    /// One that takes nothing.
    pub fn failing() -> TraceCollector {
        Self::answering("400 Bad Request")
    }

    fn answering(status: &'static str) -> TraceCollector {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        let bodies = Arc::new(Mutex::default());
        let kept = Arc::clone(&bodies);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || serve(stream, status, &kept));
            }
        });
        TraceCollector { address, bodies }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn take(&self) -> CollectedTraces {
        let bodies = std::mem::take(&mut *self.bodies.lock());
        let read =
            |body: &Vec<u8>| ExportTraceServiceRequest::decode(body.as_slice()).expect("OTLP in protobuf");
        let requests = bodies.iter().map(read).collect();
        CollectedTraces { bodies, requests }
    }
}

/// One connection, which may bring several batches.
fn serve(stream: TcpStream, status: &str, bodies: &Mutex<Vec<Vec<u8>>>) {
    let mut answers = stream.try_clone().expect("cloned");
    let mut reader = BufReader::new(stream);
    loop {
        let (mut line, mut length, mut head) = (String::new(), 0, String::new());
        while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
            let lower = line.to_ascii_lowercase();
            length = lower
                .strip_prefix("content-length:")
                .map_or(length, |text| text.trim().parse().expect("a number"));
            head.push_str(&lower);
            line.clear();
        }
        if head.is_empty() {
            return;
        }
        assert!(head.starts_with("post /v1/traces") && head.contains("application/x-protobuf"), "{head}");
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
        bodies.lock().push(body);
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
        if answers.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

impl CollectedTraces {
    fn spans(&self) -> impl Iterator<Item = &Span> {
        let scopes = self
            .requests
            .iter()
            .flat_map(|request| &request.resource_spans)
            .flat_map(|spans| &spans.scope_spans);
        scopes.flat_map(|scope| &scope.spans)
    }

    pub fn in_trace(&self, trace: &str) -> Vec<Span> {
        self.spans().filter(|span| Self::hex(&span.trace_id) == trace).cloned().collect()
    }

    pub fn names(&self) -> Vec<&str> {
        self.spans().map(|span| span.name.as_str()).collect()
    }

    /// What is said of whoever sent it.
    pub fn resource(&self) -> String {
        format!(
            "{:?}",
            self.requests
                .iter()
                .flat_map(|request| &request.resource_spans)
                .next()
                .map(|spans| &spans.resource)
        )
    }

    /// Whether a text is anywhere in what came.
    pub fn holds(&self, text: &str) -> bool {
        self.bodies.iter().any(|body| body.windows(text.len()).any(|window| window == text.as_bytes()))
    }

    pub fn hex(id: &[u8]) -> String {
        id.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// An attribute as text; empty where there is none.
    pub fn attribute(span: &Span, name: &str) -> String {
        let found = span.attributes.iter().find(|attribute| attribute.key == name);
        text(found.and_then(|attribute| attribute.value.as_ref()))
    }
}

fn text(value: Option<&AnyValue>) -> String {
    match value.and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::ArrayValue(list)) => {
            list.values.iter().map(|value| text(Some(value))).collect::<Vec<_>>().join(",")
        }
        _ => String::new(),
    }
}
