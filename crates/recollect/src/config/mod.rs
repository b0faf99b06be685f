//! Where memory lies, where the server listens, how it logs: read once at start, in layers.
//!
//! From weak to strong: the embedded default (`config/recollect.toml`, which also documents each key), the user's file,
//! the environment, flags. Every key stands once in [`keys::KEYS`] with its variable, its flag, how it is read and what
//! is allowed, so that all four layers are checked by the same code and `config show` can say where a value came from.
//! How memory behaves is not here but in the settings, which a running server follows.

mod file;
pub mod keys;
pub mod places;
pub mod upstreams;

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memory::language::Language;
use memory::ports::Embedder;
use models::{Upstream, Upstreams};
use store::{TenantsOptions, WriteDurability};
use tracing_subscriber::filter::LevelFilter;

use crate::environment::{self, Environment};
use crate::problem::{Code, Problem};
use keys::{ConfigKey, KEYS, RawValue};

/// The default layer, as text.
pub const DEFAULT: &str = include_str!("../../../../config/recollect.toml");

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

/// What turns text into vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddingBackend {
    /// The model inside the binary.
    Builtin,
    /// Nothing: search goes by words alone.
    None,
}

/// The effective configuration.
#[derive(Debug, Clone)]
pub struct Config {
    pub data: PathBuf,
    pub listen: SocketAddr,
    pub log_format: LogFormat,
    pub log_level: LevelFilter,
    pub durability: WriteDurability,
    pub languages: Vec<Language>,
    pub open_tenants: usize,
    pub deck_bytes: usize,
    pub embedding: EmbeddingBackend,
    pub drain_seconds: u64,
    /// How long memory may hold up a chat.
    pub memory_wait_ms: u64,
    /// Names under which this machine may be reached besides its own.
    pub allowed_hosts: Vec<String>,
    /// Origins of web pages that may use it.
    pub cors_origins: Vec<String>,
    /// Of one key; zero means as many as it likes.
    pub requests_per_minute: u32,
    /// The servers of models.
    pub upstreams: Upstreams,
    /// The collector that traces are sent to; empty: none are made.
    pub otlp_endpoint: String,
    /// What traces call this server.
    pub service_name: String,
    /// Defaults of settings that the environment gives, below everything that is stored.
    pub settings: BTreeMap<String, serde_json::Value>,
    default_upstream: String,
    /// With where each was described, in order.
    described: Vec<(Upstream, ValueSource)>,
    sources: BTreeMap<&'static str, ValueSource>,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    Default,
    File { path: PathBuf, line: usize },
    Variable(&'static str),
    Flag(&'static str),
}

impl fmt::Display for ValueSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueSource::Default => out.write_str("default"),
            ValueSource::File { path, line } => write!(out, "{}:{line}", path.display()),
            ValueSource::Variable(name) => write!(out, "environment {name}"),
            ValueSource::Flag(name) => write!(out, "flag {name}"),
        }
    }
}

/// What the command line says about configuration.
#[derive(Debug, Default)]
pub struct Flags {
    pub file: Option<PathBuf>,
    /// By the key's name.
    pub values: BTreeMap<&'static str, String>,
}

impl Config {
    /// All layers, in order.
    pub fn load(flags: &Flags, environment: &Environment) -> Result<Config, Problem> {
        let mut config = Config::blank();
        config.apply_default_layer();
        if let Some(path) = user_file(flags, environment)? {
            config.apply_file_layer(&path)?;
        }
        for key in KEYS {
            if let Some(value) = environment.get(key.variable) {
                config.lay(key, &RawValue::Text(value.to_owned()), ValueSource::Variable(key.variable))?;
            }
        }
        for (key, flag) in KEYS.iter().filter_map(|key| Some((key, key.flag?))) {
            if let Some(value) = flags.values.get(key.name) {
                config.lay(key, &RawValue::Text(value.clone()), ValueSource::Flag(flag))?;
            }
        }
        config.settle_data()?;
        config.settle_upstreams(environment)?;
        config.settle_telemetry(environment)?;
        config.settle_settings(environment)?;
        Ok(config)
    }

    /// Reads a file as `load` would, to find out whether it would.
    pub fn check_file(path: &Path) -> Result<(), Problem> {
        let mut config = Config::blank();
        config.apply_file_layer(path)?;
        // What the environment would add is not known here, so the default is looked up only among what the file has.
        if config.described.is_empty() { Ok(()) } else { config.settle_upstreams(&Environment::default()) }
    }

    /// Each server of models with where it was described.
    pub fn described_upstreams(&self) -> &[(Upstream, ValueSource)] {
        &self.described
    }

    /// Where the value of a key came from.
    pub fn source(&self, key: &ConfigKey) -> &ValueSource {
        self.sources.get(key.name).unwrap_or(&ValueSource::Default)
    }

    pub fn store_options(&self) -> TenantsOptions {
        TenantsOptions {
            durability: self.durability,
            languages: self.languages.clone(),
            open_tenants: self.open_tenants,
            deck_bytes: self.deck_bytes,
            embedder: self.embedder(),
            settings: self.settings.clone(),
            ..TenantsOptions::default()
        }
    }

    fn embedder(&self) -> Option<Arc<dyn Embedder>> {
        match self.embedding {
            EmbeddingBackend::Builtin => Some(Arc::new(models::Builtin)),
            EmbeddingBackend::None => None,
        }
    }

    /// Stands only until the default layer is laid, which covers every key.
    fn blank() -> Config {
        Config {
            data: PathBuf::new(),
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            log_format: LogFormat::Text,
            log_level: LevelFilter::OFF,
            durability: WriteDurability::Full,
            languages: Vec::new(),
            open_tenants: 0,
            deck_bytes: 0,
            embedding: EmbeddingBackend::None,
            drain_seconds: 0,
            memory_wait_ms: 0,
            allowed_hosts: Vec::new(),
            cors_origins: Vec::new(),
            requests_per_minute: 0,
            upstreams: Upstreams::default(),
            otlp_endpoint: String::new(),
            service_name: "recollect".to_owned(),
            settings: BTreeMap::new(),
            default_upstream: String::new(),
            described: Vec::new(),
            sources: BTreeMap::new(),
        }
    }

    fn apply_default_layer(&mut self) {
        let entries = file::read(DEFAULT, Path::new("recollect.toml"))
            .expect("the embedded file is tested to be sound");
        for entry in entries.entries {
            self.lay(entry.key, &entry.raw, ValueSource::Default)
                .expect("the embedded file is tested to be sound");
        }
    }

    fn apply_file_layer(&mut self, path: &Path) -> Result<(), Problem> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let message = format!("the configuration file {} cannot be read: {error}", path.display());
            Problem::new(Code::InvalidConfiguration, message)
        })?;
        let contents = file::read(&text, path)?;
        let source = |line| ValueSource::File { path: path.to_owned(), line };
        for entry in contents.entries {
            self.lay(entry.key, &entry.raw, source(entry.line))?;
        }
        self.described
            .extend(contents.upstreams.into_iter().map(|entry| (entry.upstream, source(entry.line))));
        Ok(())
    }

    fn lay(&mut self, key: &'static ConfigKey, raw: &RawValue, source: ValueSource) -> Result<(), Problem> {
        let folder = match &source {
            ValueSource::File { path, .. } => path.parent().unwrap_or(Path::new("")),
            _ => Path::new(""),
        };
        (key.read)(self, raw, folder).ok_or_else(|| refuse(key, raw, &source))?;
        self.sources.insert(key.name, source);
        Ok(())
    }

    fn settle_data(&mut self) -> Result<(), Problem> {
        if self.data.as_os_str().is_empty() {
            self.data = places::data_folder()?;
        }
        self.data = std::path::absolute(&self.data).map_err(Problem::ours)?;
        Ok(())
    }

    /// A file that names servers means those and no others; with none named, the environment's are used.
    fn settle_upstreams(&mut self, environment: &Environment) -> Result<(), Problem> {
        for (upstream, _) in &mut self.described {
            upstreams::resolve(upstream, environment);
        }
        if self.described.is_empty() {
            self.described = upstreams::of_environment(environment)?;
        }
        let list: Vec<Upstream> = self.described.iter().map(|(upstream, _)| upstream.clone()).collect();
        let default = Some(self.default_upstream.as_str()).filter(|name| !name.is_empty());
        self.upstreams = Upstreams::new(list, default);
        match default.filter(|name| self.upstreams.find(name).is_none()) {
            Some(name) => Err(self.no_such_upstream(name)),
            None => Ok(()),
        }
    }

    /// Settings that another system's variables name.
    fn settle_settings(&mut self, environment: &Environment) -> Result<(), Problem> {
        for (variable, name) in environment::OF_SETTINGS {
            let Some(given) = environment.other(variable) else { continue };
            let read = memory::settings::find(name).and_then(|setting| setting.parse(given.expose().trim()));
            let value = read.map_err(|invalid| {
                let message = format!("the value of {variable} in the environment: {}", invalid.message);
                Problem { hint: invalid.hint, ..Problem::new(Code::InvalidConfiguration, message) }
            })?;
            self.settings.insert(name.to_owned(), value);
        }
        Ok(())
    }

    /// What every program that makes traces heeds, where ours says nothing.
    fn settle_telemetry(&mut self, environment: &Environment) -> Result<(), Problem> {
        let other = |name| environment.other(name).map(|value| value.expose().trim().to_owned());
        if let Some(endpoint) = other(environment::OTEL_ENDPOINT).filter(|_| self.otlp_endpoint.is_empty()) {
            let key = KEYS.iter().find(|key| key.name == "telemetry.otlpEndpoint").expect("in the table");
            self.lay(key, &RawValue::Text(endpoint), ValueSource::Variable(environment::OTEL_ENDPOINT))?;
        }
        if other(environment::OTEL_DISABLED).is_some_and(|word| word.eq_ignore_ascii_case("true")) {
            self.otlp_endpoint.clear();
        }
        self.service_name = other(environment::OTEL_SERVICE_NAME).unwrap_or_else(|| "recollect".to_owned());
        Ok(())
    }

    fn no_such_upstream(&self, name: &str) -> Problem {
        let key = KEYS.iter().find(|key| key.name == "defaultUpstream").expect("in the table");
        let names = self.upstreams.names();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "none is configured; describe one as [upstreams.NAME]".to_owned(),
            None => format!("configured are {}", names.join(", ")),
        };
        refuse(key, &RawValue::Text(name.to_owned()), self.source(key)).hint(hint)
    }
}

fn refuse(key: &ConfigKey, raw: &RawValue, source: &ValueSource) -> Problem {
    let message = format!("`{}` cannot be {raw} ({source}); expected {}", key.name, key.expected);
    Problem::new(Code::InvalidConfiguration, message)
}

/// The file that the flag names, or the variable, or the one in the platform's place if there is one.
pub fn user_file(flags: &Flags, environment: &Environment) -> Result<Option<PathBuf>, Problem> {
    let named = flags.file.clone().or_else(|| environment.get(environment::CONFIG).map(PathBuf::from));
    if let Some(path) = named {
        return std::path::absolute(path).map(Some).map_err(Problem::ours);
    }
    // Without a home there is no place to look in, and nothing is lost: the data folder says so if it needs one.
    Ok(places::config_file().ok().filter(|path| path.exists()))
}

/// The candidate that somebody who typed `wanted` may have meant.
pub fn nearest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let far = (wanted.len() / 3).max(2);
    candidates
        .map(|candidate| (memory::settings::distance(wanted, candidate), candidate))
        .filter(|(distance, _)| *distance <= far)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(
        file: &str,
        environment: &[(&str, &str)],
        flags: &[(&'static str, &str)],
    ) -> Result<Config, Problem> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("mine.toml");
        std::fs::write(&path, file).expect("written");
        let pairs = environment.iter().map(|(name, value)| (name.into(), value.into()));
        let environment = Environment::from_pairs(pairs).expect("known variables");
        let values = flags.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        Config::load(&Flags { file: Some(path), values }, &environment)
    }

    #[test]
    fn the_embedded_file_has_every_key_and_says_so_in_its_comments() {
        let entries = file::read(DEFAULT, Path::new("recollect.toml")).expect("sound");
        let mut config = Config::blank();
        config.apply_default_layer();
        for key in KEYS {
            assert!(
                entries.entries.iter().any(|entry| entry.key.name == key.name),
                "{} is missing",
                key.name
            );
            assert!(DEFAULT.contains(key.variable), "{} is not mentioned", key.variable);
        }
        assert_eq!(config.listen.to_string(), "127.0.0.1:8377");
        assert_eq!(config.drain_seconds, store::limits::DRAIN_SECONDS);
        assert_eq!(u128::from(config.memory_wait_ms), crate::limits::READ_WITHIN.as_millis());
        assert_eq!(config.open_tenants, store::limits::OPEN_TENANTS);
        assert_eq!(config.deck_bytes, store::limits::DECK_BYTES);
    }

    #[test]
    fn later_layers_are_stronger() {
        let file = "listen = \"127.0.0.1:1\"\ndata = \"there\"\n[log]\nformat = \"json\"\n";
        let config = load(file, &[], &[]).expect("sound");
        assert_eq!(config.listen.port(), 1);
        assert!(config.data.ends_with("there") && config.data.is_absolute());
        let config = load(file, &[(environment::LISTEN, "127.0.0.1:2")], &[]).expect("sound");
        assert_eq!(config.listen.port(), 2);
        let config =
            load(file, &[(environment::LISTEN, "127.0.0.1:2")], &[("listen", "localhost:3")]).expect("sound");
        assert_eq!(config.listen.port(), 3);
        let sources: Vec<String> = KEYS.iter().map(|key| config.source(key).to_string()).collect();
        assert_eq!(sources[1], "flag --listen");
        assert!(sources[2].ends_with("mine.toml:4"), "{sources:?}");
        assert_eq!(sources[3], "default");
    }

    #[test]
    fn a_bad_value_names_key_place_and_what_is_allowed() {
        let check = |file: &str, environment: &[(&str, &str)], expected: &[&str]| {
            let message = load(file, environment, &[]).expect_err("refused").message;
            for part in expected {
                assert!(message.contains(part), "{message:?} lacks {part:?}");
            }
        };
        check(
            "[store]\n\ndurability = \"fast\"",
            &[],
            &["`store.durability` cannot be \"fast\"", "mine.toml:3", "full or normal"],
        );
        check("[store]\nopenTenants = 0", &[], &["`store.openTenants` cannot be 0", "from 1 to 100000"]);
        check("[store]\nlanguages = [\"xx\"]", &[], &["`store.languages`", "codes of", "en"]);
        check("listen = 3", &[], &["`listen` cannot be 3", "127.0.0.1:8377"]);
        check(
            "",
            &[(environment::LOG_LEVEL, "loud")],
            &["environment RECOLLECT_LOG_LEVEL", "off, error, warn"],
        );
    }

    #[test]
    fn names_far_from_everything_get_no_guess() {
        assert_eq!(nearest("listne", ["data", "listen"].into_iter()), Some("listen"));
        assert_eq!(nearest("zzzzzzzzz", ["data", "listen"].into_iter()), None);
    }
}
