//! Loops over plain words.

/// Positions of the set bits of `word`, lowest first.
#[inline(always)]
pub fn set_bits(word: u64) -> SetBits {
    SetBits(word)
}

/// See [`set_bits`].
#[derive(Debug, Clone, Copy)]
pub struct SetBits(u64);

impl Iterator for SetBits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// `to &= from`.
pub fn and_with(to: &mut [u64], from: &[u64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to &= from;
    }
}

/// `out = a & b`.
pub fn and_into(a: &[u64], b: &[u64], out: &mut [u64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a & b;
    }
}

/// The words of `rows` without the bits of `cover`.
#[inline(always)]
pub fn without<'a>(rows: &'a [u64], cover: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
    rows.iter().zip(cover).map(|(rows, cover)| rows & !cover)
}

/// Clear the bits of `rows` that are in `cover`.
pub fn clear_covered(rows: &mut [u64], cover: &[u64]) {
    rows.iter_mut().zip(cover).for_each(|(rows, cover)| *rows &= !cover);
}

/// Move the bits of `from` that are in `cover` to `to`.
pub fn move_covered(from: &mut [u64], cover: &[u64], to: &mut [u64]) {
    for ((from, cover), to) in from.iter_mut().zip(cover).zip(to) {
        let moved = *from & cover;
        *to |= moved;
        *from ^= moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_bits_are_listed_from_the_lowest() {
        assert_eq!(set_bits(0).next(), None);
        assert_eq!(set_bits(1 << 63 | 0b1010).collect::<Vec<_>>(), [1, 3, 63]);
        assert!(set_bits(u64::MAX).eq(0..64));
    }

    #[test]
    fn moving_bits_keeps_each_once() {
        let mut from = [0b1111_0000u64, 7];
        let mut to = [1u64, 0];
        move_covered(&mut from, &[0b0011_0011, 5], &mut to);
        assert_eq!(from, [0b1100_0000, 2]);
        assert_eq!(to, [0b0011_0001, 5]);
        assert!(without(&[0b1111_0000, 7], &[0b0011_0011, 5]).eq(from));
        clear_covered(&mut from, &to);
        assert_eq!(from, [0b1100_0000, 2]);
        clear_covered(&mut from, &[0b0100_0000, 3]);
        assert_eq!(from, [0b1000_0000, 0]);
    }
}
