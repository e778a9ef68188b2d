//! Section 7.2: messages with an envelope, with and without LHS.

use super::{Exchange, PROCESS, Start, exchange, peer, ready};
use crate::programs::Board;
use crate::programs::botf::{Destination, Packet};
use crate::programs::messages::{Envelope, Inbox, Ring};
use crate::programs::vl::Source;
use crate::{Buffer, Host};
use cluster::Duration;

/// Offset in SO-DIMM of the data of messages that do not start in the host.
const FROM: u32 = 0x100_0000;

/// The ring for the other node.
const ENTRY: u16 = 0x1000;
const BASE: u32 = 0x10_0000;
const RING_UNITS: u16 = 1;

/// The envelope of all messages.
const ENVELOPE: Envelope = Envelope { context: 7, rank: 1, tag: 0xbeef };
const ENVELOPE_BYTES: usize = 8;

/// How a message is sent and received (the four cases of section 7.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// A BOTF with an IPUSH; the receiver reads envelope and data from the ring.
    Ipush,
    /// A BOTF with an IPUSH with LHSv1; the receiver finds the head in the LH Buffer.
    LhsV1,
    /// The same, with data that the sender first reads from SO-DIMM by VL.
    VlLhsV1,
    /// IPUSH with LHSv2: the board puts an envelope from a Write Window in front of data in SO-DIMM.
    LhsV2,
}

/// Messages with envelopes.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Bytes of a message with its envelope.
    pub bytes: usize,
    /// How a message is sent and received.
    pub case: Case,
}

impl Load {
    /// Program: exchanges messages with another node.
    pub async fn exchange(self, host: Host, start: Start, first: bool) -> Duration {
        let mut board = ready(host, start).await;
        let ring = Ring { sender: peer(1 - board.host().node()), entry: ENTRY, base: BASE };
        let inbox = Inbox::open(&board, RING_UNITS, &[ring]).await;
        let buffer = board.host().allocate(self.bytes);
        exchange(&mut board, first, self.bytes, &mut Node { load: self, inbox, buffer, data: Vec::new() })
            .await
    }
}

struct Node {
    load: Load,
    inbox: Inbox,
    buffer: Buffer,
    /// The data of a message.
    data: Vec<u8>,
}

impl Node {
    /// Writes envelope and data into a Write Window and sends them by BOTF.
    async fn botf(&self, board: &mut Board, destination: Destination) {
        let peer = peer(1 - board.host().node());
        let status = self.load.case == Case::Ipush;
        let packet = Packet { peer, swid: PROCESS.wid, destination, status, tag: 0 };
        let message = [&ENVELOPE.bits().to_le_bytes()[..], &self.data].concat();
        board.send_packet(0, &packet, &message).await.expect("a packet holds a message");
    }

    fn source(&self) -> Source {
        Source::Contiguous { offset: FROM, size: (self.load.bytes - ENVELOPE_BYTES) as u32 }
    }
}

impl Exchange for Node {
    async fn send(&mut self, board: &mut Board) {
        match self.load.case {
            Case::Ipush => self.botf(board, Destination::Ring).await,
            Case::LhsV1 => self.botf(board, Destination::LhBuffer).await,
            Case::VlLhsV1 => {
                board.vl(1, self.source()).await;
                self.data = board.read_prefetch_window(1, self.load.bytes - ENVELOPE_BYTES).await;
                self.botf(board, Destination::LhBuffer).await;
            }
            Case::LhsV2 => {
                let peer = peer(1 - board.host().node());
                board.issue_lhs_v2(peer, 0, ENVELOPE, self.source(), false).await;
            }
        }
    }

    async fn receive(&mut self, board: &mut Board) {
        let host = board.host().clone();
        if self.load.case == Case::Ipush {
            let (lower, _) = board.next_status().await;
            let envelope = self.inbox.take(board, 0, ENVELOPE_BYTES).await;
            assert_eq!(envelope, ENVELOPE.bits().to_le_bytes(), "the envelope that was sent");
            let rest = lower.size_list_stride as usize - ENVELOPE_BYTES;
            let data = self.inbox.take(board, 0, rest).await;
            host.store_main(&mut self.buffer, 0, &data).await;
            return;
        }
        let (envelope, data) = self.inbox.next_message(board, 0).await;
        assert_eq!(envelope, ENVELOPE, "the envelope that was sent");
        host.store_main(&mut self.buffer, 0, &data).await;
    }

    async fn prepare(&mut self, board: &mut Board) {
        board.wait_window(0).await;
        self.data = vec![0x5a; self.load.bytes - ENVELOPE_BYTES];
    }
}
