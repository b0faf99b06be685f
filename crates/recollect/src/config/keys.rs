//! The table of configuration keys: name, variable, flag, how it is read, how it is shown, what is allowed.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use memory::language::Language;
use store::WriteDurability;
use tracing_subscriber::filter::LevelFilter;

use super::{Config, EmbeddingBackend, LogFormat, places};
use crate::environment;

/// One key.
pub struct ConfigKey {
    pub name: &'static str,
    pub variable: &'static str,
    pub flag: Option<&'static str>,
    /// What is allowed, for people.
    pub expected: &'static str,
    /// Puts the value where code reads it; `None` when it is not allowed. The path is where relative ones begin.
    pub(super) read: fn(&mut Config, &RawValue, &Path) -> Option<()>,
    value: fn(&Config) -> String,
}

/// A value as it was given, before anybody knows whether it fits.
#[derive(Debug, Clone, PartialEq)]
pub enum RawValue {
    Text(String),
    Integer(i64),
    List(Vec<String>),
    /// Something that no key takes, by what it is.
    Other(&'static str),
}

pub static KEYS: &[ConfigKey] = &[
    ConfigKey {
        name: "data",
        variable: environment::DATA,
        flag: Some("--data"),
        expected: "a folder, or nothing for the platform's own",
        read: |config, raw, folder| {
            let text = raw.text()?;
            config.data = if text.is_empty() { text.into() } else { folder.join(places::expand_home(text)) };
            Some(())
        },
        value: |config| config.data.display().to_string(),
    },
    ConfigKey {
        name: "listen",
        variable: environment::LISTEN,
        flag: Some("--listen"),
        expected: "an address and a port such as 127.0.0.1:8377, [::1]:8377 or localhost:8377",
        read: |config, raw, _| {
            config.listen = address(raw.text()?)?;
            Some(())
        },
        value: |config| config.listen.to_string(),
    },
    ConfigKey {
        name: "log.format",
        variable: environment::LOG_FORMAT,
        flag: Some("--log-format"),
        expected: "text or json",
        read: |config, raw, _| {
            config.log_format = match raw.text()? {
                "text" => LogFormat::Text,
                "json" => LogFormat::Json,
                _ => return None,
            };
            Some(())
        },
        value: |config| match config.log_format {
            LogFormat::Text => "text".to_owned(),
            LogFormat::Json => "json".to_owned(),
        },
    },
    ConfigKey {
        name: "log.level",
        variable: environment::LOG_LEVEL,
        flag: Some("--log-level"),
        expected: "one of off, error, warn, info, debug, trace",
        read: |config, raw, _| {
            // Parsing a level takes numbers too, which the page does not promise.
            let level = raw.text().filter(|text| text.chars().all(char::is_alphabetic))?;
            config.log_level = level.parse::<LevelFilter>().ok()?;
            Some(())
        },
        value: |config| config.log_level.to_string(),
    },
    ConfigKey {
        name: "store.durability",
        variable: environment::STORE_DURABILITY,
        flag: None,
        expected: "full or normal",
        read: |config, raw, _| {
            config.durability = match raw.text()? {
                "full" => WriteDurability::Full,
                "normal" => WriteDurability::Normal,
                _ => return None,
            };
            Some(())
        },
        value: |config| match config.durability {
            WriteDurability::Full => "full".to_owned(),
            WriteDurability::Normal => "normal".to_owned(),
        },
    },
    ConfigKey {
        name: "store.languages",
        variable: environment::STORE_LANGUAGES,
        flag: None,
        expected: "codes of ar, da, nl, en, fi, fr, de, el, hu, it, no, pt, ro, ru, es, sv, ta, tr",
        read: |config, raw, _| {
            let codes = raw.list()?;
            config.languages =
                codes.iter().map(|code| code.parse::<Language>().ok()).collect::<Option<_>>()?;
            Some(())
        },
        value: |config| config.languages.iter().map(|language| language.code()).collect::<Vec<_>>().join(","),
    },
    ConfigKey {
        name: "store.openTenants",
        variable: environment::STORE_OPEN_TENANTS,
        flag: None,
        expected: "a whole number from 1 to 100000",
        read: |config, raw, _| {
            config.open_tenants = raw.integer(1, 100_000)?.try_into().ok()?;
            Some(())
        },
        value: |config| config.open_tenants.to_string(),
    },
    ConfigKey {
        name: "store.deckBytes",
        variable: environment::STORE_DECK_BYTES,
        flag: None,
        expected: "a whole number of bytes up to 1099511627776, 0 for none",
        read: |config, raw, _| {
            config.deck_bytes = raw.integer(0, 1 << 40)?.try_into().ok()?;
            Some(())
        },
        value: |config| config.deck_bytes.to_string(),
    },
    ConfigKey {
        name: "embedding.backend",
        variable: environment::EMBEDDING_BACKEND,
        flag: None,
        expected: "builtin or none",
        read: |config, raw, _| {
            config.embedding = match raw.text()? {
                "builtin" => EmbeddingBackend::Builtin,
                "none" => EmbeddingBackend::None,
                _ => return None,
            };
            Some(())
        },
        value: |config| match config.embedding {
            EmbeddingBackend::Builtin => "builtin".to_owned(),
            EmbeddingBackend::None => "none".to_owned(),
        },
    },
    ConfigKey {
        name: "server.drainSeconds",
        variable: environment::SERVER_DRAIN_SECONDS,
        flag: None,
        expected: "a whole number from 0 to 600",
        read: |config, raw, _| {
            config.drain_seconds = raw.integer(0, 600)?.try_into().ok()?;
            Some(())
        },
        value: |config| config.drain_seconds.to_string(),
    },
    ConfigKey {
        name: "server.memoryWaitMs",
        variable: environment::SERVER_MEMORY_WAIT_MS,
        flag: None,
        expected: "a whole number from 20 to 60000",
        read: |config, raw, _| {
            config.memory_wait_ms = raw.integer(20, 60_000)?.try_into().ok()?;
            Some(())
        },
        value: |config| config.memory_wait_ms.to_string(),
    },
    ConfigKey {
        name: "server.allowedHosts",
        variable: environment::SERVER_ALLOWED_HOSTS,
        flag: None,
        expected: "names of hosts without port, such as memory.lan",
        read: |config, raw, _| {
            config.allowed_hosts = raw.list()?.iter().map(|name| host(name)).collect::<Option<_>>()?;
            Some(())
        },
        value: |config| config.allowed_hosts.join(","),
    },
    ConfigKey {
        name: "server.corsOrigins",
        variable: environment::SERVER_CORS_ORIGINS,
        flag: None,
        expected: "origins of web pages such as https://app.example.com, each with scheme and without path",
        read: |config, raw, _| {
            config.cors_origins = raw.list()?.iter().map(|text| origin(text)).collect::<Option<_>>()?;
            Some(())
        },
        value: |config| config.cors_origins.join(","),
    },
    ConfigKey {
        name: "server.requestsPerMinute",
        variable: environment::SERVER_REQUESTS_PER_MINUTE,
        flag: None,
        expected: "a whole number from 0 to 1000000",
        read: |config, raw, _| {
            config.requests_per_minute = raw.integer(0, 1_000_000)?.try_into().ok()?;
            Some(())
        },
        value: |config| config.requests_per_minute.to_string(),
    },
    ConfigKey {
        name: "defaultUpstream",
        variable: environment::DEFAULT_UPSTREAM,
        flag: None,
        expected: "the name of a configured upstream, or nothing for the first",
        read: |config, raw, _| {
            config.default_upstream = raw.text()?.to_owned();
            Some(())
        },
        value: |config| config.default_upstream.clone(),
    },
    ConfigKey {
        name: "telemetry.otlpEndpoint",
        variable: environment::TELEMETRY_OTLP_ENDPOINT,
        flag: None,
        expected: "the address of a collector such as http://127.0.0.1:4318, or nothing",
        read: |config, raw, _| {
            config.otlp_endpoint = collector(raw.text()?)?;
            Some(())
        },
        value: |config| config.otlp_endpoint.clone(),
    },
];

impl ConfigKey {
    /// The effective value for people, hidden where the key's name says that it is a secret.
    pub fn shown(&self, config: &Config) -> String {
        redacted(self.name, (self.value)(config))
    }
}

/// Hides the values of keys whose last word says that they are secret: `upstream.apiKey`, `log.token`.
fn redacted(name: &str, value: String) -> String {
    let name = name.to_ascii_lowercase();
    let secret = ["key", "secret", "token", "password"].iter().any(|ending| name.ends_with(ending));
    if secret && !value.is_empty() { "(hidden)".to_owned() } else { value }
}

impl RawValue {
    fn text(&self) -> Option<&str> {
        if let RawValue::Text(text) = self { Some(text.trim()) } else { None }
    }

    /// Variables and flags give numbers as text.
    fn integer(&self, min: i64, max: i64) -> Option<i64> {
        let number = match self {
            RawValue::Integer(number) => *number,
            RawValue::Text(text) => text.trim().parse().ok()?,
            _ => return None,
        };
        (min..=max).contains(&number).then_some(number)
    }

    /// Variables give lists as text with commas.
    fn list(&self) -> Option<Vec<String>> {
        match self {
            RawValue::List(items) => Some(items.clone()),
            RawValue::Text(text) if text.trim().is_empty() => Some(Vec::new()),
            RawValue::Text(text) => Some(text.split(',').map(|item| item.trim().to_owned()).collect()),
            _ => None,
        }
    }
}

impl fmt::Display for RawValue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RawValue::Text(text) => write!(out, "{text:?}"),
            RawValue::Integer(number) => write!(out, "{number}"),
            RawValue::List(items) => write!(out, "{items:?}"),
            RawValue::Other(what) => out.write_str(what),
        }
    }
}

fn address(text: &str) -> Option<SocketAddr> {
    if let Some(port) = text.strip_prefix("localhost:") {
        return Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse().ok()?)));
    }
    text.parse().ok()
}

/// The address of a collector, or nothing.
pub(super) fn collector(text: &str) -> Option<String> {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let sound = text.is_empty()
        || host.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'))
            && text.parse::<axum::http::Uri>().is_ok();
    sound.then(|| text.to_owned())
}

/// A host's name or address, as a `Host` header has it without the port.
fn host(text: &str) -> Option<String> {
    let name = text.trim_matches(['[', ']']).to_ascii_lowercase();
    let sound = name.parse::<IpAddr>().is_ok()
        || !name.is_empty()
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._".contains(letter));
    sound.then_some(name)
}

/// An origin as browsers send it. Not `*`: whoever means everybody would mean every page that a visitor opens.
fn origin(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let sound = !scheme.is_empty() && !rest.is_empty() && !rest.contains(['/', '*', ' ', '?', '#', '@']);
    sound.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_by_their_name() {
        assert_eq!(redacted("upstream.apiKey", "sk-1".into()), "(hidden)");
        assert_eq!(redacted("session.TOKEN", "t".into()), "(hidden)");
        assert_eq!(redacted("upstream.apiKey", String::new()), "");
        assert_eq!(redacted("listen", "127.0.0.1:1".into()), "127.0.0.1:1");
    }

    #[test]
    fn the_list_of_languages_is_complete() {
        let key = KEYS.iter().find(|key| key.name == "store.languages").expect("in the table");
        assert_eq!(key.expected, format!("codes of {}", Language::codes()));
    }
}
