//! Profiles follow what is known: those of users about whom something was learned since the last pass. A profile has its own
//! versions and is made from what stands, so an undo leaves it alone; the next pass, or the next thing learned, renews it.

use super::Tender;
use crate::error::{StoreError, StoreResult};
use crate::learn::session_pass::Learner;
use crate::limits;
use crate::types::{Run, Time, UserId};

/// Renews some users' profiles; gives where to go on.
pub(super) async fn refresh(tender: &Tender, run: &Run, cursor: &str) -> StoreResult<Option<String>> {
    let learner = Learner { tools: tender.tools.clone() };
    let after: Option<UserId> = cursor.parse().ok().filter(|_| !cursor.is_empty());
    let users = tender.store().users_after(after.as_ref(), limits::TEND_ROWS).await?;
    let since = tender.last_done(run.started_at).await?.unwrap_or(Time::MIN);
    for user in &users {
        if tender.store().learned_of(user, since, 1).await?.is_empty() {
            continue;
        }
        match learner.refresh_identity(user).await {
            Ok(_) => {}
            // Whoever keeps writing about this user renews the profile too.
            Err(StoreError::Conflict { .. } | StoreError::Busy(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let last = users.last().filter(|_| users.len() == limits::TEND_ROWS);
    Ok(last.map(|user| user.as_str().to_owned()))
}
