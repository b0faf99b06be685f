//! Items that are written together but come apart: a memory's links, a session's turns.
//!
//! A snapshot gives each kind of item in the order in which it came into the store. A note needs all of one memory or one session at
//! once. So they are laid down in a file without a name, which is gone with the process, and found again by what they belong to.
//! In memory there are a few bytes for each and never their texts.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use memory::types::Item;

/// Where an item lies, and the hash of what it belongs to.
type SpoolPlace = (u64, u64, u32);

/// Being filled.
pub struct Filling {
    file: BufWriter<File>,
    at: u64,
    places: Vec<SpoolPlace>,
}

impl Filling {
    pub fn new(file: File) -> Self {
        Self { file: BufWriter::new(file), at: 0, places: Vec::new() }
    }

    pub fn push(&mut self, group: &str, item: &Item) -> io::Result<()> {
        let written = serde_json::to_vec(&(group, item))?;
        self.file.write_all(&written)?;
        let length = u32::try_from(written.len()).map_err(io::Error::other)?;
        self.places.push((hashed(group), self.at, length));
        self.at += u64::from(length);
        Ok(())
    }

    /// Sorted by what they belong to; what belongs together keeps its order, since places grow.
    pub fn finish(mut self) -> io::Result<VaultSpool> {
        self.places.sort_unstable();
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(VaultSpool { file, places: self.places })
    }
}

/// Filled.
pub struct VaultSpool {
    file: File,
    places: Vec<SpoolPlace>,
}

impl VaultSpool {
    /// Where the items of a group are; a few of another group may be among them.
    pub fn places(&self, group: &str) -> Range<usize> {
        let hash = hashed(group);
        let first = self.places.partition_point(|place| place.0 < hash);
        let end = self.places.partition_point(|place| place.0 <= hash);
        first..end
    }

    /// The item at a place, unless it is of another group.
    pub fn read(&mut self, group: &str, place: usize) -> io::Result<Option<Item>> {
        let (_, at, length) = self.places[place];
        self.file.seek(SeekFrom::Start(at))?;
        let mut bytes = vec![0; length as usize];
        self.file.read_exact(&mut bytes)?;
        let (of, item): (String, Item) = serde_json::from_slice(&bytes)?;
        Ok((of == group).then_some(item))
    }

    /// All items of a group, where they are few.
    pub fn all(&mut self, group: &str) -> io::Result<Vec<Item>> {
        let mut items = Vec::new();
        for place in self.places(group) {
            items.extend(self.read(group, place)?);
        }
        Ok(items)
    }
}

fn hashed(group: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    group.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_by_what_they_belong_to_in_their_order() {
        let mut filling = Filling::new(tempfile::tempfile().expect("a file"));
        let item = |name: String| Item::Setting { name, value: serde_json::Value::Null };
        for number in 0..100 {
            filling.push(&format!("group {}", number % 7), &item(number.to_string())).expect("laid down");
        }
        let mut spool = filling.finish().expect("sorted");
        let found = spool.all("group 3").expect("read");
        let expected: Vec<Item> =
            (0..100).filter(|number| number % 7 == 3).map(|number| item(number.to_string())).collect();
        assert_eq!(found, expected);
        assert_eq!(spool.all("nobody").expect("read"), Vec::new());
    }
}
