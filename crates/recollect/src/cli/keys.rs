//! `recollect keys`.

use clap::{Args, Subcommand};
use memory::ports::Clock;
use memory::types::{AgentId, Time, UserId};
use store::{KeyId, KeyUser, Role, SystemClock};

use super::output::{BOLD, CommandFailure, IdRow, minute, one_line, styled};
use super::{CommandContext, CommandEnd, Globals, words};
use crate::ops::keys::{KeyCreate, KeyCreated, KeyRevoke, KeyRow, KeyStatus, KeysList, KeysOpen};

/// Make, list and revoke the keys that let programs in
///
/// While there is no key, whatever runs on this machine may use tenant `local`. From the first key on, every request
/// needs one, also after the last is revoked, until `keys open` says otherwise; it says which tenant it opens, for whom, and what
/// may be done there. Commands on this machine need none.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  recollect keys create --name laptop
  recollect keys create --name phone --user laptop     shares the memory of the key above
  recollect keys create --tenant team-7 --role read --agent tutor --expires 90d
  recollect keys list
  recollect keys revoke key_01890a5d-ac96-774b-bcce-b302099a8057")]
pub struct KeysCommand {
    #[command(subcommand)]
    action: KeysAction,
}

#[derive(Debug, Subcommand)]
enum KeysAction {
    /// Make a key; it is shown this once
    Create(Create),
    /// Show the keys of all tenants, or of the one that --tenant names
    List,
    /// Make a key useless, for good
    Revoke {
        #[arg(value_name = "ID")]
        id: KeyId,
    },
    /// Let this machine in without a key again, once all keys are revoked
    Open,
}

#[derive(Debug, Args)]
struct Create {
    /// What it may do: read (ask), memory (change memories too), admin (settings and keys too)
    #[arg(long, value_name = "ROLE", default_value = "memory", value_parser = words::roles(), hide_possible_values = true)]
    role: Role,
    /// What it is for, for people
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Only for this agent; repeat it for several
    #[arg(id = "agent", long = "agent", value_name = "NAME")]
    agents: Vec<AgentId>,
    /// Whose memory it speaks for, and no other's; several keys may have the same. `*` means anybody's [default: a user of its
    /// own, called as the key is; with the role admin anybody]
    #[arg(id = "user", long = "user", value_name = "NAME")]
    user: Option<UserId>,
    /// It may speak for anybody: the same as --user '*'
    #[arg(long, conflicts_with = "user")]
    speaks_for_anybody: bool,
    /// With --agent: it sees what its user has with any agent, too, and teaches all of them
    #[arg(long, requires = "agent")]
    shares_user: bool,
    /// When it ends: after days (90d) or hours (12h), or at a time
    #[arg(long, value_name = "WHEN", value_parser = ending)]
    expires: Option<Ending>,
}

/// When a key ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    After { seconds: i64 },
    At(Time),
}

impl KeysCommand {
    pub async fn run(
        self,
        desk: &mut CommandContext,
        globals: &Globals,
    ) -> Result<CommandEnd, CommandFailure> {
        match self.action {
            KeysAction::Create(create) => create.run(desk).await,
            KeysAction::List => list(desk, globals.tenant.is_none()).await,
            KeysAction::Revoke { id } => revoke(desk, id).await,
            KeysAction::Open => open(desk).await,
        }
    }
}

impl Create {
    async fn run(self, desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
        let expires_at = self.expires.map(|ending| match ending {
            Ending::After { seconds } => SystemClock.now().plus_seconds(seconds),
            Ending::At(time) => time,
        });
        // `--user` stands beside the global one, which is a user's name, so that `*` is read here.
        let user = match self.user {
            Some(user) if user.as_str() == KeyUser::ANYBODY => Some(KeyUser::Anybody),
            user => user.map(KeyUser::One).or(self.speaks_for_anybody.then_some(KeyUser::Anybody)),
        };
        let request = KeyCreate {
            role: self.role,
            name: self.name,
            agents: self.agents,
            user,
            shares_user: self.shares_user,
            expires_at,
        };
        let created = desk.link.ask(&desk.who.tenant, request).await?;
        if desk.out.wants_json() {
            desk.out.answer(&created)?;
        } else {
            // The key alone on stdout, so that a script can take it.
            desk.out.line(created.key.reveal())?;
            desk.out.talk(explanation(&created));
        }
        Ok(CommandEnd::Well)
    }
}

fn explanation(created: &KeyCreated) -> String {
    let key = &created.row.key;
    let id = styled(BOLD, &key.id);
    let whose = match key.user.only() {
        Some(user) => format!("user {user}"),
        None => "anybody".to_owned(),
    };
    let mut text = format!("{id} opens tenant {} with the role {}, for {whose}", key.tenant, key.role);
    text.push_str(
        "\nit is shown this once; send it as `Authorization: Bearer rk_…` or `X-Recollect-Key: rk_…`",
    );
    if created.first {
        text.push_str(
            "\nfrom now on requests without a key are refused, from this machine too; commands need none",
        );
    }
    text
}

async fn list(desk: &mut CommandContext, everywhere: bool) -> Result<CommandEnd, CommandFailure> {
    let listed = desk.link.ask(&desk.who.tenant, KeysList { everywhere }).await?;
    if desk.out.wants_json() {
        desk.out.answer(&listed)?;
        return Ok(CommandEnd::Well);
    }
    desk.out.table_of_ids(listed.keys.iter().map(row).collect())?;
    if listed.keys.is_empty() {
        desk.out.talk("there are no keys");
    }
    Ok(CommandEnd::Well)
}

fn row(row: &KeyRow) -> IdRow {
    let key = &row.key;
    let agents: Option<Vec<&str>> =
        key.agents.as_ref().map(|agents| agents.iter().map(AgentId::as_str).collect());
    let state = match (row.status, key.expires_at) {
        (KeyStatus::Revoked, _) => "revoked".to_owned(),
        (KeyStatus::Expired, Some(end)) => format!("expired {}", minute(end)),
        (_, Some(end)) => format!("until {}", minute(end)),
        (_, None) => "active".to_owned(),
    };
    let used = key.last_used_at.map_or("never used".to_owned(), |time| format!("used {}", minute(time)));
    let cells = vec![
        format!("{}…", key.prefix),
        styled(BOLD, &key.tenant),
        key.role.to_string(),
        agents.map_or("all agents".to_owned(), |agents| one_line(&agents.join(", "))),
        key.user.only().map_or("anybody".to_owned(), |user| one_line(user.as_str())),
        state,
        used,
        one_line(&key.name),
    ];
    IdRow { id: key.id.to_string(), cells }
}

async fn revoke(desk: &mut CommandContext, id: KeyId) -> Result<CommandEnd, CommandFailure> {
    let revoked = desk.link.ask(&desk.who.tenant, KeyRevoke { id }).await?;
    if desk.out.wants_json() {
        desk.out.answer(&revoked)?;
        return Ok(CommandEnd::Well);
    }
    desk.out.line(format!("revoked {}", revoked.row.key.id))?;
    if revoked.last {
        desk.out.talk("it was the last key, and requests still need one: `recollect keys create` makes one, `recollect keys open` lets this machine in without");
    }
    Ok(CommandEnd::Well)
}

async fn open(desk: &mut CommandContext) -> Result<CommandEnd, CommandFailure> {
    let opened = desk.link.ask(&desk.who.tenant, KeysOpen {}).await?;
    if desk.out.wants_json() {
        desk.out.answer(&opened)?;
        return Ok(CommandEnd::Well);
    }
    desk.out.line(match opened.changed {
        true => "requests from this machine need no key now, as tenant local",
        false => "requests from this machine needed no key",
    })?;
    Ok(CommandEnd::Well)
}

fn ending(text: &str) -> Result<Ending, String> {
    let unit = |unit: char, seconds: i64| {
        let number: i64 =
            text.strip_suffix(unit)?.parse().ok().filter(|number| (1..=36_500).contains(number))?;
        Some(Ending::After { seconds: number * seconds })
    };
    match unit('d', 86_400).or_else(|| unit('h', 3_600)) {
        Some(ending) => Ok(ending),
        None => text.parse().map(Ending::At).map_err(|_| {
            format!("`{text}` is no time; expected days such as 90d, hours such as 12h, or a date such as 2030-05-01")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_after_a_while_or_at_a_time() {
        assert_eq!(ending("90d"), Ok(Ending::After { seconds: 90 * 86_400 }));
        assert_eq!(ending("12h"), Ok(Ending::After { seconds: 12 * 3_600 }));
        assert_eq!(ending("2030-05-01"), Ok(Ending::At("2030-05-01T00:00:00Z".parse().expect("a time"))));
        for bad in ["", "d", "0d", "-1d", "99999999999999999999d", "soon", "90"] {
            assert!(ending(bad).is_err(), "{bad:?}");
        }
    }
}
