//! Whether a prompt of one user holds what only another may see.

use memory::checkup::Finding;
use memory::error::StoreResult;

use super::{CheckupContext, named};
use crate::sqlite::apply::Applying;

/// Blocks with a memory that is not for the one whose prompt it is: the same rule as for every search, but that a block does
/// not say in which project its user was.
const LEAKS: &str = "FROM block b, json_each(b.body, '$.memories') j JOIN memory m ON m.id = j.value
    WHERE b.body IS NOT NULL AND json_valid(b.body) AND NOT (m.scope = 'organization'
        OR (m.user = b.body ->> '$.session.user' AND m.scope IN ('user', 'project'))
        OR (m.agent = b.body ->> '$.session.agent' AND (m.scope = 'persona'
            OR (m.user = b.body ->> '$.session.user'
                AND (m.scope = 'agent' OR m.session = b.body ->> '$.session.session')))))";

pub fn leaks(look: &CheckupContext<'_>) -> StoreResult<Vec<Finding>> {
    let sql = format!("SELECT DISTINCT 'block ' || b.hash || ' with ' || m.id {LEAKS}");
    named(look, "isolation.blocks", "block", &sql, [])
}

/// As when a source is forgotten: the row stays, so that the next request sees that something changed, and its text goes.
pub fn mend_blocks(applying: &Applying<'_>) -> StoreResult<()> {
    applying
        .execute(&format!("UPDATE block SET body = NULL WHERE hash IN (SELECT b.hash {LEAKS})"), [])
        .map(drop)
}
