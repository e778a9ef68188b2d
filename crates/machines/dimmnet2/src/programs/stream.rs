//! A byte stream from one host to another, in BOTFs into the receiver's Prefetch Windows.
//!
//! The stream is cut into chunks of up to 496 bytes. Chunk k goes from Write Window k mod 4 into Prefetch Window k mod
//! 4 and asks for a status, so the receiver polls its status ring. The tag of a chunk marks the last one; an empty
//! stream is one chunk of eight bytes without meaning.
//!
//! A Prefetch Window must not be overwritten before it was read. Therefore the receiver grants chunks: a BOTF without
//! status writes into a word of the sender's LLCM the number of chunks that may have been sent in all, four more than
//! were read. The sender reads the word when its grant is used up. Until the first chunk arrives, the receiver repeats
//! the grant from time to time, because the sender's board drops packets until it is initialised. Numbers of chunks
//! continue from one stream to the next.

use dimmnet2::address::{WINDOW_BYTES, lid_to_clid};
use dimmnet2::{Primitive, StatusLower};
use thiserror::Error;

use super::board::WINDOWS;
use super::botf::{DATA_BYTES, Destination, HEADER_BYTES, ImageError, Packet, Peer};
use super::{Board, Process};
use crate::Host;

/// Offset of the grant in the sender's LLCM, behind the largest ring of receive statuses (decision 0013).
const GRANT: u32 = 0x1000;

/// Chunks between two grants: half of the windows (decision 0013).
const GRANT_INTERVAL: u64 = 2;

/// Looks at the status ring before the first grant is repeated: about 10 us (decision 0013).
const GRANT_POLLS: u64 = 50;

/// More chunks follow.
const MORE: u8 = 0;
/// The last chunk.
const LAST: u8 = 1;
/// The only chunk of an empty stream.
const EMPTY: u8 = 2;

/// Why a stream cannot be received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReceiveError {
    /// A status that does not belong to the stream.
    #[error("a packet of type {otype:#04x} came from CLID {sclid:#05x}, WID {swid}, into {first_address:#x}")]
    Stranger {
        /// Primitive code.
        otype: u8,
        /// Sending node.
        sclid: u16,
        /// Sending process.
        swid: u8,
        /// Address of its data.
        first_address: u32,
    },
    /// A tag that no sender uses.
    #[error("a chunk has the unknown tag {0}")]
    Tag(u8),
    /// A grant has no packet image.
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// The sending end of a stream.
#[derive(Debug)]
pub struct Sender {
    peer: Peer,
    /// Chunks sent.
    sent: u64,
    /// Chunks that are granted, since the beginning.
    granted: u64,
}

impl Sender {
    /// Opens a stream to a peer.
    pub async fn open(board: &Board, peer: Peer) -> Self {
        board.host().store_uc(board.llcm(GRANT), 0).await;
        Sender { peer, sent: 0, granted: 0 }
    }

    /// Sends `bytes` as one stream; returns when the last window is free again.
    pub async fn send(&mut self, board: &mut Board, bytes: &[u8]) -> Result<(), ImageError> {
        let mut chunks = bytes.chunks(DATA_BYTES).peekable();
        if chunks.peek().is_none() {
            self.chunk(board, EMPTY, &[0; 8]).await?;
        }
        while let Some(chunk) = chunks.next() {
            let tag = if chunks.peek().is_some() { MORE } else { LAST };
            self.chunk(board, tag, chunk).await?;
        }
        for window in 0..WINDOWS {
            board.wait_window(window).await;
        }
        Ok(())
    }

    async fn chunk(&mut self, board: &mut Board, tag: u8, data: &[u8]) -> Result<(), ImageError> {
        if self.sent == self.granted {
            let sent = self.sent;
            self.granted = board.host().poll("a grant", board.llcm(GRANT), |granted| granted > sent).await;
        }
        let window = window(self.sent);
        let packet = Packet {
            peer: self.peer,
            swid: board.process().wid,
            destination: Destination::PrefetchWindow(u32::from(window) * WINDOW_BYTES),
            status: true,
            tag,
        };
        board.send_packet(window, &packet, data).await?;
        self.sent += 1;
        Ok(())
    }
}

/// The receiving end of a stream.
#[derive(Debug)]
pub struct Receiver {
    peer: Peer,
    /// Chunks read.
    read: u64,
    /// BOTFs sent with grants.
    grants: u64,
}

impl Receiver {
    /// Opens a stream from a peer and makes the first grant.
    pub async fn open(board: &mut Board, peer: Peer) -> Result<Self, ReceiveError> {
        let mut receiver = Receiver { peer, read: 0, grants: 0 };
        receiver.grant(board).await?;
        Ok(receiver)
    }

    /// Receives one stream.
    pub async fn receive(&mut self, board: &mut Board) -> Result<Vec<u8>, ReceiveError> {
        let mut bytes = Vec::new();
        loop {
            let (tag, data) = self.chunk(board).await?;
            if tag != EMPTY {
                bytes.extend_from_slice(&data);
            }
            if tag != MORE || self.read.is_multiple_of(GRANT_INTERVAL) {
                self.grant(board).await?;
            }
            if tag != MORE {
                return Ok(bytes);
            }
        }
    }

    async fn chunk(&mut self, board: &mut Board) -> Result<(u8, Vec<u8>), ReceiveError> {
        let window = window(self.read);
        let (status, upper) = loop {
            let polls = if self.read == 0 { GRANT_POLLS } else { u64::MAX };
            match board.next_status_within(polls).await {
                Some(status) => break status,
                None => self.grant(board).await?,
            }
        };
        let StatusLower { otype, sclid, swid, iteration: tag, size_list_stride: size, .. } = status;
        let first_address = upper.first_address;
        if otype != Primitive::Rvs.code()
            || (sclid, swid) != (lid_to_clid(self.peer.lid), self.peer.wid)
            || first_address != u32::from(window) * WINDOW_BYTES
            || size as usize > DATA_BYTES
        {
            return Err(ReceiveError::Stranger { otype, sclid, swid: u8::from(swid), first_address });
        }
        if ![MORE, LAST, EMPTY].contains(&tag) {
            return Err(ReceiveError::Tag(tag));
        }
        let data = board.read_prefetch_window(window, size as usize).await;
        self.read += 1;
        Ok((tag, data))
    }

    async fn grant(&mut self, board: &mut Board) -> Result<(), ReceiveError> {
        let packet = Packet {
            peer: self.peer,
            swid: board.process().wid,
            destination: Destination::Llcm(GRANT),
            status: false,
            tag: MORE,
        };
        let granted = self.read + u64::from(WINDOWS);
        let window = window(self.grants);
        board.send_packet(window, &packet, &granted.to_le_bytes()).await?;
        self.grants += 1;
        Ok(())
    }
}

/// Window of a chunk or grant.
fn window(number: u64) -> u8 {
    (number % u64::from(WINDOWS)) as u8
}

/// Program: initialises the board and sends `bytes` to a peer.
pub async fn send_bytes(host: Host, process: Process, peer: Peer, bytes: Vec<u8>) -> Result<(), ImageError> {
    let mut board = Board::initialise(host, process).await;
    let mut sender = Sender::open(&board, peer).await;
    sender.send(&mut board, &bytes).await
}

/// Program: initialises the board and receives one stream from a peer.
pub async fn receive_bytes(host: Host, process: Process, peer: Peer) -> Result<Vec<u8>, ReceiveError> {
    let mut board = Board::initialise(host, process).await;
    let mut receiver = Receiver::open(&mut board, peer).await?;
    receiver.receive(&mut board).await
}

const _: () = assert!(HEADER_BYTES + DATA_BYTES == WINDOW_BYTES as usize, "a chunk fills a window");
