//! What the description of the interface says about ids, times and words.
//!
//! These types are never made: `#[schema(value_type = …)]` names them where a field has a type of the core, which knows
//! nothing of descriptions. Lists of words are taken from the core's own, so that they cannot disagree.

use memory::types::{JudgedBy, Judgement, Kind, Layer, Origin, Role, RunState, Scope, Status, Step};
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

macro_rules! words {
    ($( $(#[$doc:meta])* $name:ident: $about:literal, $words:expr; )+) => { $(
        $(#[$doc])*
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let words: Vec<&'static str> = $words;
                RefOr::T(Schema::Object(text($about).enum_values(Some(words)).build()))
            }
        }

        impl ToSchema for $name {}
    )+ };
}

words! {
    LayerWord: "What sort of remembering it is.", Layer::ALL.iter().map(|word| word.as_str()).collect();
    KindWord: "What kind of statement it is.", Kind::ALL.iter().map(|word| word.as_str()).collect();
    ScopeWord: "Who sees it.", Scope::ALL.iter().map(|word| word.as_str()).collect();
    OriginWord: "Where the sentence comes from.", Origin::ALL.iter().map(|word| word.as_str()).collect();
    StatusWord: "Whether it counts today.", Status::ALL.iter().map(|word| word.as_str()).collect();
    RoleWord: "Who said it.", Role::ALL.iter().map(|word| word.as_str()).collect();
    /// What `type` may be where memories are chosen or written: a layer, or a kind.
    TypeWord: "A layer or a kind; `factual` is another word for `semantic`.", types();
    StrategyWord: "By words and meaning, by meaning alone, or the newest first.", vec!["hybrid", "semantic", "recent"];
    PathWord: "Which way the answer came.", vec![
        "hybrid", "semantic", "recent", "keyword", "keyword_after_embed_error", "like", "skipped_empty_store",
    ];
    ActorWord: "Who made the change.", vec!["person", "model", "heuristic", "tool", "import", "tend"];
    RunStateWord: "How far a run is.", RunState::ALL.iter().map(|word| word.as_str()).collect();
    StepWord: "A step of upkeep.", Step::ALL.iter().map(|word| word.as_str()).collect();
    JudgementWord: "What became of a memory that was recalled.", Judgement::ALL.iter().map(|word| word.as_str()).collect();
    SourceWord: "Who says so.", vec!["agent", "person"];
    /// The same where it is told, and words may have told it.
    JudgedByWord: "Who said so; `overlap` is the reply's own words.", JudgedBy::ALL.iter().map(|word| word.as_str()).collect();
    FusionWord: "How words and meaning become one score.", vec!["weighted", "rrf"];
}

fn types() -> Vec<&'static str> {
    let layers = Layer::ALL.iter().map(|word| word.as_str());
    layers.chain(["factual"]).chain(Kind::ALL.iter().map(|word| word.as_str())).collect()
}

/// A moment in UTC.
pub struct Moment;

impl PartialSchema for Moment {
    fn schema() -> RefOr<Schema> {
        let format = Some(SchemaFormat::KnownFormat(KnownFormat::DateTime));
        RefOr::T(Schema::Object(text("A moment, RFC 3339.").format(format).build()))
    }
}

impl ToSchema for Moment {}

/// A moment as it may be given: a day will do.
pub struct MomentOrDay;

impl PartialSchema for MomentOrDay {
    fn schema() -> RefOr<Schema> {
        let about = "A day such as 2026-05-01 or a moment such as 2026-05-01T12:30:00Z.";
        let pattern = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])(T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ)?$";
        RefOr::T(Schema::Object(text(about).pattern(Some(pattern)).build()))
    }
}

impl ToSchema for MomentOrDay {}

/// A name that a client gives: to an agent, a user or a conversation.
pub struct GivenId;

impl PartialSchema for GivenId {
    fn schema() -> RefOr<Schema> {
        let kinds = SchemaType::from_iter([Type::String, Type::Integer]);
        let about = "A name, without control characters. Numbers are as good as text.";
        let id = ObjectBuilder::new().schema_type(kinds).description(Some(about));
        RefOr::T(Schema::Object(id.min_length(Some(1)).max_length(Some(200)).build()))
    }
}

impl ToSchema for GivenId {}

/// The id of a memory.
pub struct MemoryName;

impl PartialSchema for MemoryName {
    fn schema() -> RefOr<Schema> {
        let pattern = "^mt_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
        RefOr::T(Schema::Object(text("The id of a memory.").pattern(Some(pattern)).build()))
    }
}

impl ToSchema for MemoryName {}

/// Any JSON object.
pub struct AnyObject;

impl PartialSchema for AnyObject {
    fn schema() -> RefOr<Schema> {
        RefOr::T(Schema::Object(Object::with_type(Type::Object)))
    }
}

impl ToSchema for AnyObject {}

/// What the gate says of a message.
#[derive(ToSchema)]
pub struct Gate {
    /// Whether the message needs memory.
    pub fire: bool,
    /// Which part of memory it asks for.
    pub section: Section,
    /// Why, for people.
    pub reason: String,
    /// How sure it is.
    #[schema(minimum = 0, maximum = 1)]
    pub score: f64,
}

#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum Section {
    None,
    Identity,
    Pinned,
    Episode,
    Transcript,
}

/// A conversation's full name: two users may use the same one.
#[derive(ToSchema)]
pub struct SessionName {
    pub agent: String,
    pub user: String,
    pub session: String,
}

fn text(about: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).description(Some(about))
}
