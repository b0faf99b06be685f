//! A filter as SQL, so that what may not be seen is never even a candidate.
//!
//! One condition string for each corpus. In all of them `x` is the table that carries agent, user and session: the memory,
//! the episode, or the turn's session; `t` is the turn.

use memory::ports::TurnPlace;
use memory::types::{
    Corpus, Episode, Filter, KeyBounds, Memory, Owner, Scope, SessionKey, Status, Time, Validity, Viewer,
};
use rusqlite::types::Value;

/// A condition and its parameters, which are written `?` in order.
#[derive(Debug, Default)]
pub struct Condition {
    pub sql: String,
    pub parameters: Vec<Value>,
}

impl Condition {
    pub fn and(&mut self, sql: &str, parameters: impl IntoIterator<Item = Value>) {
        if !self.sql.is_empty() {
            self.sql.push_str(" AND ");
        }
        self.sql.push_str(sql);
        self.parameters.extend(parameters);
    }

    fn equals(&mut self, column: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.and(&format!("{column} = ?"), [text(value)]);
        }
    }

    fn one_of(&mut self, column: &str, values: &[&str]) {
        if !values.is_empty() {
            let marks = vec!["?"; values.len()].join(", ");
            self.and(&format!("{column} IN ({marks})"), values.iter().map(text));
        }
    }
}

fn text(value: impl ToString) -> Value {
    Value::Text(value.to_string())
}

/// The condition for rows of a corpus; never empty.
pub fn condition(corpus: Corpus, filter: &Filter) -> Condition {
    let mut condition = Condition::default();
    condition.equals("x.agent", filter.agent.as_ref().map(|id| id.as_str()));
    match &filter.user {
        Some(user) if corpus == Corpus::Memories && filter.with_everybodys => {
            condition.and("(x.user = ? OR x.scope = 'organization')", [text(user)]);
        }
        user => condition.equals("x.user", user.as_ref().map(|id| id.as_str())),
    }
    condition.equals("x.session", filter.session.as_ref().map(|id| id.as_str()));
    condition.equals("x.user", filter.bounds.user.as_ref().map(|id| id.as_str()));
    match corpus {
        Corpus::Memories => of_memories(&mut condition, filter),
        Corpus::Episodes => of_episodes(&mut condition, filter),
        Corpus::Turns => of_turns(&mut condition, filter),
    }
    condition
}

fn of_memories(condition: &mut Condition, filter: &Filter) {
    if let Some(viewer) = &filter.viewer {
        by_scope(condition, viewer);
    }
    if let Some(owner) = &filter.in_reach_of {
        let sql = "x.user = ? AND (x.scope = 'user' OR (x.agent = ? AND x.scope <> 'project'))";
        condition.and(sql, [text(&owner.user), text(&owner.agent)]);
    }
    within_agents(condition, &filter.bounds);
    condition.equals("x.project", filter.project.as_ref().map(|id| id.as_str()));
    condition
        .one_of("x.body ->> '$.category'", &filter.categories.iter().map(String::as_str).collect::<Vec<_>>());
    condition.one_of("x.scope", &filter.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>());
    condition.one_of("x.layer", &filter.layers.iter().map(|layer| layer.as_str()).collect::<Vec<_>>());
    condition.one_of("x.kind", &filter.kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>());
    for tag in &filter.tags {
        let sql = "EXISTS (SELECT 1 FROM json_each(x.body, '$.tags') WHERE value = ?)";
        condition.and(sql, [text(tag)]);
    }
    in_time(condition, "x.created_at", filter);
    let (statuses, then) = match filter.validity {
        Validity::Current { now } => (vec![Status::Active], Some(now)),
        Validity::AsOf { then } => (vec![Status::Active, Status::Superseded], Some(then)),
        // The past of a memory is read from its history, not from its row.
        Validity::KnownAt { .. } | Validity::Ever => (Vec::new(), None),
    };
    let statuses = if filter.statuses.is_empty() { statuses } else { filter.statuses.clone() };
    condition.one_of("x.status", &statuses.iter().map(|status| status.as_str()).collect::<Vec<_>>());
    if let Some(then) = then {
        let then = text(then);
        let sql =
            "(x.valid_from IS NULL OR x.valid_from <= ?) AND (x.valid_until IS NULL OR x.valid_until > ?)
                   AND (x.expires_at IS NULL OR x.expires_at > ?)";
        condition.and(sql, [then.clone(), then.clone(), then]);
    }
    never_empty(condition);
}

/// Who sees what, as [`Viewer::sees`] says it.
fn by_scope(condition: &mut Condition, viewer: &Viewer) {
    let (agent, user) = (text(&viewer.owner.agent), text(&viewer.owner.user));
    let session = viewer.session.as_ref().map_or(Value::Null, text);
    let project = viewer.project.as_ref().map_or(Value::Null, text);
    condition.and(
        "(x.scope = 'organization' OR (x.agent = ? AND x.scope = 'persona')
          OR (x.user = ? AND (x.scope = 'user' OR (x.scope = 'project' AND x.project = ?)
              OR (x.agent = ? AND (x.scope = 'agent' OR (x.scope = 'thread' AND x.session = ?))))))",
        [agent.clone(), user, project, agent, session],
    );
    if viewer.agent_only {
        condition.and(AGENTS_OWN, []);
    }
}

/// What no other agent's memories are among, whoever the user is.
const AGENTS_OWN: &str = "x.scope NOT IN ('user', 'project')";

/// What a caller's agents reach, as [`KeyBounds::admits`] says it.
fn within_agents(condition: &mut Condition, bounds: &KeyBounds) {
    if bounds.agents.is_empty() {
        return;
    }
    let marks = vec!["?"; bounds.agents.len()].join(", ");
    let sql = match bounds.shares_user {
        true => format!("(x.scope IN ('user', 'project') OR x.agent IN ({marks}))"),
        false => format!("{AGENTS_OWN} AND x.agent IN ({marks})"),
    };
    condition.and(&sql, bounds.agents.iter().map(text));
}

/// Episodes and turns belong to a user with an agent; they have no scope, kind or tag that a filter could name.
fn of_conversation(condition: &mut Condition, filter: &Filter) {
    if let Some(viewer) = &filter.viewer {
        condition.equals("x.agent", Some(viewer.owner.agent.as_str()));
        condition.equals("x.user", Some(viewer.owner.user.as_str()));
    }
    if let Some(owner) = &filter.in_reach_of {
        condition.equals("x.agent", Some(owner.agent.as_str()));
        condition.equals("x.user", Some(owner.user.as_str()));
    }
    let agents: Vec<&str> = filter.bounds.agents.iter().map(|agent| agent.as_str()).collect();
    condition.one_of("x.agent", &agents);
    if is_narrowed(filter) {
        condition.and("0", []);
    }
}

fn of_episodes(condition: &mut Condition, filter: &Filter) {
    of_conversation(condition, filter);
    in_time(condition, "x.ended_at", filter);
    match filter.validity {
        Validity::AsOf { then } => condition.and("x.ended_at <= ?", [text(then)]),
        Validity::KnownAt { then } => condition.and("x.created_at <= ?", [text(then)]),
        Validity::Current { .. } | Validity::Ever => {}
    }
    let everything = matches!(filter.validity, Validity::Ever);
    let statuses = if filter.statuses.is_empty() && !everything {
        vec![Status::Active]
    } else {
        filter.statuses.clone()
    };
    condition.one_of("x.status", &statuses.iter().map(|status| status.as_str()).collect::<Vec<_>>());
    never_empty(condition);
}

fn of_turns(condition: &mut Condition, filter: &Filter) {
    of_conversation(condition, filter);
    in_time(condition, "t.at", filter);
    if let Validity::AsOf { then } | Validity::KnownAt { then } = filter.validity {
        condition.and("t.at <= ?", [text(then)]);
    }
    // Of some nothing is left: it is forgotten whole.
    condition.and("(t.said IS NULL OR t.text <> '')", []);
}

fn in_time(condition: &mut Condition, column: &str, filter: &Filter) {
    if let Some(since) = filter.since {
        condition.and(&format!("{column} >= ?"), [text(since)]);
    }
    if let Some(until) = filter.until {
        condition.and(&format!("{column} < ?"), [text(until)]);
    }
}

fn never_empty(condition: &mut Condition) {
    if condition.sql.is_empty() {
        condition.and("1", []);
    }
}

/// The rows of a corpus, with `x` and `t` as conditions expect them.
pub fn source(corpus: Corpus) -> &'static str {
    match corpus {
        Corpus::Memories => "memory x",
        Corpus::Episodes => "episode x",
        Corpus::Turns => "turn t JOIN session x ON x.row = t.session_row",
    }
}

/// The alias under which the corpus's own row stands.
pub fn alias(corpus: Corpus) -> &'static str {
    match corpus {
        Corpus::Memories | Corpus::Episodes => "x",
        Corpus::Turns => "t",
    }
}

/// A memory as it was once, against the filter: the same rules as the SQL above, for rows that come from history.
pub fn admits(filter: &Filter, memory: &Memory) -> bool {
    let statuses: &[Status] = if filter.statuses.is_empty() { &[Status::Active] } else { &filter.statuses };
    statuses.contains(&memory.status) && is_meant(filter, memory)
}

/// A memory as it stands, against the filter: the same rules as the SQL above, for rows that are kept in memory.
pub fn admits_memory(filter: &Filter, memory: &Memory) -> bool {
    let (statuses, then): (&[Status], Option<Time>) = match filter.validity {
        Validity::Current { now } => (&[Status::Active], Some(now)),
        Validity::AsOf { then } => (&[Status::Active, Status::Superseded], Some(then)),
        Validity::KnownAt { .. } | Validity::Ever => (&[], None),
    };
    let statuses = if filter.statuses.is_empty() { statuses } else { &filter.statuses };
    let holds = |then: Time| {
        memory.valid_from.is_none_or(|from| from <= then)
            && memory.valid_until.is_none_or(|until| until > then)
            && memory.expires_at.is_none_or(|expires| expires > then)
    };
    (statuses.is_empty() || statuses.contains(&memory.status))
        && then.is_none_or(holds)
        && is_meant(filter, memory)
}

/// All that a filter asks of a memory but how it stands.
fn is_meant(filter: &Filter, memory: &Memory) -> bool {
    filter.viewer.as_ref().is_none_or(|viewer| viewer.sees(memory))
        && filter.in_reach_of.as_ref().is_none_or(|owner| memory.is_within_reach_of(owner))
        && filter.bounds.admits(memory)
        && filter.project.as_ref().is_none_or(|project| Some(project) == memory.project.as_ref())
        && (filter.categories.is_empty()
            || memory.category.as_ref().is_some_and(|word| filter.categories.contains(word)))
        && filter.agent.as_ref().is_none_or(|agent| *agent == memory.agent)
        && filter.user.as_ref().is_none_or(|user| {
            *user == memory.user || filter.with_everybodys && memory.scope == Scope::Organization
        })
        && filter.session.as_ref().is_none_or(|session| Some(session) == memory.session.as_ref())
        && (filter.scopes.is_empty() || filter.scopes.contains(&memory.scope))
        && (filter.layers.is_empty() || filter.layers.contains(&memory.layer))
        && (filter.kinds.is_empty() || filter.kinds.contains(&memory.kind))
        && filter.tags.iter().all(|tag| memory.tags.contains(tag))
        && is_then(filter, memory.created_at)
}

/// The same of an episode.
pub fn admits_episode(filter: &Filter, episode: &Episode) -> bool {
    let statuses: &[Status] = match filter.statuses.is_empty() && filter.validity != Validity::Ever {
        true => &[Status::Active],
        false => &filter.statuses,
    };
    let in_time = match filter.validity {
        Validity::AsOf { then } => episode.ended_at <= then,
        Validity::KnownAt { then } => episode.created_at <= then,
        Validity::Current { .. } | Validity::Ever => true,
    };
    is_within(filter, &episode.session)
        && is_then(filter, episode.ended_at)
        && in_time
        && (statuses.is_empty() || statuses.contains(&episode.status))
}

/// The same of a turn of which something is left to be told.
pub fn admits_turn(filter: &Filter, place: &TurnPlace) -> bool {
    let in_time = match filter.validity {
        Validity::AsOf { then } | Validity::KnownAt { then } => place.at <= then,
        Validity::Current { .. } | Validity::Ever => true,
    };
    is_within(filter, &place.session) && is_then(filter, place.at) && in_time
}

/// Whether what belongs to a conversation is meant.
fn is_within(filter: &Filter, session: &SessionKey) -> bool {
    let (agent, user) = (&session.agent, &session.user);
    let owned = |of: Option<&Owner>| of.is_none_or(|owner| owner.agent == *agent && owner.user == *user);
    !is_narrowed(filter)
        && filter.agent.as_ref().is_none_or(|of| of == agent)
        && filter.user.as_ref().is_none_or(|of| of == user)
        && filter.session.as_ref().is_none_or(|of| *of == session.session)
        && filter.bounds.admits_owner(agent, user)
        && owned(filter.viewer.as_ref().map(|viewer| &viewer.owner))
        && owned(filter.in_reach_of.as_ref())
}

fn is_then(filter: &Filter, at: Time) -> bool {
    filter.since.is_none_or(|since| at >= since) && filter.until.is_none_or(|until| at < until)
}

/// Whether it names something that only memories have.
fn is_narrowed(filter: &Filter) -> bool {
    !(filter.scopes.is_empty()
        && filter.layers.is_empty()
        && filter.kinds.is_empty()
        && filter.categories.is_empty()
        && filter.project.is_none()
        && filter.tags.is_empty())
}
