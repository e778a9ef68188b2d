//! Costs that are fitted to published rows, to see what they foretell of the others.

use std::collections::BTreeMap;

use cluster::Duration;
use cluster::host::{Cost, HostCosts, Pace};

use crate::Nics;
use crate::conditions::{Conditions, Request};
use crate::evaluation::Evaluated;
use crate::published::Row;

/// Costs that were fitted, and how well.
#[derive(Clone, Debug)]
pub struct Fit<C> {
    /// All costs: those that were not fitted are as published.
    pub costs: C,
    /// What was tried, in measurements.
    pub tried: usize,
    /// Root of the mean square of the errors of the rows that it was fitted to, in percent.
    pub error_percent: f64,
}

/// A step of this part of a cost is the last one that is tried.
const FINEST: f64 = 0.01;
/// The first step, as a part of a cost.
const COARSEST: f64 = 0.64;
/// No cost gets beyond this many times what the sources alone make it, nor below the inverse.
const REACH: f64 = 4.0;

/// What goes by no processor is whole cycles of the card's first clock; the rest is tenths of nanoseconds.
fn grain<M: Evaluated>(cost: &Cost) -> f64 {
    match cost.pace {
        Pace::Apart => M::CLOCKS.domain(0).period.ps() as f64,
        Pace::Processor | Pace::Bus => 100.0,
    }
}

/// What a bus takes by itself nothing makes shorter.
fn least(cost: &Cost, grain: f64) -> f64 {
    let alone = cost.sources_alone.ps() as f64;
    match cost.pace {
        Pace::Apart => alone,
        Pace::Processor | Pace::Bus => (alone / REACH).max(grain),
    }
}

/// Fits every cost that published measurements chose to the rows `ids`, beginning with what the sources alone make of them; what the
/// rows do not tell stays at that. One cost after the other is made longer or shorter as long as it helps, by smaller and smaller
/// steps: the same rows give the same costs on any machine.
pub fn fit<M: Evaluated>(nics: &(dyn Nics<M> + Sync), ids: &[&str]) -> anyhow::Result<Fit<M::Costs>> {
    let free: Vec<_> = M::Costs::TABLE.iter().filter(|cost| !cost.fitted_to.is_empty()).collect();
    let mut search = Search::<M> { nics, ids, free: &free, known: BTreeMap::new() };
    let mut best: Vec<f64> = free.iter().map(|cost| cost.sources_alone.ps() as f64).collect();
    let mut error = search.error(&best)?;
    let mut step = COARSEST;
    while step >= FINEST {
        let mut helped = false;
        for (place, cost) in free.iter().enumerate() {
            let alone = cost.sources_alone.ps() as f64;
            let grain = grain::<M>(cost);
            let way = ((best[place] * step / grain).round() * grain).max(grain);
            for to in [best[place] + way, best[place] - way] {
                if to < least(cost, grain) || to > alone * REACH {
                    continue;
                }
                let mut other = best.clone();
                other[place] = to;
                let tried = search.error(&other)?;
                if tried < error {
                    (best, error, helped) = (other, tried, true);
                }
            }
        }
        if !helped {
            step /= 2.0;
        }
    }
    let tried = search.known.len();
    let error_percent = 100.0 * (error / ids.len() as f64).sqrt();
    Ok(Fit { costs: costs::<M>(&free, &best), tried, error_percent })
}

/// Costs as published, with these values for those that are free.
fn costs<M: Evaluated>(free: &[&Cost], values: &[f64]) -> M::Costs {
    let mut costs = M::Costs::default();
    for (cost, value) in free.iter().zip(values) {
        *costs.get_mut(cost.field).expect("the table has the fields") = Duration::from_ps(*value as u64);
    }
    costs
}

struct Search<'a, M: Evaluated> {
    nics: &'a (dyn Nics<M> + Sync),
    ids: &'a [&'a str],
    free: &'a [&'static Cost],
    /// Errors that were measured.
    known: BTreeMap<Vec<u64>, f64>,
}

impl<M: Evaluated> Search<'_, M> {
    /// Sum of the squares of the errors, as logarithms: twice as long is as wrong as half as long.
    fn error(&mut self, values: &[f64]) -> anyhow::Result<f64> {
        let key: Vec<u64> = values.iter().map(|value| *value as u64).collect();
        if let Some(error) = self.known.get(&key) {
            return Ok(*error);
        }
        let conditions = Conditions { costs: costs::<M>(self.free, values), ..Conditions::default() };
        let rows = rows::<M>(self.nics, &conditions, self.ids)?;
        let error = rows.iter().map(|row| (row.measured / row.published).ln().powi(2)).sum();
        self.known.insert(key, error);
        Ok(error)
    }
}

/// Measures rows, and of curves only what they hang on.
pub fn rows<M: Evaluated>(
    nics: &(dyn Nics<M> + Sync),
    conditions: &Conditions<M::Costs>,
    ids: &[&str],
) -> anyhow::Result<Vec<Row>> {
    let figures: Vec<_> =
        M::PUBLICATION.rows.iter().filter(|row| ids.contains(&row.id)).map(|row| row.figure).collect();
    let asked = |figure: &str| figures.contains(&figure);
    let request = Request { figure: &asked, brief: true };
    let mut rows = M::measure(nics, conditions, request)?.rows;
    rows.retain(|row| ids.contains(&row.id));
    Ok(rows)
}
