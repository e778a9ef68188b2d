//! Completion: writes CQEs into their queues in host memory (IBA volume 1, section 10.8).
//!
//! A queue that is full, or whose doorbell is out of range, is broken from then on: further CQEs are lost and
//! counted, and none that the host has not taken is overwritten.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

use crate::contexts::Queue;
use crate::host_dma::Transfer;
use crate::layout::CQE_BYTES;

hdl::fsm! {
    /// Completion.
    pub enum State in completion_pkg {
        /// Waits for a CQE.
        Idle => [Load: "start", Idle: "otherwise"],
        /// Reads the row of the queue and its doorbell.
        Load => [Look],
        /// Checks for room in the queue.
        Look => [Copy: "queue valid, room for the CQE", Lose: "queue full, broken or invalid"],
        /// Writes the CQE to host memory.
        Copy => [Store: "CQE written", Copy: "otherwise"],
        /// Writes the row with the new count.
        Store => [Done],
        /// Writes the row as broken.
        Lose => [Done],
        /// Reports that the CQE is written or lost.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// Fields of a CQE; `layout.rs` defines their positions.
    pub struct Entry in completion_pkg {
        /// Completion queue.
        ring: u8,
        /// Sequence number of the WQE in its queue; wraps.
        index: u16,
        /// QPN of the WQE.
        pair: u8,
        /// Operation of a CQE, as in layout.rs.
        operation: u8,
        /// How the WQE ended, a `Status`.
        status: u8,
        /// QPN of the sender of a datagram.
        source: u32 : 24,
        /// LID of the sender.
        source_lid: u16,
        /// Bytes received, or read by an RDMA READ.
        bytes: u32,
        /// Immediate data.
        immediate: u32,
    }
}

hdl::bundle! {
    /// Input pins of completion.
    pub struct In in completion_pkg {
        /// The CQE; stable until `done`.
        entry: Entry,
        /// Writes the CQE; ignored outside `Idle`.
        start: bool,
        /// Row of the completion queue.
        row: Queue,
        /// Doorbell of the queue: number of CQEs that the host has taken; wraps.
        bell: u16,
        /// Host DMA reads a word of the CQE.
        read: bool,
        /// Word of the CQE to read; 0 to 3.
        word: u8 : 2,
        /// Host DMA has written the last word.
        copied: bool,
    }
}

hdl::bundle! {
    /// Output pins of completion.
    pub struct Out in completion_pkg {
        /// Reads the row and the doorbell of the queue.
        load: bool,
        /// Writes the row of the queue.
        store: bool,
        /// Completion queue of the row.
        ring: u8,
        /// Row to write.
        row: Queue,
        /// Transfer of the CQE, for host DMA.
        transfer: Transfer,
        /// Starts the transfer; host DMA reads the words from `word`.
        copy: bool,
        /// Word of the CQE that was read last.
        word: u64,
        /// The CQE is written; high for one cycle.
        completed: bool,
        /// The CQE is lost; high for one cycle.
        lost: bool,
        /// The CQE is written or lost; high for one cycle.
        done: bool,
        /// CQEs lost; the counter wraps.
        overflows: u16,
    }
}

hdl::bundle! {
    /// Registers of completion.
    pub struct Completion in completion_pkg {
        /// Step of the CQE; `Idle` between CQEs.
        state: State,
        /// Completion queue.
        ring: u8,
        /// Row of the completion queue.
        row: Queue,
        /// Byte address of the CQE in host memory.
        address: u32,
        /// Lap bit of the CQE: 1 on odd laps of the ring.
        lap: bool,
        /// Word of the CQE that was read last.
        word: u64,
        /// CQEs lost; the counter wraps.
        overflows: u16,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/completion_pkg",
    source: file!(),
    items: &[
        Item::StateMachine(State::TABLE),
        Item::Bundle(Entry::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for Completion {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            load: q.state == Load,
            store: matches!(q.state, Store | Lose),
            ring: q.ring,
            row: q.row,
            transfer: Transfer { address: q.address, offset: 0, bytes: CQE_BYTES, to_host: true },
            copy: q.state == Copy,
            word: q.word,
            completed: q.state == Store,
            lost: q.state == Lose,
            done: q.state == Done,
            overflows: q.overflows,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.state == State::Idle { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Completion {
    /// A word of 8 bytes of the CQE; 0 to 3.
    #[inline(always)]
    fn word(&self, entry: &Entry, word: u8) -> u64 {
        match word {
            0 => {
                u64::from(entry.source) << 32
                    | u64::from(entry.operation) << 24
                    | u64::from(entry.pair) << 16
                    | u64::from(entry.index)
            }
            1 => u64::from(entry.immediate) << 32 | u64::from(entry.bytes),
            2 => u64::from(entry.status) << 16 | u64::from(entry.source_lid),
            _ => self.lap.into(),
        }
    }

    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;

        // Position of the next CQE in the ring, and whether the ring has room.
        let row = pins.row;
        let place = row.produced & ((1u32 << row.log) - 1) as u16;
        let waiting = row.produced.wrapping_sub(pins.bell);
        let room = row.valid && !row.broken && u32::from(waiting) < 1 << row.log;

        if pins.read {
            d.word = q.word(&pins.entry, pins.word);
        }

        match q.state {
            Idle => {
                if pins.start {
                    d.state = Load;
                }
            }
            // Load: row and doorbell arrive in the next cycle.
            Load => d.state = Look,
            // Look: the lap bit, which changes with every lap, shows the host which CQEs are new.
            Look => {
                d.ring = pins.entry.ring;
                d.row = row;
                d.address = row.base.wrapping_add(32 * u32::from(place));
                d.lap = u32::from(row.produced) >> row.log & 1 == 0;
                if room {
                    d.state = Copy;
                } else {
                    d.row.broken = true;
                    d.state = Lose;
                }
            }
            // Copy: the word with the lap bit is written last.
            Copy => {
                if pins.copied {
                    d.row.produced = q.row.produced.wrapping_add(1);
                    d.state = Store;
                }
            }
            Store => d.state = Done,
            Lose => {
                d.overflows = q.overflows.wrapping_add(1);
                d.state = Done;
            }
            Done => d.state = Idle,
        }
    }
}

impl Probe for Completion {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: Entry = Entry {
        ring: 2,
        index: 0x9876,
        pair: 0xb,
        operation: 0xa5,
        status: 0x5a,
        source: 0x00ab_cdef,
        source_lid: 0x8421,
        bytes: 0xfedc_ba98,
        immediate: 0x1234_5678,
    };
    const ROW: Queue =
        Queue { valid: true, broken: false, reserved: 0, log: 4, reserved1: 0, produced: 0, base: 0x1_0000 };

    /// The row that was written for a CQE, and the cycles until it was done.
    fn write(completion: &mut Completion, row: Queue, bell: u16) -> (Out, Option<Transfer>, u32) {
        let (mut written, mut transfer, mut cycles) = (None, None, 0);
        loop {
            let out = completion.outputs();
            if out.copy {
                transfer = Some(out.transfer);
            }
            if out.store {
                assert_eq!(written.replace(out), None);
            }
            let pins = In { entry: ENTRY, start: cycles == 0, row, bell, copied: out.copy, ..In::default() };
            let done = out.done;
            completion.tick(&pins);
            if done {
                assert_eq!(completion.state, State::Idle);
                return (written.expect("a row is written"), transfer, cycles);
            }
            cycles += 1;
        }
    }

    #[test]
    fn entry_goes_to_its_place_in_the_ring_and_is_counted() {
        for (produced, place) in [(0, 0), (15, 15), (16, 0), (0xffff, 15)] {
            let row = Queue { produced, ..ROW };
            let (out, transfer, cycles) = write(&mut Completion::default(), row, produced);
            let address = 0x1_0000 + 32 * place;
            let expected = Transfer { address, offset: 0, bytes: CQE_BYTES, to_host: true };
            assert_eq!(transfer, Some(expected));
            assert_eq!(out.row, Queue { produced: produced.wrapping_add(1), ..row });
            assert!(out.completed && !out.lost);
            // Idle, Load, Look, Copy, Store.
            assert_eq!(cycles, 5);
        }
    }

    #[test]
    fn words_are_those_of_the_layout_and_the_last_one_tells_the_lap() {
        for (produced, lap) in [(0, 1), (15, 1), (16, 0), (31, 0), (32, 1)] {
            let mut completion = Completion::default();
            let row = Queue { produced, ..ROW };
            let pins = In { entry: ENTRY, row, bell: produced, ..In::default() };
            completion.tick(&In { start: true, ..pins });
            (0..2).for_each(|_| completion.tick(&pins));
            let words: [u64; 4] = std::array::from_fn(|word| {
                completion.tick(&In { read: true, word: word as u8, ..pins });
                completion.outputs().word
            });
            let [source, low] = [0x00ab_cdef << 32, 0xa50b_9876];
            assert_eq!(words, [source | low, 0x1234_5678_fedc_ba98, 0x5a_8421, lap]);
            completion.tick(&In { word: 1, ..pins });
            assert_eq!(completion.outputs().word, lap, "nothing was read");
        }
    }

    #[test]
    fn full_queue_breaks_and_counts_lost_entries() {
        let mut completion = Completion::default();
        let full = Queue { produced: 16, ..ROW };
        // The doorbell of a host that has taken no CQE; one beyond the CQEs written; a broken queue; an
        // invalid queue.
        let cases = [
            (full, 0),
            (full, 17),
            (Queue { broken: true, ..full }, 16),
            (Queue { valid: false, ..full }, 16),
        ];
        for (lost, (row, bell)) in (1..).zip(cases) {
            let (out, transfer, cycles) = write(&mut completion, row, bell);
            assert_eq!((transfer, out.row), (None, Queue { broken: true, ..row }));
            assert!(out.lost && !out.completed);
            assert_eq!((completion.outputs().overflows, cycles), (lost, 4));
        }
        // One free place is enough.
        assert!(write(&mut completion, full, 1).0.completed);
        assert_eq!(completion.outputs().overflows, 4);
    }
}
