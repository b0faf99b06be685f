//! A configuration file, taken apart: each key with its value and its line.
//!
//! Read by hand instead of into a struct, because a struct's error names neither the line of a value that has the
//! right type but is out of range, nor the key that was probably meant.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{ConfigKey, KEYS, RawValue};
use super::{nearest, upstreams};
use crate::problem::{Code, Problem};

/// One assignment of a file.
#[derive(Clone)]
pub struct ConfigEntry {
    pub key: &'static ConfigKey,
    pub raw: RawValue,
    pub line: usize,
}

/// All of a file.
#[derive(Default)]
pub struct ConfigFile {
    pub entries: Vec<ConfigEntry>,
    pub upstreams: Vec<upstreams::UpstreamEntry>,
}

/// Takes a file apart; the path is only for messages.
pub fn read(text: &str, path: &Path) -> Result<ConfigFile, Problem> {
    let reader = ConfigReader { text, path };
    let table = DeTable::parse(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        reader.refuse(start, error.message())
    })?;
    let mut contents = ConfigFile::default();
    reader.walk("", table.get_ref(), &mut contents)?;
    contents.entries.sort_by_key(|entry| entry.line);
    Ok(contents)
}

/// A name as this project spells it: `base_url` is `baseUrl`.
pub fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut whole, word| {
        let mut letters = word.chars();
        whole.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        whole.push_str(letters.as_str());
        whole
    })
}

pub struct ConfigReader<'t> {
    text: &'t str,
    path: &'t Path,
}

impl ConfigReader<'_> {
    fn walk(&self, section: &str, table: &DeTable<'_>, contents: &mut ConfigFile) -> Result<(), Problem> {
        for (name, value) in table {
            let start = name.span().start;
            let name = match section {
                "" => name.get_ref().to_string(),
                section => format!("{section}.{}", name.get_ref()),
            };
            if name == "upstreams" {
                contents.upstreams = upstreams::read(self, start, value.get_ref())?;
                continue;
            }
            if let Some(key) = KEYS.iter().find(|key| key.name == camel(&name)) {
                if contents.entries.iter().any(|entry| entry.key.name == key.name) {
                    return Err(self.refuse(start, &format!("`{}` stands twice", key.name)));
                }
                contents.entries.push(ConfigEntry {
                    key,
                    raw: raw(value),
                    line: self.line(value.span().start),
                });
                continue;
            }
            let inside = keys_inside(&name);
            match value.get_ref() {
                DeValue::Table(table) if !inside.is_empty() => self.walk(&name, table, contents)?,
                _ if !inside.is_empty() => {
                    let expected =
                        format!("`{name}` is a section; expected [{name}] with {}", inside.join(", "));
                    return Err(self.refuse(start, &expected));
                }
                _ => return Err(self.unknown(start, &name)),
            }
        }
        Ok(())
    }

    fn unknown(&self, start: usize, name: &str) -> Problem {
        let names = || KEYS.iter().map(|key| key.name).chain(["upstreams"]);
        let hint = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known keys are {}", names().collect::<Vec<_>>().join(", ")),
        };
        self.refuse(start, &format!("unknown key `{name}`")).hint(hint)
    }

    pub fn refuse(&self, start: usize, what: &str) -> Problem {
        let place = format!("{}:{}", self.path.display(), self.line(start));
        Problem::new(Code::InvalidConfiguration, format!("{place}: {what}"))
    }

    pub fn line(&self, start: usize) -> usize {
        1 + self.text.bytes().take(start).filter(|byte| *byte == b'\n').count()
    }
}

/// The keys of a section, as they are written inside it; empty when there is no such section.
fn keys_inside(section: &str) -> Vec<&'static str> {
    KEYS.iter().filter_map(|key| key.name.strip_prefix(section)?.strip_prefix('.')).collect()
}

pub fn raw(value: &Spanned<DeValue<'_>>) -> RawValue {
    match value.get_ref() {
        DeValue::String(text) => RawValue::Text(text.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => RawValue::Integer(number),
            Err(_) => RawValue::Other("a number that large"),
        },
        DeValue::Array(items) => {
            let texts: Option<Vec<String>> =
                items.iter().map(|item| item.get_ref().as_str().map(str::to_owned)).collect();
            texts.map_or(RawValue::Other("a list of other things than text"), RawValue::List)
        }
        DeValue::Float(_) => RawValue::Other("a fraction"),
        DeValue::Boolean(_) => RawValue::Other("true or false"),
        DeValue::Datetime(_) => RawValue::Other("a date"),
        DeValue::Table(_) => RawValue::Other("a section"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, message: &str, hint: Option<&str>) {
        let problem = read(text, Path::new("f.toml")).err().expect("refused");
        assert_eq!((problem.message.as_str(), problem.hint.as_deref()), (message, hint));
    }

    #[test]
    fn mistakes_are_found_where_they_are() {
        check(
            "\n[store]\ndurabilty = \"full\"",
            "f.toml:3: unknown key `store.durabilty`",
            Some("did you mean `store.durability`?"),
        );
        check("log = 3", "f.toml:1: `log` is a section; expected [log] with format, level", None);
        let all = "known keys are data, listen, log.format, log.level, store.durability, store.languages, \
                   store.openTenants, store.deckBytes, embedding.backend, server.drainSeconds, server.memoryWaitMs, \
                   server.allowedHosts, server.corsOrigins, server.requestsPerMinute, defaultUpstream, telemetry.otlpEndpoint, upstreams";
        check("[nonsense]\nx = 1", "f.toml:1: unknown key `nonsense`", Some(all));
        check("[x.data]\n", "f.toml:1: unknown key `x`", Some(all));
        let broken = read("data = \"a\"\nlisten = \n", Path::new("f.toml")).err().expect("refused");
        assert!(broken.message.starts_with("f.toml:2: "), "{}", broken.message);
    }

    #[test]
    fn values_keep_their_lines() {
        let entries =
            read("data = \"a\"\n[store]\nopenTenants = 0x10\n", Path::new("f.toml")).expect("sound").entries;
        let found: Vec<_> =
            entries.iter().map(|entry| (entry.key.name, entry.raw.clone(), entry.line)).collect();
        assert_eq!(
            found,
            [("data", RawValue::Text("a".into()), 1), ("store.openTenants", RawValue::Integer(16), 3)]
        );
    }
}
