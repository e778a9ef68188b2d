//! BOTF: the host writes a packet image into a Write Window, and the board sends it (thesis section 4.6.2).

use dimmnet2::address::{Area, WINDOW_BYTES};
use dimmnet2::registers::UserRegister;
use dimmnet2::{BotfLower, FirstLine, Primitive, SecondLine};
use machine_api::ProcessSlot;
use thiserror::Error;

use super::Board;
use crate::lid;

/// Bytes of a packet header with two lines.
pub const HEADER_BYTES: usize = 16;

/// Most data that a BOTF carries behind such a header (thesis section 6.2).
pub const DATA_BYTES: usize = WINDOW_BYTES as usize - HEADER_BYTES;

/// A process in the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    /// LID of its node.
    pub lid: u16,
    /// WID of its slot.
    pub wid: bool,
}

impl Peer {
    /// The process in a slot of a board.
    pub fn of(process: ProcessSlot) -> Peer {
        Peer { lid: lid(process.node), wid: process.slot == 1 }
    }
}

/// Place of the data at the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Offset in the process's SO-DIMM region.
    SoDimm(u32),
    /// Offset in the process's Prefetch Windows.
    PrefetchWindow(u32),
    /// Offset in the process's LLCM.
    Llcm(u32),
    /// The receiver's ring for this sender.
    Ring,
    /// The LH Buffer and, beyond 56 bytes, the ring; the first 8 bytes are the envelope.
    LhBuffer,
}

/// A packet that writes its data into remote memory: an RVS, or an IPUSH for rings, with two header lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Receiver.
    pub peer: Peer,
    /// WID of the sender.
    pub swid: bool,
    /// Place of the data.
    pub destination: Destination,
    /// The receiver gets a status.
    pub status: bool,
    /// A number that the status brings to the receiver; travels in Iteration, which a contiguous transfer does not use.
    pub tag: u8,
}

/// Why a packet has no image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ImageError {
    /// The data does not fit into a window together with the header.
    #[error("a BOTF carries 1 to {DATA_BYTES} bytes of data, not {0}")]
    Size(usize),
}

impl Packet {
    /// The packet image with `data`. The controller replaces its PGID and its Packet Size.
    pub fn image(&self, data: &[u8]) -> Result<Vec<u8>, ImageError> {
        if !(1..=DATA_BYTES).contains(&data.len()) {
            return Err(ImageError::Size(data.len()));
        }
        let (primitive, offset, rflag, lflag) = match self.destination {
            Destination::SoDimm(offset) => (Primitive::Rvs, offset, false, false),
            Destination::PrefetchWindow(offset) => (Primitive::Rvs, offset, true, false),
            Destination::Llcm(offset) => (Primitive::Rvs, offset, false, true),
            Destination::Ring => (Primitive::Ipush, 0, false, false),
            Destination::LhBuffer => (Primitive::Ipush, 0, false, true),
        };
        let first = FirstLine {
            packet_size: (HEADER_BYTES + data.len()) as u16,
            otype: primitive.code(),
            dlid: self.peer.lid,
            dwid: self.peer.wid,
            swid: self.swid,
            iteration: self.tag,
            eflag: self.status,
            rflag,
            lflag,
            ..Default::default()
        };
        let second = SecondLine::writing(offset, offset);
        let mut image = Vec::with_capacity(HEADER_BYTES + data.len());
        image.extend_from_slice(&first.bits().to_le_bytes());
        image.extend_from_slice(&second.bits().to_le_bytes());
        image.extend_from_slice(data);
        Ok(image)
    }
}

impl Board {
    /// Sends the first `size` bytes of a Write Window.
    ///
    /// At most four BOTFs of a process are in progress if every window is [waited for](Board::wait_window). The Request
    /// FIFO holds more, so its room need not be checked; it is checked by [habit](super::Habits).
    pub async fn botf(&mut self, window: u8, size: usize) {
        self.may_issue().await;
        let lower = BotfLower::new(window, size as u16).bits();
        self.host().store_uc(self.user(UserRegister::Command0Lower), lower).await;
        self.issued(window);
        self.host().mark("command issued");
    }

    /// Writes a packet into a Write Window, once that is free, and sends it.
    pub async fn send_packet(&mut self, window: u8, packet: &Packet, data: &[u8]) -> Result<(), ImageError> {
        let image = packet.image(data)?;
        self.wait_window(window).await;
        self.host().mark("window free");
        self.host().store_wc(Area::WriteWindow.window(self.process().wid, window), &image).await;
        self.host().sfence().await;
        self.host().mark("image written");
        self.botf(window, image.len()).await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn image_is_two_header_lines_and_the_data() {
        let packet = Packet {
            peer: Peer { lid: 3, wid: true },
            swid: false,
            destination: Destination::PrefetchWindow(0x200),
            status: true,
            tag: 1,
        };
        let image = packet.image(b"eight by").unwrap();
        let line = |i: usize| u64::from_le_bytes(image[8 * i..][..8].try_into().unwrap());
        // Size 24, RVS, DWID, DLID 3, Iteration 1, rflag, eflag.
        assert_eq!(line(0), 24 | 0x14 << 12 | 1 << 28 | 3 << 32 | 1 << 51 | 1 << 59 | 1 << 60);
        assert_eq!(line(1), 0x200 << 32 | 0x200);
        assert_eq!(&image[16..], b"eight by");
    }

    #[test]
    fn image_must_fit_into_a_window() {
        let packet = Packet {
            peer: Peer { lid: 3, wid: false },
            swid: false,
            destination: Destination::Llcm(0),
            status: false,
            tag: 0,
        };
        assert_eq!(packet.image(&[0; 496]).unwrap().len(), 512);
        assert_eq!(packet.image(&[0; 497]), Err(ImageError::Size(497)));
        assert_eq!(packet.image(&[]), Err(ImageError::Size(0)));
    }
}
