//! Vectors whose allocation can fail: the result is an [`Error::Memory`], where Rust's own vectors would abort the process.
//!
//! All vectors that grow with rows, candidates, chains or a file are made here. Vectors below about 64 kB need not be.

use crate::error::Error;

/// An empty vector with capacity for `n` values.
pub fn with_capacity<T>(n: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    reserve(&mut values, n)?;
    Ok(values)
}

/// Reserve capacity for exactly `n` more values.
pub fn reserve<T>(values: &mut Vec<T>, n: usize) -> Result<(), Error> {
    values.try_reserve_exact(n).map_err(|_| refused::<T>(values.len().saturating_add(n)))
}

/// The same value `n` times.
pub(crate) fn filled<T: Clone>(value: T, n: usize) -> Result<Vec<T>, Error> {
    let mut values = with_capacity(n)?;
    values.resize(n, value);
    Ok(values)
}

/// `n` zeros that take no memory until they are written to: the system has zeroed it.
pub(crate) fn zeroed(n: usize) -> Result<Vec<u64>, Error> {
    check_room(n.saturating_mul(8))?;
    Ok(vec![0; n])
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

/// Append a value. A full vector grows by half.
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
    let (lower, upper) = more.size_hint();
    reserve(values, lower)?;
    if upper == Some(lower) {
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
pub(crate) fn extend_from_slice<T: Copy>(values: &mut Vec<T>, more: &[T]) -> Result<(), Error> {
    if values.capacity() - values.len() < more.len() {
        grow(values, more.len())?;
    }
    values.extend_from_slice(more);
    Ok(())
}

#[cold]
fn grow<T>(values: &mut Vec<T>, n: usize) -> Result<(), Error> {
    let desired = n.max(values.len() / 2).max(8);
    reserve(values, desired).or_else(|_| reserve(values, n))
}

/// Check that this many bytes can be allocated now. For calls into libraries that abort when memory runs out: check what
/// they need at most, just before.
pub(crate) fn check_room(n_bytes: usize) -> Result<(), Error> {
    let room: Vec<u8> = with_capacity(n_bytes)?;
    // keeps the compiler from removing the allocation
    std::hint::black_box(&room);
    Ok(())
}

/// Bytes that can still be used, where the system reports it (Linux). It may promise more, and end the process that uses it.
pub(crate) fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    Some((kilobytes("MemAvailable:")? + kilobytes("SwapFree:").unwrap_or(0)).saturating_mul(1024))
}

fn refused<T>(n: usize) -> Error {
    Error::Memory(n.saturating_mul(std::mem::size_of::<T>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impossible_allocation_is_an_error() {
        assert_eq!(with_capacity::<u64>(1 << 62), Err(Error::Memory(usize::MAX)));
        assert_eq!(filled(1u8, isize::MAX as usize), Err(Error::Memory(isize::MAX as usize)));
        assert_eq!(check_room(usize::MAX), Err(Error::Memory(usize::MAX)));
        assert_eq!(check_room(1 << 20), Ok(()));
    }

    #[test]
    fn vectors_contain_the_values_given() {
        assert_eq!(filled(3u8, 4), Ok(vec![3; 4]));
        assert_eq!(zeroed(3), Ok(vec![0; 3]));
        assert_eq!(zeroed(1 << 61), Err(Error::Memory(usize::MAX)));
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
