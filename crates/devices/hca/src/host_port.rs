//! Host port: the adapter as a PCI target (decision 0060).
//!
//! | Aperture | What | User |
//! |---|---|---|
//! | 0x0000 - 0x0fff | registers | |
//! | 0x1000 - 0x1fff | doorbells | writes |
//!
//! An access that is not allowed has no effect, reads 0 and is counted. A doorbell holds the total count of
//! elements put into its ring, so a later doorbell replaces an earlier one and none is lost for lack of room.
//! A read is answered a cycle later.

use hdl::{Bits, Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use crate::contexts::{CQ_BELLS, Kind, RECEIVE_BELLS, Report, SEND_BELLS, SHARED_BELLS, SHARED_QUEUES};
use crate::pins::HostIn;
use crate::registers::{Doorbell, LinkCounts, ReceiveCounts, Register, SendCounts};

hdl::bundle! {
    /// Input pins of the host port.
    pub struct In in host_port_pkg {
        /// Access by the host.
        host: HostIn,
        /// Causes of the interrupt.
        causes: u16 : 9,
        /// The running command ends in this cycle.
        command_done: bool,
        /// The running command stores `progress` in staging words 0 to 3.
        report: bool,
        /// Progress of a queue pair.
        progress: Report,
        /// Counters of the link side.
        link_counts: LinkCounts,
        /// Counters of the receive engine.
        receive_counts: ReceiveCounts,
        /// Counters of the send engine.
        send_counts: SendCounts,
        /// Number of CQEs lost; wraps.
        overflows: u16,
    }
}

hdl::bundle! {
    /// Output pins of the host port.
    pub struct Out in host_port_pkg {
        /// Word of the last read access.
        rdata: u32,
        /// Bit 0 of `Control`: engines run.
        enable: bool,
        /// LID of the port, from its register.
        lid: u16,
        /// Interrupt causes that the host clears, a bit each.
        clear: u16 : 9,
        /// Interrupt causes that are enabled, a bit each.
        interrupt_enable: u16 : 9,
        /// An access is refused; high for one cycle.
        refuse: bool,
        /// A doorbell is written.
        bell_write: bool,
        /// Doorbell: 0 to 255 of send queues, 256 to 511 of receive queues, 512 to 515 of shared receive queues, 768 to
        /// 1,023 of completion queues.
        bell: u16 : 10,
        /// Count that is written to the doorbell.
        bell_value: u16,
        /// The doorbell arms its completion queue.
        arm: bool,
        /// A command is waiting or running.
        command: bool,
        /// Effect of the command, a `context_pkg::Kind`.
        kind: u8 : 4,
        /// Row of the command.
        row: u16 : 12,
        /// Staging words 0 to 3: bits 127:0 of the row.
        staging_low: u128,
        /// Staging words 4 to 7: bits 255:128 of the row.
        staging_high: u128,
    }
}

hdl::bundle! {
    /// Registers of the host port.
    pub struct HostPort in host_port_pkg {
        /// Word of the last read access.
        rdata: u32,
        /// Bit 0 of `Control`: engines run.
        enable: bool,
        /// LID of the port, from its register.
        lid: u16,
        /// Interrupt causes that the host clears, a bit each.
        clear: u16 : 9,
        /// Interrupt causes that are enabled, a bit each.
        interrupt_enable: u16 : 9,
        /// An access was refused in the cycle before.
        refuse: bool,
        /// A doorbell is written.
        bell_write: bool,
        /// Doorbell that is written; 0 to 515 and 768 to 1,023.
        bell: u16 : 10,
        /// Count that is written to the doorbell.
        bell_value: u16,
        /// The doorbell arms its completion queue.
        arm: bool,
        /// A command is waiting or running.
        command: bool,
        /// Effect of the command, a `context_pkg::Kind`.
        kind: u8 : 4,
        /// Row of the command.
        row: u16 : 12,
        /// Staging words 0 to 3: bits 127:0 of the row.
        staging_low: u128,
        /// Staging words 4 to 7: bits 255:128 of the row.
        staging_high: u128,
        /// Accesses refused; the counter wraps.
        refused: u16,
    }
}

/// Generated package.
pub const PACKAGE: Package = Package {
    path: "hca/host_port_pkg",
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
            enable: q.enable,
            lid: q.lid,
            clear: q.clear,
            interrupt_enable: q.interrupt_enable,
            refuse: q.refuse,
            bell_write: q.bell_write,
            bell: q.bell,
            bell_value: q.bell_value,
            arm: q.arm,
            command: q.command,
            kind: q.kind,
            row: q.row,
            staging_low: q.staging_low,
            staging_high: q.staging_high,
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
        let q = self;
        let pulses = q.clear != 0 || q.refuse || q.bell_write || q.command;
        if pulses { Quiet::Busy } else { Quiet::UntilInput }
    }
}

impl HostPort {
    /// Value of the register at `offset`.
    #[inline(always)]
    fn register(&self, offset: u16, pins: &In) -> u32 {
        use Register::*;
        let q = self;
        let staging = |word: u32| {
            if word < 4 { q.staging_low >> (32 * word) } else { q.staging_high >> (32 * (word - 4)) }
        };
        let (link, receive, send) = (&pins.link_counts, &pins.receive_counts, &pins.send_counts);
        let Some(register) = Register::read(offset) else { return 0 };
        match register {
            Control => q.enable.into(),
            InterruptCause => pins.causes.into(),
            InterruptEnable => q.interrupt_enable.into(),
            Lid => q.lid.into(),
            Command => q.command.into(),
            Staging0 | Staging1 | Staging2 | Staging3 | Staging4 | Staging5 | Staging6 | Staging7 => {
                staging(u32::from(offset) >> 2 & 7) as u32
            }
            IcrcErrors => link.icrc_errors.into(),
            LengthErrors => link.length_errors.into(),
            Foreign => receive.foreign.into(),
            Malformed => receive.malformed.into(),
            UnknownQp => receive.unknown_qp.into(),
            WrongQKey => receive.wrong_q_key.into(),
            NoReceive => receive.no_receive.into(),
            Received => receive.received.into(),
            Sent => send.sent.into(),
            Failed => receive.failed.wrapping_add(send.failed).into(),
            Overflows => pins.overflows.into(),
            RefusedAccesses => q.refused.into(),
        }
    }

    #[inline(always)]
    fn next(&mut self, pins: &In) {
        let q = *self;
        let d = self;

        let host = &pins.host;
        let offset = host.address & 0xffc;
        let registers = host.address >> 12 == 0 && !host.user;
        let bells = host.address >> 12 == 1 && host.write;

        d.clear = 0;
        d.bell_write = false;
        d.arm = false;
        if pins.command_done {
            d.command = false;
        }
        let mut refuse = false;
        if host.enable {
            refuse = !registers && !bells;
            if !host.write {
                d.rdata = if registers { q.register(offset, pins) } else { 0 };
            } else if registers {
                refuse = !d.write_register(&q, offset, host.wdata);
            } else if bells {
                refuse = !d.ring(offset, host.wdata);
            }
        }
        if pins.report {
            let mut words = [0; 2];
            pins.progress.put(&mut words, 0, Report::WIDTH);
            d.staging_low = u128::from(words[1]) << 64 | u128::from(words[0]);
        }
        d.refuse = refuse;
        if refuse {
            d.refused = q.refused.wrapping_add(1);
        }
    }

    /// Writes a register; false if that is refused.
    #[inline]
    fn write_register(&mut self, q: &Self, offset: u16, wdata: u32) -> bool {
        let d = self;
        let word = u32::from(offset) >> 2 & 3;
        let staged = |row: u128| row & !(0xffff_ffff << (32 * word)) | u128::from(wdata) << (32 * word);
        match Register::write(offset) {
            Some(Register::Control) => d.enable = wdata & 1 == 1,
            Some(Register::InterruptCause) => d.clear = Self::WIDTHS.clear.wrap(wdata),
            Some(Register::InterruptEnable) => d.interrupt_enable = Self::WIDTHS.interrupt_enable.wrap(wdata),
            Some(Register::Lid) => d.lid = wdata as u16,
            Some(Register::Command) => {
                let Some((kind, row)) = Kind::of_word(wdata).filter(|_| !q.command) else { return false };
                d.command = true;
                d.kind = kind.code();
                d.row = row;
            }
            Some(_) if offset >> 4 == 4 => d.staging_low = staged(q.staging_low),
            Some(_) if offset >> 4 == 5 => d.staging_high = staged(q.staging_high),
            _ => (),
        }
        true
    }

    /// Rings a doorbell; false if that is refused, because the queue does not exist.
    #[inline]
    fn ring(&mut self, offset: u16, wdata: u32) -> bool {
        let d = self;
        let number = wdata as u8;
        let base = match Doorbell::write(offset) {
            Some(Doorbell::SendBell) => SEND_BELLS,
            Some(Doorbell::ReceiveBell) => RECEIVE_BELLS,
            Some(Doorbell::CompletionBell) => CQ_BELLS,
            Some(Doorbell::SharedBell) if usize::from(number) < SHARED_QUEUES => SHARED_BELLS,
            Some(Doorbell::SharedBell) | None => return false,
        };
        d.bell_write = true;
        d.bell = base | u16::from(number);
        d.bell_value = (wdata >> 16) as u16;
        // Bit 8, above the queue number, arms the queue.
        d.arm = base == CQ_BELLS && wdata >> 8 & 1 == 1;
        true
    }
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
    use super::Register::*;
    use super::*;

    fn write(port: &mut HostPort, address: u16, wdata: u32) {
        let host = HostIn { enable: true, write: true, address, wdata, ..HostIn::default() };
        port.tick(&In { host, ..In::default() });
    }

    fn read(port: &mut HostPort, register: Register, pins: &In) -> u32 {
        let host = HostIn { enable: true, address: register.info().offset, ..HostIn::default() };
        port.tick(&In { host, ..*pins });
        port.outputs().rdata
    }

    #[test]
    fn registers_hold_what_is_written_over_their_whole_width() {
        let mut port = HostPort::default();
        for bit in 0..32 {
            let value = 1 << bit;
            for (register, mask) in
                [(Control, 1), (InterruptEnable, 0x1ff), (Lid, 0xffff), (Staging0, !0), (Staging7, !0)]
            {
                write(&mut port, register.info().offset, value);
                assert_eq!(read(&mut port, register, &In::default()), value & mask, "{register:?}");
            }
            let out = port.outputs();
            assert_eq!(out.enable, value & 1 == 1);
            assert_eq!((out.interrupt_enable, out.lid), (value as u16 & 0x1ff, value as u16));
            assert_eq!((out.staging_low, out.staging_high >> 96), (value.into(), value.into()));
        }
    }

    #[test]
    fn counters_and_causes_are_read_over_their_whole_width() {
        for bit in 0..16 {
            let count = |i: u16| (1_u16 << bit) ^ i;
            let pins = In {
                causes: 1 << (bit % 9),
                link_counts: LinkCounts { icrc_errors: count(7), length_errors: count(8) },
                receive_counts: ReceiveCounts {
                    foreign: count(0),
                    malformed: count(1),
                    unknown_qp: count(2),
                    wrong_q_key: count(3),
                    no_receive: count(4),
                    received: count(5),
                    failed: count(6),
                },
                send_counts: SendCounts { sent: count(9), failed: 0x8001 },
                overflows: count(10),
                ..In::default()
            };
            let mut port = HostPort::default();
            for (register, value) in [
                (InterruptCause, 1 << (bit % 9)),
                (Foreign, count(0)),
                (Malformed, count(1)),
                (UnknownQp, count(2)),
                (WrongQKey, count(3)),
                (NoReceive, count(4)),
                (Received, count(5)),
                (Failed, count(6).wrapping_add(0x8001)),
                (IcrcErrors, count(7)),
                (LengthErrors, count(8)),
                (Sent, count(9)),
                (Overflows, count(10)),
                (RefusedAccesses, 0),
            ] {
                assert_eq!(read(&mut port, register, &pins), value.into(), "{register:?}");
            }
        }
    }

    #[test]
    fn doorbell_hands_its_whole_count_on() {
        let mut port = HostPort::default();
        let bells = [
            (Doorbell::SendBell, SEND_BELLS, 255),
            (Doorbell::ReceiveBell, RECEIVE_BELLS, 255),
            (Doorbell::CompletionBell, CQ_BELLS, 255),
            (Doorbell::SharedBell, SHARED_BELLS, 3),
        ];
        for (doorbell, base, queue) in bells {
            for bit in 0..16 {
                write(&mut port, 0x1000 + doorbell.info().offset, 1 << (16 + bit) | queue);
                let out = port.outputs();
                assert_eq!((out.bell_write, out.bell, out.bell_value), (true, base + queue as u16, 1 << bit));
            }
        }
    }

    #[test]
    fn doorbell_is_of_its_own_queue_and_arms_it_for_a_cycle() {
        let mut port = HostPort::default();
        let mut ring = |doorbell: Doorbell, wdata| {
            write(&mut port, 0x1000 + doorbell.info().offset, wdata);
            let out = port.outputs();
            port.tick(&In::default());
            assert!(!port.arm && !port.bell_write, "a cycle later");
            out.bell_write.then_some((out.bell, out.arm))
        };
        assert_eq!(ring(Doorbell::SharedBell, 4), None, "there is no such queue");
        for queue in 0..256 {
            for (arm, bit) in [(false, 0), (true, 0x100)] {
                let bell = |base| Some((base + queue as u16, arm && base == CQ_BELLS));
                assert_eq!(ring(Doorbell::SendBell, bit | queue), bell(SEND_BELLS));
                assert_eq!(ring(Doorbell::ReceiveBell, bit | queue), bell(RECEIVE_BELLS));
                assert_eq!(ring(Doorbell::CompletionBell, bit | queue), bell(CQ_BELLS));
            }
        }
    }

    #[test]
    fn report_of_a_queue_pair_is_read_from_the_staging_words() {
        let mut port = HostPort::default();
        let progress = Report {
            state: 6,
            outstanding: true,
            sends: 0x1234,
            receives: 0x5678,
            send_psn: 0x9a_bcde,
            receive_psn: 0xf0_1234,
            ..Report::default()
        };
        port.tick(&In { report: true, progress, ..In::default() });
        let words = [Staging0, Staging1, Staging2, Staging3, Staging4]
            .map(|register| read(&mut port, register, &In::default()));
        assert_eq!(words, [0xe, 0x5678_1234, 0x9a_bcde, 0xf0_1234, 0]);
    }

    #[test]
    fn causes_are_cleared_as_they_are_written_for_a_cycle() {
        let mut port = HostPort::default();
        for causes in 0..512 {
            write(&mut port, InterruptCause.info().offset, causes);
            assert_eq!(u32::from(port.outputs().clear), causes);
            port.tick(&In::default());
            assert_eq!(port.outputs().clear, 0);
        }
    }

    #[test]
    fn accesses_that_are_refused_are_counted_and_the_counter_wraps() {
        let mut port = HostPort::default();
        for count in 1..=0x1_0003_u32 {
            write(&mut port, 0x2000, 0);
            assert!(port.outputs().refuse);
            assert_eq!(u32::from(port.refused), count & 0xffff);
        }
        assert_eq!(read(&mut port, RefusedAccesses, &In::default()), 3);
    }
}
