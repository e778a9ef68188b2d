//! Where a measurement gets its network interfaces from.

use cluster::{AnyNic, Cluster, Machine};
use hdl::Model;

/// Makes network interfaces of a machine: models, RTL, or pairs in lockstep.
pub trait Nics<M: Machine> {
    /// So many, each after reset.
    fn open(&self, count: usize) -> anyhow::Result<Vec<Box<AnyNic<M>>>>;

    /// How the machines around them are set up.
    fn settings(&self) -> M::Settings {
        M::Settings::default()
    }
}

/// The models of a machine, with these settings around them.
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

/// Two of them.
pub fn two<M: Machine>(nics: &dyn Nics<M>) -> anyhow::Result<[Box<AnyNic<M>>; 2]> {
    let two = nics.open(2)?.try_into();
    Ok(two.unwrap_or_else(|_| unreachable!("two were asked for")))
}

/// The end of a run: what is compared only now comes first, for a divergence explains all other failures.
pub fn check<M: Machine, T, E>(cluster: &mut Cluster<M>, ran: Result<T, E>) -> anyhow::Result<T>
where
    anyhow::Error: From<E>,
{
    cluster.check().map_err(|error| anyhow::anyhow!(error))?;
    Ok(ran?)
}
