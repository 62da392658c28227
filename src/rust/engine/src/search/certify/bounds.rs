//! Upper bounds on the likelihood of every continuation of a prefix.
//!
//! A prefix leaves the rows R; further rules and the default rule divide R into leaves, each a union of row patterns, with
//! class counts N and the likelihood f(N) = B(N + α) / B(α) = E[Π θ_l^{N_l}] for θ ~ Dirichlet(α). Two facts are used
//! throughout, for all α > 0, any number of classes and real counts:
//!
//! **F1 (credit).** log f(N + M) ≤ log f(N) + ℓ*(M), because E[θ^N θ^M] ≤ E[θ^N] · max θ^M. ℓ* is subadditive: a maximum of a
//! sum is at most the sum of the maxima.
//!
//! **F2.** log f is convex in N: it is the logarithm of a Laplace transform, that of the law of (log θ_l).

use crate::leaf::{DirichletMultinomial, TwoClasses};

/// **B4.** No division of these rows into leaves has a log likelihood above this: `groups` are the counts of R by class and
/// level of cost, `costs` those of the levels (see `table.rs`).
///
/// By F1 the mixed patterns are taken out of every leaf at ℓ*(N_e) each, which sums to at most −C(R), the sum of the levels'
/// costs. What remains is pure: n_l rows of class l, in leaves. Write f(N) = Π_l r_l(N_l) / r_0(|N|) with
/// r_l(x) = Γ(α_l + x) / Γ(α_l), and α_0 = Σ α_l. First, log r_0 is convex and 0 at 0, so superadditive, and a leaf is at most the product
/// of its classes on their own, f(N) ≤ Π_l f(N_l e_l). Second, log r_l(x) − log r_0(x) has the derivative
/// ψ(α_l + x) − ψ(α_0 + x), which grows with x because ψ is concave; it is convex and 0 at 0, so superadditive, and
/// f(a e_l) f(b e_l) ≤ f((a + b) e_l). So the pure rest is at most Π_l f(n_l e_l): Theorem 2 of the paper, for all α > 0.
#[inline]
pub fn separated(leaf: &DirichletMultinomial, groups: &[u64], costs: &[f64]) -> f64 {
    let mut bound = 0.0;
    for (class, levels) in groups.chunks_exact(costs.len()).enumerate() {
        bound += leaf.log_marginal_pure(class, levels[0]);
        for (&n, cost) in levels.iter().zip(costs).skip(1) {
            bound -= n as f64 * cost;
        }
    }
    bound
}

/// Largest count of the few rows of the other class that [`OneRule`] looks at one by one.
const FEW: usize = 48;

/// **B8.** The best that one more rule and the default rule can do on the rows that a rule u leaves of R, what the prior
/// adds included, from the counts of the candidates on R: for two classes and whole counts.
///
/// A rule b captures a leaf x of the rows r that u leaves, with b_l − u_l ≤ x_l ≤ min(b_l, r_l), and the log likelihood is
/// F(x) = log f(x) + log f(r − x), which is convex (F2). Let g_l(y) be the most rows of class l of any candidate with at most
/// y rows of the other class. If the leaf has x_0 = z rows of class 0, then b_0 ≤ z + u_0 and x_1 ≤ g_1(z + u_0): on this line
/// F is largest at its ends, x_1 = min(g_1(z + u_0), r_1) or x_1 = 0. The points (z, 0) lie between (0, 0) and the end of the
/// line x_1 = 0 of the mirrored case. Every leaf has x_0 ≤ 48 or x_1 ≤ 48, or lies in the rectangle from (49, 49) to
/// (B_0, B_1), B_l = min(max b_l, r_l), on which F is largest at a corner. Corners are clamped to B.
///
/// All that is done for the candidates of each length by themselves, because the prior knows their length.
#[derive(Debug)]
pub struct OneRule<'t> {
    leaf: TwoClasses<'t>,
    by_length: Vec<Staircase>,
}

/// The candidates of one length.
#[derive(Debug, Clone)]
struct Staircase {
    /// g_l(y) for y up to twice `FEW`.
    most: [[u64; 2 * FEW + 1]; 2],
    largest: [u64; 2],
}

impl<'t> OneRule<'t> {
    /// From the lengths and the class counts of the candidates on R.
    pub fn new(
        leaf: TwoClasses<'t>,
        n_lengths: usize,
        candidates: impl Iterator<Item = (usize, [u64; 2])>,
    ) -> Self {
        let none = Staircase { most: [[0; 2 * FEW + 1]; 2], largest: [0; 2] };
        let mut by_length = vec![none; n_lengths];
        for (length, count) in candidates {
            by_length[length].add(count);
        }
        by_length.iter_mut().for_each(Staircase::finish);
        OneRule { leaf, by_length }
    }

    /// The bound for the rows `r` that a rule with the counts `u` leaves, where a rule of each length adds `prior`; infinity if
    /// it is above `enough`, which is found out sooner.
    pub fn bound(&self, [r, u]: [[u64; 2]; 2], prior: &[f64], enough: f64) -> f64 {
        let mut best = f64::NEG_INFINITY;
        for (staircase, prior) in self.by_length.iter().zip(prior) {
            if best > enough {
                return f64::INFINITY;
            }
            best = best.max(prior + staircase.bound(self.leaf, r, u, enough - prior));
        }
        best
    }
}

impl Staircase {
    fn add(&mut self, count: [u64; 2]) {
        for class in 0..2 {
            self.largest[class] = count[class].max(self.largest[class]);
            if let Some(most) = self.most[class].get_mut(count[1 - class] as usize) {
                *most = count[class].max(*most);
            }
        }
    }

    fn finish(&mut self) {
        for most in &mut self.most {
            for y in 1..most.len() {
                most[y] = most[y].max(most[y - 1]);
            }
        }
    }

    fn bound(&self, f: TwoClasses<'_>, r: [u64; 2], u: [u64; 2], enough: f64) -> f64 {
        let split = |x: [u64; 2]| f.log_marginal(x) + f.log_marginal([r[0] - x[0], r[1] - x[1]]);
        let corner = |l: usize| {
            let end = self.largest[l].min(r[l]);
            [end.min(FEW as u64 + 1), end]
        };
        let corners = corner(0).into_iter().flat_map(|x| corner(1).map(|y| [x, y]));
        let few = (0..2).flat_map(|class| {
            let other = 1 - class;
            (0..=(FEW as u64).min(r[other])).map(move |z| {
                let most =
                    self.most[class].get((z + u[other]) as usize).copied().unwrap_or(self.largest[class]);
                let mut x = [z; 2];
                x[class] = most.min(r[class]);
                x
            })
        });
        let mut best = split([0, 0]);
        for x in few.chain(corners) {
            if best > enough {
                return f64::INFINITY;
            }
            best = best.max(split(x));
        }
        best
    }
}

/// **B9 (adjacent swaps).** Whether a list with u directly before v need not be looked at, because swapping them is better by
/// more than rounding: `in_order` are the log marginals of the two rules in this order, `swapped` those after the swap. If they
/// capture no common row both orders are worth the same, and the one with the smaller candidate first is enough.
///
/// The rules after v and their captures stay as they are, and while no length is used up so do the prices. Take, among the
/// best lists, the one whose candidate numbers come first lexicographically: no pair of it is cut.
#[inline]
pub fn is_worse_than_swapped(in_order: f64, swapped: f64, slack: f64) -> bool {
    swapped > in_order + slack
}
