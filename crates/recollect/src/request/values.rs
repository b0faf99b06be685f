//! What requests are made of: ids, moments and numbers that know what they may be, and the fields that many requests share.
//!
//! Each reads itself, refuses in words, and describes itself with the bounds that it checks. The structs at the end are parts
//! ([`super::shape::PARTS`]): their fields stand beside those of the request that has them.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use memory::limits::{PAGE_ROWS, SEARCH_RESULTS};
use memory::types::{AgentId, MemoryId, ProjectId, SessionId, Time, UserId};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::limits;
use crate::ops::select::Selection;

/// A text that is one of something's words, or an id or a moment as text.
pub fn parsed<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(reader: D) -> Result<T, D::Error> {
    String::deserialize(reader)?.parse().map_err(D::Error::custom)
}

/// A field of a change: what is not there stays, and `null` takes away.
pub fn change<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    reader: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(reader).map(Some)
}

macro_rules! given_ids {
    ($( $(#[$doc:meta])* $name:ident($id:ty); )+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name(pub $id);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
                // Clients that count their users and conversations send numbers, which are as good as text.
                let text = match Value::deserialize(reader)? {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                text.parse().map($name).map_err(D::Error::custom)
            }
        }

        impl From<$name> for $id {
            fn from(given: $name) -> $id {
                given.0
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let kinds = SchemaType::from_iter([Type::String, Type::Integer]);
                let about = "A name, without control characters. Numbers are as good as text.";
                let id = ObjectBuilder::new().schema_type(kinds).description(Some(about));
                let most = memory::limits::GIVEN_ID_BYTES;
                RefOr::T(Schema::Object(id.min_length(Some(1)).max_length(Some(most)).build()))
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                "GivenId".into()
            }
        }
    )+ };
}

given_ids! {
    /// What a client calls an agent.
    GivenAgent(AgentId);
    /// What a client calls a user.
    GivenUser(UserId);
    /// What a client calls a conversation.
    GivenSession(SessionId);
    /// What a client calls a project.
    GivenProject(ProjectId);
    /// What a client calls anything else.
    GivenName(String);
}

/// A moment as it may be given: a day will do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MomentOrDay(pub Time);

impl<'de> Deserialize<'de> for MomentOrDay {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        parsed(reader).map(MomentOrDay)
    }
}

impl From<MomentOrDay> for Time {
    fn from(given: MomentOrDay) -> Time {
        given.0
    }
}

impl PartialSchema for MomentOrDay {
    fn schema() -> RefOr<Schema> {
        let about = "A day such as 2026-05-01 or a moment such as 2026-05-01T12:30:00Z.";
        let pattern = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])(T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ)?$";
        RefOr::T(Schema::Object(text(about).pattern(Some(pattern)).build()))
    }
}

impl ToSchema for MomentOrDay {}

/// The id of a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryName(pub MemoryId);

impl<'de> Deserialize<'de> for MemoryName {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        parsed(reader).map(MemoryName)
    }
}

impl PartialSchema for MemoryName {
    fn schema() -> RefOr<Schema> {
        let pattern = "^mt_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
        RefOr::T(Schema::Object(text("The id of a memory.").pattern(Some(pattern)).build()))
    }
}

impl ToSchema for MemoryName {}

macro_rules! numbers {
    ($( $(#[$doc:meta])* $name:ident: $least:expr, $most:expr $(, usually $usual:expr)?; )+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name(pub usize);

        $(
            impl Default for $name {
                fn default() -> Self {
                    Self($usual)
                }
            }
        )?

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
                let number = usize::deserialize(reader)?;
                match ($least..=$most).contains(&number) {
                    true => Ok($name(number)),
                    false => Err(D::Error::custom(format!("it is {number}; expected from {} to {}", $least, $most))),
                }
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let number = ObjectBuilder::new().schema_type(SchemaType::new(Type::Integer));
                $( let number = number.default(Some(Value::from($usual))); )?
                RefOr::T(Schema::Object(number.minimum(Some($least)).maximum(Some($most)).build()))
            }
        }

        impl ToSchema for $name {}
    )+ };
}

numbers! {
    /// How many results of a search.
    TopK: 1_usize, SEARCH_RESULTS;
    /// How many results of a preview.
    PreviewRows: 1_usize, limits::PREVIEW_ROWS;
    /// How many tokens a preview may spend.
    PreviewTokens: 1_usize, limits::PREVIEW_TOKENS;
    /// How many rows of a short list.
    ListedRows: 1_usize, PAGE_ROWS;
    PageRows: 1_usize, limits::PAGE_MOST_ROWS;
    PageNumber: 1_usize, limits::PAGE_FARTHEST;
    /// Which page of rows as many as mem0's clients may ask for.
    Mem0PageNumber: 1_usize, limits::PAGE_FARTHEST / PAGE_ROWS;
    PageOffset: 0_usize, limits::PAGE_FARTHEST;
    /// How old, in days.
    OldDays: 1_usize, limits::SUMMARISED_DAYS;
    /// How grave.
    CrisisLevel: 0_usize, memory::types::CrisisNote::GRAVEST as usize;
    /// How long something is kept, in days; 0 is for ever.
    KeptDays: 0_usize, limits::KEPT_DAYS;
    /// How many results of a tool.
    ToolRows: 1_usize, limits::TOOL_ROWS, usually limits::TOOL_USUAL_ROWS;
    /// How many results of a tool that looks at one kind of memory.
    PlaceRows: 1_usize, limits::TOOL_PLACE_ROWS, usually limits::TOOL_USUAL_ROWS;
    /// How many rows of a tool's page.
    ToolPageRows: 1_usize, limits::PAGE_MOST_ROWS, usually limits::TOOL_USUAL_ROWS;
    /// How many days a tool looks back.
    LookBackDays: 1_usize, limits::TOOL_DAYS, usually limits::TOOL_USUAL_DAYS;
    /// How many results of OmniRoute's tool.
    OmnirouteRows: 1_usize, limits::TOOL_ROWS, usually limits::OMNIROUTE_USUAL_ROWS;
    /// How many tokens of an answer of OmniRoute's tool.
    OmnirouteTokens: 1_usize, limits::OMNIROUTE_TOKENS, usually limits::OMNIROUTE_USUAL_TOKENS;
    /// How many relations away.
    GraphDepth: 1_usize, memory::graph::MAX_DEPTH as usize;
}

/// A request that can say nothing.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Whose, and in which conversation.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct NamedScope {
    /// Of this agent.
    pub agent_id: Option<GivenAgent>,
    /// Of this user.
    pub user_id: Option<GivenUser>,
    /// Of this conversation.
    pub session_id: Option<GivenSession>,
}

impl NamedScope {
    pub fn agent(&self) -> Option<AgentId> {
        self.agent_id.clone().map(AgentId::from)
    }

    pub fn user(&self) -> Option<UserId> {
        self.user_id.clone().map(UserId::from)
    }

    pub fn session(&self) -> Option<SessionId> {
        self.session_id.clone().map(SessionId::from)
    }

    /// As filters.
    pub fn selection(&self) -> Selection {
        Selection { agent: self.agent(), user: self.user(), session: self.session(), ..Selection::default() }
    }
}

/// Whose.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct NamedOwner {
    /// Of this agent.
    pub agent_id: Option<GivenAgent>,
    /// Of this user.
    pub user_id: Option<GivenUser>,
}

impl NamedOwner {
    pub fn agent(&self) -> Option<AgentId> {
        self.agent_id.clone().map(AgentId::from)
    }

    pub fn user(&self) -> Option<UserId> {
        self.user_id.clone().map(UserId::from)
    }
}

/// About whom.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
pub struct NamedUser {
    /// About whom; `default` when nobody is named.
    pub user_id: Option<GivenUser>,
}

impl NamedUser {
    pub fn user(&self) -> Option<UserId> {
        self.user_id.clone().map(UserId::from)
    }
}

/// A part of a list: `limit` with `offset`, or with `page` from 1.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
pub struct Pages {
    /// Rows of a page.
    limit: Option<PageRows>,
    /// Which page, from 1.
    page: Option<PageNumber>,
    /// Rows to pass over, instead of `page`.
    offset: Option<PageOffset>,
}

impl Pages {
    pub fn limit(self) -> usize {
        self.limit.map_or(limits::PAGE_USUAL_ROWS, |rows| rows.0)
    }

    pub fn offset(self) -> usize {
        match (self.offset, self.page) {
            (Some(offset), _) => offset.0,
            (None, Some(page)) => (page.0 - 1).saturating_mul(self.limit()),
            (None, None) => 0,
        }
    }

    /// From 1.
    pub fn page(self) -> usize {
        self.offset() / self.limit() + 1
    }

    pub fn count(self, total: u64) -> u64 {
        total.div_ceil(self.limit() as u64)
    }
}

fn text(about: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).description(Some(about))
}
