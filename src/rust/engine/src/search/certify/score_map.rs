//! The best score seen for each 128-bit key: open addressing, with allocations that can be refused.

use crate::error::Error;
use crate::memory;

/// Bytes of a slot, and the fewest slots.
const SLOT: usize = 24;
const FEWEST: usize = 1024;

/// Scores by key. Keys are random or hashed, so that their low bits spread well.
#[derive(Debug, Default)]
pub struct ScoreMap {
    /// 0 marks a free slot.
    keys: Vec<u128>,
    scores: Vec<f64>,
    n: usize,
}

impl ScoreMap {
    /// Bytes at most while `n_more` scores are added: the slots are copied into twice as many when too few are free.
    pub fn n_bytes_after(&self, n_more: usize) -> usize {
        let (mut bytes, mut n_slots) = (self.keys.len() * SLOT, self.keys.len());
        while 4 * (self.n + n_more) > 3 * n_slots {
            let n_more_slots = (2 * n_slots).max(FEWEST);
            bytes = (n_slots + n_more_slots) * SLOT;
            n_slots = n_more_slots;
        }
        bytes
    }

    fn is_full(&self) -> bool {
        4 * (self.n + 1) > 3 * self.keys.len()
    }

    /// The score of `key`, if there is one.
    pub fn get(&self, key: u128) -> Option<f64> {
        if self.keys.is_empty() {
            return None;
        }
        let slot = self.slot(key.max(1));
        (self.keys[slot] != 0).then(|| self.scores[slot])
    }

    /// Keep `score` for `key` unless it has a score that is at most `slack` lower. Whether it is kept.
    pub fn raise(&mut self, key: u128, score: f64, slack: f64) -> Result<bool, Error> {
        if self.is_full() {
            self.grow()?;
        }
        let key = key.max(1);
        let slot = self.slot(key);
        if self.keys[slot] == 0 {
            self.keys[slot] = key;
            self.n += 1;
        } else if self.scores[slot] + slack >= score {
            return Ok(false);
        }
        self.scores[slot] = score;
        Ok(true)
    }

    /// Where `key` is, or the free slot where it belongs.
    fn slot(&self, key: u128) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = (key as usize ^ (key >> 64) as usize) & mask;
        while self.keys[slot] != 0 && self.keys[slot] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) -> Result<(), Error> {
        let n = (2 * self.keys.len()).max(FEWEST);
        let (keys, scores) = (memory::filled(0, n)?, memory::filled(0.0, n)?);
        let (keys, scores) =
            (std::mem::replace(&mut self.keys, keys), std::mem::replace(&mut self.scores, scores));
        for (key, score) in keys.into_iter().zip(scores).filter(|&(key, _)| key != 0) {
            let slot = self.slot(key);
            self.keys[slot] = key;
            self.scores[slot] = score;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;
    use std::collections::HashMap;

    #[test]
    fn the_map_keeps_the_highest_scores_of_a_hash_map() {
        let mut rng = ChainRng::new(3, 0);
        let (mut map, mut twin) = (ScoreMap::default(), HashMap::new());
        assert_eq!(map.get(5), None);
        for _ in 0..50_000 {
            // few different keys, whose low bits collide
            let key = (rng.below(9000) as u128) << rng.below(2);
            let score = rng.uniform();
            let highest = twin.entry(key.max(1)).or_insert(f64::NEG_INFINITY);
            assert_eq!(map.raise(key, score, 0.0).unwrap(), score > *highest);
            *highest = score.max(*highest);
            assert_eq!(map.get(key), Some(*highest));
        }
        assert!(map.raise(7, 2.0, 0.0).unwrap() && !map.raise(7, 2.1, 0.2).unwrap());
        assert!(map.n_bytes_after(0) >= twin.len() * SLOT && map.n_bytes_after(1 << 20) > 3 << 24);
    }
}
