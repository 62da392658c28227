//! Parses JSON, with the candidates, of which there may be millions, as plain numbers instead of JSON values.

use crate::memory;
use serde_core::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Key of the candidates.
const CANDIDATES: &str = "candidates";

/// The candidates in the file: their items in sequence, and where each candidate ends.
#[derive(Debug, Default)]
pub struct Candidates {
    pub items: Vec<u32>,
    pub ends: Vec<usize>,
}

/// The top-level object. If a key occurs twice, the last value counts.
#[derive(Debug, Default)]
pub struct Parts {
    pub values: Map<String, Value>,
    pub candidates: Option<Candidates>,
}

/// Parse a JSON object. The memory for its values must have been checked before.
pub fn parse(text: &str) -> Result<Parts, serde_json::Error> {
    serde_json::from_str(text)
}

/// Number of values in a JSON text, without its candidates: all values but the first follow one of `[{,:`.
pub fn n_values(text: &str) -> usize {
    let (mut n, mut depth, mut start, mut is_escaped) = (1, 0usize, None, false);
    let (mut key, mut skipping) = ("", false);
    for (position, byte) in text.bytes().enumerate() {
        if let Some(from) = start {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    key = text.get(from..position).unwrap_or("");
                    start = None;
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => start = Some(position + 1),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b':' if depth == 1 => skipping = key == CANDIDATES,
            _ => {}
        }
        n += usize::from(b"[{,:".contains(&byte) && !(skipping && depth > 1));
    }
    n
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PartsVisitor)
    }
}

struct PartsVisitor;

impl<'de> Visitor<'de> for PartsVisitor {
    type Value = Parts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
        let mut parts = Parts::default();
        while let Some(key) = map.next_key::<String>()? {
            if key == CANDIDATES {
                parts.candidates = Some(map.next_value()?);
            } else {
                parts.values.insert(key, map.next_value()?);
            }
        }
        Ok(parts)
    }
}

impl<'de> Deserialize<'de> for Candidates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(CandidatesVisitor)
    }
}

struct CandidatesVisitor;

impl<'de> Visitor<'de> for CandidatesVisitor {
    type Value = Candidates;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`candidates`, an array of arrays")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Candidates, A::Error> {
        let mut candidates = Candidates::default();
        while sequence.next_element_seed(One(&mut candidates))?.is_some() {}
        Ok(candidates)
    }
}

/// One candidate, appended to the others.
struct One<'a>(&'a mut Candidates);

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for One<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of items in `candidates`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        let Candidates { items, ends } = self.0;
        let wrong =
            |error: A::Error| A::Error::custom(format!("`candidates` must hold numbers of items: {error}"));
        while let Some(item) = sequence.next_element::<u32>().map_err(wrong)? {
            memory::push(items, item).map_err(A::Error::custom)?;
        }
        memory::push(ends, items.len()).map_err(A::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_do_not_count_as_values() {
        assert_eq!(n_values("3"), 1);
        assert_eq!(n_values(r#"{"a": [1, 2], "b": "x,y:[\\\"{"}"#), 6 + 1);
        let with = n_values(r#"{"candidates": [[1, 2], [3]], "a": [1, 2]}"#);
        let without = n_values(r#"{"candidates": 0, "a": [1, 2]}"#);
        assert_eq!(with, without);
        assert!(n_values(r#"{"b": {"candidates": [[1, 2]]}}"#) > 6);
    }

    #[test]
    fn candidates_are_read_as_numbers() {
        let parts = parse(r#"{"candidates": [[1, 2], [], [7]], "a": null}"#).unwrap();
        let candidates = parts.candidates.unwrap();
        assert_eq!((candidates.items, candidates.ends), (vec![1, 2, 7], vec![2, 2, 3]));
        assert_eq!(parts.values.len(), 1);
        for text in ["[]", "{", r#"{"candidates": 3}"#, r#"{"candidates": [3]}"#, r#"{"candidates": [[-1]]}"#]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
