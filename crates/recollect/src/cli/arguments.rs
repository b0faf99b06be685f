//! Arguments that several commands take, and how they are read.

use std::io::Read;

use clap::Args;
use memory::types::{KeyBounds, Kind, Layer, ProjectId, Scope, Time};
use serde_json::{Map, Value};

use super::{CommandOwner, words};
use crate::ops::select::Selection;
use crate::ops::update::TimeChange;
use crate::problem::Problem;

/// Which memories.
#[derive(Debug, Clone, Default, Args)]
pub struct FilterArguments {
    /// Only this kind: fact, preference, decision, correction, commitment, relationship, skill, goal, event, rule
    #[arg(long = "kind", value_name = "KIND", value_parser = words::kinds(), hide_possible_values = true)]
    pub kinds: Vec<Kind>,
    /// Only this layer: semantic, episodic, procedural, prospective
    #[arg(long = "layer", value_name = "LAYER", value_parser = words::layers(), hide_possible_values = true)]
    pub layers: Vec<Layer>,
    /// Only this category; repeat it for several
    #[arg(long = "category", value_name = "WORD")]
    pub categories: Vec<String>,
    /// Only of this project
    #[arg(long, value_name = "NAME")]
    pub project: Option<ProjectId>,
    /// Only with this tag; repeat it for several at once
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Only what was written at or after this time
    #[arg(long, value_name = "TIME")]
    pub since: Option<Time>,
    /// Only what was written before this time
    #[arg(long, value_name = "TIME")]
    pub until: Option<Time>,
}

/// Whose eyes a memory is for.
#[derive(Debug, Clone, Default, Args)]
pub struct Scopes {
    /// Only this scope: thread, project, agent, user, persona, organization
    #[arg(long = "scope", value_name = "SCOPE", value_parser = words::scopes(), hide_possible_values = true)]
    pub scopes: Vec<Scope>,
}

/// Which moment to look at.
#[derive(Debug, Clone, Default, Args)]
pub struct Clocks {
    /// What was true then, as far as is known today
    #[arg(long, value_name = "TIME")]
    pub as_of: Option<Time>,
    /// What was known then
    #[arg(long, value_name = "TIME", conflicts_with = "as_of")]
    pub known_at: Option<Time>,
}

impl FilterArguments {
    /// Whether any of them is given.
    pub fn any(&self) -> bool {
        let lists =
            [self.kinds.is_empty(), self.layers.is_empty(), self.tags.is_empty(), self.categories.is_empty()];
        lists.contains(&false) || self.project.is_some() || self.since.is_some() || self.until.is_some()
    }

    pub fn selection(self, who: &CommandOwner, scopes: Vec<Scope>, clocks: Clocks) -> Selection {
        Selection {
            agent: who.agent.clone(),
            user: who.user.clone(),
            session: who.session.clone(),
            scopes,
            layers: self.layers,
            kinds: self.kinds,
            categories: self.categories,
            project: self.project,
            tags: self.tags,
            since: self.since,
            until: self.until,
            as_of: clocks.as_of,
            known_at: clocks.known_at,
            statuses: Vec::new(),
            bounds: KeyBounds::default(),
        }
    }
}

/// Words as one text; a single `-` means stdin.
pub fn text(words: &[String]) -> Result<String, Problem> {
    match words {
        [dash] if dash == "-" => from_stdin(),
        words => Ok(words.join(" ")),
    }
}

fn from_stdin() -> Result<String, Problem> {
    let mut text = String::new();
    // One byte more than anything takes, so that too much is refused and not cut.
    let most = crate::limits::BODY_BYTES as u64 + 1;
    let read = std::io::stdin().lock().take(most).read_to_string(&mut text);
    read.map_err(|error| Problem::invalid(format!("stdin cannot be read as UTF-8 text: {error}")))?;
    Ok(text)
}

/// A JSON object on the command line.
pub fn json_object(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("expected a JSON object such as {\"source\": \"letter\"}".to_owned()),
        Err(error) => Err(format!("expected a JSON object: {error}")),
    }
}

/// A time, or `none` to take one away.
pub fn moment(text: &str) -> Result<TimeChange, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(TimeChange::Never);
    }
    text.parse().map(TimeChange::At).map_err(|error: memory::types::TimeError| format!("{error}, or none"))
}
