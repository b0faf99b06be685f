//! Everything that can be wrong with a tenant, looked at and left as it is.

use memory::checkup::{Area, CHECKS, CheckSelection, Finding, junk};
use memory::ports::ReadStore;
use memory::settings::ExtractionMode;
use memory::tend;

use super::isolation;
use crate::limits;
use crate::ops::{OpContext, relearn};
use crate::problem::Problem;

pub async fn examine(visit: &OpContext<'_>, choice: &CheckSelection) -> Result<Vec<Finding>, Problem> {
    let embedder = visit.house.embedder.as_ref();
    let mut findings = visit.tenant.checkup(choice, embedder, visit.house.clock.now()).await?;
    findings = beside_the_point(visit, findings).await?;
    if choice.has("config.model") {
        findings.extend(model_that_is_none(visit).await?);
    }
    if choice.has("jobs.overdue") {
        findings.extend(overdue(visit).await?);
    }
    if choice.has("learner.older") && relearn::is_offered(&visit.tenant).await? {
        findings.push(Finding::one("learner.older", memory::learn::relearn::LEARNER_VERSION));
    }
    // Where records cannot be read, what they say cannot be judged; the next check-up, after the repair, does.
    let readable =
        !findings.iter().any(|finding| matches!(finding.code.as_str(), "body.unreadable" | "db.integrity"));
    if readable {
        findings.extend(isolation::probe(visit, choice, &findings).await?);
        findings.extend(judge(visit, choice).await?.findings());
    }
    Ok(findings)
}

pub async fn judge(visit: &OpContext<'_>, choice: &CheckSelection) -> Result<junk::Junk, Problem> {
    let codes: Vec<&str> =
        CHECKS.iter().filter(|check| check.area == Area::Junk).map(|check| check.code).collect();
    if !choice.has_any(&codes) {
        return Ok(junk::Junk::default());
    }
    if visit.house.embedder.is_some() {
        // Vectors that are still being loaded would find nothing alike.
        visit.tenant.load_vectors().await?;
    }
    let tender = visit.house.tender(&visit.tenant).await?;
    Ok(junk::judge(&tender, choice).await?)
}

/// Leaves out what is as somebody wants it: turns that wait because nothing is learned by itself, runs that somebody is at.
async fn beside_the_point(
    visit: &OpContext<'_>,
    mut findings: Vec<Finding>,
) -> Result<Vec<Finding>, Problem> {
    let settings = visit.tenant.settings().await?;
    if settings.extraction_mode == ExtractionMode::Manual || !settings.enabled {
        findings.retain(|finding| finding.code != "pending.stuck");
    }
    let name = format!("tend/{}", visit.tenant.id());
    if visit.house.tenants().is_leased(&name, visit.house.clock.now()).await? {
        findings.retain(|finding| finding.code != "runs.unfinished");
    }
    Ok(findings)
}

/// A model that the settings choose and nobody configured.
async fn model_that_is_none(visit: &OpContext<'_>) -> Result<Option<Finding>, Problem> {
    let settings = visit.tenant.settings().await?;
    let wrong = visit.house.models.unchosen(&settings);
    Ok(wrong.map(|(setting, why)| Finding::one("config.model", setting).because(why)))
}

async fn overdue(visit: &OpContext<'_>) -> Result<Option<Finding>, Problem> {
    let Some(job) = visit.tenant.job(tend::JOB).await? else { return Ok(None) };
    let late = job.due_at < visit.house.clock.now().plus_seconds(-limits::UPKEEP_LATE_SECONDS);
    Ok(late.then(|| Finding::one("jobs.overdue", job.name)))
}
