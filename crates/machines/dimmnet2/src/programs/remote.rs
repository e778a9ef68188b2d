//! The RVS and RVL families: own SO-DIMM to a remote process and back (thesis sections 4.6.5 and 4.6.6).
//!
//! The command describes elements on the remote side, Command Ex elements on the own side. Command0 carries data into
//! SO-DIMM, Command1 into a Prefetch Window.

use dimmnet2::address::{WINDOW_BYTES, lid_to_clid};
use dimmnet2::registers::{PrimitiveCounter, UserRegister};
use dimmnet2::{Ex, Family, LhsUpper, Lower, Primitive, StatusLower, StatusUpper, Upper};

use super::Board;
use super::board::WINDOWS;
use super::botf::Peer;
use super::transfers::{Transfers, count};
use super::vl::Source;

/// Memory that receives the data of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// SO-DIMM: Command0.
    SoDimm,
    /// A Prefetch Window: Command1.
    PrefetchWindow,
}

/// Code bits 1:0 of a primitive: contiguous, strided or listed data.
const VARIANT: u8 = 3;

/// Values for the command registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Command {
    lower: Lower,
    upper: Upper,
    /// Command Ex, if the data of the own side is in elements.
    ex: Option<Ex>,
}

impl Source {
    /// Bytes of the transfer.
    fn bytes(self) -> u32 {
        match self {
            Source::Contiguous { size, .. } => size,
            Source::Strided { elements, .. } | Source::Listed { elements, .. } => {
                u32::from(elements.count) << elements.dtype
            }
        }
    }

    /// Command Ex for own data in elements.
    fn ex(self) -> Option<Ex> {
        let lower = self.command().0;
        let (dtype, iteration, size_list_stride) = (lower.dtype, lower.iteration, lower.size_list_stride);
        let variant = lower.otype & VARIANT;
        (variant != 0).then_some(Ex { otype: variant, dtype, iteration, size_list_stride })
    }
}

impl Command {
    /// A primitive of the family whose contiguous member is `family`.
    fn new(family: Primitive, peer: Peer, remote: Source, own: Source, eflag: bool) -> Self {
        assert_eq!(remote.bytes(), own.bytes(), "both sides of a transfer have as many bytes");
        let (lower, there) = remote.command();
        let here = own.command().1;
        let lower = Lower {
            otype: family.code() | lower.otype & VARIANT,
            dwid: peer.wid,
            dclid: lid_to_clid(peer.lid),
            eflag,
            ..lower
        };
        let upper = match family {
            Primitive::Rvl => Upper { srcoff: there, dstoff: here },
            _ => Upper { srcoff: here, dstoff: there },
        };
        Self { lower, upper, ex: own.ex() }
    }

    /// An IPUSH of own SO-DIMM behind bytes of a Write Window, given by offset in the process's windows and number.
    pub(super) fn push(
        primitive: Primitive,
        peer: Peer,
        own: Source,
        window: (u16, u16),
        eflag: bool,
    ) -> Self {
        let (window_srcoff, window_size) = window;
        let lower = Lower {
            dwid: peer.wid,
            dclid: lid_to_clid(peer.lid),
            eflag,
            ..Lower::new(primitive, own.bytes() + u32::from(window_size))
        };
        let upper = LhsUpper { srcoff: own.command().1, window_size, window_srcoff };
        Self { lower, upper: Upper::from_bits(upper.bits()), ex: own.ex() }
    }
}

impl Board {
    /// RVS, RVSS or RVSI: writes data at `from` in own SO-DIMM to `to` in `memory` of `peer`, and waits until all of it
    /// is sent. With `status`, the peer gets a status when the data is stored.
    pub async fn rvs(&self, peer: Peer, from: Source, to: Source, memory: Memory, status: bool) {
        self.transfer(Command::new(Primitive::Rvs, peer, to, from, status), memory).await;
    }

    /// Like [`Board::rvs`], but does not wait.
    pub async fn issue_rvs(&self, peer: Peer, from: Source, to: Source, memory: Memory, status: bool) {
        self.issue(Command::new(Primitive::Rvs, peer, to, from, status), memory).await;
    }

    /// RVL, RVLS or RVLI: reads data at `from` in the SO-DIMM of `peer` to `to` in own SO-DIMM, and waits for the
    /// status of its arrival.
    pub async fn rvl(&mut self, peer: Peer, from: Source, to: Source) -> (StatusLower, StatusUpper) {
        self.rvl_request(peer, from, to).await;
        self.next_status().await
    }

    /// Like [`Board::rvl`], but waits only until the request is sent.
    pub async fn rvl_request(&self, peer: Peer, from: Source, to: Source) {
        self.transfer(Command::new(Primitive::Rvl, peer, from, to, true), Memory::SoDimm).await;
    }

    /// Like [`Board::rvl_request`], but does not wait.
    pub async fn issue_rvl(&self, peer: Peer, from: Source, to: Source) {
        self.issue(Command::new(Primitive::Rvl, peer, from, to, true), Memory::SoDimm).await;
    }

    /// RVL, RVLS or RVLI: reads data at `from` in the SO-DIMM of `peer` into a Prefetch Window, from its first byte on,
    /// and waits until it is there.
    pub async fn rvl_window(&self, peer: Peer, from: Source, window: u8) {
        assert!(window < WINDOWS, "a process has Prefetch Windows 0 to {}", WINDOWS - 1);
        let to = Source::Contiguous { offset: u32::from(window) * WINDOW_BYTES, size: from.bytes() };
        self.transfer(Command::new(Primitive::Rvl, peer, from, to, false), Memory::PrefetchWindow).await;
        self.wait_prefetch_window(window).await;
    }

    /// Issues a primitive and waits until it is executed.
    pub(super) async fn transfer(&self, command: Command, memory: Memory) {
        self.issue(command, memory).await;
        self.wait_sent().await;
    }

    /// Issues a primitive. There is one Command Ex: while a primitive that needs it is in progress, no other is issued.
    ///
    /// The Request FIFO holds more than a process has in progress, so its room need not be checked; it is checked by
    /// [habit](super::Habits).
    pub(super) async fn issue(&self, command: Command, memory: Memory) {
        let (host, transfers) = (self.host(), &self.transfers);
        if transfers.ex.get() || command.ex.is_some() {
            self.wait_sent().await;
        }
        self.may_issue().await;
        if command.ex.is_some() != transfers.ex.replace(command.ex.is_some()) {
            host.store_uc(self.user(UserRegister::CommandExFlag), command.ex.is_some().into()).await;
        }
        if let Some(ex) = command.ex {
            host.store_uc(self.user(UserRegister::CommandEx), ex.bits()).await;
        }
        let [lower, upper] = match memory {
            Memory::SoDimm => [UserRegister::Command0Lower, UserRegister::Command0Upper],
            Memory::PrefetchWindow => [UserRegister::Command1Lower, UserRegister::Command1Upper],
        };
        host.store_uc(self.user(upper), command.upper.bits()).await;
        host.store_uc(self.user(lower), command.lower.bits()).await;
        count(match Family::from_code(command.lower.otype >> 2) {
            Some(Family::FamilyRvl) => &transfers.rvl,
            Some(Family::FamilyIpush) => &transfers.ipush,
            _ => &transfers.rvs,
        });
        host.mark("command issued");
    }

    /// Waits until all remote transfers are executed: SWIF has their data.
    pub async fn wait_sent(&self) {
        self.sent_within(u64::MAX).await;
    }

    /// Like [`Board::wait_sent`], but gives up after `polls` looks at the counter; returns whether all are executed.
    pub async fn sent_within(&self, polls: u64) -> bool {
        let Transfers { rvl, rvs, ipush, .. } = &self.transfers;
        let issued = (rvl.get(), rvs.get(), ipush.get());
        let executed = |value| {
            let PrimitiveCounter { rvl, rvs, ipush, .. } = PrimitiveCounter::from_bits(value);
            (rvl, rvs, ipush) == issued
        };
        let counter = self.user(UserRegister::PrimitiveCounter);
        if self.host().poll_times("a remote transfer", counter, polls, executed).await.is_none() {
            return false;
        }
        self.host().mark("command executed");
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::vl::Elements;

    #[test]
    fn commands_are_those_of_figure_4_13() {
        let side = |offset| Source::Contiguous { offset, size: 0x800 };
        let peer = Peer { lid: 3, wid: true };
        let command = Command::new(Primitive::Rvs, peer, side(0x2000), side(0x1000), true);
        assert_eq!(command.lower.bits(), 0x0000_0800_400d_0014);
        assert_eq!((command.upper.bits(), command.ex), (0x0000_2000_0000_1000, None));
        let command = Command::new(Primitive::Rvl, peer, side(0x2000), side(0x1000), true);
        assert_eq!((command.lower.otype, command.upper.bits()), (0x10, 0x0000_1000_0000_2000));
    }

    #[test]
    fn upper_of_lhs_v2_is_that_of_figure_7_8() {
        let own = Source::Contiguous { offset: 0x1000, size: 100 };
        let peer = Peer { lid: 3, wid: true };
        let command = Command::push(Primitive::LhsV2, peer, own, (0x200, 8), true);
        assert_eq!(
            (command.upper.bits(), command.lower.bits()),
            (0x0008_0008_0000_1000, 0x0000_006c_400d_001a)
        );
    }

    #[test]
    fn own_elements_are_those_of_command_ex() {
        let elements = Elements { dtype: 3, count: 4 };
        let own = Source::Listed { offset: 0x10, list: 0x800, elements };
        let there = Source::Strided { offset: 0x20, stride: 0x40, elements };
        let peer = Peer { lid: 3, wid: false };
        let command = Command::new(Primitive::Rvs, peer, there, own, false);
        assert_eq!((command.lower.otype, command.lower.size_list_stride), (0x15, 0x40));
        assert_eq!(command.ex.map(|ex| ex.bits()), Some(0x0000_0800_0000_0462));
    }
}
