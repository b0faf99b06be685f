//! Probes of the walls: really asks, as somebody who may not, for what is there.
//!
//! Between tenants: with this tenant's pass, for the ids and the words of memories that other tenants have. Only for the operator, who may
//! look into them. Within the tenant: as viewers whose the memories are not, by list and by search.

use memory::checkup::{CheckSelection, Finding};
use memory::ports::ReadStore;
use memory::text::query;
use memory::types::{Corpus, Filter, Memory, MemoryId, Owner, PageRequest, Scope, SessionId, Viewer};
use store::{Role, Tenant};

use crate::limits;
use crate::limits::CHECKUP_PROBES;
use crate::ops::OpContext;
use crate::problem::Problem;

pub async fn probe(
    visit: &OpContext<'_>,
    choice: &CheckSelection,
    known: &[Finding],
) -> Result<Vec<Finding>, Problem> {
    let mut findings = Vec::new();
    if choice.has("isolation.scopes") {
        findings.extend(scopes(visit).await?);
    }
    // Rows of others in this tenant's own file are found already, and would be given out.
    let has_foreign = known.iter().any(|finding| finding.code == "isolation.rows");
    if choice.has("isolation.tenants") && visit.caller.role() == Role::Operator && !has_foreign {
        findings.extend(tenants(visit).await?);
    }
    Ok(findings)
}

async fn some(tenant: &Tenant, filter: &Filter) -> Result<Vec<Memory>, Problem> {
    Ok(tenant.list_memories(filter, PageRequest::first(CHECKUP_PROBES)).await?.items)
}

/// What a search for a memory's own words finds.
async fn found(tenant: &Tenant, memory: &Memory, filter: &Filter) -> Result<Vec<MemoryId>, Problem> {
    let words = query::plain(&memory.content, tenant.analyser());
    let nominees = tenant.nominate(Corpus::Memories, &words, filter, CHECKUP_PROBES).await?;
    Ok(nominees.into_iter().filter_map(|nominee| nominee.id.parse().ok()).collect())
}

async fn tenants(visit: &OpContext<'_>) -> Result<Option<Finding>, Problem> {
    let own = visit.tenant.id();
    let mut finding = Finding::new("isolation.tenants", 0);
    let others = visit.house.tenants().list().await?.into_iter().filter(|tenant| tenant != own);
    for other in others.take(limits::PROBED_TENANTS) {
        // One that cannot be opened is told where it is examined itself.
        let Ok(store) = visit.house.attend(&other).await else { continue };
        let Ok(theirs) = some(&store, &Filter::ever()).await else { continue };
        finding.of += theirs.len() as u64;
        let mut ids: Vec<MemoryId> = theirs.iter().map(|memory| memory.id.clone()).collect();
        for memory in theirs.iter().take(limits::PROBED_SEARCHES) {
            ids.extend(found(&visit.tenant, memory, &Filter::ever()).await?);
        }
        // Equal ids in two tenants are an import; whose a memory is, it says itself.
        let mut given_out = visit.tenant.memories(&ids).await?;
        for memory in theirs.iter().take(limits::PROBED_SEARCHES) {
            let (agent, user) = (Some(memory.agent.clone()), Some(memory.user.clone()));
            let since = Some(memory.created_at);
            given_out.extend(some(&visit.tenant, &Filter { agent, user, since, ..Filter::ever() }).await?);
        }
        given_out
            .iter()
            .filter(|memory| memory.tenant != *own)
            .for_each(|memory| finding.add(memory.id.as_str()));
    }
    Ok(finding.found())
}

async fn scopes(visit: &OpContext<'_>) -> Result<Option<Finding>, Problem> {
    let mut finding = Finding::new("isolation.scopes", 0);
    let now = visit.house.clock.now();
    for scope in Scope::ALL.iter().copied().filter(|scope| *scope != Scope::Organization) {
        let memories = some(&visit.tenant, &Filter { scopes: vec![scope], ..Filter::current(now) }).await?;
        for memory in memories.iter().take(limits::PROBED_SEARCHES) {
            finding.of += 1;
            let mut seen = false;
            for viewer in strangers(memory)? {
                let filter =
                    Filter { viewer: Some(viewer), kinds: vec![memory.kind], ..Filter::current(now) };
                let listed = Filter { since: Some(memory.created_at), ..filter.clone() };
                seen |= some(&visit.tenant, &listed).await?.iter().any(|other| other.id == memory.id);
                seen |= found(&visit.tenant, memory, &filter).await?.contains(&memory.id);
            }
            if seen {
                finding.add(memory.id.as_str());
            }
        }
    }
    Ok(finding.found())
}

/// Viewers who must not see a memory.
fn strangers(memory: &Memory) -> Result<Vec<Viewer>, Problem> {
    let nobody = "doctor-nobody";
    let own = memory.owner();
    let other_agent = Owner { agent: nobody.parse().map_err(Problem::ours)?, ..own.clone() };
    let other_user = Owner { user: nobody.parse().map_err(Problem::ours)?, ..own.clone() };
    let elsewhere: SessionId = nobody.parse().map_err(Problem::ours)?;
    let of = |owner: &Owner, session: Option<SessionId>| Viewer::new(owner.clone(), session);
    Ok(match memory.scope {
        Scope::Organization => Vec::new(),
        Scope::Persona => vec![of(&other_agent, memory.session.clone())],
        Scope::User => vec![of(&other_user, memory.session.clone())],
        Scope::Project => vec![of(&own, memory.session.clone()), of(&other_user, memory.session.clone())],
        Scope::Agent => {
            vec![of(&other_agent, memory.session.clone()), of(&other_user, memory.session.clone())]
        }
        Scope::Thread => {
            vec![of(&own, None), of(&own, Some(elsewhere)), of(&other_user, memory.session.clone())]
        }
    })
}
