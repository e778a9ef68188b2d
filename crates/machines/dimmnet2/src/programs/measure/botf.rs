//! Section 6.2: BOTF from a host to remote memory.

use super::{Exchange, PROCESS, Start, exchange, peer, ready, repeat};
use crate::Host;
use crate::programs::Board;
use crate::programs::botf::{DATA_BYTES, Destination, Packet};
use cluster::Duration;

/// Offset of the messages in SO-DIMM.
const OFFSET: u32 = 0x10_0000;

/// Messages from Write Windows.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Bytes of data of a message, which is cut into packets of up to 496.
    pub bytes: usize,
    /// Write Windows, used in rotation.
    pub windows: u8,
    /// Messages go into the Prefetch Windows of the other node, not into its SO-DIMM.
    pub into_prefetch_window: bool,
}

impl Load {
    /// Program: sends messages, and waits for the last packet of each.
    pub async fn send(self, host: Host, start: Start) -> Duration {
        let mut board = ready(host, start).await;
        let message = async |board: &mut Board| {
            self.message(board, false).await;
            self.wait(board).await;
        };
        repeat(&mut board, self.bytes, message).await
    }

    /// Program: exchanges messages with another node.
    pub async fn exchange(mut self, host: Host, start: Start, first: bool) -> Duration {
        let mut board = ready(host, start).await;
        exchange(&mut board, first, self.bytes, &mut self).await
    }

    /// Sends the packets of a message; with `status`, the last one asks for a status.
    pub async fn message(self, board: &mut Board, status: bool) {
        let data = [0x5a; DATA_BYTES];
        let packets = self.bytes.div_ceil(DATA_BYTES);
        for packet in 0..packets {
            let offset = packet * DATA_BYTES;
            let bytes = (self.bytes - offset).min(DATA_BYTES);
            let destination = if self.into_prefetch_window {
                Destination::PrefetchWindow(offset as u32)
            } else {
                Destination::SoDimm(OFFSET + offset as u32)
            };
            let header = Packet {
                peer: peer(1 - board.host().node()),
                swid: PROCESS.wid,
                destination,
                status: status && packet + 1 == packets,
                tag: 0,
            };
            let window = (packet % usize::from(self.windows)) as u8;
            board.send_packet(window, &header, &data[..bytes]).await.expect("a packet holds its data");
        }
    }

    /// Waits until all windows are free.
    async fn wait(self, board: &mut Board) {
        for window in 0..self.windows {
            board.wait_window(window).await;
        }
    }
}

impl Exchange for Load {
    async fn send(&mut self, board: &mut Board) {
        self.message(board, true).await;
    }

    async fn receive(&mut self, board: &mut Board) {
        board.next_arrival().await;
    }

    async fn prepare(&mut self, _board: &mut Board) {}
}
