//! How the fields of a request may be spelt, and which spelling is refused.
//!
//! A field has one name, and is understood however its words are joined (`user_id`, `userId`, `USER-ID`, `userid`) and by the
//! other names of its [`FAMILIES`], so that every surface takes the names of every system that it stands in for. Any other name
//! is refused with the nearest known one: a filter that is passed over matches too much, and a scope that is passed over means
//! everybody. Clients of other systems send fields of their own beside ours; on their routes only a name is refused that looks
//! like a field that narrows or destroys.

use strsim::osa_distance;

use crate::config::nearest;
use crate::problem::Problem;

/// Whose clients a route serves, which decides about names that nobody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clients {
    /// Ours: an unknown name is refused.
    Ours,
    /// Another system's: an unknown name is passed over, unless it looks like a field that narrows or destroys.
    Theirs,
}

/// Names of one and the same thing.
struct Family {
    /// Each may be the name that a request's description has; the others then mean it.
    names: &'static [&'static str],
    /// These mean it too, and are the name of something else where a description has them.
    short: &'static [&'static str],
    /// Names that may mean it and may not. Where the thing can be named they are refused, whosever clients send them.
    doubtful: &'static [&'static str],
}

/// All names folded, as [`folded`] does it.
const FAMILIES: &[Family] = &[
    Family {
        names: &["userid"],
        short: &["user"],
        doubtful: &[
            "uid",
            "owner",
            "ownerid",
            "username",
            "usr",
            "usrid",
            "person",
            "personid",
            "customerid",
        ],
    },
    Family {
        names: &["agentid"],
        short: &["agent"],
        doubtful: &[
            "aid",
            "agt",
            "agtid",
            "agentname",
            "assistant",
            "assistantid",
            "persona",
            "personaid",
            "bot",
            "botid",
        ],
    },
    Family {
        names: &["sessionid", "conversationid", "runid"],
        short: &["session", "conversation"],
        doubtful: &["sid", "cid", "chat", "chatid", "thread", "threadid", "sessionname", "run"],
    },
    Family { names: &["projectid"], short: &["project"], doubtful: &["pid", "projectname", "workspace"] },
    Family { names: &["topk", "limit"], short: &["k"], doubtful: &[] },
    Family { names: &["q", "query"], short: &[], doubtful: &["search", "text", "words", "filter"] },
    Family { names: &["dryrun"], short: &[], doubtful: &["dry", "rehearse", "simulate", "preview", "test"] },
    Family { names: &["memoryids", "ids", "traceids"], short: &[], doubtful: &[] },
    Family { names: &["memoryid", "traceid"], short: &[], doubtful: &[] },
    Family { names: &["judgement"], short: &["judgment", "feedback", "label"], doubtful: &[] },
    Family { names: &["honesty"], short: &["honestyhumility"], doubtful: &[] },
];

/// Fields that narrow what is read, or decide what is removed and whether: their near misspellings are refused everywhere.
const NARROWING: &[&str] = &[
    "userid",
    "user",
    "agentid",
    "agent",
    "sessionid",
    "session",
    "conversationid",
    "runid",
    "appid",
    "projectid",
    "apikeyid",
    "filters",
    "filter",
    "type",
    "kind",
    "layer",
    "scope",
    "tags",
    "categories",
    "keywords",
    "metadata",
    "q",
    "query",
    "match",
    "since",
    "until",
    "asof",
    "knownat",
    "startdate",
    "enddate",
    "olderthan",
    "olderthandays",
    "dryrun",
    "confirm",
    "all",
    "purge",
    "ids",
    "memoryids",
    "traceids",
    "memoryid",
    "includedeleted",
    "showexpired",
    "deletelinked",
    "entity",
    "relation",
    "role",
];

/// A name without what joins its words: `user_id`, `userId` and `User-ID` are the same.
pub fn folded(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Which of the known fields is meant; none where the name is to be passed over.
pub fn understood<'k>(
    given: &str,
    known: impl Iterator<Item = &'k str> + Clone,
    clients: Clients,
) -> Result<Option<&'k str>, Problem> {
    if let Some(exact) = known.clone().find(|name| *name == given) {
        return Ok(Some(exact));
    }
    let wanted = folded(given);
    if let Some(same) = known.clone().find(|name| folded(name) == wanted) {
        return Ok(Some(same));
    }
    let of_family =
        |family: &Family| known.clone().find(|name| family.names.contains(&folded(name).as_str()));
    for family in FAMILIES {
        let means = family.names.contains(&wanted.as_str()) || family.short.contains(&wanted.as_str());
        if means && let Some(member) = of_family(family) {
            return Ok(Some(member));
        }
        if family.doubtful.contains(&wanted.as_str())
            && let Some(member) = of_family(family)
        {
            return Err(unknown(given, known, Some(member)));
        }
    }
    match clients {
        Clients::Ours => Err(unknown(given, known, None)),
        Clients::Theirs => match looks_like(&wanted, known.clone()) {
            Some(meant) => Err(unknown(given, known, Some(meant))),
            None => Ok(None),
        },
    }
}

/// The narrowing field that somebody may have meant and misspelt.
fn looks_like<'k>(wanted: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let near = |name: &&str| {
        let name = folded(name);
        // Two letters are much of a short name.
        let far = if name.len() < 5 { 1 } else { 2 };
        let shares = name.len() > 1 || wanted.contains(&name);
        NARROWING.contains(&name.as_str()) && shares && osa_distance(wanted, &name) <= far
    };
    known.into_iter().find(near)
}

fn unknown<'k>(given: &str, known: impl Iterator<Item = &'k str> + Clone, meant: Option<&'k str>) -> Problem {
    let shown = memory::error::shown(given);
    let names: Vec<&str> = known.clone().collect();
    let expected = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let message = format!("`{shown}`: there is no such field; expected {expected}");
    let problem = Problem::field(shown.clone(), message);
    match meant.or_else(|| nearest(&shown, known)) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["user_id", "session_id", "q", "type", "limit"];

    fn meant(given: &str, clients: Clients) -> Result<Option<&'static str>, Problem> {
        understood(given, KNOWN.into_iter(), clients)
    }

    #[test]
    fn every_spelling_of_a_field_is_the_field() {
        for given in ["user_id", "userId", "USERID", "user-id", "user", "User"] {
            assert_eq!(meant(given, Clients::Ours).expect(given), Some("user_id"), "{given}");
        }
        for given in ["sessionId", "session", "conversation_id", "conversationId", "run_id"] {
            assert_eq!(meant(given, Clients::Theirs).expect(given), Some("session_id"), "{given}");
        }
        assert_eq!(meant("top_k", Clients::Ours).expect("a family"), Some("limit"));
        assert_eq!(meant("query", Clients::Ours).expect("a family"), Some("q"));
    }

    #[test]
    fn a_misspelling_is_refused_with_the_name_that_was_meant() {
        for given in [
            "usre_id",
            "usr_id",
            "user_idd",
            "uid",
            "owner",
            "owner_id",
            "sesion_id",
            "sid",
            "typ",
            "tpye",
            "qq",
        ] {
            for clients in [Clients::Ours, Clients::Theirs] {
                let problem = meant(given, clients).expect_err(given);
                assert_eq!(problem.details[0].field, given);
                assert!(problem.message.contains(&format!("`{given}`")), "{}", problem.message);
            }
        }
        let problem = meant("usre_id", Clients::Ours).expect_err("unknown");
        assert_eq!(problem.hint.as_deref(), Some("did you mean `user_id`?"));
    }

    #[test]
    fn fields_of_their_own_pass_where_other_systems_send_them() {
        for given in ["org_id", "version", "output_format", "enable_graph", "_", "t", "source"] {
            assert_eq!(meant(given, Clients::Theirs).expect(given), None, "{given}");
            meant(given, Clients::Ours).expect_err(given);
        }
    }
}
