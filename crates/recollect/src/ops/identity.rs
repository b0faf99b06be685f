//! Who the user is: read it, write it, look at how it came to be, and say what is always to be said.
//!
//! A person's word about themselves stands above what a machine made of their conversations: an edited profile stays as it
//! was written, a line that was taken out stays out, and an override that was removed does not come back by itself.

use memory::learn::identity::{Refreshed, Wish, overrides};
use memory::learn::session_pass::{Learner, PassReport};
use memory::limits::{OVERRIDES, PROFILE_BYTES};
use memory::ports::{ReadStore, WriteStore};
use memory::profile::grade::NOT_ALWAYS;
use memory::profile::template::says_the_same;
use memory::types::{
    Actor, Batch, Change, Expect, Identity, Origin, Override, OverrideId, ProfileVersion, UserId,
};
use serde::{Deserialize, Serialize};

use super::OpContext;
use crate::problem::{Code, Problem};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IdentityShow {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
}

pub(super) async fn show(visit: &OpContext<'_>, request: IdentityShow) -> Result<Box<Identity>, Problem> {
    let user = named(request.user);
    let profile = visit.tenant.profile(&user).await?;
    let overrides = visit.tenant.overrides(&user).await?;
    Ok(Box::new(Identity { user, profile, overrides }))
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IdentityEdit {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// The profile from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Hand it back: generate it again from what is known, and keep nothing of what was written.
    pub generated: bool,
    /// Refuse unless this is the number of the profile that stands; 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect_number: Option<u64>,
}

/// What became of the profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProfileChanged {
    /// False when it already said all of it.
    pub changed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<ProfileVersion>,
    /// Memories learned since the version before.
    pub contributions: usize,
    /// Overrides that followed their memories.
    pub overrides_changed: usize,
}

pub(super) async fn edit(
    visit: &OpContext<'_>,
    request: IdentityEdit,
) -> Result<Box<ProfileChanged>, Problem> {
    let user = named(request.user);
    let learner = visit.house.learner(&visit.tenant).await?;
    match (request.text, request.generated) {
        (None, true) => renew(visit, &learner, user, Wish::HandBack).await,
        (Some(text), false) => {
            let text = checked(&text)?;
            let before = visit.tenant.profile(&user).await?;
            if before.as_ref().is_some_and(|before| before.origin == Origin::Person && before.text == text) {
                return Ok(Box::new(ProfileChanged::nothing(before)));
            }
            let profile = learner.edit_profile(&user, &text, request.expect_number).await?;
            Ok(Box::new(ProfileChanged { changed: true, ..ProfileChanged::nothing(Some(profile)) }))
        }
        _ => Err(Problem::invalid("expected either the profile's text, or that it be generated")),
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IdentityRefresh {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
}

pub(super) async fn refresh(
    visit: &OpContext<'_>,
    request: IdentityRefresh,
) -> Result<Box<ProfileChanged>, Problem> {
    let learner = visit.house.learner(&visit.tenant).await?;
    renew(visit, &learner, named(request.user), Wish::Now).await
}

async fn renew(
    visit: &OpContext<'_>,
    learner: &Learner,
    user: UserId,
    wish: Wish,
) -> Result<Box<ProfileChanged>, Problem> {
    let refreshed = learner.renew_identity(&user, wish).await?;
    tell(&refreshed);
    let overrides = refreshed.overrides;
    let standing = match &refreshed.profile {
        Some(_) => None,
        None => visit.tenant.profile(&user).await?,
    };
    Ok(Box::new(ProfileChanged {
        changed: refreshed.profile.is_some(),
        profile: refreshed.profile.or(standing),
        contributions: refreshed.contributions,
        overrides_changed: overrides.added + overrides.changed + overrides.removed,
    }))
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IdentityVersions {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// Only this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionsListed {
    /// The oldest first.
    pub versions: Vec<ProfileVersion>,
}

pub(super) async fn versions(
    visit: &OpContext<'_>,
    request: IdentityVersions,
) -> Result<VersionsListed, Problem> {
    let mut versions = visit.tenant.profile_versions(&named(request.user)).await?;
    if let Some(number) = request.number {
        versions.retain(|version| version.number == number);
        if versions.is_empty() {
            let message = format!("the profile has no version {number}");
            return Err(Problem::new(Code::NotFound, message)
                .hint("`recollect identity versions` shows those that are kept"));
        }
    }
    Ok(VersionsListed { versions })
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverrideAdd {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverrideAdded {
    /// False when it was said already.
    pub added: bool,
    #[serde(rename = "override")]
    pub line: Override,
}

pub(super) async fn override_add(
    visit: &OpContext<'_>,
    request: OverrideAdd,
) -> Result<Box<OverrideAdded>, Problem> {
    let (user, text) = (named(request.user), overrides::checked(&request.text)?);
    let standing = visit.tenant.overrides(&user).await?;
    let said = standing.iter().find(|line| says_the_same(&line.text, &text, visit.tenant.analyser()));
    if let Some(known) = said {
        let line = adopt(visit, known, text).await?;
        return Ok(Box::new(OverrideAdded { added: false, line }));
    }
    if standing.len() >= OVERRIDES {
        let message = format!("there are {} overrides; expected at most {OVERRIDES}", standing.len());
        return Err(Problem::new(Code::LimitReached, message)
            .hint("all of them go into every prompt; remove one with `recollect identity override remove`"));
    }
    let line = Override {
        id: OverrideId::from_uuid(visit.house.clock.uuid()),
        version: 1,
        user,
        text,
        memory: None,
        origin: Origin::Person,
        created_at: visit.now,
    };
    visit.tenant.apply(Batch::new(Actor::Person, visit.now).insert(line.clone())).await?;
    Ok(Box::new(OverrideAdded { added: true, line }))
}

/// What a machine said and a person says too is the person's from then on: no machine changes it any more.
async fn adopt(visit: &OpContext<'_>, known: &Override, text: String) -> Result<Override, Problem> {
    if known.origin == Origin::Person {
        return Ok(known.clone());
    }
    let theirs = Override { text, memory: None, origin: Origin::Person, ..known.clone() };
    visit.tenant.apply(Batch::new(Actor::Person, visit.now).replace(theirs.clone())).await?;
    Ok(Override { version: known.version + 1, ..theirs })
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverrideRemove {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// Its id, or its text.
    pub which: String,
}

pub(super) async fn override_remove(
    visit: &OpContext<'_>,
    request: OverrideRemove,
) -> Result<Box<Override>, Problem> {
    let user = named(request.user);
    let which = request.which.trim();
    let standing = visit.tenant.overrides(&user).await?;
    let same = |line: &&Override| {
        line.id.as_str() == which || memory::text::fold(&line.text) == memory::text::fold(which)
    };
    let Some(line) = standing.iter().find(same).cloned() else {
        let message = format!("{user} has no such override; expected its id or its whole text");
        return Err(
            Problem::new(Code::NotFound, message).hint("`recollect identity override list` shows them")
        );
    };
    let remove = Change::Remove { of: overrides::reference(&line.id), expect: Expect::Version(line.version) };
    let mut batch = Batch::new(Actor::Person, visit.now).with(remove);
    if let Some(id) = &line.memory {
        // The memory stays, and says of itself that a person does not want it said always.
        for memory in visit.tenant.memories(std::slice::from_ref(id)).await? {
            let mut quiet = memory.clone();
            quiet.metadata.insert(NOT_ALWAYS.to_owned(), true.into());
            batch = batch.replace(quiet);
        }
    }
    visit.tenant.apply(batch).await?;
    Ok(Box::new(line))
}

/// After a pass: the identity follows what was learned. It is not what the pass was for, so a failure is told and no more.
pub async fn after_pass(learner: &Learner, user: &UserId, report: &PassReport) {
    let tally = &report.tally;
    if tally.inserted + tally.bumped + tally.superseded == 0 {
        return;
    }
    match learner.refresh_identity(user).await {
        Ok(refreshed) => tell(&refreshed),
        Err(error) => tracing::warn!(%error, "the identity could not be refreshed"),
    }
}

fn tell(refreshed: &Refreshed) {
    if let Some(why) = &refreshed.without_model {
        tracing::warn!(%why, "the model gave no profile that can be used; the template made it");
    }
}

/// A person's profile as it is stored.
fn checked(text: &str) -> Result<String, Problem> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim_matches('\n').trim_end();
    if text.is_empty() {
        return Err(Problem::field("text", "the profile is empty; expected at least a line")
            .hint("`--generated` hands the profile back to be generated from what is known"));
    }
    if text.len() > PROFILE_BYTES {
        let message = format!("the profile has {} bytes; expected at most {PROFILE_BYTES}", text.len());
        return Err(Problem::field("text", message));
    }
    Ok(text.to_owned())
}

fn named(user: Option<UserId>) -> UserId {
    user.unwrap_or_else(UserId::unnamed)
}

impl ProfileChanged {
    fn nothing(profile: Option<ProfileVersion>) -> Self {
        Self { changed: false, profile, contributions: 0, overrides_changed: 0 }
    }
}
