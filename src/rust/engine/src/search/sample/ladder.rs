//! The inverse temperatures of replica exchange.

/// Inverse temperatures 1 = β_0 > β_1 > … > β_{R−1} = 0: the posterior first, the prior last.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    betas: Vec<f64>,
}

/// A pair that is never rejected is still given this share, so that no two temperatures coincide.
const LEAST_REJECTION: f64 = 1e-3;

impl Ladder {
    /// `n` temperatures from 1 down to `lowest` in equal ratios, then 0.
    pub fn geometric(n: usize, lowest: f64) -> Self {
        let n = n.max(3);
        let positive = (0..n - 1).map(|k| lowest.powf(k as f64 / (n - 2) as f64));
        Ladder { betas: positive.chain([0.0]).map(rounded).collect() }
    }

    /// The inverse temperatures, the coldest first.
    pub fn betas(&self) -> &[f64] {
        &self.betas
    }

    /// Number of temperatures.
    pub fn len(&self) -> usize {
        self.betas.len()
    }

    /// `n` temperatures between which swaps are rejected equally often, given how often they are rejected between those of
    /// this ladder. The cumulated rejection is interpolated in log β, and in β next to 0.
    pub fn equalised(&self, rejections: &[f64], n: usize) -> Self {
        let rejections: Vec<f64> = rejections.iter().map(|&r| r.max(LEAST_REJECTION)).collect();
        let total: f64 = rejections.iter().sum();
        let (mut pair, mut before) = (0, 0.0);
        let mut betas = vec![1.0];
        for k in 1..n - 1 {
            let wanted = total * k as f64 / (n - 1) as f64;
            while pair + 1 < rejections.len() && before + rejections[pair] < wanted {
                before += rejections[pair];
                pair += 1;
            }
            let share = ((wanted - before) / rejections[pair]).clamp(0.0, 1.0);
            betas.push(rounded(between(self.betas[pair], self.betas[pair + 1], share)));
        }
        betas.push(0.0);
        Ladder { betas }
    }
}

fn between(warm: f64, hot: f64, share: f64) -> f64 {
    match hot > 0.0 {
        true => warm * (hot / warm).powf(share),
        false => warm * (1.0 - share),
    }
}

/// Powers and logarithms differ in their last bits between systems; temperatures need not.
fn rounded(beta: f64) -> f64 {
    f64::from(beta as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperatures_fall_from_one_to_zero() {
        let ladder = Ladder::geometric(16, 0.01);
        assert_eq!(ladder.len(), 16);
        assert_eq!((ladder.betas()[0], ladder.betas()[15]), (1.0, 0.0));
        assert!((ladder.betas()[14] - 0.01).abs() < 1e-8);
        for n in [8, 16, 32] {
            let uneven: Vec<f64> = (0..15).map(|k| f64::from(k % 3) / 2.0).collect();
            let adapted = ladder.equalised(&uneven, n);
            assert_eq!(adapted.len(), n);
            assert_eq!((adapted.betas()[0], adapted.betas()[n - 1]), (1.0, 0.0));
            assert!(adapted.betas().windows(2).all(|pair| pair[0] > pair[1]), "{adapted:?}");
        }
    }

    #[test]
    fn equal_rejections_leave_a_ladder_as_it_is_and_a_barrier_attracts_temperatures() {
        let ladder = Ladder::geometric(10, 0.02);
        let same = ladder.equalised(&[0.3; 9], 10);
        for (a, b) in ladder.betas().iter().zip(same.betas()) {
            assert!((a - b).abs() < 1e-6);
        }
        let mut rejections = [0.1; 9];
        rejections[4] = 0.9;
        let adapted = ladder.equalised(&rejections, 10);
        let inside = |beta: &&f64| (ladder.betas()[5]..=ladder.betas()[4]).contains(*beta);
        assert!(adapted.betas().iter().filter(inside).count() >= 4, "{adapted:?}");
    }
}
