//! Counting kernels: one portable loop each, compiled again for wider instructions and chosen at run time.
//!
//! Words are grouped in class blocks: class `l` ends before word `ends[l]` and begins where class `l − 1` ends, so a
//! count per class is a popcount over neighbouring words. On 64-bit ARM the portable form is compiled to vector counts.

use super::bit_sliced::RowWeight;

/// Which compiled form of the loops to run. All give the same counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Popcnt,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2, and AVX-512's instruction that counts the bits of a register of that size.
    #[cfg(target_arch = "x86_64")]
    Vpopcnt,
}

/// Above this many words the vector form wins over plain popcnt (measured: about 16).
#[cfg(target_arch = "x86_64")]
const AVX2_FROM_WORDS: usize = 24;

impl Kernel {
    /// The fastest form for whole columns of `n_words` words on this machine.
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
            let has_popcnt =
                std::arch::is_x86_feature_detected!("popcnt") && std::arch::is_x86_feature_detected!("bmi1");
            if has_popcnt {
                forms.push(Kernel::Popcnt);
            }
            if has_popcnt && std::arch::is_x86_feature_detected!("avx2") {
                forms.push(Kernel::Avx2);
                if std::arch::is_x86_feature_detected!("avx512vpopcntdq")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                {
                    forms.push(Kernel::Vpopcnt);
                }
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
        return matches!(self, Kernel::Avx2 | Kernel::Vpopcnt);
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Weight of `a & b` per class.
    #[inline]
    pub fn count_and<W: RowWeight>(
        self,
        (a, b): (&[u64], &[u64]),
        ends: &[usize],
        weigh: W,
        out: &mut [u64],
    ) {
        match self {
            Kernel::Portable => count_and((a, b), ends, weigh, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Popcnt => unsafe { x86::count_and_popcnt((a, b), ends, weigh, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Avx2 | Kernel::Vpopcnt => unsafe { x86::count_and_avx2((a, b), ends, weigh, out) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The same loops, compiled for processors that have the named features.
    use super::RowWeight;

    #[target_feature(enable = "popcnt,bmi1")]
    pub unsafe fn count_and_popcnt<W: RowWeight>(
        ab: (&[u64], &[u64]),
        ends: &[usize],
        weigh: W,
        out: &mut [u64],
    ) {
        super::count_and(ab, ends, weigh, out);
    }

    #[target_feature(enable = "avx2,popcnt,bmi1")]
    pub unsafe fn count_and_avx2<W: RowWeight>(
        ab: (&[u64], &[u64]),
        ends: &[usize],
        weigh: W,
        out: &mut [u64],
    ) {
        super::count_and(ab, ends, weigh, out);
    }
}

#[inline(always)]
fn count_and<W: RowWeight>((a, b): (&[u64], &[u64]), ends: &[usize], weigh: W, out: &mut [u64]) {
    let mut start = 0;
    for (&end, out) in ends.iter().zip(out) {
        let words = a[start..end].iter().zip(&b[start..end]).enumerate();
        *out = words.map(|(word, (a, b))| weigh.weigh(start + word, a & b)).sum();
        start = end;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::bit_sliced::{BitSlicedWeights, UnitWeight};
    use super::*;
    use crate::naive;
    use crate::rng::ChainRng;

    /// Words of all sorts, and runs of empty ones.
    pub fn random_words(rng: &mut ChainRng, n: usize) -> Vec<u64> {
        let mut is_empty = false;
        (0..n)
            .map(|_| {
                is_empty = if rng.below(5) == 0 { !is_empty } else { is_empty };
                match rng.below(4) {
                    _ if is_empty => 0,
                    0 => 0,
                    1 => u64::MAX,
                    _ => ((rng.below(1 << 32) as u64) << 32) | rng.below(1 << 32) as u64,
                }
            })
            .collect()
    }

    /// Class ends for `n_words` words at multiples of `step`, some classes empty.
    pub fn random_ends(rng: &mut ChainRng, n_words: usize, step: usize) -> Vec<usize> {
        let mut ends: Vec<usize> = (0..rng.below(4)).map(|_| rng.below(n_words / step + 1) * step).collect();
        ends.push(n_words);
        ends.sort_unstable();
        ends
    }

    /// Miri is a thousand times slower, and is shown short columns only.
    pub(crate) fn up_to(n_words: usize) -> usize {
        if cfg!(miri) {
            n_words.min(12)
        } else {
            n_words
        }
    }

    #[test]
    fn every_form_counts_as_the_naive_twin_at_every_length() {
        let mut rng = ChainRng::new(11, 0);
        for n_words in 0..up_to(70) {
            for shift in 0..3 {
                let (a, b) =
                    (random_words(&mut rng, n_words + shift), random_words(&mut rng, n_words + shift));
                let (a, b) = (&a[shift..], &b[shift..]);
                let ends = random_ends(&mut rng, n_words, 1);
                let expected = naive::count_and(a, b, &ends);
                let ones = BitSlicedWeights::new(&vec![1; n_words * 64]).unwrap();
                for kernel in Kernel::available() {
                    let mut out = vec![9; ends.len()];
                    kernel.count_and((a, b), &ends, UnitWeight, &mut out);
                    assert_eq!(out, expected, "{kernel:?}, {n_words} words");
                    kernel.count_and((a, b), &ends, &ones, &mut out);
                    assert_eq!(out, expected, "{kernel:?}, {n_words} words, weights of one");
                }
            }
        }
    }

    #[test]
    fn the_choice_is_available() {
        assert!(Kernel::available().contains(&Kernel::choose(1)));
        assert!(Kernel::available().contains(&Kernel::choose(1000)));
    }
}
