//! XQuAD as conversations: paragraphs as turns, and questions with the paragraphs that answer them. For measuring only, and no part of
//! the repository.

use serde::Deserialize;

use crate::folder;

#[derive(Debug, Deserialize)]
pub struct XquadConversation {
    pub sessions: Vec<XquadSession>,
    pub questions: Vec<XquadQuestion>,
}

#[derive(Debug, Deserialize)]
pub struct XquadSession {
    pub id: String,
    pub turns: Vec<XquadParagraph>,
}

#[derive(Debug, Deserialize)]
pub struct XquadParagraph {
    pub id: String,
    pub text: String,
}

#[derive(Debug, Deserialize)]
pub struct XquadQuestion {
    pub question: String,
    /// Ids of the paragraphs that answer it.
    pub evidence: Vec<String>,
}

/// The conversations of a language; where the data is absent, says so and gives nothing.
pub fn read(language: &str) -> Option<Vec<XquadConversation>> {
    let path = folder::shared_data(&format!("multilingual/xquad-{language}.jsonl"))?;
    let content = std::fs::read_to_string(path).expect("the data can be read");
    let one = |line: &str| serde_json::from_str(line).expect("the data is in the known format");
    Some(content.lines().map(one).collect())
}
