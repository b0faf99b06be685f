//! What goes along with something that goes: the one list of what hangs on a record and on a turn.
//!
//! A store carries the list out, in its order, in the commit that takes the thing away. Leaving can mean three things:
//! history keeps what was removed and it can come back; of what was purged nothing may be told again; what a check-up
//! discards cannot be read, so nothing that needs its text is done.

use crate::error::Invalid;
use crate::types::RecordKind;

/// How something leaves the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// It can come back.
    Removed,
    /// For good.
    Purged,
    /// Its stored form is damaged.
    Discarded,
}

/// One thing that goes along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// The turns that were said in the session, each with what goes along with a turn.
    Turns,
    /// The blocks that were put before the session's messages, and what says from what they were made.
    Blocks,
    /// In which conversation a memory was judged; the judgement itself stays.
    JudgedWhere,
    /// Records of this kind that name it are purged: a session's digest and candidates, links of a memory, relations of an
    /// entity. Without the thing they say nothing that may stay.
    Records(RecordKind),
    /// The text of blocks of the same user that repeat the override's text: an override has no derivation.
    RepeatedText,
    /// The text of blocks that were made from it.
    BlockTexts,
    /// The words by which it is found.
    Words,
    /// Its vectors, of every signature.
    Vectors,
    /// How often it was used and said.
    Counters,
    /// The names by which an entity is found.
    Names,
    /// What a veil hid is told again.
    ToldAgain,
    /// What a veil hides goes out of the turns for good.
    HiddenText,
    /// What of a turn is hidden.
    HiddenParts,
    /// The mark that it waits to be distilled.
    PendingMark,
    /// The mark that its session is to be distilled again.
    RedoMark,
    /// The thing itself.
    Row,
    /// What says from what it was made, and what was made from it.
    Derivations,
    /// What it said word for word before it was shortened, who asked for that, and what runs counted.
    Archive,
    /// What was said of its use.
    Judgements,
    /// What history says of it.
    History,
}

/// What goes along with a record of this kind, in the order in which it is to go.
pub fn with_record(kind: RecordKind, leaving: Leaving) -> Vec<Along> {
    use Along::*;
    let mut along = Vec::new();
    let purged = leaving == Leaving::Purged;
    if purged && kind == RecordKind::Session {
        let said = [Turns, Blocks, JudgedWhere];
        along.extend(
            said.into_iter().chain([RecordKind::Episode, RecordKind::Held, RecordKind::Veil].map(Records)),
        );
    }
    if leaving != Leaving::Discarded && kind == RecordKind::Override {
        along.push(RepeatedText);
    }
    if matches!(kind, RecordKind::Memory | RecordKind::Episode) {
        along.extend([BlockTexts, Words, Vectors]);
    }
    match kind {
        RecordKind::Memory => along.push(Counters),
        RecordKind::Entity => along.push(Names),
        RecordKind::Session => along.push(RedoMark),
        RecordKind::Veil if leaving == Leaving::Removed => along.push(ToldAgain),
        RecordKind::Veil if purged => along.push(HiddenText),
        _ => {}
    }
    along.push(Row);
    if leaving != Leaving::Removed {
        along.push(Derivations);
    }
    if purged {
        match kind {
            RecordKind::Memory => along.extend([Records(RecordKind::Link), Archive, Judgements]),
            RecordKind::Entity => along.push(Records(RecordKind::Relation)),
            _ => {}
        }
        along.push(History);
    }
    along
}

/// What goes along with a turn, which leaves for good or not at all.
pub const WITH_TURN: &[Along] = &[
    Along::Words,
    Along::BlockTexts,
    Along::Vectors,
    Along::HiddenParts,
    Along::PendingMark,
    Along::Derivations,
    Along::Row,
];

/// A session's row cannot go while turns stand on it: removing is for empty ones, purging takes the turns along.
pub fn may_go(kind: RecordKind, has_turns: bool) -> Result<(), Invalid> {
    if kind == RecordKind::Session && has_turns {
        return Err(Invalid::new("a session with turns cannot be removed; purge it, or end it"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Along::*;
    use super::*;

    #[test]
    fn each_kind_takes_along_what_hangs_on_it_and_no_more() {
        use Leaving::*;
        let (searched, link) = ([BlockTexts, Words, Vectors], Records(RecordKind::Link));
        let held = [RecordKind::Episode, RecordKind::Held, RecordKind::Veil].map(Records);
        let cases: &[(RecordKind, Leaving, &[&[Along]])] = &[
            (RecordKind::Memory, Removed, &[&searched, &[Counters, Row]]),
            (RecordKind::Memory, Discarded, &[&searched, &[Counters, Row, Derivations]]),
            (
                RecordKind::Memory,
                Purged,
                &[&searched, &[Counters, Row, Derivations, link, Archive, Judgements, History]],
            ),
            (RecordKind::Episode, Purged, &[&searched, &[Row, Derivations, History]]),
            (
                RecordKind::Session,
                Purged,
                &[&[Turns, Blocks, JudgedWhere], &held, &[RedoMark, Row, Derivations, History]],
            ),
            (RecordKind::Session, Removed, &[&[RedoMark, Row]]),
            (
                RecordKind::Entity,
                Purged,
                &[&[Names, Row, Derivations, Records(RecordKind::Relation), History]],
            ),
            (RecordKind::Override, Removed, &[&[RepeatedText, Row]]),
            (RecordKind::Override, Discarded, &[&[Row, Derivations]]),
            (RecordKind::Veil, Removed, &[&[ToldAgain, Row]]),
            (RecordKind::Veil, Purged, &[&[HiddenText, Row, Derivations, History]]),
            (RecordKind::Link, Purged, &[&[Row, Derivations, History]]),
        ];
        for (kind, leaving, expected) in cases {
            assert_eq!(with_record(*kind, *leaving), expected.concat(), "{kind} {leaving:?}");
        }
    }

    #[test]
    fn whatever_the_kind_the_row_goes_once_and_only_a_purge_silences_history() {
        for kind in RecordKind::ALL {
            for leaving in [Leaving::Removed, Leaving::Purged, Leaving::Discarded] {
                let along = with_record(*kind, leaving);
                assert_eq!(along.iter().filter(|along| **along == Row).count(), 1, "{kind} {leaving:?}");
                assert_eq!(along.contains(&History), leaving == Leaving::Purged, "{kind} {leaving:?}");
                assert_eq!(along.contains(&Derivations), leaving != Leaving::Removed, "{kind} {leaving:?}");
            }
        }
    }

    #[test]
    fn only_a_session_with_turns_must_stay() {
        for kind in RecordKind::ALL {
            assert!(may_go(*kind, false).is_ok());
            assert_eq!(may_go(*kind, true).is_err(), *kind == RecordKind::Session);
        }
    }
}
