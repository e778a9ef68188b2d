//! The NIF's queues and rings for a program of a PE, as MPI/DE uses them.

use std::rc::Rc;

use cenju3::memory_map::{Addresses, Control, ENTRIES, ENTRY_BYTES, ENTRY_WORDS, Kind};
use cenju3::registers::{Register, cause};

use crate::deen::{DenEn, Library, Sending, StartError};
use crate::settings::Nif;
use crate::{Host, Settings, layout};

/// Rings that the library reads. Receive message buffer 1 is the kernel's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// Receive message buffer 0.
    Messages,
    /// Headers of DMA.
    Dma,
}

/// A header that has arrived, with the data of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Sending PE.
    pub from: usize,
    /// Bytes of data.
    pub bytes: u32,
    /// Address to which DMA has written them.
    pub address: u32,
    /// Words of the library.
    pub library: Library,
    /// Data of a message; empty for DMA.
    pub data: Vec<u8>,
}

/// A PE in the hands of a program.
pub struct Port {
    host: Host,
    deen: Rc<DenEn>,
    settings: Settings,
}

impl Port {
    pub(crate) fn new(host: Host, deen: Rc<DenEn>, settings: Settings) -> Self {
        Port { host, deen, settings }
    }

    /// The processor, memory and registers.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The operating system.
    pub fn deen(&self) -> &DenEn {
        &self.deen
    }

    /// Settings of the PE.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sets the NIF up; with `interrupts`, arrivals interrupt the processor. Faults always do.
    pub async fn open(&self, interrupts: bool) {
        let causes = cause::FAULT | if interrupts { cause::RING0 | cause::DMA } else { 0 };
        self.deen.set_up(&self.host, causes).await;
    }

    /// Sends: with the new ROM by an entry in the user's queue, once the lines of the source are replaced; with the old
    /// one by the kernel call. Returns the number of entries before.
    pub async fn send(&self, sending: &Sending) -> Result<u32, StartError> {
        match self.settings.nif {
            Nif::Old => self.deen.start_send(&self.host, sending).await,
            Nif::New => {
                if sending.cached {
                    self.host.replace(sending.source, sending.bytes).await;
                }
                Ok(self.deen.post(&self.host, sending).await)
            }
        }
    }

    /// Sends a message of at most 128 bytes, from uncached memory. An entry carries a byte at least.
    pub async fn send_message(&self, pe: u8, library: Library, data: &[u8]) -> Result<u32, StartError> {
        let number = self.deen.messages.get();
        self.deen.messages.set((number + 1) % ENTRIES);
        // A queue holds fewer entries than there are places for messages, so the message before in this place was read.
        let source = layout::message(number);
        let bytes = (data.len() as u32).max(1);
        self.host.write_uncached(source, data).await;
        let kind = Kind::Message0;
        self.send(&Sending { kind, pe, source, bytes, destination: 0, library, cached: false }).await
    }

    /// Looks once at a ring: the next header, and the data of a message. Both are read uncached, because the cache may
    /// hold stale lines.
    pub async fn look(&self, ring: Ring) -> Option<Arrived> {
        let (write, read, place) = match ring {
            Ring::Messages => (Register::RingWrite0, Register::RingRead0, 0),
            Ring::Dma => (Register::RingWrite2, Register::RingRead2, 1),
        };
        let next = self.deen.next[place].get();
        if self.host.read_register(write).await == u32::from(next) {
            return None;
        }
        self.host.processor().mark("header");
        let at = layout::headers([0, 2][place]) + u32::from(next) * ENTRY_BYTES;
        let words = self.host.read_uncached(at, 8 * usize::from(ENTRY_WORDS)).await;
        let word = |n: usize| u64::from_le_bytes(*words[8 * n..].first_chunk().expect("there are six words"));
        let (control, addresses) = (Control::from_bits(word(0)), Addresses::from_bits(word(1)));
        let data = match ring {
            Ring::Messages => self.host.read_uncached(addresses.source, control.length as usize).await,
            Ring::Dma => Vec::new(),
        };
        let next = (next + 1) % ENTRIES;
        self.deen.next[place].set(next);
        self.host.write_register(read, next.into()).await;
        Some(Arrived {
            from: control.pe.into(),
            bytes: control.length,
            address: addresses.source,
            library: [2, 3, 4, 5].map(word),
            data,
        })
    }
}
