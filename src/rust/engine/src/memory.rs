//! Vectors whose memory may be refused: the answer is an [`Error::Memory`], where Rust's own would end the process.
//!
//! Every vector that grows with rows, candidates, chains or a file is made here. Vectors that stay below some 64 kB need
//! not be.

use crate::error::Error;

/// An empty vector with room for `n` values.
pub fn with_capacity<T>(n: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    reserve(&mut values, n)?;
    Ok(values)
}

/// Room for exactly `n` more values.
pub fn reserve<T>(values: &mut Vec<T>, n: usize) -> Result<(), Error> {
    values.try_reserve_exact(n).map_err(|_| refused::<T>(values.len().saturating_add(n)))
}

/// The same value `n` times.
pub fn filled<T: Clone>(value: T, n: usize) -> Result<Vec<T>, Error> {
    let mut values = with_capacity(n)?;
    values.resize(n, value);
    Ok(values)
}

/// All values of an iterator.
pub fn collect<T>(values: impl Iterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut collected = Vec::new();
    extend(&mut collected, values)?;
    Ok(collected)
}

/// A copy of `values`.
pub fn copied<T: Copy>(values: &[T]) -> Result<Vec<T>, Error> {
    let mut copy = with_capacity(values.len())?;
    copy.extend_from_slice(values);
    Ok(copy)
}

/// Append a value; a vector that is full grows by half.
#[inline]
pub fn push<T>(values: &mut Vec<T>, value: T) -> Result<(), Error> {
    if values.len() == values.capacity() {
        grow(values, 1)?;
    }
    values.push(value);
    Ok(())
}

/// Append all values of an iterator.
pub fn extend<T>(values: &mut Vec<T>, more: impl Iterator<Item = T>) -> Result<(), Error> {
    let (least, most) = more.size_hint();
    reserve(values, least)?;
    if most == Some(least) {
        values.extend(more);
        return Ok(());
    }
    for value in more {
        push(values, value)?;
    }
    Ok(())
}

/// Append a copy of `more`.
#[inline]
pub fn extend_from_slice<T: Copy>(values: &mut Vec<T>, more: &[T]) -> Result<(), Error> {
    if values.capacity() - values.len() < more.len() {
        grow(values, more.len())?;
    }
    values.extend_from_slice(more);
    Ok(())
}

#[cold]
fn grow<T>(values: &mut Vec<T>, n: usize) -> Result<(), Error> {
    let wanted = n.max(values.len() / 2).max(8);
    reserve(values, wanted).or_else(|_| reserve(values, n))
}

/// Whether this many bytes could be had now. For libraries that cannot be refused memory: ask for what they will need
/// at most, just before.
pub fn check_room(n_bytes: usize) -> Result<(), Error> {
    let room: Vec<u8> = with_capacity(n_bytes)?;
    // the compiler must not leave out what is never used
    std::hint::black_box(&room);
    Ok(())
}

fn refused<T>(n: usize) -> Error {
    Error::Memory(n.saturating_mul(std::mem::size_of::<T>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_an_error() {
        assert_eq!(with_capacity::<u64>(1 << 62), Err(Error::Memory(usize::MAX)));
        assert_eq!(filled(1u8, isize::MAX as usize), Err(Error::Memory(isize::MAX as usize)));
        assert_eq!(check_room(usize::MAX), Err(Error::Memory(usize::MAX)));
        assert_eq!(check_room(1 << 20), Ok(()));
    }

    #[test]
    fn vectors_hold_what_was_put_in() {
        assert_eq!(filled(3u8, 4), Ok(vec![3; 4]));
        assert_eq!(collect((0..1000).filter(|i| i % 2 == 0)).map(|values| values.len()), Ok(500));
        assert_eq!(copied(&[1, 2, 3]), Ok(vec![1, 2, 3]));
        let mut values = Vec::new();
        for i in 0..100u32 {
            push(&mut values, i).unwrap();
            extend_from_slice(&mut values, &[i; 3]).unwrap();
        }
        assert_eq!(values.len(), 400);
        assert!(values.chunks(4).enumerate().all(|(i, four)| four == [i as u32; 4]));
    }
}
