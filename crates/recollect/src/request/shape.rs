//! What a request may hold, as its description says it: names, what each value is, and which are wanted.
//!
//! A shape is made from the JSON schema that describes a request, so that what is described and what is read are one and the
//! same. Fields that many requests share stand in a struct of their own, a *part* ([`PARTS`]): over the wire its fields stand
//! beside the others, in the Rust struct they stand in a field of the part's type.

use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

use parking_lot::RwLock;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Structs whose fields stand beside those of the request that has them.
pub const PARTS: [&str; 8] = [
    "NamedScope",
    "NamedOwner",
    "NamedUser",
    "Pages",
    "Mem0Names",
    "Mem0Narrowing",
    "Mem0Pages",
    "Mem0Change",
];

const REFERENCE: &str = "#/components/schemas/";
/// Which field of the Rust struct a part's field belongs to; only between [`described`] and [`Shape`].
const PART: &str = "x-part";

/// What a value may be.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shape {
    /// JSON schema's words; none means anything.
    pub kinds: Vec<String>,
    pub least: Option<f64>,
    /// What a list holds.
    pub items: Option<Box<Shape>>,
    /// An object's fields; none where it may hold anything.
    pub fields: Option<BTreeMap<String, FieldShape>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FieldShape {
    pub shape: Shape,
    pub required: bool,
    /// The field of the Rust struct that it stands in, where it is one of a part.
    pub part: Option<String>,
}

impl FieldShape {
    /// Where it stands in the Rust struct.
    pub fn path(&self, name: &str) -> String {
        self.part.as_ref().map_or(name.to_owned(), |part| format!("{part}.{name}"))
    }
}

impl Shape {
    /// The shape of a request, made once.
    pub fn of<T: ToSchema + 'static>() -> Arc<Shape> {
        static KNOWN: LazyLock<RwLock<HashMap<TypeId, Arc<Shape>>>> = LazyLock::new(RwLock::default);
        let id = TypeId::of::<T>();
        let known = KNOWN.read().get(&id).cloned();
        known.unwrap_or_else(|| {
            let shape = Arc::new(Shape::from_schema(&described::<T>()));
            KNOWN.write().insert(id, Arc::clone(&shape));
            shape
        })
    }

    /// From a JSON schema without references.
    pub fn from_schema(schema: &Value) -> Shape {
        let alternatives = ["oneOf", "anyOf", "allOf"].iter().find_map(|word| schema[word].as_array());
        if let Some(alternatives) = alternatives {
            return alternatives.iter().map(Shape::from_schema).reduce(Shape::or).unwrap_or_default();
        }
        let kinds = match &schema["type"] {
            Value::String(kind) => vec![kind.clone()],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let items = schema.get("items").map(|items| Box::new(Shape::from_schema(items)));
        let closed = schema["additionalProperties"] == false;
        let properties = schema["properties"].as_object().cloned().or_else(|| closed.then(Map::new));
        let fields = properties.map(|properties| fields(schema, &properties));
        Shape { kinds, least: schema["minimum"].as_f64(), items, fields }
    }

    fn or(mut self, other: Shape) -> Shape {
        self.kinds.extend(other.kinds);
        let (items, fields) = (self.items.or(other.items), self.fields.or(other.fields));
        Shape { items, fields, least: self.least.or(other.least), ..self }
    }

    pub fn is(&self, kind: &str) -> bool {
        self.kinds.iter().any(|known| known == kind)
    }

    /// The names of an object's fields.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.fields.iter().flat_map(BTreeMap::keys).map(String::as_str)
    }

    /// What it should have been, for people.
    pub fn expected(&self) -> String {
        let mut words: Vec<&str> = Vec::new();
        for kind in &self.kinds {
            words.push(match kind.as_str() {
                "string" => "text",
                "integer" if self.is("string") => continue,
                "integer" => "a whole number",
                "number" => "a number",
                "boolean" => "true or false",
                "array" if self.items.as_ref().is_some_and(|items| items.fields.is_some()) => {
                    "a list of objects"
                }
                "array" => "a list",
                "object" => "an object",
                _ => continue,
            });
        }
        words.join(" or ")
    }
}

fn fields(schema: &Value, properties: &Map<String, Value>) -> BTreeMap<String, FieldShape> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let field = |(name, schema): (&String, &Value)| {
        let part = schema[PART].as_str().map(str::to_owned);
        let field = FieldShape {
            shape: Shape::from_schema(schema),
            required: required.contains(&name.as_str()),
            part,
        };
        (name.clone(), field)
    };
    properties.iter().map(field).collect()
}

/// The description of a type as one JSON schema: references are replaced by what they lead to, parts by their fields.
pub fn described<T: ToSchema>() -> Value {
    let json = |schema| serde_json::to_value(schema).expect("a schema is plain data");
    let mut schemas = Vec::new();
    T::schemas(&mut schemas);
    let known: HashMap<String, Value> =
        schemas.into_iter().map(|(name, schema)| (name, json(schema))).collect();
    whole(&json(T::schema()), &known)
}

/// The query's fields, each with its schema, its description and whether it is wanted.
pub fn parameters<T: ToSchema>() -> Vec<(String, Value, Option<String>, bool)> {
    let schema = described::<T>();
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|it| it == name));
    let parameter = |(name, property): (String, Value)| {
        let (mut property, about) = without_null(property);
        if let Some(property) = property.as_object_mut() {
            property.remove(PART);
        }
        let wanted = required(&name);
        (name, property, about, wanted)
    };
    properties.into_iter().map(parameter).collect()
}

/// What is left out is not there; that it could be null is for bodies.
fn without_null(mut schema: Value) -> (Value, Option<String>) {
    let about = schema.as_object_mut().and_then(|object| object.remove("description"));
    let mut about = about.as_ref().and_then(Value::as_str).map(str::to_owned);
    if let Some(kinds) = schema["type"].as_array() {
        let kinds: Vec<Value> = kinds.iter().filter(|kind| *kind != "null").cloned().collect();
        schema["type"] = if let [only] = kinds.as_slice() { only.clone() } else { kinds.into() };
    }
    let alternatives: Vec<Value> = schema["oneOf"].as_array().cloned().unwrap_or_default();
    let mut real = alternatives.into_iter().filter(|one| one["type"] != "null");
    if let (Some(mut only), None) = (real.next(), real.next()) {
        if about.is_none() {
            about = only["description"].as_str().map(str::to_owned);
        }
        if let Some(object) = only.as_object_mut() {
            object.remove("description");
        }
        return (only, about);
    }
    (schema, about)
}

fn whole(schema: &Value, known: &HashMap<String, Value>) -> Value {
    match schema {
        Value::Object(object) => match object.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let name = reference.strip_prefix(REFERENCE).unwrap_or(reference);
                let mut found = known.get(name).map(|schema| whole(schema, known)).unwrap_or_default();
                if let (Some(about), Some(found)) = (object.get("description"), found.as_object_mut()) {
                    found.insert("description".to_owned(), about.clone());
                }
                found
            }
            None => Value::Object(object.iter().fold(Map::new(), |mut into, (word, inner)| {
                match (word.as_str(), inner.as_object()) {
                    ("properties", Some(properties)) => {
                        into.insert(word.clone(), Value::Object(beside(properties, known)));
                    }
                    _ => drop(into.insert(word.clone(), whole(inner, known))),
                }
                into
            })),
        },
        Value::Array(items) => items.iter().map(|item| whole(item, known)).collect(),
        other => other.clone(),
    }
}

/// An object's fields, with those of its parts beside them.
fn beside(properties: &Map<String, Value>, known: &HashMap<String, Value>) -> Map<String, Value> {
    let mut into = Map::new();
    for (name, property) in properties {
        let whole = whole(property, known);
        match part_of(property) {
            None => drop(into.insert(name.clone(), whole)),
            Some(_) => {
                for (inner, schema) in whole["properties"].as_object().into_iter().flatten() {
                    let mut schema = schema.clone();
                    schema[PART] = name.as_str().into();
                    into.insert(inner.clone(), schema);
                }
            }
        }
    }
    into
}

/// The part that a property is of.
fn part_of(property: &Value) -> Option<&str> {
    let name = property["$ref"].as_str()?.strip_prefix(REFERENCE)?;
    PARTS.contains(&name).then_some(name)
}
