//! How strong something is today. Functions of time, computed when read: nothing is rewritten daily, so a day that was
//! missed costs nothing and none counts twice.

use crate::types::{Counters, Episode, Memory, Time};

/// Days after which an unused memory's salience has fallen to 1/e.
pub const SALIENCE_DAYS: f64 = 30.0;

fn fading(days: f64, stability_days: f64) -> f64 {
    (-days.max(0.0) / stability_days.max(1e-6)).exp()
}

/// Days since it was last used, or made.
pub fn idle_days(memory: &Memory, counters: Option<&Counters>, now: Time) -> f64 {
    let last_use = counters.and_then(|counters| counters.last_used_at).unwrap_or(memory.created_at);
    now.days_since(last_use)
}

/// How much it matters now.
pub fn salience(memory: &Memory, counters: Option<&Counters>, now: Time) -> f64 {
    if memory.pinned {
        return 1.0;
    }
    f64::from(memory.salience) * fading(idle_days(memory, counters, now), SALIENCE_DAYS)
}

/// How well it is remembered now.
pub fn strength(memory: &Memory, counters: Option<&Counters>, now: Time) -> f64 {
    if memory.pinned {
        return 1.0;
    }
    f64::from(memory.strength) * fading(idle_days(memory, counters, now), f64::from(memory.stability_days))
}

/// How much a conversation matters now, from its end on.
pub fn episode_salience(episode: &Episode, now: Time) -> f64 {
    f64::from(episode.salience) * fading(now.days_since(episode.ended_at), SALIENCE_DAYS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Kind, Owner, TenantId};

    #[test]
    fn it_fades_from_its_last_use_and_a_pinned_one_never() {
        let id = "mt_01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        let made = Time::MIN;
        let owner = Owner::unnamed();
        let mut memory = Memory::new(id, TenantId::local(), &owner, Kind::Fact, "x".into(), made);
        let month = made.plus_seconds(30 * 86_400);
        assert!((salience(&memory, None, month) - 0.5 / std::f64::consts::E).abs() < 1e-9);
        let used = Counters { last_used_at: Some(month), ..Counters::default() };
        assert_eq!(salience(&memory, Some(&used), month), 0.5);
        assert!(
            (strength(&memory, None, made.plus_seconds(180 * 86_400)) - 1.0 / std::f64::consts::E).abs()
                < 1e-9
        );
        memory.pinned = true;
        assert_eq!((salience(&memory, None, month), strength(&memory, None, month)), (1.0, 1.0));
    }
}
