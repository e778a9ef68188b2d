//! Sections 6.3 and 7.1: from SO-DIMM to SO-DIMM by RVS (PUSH) or IPUSH, and on to main memory.

use super::{Exchange, Start, exchange, peer, ready, repeat};
use crate::programs::Board;
use crate::programs::messages::{Inbox, Ring};
use crate::programs::remote::Memory;
use crate::programs::vl::Source;
use crate::{Buffer, Host};
use cluster::Duration;

/// Offsets of messages at the sender, and of PUSH at the receiver.
const FROM: u32 = 0x100_0000;
const TO: u32 = 0x200_0000;

/// The ring of IPUSH: 2 MB, twice the largest message.
const ENTRY: u16 = 0x1000;
const BASE: u32 = 0x400_0000;
const RING_UNITS: u16 = 32;

/// Bytes of the fixed area that stays in the caches.
const FIXED: usize = 64;

/// Primitive that carries a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Push {
    /// RVS: the sender names the place.
    Push,
    /// IPUSH: into the receiver's ring.
    Ipush,
}

/// Place in which the receiver keeps a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// SO-DIMM, where it arrived.
    SoDimm,
    /// In an area of main memory of the message's size.
    MainMemory,
    /// In main memory, always in the same 64 bytes.
    Fixed,
}

/// Messages in SO-DIMM.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Bytes of a message.
    pub bytes: usize,
    /// Primitive.
    pub push: Push,
    /// Place at the receiver.
    pub kept: Kept,
}

impl Load {
    /// Program: sends messages, and waits until each is sent.
    pub async fn send(self, host: Host, start: Start) -> Duration {
        let mut board = ready(host, start).await;
        let message = async |board: &mut Board| {
            self.issue(board, false).await;
            board.wait_sent().await;
        };
        repeat(&mut board, self.bytes, message).await
    }

    /// Program: exchanges messages with another node.
    pub async fn exchange(self, host: Host, start: Start, first: bool) -> Duration {
        let mut board = ready(host, start).await;
        let ring = Ring { sender: peer(1 - board.host().node()), entry: ENTRY, base: BASE };
        let inbox = Inbox::open(&board, RING_UNITS, &[ring]).await;
        let area = if self.kept == Kept::Fixed { FIXED } else { self.bytes };
        let buffer = board.host().allocate(area);
        exchange(&mut board, first, self.bytes, &mut Receiver { load: self, inbox, buffer }).await
    }

    async fn issue(self, board: &Board, status: bool) {
        let peer = peer(1 - board.host().node());
        let part = |offset| Source::Contiguous { offset, size: self.bytes as u32 };
        match self.push {
            Push::Push => board.issue_rvs(peer, part(FROM), part(TO), Memory::SoDimm, status).await,
            Push::Ipush => board.issue_ipush(peer, part(FROM), status).await,
        }
    }
}

struct Receiver {
    load: Load,
    inbox: Inbox,
    buffer: Buffer,
}

impl Exchange for Receiver {
    async fn send(&mut self, board: &mut Board) {
        self.load.issue(board, true).await;
    }

    async fn receive(&mut self, board: &mut Board) {
        board.next_arrival().await;
        let Receiver { load, inbox, buffer } = self;
        let host = board.host().clone();
        let area = buffer.bytes().len();
        let store = async |at: usize, piece: &[u8]| {
            for (n, line) in piece.chunks(FIXED).enumerate() {
                host.store_main(buffer, (at + n * FIXED) % area, line).await;
            }
        };
        match (load.kept, load.push) {
            (Kept::SoDimm, Push::Push) => {}
            (Kept::SoDimm, Push::Ipush) => inbox.skip(board, 0, load.bytes).await,
            (_, Push::Push) => board.read_sodimm(TO, load.bytes, store).await,
            (_, Push::Ipush) => inbox.take_with(board, 0, load.bytes, store).await,
        }
    }

    async fn prepare(&mut self, _board: &mut Board) {}
}
