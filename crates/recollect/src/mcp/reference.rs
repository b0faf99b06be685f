//! The reference page of the tools, made from the tools themselves.

use serde_json::Value;

use super::spec::{Spec, ToolEffect};
use super::tools::Profile;

pub fn page() -> String {
    let mut page = String::from(
        "# Tools over MCP\n\nGenerated from `crates/recollect/src/mcp/tools` by `cargo xtask generate`; do not edit.\n\
         `docs/mcp.md` says how to connect.\n",
    );
    for profile in Profile::ALL {
        page.push_str(&format!("\n## Profile `{}`\n\n", profile.as_str()));
        page.push_str("| tool | what for | does |\n|---|---|---|\n");
        let tools = profile.tools();
        for tool in &tools {
            page.push_str(&format!(
                "| `{}` | {} | {} |\n",
                tool.name(),
                tool.about().title,
                does(tool.about().does)
            ));
        }
        for tool in &tools {
            page.push_str(&described(tool));
        }
    }
    page
}

fn does(does: ToolEffect) -> &'static str {
    match does {
        ToolEffect::Read => "reads",
        ToolEffect::Add => "adds; again is no second time",
        ToolEffect::Change => "changes; again changes nothing more",
        ToolEffect::ChangeOnce => "changes",
    }
}

fn described(tool: &Spec) -> String {
    let mut text = format!("\n### `{}`\n\n{}\n", tool.name(), tool.about().description);
    if tool.properties().is_empty() {
        return text;
    }
    text.push_str("\n| parameter | type | |\n|---|---|---|\n");
    let required = tool.input["required"].as_array().expect("every tool lists what it needs");
    for (name, schema) in tool.properties() {
        let needed = if required.iter().any(|required| required == name) { ", required" } else { "" };
        let description = schema["description"].as_str().unwrap_or_default();
        text.push_str(&format!(
            "| `{name}` | {}{needed} | {description}{} |\n",
            kind(schema),
            bounds(schema)
        ));
    }
    let gives = tool.about().output["properties"].as_object().expect("every tool gives an object");
    let names: Vec<String> = gives.keys().map(|name| format!("`{name}`")).collect();
    text.push_str(&format!("\nGives {}.\n", names.join(", ")));
    text
}

fn kind(schema: &Value) -> String {
    let words = |list: &Vec<Value>| {
        list.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
    };
    match (&schema["enum"], &schema["items"]["type"]) {
        (Value::Array(list), _) => words(list),
        (_, Value::String(items)) => format!("list of {items}"),
        _ => schema["type"].as_str().unwrap_or("any").to_owned(),
    }
}

fn bounds(schema: &Value) -> String {
    let mut said = Vec::new();
    if let (Some(least), Some(most)) = (schema["minimum"].as_u64(), schema["maximum"].as_u64()) {
        said.push(format!("{least} to {most}"));
    }
    if schema.get("default").is_some() {
        said.push(format!("default `{}`", schema["default"].to_string().trim_matches('"')));
    }
    if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) }
}
