//! Fits costs to published rows, to see what they predict for other rows.

use std::collections::BTreeMap;

use cluster::Duration;
use cluster::host::{Cost, HostCosts, Pace};

use crate::Nics;
use crate::conditions::{Conditions, Request};
use crate::published::Row;
use crate::reproduction::Evaluated;

/// Fitted costs and the quality of the fit.
#[derive(Clone, Debug)]
pub struct Fit<C> {
    /// All costs; those that were not fitted have their published values.
    pub costs: C,
    /// Number of measurements.
    pub tried: usize,
    /// Root mean square error of the rows of the fit, in percent.
    pub error_percent: f64,
}

/// Last step size, as a fraction of a cost.
const FINEST: f64 = 0.01;
/// First step size, as a fraction of a cost.
const COARSEST: f64 = 0.64;
/// Largest factor, and inverse of the smallest, between a fitted cost and its value from the sources.
const REACH: f64 = 4.0;

/// Granularity in ps: whole cycles of the card's first clock for costs independent of the computer,
/// otherwise 0.1 ns.
fn grain<M: Evaluated>(cost: &Cost) -> f64 {
    match cost.pace {
        Pace::Fixed => M::CLOCKS.domain(0).period.ps() as f64,
        Pace::Processor | Pace::FrontSideBus | Pace::Memory | Pace::Pci => 100.0,
    }
}

/// Smallest value in ps: the time that a bus takes on its own cannot shrink.
fn least(cost: &Cost, grain: f64) -> f64 {
    let alone = cost.sources_alone.ps() as f64;
    match cost.pace {
        Pace::Fixed => alone,
        Pace::Processor | Pace::FrontSideBus | Pace::Memory | Pace::Pci => (alone / REACH).max(grain),
    }
}

/// Fits every cost with `fitted_to` rows to the rows `ids`, beginning with the values from the sources; costs
/// on which the rows do not depend keep them. Coordinate descent with decreasing steps: the same rows give
/// the same costs on any computer.
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

/// Published costs with these values of the free ones.
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
    /// Errors measured so far, by values.
    known: BTreeMap<Vec<u64>, f64>,
}

impl<M: Evaluated> Search<'_, M> {
    /// Sum of squared logarithmic errors, so that twice and half the published value are equally wrong.
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

/// Measures rows, and of curves only the sizes of rows.
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
