//! The order of candidates: the bytes of their names. If the names allow it, mining finds them in that order.

use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::model::{antecedent_name, Antecedents};

/// Names made or sorted between two checks of the control.
const NAMES_PER_CHECK: usize = 1 << 14;

/// One step from a node of the search tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub item: u32,
    /// Whether the antecedent ends with the item, or is extended further.
    pub ends: bool,
}

/// The byte order of items within candidates' names, where each is followed by a comma or by the closing brace. A name is a
/// sequence of these two forms. If no form is a prefix of another, names compare as the first forms in which they differ.
#[derive(Debug)]
pub struct NameOrder {
    /// Rank of each item before a comma, and before the brace.
    ranks: Vec<[u32; 2]>,
    is_exact: bool,
}

impl NameOrder {
    pub fn new(names: &[String]) -> Result<Self, Error> {
        let forms = names
            .iter()
            .enumerate()
            .flat_map(|(item, name)| [(format!("{name},"), (item, 0)), (format!("{name}}}"), (item, 1))]);
        let mut forms: Vec<(String, (usize, usize))> = memory::collect(forms)?;
        forms.sort_unstable();
        // in sorted order, a form that is a prefix of any other is a prefix of the next
        let is_exact = !forms.windows(2).any(|pair| pair[1].0.starts_with(&pair[0].0));
        let mut ranks = memory::filled([0; 2], names.len())?;
        for (rank, (_, (item, form))) in forms.into_iter().enumerate() {
            ranks[item][form] = rank as u32;
        }
        Ok(NameOrder { ranks, is_exact })
    }

    /// The steps to `items`, in the order of names. `can_extend`: whether longer antecedents are allowed.
    pub fn steps(&self, items: &[u32], can_extend: bool) -> Result<Vec<Step>, Error> {
        let both = items.iter().flat_map(|&item| [false, true].map(|ends| Step { item, ends }));
        let mut steps = memory::collect(both.filter(|step| step.ends || can_extend))?;
        steps.sort_unstable_by_key(|step| self.ranks[step.item as usize][usize::from(step.ends)]);
        Ok(steps)
    }

    /// Sort candidates by name, then by items, from the order in which they were found.
    pub fn arrange(
        &self,
        found: Antecedents,
        names: &[String],
        control: &Control,
    ) -> Result<Antecedents, Error> {
        if self.is_exact {
            return Ok(found);
        }
        sort_by_name(&found, names, control)
    }
}

/// The slow way, for names such as `a=1` and `a=1,b`, and for equal names.
fn sort_by_name(found: &Antecedents, names: &[String], control: &Control) -> Result<Antecedents, Error> {
    let mut named = memory::with_capacity(found.len())?;
    for (index, antecedent) in found.iter().enumerate() {
        if index % NAMES_PER_CHECK == 0 {
            control.check_unfinished()?;
        }
        named.push((antecedent_name(antecedent, names), antecedent));
    }
    sort(&mut named, control)?;
    let mut sorted = Antecedents::default();
    for (_, antecedent) in &named {
        sorted.push(antecedent)?;
    }
    Ok(sorted)
}

/// Sort by halves, so that the control is checked in between.
fn sort<T: Ord>(values: &mut [T], control: &Control) -> Result<(), Error> {
    control.check_unfinished()?;
    if values.len() <= NAMES_PER_CHECK {
        values.sort_unstable();
        return Ok(());
    }
    let middle = values.len() / 2;
    values.select_nth_unstable(middle);
    let (low, high) = values.split_at_mut(middle);
    sort(low, control)?;
    sort(high, control)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All increasing sequences of up to three items, in the order of the steps.
    fn walk(order: &NameOrder, prefix: &mut Vec<u32>, n_items: u32, found: &mut Antecedents) {
        let later: Vec<u32> = (prefix.last().map_or(0, |&item| item + 1)..n_items).collect();
        for step in order.steps(&later, prefix.len() < 2).unwrap() {
            prefix.push(step.item);
            if step.ends {
                found.push(prefix).unwrap();
            } else {
                walk(order, prefix, n_items, found);
            }
            prefix.pop();
        }
    }

    fn names(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| text.to_string()).collect()
    }

    #[test]
    fn candidates_are_found_in_the_order_of_their_names() {
        for (texts, is_exact) in [
            (&["b=1", "b=10", "b=1-", "b=1!", "a=x", "a=é", "a=~", "a=[1,2)", "a=(", "a="][..], true),
            (&["a=1", "b=1,c", "b=1", "c=}", "c=", "a=2"], false),
            (&["a=1", "a=1", "b=2", "a=0"], false),
        ] {
            let names = names(texts);
            let order = NameOrder::new(&names).unwrap();
            assert_eq!(order.is_exact, is_exact, "{texts:?}");
            let mut found = Antecedents::default();
            walk(&order, &mut Vec::new(), names.len() as u32, &mut found);
            let n = names.len();
            assert_eq!(found.len(), n + n * (n - 1) / 2 + n * (n - 1) * (n - 2) / 6);
            let control = Control::default();
            let sorted = sort_by_name(&found, &names, &control);
            assert_eq!(order.arrange(found.clone(), &names, &control), sorted, "{texts:?}");
            control.cancel();
            assert_eq!(sort_by_name(&found, &names, &control), Err(Error::Cancelled));
        }
    }

    #[test]
    fn sorting_by_halves_sorts_everything() {
        let mut values: Vec<u32> = (0..100_000u32).map(|i| i.wrapping_mul(2_654_435_761) >> 16).collect();
        let mut expected = values.clone();
        expected.sort_unstable();
        sort(&mut values, &Control::default()).unwrap();
        assert_eq!(values, expected);
    }
}
