//! Carriers of MPI that a machine has, and what a run chooses of them.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use cluster::{Cluster, Duration, Machine};
use mpi::carrier::Wait;
use mpi::{Communicator, Options};

/// What can be chosen, and why there is nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Offer<T: 'static> {
    /// All there is.
    pub has: &'static [T],
    /// Why not another, as the second half of a sentence.
    pub because: &'static str,
}

/// Becomes the communicator of all, in a program of the node.
pub type Opening<M> = Box<dyn FnOnce(<M as Machine>::Port) -> Pin<Box<dyn Future<Output = Communicator>>>>;

/// A way for packets of MPI to travel.
pub struct Carrier<M: Machine> {
    /// As it is typed.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Most ranks that there may be.
    pub most_ranks: usize,
    /// How a rank may wait; the first is how it does unless it is told.
    pub waits: Offer<Wait>,
    /// Bytes that a packet of the network may be set to carry.
    pub mtus: Offer<u16>,
    /// Whether the machine has stages for its messages.
    pub staged: bool,
    /// Makes one ready for a node.
    pub open: fn(&mut Cluster<M>, usize, Way<M>, Options) -> Opening<M>,
}

/// What a run chooses: which carrier, and how it is used.
pub struct Way<M: Machine> {
    /// The carrier.
    pub carrier: &'static Carrier<M>,
    /// How ranks wait.
    pub wait: Wait,
    /// Bytes that a packet of the network carries at most, if not as many as after reset.
    pub mtu: Option<u16>,
    /// Each node begins so much later than the one before.
    pub apart: Duration,
}

impl<M: Machine> Clone for Way<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Machine> Copy for Way<M> {}

/// Names and values as they were typed, if any were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Name of a carrier.
    pub carrier: Option<&'a str>,
    /// How ranks wait.
    pub wait: Option<Wait>,
    /// Bytes in a packet of the network.
    pub mtu: Option<u16>,
}

/// What cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The option.
    pub option: &'static str,
    /// Its value.
    pub value: String,
    /// Why it cannot be, and what can.
    pub reason: String,
}

impl<M: Machine> Way<M> {
    /// That of a run that chooses nothing.
    pub fn over(carrier: &'static Carrier<M>) -> Self {
        Way { carrier, wait: carrier.waits.has[0], mtu: None, apart: Duration::ZERO }
    }

    /// What was typed, of the carriers that a machine has.
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
        Ok(Way { mtu, wait: wait.unwrap_or(carrier.waits.has[0]), ..Way::over(carrier) })
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
    let has = if offer.has.is_empty() { "no choice of it".to_string() } else { listed(offer.has) };
    let reason = format!("{of} has {has}, because {}", offer.because);
    Err(Unmet { option, value: value.to_string(), reason })
}

fn listed(of: impl IntoIterator<Item: fmt::Display>) -> String {
    of.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", ")
}
