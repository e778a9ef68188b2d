//! Sources of network interfaces for measurements.

use cluster::{AnyNic, Cluster, Machine};
use hdl::Model;

/// Creates network interfaces of a machine: models, RTL, or pairs in lockstep.
pub trait Nics<M: Machine> {
    /// `count` devices, freshly reset.
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<M>>>>;

    /// Settings of the machines around them.
    fn settings(&self) -> M::Settings {
        M::Settings::default()
    }
}

/// The source of fresh models for measurements without RTL.
pub struct Models<M: Machine>(pub M::Settings);

impl<M: Machine<Device: Default>> Nics<M> for Models<M> {
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<M>>>> {
        let model = || Box::new(Model::new(M::Device::default())) as Box<AnyNic<M>>;
        Ok(std::iter::repeat_with(model).take(count).collect())
    }

    fn settings(&self) -> M::Settings {
        self.0.clone()
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
