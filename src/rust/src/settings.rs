//! The settings of a fit: one named list, whose names are those of the arguments of `sbrl()`, as the engine's structs.

use crate::convert::{wrong, Arg, Read};
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::mine::MiningLimits;
use sbrl_engine::search::{AmongEquals, CountedList, Method, Problem, Settings, SettlePlan};
use std::time::Duration;

/// The settings that the parts of a fit need.
pub struct FitSettings {
    pub limits: MiningLimits,
    pub hyperparameters: Hyperparameters,
    /// Most rules in a list.
    pub max_length: usize,
    pub search: Settings,
    /// How much work there may be until the list has settled; none if the iterations are given.
    pub settle: Option<SettlePlan>,
    /// What is left out of the list that was found.
    pub simplify: Simplification,
    /// Nodes for a proof after the search; 0 for none.
    pub certify_nodes: u64,
    /// None if there is no limit.
    pub time_limit: Option<Duration>,
}

impl FitSettings {
    pub fn read(settings: Arg) -> Read<Self> {
        let time_limit = settings.field("time_limit")?.number("time_limit")?;
        Ok(FitSettings {
            limits: read_limits(settings)?,
            hyperparameters: settings.hyperparameters()?,
            max_length: settings.field("max_length")?.count("max_length")?,
            search: read_search(settings)?,
            settle: read_settle_plan(settings)?,
            certify_nodes: settings.field("certify_nodes")?.whole("certify_nodes")?,
            simplify: Simplification::read(settings)?,
            // an infinite number of seconds is not a duration
            time_limit: Duration::try_from_secs_f64(time_limit).ok(),
        })
    }
}

/// What is left out of the list that was found before it is returned.
#[derive(Debug, Clone, Copy)]
pub struct Simplification {
    /// Rules that captured no row.
    empty: bool,
    /// Then also a last rule that captured all rows that were left: the default rule takes its place.
    ends_in_else: bool,
}

impl Simplification {
    pub fn read(settings: Arg) -> Read<Self> {
        let is_set = |name: &str| Ok(settings.field(name)?.whole(name)? > 0);
        Ok(Simplification { empty: is_set("simplify")?, ends_in_else: is_set("ends_in_else")? })
    }

    /// What is returned, and the rule whose place the default rule took.
    pub fn apply(self, problem: &Problem, found: &CountedList) -> (CountedList, Option<u32>) {
        if !self.empty {
            return (found.clone(), None);
        }
        let list = problem.without_empty(found);
        let shorter = if self.ends_in_else { problem.with_last_as_default(&list) } else { None };
        shorter.map_or((list, None), |(list, last)| (list, Some(last)))
    }
}

/// Which of the lists that are equally good is returned: by a formula, the canonical one.
pub fn read_among_equals(settings: Arg) -> Read<AmongEquals> {
    Ok(match settings.field("ends_in_else")?.whole("ends_in_else")? {
        0 => AmongEquals::Found,
        _ => AmongEquals::Canonical,
    })
}

fn read_settle_plan(settings: Arg) -> Read<Option<SettlePlan>> {
    let max_work = settings.field("max_work")?.whole("max_work")?;
    let proves = settings.field("proves")?.whole("proves")? > 0;
    Ok((max_work > 0).then_some(SettlePlan { max_work, proves }))
}

fn read_limits(settings: Arg) -> Read<MiningLimits> {
    let count = |name: &str| settings.field(name)?.count(name);
    Ok(MiningLimits {
        min_items: count("rule_minlen")?,
        max_items: count("rule_maxlen")?,
        supports: settings.field("minsupport")?.doubles("minsupport")?,
        max_candidates: count("max_rules")?,
        target: settings.field("target_rules")?.optional_count("target_rules")?,
        joins_feature: settings.field("joins_feature")?.whole("joins_feature")? > 0,
    })
}

fn read_search(settings: Arg) -> Read<Settings> {
    Ok(Settings {
        method: match settings.field("method")?.text("method")?.as_str() {
            "mcmc" => Method::Mcmc,
            "map" => Method::Map,
            _ => return wrong("method", "\"mcmc\" or \"map\""),
        },
        n_chains: settings.field("nchain")?.count("nchain")?,
        iterations: settings.field("iters")?.whole("iters")?,
        seed: settings.field("seed")?.whole("seed")?,
        threads: settings.field("threads")?.threads()?,
        among_equals: read_among_equals(settings)?,
    })
}
