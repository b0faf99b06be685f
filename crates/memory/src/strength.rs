//! How strong something is today. Functions of time and of what became of it, computed when read: nothing is rewritten
//! daily, so a day that was missed costs nothing and none counts twice.
//!
//! Judgements enter in three places, each bounded. What replies used is stable for longer; what they passed over again and
//! again, or what was called wrong, matters less and is remembered less; and the balance of both is a part of the score in
//! a search. Without judgements everything is as time alone has it.

use crate::types::{Counters, Episode, Memory, Time};

/// Days after which an unused memory's salience has fallen to 1/e.
pub const SALIENCE_DAYS: f64 = 30.0;

/// By what each use multiplies stability, and by how much less the one after: `GROWTH / (1 + LESS · n)`. At the seventh a
/// use adds nothing any more, and those that follow are not counted.
const GROWTH: f64 = 1.7;
const LESS: f64 = 0.1;
const GROWING_USES: u64 = 7;

/// How much more a use adds to what was felt strongly.
const FELT: f64 = 0.3;

/// The most that stability can grow: from half a year to four.
const GROWN_AT_MOST: f64 = 8.0;

/// What a use adds to the strength that it fades from.
const REFRESHED: f64 = 0.1;

/// Showings that one use pays for: of five memories in a prompt a good reply uses one.
const SHOWINGS_A_USE: u64 = 4;

/// Showings beyond that after which a memory counts half, which is the least.
const HALVING_SHOWINGS: f64 = 16.0;

/// What is left of a memory each time it is called wrong, and at least.
const LEFT_WHEN_WRONG: f64 = 0.5;
const LEFT_AT_LEAST: f64 = 0.125;

/// How much a single "wrong" weighs beside a use, and how many judgements it takes to be sure, in the score.
const WRONG_WEIGHT: f64 = 4.0;
const UNSURE: f64 = 4.0;

fn fading(days: f64, stability_days: f64) -> f64 {
    (-days.max(0.0) / stability_days.max(1e-6)).exp()
}

/// Days since it was last used, or made. A showing that the reply passed over is no use.
pub fn idle_days(memory: &Memory, counters: Option<&Counters>, now: Time) -> f64 {
    let last_use = counters.and_then(|counters| counters.last_used_at).unwrap_or(memory.created_at);
    now.days_since(last_use)
}

/// How much it matters now.
pub fn salience(memory: &Memory, counters: Option<&Counters>, now: Time) -> f64 {
    if memory.pinned {
        return 1.0;
    }
    let faded = fading(idle_days(memory, counters, now), SALIENCE_DAYS);
    f64::from(memory.salience) * faded * standing(counters)
}

/// How well it is remembered now.
pub fn strength(memory: &Memory, counters: Option<&Counters>, now: Time) -> f64 {
    if memory.pinned {
        return 1.0;
    }
    let uses = counters.map_or(0, |counters| counters.used);
    let start = (f64::from(memory.strength) + REFRESHED * uses as f64).clamp(0.0, 1.0);
    start * fading(idle_days(memory, counters, now), stability_days(memory, counters)) * standing(counters)
}

/// Days after which its strength has fallen to 1/e: longer with each reply that used it.
pub fn stability_days(memory: &Memory, counters: Option<&Counters>) -> f64 {
    let uses = counters.map_or(0, |counters| counters.used).min(GROWING_USES);
    let felt = 1.0 + FELT * memory.emotion.map_or(0.0, |emotion| f64::from(emotion.arousal));
    let grown = (0..uses).fold(1.0, |grown, n| grown * (GROWTH / (1.0 + LESS * n as f64)).max(1.0) * felt);
    f64::from(memory.stability_days) * grown.min(GROWN_AT_MOST)
}

/// Showings that no use paid for.
fn passed_over(counters: &Counters) -> u64 {
    counters.ignored.saturating_sub(SHOWINGS_A_USE.saturating_mul(counters.used))
}

/// What is left of it after being passed over and called wrong: 1 where nothing was said.
fn standing(counters: Option<&Counters>) -> f64 {
    let Some(counters) = counters else { return 1.0 };
    let passed_over = (1.0 / (1.0 + passed_over(counters) as f64 / HALVING_SHOWINGS)).max(0.5);
    let wrong = LEFT_WHEN_WRONG.powf(counters.wrong as f64).max(LEFT_AT_LEAST);
    passed_over * wrong
}

/// What judgements say of it, from -1 (wrong, or never of use) over 0 (nothing is known) to 1 (always of use).
pub fn feedback(counters: Option<&Counters>) -> f64 {
    let Some(counters) = counters else { return 0.0 };
    let used = counters.used as f64;
    let passed_over = passed_over(counters) as f64 / SHOWINGS_A_USE as f64;
    let wrong = WRONG_WEIGHT * counters.wrong as f64;
    (used - passed_over - wrong) / (used + passed_over + wrong + UNSURE)
}

/// How much a conversation matters now, from its end on.
pub fn episode_salience(episode: &Episode, now: Time) -> f64 {
    f64::from(episode.salience) * fading(now.days_since(episode.ended_at), SALIENCE_DAYS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::{Emotion, Kind, Owner, TenantId};

    fn memory() -> Memory {
        let id = "mt_01890a5d-ac96-774b-bcce-b302099a8057".parse().expect("an id");
        Memory::new(id, TenantId::local(), &Owner::unnamed(), Kind::Fact, "x".into(), Time::MIN)
    }

    fn counted(used: u64, ignored: u64, wrong: u64) -> Counters {
        Counters { used, ignored, wrong, ..Counters::default() }
    }

    fn after(days: i64) -> Time {
        Time::MIN.plus_seconds(days * 86_400)
    }

    #[test]
    fn it_fades_from_its_last_use_and_a_pinned_one_never() {
        let mut memory = memory();
        let month = after(30);
        assert!((salience(&memory, None, month) - 0.5 / std::f64::consts::E).abs() < 1e-9);
        let used = Counters { last_used_at: Some(month), ..Counters::default() };
        assert_eq!(salience(&memory, Some(&used), month), 0.5);
        assert!((strength(&memory, None, after(180)) - 1.0 / std::f64::consts::E).abs() < 1e-9);
        memory.pinned = true;
        assert_eq!((salience(&memory, None, month), strength(&memory, None, month)), (1.0, 1.0));
        let wrong = counted(0, 50, 3);
        assert_eq!(strength(&memory, Some(&wrong), month), 1.0, "what a person pinned stays as strong");
    }

    #[test]
    fn what_is_used_is_stable_for_longer_and_not_for_ever() {
        let plain = memory();
        let days = |memory: &Memory, used| stability_days(memory, Some(&counted(used, 0, 0)));
        assert_eq!(days(&plain, 0), 180.0);
        assert!((days(&plain, 1) - 180.0 * 1.7).abs() < 1e-9);
        assert!((days(&plain, 2) - 180.0 * 1.7 * 1.7 / 1.1).abs() < 1e-9);
        assert!(days(&plain, 7) > days(&plain, 3) && days(&plain, 7) == days(&plain, 1_000));
        assert!(days(&plain, 1_000) <= 180.0 * 8.0);
        let felt = Memory { emotion: Some(Emotion { valence: -0.5, arousal: 1.0 }), ..memory() };
        assert!((days(&felt, 1) - 180.0 * 1.7 * 1.3).abs() < 1e-9);
        assert_eq!(days(&felt, 100), 180.0 * 8.0);
        let weak = Memory { strength: 0.5, ..memory() };
        let used = Counters { last_used_at: Some(after(9)), ..counted(3, 0, 0) };
        assert!((strength(&weak, Some(&used), after(9)) - 0.8).abs() < 1e-6);
    }

    #[test]
    fn what_is_used_outlives_and_outranks_what_is_passed_over() {
        let memory = memory();
        // Both were shown a hundred times; the last use of the one that is passed over is its making.
        let used = Counters { last_used_at: Some(after(100)), ..counted(20, 80, 0) };
        let ignored = counted(0, 100, 0);
        for days in [100, 200, 400, 900] {
            let (now, one, other) = (after(days), Some(&used), Some(&ignored));
            assert!(strength(&memory, one, now) > 1.5 * strength(&memory, other, now), "{days}");
            assert!(salience(&memory, one, now) > 2.0 * salience(&memory, other, now), "{days}");
        }
        assert!(strength(&memory, Some(&used), after(900)) > 0.05, "it lives");
        assert!(strength(&memory, Some(&ignored), after(600)) < 0.05, "the other one can go");
        assert!(feedback(Some(&used)) > 0.5 && feedback(Some(&ignored)) < -0.5);
    }

    #[test]
    fn one_use_pays_for_some_showings_and_wrong_weighs_most() {
        assert_eq!(standing(Some(&counted(5, 20, 0))), 1.0);
        assert!(standing(Some(&counted(0, 8, 0))) < 1.0);
        assert_eq!(standing(Some(&counted(0, 1_000, 0))), 0.5);
        assert_eq!(standing(Some(&counted(0, 0, 1))), 0.5);
        assert_eq!(standing(Some(&counted(0, 0, 50))), 0.125);
        assert_eq!(feedback(None), 0.0);
        assert!(feedback(Some(&counted(1, 0, 1))) < 0.0);
    }

    proptest! {
        #[test]
        fn everything_is_bounded(used in 0_u64..u64::MAX / 8, ignored: u64, wrong: u64, days in 0_i64..40_000) {
            let (memory, counters) = (memory(), counted(used, ignored, wrong));
            let now = after(days);
            for value in [salience(&memory, Some(&counters), now), strength(&memory, Some(&counters), now)] {
                prop_assert!((0.0..=1.0).contains(&value), "{}", value);
            }
            prop_assert!((-1.0..=1.0).contains(&feedback(Some(&counters))));
            prop_assert!((180.0..=1_440.0).contains(&stability_days(&memory, Some(&counters))));
        }
    }
}
