//! Labelled conversations: sessions of turns, and questions that name the turns which answer them.
//!
//! Two formats: ours, one conversation a line, and LoCoMo's original file, one JSON array of dialogues.

use std::path::Path;

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Clone, Deserialize)]
pub struct LabelledConversation {
    pub id: String,
    pub sessions: Vec<SessionData>,
    pub questions: Vec<LabelledQuestion>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SessionData {
    pub id: String,
    #[serde(default)]
    pub date: Option<String>,
    pub turns: Vec<TurnData>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct TurnData {
    pub id: String,
    pub role: String,
    #[serde(default)]
    pub name: Option<String>,
    pub text: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct LabelledQuestion {
    pub id: String,
    pub question: String,
    #[serde(default)]
    pub category: String,
    pub evidence: Vec<String>,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DataFormat {
    /// One conversation a line.
    Lines,
    /// LoCoMo's original file.
    Locomo,
}

/// Reads a file of conversations. A question without evidence in the conversation is left out: nothing could be found.
pub fn read(path: &Path, format: DataFormat) -> anyhow::Result<Vec<LabelledConversation>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut conversations = match format {
        DataFormat::Lines => lines(&text, path)?,
        DataFormat::Locomo => {
            locomo(&text).with_context(|| format!("{} is not LoCoMo's file", path.display()))?
        }
    };
    if conversations.is_empty() {
        bail!("{} holds no conversation", path.display());
    }
    for conversation in &mut conversations {
        let turns: std::collections::HashSet<&str> = conversation
            .sessions
            .iter()
            .flat_map(|session| &session.turns)
            .map(|turn| turn.id.as_str())
            .collect();
        let answerable =
            |question: &LabelledQuestion| question.evidence.iter().any(|id| turns.contains(id.as_str()));
        let kept: Vec<LabelledQuestion> =
            conversation.questions.iter().filter(|q| answerable(q)).cloned().collect();
        conversation.questions = kept;
    }
    Ok(conversations)
}

fn lines(text: &str, path: &Path) -> anyhow::Result<Vec<LabelledConversation>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .with_context(|| format!("{} line {} is not a conversation", path.display(), number + 1))
        })
        .collect()
}

/// LoCoMo numbers its categories.
fn locomo_category(number: u64) -> &'static str {
    match number {
        1 => "multi-hop",
        2 => "temporal",
        3 => "open-domain",
        4 => "single-hop",
        _ => "adversarial",
    }
}

fn locomo(text: &str) -> anyhow::Result<Vec<LabelledConversation>> {
    let file: Vec<Value> = serde_json::from_str(text)?;
    file.iter().enumerate().map(|(place, dialogue)| locomo_dialogue(place, dialogue)).collect()
}

fn locomo_dialogue(place: usize, dialogue: &Value) -> anyhow::Result<LabelledConversation> {
    let conversation = dialogue["conversation"].as_object().context("a dialogue has no `conversation`")?;
    let first = conversation.get("speaker_a").and_then(Value::as_str).unwrap_or_default();
    let mut sessions = Vec::new();
    for number in 1.. {
        let id = format!("session_{number}");
        let Some(turns) = conversation.get(&id).and_then(Value::as_array) else {
            // Numbers may have gaps, but not long ones.
            if number > conversation.len() {
                break;
            }
            continue;
        };
        let date = conversation.get(&format!("{id}_date_time")).and_then(Value::as_str).and_then(locomo_date);
        let turns = turns.iter().filter_map(|turn| locomo_turn(turn, first)).collect();
        sessions.push(SessionData { id, date, turns });
    }
    let id = dialogue["sample_id"].as_str().map_or_else(|| format!("dialogue-{place}"), str::to_owned);
    let questions = dialogue["qa"].as_array().into_iter().flatten().enumerate();
    let questions = questions.map(|(number, qa)| LabelledQuestion {
        id: format!("{id}-{number}"),
        question: qa["question"].as_str().unwrap_or_default().to_owned(),
        category: locomo_category(qa["category"].as_u64().unwrap_or(0)).to_owned(),
        evidence: locomo_evidence(&qa["evidence"]),
    });
    let questions = questions.collect();
    Ok(LabelledConversation { id, sessions, questions })
}

fn locomo_turn(turn: &Value, first: &str) -> Option<TurnData> {
    let name = turn["speaker"].as_str()?;
    let mut text = turn["text"].as_str().unwrap_or_default().to_owned();
    if let Some(caption) = turn["blip_caption"].as_str() {
        text.push_str(&format!(" [shares {caption}]"));
    }
    let role = if name == first { "user" } else { "assistant" };
    Some(TurnData {
        id: turn["dia_id"].as_str()?.to_owned(),
        role: role.into(),
        name: Some(name.into()),
        text,
    })
}

/// Some evidence strings hold several ids, or an id in brackets.
fn locomo_evidence(evidence: &Value) -> Vec<String> {
    let parts = evidence.as_array().into_iter().flatten().filter_map(Value::as_str);
    let ids = parts
        .flat_map(|part| part.split([';', ',', ' ']))
        .map(|id| id.trim_matches(['(', ')', '[', ']', ' ']));
    ids.filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

/// "1:56 pm on 8 May, 2023" as RFC 3339.
fn locomo_date(text: &str) -> Option<String> {
    let moment = jiff::civil::DateTime::strptime("%I:%M %p on %d %B, %Y", text).ok()?;
    Some(format!("{}Z", moment.strftime("%Y-%m-%dT%H:%M:%S")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_original_file_is_read() {
        let file = serde_json::json!([{
            "sample_id": "conv-0",
            "conversation": {
                "speaker_a": "Ada", "speaker_b": "Bo",
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [
                    {"speaker": "Ada", "dia_id": "D1:1", "text": "I planted tulips."},
                    {"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely.", "blip_caption": "a photo of a garden"}
                ]
            },
            "qa": [
                {"question": "What did Ada plant?", "evidence": ["D1:1; D1:2"], "category": 4},
                {"question": "Who won?", "evidence": [], "category": 5}
            ]
        }]);
        let conversations = locomo(&file.to_string()).expect("well formed");
        let session = &conversations[0].sessions[0];
        assert_eq!(session.date.as_deref(), Some("2023-05-08T13:56:00Z"));
        assert_eq!(session.turns[1].text, "Lovely. [shares a photo of a garden]");
        assert_eq!(session.turns[1].role, "assistant");
        assert_eq!(conversations[0].questions[0].evidence, ["D1:1", "D1:2"]);
        assert_eq!(conversations[0].questions[0].category, "single-hop");
    }
}
