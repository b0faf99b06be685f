//! What is said about an agent, checked: from a request, or from the agent's own `agent.config.json`.
//!
//! Of a file, `id`, `name`, `description`, the `personality` block and `storage.autoIngest` mean something here; everything
//! else is passed over and said. A value that cannot be meant is an error that names its path.

use memory::personality::PORTRAIT_CATEGORIES;
use memory::ports::SUBJECTS;
use memory::recall::context::NAME;
use memory::text::json;
use serde_json::Value;

use super::*;

/// A file, read.
pub struct AgentFile {
    pub id: AgentId,
    pub about: About,
    pub ignored: Vec<String>,
}

const NAMES: [&str; 3] = ["name", "displayName", "display_name"];
const IDS: [&str; 3] = ["id", "agentId", "agent_id"];

/// Reads an `agent.config.json`.
pub fn read(config: &Value, id: Option<AgentId>) -> Result<AgentFile, Problem> {
    let file = object(config, "the file")?;
    let mut ignored = Vec::new();
    let mut about = About {
        name: text(file, &NAMES)?,
        description: text(file, &["description"])?,
        personality: Map::new(),
    };
    let id = match (id, text(file, &IDS)?) {
        (Some(id), _) => id,
        (None, Some(id)) => id.parse().map_err(|error| wrong("id", format!("{error}")))?,
        (None, None) => {
            let name = about.name.as_deref().map(slug).filter(|slug| !slug.is_empty());
            let name = name.ok_or_else(|| {
                wrong("id", "the file names neither an id nor a name; expected one".into())
                    .hint("say which agent it is: recollect agents import FILE --id NAME")
            })?;
            name.parse().map_err(|error| wrong("name", format!("{error}")))?
        }
    };
    for (key, value) in file {
        match key.as_str() {
            "personality" if value.is_null() => {}
            "personality" => character(object(value, "personality")?, &mut about.personality, &mut ignored)?,
            "storage" if value.is_null() => {}
            "storage" => storage(object(value, "storage")?, &mut about.personality, &mut ignored)?,
            "description" => {}
            key if NAMES.contains(&key) || IDS.contains(&key) => {}
            key => ignored.push(key.to_owned()),
        }
    }
    Ok(AgentFile { id, about, ignored })
}

fn character(
    given: &Map<String, Value>,
    taken: &mut Map<String, Value>,
    ignored: &mut Vec<String>,
) -> Result<(), Problem> {
    let folders = given.iter().filter(|(name, value)| is_traits(name) && value.is_object());
    let inner = folders.flat_map(|(folder, value)| {
        let traits = value.as_object().into_iter().flatten();
        traits.map(move |(name, value)| (format!("personality.{folder}.{name}"), name, value))
    });
    let plain = given
        .iter()
        .filter(|(name, value)| !(is_traits(name) && value.is_object()))
        .map(|(name, value)| (format!("personality.{name}"), name, value));
    for (path, name, value) in plain.chain(inner) {
        match Traits::named(name) {
            Some(name) => {
                let share = share(value).ok_or_else(|| wrong(&path, not_a_share(value)))?;
                taken.insert(name.to_owned(), share.into());
            }
            None => ignored.push(path),
        }
    }
    Ok(())
}

fn is_traits(name: &str) -> bool {
    memory::personality::is_folder(name)
}

fn storage(
    given: &Map<String, Value>,
    taken: &mut Map<String, Value>,
    ignored: &mut Vec<String>,
) -> Result<(), Problem> {
    for (key, value) in given {
        if key == AutoIngest::KEY && !value.is_null() {
            let path = "storage.autoIngest";
            let block = auto_ingest(object(value, path)?, path, ignored)?;
            taken.insert(AutoIngest::KEY.to_owned(), Value::Object(block));
        } else {
            ignored.push(format!("storage.{key}"));
        }
    }
    Ok(())
}

/// The block, checked, with what means nothing here left out.
fn auto_ingest(
    given: &Map<String, Value>,
    path: &str,
    ignored: &mut Vec<String>,
) -> Result<Map<String, Value>, Problem> {
    let mut block = Map::new();
    for (key, value) in given {
        let path = format!("{path}.{key}");
        let checked: Value = match key.as_str() {
            "enabled" => json::flag(value)
                .ok_or_else(|| wrong(&path, format!("{value} is neither true nor false")))?
                .into(),
            "importanceThreshold" => {
                let threshold = json::number(value).filter(|number| (0.0..=1.0).contains(number));
                threshold.ok_or_else(|| wrong(&path, not_a_share(value)))?.into()
            }
            "maxPerTurn" => {
                let whole = json::number(value).filter(|number| {
                    number.fract() == 0.0 && (0.0..=FACTS_PER_TURN_MAXIMUM as f64).contains(number)
                });
                let message = || format!("{value} is not a whole number from 0 to {FACTS_PER_TURN_MAXIMUM}");
                (whole.ok_or_else(|| wrong(&path, message()))? as u64).into()
            }
            _ => {
                ignored.push(path);
                continue;
            }
        };
        block.insert(key.clone(), checked);
    }
    Ok(block)
}

/// The record with what is said about it, checked. A trait that there is not is a slip of the pen, and refused.
pub fn merged(mut agent: Agent, about: About, now: Time) -> Result<Agent, Problem> {
    let mut ignored = Vec::new();
    if let Some(name) = about.name {
        agent.name = bounded("name", name.trim().to_owned(), GIVEN_ID_BYTES)?;
    }
    if let Some(description) = about.description {
        agent.description = bounded("description", description.trim().to_owned(), SETTING_TEXT_BYTES)?;
    }
    if agent.name.is_empty() {
        return Err(Problem::field("name", "the name is empty; expected one"));
    }
    for (key, value) in &about.personality {
        if key == AutoIngest::KEY {
            let path = "personality.autoIngest";
            let block = auto_ingest(object(value, path)?, path, &mut ignored)?;
            let mut whole =
                agent.personality.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
            whole.extend(block);
            agent.personality.insert(key.clone(), Value::Object(whole));
        }
    }
    if let Some(categories) = about.personality.get(PORTRAIT_CATEGORIES) {
        let categories = portrait_categories(categories)?;
        agent.personality.insert(PORTRAIT_CATEGORIES.to_owned(), categories);
    }
    let mut traits = about.personality;
    traits.remove(AutoIngest::KEY);
    traits.remove(PORTRAIT_CATEGORIES);
    character(&traits, &mut agent.personality, &mut ignored)?;
    if let Some(unknown) = ignored.first() {
        let names: Vec<&str> = Traits::NAMES.iter().map(|(name, _)| *name).collect();
        return Err(
            wrong(unknown, "there is no such trait".into()).hint(format!("known are {}", names.join(", ")))
        );
    }
    agent.updated_at = now;
    Ok(agent)
}

/// What the agent's portraits may tell of, each word checked. An empty list is no portrait.
fn portrait_categories(given: &Value) -> Result<Value, Problem> {
    let known = || SUBJECTS.into_iter().chain([NAME]);
    let words =
        given.as_array().ok_or_else(|| wrong(PORTRAIT_CATEGORIES, "expected a list of words".into()))?;
    for word in words {
        if !word.as_str().is_some_and(|word| known().any(|known| known == word)) {
            let hint = format!("known are {}", known().collect::<Vec<_>>().join(", "));
            let message = format!("there is no category {word}");
            return Err(wrong(PORTRAIT_CATEGORIES, message).hint(hint));
        }
    }
    Ok(given.clone())
}

fn bounded(field: &'static str, text: String, most: usize) -> Result<String, Problem> {
    match text.len() {
        given if given > most => {
            Err(Problem::field(field, format!("the {field} has {given} bytes; expected at most {most}")))
        }
        _ => Ok(text),
    }
}

fn object<'v>(value: &'v Value, path: &str) -> Result<&'v Map<String, Value>, Problem> {
    value.as_object().ok_or_else(|| wrong(path, "expected a JSON object".into()))
}

/// The first of these names that the file has.
fn text(file: &Map<String, Value>, names: &[&str]) -> Result<Option<String>, Problem> {
    let given = names.iter().find_map(|name| file.get(*name).map(|value| (*name, value)));
    match given {
        None | Some((_, Value::Null)) => Ok(None),
        Some((_, Value::String(text))) => Ok(Some(text.clone())),
        Some((name, other)) => Err(wrong(name, format!("{other} is not text"))),
    }
}

/// A trait: any number, put back between 0 and 1.
fn share(value: &Value) -> Option<f64> {
    json::number(value).map(|number| number.clamp(0.0, 1.0))
}

fn not_a_share(value: &Value) -> String {
    format!("{value} is not a number from 0 to 1")
}

fn wrong(path: &str, message: String) -> Problem {
    Problem::field(path, format!("{path}: {message}"))
}

/// A name as an id: `My Agent` is `my-agent`.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_is_read_with_what_means_something() {
        let file = json!({
            "name": "Research Aide",
            "description": "Finds papers",
            "model": "m",
            "personality": {"hexaco": {"openness": 0.9, "honestyHumility": "0.2"}, "tone": "dry", "emotionality": 7},
            "storage": {"backend": "sqlite", "autoIngest": {"enabled": true, "importanceThreshold": 0.3, "maxPerTurn": 5, "x": 1}},
        });
        let read = read(&file, None).expect("it can be read");
        assert_eq!(read.id.as_str(), "research-aide");
        assert_eq!(
            Value::Object(read.about.personality),
            json!({"openness": 0.9, "honesty": 0.2, "emotionality": 1.0,
                   "autoIngest": {"enabled": true, "importanceThreshold": 0.3, "maxPerTurn": 5}})
        );
        let mut ignored = read.ignored;
        ignored.sort();
        assert_eq!(ignored, ["model", "personality.tone", "storage.autoIngest.x", "storage.backend"]);
    }

    #[test]
    fn mistakes_name_their_path() {
        let check = |file: Value, expected: &str| {
            let problem = read(&file, Some("a".parse().expect("an id"))).err().expect("a mistake");
            assert_eq!(problem.message, expected);
        };
        check(json!([]), "the file: expected a JSON object");
        check(json!({"personality": "kind"}), "personality: expected a JSON object");
        check(
            json!({"personality": {"hexaco": {"openness": "very"}}}),
            "personality.hexaco.openness: \"very\" is not a number from 0 to 1",
        );
        check(
            json!({"storage": {"autoIngest": {"maxPerTurn": 1.5}}}),
            "storage.autoIngest.maxPerTurn: 1.5 is not a whole number from 0 to 100",
        );
        check(json!({"name": 3}), "name: 3 is not text");
        let problem = read(&json!({}), None).err().expect("a mistake");
        assert!(problem.message.starts_with("id: "), "{}", problem.message);
    }
}
