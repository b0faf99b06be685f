//! What the server has been told to say: rules first, then the queue, then the fallback, then the echo.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use super::{Reply, Seen};

pub(super) type Respond = Arc<dyn Fn(&Seen) -> Reply + Send + Sync>;
pub(super) type Observe = Arc<dyn Fn(&Seen) + Send + Sync>;

#[derive(Default)]
pub(super) struct Script {
    pub rules: Vec<(When, Reply)>,
    pub queue: VecDeque<Reply>,
    pub fallback: Option<Respond>,
    pub key: Option<String>,
    pub observer: Option<Observe>,
}

/// What was decided under the lock; a closure is called after it is released.
pub(super) enum Choice {
    Reply(Box<Reply>),
    Ask(Respond),
}

impl Script {
    /// `generates`: the path is one that answers with text, which is what queued replies are for.
    pub fn choose(&mut self, seen: &Seen, generates: bool) -> Choice {
        if self.key.as_ref().is_some_and(|key| !brings(seen, key)) {
            return Choice::Reply(Box::new(Reply::unauthorized()));
        }
        if let Some(at) = self.rules.iter().position(|(when, _)| when.matches(seen)) {
            let (when, reply) = &mut self.rules[at];
            let reply = reply.clone();
            if when.used_up() {
                self.rules.remove(at);
            }
            return Choice::Reply(Box::new(reply));
        }
        if generates && let Some(reply) = self.queue.pop_front() {
            return Choice::Reply(Box::new(reply));
        }
        match &self.fallback {
            Some(respond) => Choice::Ask(Arc::clone(respond)),
            None => Choice::Reply(Box::new(Reply::echo())),
        }
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Script {{ {} rules, {} queued }}", self.rules.len(), self.queue.len())
    }
}

fn brings(seen: &Seen, key: &str) -> bool {
    seen.header("authorization").strip_prefix("Bearer ") == Some(key) || seen.header("x-api-key") == key
}

/// Which requests a rule answers. Every condition that is given must hold.
#[derive(Debug, Clone, Default)]
pub struct When {
    path: Option<String>,
    model: Option<String>,
    contains: Vec<(Place, String)>,
    times: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Anywhere,
    System,
    LastUser,
}

impl When {
    pub fn any() -> Self {
        Self::default()
    }

    /// The text is in a system text or in what a user says.
    pub fn contains(text: &str) -> Self {
        Self::any().and(Place::Anywhere, text)
    }

    pub fn system_contains(text: &str) -> Self {
        Self::any().and(Place::System, text)
    }

    /// The text is in the last thing that the user says.
    pub fn user_contains(text: &str) -> Self {
        Self::any().and(Place::LastUser, text)
    }

    /// The path, such as `/v1/embeddings`.
    pub fn path(path: &str) -> Self {
        Self::any().and_path(path)
    }

    pub fn model(model: &str) -> Self {
        Self::any().and_model(model)
    }

    pub fn and_contains(self, text: &str) -> Self {
        self.and(Place::Anywhere, text)
    }

    pub fn and_system_contains(self, text: &str) -> Self {
        self.and(Place::System, text)
    }

    pub fn and_user_contains(self, text: &str) -> Self {
        self.and(Place::LastUser, text)
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

    fn and(mut self, place: Place, text: &str) -> Self {
        self.contains.push((place, text.to_owned()));
        self
    }

    fn matches(&self, seen: &Seen) -> bool {
        self.path.as_ref().is_none_or(|path| *path == seen.path)
            && self.model.as_ref().is_none_or(|model| model == seen.model())
            && self.contains.iter().all(|(place, text)| match place {
                Place::Anywhere => {
                    seen.system_texts().iter().chain(&seen.user_texts()).any(|said| said.contains(text))
                }
                Place::System => seen.system_texts().iter().any(|said| said.contains(text)),
                Place::LastUser => seen.last_user_text().contains(text),
            })
    }

    /// Counts one answer.
    fn used_up(&mut self) -> bool {
        self.times = self.times.map(|times| times.saturating_sub(1));
        self.times == Some(0)
    }
}
