//! What a refusal of a prompt with memory in it can mean. Where upstreams would not have memory is remembered by
//! [`chat::placement::refused`].

use axum::http::StatusCode;

use crate::limits;

/// What a refusal says where the prompt is too long, in the words of the usual servers.
const OF_LENGTH: [&str; 10] = [
    "context length",
    "context_length",
    "context window",
    "context size",
    "maximum context",
    "max_model_len",
    "too long",
    "too many tokens",
    "token limit",
    "exceeds the limit",
];

/// Whether an answer can mean that the prompt is not as it must be. What is about keys, addresses, sizes, time and how often one asks is not.
pub fn may_be_refusal(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY)
}

/// Whether a refusal is about how long the prompt is. As much of it is read as tells.
pub async fn speaks_of_length(mut refusal: reqwest::Response) -> bool {
    let mut said = Vec::new();
    while let Ok(Some(chunk)) = refusal.chunk().await {
        said.extend_from_slice(&chunk);
        if said.len() >= limits::REFUSAL_BYTES {
            break;
        }
    }
    let said = String::from_utf8_lossy(&said).to_lowercase();
    OF_LENGTH.iter().any(|words| said.contains(words))
}
