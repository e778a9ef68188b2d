//! Sources of network interfaces for measurements.

use cluster::{AnyNic, Cluster, Machine};

/// Creates network interfaces of a machine: models, RTL, or pairs in lockstep.
pub trait Nics<M: Machine> {
    /// `count` devices, freshly reset.
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<M>>>>;

    /// Settings of the machines around them.
    fn settings(&self) -> M::Settings {
        M::Settings::default()
    }
}

/// Two devices, freshly reset.
pub fn two<M: Machine>(nics: &dyn Nics<M>) -> anyhow::Result<[Box<AnyNic<M>>; 2]> {
    let two = nics.open(2)?.try_into();
    Ok(two.unwrap_or_else(|_| unreachable!("two were asked for")))
}

/// Ends a run. Deferred lockstep comparisons are checked first, because a divergence explains all other
/// failures.
pub fn check<M: Machine, T, E>(cluster: &mut Cluster<M>, ran: Result<T, E>) -> anyhow::Result<T>
where
    anyhow::Error: From<E>,
{
    cluster.check().map_err(|error| anyhow::anyhow!(error))?;
    Ok(ran?)
}
