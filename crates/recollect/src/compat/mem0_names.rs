//! Whose memory it is, in mem0's words: one struct for its routes and for its tools.

use memory::types::{AgentId, SessionId, UserId};
use serde::Deserialize;
use transfer::compat::mem0::filter::{FilterTest, Mem0Field};
use utoipa::ToSchema;

use crate::request::values::{GivenAgent, GivenName, GivenSession, GivenUser};

/// Whose it is, each a plain name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, ToSchema)]
pub struct Mem0Names {
    /// Whose memory it is.
    pub user_id: Option<GivenUser>,
    /// Of which assistant.
    pub agent_id: Option<GivenAgent>,
    /// Of which conversation.
    pub run_id: Option<GivenSession>,
    /// Of which application, kept as a key of the metadata.
    pub app_id: Option<GivenName>,
}

/// The same names inside `filters`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = Mem0NamesInside)]
pub struct NamesInside {
    #[serde(default)]
    whose: Mem0Names,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mem0Owner {
    pub user: Option<UserId>,
    pub agent: Option<AgentId>,
    pub run: Option<SessionId>,
    pub app: Option<String>,
}

impl Mem0Names {
    /// What stands beside the rest counts for more than what stands inside `filters`.
    pub fn or_inside(self, inside: Option<NamesInside>) -> Mem0Owner {
        let (said, inside) = (self.owner(), inside.unwrap_or_default().whose.owner());
        Mem0Owner {
            user: said.user.or(inside.user),
            agent: said.agent.or(inside.agent),
            run: said.run.or(inside.run),
            app: said.app.or(inside.app),
        }
    }

    pub fn owner(self) -> Mem0Owner {
        Mem0Owner {
            user: self.user_id.map(UserId::from),
            agent: self.agent_id.map(AgentId::from),
            run: self.run_id.map(SessionId::from),
            app: self.app_id.map(String::from),
        }
    }
}

impl Mem0Owner {
    /// Each that is named, by mem0's name for it.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, Mem0Field, &str)> {
        let all = [
            ("user_id", Mem0Field::User, self.user.as_ref().map(UserId::as_str)),
            ("agent_id", Mem0Field::Agent, self.agent.as_ref().map(AgentId::as_str)),
            ("run_id", Mem0Field::Run, self.run.as_ref().map(SessionId::as_str)),
            ("app_id", Mem0Field::App, self.app.as_deref()),
        ];
        all.into_iter().filter_map(|(word, field, name)| name.map(|name| (word, field, name)))
    }

    pub fn test(&self) -> FilterTest {
        FilterTest::All(self.named().map(|(_, field, name)| FilterTest::equals(field, name)).collect())
    }

    pub fn is_nobody(&self) -> bool {
        *self == Self::default()
    }
}
