//! What mem0's requests are made of beside plain names and texts: conditions on a field, moments, and messages.

use std::fmt;

use memory::types::Time;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use transfer::compat::mem0::filter;
use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::conversation::ConversationMessage;

/// What a field of a memory must be: a value, `*`, a list of values, or operators. The filter that it becomes says what is wrong
/// with one.
#[derive(Debug, Clone, Deserialize)]
pub struct Mem0Condition(pub Value);

impl PartialSchema for Mem0Condition {
    fn schema() -> RefOr<Schema> {
        let kinds = [Type::String, Type::Number, Type::Boolean, Type::Array, Type::Object];
        let about = "A value, `*` for any, a list of values, or operators such as `{\"gte\": …}`.";
        let condition = ObjectBuilder::new().schema_type(SchemaType::from_iter(kinds));
        RefOr::T(Schema::Object(condition.description(Some(about)).build()))
    }
}

impl ToSchema for Mem0Condition {}

/// A day, a moment or seconds since 1970.
#[derive(Debug, Clone, Copy)]
pub struct Mem0Moment(pub Time);

impl<'de> Deserialize<'de> for Mem0Moment {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let given = Value::deserialize(reader)?;
        filter::moment(&given).map(Self).ok_or_else(|| D::Error::custom("expected a day or a moment"))
    }
}

impl PartialSchema for Mem0Moment {
    fn schema() -> RefOr<Schema> {
        let about = "A day such as 2026-05-01, a moment such as 2026-05-01T12:30:00Z, or seconds since 1970.";
        let moment = ObjectBuilder::new().schema_type(SchemaType::from_iter([Type::String, Type::Number]));
        RefOr::T(Schema::Object(moment.description(Some(about)).build()))
    }
}

impl ToSchema for Mem0Moment {}

/// What was said: messages, one message, or plain text, which is the user's.
#[derive(Debug)]
pub struct Mem0Messages(pub Vec<ConversationMessage>);

impl<'de> Deserialize<'de> for Mem0Messages {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(MessagesVisitor).map(Self)
    }
}

/// Goes into what there is, so that an error has its path.
struct MessagesVisitor;

impl<'de> Visitor<'de> for MessagesVisitor {
    type Value = Vec<ConversationMessage>;

    fn expecting(&self, into: &mut fmt::Formatter<'_>) -> fmt::Result {
        into.write_str("what was said")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(vec![ConversationMessage::of_user(text.to_owned())])
    }

    fn visit_map<A: MapAccess<'de>>(self, message: A) -> Result<Self::Value, A::Error> {
        ConversationMessage::deserialize(MapAccessDeserializer::new(message)).map(|message| vec![message])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, messages: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(messages))
    }
}

impl PartialSchema for Mem0Messages {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(SchemaType::new(Type::String));
        let message = || Ref::from_schema_name(ConversationMessage::name());
        let list = ArrayBuilder::new().items(message()).min_items(Some(1));
        let list = list.max_items(Some(crate::limits::INGESTED_MESSAGES));
        RefOr::T(Schema::AnyOf(AnyOfBuilder::new().item(text).item(message()).item(list).build()))
    }
}

impl ToSchema for Mem0Messages {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((ConversationMessage::name().into_owned(), ConversationMessage::schema()));
        ConversationMessage::schemas(schemas);
    }
}
