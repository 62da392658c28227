//! Chooses at run time which instructions the counting loops use.
//!
//! Words are grouped by class: class `l` ends before word `ends[l]` and begins where class `l − 1` ends, so a count per class
//! is a population count over neighbouring words. On 64-bit ARM the compiler turns the portable loops into vector counts.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::bit_sliced::RowWeight;
#[cfg(target_arch = "x86_64")]
use super::popcount::{CountOnes, NibbleLookup, Vpopcntq};
use super::simd::{Scalar, Simd, WithSimd};

/// The instructions that loops are compiled for. Only those of this machine can be made. All give the same counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Instructions);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Popcnt,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2, with population counts of AVX-512.
    #[cfg(target_arch = "x86_64")]
    Vpopcntq,
}

/// From this many words on AVX2 is faster than POPCNT (measured: from about 16 on).
const VECTOR_FROM_WORDS: usize = 24;

impl Kernel {
    /// The fastest kernel for whole columns of `n_words` words.
    pub(crate) fn choose(n_words: usize) -> Kernel {
        if n_words < VECTOR_FROM_WORDS {
            return Kernel::scalar();
        }
        Kernel::widest()
    }

    /// The fastest kernel without vector instructions.
    pub fn scalar() -> Kernel {
        Kernel::available().into_iter().rev().find(|kernel| !kernel.is_vector()).unwrap_or(PORTABLE)
    }

    /// The fastest kernel for long columns.
    pub fn widest() -> Kernel {
        Kernel::available().last().copied().unwrap_or(PORTABLE)
    }

    /// All kernels this machine can run, slowest first.
    pub fn available() -> Vec<Kernel> {
        #[allow(unused_mut)]
        let mut kernels = vec![PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            let has_popcnt =
                std::arch::is_x86_feature_detected!("popcnt") && std::arch::is_x86_feature_detected!("bmi1");
            if has_popcnt {
                kernels.push(Kernel(Instructions::Popcnt));
            }
            if has_popcnt && std::arch::is_x86_feature_detected!("avx2") {
                kernels.push(Kernel(Instructions::Avx2));
                if std::arch::is_x86_feature_detected!("avx512vpopcntdq")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                {
                    kernels.push(Kernel(Instructions::Vpopcntq));
                }
            }
        }
        kernels
    }

    fn is_vector(self) -> bool {
        match self.0 {
            Instructions::Portable => false,
            #[cfg(target_arch = "x86_64")]
            Instructions::Popcnt => false,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 | Instructions::Vpopcntq => true,
        }
    }

    /// Do `work` with these instructions.
    #[inline(always)]
    pub fn run<T: WithSimd>(self, work: T) -> T::Output {
        match self.0 {
            Instructions::Portable => work.run(Scalar),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` gives this kernel only if the processor has the features
            Instructions::Popcnt => unsafe { run_popcnt(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` gives this kernel only if the processor has the features
            Instructions::Avx2 => unsafe { run_avx2::<_, NibbleLookup>(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` gives this kernel only if the processor has the features
            Instructions::Vpopcntq => unsafe { run_avx2::<_, Vpopcntq>(work) },
        }
    }

    /// Do `work` without vector instructions. Compiles half as many copies of it as `run()`.
    #[inline(always)]
    pub fn run_scalar<T: WithSimd>(self, work: T) -> T::Output {
        match self.0 {
            Instructions::Portable => work.run(Scalar),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` gives the other kernels only if the processor has POPCNT and BMI1
            _ => unsafe { run_popcnt(work) },
        }
    }

    /// Do `work` that counts rows of weights `W`: only rows that count one each are counted by vector instructions.
    #[inline(always)]
    fn run_for<W: RowWeight, T: WithSimd>(self, work: T) -> T::Output {
        match W::IS_UNIT {
            true => self.run(work),
            false => self.run_scalar(work),
        }
    }

    /// Weight of `a & b` per class.
    #[inline]
    pub fn count_and<W: RowWeight>(self, a: &[u64], b: &[u64], ends: &[usize], weigh: W, out: &mut [u64]) {
        self.run_for::<W, _>(CountAnd { a, b, ends, weigh, out });
    }

    /// The same for each of `columns`, which all have the words of `a`; their counts one after the other.
    #[inline]
    pub(crate) fn count_and_each<W: RowWeight>(
        self,
        a: &[u64],
        columns: &[u64],
        ends: &[usize],
        weigh: W,
        out: &mut [u64],
    ) {
        self.run_for::<W, _>(CountAndEach { a, columns, ends, weigh, out });
    }
}

const PORTABLE: Kernel = Kernel(Instructions::Portable);

/// Compiles `work` for processors with POPCNT.
///
/// # Safety
///
/// The processor must support POPCNT and BMI1.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1")]
unsafe fn run_popcnt<T: WithSimd>(work: T) -> T::Output {
    work.run(Scalar)
}

/// Compiles `work` for processors with AVX2.
///
/// # Safety
///
/// The processor must support AVX2, POPCNT, BMI1 and what `C` needs.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1")]
unsafe fn run_avx2<T: WithSimd, C: CountOnes>(work: T) -> T::Output {
    // SAFETY: the caller guarantees the features
    work.run(unsafe { Avx2::<C>::new() })
}

struct CountAnd<'a, W> {
    a: &'a [u64],
    b: &'a [u64],
    ends: &'a [usize],
    weigh: W,
    out: &'a mut [u64],
}

impl<W: RowWeight> WithSimd for CountAnd<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut start = 0;
        for (&end, out) in self.ends.iter().zip(self.out) {
            *out = simd.count(&self.a[start..end], &self.b[start..end], start, self.weigh);
            start = end;
        }
    }
}

struct CountAndEach<'a, W> {
    a: &'a [u64],
    columns: &'a [u64],
    ends: &'a [usize],
    weigh: W,
    out: &'a mut [u64],
}

impl<W: RowWeight> WithSimd for CountAndEach<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let CountAndEach { a, columns, ends, weigh, out } = self;
        if a.is_empty() || ends.is_empty() {
            out.fill(0);
            return;
        }
        for (b, out) in columns.chunks_exact(a.len()).zip(out.chunks_exact_mut(ends.len())) {
            CountAnd { a, b, ends, weigh, out }.run(simd);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::bit_sliced::{BitSlicedWeights, UnitWeight};
    use super::*;
    use crate::naive;
    use crate::rng::ChainRng;

    /// Random words, full words, and runs of empty ones.
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

    /// Miri is a thousand times slower and runs on short columns only.
    pub(crate) fn up_to(n_words: usize) -> usize {
        if cfg!(miri) {
            n_words.min(12)
        } else {
            n_words
        }
    }

    #[test]
    fn every_kernel_counts_as_the_naive_twin_at_every_length() {
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
                    kernel.count_and(a, b, &ends, UnitWeight, &mut out);
                    assert_eq!(out, expected, "{kernel:?}, {n_words} words");
                    kernel.count_and(a, b, &ends, &ones, &mut out);
                    assert_eq!(out, expected, "{kernel:?}, {n_words} words, weights of one");
                    let (twice, mut each) = ([b, b].concat(), vec![9; 2 * ends.len()]);
                    kernel.count_and_each(a, &twice, &ends, UnitWeight, &mut each);
                    assert_eq!(
                        each,
                        [expected.clone(), expected.clone()].concat(),
                        "{kernel:?}, two columns"
                    );
                }
            }
        }
    }

    #[test]
    fn the_chosen_kernels_are_available() {
        let available = Kernel::available();
        assert!(available.contains(&Kernel::scalar()) && !Kernel::scalar().is_vector());
        assert!(available.contains(&Kernel::widest()));
        assert_eq!((Kernel::choose(0), Kernel::choose(usize::MAX)), (Kernel::scalar(), Kernel::widest()));
    }
}
