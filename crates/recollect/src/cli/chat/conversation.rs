//! One conversation: what was said until now, what is asked next, and what it comes to in the end.

use std::io::Write;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, Request, Response, request};
use http_body_util::{BodyExt, Limited};
use memory::ports::Clock;
use memory::types::{AgentId, SessionId, Time, UserId};
use serde_json::{Value, json};
use store::SystemClock;
use tokio::signal::unix::Signal;

use super::notes;
use super::transport::ChatTransport;
use crate::auth::TENANT;
use crate::cli::output::{CommandFailure, harmless};
use crate::cli::{CommandContext, CommandOwner};
use crate::limits;
use crate::ops::context::{ContextOperation, Contextual};
use crate::ops::list::ListMemories;
use crate::ops::select::Selection;
use crate::ops::sessions::{SessionEnd, Which};
use crate::problem::{Code, Problem};
use crate::proxy::{CHAT, MODELS, OWN_PREFIX, RECALL_MODEL};
use chat::sse::{SseEvent, SseParser};

pub struct TerminalChat {
    wire: ChatTransport,
    pub model: Option<String>,
    system: Option<String>,
    has_memory: bool,
    session: SessionId,
    /// As they are sent with each request.
    messages: Vec<Value>,
    /// When the first message was said.
    began_at: Option<Time>,
}

/// What memory did for an answer, as its headers say.
#[derive(Default)]
pub struct RecallHeaders {
    pub section: String,
    pub tokens: u64,
    pub memories: usize,
}

/// An answer, as far as it came.
#[derive(Default)]
struct StreamedAnswer {
    text: String,
    model: Option<String>,
    /// It was stopped, or broke off.
    partial: bool,
}

impl TerminalChat {
    pub fn begin(
        desk: &CommandContext,
        wire: ChatTransport,
        system: Option<String>,
        has_memory: bool,
    ) -> Result<TerminalChat, Problem> {
        let session = desk.who.session.clone().map_or_else(fresh_session, Ok)?;
        let (messages, model, began_at) = (Vec::new(), None, None);
        Ok(TerminalChat { wire, model, system, has_memory, session, messages, began_at })
    }

    /// Everything said until now is over.
    pub fn renew(&mut self) -> Result<(), Problem> {
        self.session = fresh_session()?;
        self.messages.clear();
        self.began_at = None;
        Ok(())
    }

    pub fn has_memory(&self) -> bool {
        self.has_memory
    }

    pub fn last_message(&self) -> Option<&str> {
        let said = self.messages.iter().rev().find(|message| message["role"] == "user")?;
        said["content"].as_str()
    }

    /// The model where nobody names one: the only one that there is, or none, which leaves it to the upstream; without an
    /// upstream our own.
    pub async fn default_model(&self, desk: &CommandContext) -> Option<String> {
        let request = self.request(desk, Request::get(MODELS)).body(Body::empty());
        let request = request.expect("names and constants make sound headers");
        let answer = match self.wire.send(&desk.link, request).await {
            Ok(answer) if answer.status().is_success() => answer,
            // What is wrong is said when something is asked.
            _ => return None,
        };
        let absent = answer.headers().contains_key("x-recollect-upstreams-absent");
        let models = whole(answer).await.unwrap_or_default();
        let ids = models["data"].as_array().into_iter().flatten().filter_map(|model| model["id"].as_str());
        let others: Vec<&str> = ids.filter(|id| !id.starts_with(OWN_PREFIX)).collect();
        match others.as_slice() {
            [] if !absent => Some(RECALL_MODEL.to_owned()),
            [only] => Some((*only).to_owned()),
            _ => None,
        }
    }

    /// What a message would be given to know.
    pub async fn preview(&self, desk: &CommandContext, message: &str) -> Result<Contextual, Problem> {
        let request = ContextOperation {
            message: message.to_owned(),
            agent: desk.who.agent.clone(),
            user: desk.who.user.clone(),
            session: Some(self.session.clone()),
            project: None,
            as_of: None,
            explain: false,
            // The chat itself is served, and counted, by the proxy.
            counts_use: false,
        };
        desk.link.ask(&desk.who.tenant, request).await
    }

    /// Says something and shows the answer as it comes.
    pub async fn say(
        &mut self,
        desk: &mut CommandContext,
        message: &str,
        interrupts: &mut Signal,
    ) -> Result<(), CommandFailure> {
        self.began_at.get_or_insert_with(|| SystemClock.now());
        // Its own model shows what it rests on by itself.
        let wants_preview = self.has_memory && self.model.as_deref() != Some(RECALL_MODEL);
        // Asked first, because then the conversation stands where the answer finds it. A failure costs a note.
        let preview = if wants_preview { self.preview(desk, message).await.ok() } else { None };
        self.messages.push(json!({ "role": "user", "content": message }));
        let asked = self.ask(desk, preview.as_ref(), interrupts).await;
        let (account, answer) = match asked {
            Ok(answered) => answered,
            Err(failure) => {
                // It was not answered, and may be said again.
                self.messages.pop();
                return Err(failure);
            }
        };
        if desk.out.wants_json() {
            desk.out.answer(&self.exchange(message, &account, &answer, preview.as_ref()))?;
        }
        self.messages.push(json!({ "role": "assistant", "content": answer.text }));
        Ok(())
    }

    async fn ask(
        &self,
        desk: &mut CommandContext,
        preview: Option<&Contextual>,
        interrupts: &mut Signal,
    ) -> Result<(RecallHeaders, StreamedAnswer), CommandFailure> {
        let request = self.request(desk, Request::post(CHAT)).body(Body::from(self.body().to_string()));
        let request = request.expect("names and constants make sound headers");
        let response = tokio::select! {
            response = self.wire.send(&desk.link, request) => response?,
            _ = interrupts.recv() => {
                notes::note(desk, "stopped");
                return Ok((RecallHeaders::default(), StreamedAnswer { partial: true, ..StreamedAnswer::default() }));
            }
        };
        if !response.status().is_success() {
            return Err(refused(response).await.into());
        }
        let account = RecallHeaders::of(response.headers());
        notes::recalled(desk, &account, preview);
        let answer = shown(desk, response, interrupts).await?;
        Ok((account, answer))
    }

    fn request(&self, desk: &CommandContext, request: request::Builder) -> request::Builder {
        let CommandOwner { tenant, agent, user, .. } = &desk.who;
        let mut request = request
            .header(HOST, "localhost")
            .header(CONTENT_TYPE, "application/json")
            .header(TENANT, tenant.as_str())
            .header("x-recollect-session-id", self.session.as_str());
        if let Some(agent) = agent {
            request = request.header("x-recollect-agent-id", agent.as_str());
        }
        if let Some(user) = user {
            request = request.header("x-recollect-user-id", user.as_str());
        }
        if !self.has_memory {
            request = request.header("x-recollect-memory", "off");
        }
        request
    }

    fn body(&self) -> Value {
        let system = self.system.iter().map(|text| json!({ "role": "system", "content": text }));
        let messages: Vec<Value> = system.chain(self.messages.iter().cloned()).collect();
        let mut body = json!({ "messages": messages, "stream": true });
        if let Some(model) = &self.model {
            body["model"] = Value::from(model.as_str());
        }
        body
    }

    /// One exchange for a program.
    fn exchange(
        &self,
        message: &str,
        account: &RecallHeaders,
        answer: &StreamedAnswer,
        preview: Option<&Contextual>,
    ) -> Value {
        let lines = preview.filter(|_| account.tokens > 0).map(|preview| &preview.lines);
        json!({
            "session": self.session,
            "model": answer.model.as_ref().or(self.model.as_ref()),
            "message": message,
            "answer": answer.text,
            "partial": answer.partial,
            "recalled": {
                "section": account.section,
                "tokens": account.tokens,
                "memories": account.memories,
                "lines": lines.cloned().unwrap_or_default(),
            },
        })
    }

    /// The conversation is over: lets it be learned from, and shows what was.
    pub async fn end(&mut self, desk: &mut CommandContext) -> Result<(), CommandFailure> {
        let Some(began_at) = self.began_at.take().filter(|_| self.has_memory) else { return Ok(()) };
        // Only what this process stores itself is waited for; a server has stored it, or does so by itself.
        if let Some(house) = desk.link.opened() {
            house.backlog.settled(limits::CHAT_LEAVE_WITHIN).await;
        }
        let agent = desk.who.agent.clone().unwrap_or_else(AgentId::unnamed);
        let user = desk.who.user.clone().unwrap_or_else(UserId::unnamed);
        let which =
            Which { session: self.session.clone(), agent: Some(agent.clone()), user: Some(user.clone()) };
        let passed = match desk.link.ask(&desk.who.tenant, SessionEnd { which }).await {
            Ok(passed) => passed,
            Err(problem) if problem.code == Code::NotFound => {
                notes::note(desk, "nothing of this was kept");
                return Ok(());
            }
            Err(problem) => return Err(problem.into()),
        };
        let filter = Selection {
            agent: Some(agent),
            user: Some(user),
            session: Some(self.session.clone()),
            since: Some(began_at),
            ..Selection::default()
        };
        let list = ListMemories {
            filter,
            limit: Some(limits::CHAT_LEARNED_NAMED),
            oldest_first: true,
            ..ListMemories::default()
        };
        let learned = desk.link.ask(&desk.who.tenant, list).await?;
        if desk.out.wants_json() {
            let told = notes::learned_json(self.session.as_str(), &passed, &learned.memories, learned.total);
            return desk.out.answer(&told);
        }
        notes::learned(desk, &passed, &learned.memories, learned.total);
        Ok(())
    }
}

fn fresh_session() -> Result<SessionId, Problem> {
    format!("terminal-{}", SystemClock.uuid().simple()).parse().map_err(Problem::ours)
}

impl RecallHeaders {
    fn of(headers: &HeaderMap) -> RecallHeaders {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        RecallHeaders {
            section: text("x-recollect-section").to_owned(),
            tokens: text("x-recollect-tokens").parse().unwrap_or_default(),
            memories: text("x-recollect-memories").parse().unwrap_or_default(),
        }
    }
}

/// Shows an answer while it comes, until it ends or somebody has heard enough.
async fn shown(
    desk: &mut CommandContext,
    response: Response<Body>,
    interrupts: &mut Signal,
) -> Result<StreamedAnswer, CommandFailure> {
    let mut screen = (!desk.out.wants_json()).then(anstream::stdout);
    let is_stream = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().to_ascii_lowercase().starts_with(b"text/event-stream"));
    let mut answer = StreamedAnswer::default();
    if !is_stream {
        // Some servers do not stream.
        let told = whole(response).await.ok_or_else(unreadable)?;
        answer.take(&told["choices"][0]["message"]["content"], &told, screen.as_mut())?;
    } else {
        let (mut body, mut events, mut done) = (response.into_body(), SseParser::default(), false);
        while !done {
            let frame = tokio::select! {
                frame = body.frame() => frame,
                _ = interrupts.recv() => {
                    answer.partial = true;
                    break;
                }
            };
            let Some(Ok(frame)) = frame else {
                answer.partial = true;
                break;
            };
            let mut pieces = Vec::new();
            events.feed(frame.data_ref().map_or(&[][..], |data| data), |event| match event {
                SseEvent::Data(data) => pieces.push(data),
                SseEvent::Done { .. } => done = true,
            });
            for piece in pieces {
                let told: Value = serde_json::from_slice(&piece).unwrap_or_default();
                if told.get("error").is_some() {
                    return Err(problem_in(&told).unwrap_or_else(unreadable).into());
                }
                answer.take(&told["choices"][0]["delta"]["content"], &told, screen.as_mut())?;
            }
        }
        if done {
            // The rest of the body is its end; without it the server would think that somebody hung up.
            while body.frame().await.is_some() {}
        }
    }
    if let Some(screen) = &mut screen {
        writeln!(screen)?;
    }
    if answer.partial {
        notes::note(desk, "stopped");
    }
    Ok(answer)
}

impl StreamedAnswer {
    fn take(
        &mut self,
        content: &Value,
        told: &Value,
        screen: Option<&mut impl Write>,
    ) -> Result<(), CommandFailure> {
        if self.model.is_none() {
            self.model = told["model"].as_str().map(str::to_owned);
        }
        let Some(text) = content.as_str().filter(|text| !text.is_empty()) else { return Ok(()) };
        self.text.push_str(text);
        if let Some(screen) = screen {
            write!(screen, "{}", harmless(text))?;
            screen.flush()?;
        }
        Ok(())
    }
}

/// A body that comes as a whole, as JSON.
async fn whole(response: Response<Body>) -> Option<Value> {
    let body = Limited::new(response.into_body(), limits::CHAT_ANSWER_BYTES).collect().await.ok()?.to_bytes();
    serde_json::from_slice(&body).ok()
}

/// What an answer that is none says.
async fn refused(response: Response<Body>) -> Problem {
    let status = response.status().as_u16();
    let told = whole(response).await.unwrap_or_default();
    problem_in(&told).unwrap_or_else(|| {
        Problem::new(Code::UpstreamUnreachable, format!("the model's server answered with status {status}"))
    })
}

/// Ours and the upstreams' errors have one shape, but for how much they say.
fn problem_in(told: &Value) -> Option<Problem> {
    let error = told.get("error")?;
    let message = error.as_str().or_else(|| error["message"].as_str())?;
    // Our own hint stands in the message too, for clients that print nothing else.
    let message = message.split_once("\nhint: ").map_or(message, |(message, _)| message);
    let code = serde_json::from_value(error["code"].clone()).unwrap_or(Code::UpstreamUnreachable);
    let problem = Problem::new(code, harmless(message));
    Some(match error["hint"].as_str() {
        Some(hint) => problem.hint(harmless(hint)),
        None if error["code"] == "model_not_found" => problem.hint("/model MODEL chooses another"),
        None => problem,
    })
}

fn unreadable() -> Problem {
    Problem::new(Code::UpstreamUnreachable, "the answer could not be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_whoever_made_them() {
        let ours = json!({ "error": { "message": "no\nhint: do", "code": "no_upstream", "hint": "do" } });
        let problem = problem_in(&ours).expect("an error");
        assert_eq!((problem.code, problem.message.as_str()), (Code::NoUpstream, "no"));
        assert_eq!(problem.hint.as_deref(), Some("do"));
        let theirs = json!({ "error": { "message": "no such model", "code": "model_not_found" } });
        let problem = problem_in(&theirs).expect("an error");
        assert!(problem.hint.expect("a way out").contains("/model"));
        assert_eq!(problem_in(&json!({ "error": "plain" })).expect("an error").message, "plain");
        assert!(problem_in(&json!({ "choices": [] })).is_none());
    }
}
