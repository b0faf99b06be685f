//! A script written down, for the server that is run by hand: `cargo xtask fake-llm --script FILE`.
//!
//! The file is TOML with a table `[[replies]]` for each answer, or JSON with a list of the same. Each says when it is
//! given and what is said; all fields may be left out:
//!
//! ```toml
//! [[replies]]
//! when_contains = "weather"       # in a system text or in what a user says; without it: every request
//! reply = "It rains."             # or
//! stream = ["It", " rains."]      # the text in these pieces, or
//! json = { memories = [] }        # this as the text of the answer, or
//! tool_call = { name = "weather", arguments = { city = "Paris" } }
//! status = 429                    # instead of an answer an error, with `reply` as its message
//! fail = "hang"                   # instead of an answer a failure; `cargo xtask fake-llm --help` names them
//! headers = { retry-after = "2" }
//! delay_ms = 100                  # before the answer
//! chunk_delay_ms = 20             # between two events of a stream
//! times = 1                       # then the next that matches is given
//! ```
//!
//! The first that matches is given; where none does, the server echoes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{RequestMatcher, ScriptedReply};

/// The names of the failures that [`failure`] knows beside numbers, each with what it does.
pub const FAILURES: &[(&str, &str)] = &[
    ("hang", "takes the request and never answers"),
    ("disconnect", "hangs up before any header"),
    ("slow-drip", "sends a byte every 50 ms"),
    ("half-json", "sends the first half of the body as if it were whole"),
    ("broken", "promises the whole body and breaks the connection half-way"),
    ("half-distilled", "answers with the first half of a JSON text"),
    ("prose", "answers with prose where JSON was asked for"),
    ("wrong-types", "sends the right fields with wrong types"),
    ("huge", "answers with 10 MB of text"),
    ("cut", "breaks the connection after three events of a stream"),
    ("stall", "sends nothing more after three events of a stream"),
    ("garbage-sse", "streams what are not server-sent events"),
];

/// A failure by its name, or by its status: `429` comes with `retry-after: 1`.
pub fn failure(name: &str) -> Option<ScriptedReply> {
    const EVENTS: usize = 3;
    Some(match name {
        "401" => ScriptedReply::unauthorized(),
        "429" => ScriptedReply::rate_limited(1),
        "500" => ScriptedReply::server_error(),
        "503" => ScriptedReply::unavailable(),
        "hang" => ScriptedReply::hang(),
        "disconnect" => ScriptedReply::disconnect(),
        "slow-drip" => ScriptedReply::echo().with_byte_delay(Duration::from_millis(50)),
        "half-json" => ScriptedReply::echo().half(),
        "broken" => ScriptedReply::echo().broken(),
        "half-distilled" => {
            ScriptedReply::half_distilled(json!({ "episode": { "summary": "They talked." } }))
        }
        "prose" => ScriptedReply::prose(),
        "wrong-types" => ScriptedReply::wrong_types(),
        "huge" => ScriptedReply::huge(10_000_000),
        "cut" => ScriptedReply::echo().cut_after(EVENTS),
        "stall" => ScriptedReply::echo().hang_after(EVENTS),
        "garbage-sse" => ScriptedReply::garbage_sse(),
        _ => ScriptedReply::error(status(name.parse().ok()?)?, "This failure was asked for."),
    })
}

fn status(status: u16) -> Option<u16> {
    (200..=599).contains(&status).then_some(status)
}

/// A script that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    #[error("cannot read the script {0}: {1}")]
    Unreadable(PathBuf, std::io::Error),
    #[error("the script is not what was expected: {0}\nhint: a list `replies` of what to say and when")]
    Malformed(String),
    #[error("reply {0}: {1}")]
    Reply(usize, String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptFile {
    replies: Vec<ScriptEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptEntry {
    when_contains: Option<String>,
    reply: Option<String>,
    stream: Option<Vec<String>>,
    json: Option<Value>,
    tool_call: Option<ScriptedToolCall>,
    status: Option<u16>,
    fail: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    delay_ms: Option<u64>,
    chunk_delay_ms: Option<u64>,
    times: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedToolCall {
    name: String,
    arguments: Value,
}

/// The rules of a script file, in their order: `.json` is JSON, everything else TOML.
pub fn read_script(
    path: &Path,
    chunk_delay: Duration,
) -> Result<Vec<(RequestMatcher, ScriptedReply)>, ScriptError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| ScriptError::Unreadable(path.to_owned(), error))?;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let entries = if is_json { from_json(&text)? } else { from_toml(&text)? };
    let numbered = (1..).zip(entries);
    numbered.map(|(number, entry)| Ok((entry.when(), entry.reply(number, chunk_delay)?))).collect()
}

fn from_json(text: &str) -> Result<Vec<ScriptEntry>, ScriptError> {
    let malformed = |error: serde_json::Error| ScriptError::Malformed(error.to_string());
    let value: Value = serde_json::from_str(text).map_err(malformed)?;
    if value.is_array() {
        return serde_json::from_value(value).map_err(malformed);
    }
    Ok(serde_json::from_value::<ScriptFile>(value).map_err(malformed)?.replies)
}

fn from_toml(text: &str) -> Result<Vec<ScriptEntry>, ScriptError> {
    let written: ScriptFile =
        toml::from_str(text).map_err(|error| ScriptError::Malformed(error.to_string()))?;
    Ok(written.replies)
}

impl ScriptEntry {
    fn when(&self) -> RequestMatcher {
        let when = self.when_contains.as_deref().map_or_else(RequestMatcher::any, RequestMatcher::contains);
        match self.times {
            Some(times) => when.times(times),
            None => when,
        }
    }

    fn reply(self, number: usize, chunk_delay: Duration) -> Result<ScriptedReply, ScriptError> {
        let mut reply = self.content().map_err(|problem| ScriptError::Reply(number, problem))?;
        for (name, value) in &self.headers {
            reply = reply.with_header(name, value);
        }
        let chunk_delay = self.chunk_delay_ms.map_or(chunk_delay, Duration::from_millis);
        let delay = Duration::from_millis(self.delay_ms.unwrap_or(0));
        Ok(reply.with_chunk_delay(chunk_delay).with_delay(delay))
    }

    fn content(&self) -> Result<ScriptedReply, String> {
        if let Some(name) = &self.fail {
            return failure(name).ok_or_else(|| format!("there is no failure called {name:?}"));
        }
        if let Some(code) = self.status.filter(|code| *code != 200) {
            let code = status(code).ok_or("a status is between 200 and 599")?;
            return Ok(ScriptedReply::error(
                code,
                self.reply.as_deref().unwrap_or("This error is in the script."),
            ));
        }
        Ok(if let Some(call) = &self.tool_call {
            ScriptedReply::tool_call(&call.name, call.arguments.clone())
        } else if let Some(pieces) = &self.stream {
            ScriptedReply::pieces(pieces.clone())
        } else if let Some(value) = &self.json {
            ScriptedReply::distilled(value.clone())
        } else if let Some(text) = &self.reply {
            ScriptedReply::text(text.clone())
        } else {
            ScriptedReply::echo()
        })
    }
}
