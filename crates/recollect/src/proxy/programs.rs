//! Which program asks, as far as its headers tell.
//!
//! Coding agents say who they are, and which of their requests no person wrote: a subagent's prompt is a model's, and compacting a
//! conversation is the agent's own errand. Those are no user's words: nothing is recalled into them and nothing learned. And
//! a coding agent is introduced to what work needs of who the user is.

use axum::http::HeaderMap;
use serde_json::Value;

/// Headers of requests that a model wrote.
const OF_SUBAGENTS: [&str; 3] = ["x-claude-code-agent-id", "x-openai-subagent", "x-codex-parent-thread-id"];

/// Headers that only coding agents send.
const OF_CODING_AGENTS: [&str; 2] = ["x-claude-code-session-id", "x-codex-turn-metadata"];

/// What Codex says of a turn, as JSON.
const TURN_METADATA: &str = "x-codex-turn-metadata";

/// What Codex asks for itself.
const OWN_ERRANDS: [&str; 4] = ["compact", "summar", "title", "memory"];

/// How coding agents call themselves, at the beginning of `User-Agent` or `Originator`.
const CODING_AGENTS: [&str; 11] = [
    "claude-cli",
    "claude-code",
    "codex",
    "opencode",
    "qwencode",
    "qwen-code",
    "geminicli",
    "gemini-cli",
    "aider",
    "crush",
    "continue",
];

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AskingProgram {
    /// It writes code.
    pub codes: bool,
    /// It asks for itself: no person wrote the request.
    pub for_itself: bool,
}

impl AskingProgram {
    pub fn of(headers: &HeaderMap) -> AskingProgram {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let is_there = |name: &&str| text(name).is_some_and(|value| !value.trim().is_empty());
        let turn: Option<Value> = text(TURN_METADATA).and_then(|turn| serde_json::from_str(turn).ok());
        let says = |field: &str| turn.as_ref()?.get(field)?.as_str().map(str::to_ascii_lowercase);
        let for_itself = OF_SUBAGENTS.iter().any(is_there)
            || says("thread_source").is_some_and(|source| source.contains("subagent"))
            || says("request_kind")
                .is_some_and(|kind| OWN_ERRANDS.iter().any(|errand| kind.contains(errand)));
        let called = ["user-agent", "originator"].into_iter().filter_map(text).map(str::to_ascii_lowercase);
        let is_known = |name: String| CODING_AGENTS.iter().any(|agent| name.starts_with(agent));
        let codes = OF_CODING_AGENTS.iter().any(is_there) || called.into_iter().any(is_known);
        AskingProgram { codes, for_itself }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    fn asking(pairs: &[(&'static str, &str)]) -> (bool, bool) {
        let headers = pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), value.parse().expect("a value")))
            .collect();
        let AskingProgram { codes, for_itself } = AskingProgram::of(&headers);
        (codes, for_itself)
    }

    #[test]
    fn who_asks_and_for_whom_is_read_from_headers() {
        assert_eq!(asking(&[("user-agent", "OpenAI/Python 1.99")]), (false, false));
        assert_eq!(asking(&[("user-agent", "claude-cli/2.1.325 (external, cli)")]), (true, false));
        assert_eq!(asking(&[("originator", "codex_cli_rs")]), (true, false));
        let main = r#"{"request_kind":"turn","thread_source":"user"}"#;
        assert_eq!(asking(&[("x-codex-turn-metadata", main)]), (true, false));
        assert_eq!(asking(&[("x-claude-code-session-id", "s")]), (true, false));
        for (name, value) in [
            ("x-claude-code-agent-id", "a1"),
            ("x-openai-subagent", "collab_spawn"),
            ("x-codex-turn-metadata", r#"{"thread_source":"subagent"}"#),
            ("x-codex-turn-metadata", r#"{"request_kind":"compaction"}"#),
        ] {
            assert!(asking(&[(name, value)]).1, "{name}: {value}");
        }
    }
}
