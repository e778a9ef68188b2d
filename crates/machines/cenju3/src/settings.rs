//! Settings of PEs before they are switched on, and the choices of a run.

use cluster::Duration;
use machine_api::Wait;
use mpi::{LibraryCost, Progress};

use crate::cost::Costs;

/// Length from which messages go by DMA, to a place that the receiver names (paper, section 5.1).
pub const PROTOCOL_SWITCH: usize = mpi_de::EAGER_LIMIT as usize;

/// The ROM that the NIF's logic is loaded from (paper, section 6.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nif {
    /// Entries of both queues are taken unchecked, so the kernel has to write them.
    Old,
    /// One queue is the user's: masks limit the addresses of its entries.
    #[default]
    New,
}

/// Order of the units of 8 KB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Buffering {
    /// A unit is copied while the one before it is transferred (reading B).
    #[default]
    Double,
    /// A unit is copied after the one before it has left (reading A).
    Serial,
}

/// Semantics of `evc_wait`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Events {
    /// Events count: an event before the call is not lost.
    #[default]
    Counted,
    /// An event is a pulse, as the paper prints it: a thread that does not wait misses it (hazard H12).
    Pulses,
}

/// Period of the progress thread in the paper's measurement (section 6.2.3).
pub const PROGRESS: Duration = Duration::from_us(mpi_de::PROGRESS_SECONDS as u64 * 1_000_000);
/// A shorter period, with which a rendezvous waits less for a rank that computes (hazard H10). Not published; our
/// choice.
pub const PROGRESS_SHORT: Duration = Duration::from_us(10_000);

/// The settings of all PEs of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The ROM.
    pub nif: Nif,
    /// How a program of the main job waits in a call; for one of MPI the carrier decides.
    pub wait: Wait,
    /// The library copies between the user's buffers and its own, as correct communication requires.
    pub copy: bool,
    /// Order of the units.
    pub buffering: Buffering,
    /// Semantics of `evc_wait`.
    pub events: Events,
    /// Period of the progress thread; none without such a thread (paper, section 6.2.2).
    pub progress: Option<Duration>,
    /// Cost of the own steps of the library of MPI; with [`LibraryCost::Looks`] the fitted time of its calls.
    pub library: LibraryCost,
    /// Costs of steps.
    pub costs: Costs,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            nif: Nif::default(),
            wait: Wait::Poll,
            copy: true,
            buffering: Buffering::default(),
            events: Events::default(),
            progress: None,
            library: LibraryCost::default(),
            costs: Costs::PUBLISHED,
        }
    }
}

impl Settings {
    /// Costs of steps without the fitted time of the library where another cost takes its place.
    pub(crate) fn charged(&self) -> Costs {
        match self.library {
            LibraryCost::Looks => self.costs,
            LibraryCost::Counted | LibraryCost::Off => Costs { software: Duration::ZERO, ..self.costs },
        }
    }

    /// The progress thread of a rank, if it has one: a timeout of Mach's IPC wakes it as an event would, and it hands
    /// back to the user thread.
    pub(crate) fn thread(&self) -> Option<Progress> {
        let switch = self.costs.event + self.costs.hand_over;
        self.progress.map(|period| Progress { period, switch })
    }

    /// The settings as text.
    pub fn says(&self) -> String {
        let nif = match self.nif {
            Nif::Old => "old",
            Nif::New => "new",
        };
        let copy = if self.copy { "" } else { ", without copies" };
        let progress = match self.progress {
            None => String::new(),
            Some(period) => format!(", a progress thread each {} ms", period.ps() / 1_000_000_000),
        };
        format!("{nif} NIF, wait by {}{copy}{progress}", self.wait)
    }
}
