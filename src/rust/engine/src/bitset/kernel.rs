//! Counting kernels: one portable loop each, compiled again for wider instructions and chosen at run time.
//!
//! Words are grouped in class blocks: class `l` ends before word `ends[l]` and begins where class `l − 1` ends, so a
//! count per class is a popcount over neighbouring words. On 64-bit ARM the portable form is compiled to vector counts.

#[cfg(target_arch = "x86_64")]
use super::avx2;
use super::blocks::{Blocks, Column, Masked, BLOCK};
use super::planes::Weigh;
use super::Covers;

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

    /// Weight of `a & b` per class.
    #[inline]
    pub fn count_and<W: Weigh>(self, (a, b): (&[u64], &[u64]), ends: &[usize], weigh: W, out: &mut [u64]) {
        match self {
            Kernel::Portable => count_and((a, b), ends, weigh, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Popcnt => unsafe { x86::count_and_popcnt((a, b), ends, weigh, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Avx2 => unsafe { x86::count_and_avx2((a, b), ends, weigh, out) },
        }
    }

    /// Weight of what `cover` has in common with each of `parts`, per part and class.
    #[inline]
    pub fn common<W: Weigh>(
        self,
        blocks: &Blocks,
        parts: &[Column],
        cover: Masked<'_>,
        weigh: W,
        out: &mut [u64],
    ) {
        match self {
            Kernel::Portable => common(blocks, parts, cover, weigh, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Avx2 if W::ONES => unsafe { avx2::common(blocks, parts, cover, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes these forms only where the processor has the features
            Kernel::Popcnt | Kernel::Avx2 => unsafe { x86::common_popcnt(blocks, parts, cover, weigh, out) },
        }
    }

    /// Hand the bits of `free` down to the first of `rules` that covers them; weight per rule and class of who takes them.
    #[inline]
    pub fn hand_down<W: Weigh>(
        self,
        blocks: &Blocks,
        free: &mut Column,
        to: &Takers<'_>,
        weigh: W,
        out: &mut [u64],
    ) {
        match self {
            Kernel::Portable => hand_down(blocks, free, to, weigh, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Avx2 if W::ONES => unsafe { avx2::hand_down(blocks, free, to, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes these forms only where the processor has the features
            Kernel::Popcnt | Kernel::Avx2 => unsafe { x86::hand_down_popcnt(blocks, free, to, weigh, out) },
        }
    }
}

/// The rules that rows are handed down to, in order.
#[derive(Debug, Clone, Copy)]
pub struct Takers<'a> {
    pub covers: Covers<'a>,
    pub rules: &'a [u32],
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The same loops, compiled for processors that have the named features.
    use super::{Blocks, Column, Masked, Takers, Weigh};

    #[target_feature(enable = "popcnt,bmi1")]
    pub unsafe fn count_and_popcnt<W: Weigh>(
        ab: (&[u64], &[u64]),
        ends: &[usize],
        weigh: W,
        out: &mut [u64],
    ) {
        super::count_and(ab, ends, weigh, out);
    }

    #[target_feature(enable = "avx2,popcnt,bmi1")]
    pub unsafe fn count_and_avx2<W: Weigh>(ab: (&[u64], &[u64]), ends: &[usize], weigh: W, out: &mut [u64]) {
        super::count_and(ab, ends, weigh, out);
    }

    #[target_feature(enable = "popcnt,bmi1")]
    pub unsafe fn common_popcnt<W: Weigh>(
        blocks: &Blocks,
        parts: &[Column],
        cover: Masked<'_>,
        weigh: W,
        out: &mut [u64],
    ) {
        super::common(blocks, parts, cover, weigh, out);
    }

    #[target_feature(enable = "popcnt,bmi1")]
    pub unsafe fn hand_down_popcnt<W: Weigh>(
        blocks: &Blocks,
        free: &mut Column,
        to: &Takers<'_>,
        weigh: W,
        out: &mut [u64],
    ) {
        super::hand_down(blocks, free, to, weigh, out);
    }
}

#[inline(always)]
fn count_and<W: Weigh>((a, b): (&[u64], &[u64]), ends: &[usize], weigh: W, out: &mut [u64]) {
    let mut start = 0;
    for (&end, out) in ends.iter().zip(out) {
        let words = a[start..end].iter().zip(&b[start..end]).enumerate();
        *out = words.map(|(word, (a, b))| weigh.weigh(start + word, a & b)).sum();
        start = end;
    }
}

#[inline(always)]
fn common<W: Weigh>(blocks: &Blocks, parts: &[Column], cover: Masked<'_>, weigh: W, out: &mut [u64]) {
    out.fill(0);
    blocks.check(cover);
    for (part, row) in parts.iter().zip(out.chunks_exact_mut(blocks.n_classes())) {
        let part = part.view();
        blocks.check(part);
        for (mask, place) in blocks.places().iter().enumerate() {
            let mut both = part.mask[mask] & cover.mask[mask];
            let mut sum = 0;
            while both != 0 {
                let at = place.first_word + both.trailing_zeros() as usize * BLOCK;
                both &= both - 1;
                for word in at..at + BLOCK {
                    // SAFETY: `check` has made sure that the words of every block a mask can name are there
                    let bits = unsafe { part.words.get_unchecked(word) & cover.words.get_unchecked(word) };
                    sum += weigh.weigh(word, bits);
                }
            }
            row[place.class] += sum;
        }
    }
}

#[inline(always)]
fn hand_down<W: Weigh>(blocks: &Blocks, free: &mut Column, to: &Takers<'_>, weigh: W, out: &mut [u64]) {
    out.fill(0);
    blocks.check(free.view());
    for (&rule, row) in to.rules.iter().zip(out.chunks_exact_mut(blocks.n_classes())) {
        let cover = to.covers.get(rule as usize);
        blocks.check(cover);
        for (mask, place) in blocks.places().iter().enumerate() {
            let mut both = free.mask[mask] & cover.mask[mask];
            let mut sum = 0;
            while both != 0 {
                let bit = both.trailing_zeros();
                both &= both - 1;
                let at = place.first_word + bit as usize * BLOCK;
                let mut left = 0;
                for word in at..at + BLOCK {
                    // SAFETY: `check` has made sure that the words of every block a mask can name are there
                    let (free, cover) =
                        unsafe { (free.words.get_unchecked_mut(word), cover.words.get_unchecked(word)) };
                    let taken = *free & cover;
                    sum += weigh.weigh(word, taken);
                    *free ^= taken;
                    left |= *free;
                }
                free.mask[mask] &= !(u64::from(left == 0) << bit);
            }
            row[place.class] += sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::planes::{Ones, Planes};
    use super::super::{BitColumns, Masks};
    use super::*;
    use crate::naive;
    use crate::rng::ChainRng;

    /// Words of all sorts, and runs of empty ones.
    fn random_words(rng: &mut ChainRng, n: usize) -> Vec<u64> {
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
    fn random_ends(rng: &mut ChainRng, n_words: usize, step: usize) -> Vec<usize> {
        let mut ends: Vec<usize> = (0..rng.below(4)).map(|_| rng.below(n_words / step + 1) * step).collect();
        ends.push(n_words);
        ends.sort_unstable();
        ends
    }

    fn masked(blocks: &Blocks, words: Vec<u64>) -> Column {
        let mut column = Column { mask: vec![0; blocks.n_masks()], words };
        blocks.mask_of(&column.words, &mut column.mask);
        column
    }

    #[test]
    fn every_form_counts_as_the_naive_twin_at_every_length() {
        let mut rng = ChainRng::new(11, 0);
        for n_words in 0..70 {
            for shift in 0..3 {
                let (a, b) =
                    (random_words(&mut rng, n_words + shift), random_words(&mut rng, n_words + shift));
                let (a, b) = (&a[shift..], &b[shift..]);
                let ends = random_ends(&mut rng, n_words, 1);
                let expected = naive::count_and(a, b, &ends);
                let ones = Planes::new(&vec![1; n_words * 64]);
                for kernel in Kernel::available() {
                    let mut out = vec![9; ends.len()];
                    kernel.count_and((a, b), &ends, Ones, &mut out);
                    assert_eq!(out, expected, "{kernel:?}, {n_words} words");
                    kernel.count_and((a, b), &ends, &ones, &mut out);
                    assert_eq!(out, expected, "{kernel:?}, {n_words} words, weights of one");
                }
            }
        }
    }

    /// Long columns too, so that there are several mask words to a class.
    #[test]
    fn every_form_goes_by_masks_as_the_naive_twin_goes_by_bits() {
        let mut rng = ChainRng::new(12, 0);
        for n_words in (0..25).chain([200, 255, 256, 257, 600]).map(|n_blocks| n_blocks * BLOCK) {
            let ends = random_ends(&mut rng, n_words, BLOCK);
            let blocks = Blocks::new(&ends);
            let mut columns = BitColumns::zeroed(5, n_words).unwrap();
            for column in 0..5 {
                columns.column_mut(column).copy_from_slice(&random_words(&mut rng, n_words));
            }
            let masks = Masks::new(&columns, &blocks);
            let covers = Covers::new(&columns, &masks);
            let parts: Vec<Column> =
                (0..3).map(|_| masked(&blocks, random_words(&mut rng, n_words))).collect();
            let rules: Vec<u32> = (0..rng.below(5)).map(|_| rng.below(5) as u32).collect();
            for kernel in Kernel::available() {
                let mut out = vec![9; 3 * ends.len()];
                kernel.common(&blocks, &parts, covers.get(0), Ones, &mut out);
                let expected: Vec<u64> = parts
                    .iter()
                    .flat_map(|part| naive::count_and(&part.words, columns.column(0), &ends))
                    .collect();
                assert_eq!(out, expected, "{kernel:?}, {n_words} words");
                let mut free = parts[0].clone();
                let mut out = vec![9; rules.len() * ends.len()];
                kernel.hand_down(&blocks, &mut free, &Takers { covers, rules: &rules }, Ones, &mut out);
                let expected = naive::hand_down(&parts[0].words, &columns, &rules, &ends);
                assert_eq!(out, expected, "{kernel:?}, {n_words} words");
                let left = masked(&blocks, free.words.clone());
                assert_eq!(free.mask, left.mask, "{kernel:?}: the mask follows");
            }
        }
    }

    #[test]
    fn the_choice_is_available() {
        assert!(Kernel::available().contains(&Kernel::choose(1)));
        assert!(Kernel::available().contains(&Kernel::choose(1000)));
    }
}
