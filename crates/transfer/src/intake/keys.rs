//! Which row of a file speaks for a key.
//!
//! A key holds one memory of its owner. Where several rows of one file have the same owner and key, the last one that can be taken in is
//! what the file says, and the others are counted as skipped. The first look over the file finds out which rows those are, so that each
//! key is written at most once, and a second import meets exactly what the first one left. Of a key only a short hash and a
//! number are held: a file's size does not matter, and its count of keys has a bound.

use std::collections::HashMap;

use memory::limits::MEMORY_CONTENT_BYTES;
use memory::types::Owner;
use sha2::{Digest, Sha256};

use super::ImportRun;
use super::conversations::split;
use crate::error::Error;
use crate::import_model::ImportedMemory;
use crate::limits;

/// An owner and a key, shortened: half a SHA-256, so that two of them are never taken for one.
type Print = [u8; 16];

/// The keys of a file, each with the number of the last piece that has it.
#[derive(Default)]
pub struct ImportedKeys {
    last: HashMap<Print, u64>,
}

impl ImportedKeys {
    fn announce(&mut self, print: Print, number: u64, room: usize) -> Result<(), Error> {
        if self.last.len() >= room && !self.last.contains_key(&print) {
            return Err(Error::TooManyKeys { most: room });
        }
        self.last.insert(print, number);
        Ok(())
    }
}

impl ImportRun<'_> {
    /// The first look: a later piece speaks for the key instead of an earlier one.
    pub(super) fn announce_key(&mut self, number: u64, note: &ImportedMemory) -> Result<(), Error> {
        match self.claim(note) {
            Some(print) => self.keys.announce(print, number, limits::IMPORT_KEYS),
            None => Ok(()),
        }
    }

    /// Whether a later piece of the file has the same owner and key.
    pub(super) fn is_restated(&self, number: u64, note: &ImportedMemory) -> bool {
        self.claim(note).and_then(|print| self.keys.last.get(&print)).is_some_and(|last| *last > number)
    }

    /// The key that a note speaks for. One that will be reported as trouble speaks for none, or nothing would be left under its key.
    fn claim(&self, note: &ImportedMemory) -> Option<Print> {
        let key = note.key.as_ref()?;
        let owner = self.whose.owner(note.agent.as_ref(), note.user.as_ref()).ok()?;
        let content = split(note.content.trim(), MEMORY_CONTENT_BYTES).first().copied().unwrap_or_default();
        let mut memory = self.memory(&owner, note, content, &[]);
        memory.key = Some(key.clone());
        memory::validate::memory(&memory).ok().map(|()| print_of(&owner, key))
    }
}

fn print_of(owner: &Owner, key: &str) -> Print {
    let mut hasher = Sha256::new();
    for part in [owner.agent.as_str(), owner.user.as_str(), key] {
        // With its length before it, no part can pass for a piece of the next one.
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let digest = hasher.finalize();
    let mut print = Print::default();
    print.copy_from_slice(&digest[..16]);
    print
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(agent: &str, user: &str) -> Owner {
        Owner { agent: agent.parse().expect("an agent"), user: user.parse().expect("a user") }
    }

    #[test]
    fn an_owner_and_a_key_are_told_apart_from_every_other() {
        let prints = [
            print_of(&owner("a", "bc"), "d"),
            print_of(&owner("ab", "c"), "d"),
            print_of(&owner("a", "b"), "cd"),
            print_of(&owner("a", "bc"), "e"),
        ];
        for (number, print) in prints.iter().enumerate() {
            assert!(!prints[number + 1..].contains(print));
        }
        assert_eq!(prints[0], print_of(&owner("a", "bc"), "d"));
    }

    #[test]
    fn known_keys_go_on_where_there_is_no_room_for_another() {
        let prints = ["a", "b", "c"].map(|key| print_of(&Owner::unnamed(), key));
        let mut keys = ImportedKeys::default();
        keys.announce(prints[0], 1, 2).expect("room");
        keys.announce(prints[1], 2, 2).expect("room");
        let refused = keys.announce(prints[2], 3, 2).expect_err("no room");
        assert!(matches!(refused, Error::TooManyKeys { most: 2 }), "{refused}");
        keys.announce(prints[0], 4, 2).expect("it is known");
        assert_eq!((keys.last[&prints[0]], keys.last[&prints[1]]), (4, 2));
    }
}
