//! Every environment variable, once. The reference page is generated from [`TABLE`].
//!
//! A `RECOLLECT_…` variable that is not in the table is an error, because a misspelt one would otherwise be silently
//! without effect. Those that Kubernetes sets for a service named `recollect` are the exception: nobody typed them.

use std::collections::BTreeMap;
use std::ffi::OsString;

use models::ProviderSecret;

use crate::config::nearest;
use crate::problem::{Code, Problem};

pub const CONFIG: &str = "RECOLLECT_CONFIG";
pub const DATA: &str = "RECOLLECT_DATA";
pub const LISTEN: &str = "RECOLLECT_LISTEN";
pub const LOG_FORMAT: &str = "RECOLLECT_LOG_FORMAT";
pub const LOG_LEVEL: &str = "RECOLLECT_LOG_LEVEL";
pub const STORE_DURABILITY: &str = "RECOLLECT_STORE_DURABILITY";
pub const STORE_LANGUAGES: &str = "RECOLLECT_STORE_LANGUAGES";
pub const STORE_OPEN_TENANTS: &str = "RECOLLECT_STORE_OPEN_TENANTS";
pub const STORE_DECK_BYTES: &str = "RECOLLECT_STORE_DECK_BYTES";
pub const EMBEDDING_BACKEND: &str = "RECOLLECT_EMBEDDING_BACKEND";
pub const SERVER_DRAIN_SECONDS: &str = "RECOLLECT_SERVER_DRAIN_SECONDS";
pub const SERVER_MEMORY_WAIT_MS: &str = "RECOLLECT_SERVER_MEMORY_WAIT_MS";
pub const SERVER_ALLOWED_HOSTS: &str = "RECOLLECT_SERVER_ALLOWED_HOSTS";
pub const SERVER_CORS_ORIGINS: &str = "RECOLLECT_SERVER_CORS_ORIGINS";
pub const SERVER_REQUESTS_PER_MINUTE: &str = "RECOLLECT_SERVER_REQUESTS_PER_MINUTE";
pub const DEFAULT_UPSTREAM: &str = "RECOLLECT_DEFAULT_UPSTREAM";
pub const TELEMETRY_OTLP_ENDPOINT: &str = "RECOLLECT_TELEMETRY_OTLP_ENDPOINT";
pub const TENANT: &str = "RECOLLECT_TENANT";
pub const AGENT: &str = "RECOLLECT_AGENT";
pub const USER: &str = "RECOLLECT_USER";
pub const SESSION: &str = "RECOLLECT_SESSION";

pub const OPENAI_API_KEY: &str = "OPENAI_API_KEY";
pub const OPENAI_BASE_URL: &str = "OPENAI_BASE_URL";
pub const ANTHROPIC_API_KEY: &str = "ANTHROPIC_API_KEY";
pub const ANTHROPIC_BASE_URL: &str = "ANTHROPIC_BASE_URL";
pub const OTEL_ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
pub const OTEL_SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
pub const OTEL_DISABLED: &str = "OTEL_SDK_DISABLED";
pub const MEMORY_RRF_K: &str = "MEMORY_RRF_K";
pub const MEMORY_VEC_TOP_K: &str = "MEMORY_VEC_TOP_K";
pub const VISUAL: &str = "VISUAL";
pub const EDITOR: &str = "EDITOR";

/// One variable with what it is for.
pub struct Variable {
    pub name: &'static str,
    pub about: &'static str,
}

pub static TABLE: &[Variable] = &[
    Variable {
        name: CONFIG,
        about: "The configuration file, instead of the platform's place for it. Flag: `--config`.",
    },
    Variable {
        name: DATA,
        about: "The folder that holds everything remembered. Key: `data`. Flag: `--data`.",
    },
    Variable { name: LISTEN, about: "Address and port of `serve`. Key: `listen`. Flag: `--listen`." },
    Variable { name: LOG_FORMAT, about: "How log lines look. Key: `log.format`. Flag: `--log-format`." },
    Variable { name: LOG_LEVEL, about: "How much is logged. Key: `log.level`. Flag: `--log-level`." },
    Variable { name: STORE_DURABILITY, about: "What a power cut may take. Key: `store.durability`." },
    Variable {
        name: STORE_LANGUAGES,
        about: "The languages whose word forms search knows, separated by commas. Key: `store.languages`.",
    },
    Variable { name: STORE_OPEN_TENANTS, about: "Tenants held open at once. Key: `store.openTenants`." },
    Variable {
        name: STORE_DECK_BYTES,
        about: "Bytes of memory for rows that searches looked at lately; 0 keeps none. Key: `store.deckBytes`.",
    },
    Variable {
        name: EMBEDDING_BACKEND,
        about: "What turns text into vectors: `builtin` or `none`. Key: `embedding.backend`.",
    },
    Variable {
        name: SERVER_DRAIN_SECONDS,
        about: "Seconds that a stopping server waits for requests under way. Key: `server.drainSeconds`.",
    },
    Variable {
        name: SERVER_MEMORY_WAIT_MS,
        about: "Milliseconds that a chat waits for memory before it goes on without. Key: `server.memoryWaitMs`.",
    },
    Variable {
        name: SERVER_ALLOWED_HOSTS,
        about: "Names under which the server may be reached, separated by commas. Key: `server.allowedHosts`.",
    },
    Variable {
        name: SERVER_CORS_ORIGINS,
        about: "Origins of web pages that may use the server, separated by commas. Key: `server.corsOrigins`.",
    },
    Variable {
        name: SERVER_REQUESTS_PER_MINUTE,
        about: "Requests that one key may make in a minute. Key: `server.requestsPerMinute`.",
    },
    Variable {
        name: DEFAULT_UPSTREAM,
        about: "The server of models that serves when nobody names another. Key: `defaultUpstream`.",
    },
    Variable {
        name: TELEMETRY_OTLP_ENDPOINT,
        about: "The collector that traces are sent to; empty sends none. Key: `telemetry.otlpEndpoint`.",
    },
    Variable { name: TENANT, about: "The tenant that commands work on, `local` if unset. Flag: `--tenant`." },
    Variable { name: AGENT, about: "The agent that commands speak of. Flag: `--agent`." },
    Variable { name: USER, about: "The user that commands speak of. Flag: `--user`." },
    Variable { name: SESSION, about: "The session that commands speak of. Flag: `--session`." },
];

/// Not ours, but heeded.
static FOREIGN: &[Variable] = &[
    Variable {
        name: OPENAI_API_KEY,
        about: "Where the file names no upstream: makes one named `openai` with this key.",
    },
    Variable {
        name: OPENAI_BASE_URL,
        about: "Where the file names no upstream: the address of `openai`, https://api.openai.com/v1 if unset. Without a \
                key, the client's own is passed through.",
    },
    Variable {
        name: ANTHROPIC_API_KEY,
        about: "Where the file names no upstream: makes one named `anthropic` with this key.",
    },
    Variable {
        name: ANTHROPIC_BASE_URL,
        about: "Where the file names no upstream: the address of `anthropic`, https://api.anthropic.com/v1 if unset.",
    },
    Variable {
        name: "NO_COLOR",
        about: "Set to anything: no colours, unless `--color always` asks for them.",
    },
    Variable {
        name: "XDG_DATA_HOME",
        about: "Where the data folder lies on Linux, `~/.local/share` if unset.",
    },
    Variable {
        name: "XDG_CONFIG_HOME",
        about: "Where the configuration file lies on Linux, `~/.config` if unset.",
    },
    Variable {
        name: OTEL_ENDPOINT,
        about: "Where `telemetry.otlpEndpoint` is empty: the collector that traces are sent to.",
    },
    Variable {
        name: "OTEL_EXPORTER_OTLP_HEADERS",
        about: "Sent to the collector: `name=value`, separated by commas.",
    },
    Variable { name: OTEL_SERVICE_NAME, about: "What traces call this server, `recollect` if unset." },
    Variable {
        name: "OTEL_RESOURCE_ATTRIBUTES",
        about: "What else traces say of it: `name=value`, separated by commas.",
    },
    Variable {
        name: "OTEL_TRACES_SAMPLER",
        about: "Which traces are kept, as OpenTelemetry names it; all if unset.",
    },
    Variable { name: OTEL_DISABLED, about: "`true`: no traces, whatever else says so." },
    Variable {
        name: MEMORY_RRF_K,
        about: "The default of the setting `rrfK` in tenants that do not say otherwise, as another system names it.",
    },
    Variable { name: MEMORY_VEC_TOP_K, about: "The default of the setting `recallTopK`, in the same way." },
    Variable { name: VISUAL, about: "The editor in which `identity edit` opens the profile." },
    Variable { name: EDITOR, about: "The same, where `VISUAL` is unset." },
];

/// Variables of another system that name a setting.
pub const OF_SETTINGS: [(&str, &str); 2] = [(MEMORY_RRF_K, "rrfK"), (MEMORY_VEC_TOP_K, "recallTopK")];

/// The variables that are set, ours checked against the table. Those of others are kept because a configuration may name
/// any of them as the place of a key, and hidden because any of them may be one.
#[derive(Debug, Default)]
pub struct Environment {
    ours: BTreeMap<&'static str, String>,
    others: BTreeMap<String, ProviderSecret>,
}

impl Environment {
    pub fn of_this_process() -> Result<Self, Problem> {
        Self::from_pairs(std::env::vars_os())
    }

    /// An empty value counts as unset, as it does for most programs.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Self, Problem> {
        let mut set = Self::default();
        for (name, value) in pairs {
            let Some(name) = name.to_str().filter(|name| !value.is_empty() && !from_kubernetes(name)) else {
                continue;
            };
            if !name.starts_with("RECOLLECT_") {
                set.others.extend(value.to_str().map(|value| (name.to_owned(), ProviderSecret::new(value))));
                continue;
            }
            let variable =
                TABLE.iter().find(|variable| variable.name == name).ok_or_else(|| unknown(name))?;
            let value = value.into_string().map_err(|_| not_text(name))?;
            set.ours.insert(variable.name, value);
        }
        Ok(set)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.ours.get(name).map(String::as_str)
    }

    /// One that is not ours.
    pub fn other(&self, name: &str) -> Option<&ProviderSecret> {
        self.others.get(name)
    }
}

fn from_kubernetes(name: &str) -> bool {
    name == "RECOLLECT_PORT" || name.starts_with("RECOLLECT_PORT_") || name.starts_with("RECOLLECT_SERVICE_")
}

fn unknown(name: &str) -> Problem {
    let hint = match nearest(name, TABLE.iter().map(|variable| variable.name)) {
        Some(near) => format!("did you mean {near}?"),
        None => {
            format!("known are {}", TABLE.iter().map(|variable| variable.name).collect::<Vec<_>>().join(", "))
        }
    };
    Problem::new(Code::InvalidConfiguration, format!("unknown variable {name} in the environment")).hint(hint)
}

fn not_text(name: &str) -> Problem {
    Problem::new(
        Code::InvalidConfiguration,
        format!("the value of {name} in the environment is not UTF-8 text"),
    )
}

/// The reference page.
pub fn reference_page() -> String {
    let mut page = String::from(
        "# Environment variables\n\nGenerated from the table in `crates/recollect/src/environment.rs` by \
         `cargo xtask generate`; do not edit.\n\nA variable is stronger than the configuration file and weaker than a \
         flag. An empty one counts as unset. An unknown `RECOLLECT_…` variable is an error.\n\n\
         | variable | what it does |\n|---|---|\n",
    );
    let row = |variable: &Variable| format!("| `{}` | {} |\n", variable.name, variable.about);
    page.extend(TABLE.iter().map(row));
    page.push_str("\nOf others these are heeded:\n\n| variable | what it does |\n|---|---|\n");
    page.extend(FOREIGN.iter().map(row));
    page.push_str(
        "\nOther variables of that system need nothing here and are passed over: the built-in model embeds faster than a cache \
         answers (`MEMORY_EMBEDDING_CACHE_TTL_MS`, `MEMORY_EMBEDDING_CACHE_MAX`), there is no other to load \
         (`MEMORY_TRANSFORMERS_MODEL`, `MEMORY_STATIC_MODEL`, `MEMORY_STATIC_CACHE_DIR`), and vectors are searched as 8-bit \
         numbers whatever `MEMORY_VEC_QUANTIZATION` says.\n",
    );
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Result<Environment, Problem> {
        Environment::from_pairs([(name.into(), value.into())])
    }

    #[test]
    fn a_misspelt_variable_is_an_error_with_the_nearest_name() {
        let problem = read("RECOLLECT_LISTNE", "x").expect_err("unknown");
        assert_eq!(problem.message, "unknown variable RECOLLECT_LISTNE in the environment");
        assert_eq!(problem.hint.as_deref(), Some("did you mean RECOLLECT_LISTEN?"));
    }

    #[test]
    fn what_kubernetes_sets_is_not_ours() {
        for name in ["RECOLLECT_PORT", "RECOLLECT_SERVICE_HOST", "RECOLLECT_PORT_8377_TCP_ADDR"] {
            assert!(read(name, "tcp://10.0.0.1:8377").is_ok(), "{name}");
        }
    }

    #[test]
    fn empty_is_unset() {
        assert_eq!(read(DATA, "").expect("known").get(DATA), None);
        assert_eq!(read(DATA, "here").expect("known").get(DATA), Some("here"));
    }
}
