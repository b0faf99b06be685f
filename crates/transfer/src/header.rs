//! What an export of ours says of itself before its items, and which versions of it are read.
//!
//! The rule: a field that is added changes nothing, because readers pass over what they do not know. The number goes up when an
//! older reader would misunderstand a file; such a file it refuses, and a newer reader goes on reading all older ones.

use std::collections::BTreeMap;

use memory::types::{Extent, Item, Part, Record, Scope, TenantId, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format that we write, and the newest that we read.
///
/// Until 1 the scope `user` meant this user with this agent; since 2 that is `agent`, and `user` is this user with any agent.
pub const FORMAT: u64 = 2;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    #[schemars(range(min = 1, max = FORMAT))]
    pub format: u64,
    /// The program that wrote it.
    pub version: String,
    pub exported_at: Time,
    pub tenant: TenantId,
    /// What was asked for.
    pub extent: Extent,
    /// How many items of each part follow, in this order of parts.
    #[schemars(extend("propertyNames" = { "enum": Part::ALL }))]
    pub counts: BTreeMap<String, u64>,
}

/// The first line of JSON lines, and the beginning of the document.
#[derive(Debug, Serialize, Deserialize)]
pub struct Headed {
    pub recollect: Header,
}

/// The last line of JSON lines, by which a file that breaks off is known.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ended {
    pub recollect_end: ExportTrailer,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ExportTrailer {
    pub items: u64,
}

/// The format of what follows, where we can read it.
pub fn check(header: &Value) -> Result<u64, String> {
    match header.get("format").and_then(Value::as_u64) {
        Some(format @ 1..=FORMAT) => Ok(format),
        Some(newer) => Err(format!(
            "it is an export of format {newer}, and this program reads up to {FORMAT}; expected an older one, or use a newer program"
        )),
        None => Err("its header says no `format`; expected a number".to_owned()),
    }
}

/// The item as today's words say it.
pub fn in_todays_words(mut item: Item, format: u64) -> Item {
    if format == 1 {
        match &mut item {
            Item::Record { value, .. } => widen_no_scope(value),
            Item::History { before: Some(before), .. } => widen_no_scope(before),
            _ => {}
        }
    }
    item
}

fn widen_no_scope(record: &mut Record) {
    let scope = match record {
        Record::Memory(memory) => &mut memory.scope,
        Record::Held(held) => &mut held.memory.scope,
        _ => return,
    };
    if *scope == Scope::User {
        *scope = Scope::Agent;
    }
}
