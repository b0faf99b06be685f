//! Who speaks, to whom, in which conversation, and whether memory may take part: read from a request's headers.
//!
//! Everything of ours stands in headers, so that any client can set it and no body has to change; the names under which
//! other systems' clients send the same things are taken too. What is ours never goes upstream. A header that is there and
//! wrong is a 400, because passing over `X-Recollect-Memory: of` would do the opposite of what was meant.

use std::fmt::Display;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName};
use memory::types::{AgentId, Owner, ProjectId, SessionId, UserId, content_hash};
use store::Role;

use crate::auth;
use crate::ops::errands::{Errand, Leave};
use crate::ops::{Caller, Services};
use crate::problem::Problem;

/// Each thing that can be said, and the headers that say it; the first that is there counts.
const AGENT: [&str; 2] = ["x-recollect-agent-id", "x-osaurus-agent-id"];
const USER: [&str; 1] = ["x-recollect-user-id"];
const SESSION: [&str; 2] = ["x-recollect-session-id", "x-omniroute-session-id"];
const PROJECT: [&str; 1] = ["x-recollect-project-id"];
const MEMORY: &str = "x-recollect-memory";
const NO_MEMORY: &str = "x-omniroute-no-memory";

/// What memory may do with one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryMode {
    /// Recall into the prompt.
    pub reads: bool,
    /// Capture what is said.
    pub writes: bool,
}

impl MemoryMode {
    pub const ON: MemoryMode = MemoryMode { reads: true, writes: true };
    pub const OFF: MemoryMode = MemoryMode { reads: false, writes: false };

    pub fn is_off(self) -> bool {
        self == MemoryMode::OFF
    }
}

/// Whose request it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatIdentity {
    pub agent: Option<AgentId>,
    pub user: Option<UserId>,
    pub session: Option<SessionId>,
    pub project: Option<ProjectId>,
    /// The caller is bound to the agent and does not share the user.
    pub agent_only: bool,
    pub mode: MemoryMode,
    /// The user is the body's, which no chat is refused over.
    user_of_body: bool,
}

impl ChatIdentity {
    /// `body_user` is what the body says in its field `user`.
    pub fn of(headers: &HeaderMap, body_user: Option<&str>) -> Result<ChatIdentity, Problem> {
        let named = one_of(headers, &USER)?;
        let user_of_body = named.is_none();
        let user = named.or_else(|| body_user.and_then(self::user_of_body));
        let (agent, session) = (one_of(headers, &AGENT)?, one_of(headers, &SESSION)?);
        let project = one_of(headers, &PROJECT)?;
        Ok(ChatIdentity {
            agent,
            user,
            session,
            project,
            agent_only: false,
            mode: mode(headers)?,
            user_of_body,
        })
    }

    pub fn owner(&self) -> Owner {
        Owner {
            agent: self.agent.clone().unwrap_or_else(AgentId::unnamed),
            user: self.user.clone().unwrap_or_else(UserId::unnamed),
        }
    }

    /// Asks whether the caller may chat for the user with the agent, which a key may settle. Who may only read is not captured.
    pub fn permitted(mut self, house: &Services, caller: &Caller) -> Result<(ChatIdentity, Leave), Problem> {
        if let Some(only) = caller.user().filter(|_| self.user_of_body) {
            // A chat's body goes through as it is: what it calls its user is not taken for the key's.
            self.user = Some(only.clone());
        }
        let leave = house.leave(caller, Errand::Chat, self.agent.take(), self.user.take())?;
        (self.agent, self.user) = (leave.only_agent().cloned(), leave.user().cloned());
        self.agent_only = caller.bounds().is_agent_only();
        self.mode.writes &= caller.role() >= Role::Memory;
        Ok((self, leave))
    }
}

/// Takes everything out of the headers that is for us alone.
pub fn strip(headers: &mut HeaderMap) {
    auth::strip(headers);
    let ours = |name: &HeaderName| {
        let name = name.as_str();
        name.starts_with("x-recollect-")
            || AGENT.contains(&name)
            || SESSION.contains(&name)
            || name == NO_MEMORY
    };
    let names: Vec<HeaderName> = headers.keys().filter(|name| ours(name)).cloned().collect();
    for name in names {
        headers.remove(name);
    }
}

fn one_of<T: FromStr<Err: Display>>(headers: &HeaderMap, names: &[&str]) -> Result<Option<T>, Problem> {
    let Some((name, value)) = names.iter().find_map(|name| Some((*name, headers.get(*name)?))) else {
        return Ok(None);
    };
    let text = value.to_str().map_err(|_| wrong(name, "it is not plain text"))?.trim();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|error| wrong(name, error))
}

/// What the body calls its user may be anything; what cannot be an id gets one, so that no chat fails over it.
fn user_of_body(user: &str) -> Option<UserId> {
    let user = user.trim();
    if user.is_empty() {
        return None;
    }
    user.parse().ok().or_else(|| content_hash(user).parse().ok())
}

fn mode(headers: &HeaderMap) -> Result<MemoryMode, Problem> {
    let word =
        |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?").trim().to_ascii_lowercase());
    match word(NO_MEMORY).as_deref() {
        Some("true" | "1" | "yes") => return Ok(MemoryMode::OFF),
        None | Some("false" | "0" | "no" | "") => {}
        Some(_) => return Err(wrong(NO_MEMORY, "expected true, 1 or yes, or false, 0 or no")),
    }
    match word(MEMORY).as_deref() {
        None | Some("on" | "") => Ok(MemoryMode::ON),
        Some("off") => Ok(MemoryMode::OFF),
        Some("read") => Ok(MemoryMode { reads: true, writes: false }),
        Some("write") => Ok(MemoryMode { reads: false, writes: true }),
        Some(_) => Err(wrong(MEMORY, "expected on, off, read or write")),
    }
}

fn wrong(name: &str, message: impl Display) -> Problem {
    Problem::field(name, format!("the header {name}: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), value.parse().expect("a value")))
            .collect()
    }

    #[test]
    fn every_name_is_taken_and_ours_comes_first() {
        let who = ChatIdentity::of(
            &headers(&[
                ("x-osaurus-agent-id", "other"),
                ("x-recollect-agent-id", "guide"),
                ("x-omniroute-session-id", "s 1"),
            ]),
            Some("mara"),
        )
        .expect("fine");
        let owner = who.owner();
        assert_eq!((owner.agent.as_str(), owner.user.as_str()), ("guide", "mara"));
        assert_eq!(who.session.as_ref().map(SessionId::as_str), Some("s 1"));
        assert_eq!(who.mode, MemoryMode::ON);
        let nobody = ChatIdentity::of(&headers(&[]), None).expect("fine");
        assert!(nobody.user.is_none() && nobody.session.is_none() && nobody.owner() == Owner::unnamed());
        let long = ChatIdentity::of(&headers(&[]), Some(&"u".repeat(5_000))).expect("no chat fails over it");
        assert!(long.user.is_some());
    }

    #[test]
    fn memory_is_told_what_it_may_do() {
        let check = |pairs: &[(&'static str, &str)], reads, writes| {
            assert_eq!(mode(&headers(pairs)).expect("fine"), MemoryMode { reads, writes }, "{pairs:?}");
        };
        check(&[], true, true);
        check(&[("x-recollect-memory", "ON")], true, true);
        check(&[("x-recollect-memory", "off")], false, false);
        check(&[("x-recollect-memory", " read ")], true, false);
        check(&[("x-recollect-memory", "write")], false, true);
        check(&[("x-omniroute-no-memory", "Yes")], false, false);
        check(&[("x-omniroute-no-memory", "false")], true, true);
        for (name, value) in [("x-recollect-memory", "of"), ("x-omniroute-no-memory", "maybe")] {
            let problem = mode(&headers(&[(name, value)])).expect_err("a slip of the pen");
            assert!(problem.message.contains("expected") && problem.details[0].field == name);
        }
    }

    #[test]
    fn what_is_ours_goes_no_further() {
        let mut given = headers(&[
            ("x-recollect-user-id", "a"),
            ("x-recollect-anything", "b"),
            ("x-omniroute-no-memory", "0"),
            ("x-osaurus-agent-id", "c"),
            ("authorization", "bearer rk_secret"),
            ("x-api-key", "rk_secret"),
            ("x-title", "kept"),
        ]);
        strip(&mut given);
        assert_eq!(given.keys().map(HeaderName::as_str).collect::<Vec<_>>(), ["x-title"]);
        let mut theirs = headers(&[("authorization", "Bearer sk-theirs"), ("x-api-key", "sk-theirs")]);
        strip(&mut theirs);
        assert_eq!(theirs.len(), 2);
    }
}
