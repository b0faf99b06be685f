//! A map that forgets what was not asked for longest, so that nothing kept in memory grows with the traffic.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

#[derive(Debug)]
pub struct Bounded<K, V> {
    entries: HashMap<K, (V, u64)>,
    /// When each was last touched, the longest ago first.
    order: BTreeMap<u64, K>,
    touches: u64,
    most: usize,
}

impl<K: Clone + Eq + Hash, V> Bounded<K, V> {
    /// Room for so many entries, at least one.
    pub fn new(most: usize) -> Self {
        Self { entries: HashMap::new(), order: BTreeMap::new(), touches: 0, most: most.max(1) }
    }

    pub fn get<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let (value, touched) = self.entries.get_mut(key)?;
        self.touches += 1;
        if let Some(key) = self.order.remove(touched) {
            self.order.insert(self.touches, key);
        }
        *touched = self.touches;
        Some(value)
    }

    pub fn put(&mut self, key: K, value: V) {
        self.touches += 1;
        if let Some((_, touched)) = self.entries.insert(key.clone(), (value, self.touches)) {
            self.order.remove(&touched);
        }
        self.order.insert(self.touches, key);
        while self.entries.len() > self.most
            && let Some((_, oldest)) = self.order.pop_first()
        {
            self.entries.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_not_asked_for_longest_goes() {
        let mut kept = Bounded::new(2);
        kept.put("a", 1);
        kept.put("b", 2);
        assert_eq!(kept.get("a"), Some(&mut 1));
        kept.put("c", 3);
        assert_eq!(
            (kept.get("a").copied(), kept.get("b").copied(), kept.get("c").copied()),
            (Some(1), None, Some(3))
        );
        kept.put("a", 4);
        assert_eq!((kept.entries.len(), kept.order.len()), (2, 2));
    }
}
