//! How PEs are set up before they are switched on, and what of it a run can choose.

use lab::Wait;

use crate::cost::Costs;
use crate::layout::{self, MOST_MEMORY, MemoryError};

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
    /// What steps cost.
    pub costs: Costs,
    pub(crate) memory: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            nif: Nif::default(),
            wait: Wait::Poll,
            copy: true,
            buffering: Buffering::default(),
            events: Events::default(),
            costs: Costs::PUBLISHED,
            memory: MOST_MEMORY,
        }
    }
}

impl Settings {
    /// In words.
    pub fn says(&self) -> String {
        let nif = match self.nif {
            Nif::Old => "old",
            Nif::New => "new",
        };
        let copy = if self.copy { "" } else { ", without copies" };
        format!("{nif} NIF, wait by {}{copy}", self.wait)
    }

    /// Bytes of local memory.
    pub fn memory(&self) -> u32 {
        self.memory
    }

    /// The same with so many bytes of local memory, if a PE can start with them.
    pub fn with_memory(self, memory: u32) -> Result<Self, MemoryError> {
        layout::check(memory)?;
        Ok(Settings { memory, ..self })
    }
}
