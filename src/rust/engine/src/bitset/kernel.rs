//! Counting kernels: one portable loop each, compiled again for wider instructions and chosen at run time.
//!
//! Words are grouped in class blocks: block `l` ends before word `ends[l]` and begins where block `l − 1` ends, so a
//! count per class is a popcount over neighbouring words. Slices shorter than the last block end are a caller's bug.

use super::BitColumns;

/// Which compiled form of the loops to run. All give the same counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Popcnt,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

/// Above this many words the vector form wins over plain popcnt (measured: about 16).
#[cfg(target_arch = "x86_64")]
const AVX2_FROM_WORDS: usize = 24;

impl Kernel {
    /// The fastest form for columns of `n_words` words on this machine.
    pub fn choose(n_words: usize) -> Kernel {
        let long = n_words >= Self::vector_from();
        let mut forms = Self::available();
        forms.retain(|form| long || !form.is_vector());
        forms.last().copied().unwrap_or(Kernel::Portable)
    }

    /// Every form this machine can run, slowest first.
    pub fn available() -> Vec<Kernel> {
        #[allow(unused_mut)]
        let mut forms = vec![Kernel::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let popcnt = std::arch::is_x86_feature_detected!("popcnt");
            if popcnt {
                forms.push(Kernel::Popcnt);
            }
            if popcnt && std::arch::is_x86_feature_detected!("avx2") {
                forms.push(Kernel::Avx2);
            }
        }
        forms
    }

    #[cfg(target_arch = "x86_64")]
    fn vector_from() -> usize {
        AVX2_FROM_WORDS
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn vector_from() -> usize {
        0
    }

    fn is_vector(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self == Kernel::Avx2;
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Set bits of `a & b` per class.
    #[inline]
    pub fn count_and(self, a: &[u64], b: &[u64], ends: &[usize], out: &mut [u64]) {
        match self {
            Kernel::Portable => count_and(a, b, ends, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Popcnt => unsafe { x86::count_and_popcnt(a, b, ends, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Avx2 => unsafe { x86::count_and_avx2(a, b, ends, out) },
        }
    }

    /// Hand the rows of `flow` down the rules it names and count, per rule and class, who takes them.
    #[inline]
    pub fn cascade(self, flow: &Cascade<'_>, ends: &[usize], out: &mut [u64]) {
        match self {
            Kernel::Portable => cascade(flow, ends, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Popcnt => unsafe { x86::cascade_popcnt(flow, ends, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Avx2 => unsafe { x86::cascade_avx2(flow, ends, out) },
        }
    }
}

/// Rows to hand down: those of `start` outside `exclude`, to the first of `rules` that covers them.
pub struct Cascade<'a> {
    pub start: &'a [u64],
    pub exclude: Option<&'a [u64]>,
    pub covers: &'a BitColumns,
    pub rules: &'a [u32],
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The same loops, compiled for processors that have the named features.
    use super::Cascade;

    #[target_feature(enable = "popcnt")]
    pub unsafe fn count_and_popcnt(a: &[u64], b: &[u64], ends: &[usize], out: &mut [u64]) {
        super::count_and(a, b, ends, out);
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn count_and_avx2(a: &[u64], b: &[u64], ends: &[usize], out: &mut [u64]) {
        super::count_and(a, b, ends, out);
    }

    #[target_feature(enable = "popcnt")]
    pub unsafe fn cascade_popcnt(flow: &Cascade<'_>, ends: &[usize], out: &mut [u64]) {
        super::cascade(flow, ends, out);
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn cascade_avx2(flow: &Cascade<'_>, ends: &[usize], out: &mut [u64]) {
        super::cascade(flow, ends, out);
    }
}

#[inline(always)]
fn count_and(a: &[u64], b: &[u64], ends: &[usize], out: &mut [u64]) {
    let mut start = 0;
    for (&end, out) in ends.iter().zip(out) {
        let (a, b) = (&a[start..end], &b[start..end]);
        *out = a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum();
        start = end;
    }
}

/// Words handed down together: one cache line, and enough for two vector registers.
const LANES: usize = 8;

/// `out` holds `rules.len() + 1` rows of one count per class; the last row is who nobody took.
#[inline(always)]
fn cascade(flow: &Cascade<'_>, ends: &[usize], out: &mut [u64]) {
    out.fill(0);
    let mut start = 0;
    for (class, &end) in ends.iter().enumerate() {
        let mut word = start;
        while word + LANES <= end {
            cascade_lanes::<LANES>(flow, word, class, ends.len(), out);
            word += LANES;
        }
        while word < end {
            cascade_lanes::<1>(flow, word, class, ends.len(), out);
            word += 1;
        }
        start = end;
    }
}

#[inline(always)]
fn cascade_lanes<const N: usize>(
    flow: &Cascade<'_>,
    word: usize,
    class: usize,
    n_classes: usize,
    out: &mut [u64],
) {
    let mut free = [0u64; N];
    free.copy_from_slice(&flow.start[word..word + N]);
    if let Some(exclude) = flow.exclude {
        for (free, exclude) in free.iter_mut().zip(&exclude[word..word + N]) {
            *free &= !exclude;
        }
    }
    for (rule, row) in flow.rules.iter().zip(out.chunks_exact_mut(n_classes)) {
        if free == [0; N] {
            return;
        }
        let cover = &flow.covers.column(*rule as usize)[word..word + N];
        let mut taken = 0u32;
        for (free, cover) in free.iter_mut().zip(cover) {
            taken += (*free & cover).count_ones();
            *free &= !cover;
        }
        row[class] += u64::from(taken);
    }
    let last = flow.rules.len() * n_classes + class;
    out[last] += u64::from(free.iter().map(|free| free.count_ones()).sum::<u32>());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use crate::rng::ChainRng;

    fn random_words(rng: &mut ChainRng, n: usize) -> Vec<u64> {
        (0..n)
            .map(|_| match rng.below(4) {
                0 => 0,
                1 => u64::MAX,
                _ => ((rng.below(1 << 32) as u64) << 32) | rng.below(1 << 32) as u64,
            })
            .collect()
    }

    /// Class block ends for `n_words` words, some blocks empty.
    fn random_ends(rng: &mut ChainRng, n_words: usize) -> Vec<usize> {
        let mut ends: Vec<usize> = (0..rng.below(4)).map(|_| rng.below(n_words + 1)).collect();
        ends.push(n_words);
        ends.sort_unstable();
        ends
    }

    #[test]
    fn every_form_counts_as_the_naive_twin_at_every_length() {
        let mut rng = ChainRng::new(11, 0);
        for n_words in 0..70 {
            for shift in 0..3 {
                let (a, b) =
                    (random_words(&mut rng, n_words + shift), random_words(&mut rng, n_words + shift));
                let (a, b) = (&a[shift..], &b[shift..]);
                let ends = random_ends(&mut rng, n_words);
                let expected = naive::count_and(a, b, &ends);
                for kernel in Kernel::available() {
                    let mut out = vec![9; ends.len()];
                    kernel.count_and(a, b, &ends, &mut out);
                    assert_eq!(out, expected, "{kernel:?}, {n_words} words");
                }
            }
        }
    }

    #[test]
    fn every_form_cascades_as_the_naive_twin_at_every_length() {
        let mut rng = ChainRng::new(12, 0);
        for n_words in 0..50 {
            let mut covers = BitColumns::zeroed(5, n_words).unwrap();
            for column in 0..5 {
                covers.column_mut(column).copy_from_slice(&random_words(&mut rng, n_words));
            }
            let ends = random_ends(&mut rng, n_words);
            let (start, exclude) = (random_words(&mut rng, n_words), random_words(&mut rng, n_words));
            let rules: Vec<u32> = (0..rng.below(5)).map(|_| rng.below(5) as u32).collect();
            let exclude = (rng.below(2) == 1).then_some(&exclude[..]);
            let flow = Cascade { start: &start, exclude, covers: &covers, rules: &rules };
            let expected = naive::cascade(&flow, &ends);
            for kernel in Kernel::available() {
                let mut out = vec![9; expected.len()];
                kernel.cascade(&flow, &ends, &mut out);
                assert_eq!(out, expected, "{kernel:?}, {n_words} words");
            }
        }
    }

    #[test]
    fn the_choice_is_available() {
        assert!(Kernel::available().contains(&Kernel::choose(1)));
        assert!(Kernel::available().contains(&Kernel::choose(1000)));
    }
}
