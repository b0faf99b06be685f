//! The tools, and which of them a client gets.
//!
//! A profile is a set of tools under the names that clients of another system already know; `default` has ours. All of
//! them are other words for the same operations.

pub mod clear;
pub mod context;
pub mod feedback;
pub mod mem0;
pub mod omniroute;
pub mod search;
pub mod upkeep;
pub mod write;

use clap::ValueEnum;

use super::spec::Spec;
use crate::config::nearest;
use crate::problem::Problem;

/// The tool that is only offered where there is something to ask back for.
pub const REHYDRATE: &str = "rehydrate_memory";

/// Whose names the tools have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// All of ours.
    #[default]
    Default,
    /// mem0's.
    Mem0,
    /// OmniRoute's.
    Omniroute,
}

/// Which tools a client gets.
#[derive(Debug, Clone, Default)]
pub struct ToolSelection {
    profile: Profile,
    /// Only these; all of the profile where none is named.
    only: Vec<String>,
}

impl Profile {
    pub const ALL: [Profile; 3] = [Profile::Default, Profile::Mem0, Profile::Omniroute];

    pub fn as_str(self) -> &'static str {
        match self {
            Profile::Default => "default",
            Profile::Mem0 => "mem0",
            Profile::Omniroute => "omniroute",
        }
    }

    pub fn named(word: &str) -> Result<Profile, Problem> {
        Profile::ALL.into_iter().find(|profile| profile.as_str() == word).ok_or_else(|| {
            let names: Vec<&str> = Profile::ALL.iter().map(|profile| profile.as_str()).collect();
            Problem::field(
                "profile",
                format!("`profile`: it is unknown; expected one of {}", names.join(", ")),
            )
        })
    }

    /// All of its tools.
    pub fn tools(self) -> Vec<Spec> {
        match self {
            Profile::Default => vec![
                search::memory_search(),
                context::memory_context(),
                write::memory_add(),
                write::memory_update(),
                write::memory_delete(),
                write::memory_merge(),
                search::search_memory(),
                context::get_identity(),
                clear::memory_clear(),
                feedback::memory_feedback(),
                upkeep::memory_reflect(),
                upkeep::rehydrate_memory(),
            ],
            Profile::Mem0 => mem0::tools(),
            Profile::Omniroute => omniroute::tools(),
        }
    }
}

impl ToolSelection {
    /// Refuses names of tools that the profile does not have.
    pub fn new(profile: Profile, only: Vec<String>) -> Result<Self, Problem> {
        let tools = profile.tools();
        let known: Vec<&str> = tools.iter().map(Spec::name).collect();
        if let Some(unknown) = only.iter().find(|name| !known.contains(&name.as_str())) {
            let shown = memory::error::shown(unknown);
            let message = format!(
                "`tools`: the profile {} has no tool `{shown}`; expected some of {}",
                profile.as_str(),
                known.join(", ")
            );
            let problem = Problem::field("tools", message);
            return Err(match nearest(&shown, known.iter().copied()) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            });
        }
        Ok(Self { profile, only })
    }

    pub fn tools(&self) -> Vec<Spec> {
        let mut tools = self.profile.tools();
        tools.retain(|tool| self.only.is_empty() || self.only.iter().any(|name| name == tool.name()));
        tools
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_tool_says_what_it_is_and_takes_what_it_says() {
        for profile in Profile::ALL {
            let tools = profile.tools();
            let names: BTreeSet<&str> = tools.iter().map(Spec::name).collect();
            assert_eq!(names.len(), tools.len(), "{profile:?}: a name is given twice");
            for tool in &tools {
                let about = tool.about();
                assert!(about.description.len() > 80, "{}: too little to go by", about.name);
                let properties = tool.properties();
                for (name, schema) in properties {
                    assert!(
                        schema["description"].as_str().is_some(),
                        "{}.{name}: no description",
                        about.name
                    );
                    assert!(schema["type"].is_string(), "{}.{name}: one kind of value", about.name);
                }
                for required in tool.input["required"].as_array().expect("a list") {
                    assert!(properties.contains_key(required.as_str().expect("a name")), "{}", about.name);
                }
                assert_eq!(about.output["type"], "object", "{}", about.name);
            }
        }
    }

    #[test]
    fn some_tools_can_be_chosen_and_unknown_ones_are_refused() {
        let choice = ToolSelection::new(Profile::Default, vec!["memory_search".into()]).expect("known");
        assert_eq!(choice.tools().len(), 1);
        let problem = ToolSelection::new(Profile::Default, vec!["memory_serch".into()]).expect_err("unknown");
        assert_eq!(problem.hint.as_deref(), Some("did you mean `memory_search`?"));
    }
}
