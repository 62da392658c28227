//! Sets of rows as bits: columns of 64-bit words, and the kernels that count over them.
//!
//! From the bottom up: `words` (loops over plain words), `columns`, `distinct`, `row_selection` (columns of equal length);
//! `bit_sliced` (weights); `blocks`, `masked` (columns whose empty blocks are skipped); `short_columns`, `sparse` (other
//! forms); `simd`, `avx2`, `popcount` (how two columns are counted), `kernel` (which instructions to use).

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod bit_sliced;
pub mod blocks;
mod columns;
pub(crate) mod distinct;
pub mod kernel;
mod masked;
#[cfg(target_arch = "x86_64")]
mod popcount;
pub(crate) mod row_selection;
pub(crate) mod short_columns;
pub mod simd;
pub(crate) mod sparse;
mod words;

pub use columns::BitColumns;
pub use masked::{MaskedColumns, Masks};
pub(crate) use words::{and_into, and_with, clear_covered, move_covered, set_bits, without};
