//! DenEn on Mach, as far as MPI/DE uses it: the kernel call that starts a send, and events (paper, sections 4, 6.1 and
//! 6.2).
//!
//! A PE has one processor: a handler preempts all threads. The handler signals an event, and a thread in `evc_wait`
//! goes on once the scheduler has switched to it. In MPI/DE's variant `intr` this is a thread of its own, which hands
//! over to the user thread.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use cenju3::memory_map::{Addresses, Control, ENTRIES, ENTRY_BYTES, Kind, LIBRARY_WORDS};
use cenju3::registers::{Register, cause};
use cluster::Signal;

use crate::fault::Fault;
use crate::settings::Events;
use crate::{Host, Settings, layout};

/// The entry of a send, as a program writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sending {
    /// Message or DMA.
    pub kind: Kind,
    /// Destination PE.
    pub pe: u8,
    /// Address of the data.
    pub source: u32,
    /// Number of bytes.
    pub bytes: u32,
    /// Destination address of DMA.
    pub destination: u32,
    /// Words of the library that travel with the entry.
    pub library: Library,
    /// Lines of the source may be in the cache.
    pub cached: bool,
}

/// Words of the library in an entry, of 8 bytes each.
pub type Library = [u64; LIBRARY_WORDS as usize];

impl Sending {
    /// The entry in the queue.
    fn bytes(&self) -> Vec<u8> {
        let control = Control { kind: self.kind.code(), pe: self.pe, length: self.bytes };
        let addresses = Addresses { source: self.source, destination: self.destination };
        let words = [control.bits(), addresses.bits()].into_iter().chain(self.library);
        words.flat_map(u64::to_le_bytes).collect()
    }

    /// Whether a task may send this: from its units and messages, into the window of another PE (paper, section 6.4:
    /// the kernel checks for illegal areas).
    fn check(&self) -> Result<(), StartError> {
        let within =
            |address: u32, from: u32, to: u32| (from..to).contains(&address) && self.bytes <= to - address;
        let reads = within(self.source, layout::SEND, layout::ALIAS);
        let writes = self.kind != Kind::Dma
            || within(self.destination, layout::WINDOW, layout::WINDOW + layout::WINDOW_BYTES);
        let address = if reads { self.destination } else { self.source };
        let illegal = StartError::Illegal { pe: self.pe, bytes: self.bytes, address };
        if reads && writes && self.bytes > 0 { Ok(()) } else { Err(illegal) }
    }
}

/// The operating system of a PE.
#[derive(Default)]
pub struct DenEn {
    events: Events,
    /// Events since power-up.
    count: Cell<u64>,
    arrival: Signal,
    /// Faults that the task was not told of.
    faults: RefCell<VecDeque<Fault>>,
    /// Entries written into queue 1, which gives the place of the next one.
    written: Cell<u32>,
    /// State of the task: the next header of each ring, and the place of the next message.
    pub(crate) next: [Cell<u8>; 2],
    pub(crate) messages: Cell<u8>,
}

/// Why the start of a send is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Data would leave an area that the task may not send, or land outside of another task's window.
    #[error("an entry for PE {pe} with {bytes} bytes at {address:#x} is not the user's to send")]
    Illegal {
        /// Destination PE.
        pe: u8,
        /// Number of bytes.
        bytes: u32,
        /// The illegal address.
        address: u32,
    },
}

impl From<StartError> for mpi::Error {
    fn from(StartError::Illegal { .. }: StartError) -> Self {
        mpi::Error::Refused("the kernel refused an entry that is not the user's to send")
    }
}

impl DenEn {
    pub(crate) fn new(settings: &Settings) -> Self {
        DenEn { events: settings.events, ..DenEn::default() }
    }

    /// Events so far; a program reads the count before it looks and waits.
    pub fn count(&self) -> u64 {
        self.count.get()
    }

    /// The oldest fault that the kernel has found and the task was not told of.
    pub fn fault(&self) -> Option<Fault> {
        self.faults.borrow_mut().pop_front()
    }

    /// The handler of the NIF's interrupt: clears its causes, stores faults, and signals the event.
    pub(crate) async fn interrupt(&self, host: &Host) {
        let causes = host.read_register(Register::InterruptCause).await;
        host.write_register(Register::InterruptCause, causes).await;
        if causes & u32::from(cause::FAULT) != 0 {
            let faults = Fault::read(host).await;
            self.faults.borrow_mut().extend(faults);
        }
        self.count.set(self.count.get() + 1);
        self.arrival.raise(host.processor());
    }

    /// `evc_wait`: sleeps until there are more events than `seen`; with pulses, until the next event (hazard H12).
    pub async fn evc_wait(&self, host: &Host, seen: u64) {
        if self.events == Events::Counted && self.count.get() != seen {
            return;
        }
        let what = "an event of the NIF";
        self.arrival.wait(host.processor(), what).await;
        host.compute(host.costs().event).await;
    }

    /// The kernel call that starts a send (paper, section 6.1): checks the user's arguments, copies the entry that it
    /// checked, translates by the fixed mapping, flushes the lines of the source if they may be in the cache, and
    /// starts the NIF.
    pub async fn start_send(&self, host: &Host, entry: &Sending) -> Result<u32, StartError> {
        host.compute(host.costs().kernel_call).await;
        entry.check()?;
        if entry.cached {
            host.flush(entry.source, entry.bytes).await;
        }
        Ok(self.post(host, entry).await)
    }

    /// Writes an entry into queue 1 and tells the NIF; returns the number of entries before. Queue 1 is the user's with
    /// the new ROM; with the old one only the kernel writes it. Waits for room, of which one entry is never used
    /// (hazard H20).
    pub async fn post(&self, host: &Host, sending: &Sending) -> u32 {
        let number = self.written.get();
        let [place, next] = [number, number + 1].map(|number| number % u32::from(ENTRIES));
        while !self.has_room(host).await {
            host.compute(host.costs().turn).await;
        }
        self.written.set(number.wrapping_add(1));
        host.write_uncached(layout::queue(1) + place * ENTRY_BYTES, &sending.bytes()).await;
        host.write_register(QUEUE_WRITE, next).await;
        number
    }

    /// Whether queue 1 has room for an entry.
    pub async fn has_room(&self, host: &Host) -> bool {
        let next = (self.written.get() + 1) % u32::from(ENTRIES);
        host.read_register(QUEUE_READ).await != next
    }

    /// Whether the NIF has read the data of an entry, so that its place may be overwritten (hazard H14).
    pub async fn was_read(&self, host: &Host, number: u32) -> bool {
        let read = host.read_register(QUEUE_READ).await;
        let written = self.written.get();
        let waiting = written.wrapping_sub(read) % u32::from(ENTRIES);
        written.wrapping_sub(number) > waiting
    }

    /// Sets the NIF of a PE up for its only task: queues, rings, window, causes of interrupts; then starts it.
    pub async fn set_up(&self, host: &Host, causes: u8) {
        let node = host.processor().node() as u32;
        for (register, value) in [
            (Register::Pe, node),
            (Register::QueueBase0, layout::queue(0)),
            (Register::QueueBase1, layout::queue(1)),
            (Register::HeaderBase0, layout::headers(0)),
            (Register::HeaderBase1, layout::headers(1)),
            (Register::HeaderBase2, layout::headers(2)),
            (Register::DataBase0, layout::data(0)),
            (Register::DataBase1, layout::data(1)),
            (Register::AddressBase, layout::WINDOW),
            (Register::PeBase, 0),
            (Register::PeMask, 0xff),
            (Register::InterruptEnable, causes.into()),
            (Register::Control, 1),
        ] {
            host.write_register(register, value).await;
        }
    }
}

const QUEUE_WRITE: Register = Register::QueueWrite1;
const QUEUE_READ: Register = Register::QueueRead1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{SEND, UNIT, WINDOW};

    const SENDING: Sending = Sending {
        kind: Kind::Dma,
        pe: 3,
        source: SEND,
        bytes: UNIT,
        destination: WINDOW,
        library: [0; 4],
        cached: true,
    };

    #[test]
    fn kernel_sends_what_lies_in_the_users_areas_and_nothing_else() {
        assert_eq!(SENDING.check(), Ok(()));
        for wrong in [
            Sending { bytes: 0, ..SENDING },
            Sending { source: 0, ..SENDING },
            Sending { source: layout::ALIAS - 8, ..SENDING },
            Sending { destination: WINDOW + layout::WINDOW_BYTES - 8, ..SENDING },
            Sending { destination: WINDOW - 8, ..SENDING },
            Sending { source: u32::MAX - 7, ..SENDING },
        ] {
            let error = wrong.check().unwrap_err().to_string();
            assert!(error.contains("PE 3"), "{error}");
        }
        let message = Sending { kind: Kind::Message0, destination: 0, ..SENDING };
        assert_eq!(message.check(), Ok(()), "a message goes where the receiver says");
    }

    #[test]
    fn entry_is_six_words_with_those_of_the_library_behind_two() {
        let bytes = Sending { library: [1, 2, 3, 4], ..SENDING }.bytes();
        assert_eq!(bytes.len(), 48);
        assert_eq!((bytes[0], bytes[1], bytes[16], bytes[40]), (2, 3, 1, 4));
        assert_eq!(bytes[4..8], UNIT.to_le_bytes());
    }
}
