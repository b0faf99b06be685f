//! What the server has been told to say: rules first, then the queue, then the fallback, then the echo.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::{ScriptedReply, SeenRequest};

pub(super) type Respond = Arc<dyn Fn(&SeenRequest) -> ScriptedReply + Send + Sync>;
pub(super) type Observe = Arc<dyn Fn(&SeenRequest) + Send + Sync>;

#[derive(Default)]
pub(super) struct LlmScript {
    pub rules: Vec<(RequestMatcher, ScriptedReply)>,
    pub queue: VecDeque<ScriptedReply>,
    pub fallback: Option<Respond>,
    pub key: Option<String>,
    pub observer: Option<Observe>,
}

/// What was decided under the lock; a closure is called after it is released.
pub(super) enum ScriptChoice {
    Reply(Box<ScriptedReply>),
    Ask(Respond),
}

impl LlmScript {
    /// `generates`: the path is one that answers with text, which is what queued replies are for.
    pub fn choose(&mut self, seen: &SeenRequest, generates: bool) -> ScriptChoice {
        if self.key.as_ref().is_some_and(|key| !brings(seen, key)) {
            return ScriptChoice::Reply(Box::new(ScriptedReply::unauthorized()));
        }
        if let Some(at) = self.rules.iter().position(|(when, _)| when.matches(seen)) {
            let (when, reply) = &mut self.rules[at];
            let reply = reply.clone();
            if when.used_up() {
                self.rules.remove(at);
            }
            return ScriptChoice::Reply(Box::new(reply));
        }
        if generates && let Some(reply) = self.queue.pop_front() {
            return ScriptChoice::Reply(Box::new(reply));
        }
        match &self.fallback {
            Some(respond) => ScriptChoice::Ask(Arc::clone(respond)),
            None => ScriptChoice::Reply(Box::new(ScriptedReply::echo())),
        }
    }
}

impl fmt::Debug for LlmScript {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Script {{ {} rules, {} queued }}", self.rules.len(), self.queue.len())
    }
}

fn brings(seen: &SeenRequest, key: &str) -> bool {
    seen.header("authorization").strip_prefix("Bearer ") == Some(key) || seen.header("x-api-key") == key
}

/// Which requests a rule answers. Every condition that is given must hold.
#[derive(Debug, Clone, Default)]
pub struct RequestMatcher {
    path: Option<String>,
    model: Option<String>,
    contains: Vec<(PromptPlace, String)>,
    times: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
enum PromptPlace {
    Anywhere,
    System,
    LastUser,
}

impl RequestMatcher {
    pub fn any() -> Self {
        Self::default()
    }

    /// The text is in a system text or in what a user says.
    pub fn contains(text: &str) -> Self {
        Self::any().and(PromptPlace::Anywhere, text)
    }

    pub fn system_contains(text: &str) -> Self {
        Self::any().and(PromptPlace::System, text)
    }

    /// The text is in the last thing that the user says.
    pub fn user_contains(text: &str) -> Self {
        Self::any().and(PromptPlace::LastUser, text)
    }

    /// The path, such as `/v1/embeddings`.
    pub fn path(path: &str) -> Self {
        Self::any().and_path(path)
    }

    pub fn model(model: &str) -> Self {
        Self::any().and_model(model)
    }

    pub fn and_contains(self, text: &str) -> Self {
        self.and(PromptPlace::Anywhere, text)
    }

    pub fn and_system_contains(self, text: &str) -> Self {
        self.and(PromptPlace::System, text)
    }

    pub fn and_user_contains(self, text: &str) -> Self {
        self.and(PromptPlace::LastUser, text)
    }

    pub fn and_path(mut self, path: &str) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    pub fn and_model(mut self, model: &str) -> Self {
        self.model = Some(model.to_owned());
        self
    }

    /// The rule is gone after so many answers.
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    fn and(mut self, place: PromptPlace, text: &str) -> Self {
        self.contains.push((place, text.to_owned()));
        self
    }

    fn matches(&self, seen: &SeenRequest) -> bool {
        self.path.as_ref().is_none_or(|path| *path == seen.path)
            && self.model.as_ref().is_none_or(|model| model == seen.model())
            && self.contains.iter().all(|(place, text)| match place {
                PromptPlace::Anywhere => {
                    seen.system_texts().iter().chain(&seen.user_texts()).any(|said| said.contains(text))
                }
                PromptPlace::System => seen.system_texts().iter().any(|said| said.contains(text)),
                PromptPlace::LastUser => seen.last_user_text().contains(text),
            })
    }

    /// Counts one answer.
    fn used_up(&mut self) -> bool {
        self.times = self.times.map(|times| times.saturating_sub(1));
        self.times == Some(0)
    }
}
