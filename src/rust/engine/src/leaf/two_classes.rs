//! The leaf of exactly two classes, which most of the fast code is compiled for.

use super::rising::RisingTables;

/// A leaf of exactly two classes, with its tables in local variables.
#[derive(Debug, Clone, Copy)]
pub struct TwoClasses<'a> {
    tables: [&'a [f64]; 3],
    rising: &'a RisingTables,
}

impl<'a> TwoClasses<'a> {
    /// If there are two classes.
    #[inline(always)]
    pub(super) fn of(rising: &'a RisingTables) -> Option<Self> {
        rising.of_two().map(|tables| TwoClasses { tables, rising })
    }

    /// log f(N).
    #[inline(always)]
    pub fn log_marginal(self, [n, m]: [u64; 2]) -> f64 {
        let [first, second, total] = self.tables;
        match (first.get(n as usize), second.get(m as usize), total.get((n + m) as usize)) {
            (Some(first), Some(second), Some(total)) => first + second - total,
            _ => beyond_tables(self.rising, n, m),
        }
    }
}

/// The same before its tables are looked up. This is what is passed on: one word, where local variables take seven.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TwoClassTables<'a>(&'a RisingTables);

impl<'a> TwoClassTables<'a> {
    /// If there are two classes.
    #[inline(always)]
    pub(super) fn of(rising: &'a RisingTables) -> Option<Self> {
        (rising.n_classes() == 2).then_some(TwoClassTables(rising))
    }

    /// With its tables in local variables.
    #[inline(always)]
    pub(crate) fn open(self) -> TwoClasses<'a> {
        let tables = self.0.of_two().unwrap_or([&[]; 3]);
        TwoClasses { tables, rising: self.0 }
    }
}

#[cold]
#[inline(never)]
fn beyond_tables(rising: &RisingTables, n: u64, m: u64) -> f64 {
    rising.log_marginal(&[n, m])
}
