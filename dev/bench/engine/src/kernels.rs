//! The ablation's own counting loop, compiled for plain processors, for those that count bits and for those with AVX2.

use sbrl_engine::bitset::BitColumns;

/// A compiled form of the loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Popcnt,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

/// Rows of `start`, each to the first of `rules` that covers it.
pub struct Flow<'a> {
    pub start: &'a [u64],
    pub covers: &'a BitColumns,
    pub rules: &'a [u32],
    /// Where each class's words end.
    pub ends: &'a [usize],
}

impl Form {
    /// What this machine can run, slowest first.
    pub fn available() -> Vec<Form> {
        #[allow(unused_mut)]
        let mut forms = vec![Form::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            let popcnt = std::arch::is_x86_feature_detected!("popcnt");
            if popcnt {
                forms.push(Form::Popcnt);
            }
            if popcnt && std::arch::is_x86_feature_detected!("avx2") {
                forms.push(Form::Avx2);
            }
        }
        forms
    }

    /// Rows per rule and class; the last row of counts is who nobody takes.
    pub fn count(self, flow: &Flow<'_>, out: &mut [u64]) {
        match self {
            Form::Plain => count(flow, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the feature
            Form::Popcnt => unsafe { count_popcnt(flow, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Form::Avx2 => unsafe { count_avx2(flow, out) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
unsafe fn count_popcnt(flow: &Flow<'_>, out: &mut [u64]) {
    count(flow, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn count_avx2(flow: &Flow<'_>, out: &mut [u64]) {
    count(flow, out);
}

/// Words handed down together.
const LANES: usize = 8;

#[inline(always)]
fn count(flow: &Flow<'_>, out: &mut [u64]) {
    out.fill(0);
    let mut word = 0;
    for (class, &end) in flow.ends.iter().enumerate() {
        while word + LANES <= end {
            hand_down::<LANES>(flow, word, class, out);
            word += LANES;
        }
        while word < end {
            hand_down::<1>(flow, word, class, out);
            word += 1;
        }
    }
}

#[inline(always)]
fn hand_down<const N: usize>(flow: &Flow<'_>, word: usize, class: usize, out: &mut [u64]) {
    let n_classes = flow.ends.len();
    let mut free = [0u64; N];
    free.copy_from_slice(&flow.start[word..word + N]);
    for (rule, row) in flow.rules.iter().zip(out.chunks_exact_mut(n_classes)) {
        let cover = &flow.covers.column(*rule as usize)[word..word + N];
        let mut taken = 0;
        for (free, cover) in free.iter_mut().zip(cover) {
            taken += (*free & cover).count_ones();
            *free &= !cover;
        }
        row[class] += u64::from(taken);
    }
    let left: u32 = free.iter().map(|free| free.count_ones()).sum();
    out[flow.rules.len() * n_classes + class] += u64::from(left);
}
