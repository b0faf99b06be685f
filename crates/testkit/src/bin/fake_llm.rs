//! The scripted model server, run by hand: `cargo xtask fake-llm`. Shows what each prompt had in it when it arrived.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Parser;
use testkit::llm::{FAILURES, Llm, ScriptedReply, SeenRequest, failure, read_script};

/// A language model that says what it is told to, for trying things without one.
#[derive(Parser)]
#[command(name = "fake-llm", bin_name = "cargo xtask fake-llm", after_help = after_help())]
struct FakeLlmArguments {
    /// The loopback port to listen on; 0 takes a free one.
    #[arg(long, default_value_t = 8400)]
    port: u16,
    /// What to say and when: TOML or JSON, as CONTRIBUTING.md describes.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Milliseconds between two events of a stream.
    #[arg(long, value_name = "N", default_value_t = 20)]
    chunk_delay_ms: u64,
    /// Fail in this way wherever the script says nothing: a status such as 429, or a name from the list below.
    #[arg(long, value_name = "FAILURE")]
    fail: Option<String>,
}

fn after_help() -> String {
    let lines: Vec<String> = FAILURES.iter().map(|(name, what)| format!("  {name:<15} {what}")).collect();
    format!("Failures, beside every status:\n{}", lines.join("\n"))
}

fn main() -> anyhow::Result<()> {
    let arguments = FakeLlmArguments::parse();
    let llm = Llm::start_on(arguments.port).with_context(|| {
        format!("cannot listen on port {}; hint: choose another with --port", arguments.port)
    })?;
    let chunk_delay = Duration::from_millis(arguments.chunk_delay_ms);
    if let Some(path) = &arguments.script {
        for (when, reply) in read_script(path, chunk_delay)? {
            llm.when(when, reply);
        }
    }
    let fallback = match &arguments.fail {
        Some(name) => failure(name)
            .with_context(|| format!("there is no failure called {name:?}; hint: --help lists them"))?,
        None => ScriptedReply::echo(),
    };
    llm.fallback(fallback.with_chunk_delay(chunk_delay));
    llm.observe(|seen| println!("{}", line(seen)));
    introduce(&llm);
    loop {
        std::thread::park();
    }
}

fn introduce(llm: &Llm) {
    eprintln!("A scripted model listens on {}. To put Recollect in front of it:", llm.base_url());
    eprintln!("\n  OPENAI_BASE_URL={} OPENAI_API_KEY=x cargo run --release -- serve", llm.base_url());
    eprintln!("\nand to talk to it through Recollect:\n");
    eprintln!("  curl -N http://127.0.0.1:8377/v1/chat/completions -H 'content-type: application/json' \\");
    eprintln!(
        "    -d '{{\"model\":\"scripted-1\",\"stream\":true,\"messages\":[{{\"role\":\"user\",\"content\":\"Hello!\"}}]}}'\n"
    );
}

/// One request in one line: what was asked, and every system text in full, since that is where memory is put.
fn line(seen: &SeenRequest) -> String {
    let mut line = format!("#{} {} {}", seen.number, seen.method, seen.path);
    if !seen.model().is_empty() {
        line.push_str(&format!(" model={}", seen.model()));
    }
    if seen.wants_stream() {
        line.push_str(" stream");
    }
    if !seen.messages().is_empty() {
        line.push_str(&format!(" messages={}", seen.messages().len()));
    }
    for text in seen.system_texts() {
        line.push_str(&format!(" system={text:?}"));
    }
    let user = seen.last_user_text();
    if !user.is_empty() {
        line.push_str(&format!(" user={user:?}"));
    }
    line
}
