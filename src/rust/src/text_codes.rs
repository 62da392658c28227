//! Turns a character vector into codes. R stores every string once, so equal strings have the same address.

use crate::convert::{wrong, Arg, Read};
use extendr_ffi::R_NaString;
use sbrl_engine::error::Error;
use sbrl_engine::memory;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The code of each element's text, numbered from 1 by first appearance (R's missing integer if it is missing), and the
/// index of each text's first appearance, from 1. The same text in two encodings has two codes.
pub fn text_codes(value: Arg<'_>, name: &str) -> Read<(Vec<i32>, Vec<i32>)> {
    let Some(addresses) = value.text_addresses() else {
        return wrong(name, "a character vector");
    };
    if i32::try_from(addresses.len()).is_err() {
        return wrong(name, "a vector of less than 2^31 texts");
    }
    // SAFETY: R has one missing text, which it never moves
    let missing = unsafe { R_NaString } as usize;
    let mut numbers: HashMap<usize, i32, BuildHasherDefault<AddressHasher>> = HashMap::default();
    let mut codes = memory::with_capacity(addresses.len())?;
    let mut first = Vec::new();
    for (index, &address) in addresses.iter().enumerate() {
        if address == missing {
            codes.push(i32::MIN);
            continue;
        }
        if numbers.len() == numbers.capacity() {
            let n = numbers.len().max(1024);
            numbers.try_reserve(n).map_err(|_| Error::Memory(n * 64))?;
        }
        let number = *numbers.entry(address).or_insert(first.len() as i32 + 1);
        if number as usize > first.len() {
            memory::push(&mut first, index as i32 + 1)?;
        }
        codes.push(number);
    }
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
