//! Host port: the card as a PCI target (paper sections 4.3.3 and 4.4).
//!
//! General NIC memory is accessed through a page register, which only the kernel may set. Receive
//! descriptors and arrival flags are in a window that needs no page register; a user process may
//! read the window but not write it.
//!
//! | Aperture | Content | User |
//! |---|---|---|
//! | 0x0000 - 0x03ff | window: the first words of NIC memory | reads |
//! | 0x1000 - 0x1fff | registers | |
//! | 0x2000 - 0x2fff | a page of NIC memory | |
//!
//! A forbidden access does nothing, reads 0 and is counted. When the host writes the flag of a send
//! descriptor, the firmware is notified, so it need not poll all rings.
//!
//! Frames of other protocols raise an interrupt at once, or no earlier than a hold-off time after
//! their cause was cleared, so that one interrupt can serve several frames (paper sections 5.1 and
//! 5.2; decision 0037).
//!
//! An access takes one cycle here and one in NIC memory, so a read is answered two cycles later.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use crate::header::Identity;
use crate::memory_map::{Flag, SEND_DESCRIPTORS, WINDOW_WORDS};
use crate::network_dma::receive_dma::ReceiveCounts;
use crate::pins::HostIn;
use crate::registers::{Configuration, FirmwareCounts, Register, cause};

hdl::bundle! {
    /// Input pins of the host port.
    pub struct In in host_port_pkg {
        /// From the host.
        host: HostIn,
        /// The word that NIC memory read last.
        memory_rdata: u32,
        /// From receive DMA.
        receive_counts: ReceiveCounts,
        /// From firmware.
        firmware_counts: FirmwareCounts,
        /// From firmware: slots that the host holds.
        held: u32 : 25,
        /// From firmware: causes of an interrupt, each high for one cycle.
        causes: u8 : 4,
    }
}

hdl::bundle! {
    /// Output pins of the host port.
    pub struct Out in host_port_pkg {
        /// To the host, unless NIC memory answers.
        rdata: u32,
        /// NIC memory answers.
        memory_answers: bool,
        /// To the host.
        interrupt_request: bool,
        /// Reads a word of NIC memory.
        memory_read: bool,
        /// Writes a word of NIC memory.
        memory_write: bool,
        /// Word address in NIC memory.
        memory_address: u32 : 18,
        /// The word to write.
        memory_wdata: u32,
        /// To firmware: rings of which a send descriptor was posted, bit per ring.
        posted: u8 : 5,
        /// To firmware: a slot of a receive ring is given back.
        released: bool,
        /// With `released`: ring of the slot.
        released_ring: u8 : 3,
        /// Resets firmware and PCI DMA.
        firmware_reset: bool,
        /// Parameters set by the kernel.
        configuration: Configuration,
    }
}

hdl::bundle! {
    /// Registers of the host port.
    pub struct HostPort in host_port_pkg {
        /// Data of the last register read.
        rdata: u32,
        /// NIC memory read for the host in the cycle before.
        memory_answers: bool,
        /// Reads NIC memory.
        memory_read: bool,
        /// Writes NIC memory.
        memory_write: bool,
        /// Word of NIC memory.
        memory_address: u32 : 18,
        /// Word to write to NIC memory.
        memory_wdata: u32,
        /// Rings of which a send descriptor was posted, bit per ring.
        posted: u8 : 5,
        /// A slot is given back.
        released: bool,
        /// With `released`: ring of the slot.
        released_ring: u8 : 3,
        /// Page of NIC memory.
        page: u8,
        /// Causes of the interrupt.
        interrupt_cause: u8 : 4,
        /// Causes that are enabled.
        interrupt_enable: u8 : 4,
        /// An interrupt is requested.
        interrupt_request: bool,
        /// Cycles for which frames of other protocols do not interrupt.
        interrupt_delay: u16,
        /// Cycles of the delay that are left.
        holding_off: u16,
        /// Resets firmware and PCI DMA: the card is disabled.
        firmware_reset: bool,
        /// Parameters set by the kernel.
        configuration: Configuration,
        /// Accesses refused; wraps.
        refused: u16,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/host_port_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for HostPort {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        Out {
            rdata: q.rdata,
            memory_answers: q.memory_answers,
            interrupt_request: q.interrupt_request,
            memory_read: q.memory_read,
            memory_write: q.memory_write,
            memory_address: q.memory_address,
            memory_wdata: q.memory_wdata,
            posted: q.posted,
            released: q.released,
            released_ring: q.released_ring,
            firmware_reset: q.firmware_reset,
            configuration: q.configuration,
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
        let q = self;
        let busy = q.memory_read
            || q.memory_write
            || q.memory_answers
            || q.released
            || q.posted != 0
            || q.firmware_reset == q.configuration.enable
            || q.interrupt_request != q.interrupts();
        match (busy, q.holding_off) {
            (true, _) => Quiet::Busy,
            (false, 0) => Quiet::UntilInput,
            (false, cycles) => Quiet::For(cycles.into()),
        }
    }

    fn skip(&mut self, cycles: u64) {
        self.holding_off = self.holding_off.saturating_sub(cycles as u16);
    }
}

impl HostPort {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        let q = self;
        let mut d = *q;

        let host = &pins.host;
        let word = u32::from(host.address) >> 2 & 0x3ff;
        let window = host.address >> 12 == 0 && word < WINDOW_WORDS;
        let registers = host.address >> 12 == 1 && !host.user;
        let page = host.address >> 12 == 2 && !host.user;
        let memory = page || window && !(host.user && host.write);
        let offset = (word << 2) as u16;

        d.memory_read = host.enable && memory && !host.write;
        d.memory_write = host.enable && memory && host.write;
        d.memory_answers = q.memory_read;
        d.posted = 0;
        d.released = false;
        d.interrupt_request = q.interrupts();
        d.holding_off = q.holding_off.saturating_sub(1);
        d.firmware_reset = !q.configuration.enable;
        let mut causes = pins.causes;

        if q.memory_answers {
            d.rdata = pins.memory_rdata;
        }
        if host.enable {
            d.memory_address = if page { u32::from(q.page) << 10 | word } else { word };
            d.memory_wdata = host.wdata;
            if !memory && !registers {
                d.refused = q.refused.wrapping_add(1);
                causes |= cause::ACCESS;
            }
            if !host.write {
                d.rdata = if registers { q.read(offset, pins) } else { 0 };
            } else if registers {
                d.write(offset, host.wdata);
            } else if page {
                d.posted = posted(d.memory_address, host.wdata);
            }
        }
        d.interrupt_cause |= causes;
        d
    }

    /// Whether an enabled cause is set that is not held off.
    #[inline(always)]
    fn interrupts(&self) -> bool {
        let held_off = if self.holding_off == 0 { 0 } else { cause::OTHER_FRAME };
        self.interrupt_cause & self.interrupt_enable & !held_off != 0
    }

    /// The register at `offset`, as the host reads it.
    #[inline]
    fn read(&self, offset: u16, pins: &In) -> u32 {
        use Register::*;
        let q = self;
        let configuration = &q.configuration;
        match Register::read(offset) {
            Some(Control) => configuration.enable.into(),
            Some(InterruptCause) => q.interrupt_cause.into(),
            Some(InterruptEnable) => q.interrupt_enable.into(),
            Some(Page) => q.page.into(),
            Some(Node) => configuration.identity.node.into(),
            Some(Nodes) => configuration.nodes.into(),
            Some(MacPrefix) => configuration.identity.mac_prefix,
            Some(EtherType) => configuration.identity.ether_type.into(),
            Some(Rules) => configuration.rules.bits(),
            Some(Window) => configuration.window.into(),
            Some(Timeout) => configuration.timeout,
            Some(Limit) => configuration.limit.into(),
            Some(Room) => configuration.room.into(),
            Some(ScanPeriod) => configuration.scan_period.into(),
            Some(Held) => pins.held,
            Some(InterruptDelay) => q.interrupt_delay.into(),
            Some(Good) => pins.receive_counts.good.into(),
            Some(FcsErrors) => pins.receive_counts.fcs_errors.into(),
            Some(Runts) => pins.receive_counts.runts.into(),
            Some(Giants) => pins.receive_counts.giants.into(),
            Some(Foreign) => pins.receive_counts.foreign.into(),
            Some(Missed) => pins.receive_counts.missed.into(),
            Some(Malformed) => pins.firmware_counts.malformed.into(),
            Some(WrongEpoch) => pins.firmware_counts.wrong_epoch.into(),
            Some(Discarded) => pins.firmware_counts.discarded.into(),
            Some(Delivered) => pins.firmware_counts.delivered.into(),
            Some(Sent) => pins.firmware_counts.sent.into(),
            Some(Refused) => pins.firmware_counts.refused.into(),
            Some(RefusedAccesses) => q.refused.into(),
            Some(Expired) => pins.firmware_counts.expired.into(),
            Some(Release) | None => 0,
        }
    }

    /// Writes the register at `offset`, for the host.
    #[inline]
    fn write(&mut self, offset: u16, word: u32) {
        use Register::*;
        let d = self;
        let configuration = &mut d.configuration;
        let identity: &mut Identity = &mut configuration.identity;
        match Register::write(offset) {
            Some(Control) => configuration.enable = word & 1 == 1,
            Some(InterruptCause) => {
                d.interrupt_cause &= !(word as u8);
                if word as u8 & cause::OTHER_FRAME != 0 {
                    d.holding_off = d.interrupt_delay;
                }
            }
            Some(InterruptEnable) => d.interrupt_enable = Self::WIDTHS.interrupt_enable.wrap(word),
            Some(Page) => d.page = word as u8,
            Some(Node) => identity.node = Identity::WIDTHS.node.wrap(word),
            Some(Nodes) => configuration.nodes = Configuration::WIDTHS.nodes.wrap(word),
            Some(MacPrefix) => identity.mac_prefix = word,
            Some(EtherType) => identity.ether_type = word as u16,
            Some(Register::Rules) => configuration.rules = Configuration::WIDTHS.rules.wrap(word),
            Some(Window) => configuration.window = Configuration::WIDTHS.window.wrap(word),
            Some(Timeout) => configuration.timeout = word,
            Some(Limit) => configuration.limit = word as u8,
            Some(Room) => configuration.room = Configuration::WIDTHS.room.wrap(word),
            Some(ScanPeriod) => configuration.scan_period = word as u16,
            Some(InterruptDelay) => d.interrupt_delay = word as u16,
            Some(Release) => {
                d.released = true;
                d.released_ring = word as u8 & 7;
            }
            _ => (),
        }
    }
}

/// Rings of which a descriptor is posted: a write to its fourth word sets the flag to full.
#[inline]
fn posted(address: u32, wdata: u32) -> u8 {
    let ring = (address - SEND_DESCRIPTORS.min(address)) >> 6;
    let flag = address >= SEND_DESCRIPTORS && ring < 5 && address & 3 == 3;
    if flag && wdata == u32::from(Flag::Full.code()) { 1 << ring } else { 0 }
}

impl Probe for HostPort {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(port: &mut HostPort, host: HostIn) -> u32 {
        port.tick(&In { host: HostIn { enable: true, ..host }, ..In::default() });
        port.rdata
    }

    #[test]
    fn slot_released_in_the_last_cycle_is_lost_by_a_reset() {
        let mut port = HostPort::default();
        let address = 0x1000 + Register::Release.info().offset;
        access(&mut port, HostIn { address, write: true, wdata: 4, ..HostIn::default() });
        assert_eq!((port.released, port.released_ring), (true, 4));
        port.reset();
        assert_eq!(port, HostPort::default());
    }

    #[test]
    fn every_register_reads_what_was_written() {
        for register in Register::ALL.iter().filter(|r| r.info().access == hdl::Access::Any) {
            if *register == Register::InterruptCause {
                continue;
            }
            let mut port = HostPort::default();
            let address = 0x1000 + register.info().offset;
            access(&mut port, HostIn { address, write: true, wdata: !0, ..HostIn::default() });
            let read = access(&mut port, HostIn { address, ..HostIn::default() });
            assert_eq!(u64::from(read), (1 << register.info().width) - 1, "{register:?}");
        }
    }

    #[test]
    fn every_counter_reads_under_its_name_with_all_its_bits() {
        use Register::*;
        for bit in (0..16).map(|bit| 1u16 << bit) {
            let count = |n: u16| !bit ^ n;
            let receive_counts = ReceiveCounts {
                good: count(0),
                fcs_errors: count(1),
                runts: count(2),
                giants: count(3),
                foreign: count(4),
                missed: count(5),
            };
            let firmware_counts = FirmwareCounts {
                malformed: count(6),
                wrong_epoch: count(7),
                discarded: count(8),
                delivered: count(9),
                sent: count(10),
                refused: count(11),
                expired: count(12),
            };
            let mut port = HostPort { refused: count(13), ..HostPort::default() };
            let names = [
                Good,
                FcsErrors,
                Runts,
                Giants,
                Foreign,
                Missed,
                Malformed,
                WrongEpoch,
                Discarded,
                Delivered,
                Sent,
                Refused,
                Expired,
                RefusedAccesses,
            ];
            for (n, register) in names.into_iter().enumerate() {
                let address = 0x1000 + register.info().offset;
                let host = HostIn { enable: true, address, ..HostIn::default() };
                port.tick(&In { host, receive_counts, firmware_counts, ..In::default() });
                assert_eq!(port.rdata, u32::from(count(n as u16)), "{register:?}");
            }
        }
    }

    #[test]
    fn refused_accesses_are_counted_over_the_whole_width() {
        let mut port = HostPort { refused: 0x7fff, ..HostPort::default() };
        access(&mut port, HostIn { address: 0x400, ..HostIn::default() });
        assert_eq!(port.refused, 0x8000);
        port.tick(&In::default());
        assert_eq!(port.refused, 0x8000);
    }

    #[test]
    fn nic_memory_word_is_read_whole_after_two_cycles() {
        for memory_rdata in (0..32).map(|bit| 1 << bit) {
            let mut port = HostPort::default();
            access(&mut port, HostIn { address: 0x10, ..HostIn::default() });
            port.tick(&In::default());
            assert!(port.outputs().memory_answers);
            port.tick(&In { memory_rdata, ..In::default() });
            assert_eq!(port.outputs().rdata, memory_rdata);
        }
    }

    #[test]
    fn user_may_read_the_window_and_nothing_else() {
        let try_it = |address, write, user| {
            let mut port = HostPort::default();
            access(&mut port, HostIn { address, write, user, ..HostIn::default() });
            (port.memory_read, port.memory_write, port.refused)
        };
        assert_eq!(try_it(0x3fc, false, true), (true, false, 0));
        assert_eq!(try_it(0x3fc, true, true), (false, false, 1), "descriptors and flags are read-only");
        assert_eq!(try_it(0x3fc, true, false), (false, true, 0));
        assert_eq!(try_it(0x400, false, true), (false, false, 1));
        assert_eq!(try_it(0x1000, true, true), (false, false, 1));
        assert_eq!(try_it(0x2000, false, true), (false, false, 1));
        assert_eq!(try_it(0x2000, false, false), (true, false, 0));
        assert_eq!(try_it(0x3000, false, false), (false, false, 1));
    }

    #[test]
    fn cause_that_comes_while_it_is_cleared_stays() {
        let mut port = HostPort { interrupt_cause: 0b11, interrupt_enable: 0b01, ..HostPort::default() };
        let host = HostIn { enable: true, write: true, address: 0x1004, wdata: 0b11, ..HostIn::default() };
        port.tick(&In { host, causes: 0b10, ..In::default() });
        assert_eq!((port.interrupt_cause, port.interrupt_request), (0b10, true));
        port.tick(&In::default());
        assert!(!port.interrupt_request);
    }

    #[test]
    fn other_frames_interrupt_after_the_delay_other_causes_at_once() {
        let mut port = HostPort { interrupt_enable: 0xf, interrupt_delay: 5, ..HostPort::default() };
        let cycles = |port: &mut HostPort, causes| {
            port.tick(&In { causes, ..In::default() });
            (1..20).find(|_| {
                port.tick(&In::default());
                port.interrupt_request
            })
        };
        let clear = |port: &mut HostPort, wdata| {
            access(port, HostIn { address: 0x1004, write: true, wdata, ..HostIn::default() });
            port.tick(&In::default());
        };
        assert_eq!(cycles(&mut port, cause::OTHER_FRAME), Some(1), "the first one");
        clear(&mut port, 1);
        assert_eq!(cycles(&mut port, cause::OTHER_FRAME), Some(4), "one more was the next access");
        clear(&mut port, 1);
        assert_eq!(cycles(&mut port, cause::DEAD_PEER), Some(1));
        clear(&mut port, cause::DEAD_PEER.into());
        assert_eq!(cycles(&mut port, cause::OTHER_FRAME), Some(1), "only its own cause starts the delay");
    }
}
