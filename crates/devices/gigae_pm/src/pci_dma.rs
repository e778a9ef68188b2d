//! PCI DMA: moves words between host memory and NIC memory as bus master (paper, table 1).
//!
//! From register setup through completion, a transfer from the host takes 2.30 us + 0.03 us a word,
//! one to the host 2.00 us + 0.03 us a word, at one word a cycle. On an idle bus, n words take 77 +
//! n and 67 + n cycles of 30 ns, from the cycle of the start through the cycle with `done`: 2.31
//! and 2.01 us plus 0.03 us a word.
//!
//! A buffer that is not wholly inside the pinned area of its ring is refused before the bus is
//! requested.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, StateMachine, Visitor};

/// Cycles of a transfer from the host, without its words (table 1: 2.30 us).
pub const FROM_HOST_CYCLES: u8 = 77;
/// Cycles of a transfer to the host, without its words (table 1: 2.00 us).
pub const TO_HOST_CYCLES: u8 = 67;
/// Cycles of a transfer that are not in `Setup`: one each in `Idle`, `Check`, `Request` and `Done`.
const OTHER_CYCLES: u8 = 4;

hdl::fsm! {
    /// PCI DMA engine.
    pub enum State in pci_dma_pkg {
        /// Waits for a transfer.
        Idle => [Check: "start", Idle: "otherwise"],
        /// Checks that the buffer is pinned.
        Check => [Setup: "buffer pinned", Done: "buffer not pinned"],
        /// Sets up registers and waits for the target's first word.
        Setup => [Request: "setup cycles over", Setup: "otherwise"],
        /// Waits for the bus.
        Request => [Transfer: "bus granted", Request: "otherwise"],
        /// Moves words.
        Transfer => [Done: "last word moved", Transfer: "otherwise"],
        /// Reports the end.
        Done => [Idle],
    }
}

hdl::bundle! {
    /// A transfer between host memory and NIC memory.
    pub struct Transfer in pci_dma_pkg {
        /// Byte address in host memory; its two lowest bits are ignored.
        host_address: u32,
        /// Word address in NIC memory.
        nic_address: u32 : 18,
        /// Words to move, at least one.
        words: u16 : 9,
        /// Direction: to the host; otherwise from the host.
        to_host: bool,
        /// Byte address of the pinned area in host memory.
        area: u32,
    }
}

hdl::bundle! {
    /// Input pins of PCI DMA.
    pub struct In in pci_dma_pkg {
        /// The transfer to start.
        transfer: Transfer,
        /// Starts the transfer; only while `idle`.
        start: bool,
        /// From the bus: word of host memory.
        rdata: u32,
        /// From the bus: the card is master.
        grant: bool,
        /// From the bus: a word is transferred in this cycle.
        ready: bool,
    }
}

hdl::bundle! {
    /// Output pins of PCI DMA.
    pub struct Out in pci_dma_pkg {
        /// To the bus: requests the bus.
        request: bool,
        /// To the bus: words are transferred.
        transfer: bool,
        /// To the bus: to host memory.
        write: bool,
        /// To the bus: byte address in host memory.
        address: u32,
        /// Word of NIC memory.
        memory_address: u32 : 18,
        /// Reads the word at `memory_address`.
        memory_read: bool,
        /// Reads it if the bus takes the word read before.
        memory_next: bool,
        /// Writes the word at `memory_address`.
        memory_write: bool,
        /// Word to write.
        memory_wdata: u32,
        /// A transfer is over; high for one cycle.
        done: bool,
        /// With `done`: the transfer was refused, because the buffer is not pinned.
        refused: bool,
    }
}

hdl::bundle! {
    /// Registers of PCI DMA.
    pub struct PciDma in pci_dma_pkg {
        /// Step of the transfer.
        state: State,
        /// Next byte address in host memory.
        host_address: u32,
        /// Next word in NIC memory.
        nic_address: u32 : 18,
        /// Words left.
        words: u16 : 9,
        /// Direction: to the host.
        to_host: bool,
        /// Byte address of the pinned area.
        area: u32,
        /// Cycles left in `Setup`, less one.
        setup: u8 : 7,
        /// Word from the host.
        wdata: u32,
        /// Word address of that word in NIC memory.
        write_address: u32 : 18,
        /// Writes `wdata` to NIC memory.
        write: bool,
        /// The transfer was refused.
        refused: bool,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/pci_dma_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "FromHostSetup",
            width: 7,
            value: (FROM_HOST_CYCLES - OTHER_CYCLES) as u64,
            doc: "Cycles in `Setup` of a transfer from the host.",
        },
        Item::Constant {
            name: "ToHostSetup",
            width: 7,
            value: (TO_HOST_CYCLES - OTHER_CYCLES) as u64,
            doc: "Cycles in `Setup` of a transfer to the host.",
        },
        Item::StateMachine(State::TABLE),
        Item::Bundle(Transfer::TABLE),
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for PciDma {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        use State::*;
        let q = self;
        Out {
            request: matches!(q.state, Request | Transfer),
            transfer: q.state == Transfer,
            write: q.to_host,
            address: q.host_address,
            memory_address: if q.write { q.write_address } else { q.nic_address },
            memory_read: q.state == Request && q.to_host,
            memory_next: q.state == Transfer && q.to_host,
            memory_write: q.write,
            memory_wdata: q.wdata,
            done: q.state == Done,
            refused: q.refused,
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        match self.state {
            State::Idle if !self.write => Quiet::UntilInput,
            State::Setup if self.setup != 0 => Quiet::For(self.setup.into()),
            _ => Quiet::Busy,
        }
    }

    fn skip(&mut self, cycles: u64) {
        if self.state == State::Setup {
            self.setup -= cycles as u8;
        }
    }
}

impl PciDma {
    /// Whether the buffer lies within the pinned area. The offset of a buffer below the area wraps to far
    /// beyond its end.
    #[inline(always)]
    fn is_pinned(&self) -> bool {
        let size = if self.to_host {
            crate::memory_map::RECEIVE_AREA_BYTES
        } else {
            crate::memory_map::SEND_AREA_BYTES
        };
        let first = self.host_address.wrapping_sub(self.area);
        let end = u64::from(first) + 4 * u64::from(self.words);
        first < size && end <= u64::from(size)
    }

    #[inline(always)]
    fn latch(&mut self, transfer: &Transfer) {
        self.host_address = transfer.host_address & !3;
        self.nic_address = transfer.nic_address;
        self.words = transfer.words;
        self.to_host = transfer.to_host;
        self.area = transfer.area;
        self.refused = false;
    }

    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        use State::*;
        let q = self;
        let mut d = *q;

        let pinned = q.is_pinned();

        d.write = false;
        match q.state {
            // Idle: a transfer is latched.
            Idle => {
                if pins.start {
                    d.latch(&pins.transfer);
                    d.state = Check;
                }
            }
            // Check: the first and the last byte must be pinned.
            Check => {
                d.setup = if q.to_host { TO_HOST_CYCLES } else { FROM_HOST_CYCLES } - OTHER_CYCLES - 1;
                d.refused = !pinned;
                d.state = if pinned { Setup } else { Done };
            }
            // Setup: the time that table 1 gives for a transfer of no words.
            Setup => {
                d.setup = Self::WIDTHS.setup.wrap(q.setup.wrapping_sub(1));
                if q.setup == 0 {
                    d.state = Request;
                }
            }
            // Request: for a transfer to the host, the first word is read meanwhile.
            Request => {
                if pins.grant {
                    if q.to_host {
                        d.nic_address = Self::WIDTHS.nic_address.wrap(q.nic_address + 1);
                    }
                    d.state = Transfer;
                }
            }
            // Transfer: to the host, each word is read while the one before it is sent.
            Transfer => {
                if pins.ready {
                    d.write = !q.to_host;
                    d.wdata = pins.rdata;
                    d.write_address = q.nic_address;
                    d.host_address = q.host_address.wrapping_add(4);
                    d.nic_address = Self::WIDTHS.nic_address.wrap(q.nic_address + 1);
                    d.words = Self::WIDTHS.words.wrap(q.words.wrapping_sub(1));
                    if q.words == 1 {
                        d.state = Done;
                    }
                }
            }
            // Done: the last word from the host is written in this cycle.
            Done => d.state = Idle,
        }
        d
    }
}

impl Probe for PciDma {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: u32 = 0x10_0000;

    fn transfer(words: u16, to_host: bool) -> Transfer {
        Transfer { host_address: AREA + 64, nic_address: 0x8000, words, to_host, area: AREA }
    }

    /// Result of a transfer.
    struct Ran {
        /// Cycles up to `done`.
        cycles: u32,
        /// Words to NIC memory, by address.
        to_nic: Vec<(u32, u32)>,
        /// Words to host memory, by address.
        to_host: Vec<(u32, u32)>,
        refused: bool,
    }

    fn run(transfer: Transfer, ready: impl Fn(u32) -> bool) -> Ran {
        let mut dma = PciDma::default();
        let (mut to_nic, mut to_host, mut memory) = (Vec::new(), Vec::new(), 0);
        for cycle in 0..10_000 {
            let out = dma.outputs();
            let ready = ready(cycle) && out.transfer;
            if out.memory_write {
                to_nic.push((out.memory_address, out.memory_wdata));
            }
            if ready && out.write {
                to_host.push((out.address, memory));
            }
            if out.done {
                return Ran { cycles: cycle + 1, to_nic, to_host, refused: out.refused };
            }
            let rdata = out.address ^ 0x5555;
            dma.tick(&In { transfer, start: cycle == 0, rdata, grant: out.request, ready });
            if out.memory_read || out.memory_next && ready {
                memory = !out.memory_address;
            }
        }
        panic!("a transfer ends");
    }

    /// The words of a transfer of `words` words, in either direction.
    fn from_host(words: u32) -> Vec<(u32, u32)> {
        (0..words).map(|i| (0x8000 + i, (AREA + 64 + 4 * i) ^ 0x5555)).collect()
    }

    fn to_host(words: u32) -> Vec<(u32, u32)> {
        (0..words).map(|i| (AREA + 64 + 4 * i, !(0x8000 + i))).collect()
    }

    #[test]
    fn area_may_lie_anywhere_in_the_memory_of_the_host() {
        for area in (20..32).map(|bit| 1 << bit) {
            let ran = run(Transfer { host_address: area + 64, area, ..transfer(2, true) }, |_| true);
            let addresses = ran.to_host.iter().map(|(address, _)| *address).collect::<Vec<_>>();
            assert_eq!((addresses, ran.refused), (vec![area + 64, area + 68], false));
        }
    }

    #[test]
    fn transfer_of_n_words_takes_the_time_of_table_1() {
        for words in [1, 2, 3, 4, 10, 11, 100, 367, 379] {
            let ran = run(transfer(words, false), |_| true);
            assert_eq!((ran.cycles, ran.to_nic), (77 + u32::from(words), from_host(words.into())));
            // In microseconds, within the two digits given in the paper.
            let time = f64::from(ran.cycles) * 0.03;
            assert!((time - (2.30 + 0.03 * f64::from(words))).abs() < 0.011);

            let ran = run(transfer(words, true), |_| true);
            assert_eq!((ran.cycles, ran.to_host), (67 + u32::from(words), to_host(words.into())));
            let time = f64::from(ran.cycles) * 0.03;
            assert!((time - (2.00 + 0.03 * f64::from(words))).abs() < 0.011);
        }
    }

    #[test]
    fn transfer_stalls_while_the_bus_is_not_ready() {
        let ran = run(transfer(7, false), |cycle| cycle % 3 == 0);
        assert!(ran.cycles > 77 + 14);
        assert_eq!(ran.to_nic, from_host(7));
        assert_eq!(run(transfer(7, true), |cycle| cycle % 3 == 0).to_host, to_host(7));
    }

    #[test]
    fn check_refuses_what_is_not_wholly_pinned() {
        let size = crate::memory_map::SEND_AREA_BYTES;
        let at = |host_address, words| run(Transfer { host_address, words, ..transfer(1, false) }, |_| true);
        assert!(!at(AREA, 1).refused && !at(AREA + size - 4, 1).refused);
        for (address, words) in [(AREA - 4, 1), (AREA + size, 1), (AREA + size - 4, 2), (0, 1), (!3, 2)] {
            let ran = at(address, words);
            assert!(ran.refused && ran.to_nic.is_empty() && ran.cycles == 3, "{address:#x}");
        }
    }
}
