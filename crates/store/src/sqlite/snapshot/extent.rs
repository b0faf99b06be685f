//! What belongs to an extent, as conditions in SQL: the filter is inside the query, so that a narrow export of a large store reads
//! little, and nothing that was not asked for is ever in our hands.

use memory::types::Extent;
use rusqlite::types::Value;

/// An extent, ready to be asked about.
pub struct ExtentTest {
    pub extent: Extent,
}

impl ExtentTest {
    pub fn new(extent: &Extent) -> Self {
        Self { extent: extent.clone() }
    }

    /// The values that conditions name.
    pub fn values(&self) -> Vec<(String, Value)> {
        let text = |text: Option<String>| text.map_or(Value::Null, Value::Text);
        let agents: Vec<&str> = self.extent.agents.iter().map(|agent| agent.as_str()).collect();
        let named = [
            (":agents", Some(serde_json::Value::from(agents).to_string())),
            (":user", self.extent.user.as_ref().map(ToString::to_string)),
            (":session", self.extent.session.as_ref().map(ToString::to_string)),
            (":since", self.extent.since.map(|time| time.to_string())),
            (":until", self.extent.until.map(|time| time.to_string())),
        ];
        named.into_iter().map(|(name, value)| (name.to_owned(), text(value))).collect()
    }

    /// Whose it is.
    fn owned(&self, agent: &str, user: &str) -> Vec<String> {
        let mut all = Vec::new();
        if !self.extent.agents.is_empty() {
            all.push(format!("{agent} IN (SELECT value FROM json_each(:agents))"));
        }
        if self.extent.user.is_some() {
            all.push(format!("{user} = :user"));
        }
        all
    }

    /// When it was made.
    fn made(&self, at: &str) -> Vec<String> {
        let mut all = Vec::new();
        if self.extent.since.is_some() {
            all.push(format!("{at} >= :since"));
        }
        if self.extent.until.is_some() {
            all.push(format!("{at} < :until"));
        }
        all
    }

    fn in_session(&self, session: &str) -> Vec<String> {
        self.extent.session.iter().map(|_| format!("{session} = :session")).collect()
    }

    fn standing(&self, status: &str) -> Vec<String> {
        if self.extent.deleted { Vec::new() } else { vec![format!("{status} <> 'deleted'")] }
    }

    /// Who may know of it beside those to whom it belongs.
    fn unshared(&self, scope: &str) -> Vec<String> {
        match self.extent.agent_only {
            true => vec![format!("coalesce({scope}, '') NOT IN ('user', 'project')")],
            false => Vec::new(),
        }
    }

    pub fn memory(&self, m: &str) -> String {
        all([
            self.unshared(&format!("{m}.scope")),
            self.owned(&format!("{m}.agent"), &format!("{m}.user")),
            self.in_session(&format!("{m}.session")),
            self.made(&format!("{m}.created_at")),
            self.standing(&format!("{m}.status")),
        ])
    }

    /// Sessions in which something was said in that time.
    pub fn session(&self, s: &str) -> String {
        if !self.extent.conversations {
            return "0".to_owned();
        }
        let mut time = Vec::new();
        if self.extent.since.is_some() {
            time.push(format!("coalesce({s}.last_turn_at, {s}.started_at) >= :since"));
        }
        if self.extent.until.is_some() {
            time.push(format!("{s}.started_at < :until"));
        }
        let owned = self.owned(&format!("{s}.agent"), &format!("{s}.user"));
        all([owned, self.in_session(&format!("{s}.session")), time])
    }

    /// A turn, beside its session.
    pub fn turn(&self, t: &str, s: &str) -> String {
        all([vec![self.session(s)], self.made(&format!("{t}.at")), self.told(t)])
    }

    /// A turn of which everything is forgotten is as good as deleted.
    fn told(&self, t: &str) -> Vec<String> {
        match self.extent.deleted {
            true => Vec::new(),
            false => vec![format!("({t}.said IS NULL OR {t}.text <> '')")],
        }
    }

    /// What a turn says: what is left of it, or all of it where the veils come along.
    pub fn text_of_turn(&self, t: &str) -> String {
        match self.extent.deleted {
            true => format!("coalesce({t}.said, {t}.text)"),
            false => format!("{t}.text"),
        }
    }

    /// What is forgotten of turns, where that is wanted.
    pub fn veil(&self, v: &str) -> String {
        if !self.extent.deleted {
            return "0".to_owned();
        }
        let columns = ["agent", "user", "session", "created_at"].map(|column| format!("{v}.{column}"));
        let [agent, user, session, created_at] = &columns;
        self.of_session(agent, user, session, created_at)
    }

    /// What hangs on a session without being said at some time: held candidates, blocks.
    pub fn of_session(&self, agent: &str, user: &str, session: &str, at: &str) -> String {
        if !self.extent.conversations {
            return "0".to_owned();
        }
        all([self.owned(agent, user), self.in_session(session), self.made(at)])
    }

    pub fn episode(&self, e: &str) -> String {
        let columns = ["agent", "user", "session", "ended_at"].map(|column| format!("{e}.{column}"));
        let [agent, user, session, ended_at] = &columns;
        all([vec![self.of_session(agent, user, session, ended_at)], self.standing(&format!("{e}.status"))])
    }

    pub fn entity(&self, e: &str) -> String {
        if self.extent.session.is_some() {
            return "0".to_owned();
        }
        all([
            self.owned(&format!("{e}.agent"), &format!("{e}.user")),
            self.made(&format!("{e}.created_at")),
            self.standing(&format!("{e}.status")),
        ])
    }

    pub fn relation(&self, r: &str) -> String {
        if self.extent.session.is_some() {
            return "0".to_owned();
        }
        let mut ends = Vec::new();
        if self.is_partial() {
            for end in ["subject", "object"] {
                let stands = self.entity("en");
                ends.push(format!("EXISTS (SELECT 1 FROM entity en WHERE en.id = {r}.{end} AND {stands})"));
            }
        }
        let (agent, user) = (format!("{r}.body ->> '$.owner.agent'"), format!("{r}.body ->> '$.owner.user'"));
        all([self.owned(&agent, &user), self.standing(&format!("{r}.status")), ends])
    }

    /// Who the user is, over all agents: not part of what belongs to some of them, nor to a session.
    pub fn identity(&self, user: &str, at: &str) -> String {
        if !self.extent.agents.is_empty() || self.extent.session.is_some() {
            return "0".to_owned();
        }
        all([self.owned("''", user), self.made(at)])
    }

    /// What stands beside a memory.
    pub fn of_memory(&self, id: &str) -> String {
        if !self.is_partial() {
            return "1".to_owned();
        }
        format!("EXISTS (SELECT 1 FROM memory me WHERE me.id = {id} AND {})", self.memory("me"))
    }

    /// What was said of a memory in a conversation that stays is not told.
    pub fn feedback(&self, f: &str) -> String {
        let of_memory = self.of_memory(&format!("{f}.memory"));
        if !self.extent.is_narrowed() {
            return of_memory;
        }
        let heard = self.session("se");
        format!(
            "{of_memory} AND ({f}.session IS NULL
                 OR EXISTS (SELECT 1 FROM session se WHERE se.id = {f}.session AND {heard}))"
        )
    }

    pub fn link(&self, l: &str) -> String {
        all([vec![self.of_memory(&format!("{l}.source")), self.of_memory(&format!("{l}.target"))]])
    }

    /// Whether something that has rows of its own may be left out.
    pub fn is_partial(&self) -> bool {
        !self.extent.is_everything()
    }

    pub fn administration(&self) -> String {
        let whole = self.extent.administration && !self.extent.is_narrowed();
        if whole { "1".to_owned() } else { "0".to_owned() }
    }

    /// Whether the thing of this kind and id is in the extent.
    pub fn node(&self, kind: &str, id: &str) -> String {
        if !self.is_partial() {
            return "1".to_owned();
        }
        let exists = |table: &str, alias: &str, condition: String| {
            format!(
                "({kind} = '{table}' AND EXISTS (SELECT 1 FROM {table} {alias} WHERE {alias}.id = {id} AND {condition}))"
            )
        };
        let turn = format!(
            "({kind} = 'turn' AND EXISTS (SELECT 1 FROM turn tu JOIN session se ON se.row = tu.session_row
              WHERE tu.id = {id} AND {}))",
            self.turn("tu", "se")
        );
        let block = format!(
            "({kind} = 'block' AND EXISTS (SELECT 1 FROM block bl WHERE bl.hash = {id} AND {}))",
            self.block("bl")
        );
        let any = [
            exists("memory", "me", self.memory("me")),
            exists("episode", "ep", self.episode("ep")),
            exists("relation", "re", self.relation("re")),
            exists("link", "li", self.link("li")),
            exists("profile", "pf", self.identity("pf.user", "pf.body ->> '$.created_at'")),
            turn,
            block,
        ];
        format!("({})", any.join(" OR "))
    }

    pub fn block(&self, b: &str) -> String {
        if !self.extent.conversations {
            return "0".to_owned();
        }
        let of =
            format!("EXISTS (SELECT 1 FROM session se WHERE se.id = {b}.session AND {})", self.session("se"));
        let of = if self.extent.is_narrowed() { vec![of] } else { Vec::new() };
        all([of, self.made(&format!("{b}.at"))])
    }

    /// What happened to records that are in the extent and, where deleted ones are wanted, to those that are gone.
    pub fn history(&self, h: &str) -> String {
        if !self.is_partial() {
            return "1".to_owned();
        }
        let (kind, id) = (format!("{h}.kind"), format!("{h}.id"));
        let exists = |table: &str, alias: &str, condition: String| {
            format!(
                "({kind} = '{table}' AND EXISTS (SELECT 1 FROM {table} {alias} WHERE {alias}.id = {id} AND {condition}))"
            )
        };
        let held = self.of_session("he.agent", "he.user", "he.session", "he.body ->> '$.created_at'");
        let mut any = vec![
            self.node(&kind, &id),
            exists("session", "se", self.session("se")),
            exists("entity", "en", self.entity("en")),
            exists("held", "he", held),
            exists("veil", "ve", self.veil("ve")),
            exists("override", "ov", self.identity("ov.user", "ov.body ->> '$.created_at'")),
            format!("({kind} IN ('agent', 'run') AND {})", self.administration()),
        ];
        if self.extent.deleted {
            any.push(self.gone(h));
            return format!("({})", any.join(" OR "));
        }
        format!("({}) AND {}", any.join(" OR "), untold(h))
    }

    /// Records that are in no table any more: whose they were, the last thing known of them says.
    fn gone(&self, h: &str) -> String {
        let mut nowhere = Vec::new();
        for table in
            ["memory", "episode", "session", "entity", "relation", "link", "held", "profile", "override"]
        {
            nowhere.push(format!(
                "({h}.kind <> '{table}' OR NOT EXISTS (SELECT 1 FROM {table} x WHERE x.id = {h}.id))"
            ));
        }
        let field = |name: &str| {
            format!(
                "coalesce(p.before ->> '$.{name}', p.before ->> '$.session.{name}', p.before ->> '$.key.{name}',
                          p.before ->> '$.owner.{name}')"
            )
        };
        let made = "coalesce(p.before ->> '$.created_at', p.before ->> '$.started_at')";
        let session = "coalesce(p.before ->> '$.session.session', p.before ->> '$.key.session', p.before ->> '$.session')";
        let whose = all([
            self.owned(&field("agent"), &field("user")),
            self.unshared("p.before ->> '$.scope'"),
            self.in_session(session),
            self.made(made),
        ]);
        let mut conditions = nowhere;
        conditions.push(format!("{h}.kind NOT IN ('agent', 'run')"));
        if !self.extent.conversations {
            conditions.push(format!("{h}.kind NOT IN ('session', 'episode', 'held', 'veil')"));
        }
        if self.extent.is_narrowed() {
            conditions.push(format!(
                "EXISTS (SELECT 1 FROM history p WHERE p.id = {h}.id AND p.kind = {h}.kind AND p.before IS NOT NULL
                 AND {whose})"
            ));
        }
        format!("({})", conditions.join(" AND "))
    }
}

/// What a record said before something was forgotten of it, as long as that is not undone, is as good as deleted.
fn untold(h: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM history fo JOIN run ru ON ru.id = fo.run
             WHERE fo.kind = {h}.kind AND fo.id = {h}.id AND (fo.number, fo.ordinal) >= ({h}.number, {h}.ordinal)
             AND ru.body ->> '$.job' = 'forget' AND ru.body ->> '$.state' <> 'undone')"
    )
}

/// All of these conditions; none is no condition.
fn all<const N: usize>(conditions: [Vec<String>; N]) -> String {
    let all: Vec<String> = conditions.into_iter().flatten().filter(|condition| condition != "1").collect();
    if all.is_empty() { "1".to_owned() } else { all.join(" AND ") }
}
