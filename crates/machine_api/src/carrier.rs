//! MPI carriers of a machine, and the choice of one for a run.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use cluster::{Cluster, Duration, Machine};
use mpi::carrier::Wait;
use mpi::{Communicator, Options};

use crate::placement::Placement;

/// Available values of an option, and the reason why there are no others.
#[derive(Clone, Copy, Debug)]
pub struct Offer<T: 'static> {
    /// Available values, the default first.
    pub has: &'static [T],
    /// Reason, as the second half of a sentence.
    pub because: &'static str,
}

impl<T: fmt::Display> Offer<T> {
    /// Why `of` has no other values.
    pub fn reason(&self, of: &str) -> String {
        match self.has {
            [] => format!("{of} does not support it, because {}", self.because),
            values => format!("{of} has {}, because {}", listed(values), self.because),
        }
    }
}

/// Creates the communicator of all processes in the program of a node.
pub type Opening<M> = Box<dyn FnOnce(<M as Machine>::Port) -> Pin<Box<dyn Future<Output = Communicator>>>>;

/// A transport of MPI packets.
pub struct Carrier<M: Machine> {
    /// Name on the command line.
    pub name: &'static str,
    /// Description for help and reports.
    pub doc: &'static str,
    /// Largest number of ranks.
    pub most_ranks: usize,
    /// Kinds of waiting, the default first.
    pub waits: Offer<Wait>,
    /// Settable sizes of network packets in bytes.
    pub mtus: Offer<u16>,
    /// Whether the machine has stages of its messages.
    pub staged: bool,
    /// Prepares the carrier for a rank.
    pub open: fn(&mut Cluster<M>, usize, CarrierChoice<M>, Options) -> Opening<M>,
}

/// Choice of a carrier and its settings for a run.
pub struct CarrierChoice<M: Machine> {
    /// Carrier of all ranks.
    pub carrier: &'static Carrier<M>,
    /// Kind of waiting of all ranks.
    pub wait: Wait,
    /// Largest network packet in bytes; `None` for the value after reset.
    pub mtu: Option<u16>,
    /// Delay of each rank's start after the previous one.
    pub apart: Duration,
    /// Nodes of the ranks; `None` for one rank on each node.
    pub placement: Option<Placement>,
}

impl<M: Machine> Clone for CarrierChoice<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Machine> Copy for CarrierChoice<M> {}

impl<M: Machine> CarrierChoice<M> {
    /// The same with ranks at these places.
    pub fn at(self, placement: Placement) -> Self {
        CarrierChoice { placement: Some(placement), ..self }
    }
}

/// Options of the command line, as far as they were given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Name of a carrier.
    pub carrier: Option<&'a str>,
    /// Kind of waiting.
    pub wait: Option<Wait>,
    /// Largest network packet in bytes.
    pub mtu: Option<u16>,
}

/// An option that the machine does not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// Option with its placeholder, such as `--carrier <NAME>`.
    pub option: &'static str,
    /// Value on the command line.
    pub value: String,
    /// Reason, and the supported values.
    pub reason: String,
}

impl<M: Machine> CarrierChoice<M> {
    /// Choice of a run without options.
    pub fn over(carrier: &'static Carrier<M>) -> Self {
        CarrierChoice {
            carrier,
            wait: carrier.waits.has[0],
            mtu: None,
            apart: Duration::ZERO,
            placement: None,
        }
    }

    /// Nodes of the ranks in a cluster of `nodes` nodes.
    pub fn placement(&self, nodes: usize) -> Placement {
        self.placement.unwrap_or(Placement::new(nodes, 1))
    }

    /// Choice of the options, among the carriers of a machine.
    pub fn find(carriers: &'static [Carrier<M>], wanted: Wanted<'_>) -> Result<Self, Unmet> {
        let names = || listed(carriers.iter().map(|carrier| carrier.name));
        let carrier = match wanted.carrier {
            None => &carriers[0],
            Some(name) => carriers.iter().find(|carrier| carrier.name == name).ok_or_else(|| Unmet {
                option: "--carrier <NAME>",
                value: name.to_string(),
                reason: format!("{} has {}", M::TITLE, names()),
            })?,
        };
        let of = format!("{} of {}", carrier.name, M::TITLE);
        let wait = choose("--wait <HOW>", &of, carrier.waits, wanted.wait)?;
        let mtu = choose("--mtu <BYTES>", &of, carrier.mtus, wanted.mtu)?;
        Ok(CarrierChoice { mtu, wait: wait.unwrap_or(carrier.waits.has[0]), ..CarrierChoice::over(carrier) })
    }
}

fn choose<T: PartialEq + fmt::Display>(
    option: &'static str,
    of: &str,
    offer: Offer<T>,
    wanted: Option<T>,
) -> Result<Option<T>, Unmet> {
    let Some(value) = wanted else { return Ok(None) };
    if offer.has.contains(&value) {
        return Ok(Some(value));
    }
    Err(Unmet { option, value: value.to_string(), reason: offer.reason(of) })
}

fn listed(of: impl IntoIterator<Item: fmt::Display>) -> String {
    of.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", ")
}
