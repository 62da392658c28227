//! A character vector as codes: R keeps every text once, so equal texts lie at one address.

use crate::convert::{wrong, Read};
use extendr_api::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of each element's text, counted from 1 in the order of first appearance, R's missing integer for
/// a missing one; and where each text appears first, from 1. The same text in two encodings counts as two.
pub fn text_codes(value: &Robj, name: &str) -> Read<(Vec<i32>, Vec<i32>)> {
    let Ok(strings) = Strings::try_from(value) else {
        return wrong(name, "a character vector");
    };
    let missing = Rstr::na();
    let missing = missing.as_ref().as_ptr();
    let mut numbers: HashMap<usize, i32, BuildHasherDefault<AddressHasher>> = HashMap::default();
    let mut first = Vec::new();
    let mut code = |(index, text): (usize, &Rstr)| {
        let address = text.as_ref().as_ptr();
        if address == missing {
            return i32::MIN;
        }
        *numbers.entry(address as usize).or_insert_with(|| {
            first.push(index as i32 + 1);
            first.len() as i32
        })
    };
    let codes = strings.iter().enumerate().map(&mut code).collect();
    Ok((codes, first))
}

/// Addresses are spread well enough by one multiplication.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_usize(self.0 as usize ^ usize::from(byte)));
    }

    fn write_usize(&mut self, address: usize) {
        let spread = (address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = spread ^ (spread >> 32);
    }
}
