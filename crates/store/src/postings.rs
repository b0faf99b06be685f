//! The words of a corpus in memory: which documents have a term, and which of them have most of a question.
//!
//! Postings by term and nothing else; who may see a document, and whether it still stands, is the database's to say. The
//! order is that of FTS5's `bm25()`, number for number, so that it makes no difference which of the two nominates: FTS5 looks
//! up every match's length in a table and sorts them all, which takes most of a search's time.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// FTS5's constants.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The weight of a term that is in half of the documents or more.
const LEAST_WEIGHT: f64 = 1e-6;

/// Documents that are gone and still take up room, as many at least before it is cleared.
const GONE_AT_LEAST: usize = 1_024;

#[derive(Default)]
pub struct WordIndex {
    numbers: HashMap<Box<str>, u32>,
    /// By a term's number.
    postings: Vec<Postings>,
    /// By slot.
    documents: Vec<PostedDocument>,
    slots: HashMap<i64, u32>,
    /// Words of all documents.
    length: u64,
    gone: usize,
}

#[derive(Default)]
struct Postings {
    slots: Vec<u32>,
    counts: Vec<u16>,
}

struct PostedDocument {
    row: i64,
    /// Words of both columns, as FTS5 counts them; none once it is gone.
    length: u32,
    /// To tell a document whose words did not change.
    hash: u64,
}

impl WordIndex {
    /// Documents in it.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Puts in a document, or replaces its words.
    pub fn put(&mut self, row: i64, surface: &str, stems: &str) {
        let mut hasher = DefaultHasher::new();
        (surface, stems).hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(slot) = self.slots.get(&row) {
            if self.documents[*slot as usize].hash == hash {
                return;
            }
            self.remove(row);
        }
        let words = |text: &str| text.split_ascii_whitespace().count() as u32;
        // A document without a word stands for nothing, and an empty one is one that is gone.
        let length = words(surface) + words(stems);
        if length == 0 {
            return;
        }
        let slot = self.documents.len() as u32;
        let mut counts: HashMap<&str, u16> = HashMap::new();
        for term in stems.split_ascii_whitespace() {
            let count = counts.entry(term).or_default();
            *count = count.saturating_add(1);
        }
        for (term, count) in counts {
            let number = match self.numbers.get(term) {
                Some(number) => *number as usize,
                None => {
                    self.numbers.insert(term.into(), self.postings.len() as u32);
                    self.postings.push(Postings::default());
                    self.postings.len() - 1
                }
            };
            self.postings[number].slots.push(slot);
            self.postings[number].counts.push(count);
        }
        self.documents.push(PostedDocument { row, length, hash });
        self.slots.insert(row, slot);
        self.length += u64::from(length);
    }

    /// Takes a document out; nothing happens if it is not there.
    pub fn remove(&mut self, row: i64) {
        let Some(slot) = self.slots.remove(&row) else { return };
        let document = &mut self.documents[slot as usize];
        self.length -= u64::from(document.length);
        document.length = 0;
        self.gone += 1;
        if self.gone > GONE_AT_LEAST.max(self.slots.len() / 2) {
            self.clear_up();
        }
    }

    /// Gives back the room of what is gone, terms that nobody has any longer among it.
    fn clear_up(&mut self) {
        let mut moved = vec![None; self.documents.len()];
        let mut kept = Vec::with_capacity(self.slots.len());
        for (slot, document) in std::mem::take(&mut self.documents).into_iter().enumerate() {
            if document.length > 0 {
                moved[slot] = Some(kept.len() as u32);
                self.slots.insert(document.row, kept.len() as u32);
                kept.push(document);
            }
        }
        self.documents = kept;
        self.gone = 0;
        let mut postings = std::mem::take(&mut self.postings);
        let numbers = std::mem::take(&mut self.numbers);
        for (term, number) in numbers {
            let old = std::mem::take(&mut postings[number as usize]);
            let pairs = old.slots.into_iter().zip(old.counts);
            let (slots, counts): (Vec<u32>, Vec<u16>) =
                pairs.filter_map(|(slot, count)| Some((moved[slot as usize]?, count))).unzip();
            if !slots.is_empty() {
                self.numbers.insert(term, self.postings.len() as u32);
                self.postings.push(Postings { slots, counts });
            }
        }
    }

    /// How many documents rank by the term.
    pub fn documents_with(&self, term: &str) -> u64 {
        let Some(number) = self.numbers.get(term) else { return 0 };
        let slots = &self.postings[*number as usize].slots;
        slots.iter().filter(|slot| self.documents[**slot as usize].length > 0).count() as u64
    }

    /// The rows with most of these terms, the best first; equals in the order of their rows.
    pub fn best(&self, terms: &[&str], wanted: usize) -> Vec<i64> {
        let documents = self.slots.len() as f64;
        let mean = self.length as f64 / documents.max(1.0);
        let mut scores = vec![0.0_f64; self.documents.len()];
        let mut touched = Vec::new();
        for term in terms {
            let Some(number) = self.numbers.get(*term) else { continue };
            let postings = &self.postings[*number as usize];
            let stands = |slot: &&u32| self.documents[**slot as usize].length > 0;
            let hits = postings.slots.iter().filter(stands).count() as f64;
            let weight = ((documents - hits + 0.5) / (hits + 0.5)).ln();
            let weight = if weight <= 0.0 { LEAST_WEIGHT } else { weight };
            for (slot, count) in postings.slots.iter().zip(&postings.counts) {
                let length = f64::from(self.documents[*slot as usize].length);
                if length == 0.0 {
                    continue;
                }
                let (score, count) = (&mut scores[*slot as usize], f64::from(*count));
                if *score == 0.0 {
                    touched.push(*slot);
                }
                *score += weight * (count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / mean)));
            }
        }
        let order = |left: &u32, right: &u32| {
            let (left, right) = (*left as usize, *right as usize);
            let by_row = || self.documents[left].row.cmp(&self.documents[right].row);
            scores[right].total_cmp(&scores[left]).then_with(by_row)
        };
        if wanted < touched.len() {
            touched.select_nth_unstable_by(wanted, order);
            touched.truncate(wanted);
        }
        touched.sort_unstable_by(order);
        touched.into_iter().map(|slot| self.documents[slot as usize].row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_more_of_rarer_words_comes_first() {
        let mut index = WordIndex::default();
        for (row, stems) in
            [(1, "tea green"), (2, "tea"), (3, "oslo winter"), (4, "tea oslo"), (5, "x"), (6, "y")]
        {
            index.put(row, stems, stems);
        }
        assert_eq!(index.best(&["tea", "oslo"], 10), [4, 3, 2, 1]);
        assert_eq!(index.best(&["tea", "oslo"], 1), [4]);
        assert!(index.best(&["nobody"], 10).is_empty());
        index.put(4, "nothing of it", "nothing");
        index.remove(3);
        assert_eq!((index.best(&["tea", "oslo"], 10), index.len()), (vec![2, 1], 5));
    }

    #[test]
    fn what_is_gone_gives_its_room_back() {
        let mut index = WordIndex::default();
        for row in 0..4_000 {
            index.put(row, "", &format!("word{row} same"));
        }
        (0..3_900).for_each(|row| index.remove(row));
        assert_eq!(index.len(), 100);
        assert!(index.documents.len() <= 100 + GONE_AT_LEAST && index.numbers.len() <= 101 + GONE_AT_LEAST);
        assert_eq!(index.best(&["word3999", "same"], 2), [3_999, 3_900]);
        assert!(index.best(&["word17"], 5).is_empty());
    }
}
