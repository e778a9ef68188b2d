//! How PEs are set up before they are switched on, and what of it a run can choose.

use cluster::Duration;
use lab::Wait;
use mpi::Progress;

use crate::cost::Costs;

/// Which ROM the NIF's logic is loaded from (paper, section 6.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nif {
    /// Entries of both queues are taken as they are, so the kernel has to write them.
    Old,
    /// One queue is the user's: masks limit what its entries reach.
    #[default]
    New,
}

/// How units of 8 KB follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Buffering {
    /// A unit is copied while the one before it is transferred (reading B).
    #[default]
    Double,
    /// A unit is copied when the one before it has left (reading A).
    Serial,
}

/// What `evc_wait` waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Events {
    /// Events count: one that came before the call is not lost.
    #[default]
    Counted,
    /// An event is a pulse, as it is printed: who does not wait misses it (hazard H12).
    Pulses,
}

/// Period of the progress thread in the paper's measurement (section 6.2.3).
pub const PROGRESS: Duration = Duration::from_us(mpi_de::PROGRESS_SECONDS as u64 * 1_000_000);
/// A shorter one, by which a rendezvous waits less for a rank that computes (hazard H10). Not printed; ours.
pub const PROGRESS_SHORT: Duration = Duration::from_us(10_000);

/// The settings of all PEs of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The ROM.
    pub nif: Nif,
    /// How a program of the main job waits in a call; one of MPI is told by its carrier.
    pub wait: Wait,
    /// Whether the library copies between the user's buffers and its own, as correct communication has to.
    pub copy: bool,
    /// How units follow each other.
    pub buffering: Buffering,
    /// What `evc_wait` waits for.
    pub events: Events,
    /// From one look of the progress thread to the next; none if there is no such thread (paper, section 6.2.2).
    pub progress: Option<Duration>,
    /// What steps cost.
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
            costs: Costs::PUBLISHED,
        }
    }
}

impl Settings {
    /// The progress thread of a rank, if it has one: a timeout of Mach's IPC wakes it as an event would, and it hands back to the user thread.
    pub(crate) fn thread(&self) -> Option<Progress> {
        let switch = self.costs.event + self.costs.hand_over;
        self.progress.map(|period| Progress { period, switch })
    }

    /// In words.
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
