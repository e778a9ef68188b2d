//! Windows of MPI in SO-DIMM: puts by RVS, gets by RVL, completion by receive statuses.
//!
//! ```text
//!   origin                                     target, whose host takes no part
//!     put      -- RVS, RVSS or RVSI -------->   Write Unit stores the data
//!     get      -- RVL, RVLS or RVLI -------->   Window Controller reads the data
//!              <- RVS with the data ---------
//!     status of the data: the get and all puts before it are complete
//!     flush    -- RVL of 8 bytes ----------->   read after all data before it was stored
//!              <- RVS -----------------------
//!     status: all puts are complete
//! ```
//!
//! A status is written where data arrives, so an origin learns from an RVS nothing. Packets of a rank arrive in order,
//! and the Receive Controller takes the next one when the data of this one is stored. So the answer to an RVL proves
//! that all puts before it are stored.
//!
//! Windows of a rank alone on its board lie in the region of slot 1, which no message of MPI uses. Windows of two ranks
//! lie in the upper half of their own regions. The pages of the process stand for that place:
//! the simulator copies data there when a put is complete, and shows the board the bytes that a get reads.

use dimmnet2::registers::SystemRegister;
use mpi::carrier::Part;

use super::carrier::Native;
use super::layout::{self, STAGE};
use super::remote::Reading;
use super::shape::Shape;
use crate::programs::Board;
use crate::programs::botf::{DATA_BYTES, Destination, Peer};
use crate::programs::remote::Memory;
use crate::programs::vl::Source;

impl Native {
    /// Assigns a place to a window. From the first one on the board accepts packets for the slot of windows.
    pub(super) async fn place_window(&mut self, bytes: u64) -> Option<u64> {
        if !std::mem::replace(&mut self.remote.is_open, true) {
            let register = Board::system(SystemRegister::Pgid1);
            self.board().host().store_uc(register, self.board().process().pgid.into()).await;
        }
        self.remote.places.take(u32::try_from(bytes).ok()?).map(u64::from)
    }

    /// Stores data in a window. A run of bytes goes in packet images, because the data is in the host; elements are
    /// staged in own SO-DIMM.
    pub(super) async fn put(&mut self, part: &Part, data: &[u8]) {
        let shape = Shape::of(part.place as u32, &part.pieces);
        let peer = self.ranks().owner_of_windows(part.target);
        if let Shape::Contiguous { offset, .. } = shape {
            self.write_run(peer, offset, data).await;
        } else {
            let list_at = self.send_list(part.target, &shape, layout::PUT_LIST).await;
            // The data staged before has left.
            self.board().wait_sent().await;
            self.stage(data).await;
            let from = Source::Contiguous { offset: STAGE, size: data.len() as u32 };
            self.board().issue_rvs(peer, from, shape.operand(list_at), Memory::SoDimm, false).await;
        }
        *self.remote.unsettled.entry(part.target).or_default() += 1;
    }

    /// Writes a run of bytes into a region of another rank: RVS packets of one BOTF each.
    async fn write_run(&mut self, peer: Peer, offset: u32, data: &[u8]) {
        for (offset, part) in (offset..).step_by(DATA_BYTES).zip(data.chunks(DATA_BYTES)) {
            self.post(peer, Destination::SoDimm(offset), part).await;
        }
    }

    /// Asks for data of a window. Returns false if as many requests as allowed are in progress.
    pub(super) async fn get(&mut self, part: &Part, present: &[u8]) -> bool {
        let Some(slot) = self.remote.slot() else { return false };
        let mut rest = present;
        for piece in &part.pieces {
            let (bytes, after) = rest.split_at(piece.bytes as usize);
            self.remote.show(part.target, part.place + piece.at, bytes);
            rest = after;
        }
        let shape = Shape::of(part.place as u32, &part.pieces);
        let list_at = self.send_list(part.target, &shape, layout::GET_LISTS + slot).await;
        self.request(part.target, slot, shape.operand(list_at), present.len()).await;
        true
    }

    /// Asks whether all puts to a target are stored, if that is not known. Returns false if as many requests as allowed
    /// are in progress.
    pub(super) async fn ask_settled(&mut self, target: usize) -> bool {
        if !self.remote.is_unsettled(target) {
            return true;
        }
        let Some(slot) = self.remote.slot() else { return false };
        let offset = self.ranks().regions().list(self.rank(), layout::PUT_LIST);
        let word = Source::Contiguous { offset, size: 8 };
        self.request(target, slot, word, 0).await;
        true
    }

    /// Issues an RVL whose data goes to a slot, with a status. Only the `bytes` of a get are read from there.
    async fn request(&mut self, target: usize, slot: u32, from: Source, bytes: usize) {
        let offset = layout::arriving(slot);
        let to = Source::Contiguous { offset, size: if bytes > 0 { bytes as u32 } else { 8 } };
        self.board().issue_rvl(self.ranks().owner_of_windows(target), from, to).await;
        let puts = self.remote.unsettled.remove(&target).unwrap_or_default();
        self.remote.reading.insert(offset, Reading { target, puts, bytes });
    }

    /// Writes the list of a shape to its target, unless it is there; returns its offset.
    async fn send_list(&mut self, target: usize, shape: &Shape, number: u32) -> u32 {
        let at = self.ranks().regions().list(self.rank(), number);
        if let Shape::Listed { list, .. } = shape
            && self.remote.lists.get(&(target, at)) != Some(list)
        {
            let bytes: Vec<u8> = list.iter().flat_map(|offset| offset.to_le_bytes()).collect();
            self.write_run(self.ranks().owner_of_windows(target), at, &bytes).await;
            self.remote.lists.insert((target, at), list.clone());
        }
        at
    }

    /// Takes a receive status, if there is one, and the data that it announces.
    pub(super) async fn take_status(&mut self) {
        if self.remote.is_idle() {
            return;
        }
        let Some((_, status)) = self.next_status().await else { return };
        let Some(Reading { target, puts, bytes }) = self.remote.reading.remove(&status.first_address) else {
            return;
        };
        self.remote.finished.extend((0..puts).map(|_| (target, Vec::new())));
        if bytes > 0 {
            let data = self.read_arrived(status.first_address, bytes).await;
            self.remote.finished.push_back((target, data));
        }
    }
}
