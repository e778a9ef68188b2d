//! Completion: writes CQEs into their queues in host memory (IBA volume 1, section 10.8).
//!
//! A queue that is full, or whose doorbell makes no sense, is broken from then on: what does not fit is lost and counted, and nothing that
//! the host has not taken is overwritten.

use hdl::{Bundle, Clocked, Item, Machine, Package, Probe, Quiet, Role, Visitor};

use crate::contexts::Queue;
use crate::host_dma::Transfer;
use crate::layout::CQE_BYTES;

hdl::machine! {
    /// Completion.
    pub enum State in completion_pkg {
        /// Waits for an entry.
        Idle => [Load],
        /// Reads the queue's row and its doorbell.
        Load => [Look],
        /// Is there room?
        Look => [Copy, Lose],
        /// Writes the CQE.
        Copy => [Store],
        /// Counts it.
        Store => [Done],
        /// The queue is broken.
        Lose => [Done],
        /// Reports the end.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// An entry, as layout.rs has it.
    pub struct Entry in completion_pkg {
        /// The queue.
        ring: u8 : 2,
        /// Count of the WQE.
        index: u16,
        /// QPN.
        pair: u8 : 4,
        /// Operation.
        operation: u8,
        /// Status.
        status: u8,
        /// QPN of the sender of a datagram.
        source: u32 : 24,
        /// Its LID.
        source_lid: u16,
        /// Bytes received.
        bytes: u32,
        /// Immediate data.
        immediate: u32,
    }
}

hdl::bundle! {
    /// Input pins of completion.
    pub struct In in completion_pkg {
        /// The entry; stays until `done`.
        entry: Entry,
        /// Starts; looked at in `Idle` only.
        start: bool,
        /// Row of the queue.
        row: Queue,
        /// Its doorbell.
        bell: u16,
        /// Host DMA reads a word of the entry.
        read: bool,
        /// Which one.
        word: u8 : 2,
        /// Host DMA is done.
        copied: bool,
    }
}

hdl::bundle! {
    /// Output pins of completion.
    pub struct Out in completion_pkg {
        /// Reads row and doorbell.
        load: bool,
        /// Writes the row.
        store: bool,
        /// The row.
        row: Queue,
        /// To host DMA.
        transfer: Transfer,
        /// Starts it; meanwhile its words come from here.
        copy: bool,
        /// Word of the entry that was read last.
        word: u64,
        /// The entry is written; high for one cycle.
        completed: bool,
        /// It is lost; high for one cycle.
        lost: bool,
        /// Over; high for one cycle.
        done: bool,
        /// Entries lost, counted.
        overflows: u16,
    }
}

hdl::bundle! {
    /// Registers of completion.
    pub struct Completion in completion_pkg {
        /// State.
        state: State,
        /// Row of the queue.
        row: Queue,
        /// Where the CQE goes.
        address: u32,
        /// Lap of the ring.
        lap: bool,
        /// Word of the entry that was read last.
        word: u64,
        /// Entries lost.
        overflows: u16,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "hca/completion_pkg",
    source: file!(),
    items: &[
        Item::Machine(State::TABLE),
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
    #[inline(always)]
    fn next(&mut self, pins: &In) {
        use State::*;
        let q = *self;
        let d = self;

        // The place of the next CQE, and whether it is free.
        let row = pins.row;
        let place = row.produced & ((1u32 << row.log) - 1) as u16;
        let waiting = row.produced.wrapping_sub(pins.bell);
        let room = row.valid && !row.broken && u32::from(waiting) < 1 << row.log;

        let entry = pins.entry;
        if pins.read {
            d.word = match pins.word {
                0 => {
                    u64::from(entry.source) << 32
                        | u64::from(entry.operation) << 24
                        | u64::from(entry.pair) << 16
                        | u64::from(entry.index)
                }
                1 => u64::from(entry.immediate) << 32 | u64::from(entry.bytes),
                2 => u64::from(entry.status) << 16 | u64::from(entry.source_lid),
                _ => q.lap.into(),
            };
        }

        match q.state {
            // Idle: the entry stays on its pins.
            Idle => {
                if pins.start {
                    d.state = Load;
                }
            }
            // Load: row and doorbell come in the next cycle.
            Load => d.state = Look,
            // Look: a bit that changes from lap to lap tells the host what is new.
            Look => {
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
            // Copy: the word with the lap goes last.
            Copy => {
                if pins.copied {
                    d.row.produced = q.row.produced.wrapping_add(1);
                    d.state = Store;
                }
            }
            // Store: the CQE counts from here on.
            Store => d.state = Done,
            // Lose: the row is written, so that the queue stays broken.
            Lose => {
                d.overflows = q.overflows.wrapping_add(1);
                d.state = Done;
            }
            // Done: whoever asked goes on.
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

    /// What completion did with an entry: the row that it wrote, and the cycles up to its end.
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
    fn queue_without_room_is_broken_from_then_on_and_what_is_lost_is_counted() {
        let mut completion = Completion::default();
        let full = Queue { produced: 16, ..ROW };
        // The doorbell of a host that has taken nothing; one beyond what was produced; a broken queue; none at all.
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
        // One place is room enough.
        assert!(write(&mut completion, full, 1).0.completed);
        assert_eq!(completion.outputs().overflows, 4);
    }
}
