//! The hyperparameters of the model.

use crate::error::Error;

/// λ, η and α of the paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Hyperparameters {
    /// Prior mean of the list's length, before truncation at the size of the pool.
    pub lambda: f64,
    /// Prior mean of an antecedent's length.
    pub eta: f64,
    /// Pseudo-counts, one per class.
    pub alpha: Vec<f64>,
}

impl Hyperparameters {
    /// An error unless all are positive and finite, with one pseudo-count for each of `n_classes` classes.
    pub fn check(&self, n_classes: usize) -> Result<(), Error> {
        let good = |x: f64| x > 0.0 && x.is_finite();
        let alpha_sum: f64 = self.alpha.iter().sum();
        if !good(self.lambda) {
            return Err(Error::Argument(format!("`lambda` must be positive, not {}.", self.lambda)));
        }
        if !good(self.eta) {
            return Err(Error::Argument(format!("`eta` must be positive, not {}.", self.eta)));
        }
        if self.alpha.len() != n_classes || !self.alpha.iter().all(|&a| good(a)) || !alpha_sum.is_finite() {
            return Err(Error::Argument(format!(
                "`alpha` must hold {n_classes} positive numbers, not {:?}.",
                self.alpha
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hyperparameters_are_checked() {
        let good = Hyperparameters { lambda: 1.0, eta: 1.0, alpha: vec![1.0, 1.0] };
        assert!(good.check(2).is_ok() && good.check(3).is_err());
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Hyperparameters { lambda: bad, ..good.clone() }.check(2).is_err());
            assert!(Hyperparameters { eta: bad, ..good.clone() }.check(2).is_err());
            assert!(Hyperparameters { alpha: vec![1.0, bad], ..good.clone() }.check(2).is_err());
        }
    }
}
