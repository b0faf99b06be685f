//! Who speaks, to whom, in which conversation, and whether memory may take part: read from a request's headers.
//!
//! Everything of ours stands in headers, so that any client can set it and no body has to change; the names under which
//! other systems' clients send the same things are taken too. What is ours never goes upstream. A header that is there and
//! wrong is a 400, because passing over `X-Recollect-Memory: of` would do the opposite of what was meant.
//!
//! Chat programs name their user and their conversation in headers of their own. Those are taken where ours say nothing: with one
//! memory for everybody who uses the program, each would be told of the others. They were not written for us, so no chat is refused
//! over one.

use std::fmt::Display;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use memory::types::{AgentId, Owner, ProjectId, SessionId, UserId, content_hash};
use serde_json::Value;
use store::Role;

use super::programs::AskingProgram;
use crate::auth;
use crate::ops::errands::{Errand, Leave};
use crate::ops::{Caller, Services, zones};
use crate::problem::Problem;

/// Each thing that can be said, and the headers that say it; the first that is there counts.
const AGENT: [&str; 2] = ["x-recollect-agent-id", "x-osaurus-agent-id"];
const USER: [&str; 1] = ["x-recollect-user-id"];
const SESSION: [&str; 2] = ["x-recollect-session-id", "x-omniroute-session-id"];
const PROJECT: [&str; 1] = ["x-recollect-project-id"];

/// What Open WebUI says of who uses it: for us, and for no provider of models.
const OPEN_WEBUI: &str = "x-openwebui-";
const OPEN_WEBUI_USER: &str = "x-openwebui-user-id";
const OPEN_WEBUI_TOKEN: &str = "x-openwebui-user-jwt";
/// Any program's header for the user's id has a name like this.
const ANY_USER: (&str, &str) = ("x-", "-user-id");
/// What programs call the conversation.
const THEIR_SESSION: [&str; 3] = ["x-openwebui-chat-id", "x-claude-code-session-id", "x-opencode-session"];
/// What coding agents call it; of other programs the same names may mean anything.
const CODING_SESSION: [&str; 3] = ["session-id", "x-session-id", "session_id"];

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
    /// The user is what the program calls theirs, in the body or in a header of its own: no chat is refused over it.
    user_of_program: bool,
}

impl ChatIdentity {
    /// What our own headers say.
    pub fn of(headers: &HeaderMap) -> Result<ChatIdentity, Problem> {
        Ok(ChatIdentity {
            agent: one_of(headers, &AGENT)?,
            user: one_of(headers, &USER)?,
            session: one_of(headers, &SESSION)?,
            project: one_of(headers, &PROJECT)?,
            agent_only: false,
            mode: mode(headers)?,
            user_of_program: false,
        })
    }

    /// The same of a chat, where what the program says counts as far as ours say nothing. `body_user` is what the body says in its
    /// field `user`.
    pub fn of_chat(headers: &HeaderMap, body_user: Option<&str>) -> Result<ChatIdentity, Problem> {
        let mut who = ChatIdentity::of(headers)?;
        if who.user.is_none() {
            who.user_of_program = true;
            who.user = programs_user(headers).or_else(|| body_user.and_then(foreign_id));
        }
        if who.session.is_none() {
            who.session = programs_session(headers);
        }
        Ok(who)
    }

    pub fn owner(&self) -> Owner {
        Owner {
            agent: self.agent.clone().unwrap_or_else(AgentId::unnamed),
            user: self.user.clone().unwrap_or_else(UserId::unnamed),
        }
    }

    /// Asks whether the caller may chat for the user with the agent, which a key may settle. Who may only read is not captured.
    pub fn permitted(mut self, house: &Services, caller: &Caller) -> Result<(ChatIdentity, Leave), Problem> {
        if let Some(only) = caller.user().filter(|_| self.user_of_program) {
            // A chat goes through as it is: what the program calls its user is not taken for the key's.
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
            || name.starts_with(OPEN_WEBUI)
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

/// Where the user is, as the client tells, by a name of the IANA database.
const TIME_ZONE: &str = "x-recollect-time-zone";

/// The time zone that a request names; a wrong one is an error, which a chat passes over.
pub fn time_zone(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get(TIME_ZONE) else { return Ok(None) };
    let name = value.to_str().map_err(|_| wrong(TIME_ZONE, "it is not plain text"))?;
    zones::checked("X-Recollect-Time-Zone", name).map(|zone| Some(zone.to_owned()))
}

/// What a program calls somebody or something may be anything; what cannot be an id gets one, so that no chat fails over it.
fn foreign_id<T: FromStr>(name: &str) -> Option<T> {
    let name = name.trim();
    if name.is_empty() {
        return None;
    }
    name.parse().ok().or_else(|| content_hash(name).parse().ok())
}

fn plain<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Whom the program's own headers name.
fn programs_user(headers: &HeaderMap) -> Option<UserId> {
    let open_webui = || foreign_id(plain(headers, OPEN_WEBUI_USER)?);
    let token = || foreign_id(&of_token(plain(headers, OPEN_WEBUI_TOKEN)?)?);
    open_webui().or_else(token).or_else(|| {
        let names = headers.keys().map(HeaderName::as_str);
        let users = names.filter(|name| name.starts_with(ANY_USER.0) && name.ends_with(ANY_USER.1));
        let mut named: Vec<UserId> = users.filter_map(|name| foreign_id(plain(headers, name)?)).collect();
        named.dedup();
        // Two that name two people name nobody.
        named.pop().filter(|_| named.is_empty())
    })
}

/// Whom a signed token names. Its signature is not for us to check: it says no more than the plain header would.
fn of_token(token: &str) -> Option<String> {
    let claims = token.trim().split('.').nth(1)?;
    let claims = URL_SAFE_NO_PAD.decode(claims.trim_end_matches('=')).ok()?;
    let claims: Value = serde_json::from_slice(&claims).ok()?;
    ["id", "sub", "user_id", "email"].iter().find_map(|name| claims[*name].as_str().map(str::to_owned))
}

/// What the program's own headers call the conversation.
fn programs_session(headers: &HeaderMap) -> Option<SessionId> {
    let first = |names: &[&str]| names.iter().find_map(|name| foreign_id(plain(headers, name)?));
    first(&THEIR_SESSION).or_else(|| {
        let codes = AskingProgram::of(headers).codes;
        codes.then(|| first(&CODING_SESSION)).flatten()
    })
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
        let who = ChatIdentity::of_chat(
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
        let nobody = ChatIdentity::of_chat(&headers(&[]), None).expect("fine");
        assert!(nobody.user.is_none() && nobody.session.is_none() && nobody.owner() == Owner::unnamed());
        let long = Some("u".repeat(5_000));
        let long = ChatIdentity::of_chat(&headers(&[]), long.as_deref()).expect("no chat fails over it");
        assert!(long.user.is_some());
    }

    #[test]
    fn programs_name_their_users_and_conversations_in_their_own_headers() {
        let of = |pairs: &[(&'static str, &str)]| {
            let who = ChatIdentity::of_chat(&headers(pairs), Some("of the body")).expect("fine");
            (who.user.map(String::from), who.session.map(String::from))
        };
        let said = |user: &str, session: Option<&str>| (Some(user.to_owned()), session.map(str::to_owned));
        let webui = [("x-openwebui-user-id", "alice"), ("x-openwebui-chat-id", "c1")];
        assert_eq!(of(&webui), said("alice", Some("c1")));
        let ours = [webui[0], webui[1], ("x-recollect-user-id", "ada"), ("x-recollect-session-id", "s")];
        assert_eq!(of(&ours), said("ada", Some("s")), "ours count first");
        let claims = URL_SAFE_NO_PAD.encode(r#"{"id":"bob","email":"b@example.org","iat":1}"#);
        let token = format!("eyJhbGciOiJIUzI1NiJ9.{claims}.c2ln");
        assert_eq!(of(&[("x-openwebui-user-jwt", &token)]), said("bob", None));
        assert_eq!(of(&[("x-openwebui-user-jwt", "no token")]), said("of the body", None));
        assert_eq!(of(&[("x-somechat-user-id", "carol")]), said("carol", None), "whatever its name");
        assert_eq!(of(&[("x-claude-code-session-id", "cc")]).1.as_deref(), Some("cc"));
        let codex = [("originator", "codex_cli_rs"), ("session-id", "cx")];
        assert_eq!(of(&codex).1.as_deref(), Some("cx"));
        let opencode = [("user-agent", "opencode/1.0"), ("x-session-id", "oc")];
        assert_eq!(of(&opencode).1.as_deref(), Some("oc"));
        assert_eq!(of(&[("session-id", "worker-3")]).1, None, "which may be anything");
        let odd = "s".repeat(5_000);
        assert!(of(&[("x-openwebui-chat-id", &odd)]).1.is_some(), "no chat fails over it");
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
            ("x-openwebui-user-email", "d@example.org"),
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
