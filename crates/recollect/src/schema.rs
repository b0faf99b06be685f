//! What the description of the interface says about ids, times and words.
//!
//! `#[schema(value_type = …)]` names these types where an answer's field has a type of the core, which knows nothing of
//! descriptions; a request has those that read themselves as they are. Lists of words are taken from the core's own, so that they
//! cannot disagree. What a request has beside words is in [`crate::request::values`].

use memory::ports::SUBJECTS;
use memory::recall::context::NAME;
use memory::recall::{Fusion, Strategy};
use memory::types::{
    ClassifierPath, JudgedBy, Judgement, Kind, Layer, Origin, Provenance, Role, RunState, Scope, Status, Step,
};
use serde::{Deserialize, Deserializer};
use transfer::TransferFormat;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::ops::search::SearchPlace;
use crate::request::values::parsed;
use transfer::compat::words::{OMNIROUTE_TYPES, TypeFilter};

macro_rules! described {
    ($name:ident, $about:literal, $words:expr) => {
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let words: Vec<&'static str> = $words;
                RefOr::T(Schema::Object(text($about).enum_values(Some(words)).build()))
            }
        }

        impl ToSchema for $name {}
    };
}

/// Words that answers have.
macro_rules! words {
    ($( $(#[$doc:meta])* $name:ident: $about:literal, $words:expr; )+) => { $(
        $(#[$doc])*
        pub struct $name;

        described!($name, $about, $words);
    )+ };
}

/// Words that requests have too, and that read themselves: the list is what is described, and other systems' words are taken.
macro_rules! read_words {
    ($( $(#[$doc:meta])* $name:ident($of:ty): $about:literal, $words:expr; )+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name(pub $of);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
                parsed(reader).map($name)
            }
        }

        impl From<$name> for $of {
            fn from(word: $name) -> $of {
                word.0
            }
        }

        described!($name, $about, $words);
    )+ };
}

words! {
    OriginWord: "Where the sentence comes from.", Origin::ALL.iter().map(|word| word.as_str()).collect();
    StatusWord: "Whether it counts today.", Status::ALL.iter().map(|word| word.as_str()).collect();
    PathWord: "Which way the answer came.", vec![
        "hybrid", "semantic", "recent", "keyword", "keyword_after_embed_error", "like", "skipped_empty_store",
    ];
    ActorWord: "Who made the change.", vec!["person", "model", "heuristic", "tool", "import", "tend"];
    RunStateWord: "How far a run is.", RunState::ALL.iter().map(|word| word.as_str()).collect();
    /// Who judged, where it is told, and words may have told it.
    JudgedByWord: "Who said so; `overlap` is the reply's own words.", JudgedBy::ALL.iter().map(|word| word.as_str()).collect();
}

read_words! {
    LayerWord(Layer): "What sort of remembering it is.", Layer::ALL.iter().map(|word| word.as_str()).collect();
    KindWord(Kind): "What kind of statement it is.", Kind::ALL.iter().map(|word| word.as_str()).collect();
    ScopeWord(Scope): "Who sees it.", Scope::ALL.iter().map(|word| word.as_str()).collect();
    ProvenanceWord(Provenance): "Whose words it rests on.", Provenance::ALL.iter().map(|word| word.as_str()).collect();
    RoleWord(Role): "Who said it.", Role::ALL.iter().map(|word| word.as_str()).collect();
    /// What `type` may be where memories are chosen or written: a layer, or a kind.
    TypeWord(TypeFilter): "A layer or a kind; `factual` is another word for `semantic`.", types();
    /// The same where a model is to choose: it is told the layers alone.
    ToolType(TypeFilter): "What sort of remembering it is.", Layer::ALL.iter().map(|word| word.as_str()).collect();
    /// The same in OmniRoute's words.
    OmnirouteType(TypeFilter): "What sort of memory it is.", OMNIROUTE_TYPES.to_vec();
    /// Whom a model may write for.
    ToolScope(Scope): "Who sees it.", Scope::ALL.iter().filter(|scope| **scope != Scope::Project).map(|word| word.as_str()).collect();
    StrategyWord(Strategy): "By words and meaning, by meaning alone, or the newest first.", vec!["hybrid", "semantic", "recent"];
    StepWord(Step): "A step of upkeep.", Step::ALL.iter().map(|word| word.as_str()).collect();
    JudgementWord(Judgement): "What became of a memory that was recalled.", Judgement::ALL.iter().map(|word| word.as_str()).collect();
    SourceWord(JudgedBy): "Who says so.", vec!["agent", "person"];
    ClassifierPathWord(ClassifierPath): "Which way a crisis was noticed.", ClassifierPath::ALL.iter().map(|word| word.as_str()).collect();
    FusionWord(Fusion): "How words and meaning become one score.", vec!["weighted", "rrf"];
    /// Where a search looks.
    PlaceWord(SearchPlace): "Where to look.", vec!["pinned", "episodes", "transcript", "graph", "all"];
    /// The formats that are written.
    WrittenFormat(TransferFormat): "What an export is.", TransferFormat::ALL.iter().filter(|format| format.is_exported()).map(|format| format.as_str()).collect();
    /// The formats that are read.
    ReadFormat(TransferFormat): "What the file is.", TransferFormat::ALL.iter().map(|format| format.as_str()).collect();
    KeyRoleWord(store::Role): "What a key's holder may do; each may what those before it may.", vec!["read", "memory", "admin"];
}

/// A category of what is known of a user.
#[derive(Debug, Clone)]
pub struct PortraitCategory(pub String);

impl<'de> Deserialize<'de> for PortraitCategory {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        String::deserialize(reader).map(PortraitCategory)
    }
}

described!(
    PortraitCategory,
    "A category of what is known of a user.",
    SUBJECTS.into_iter().chain([NAME]).collect()
);

fn types() -> Vec<&'static str> {
    let layers = Layer::ALL.iter().map(|word| word.as_str());
    layers.chain(["factual"]).chain(Kind::ALL.iter().map(|word| word.as_str())).collect()
}

/// A moment in UTC.
pub struct MomentSchema;

impl PartialSchema for MomentSchema {
    fn schema() -> RefOr<Schema> {
        let format = Some(SchemaFormat::KnownFormat(KnownFormat::DateTime));
        RefOr::T(Schema::Object(text("A moment, RFC 3339.").format(format).build()))
    }
}

impl ToSchema for MomentSchema {}

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
    pub section: SectionSchema,
    /// Why, for people.
    pub reason: String,
    /// How sure it is.
    #[schema(minimum = 0, maximum = 1)]
    pub score: f64,
}

#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum SectionSchema {
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
