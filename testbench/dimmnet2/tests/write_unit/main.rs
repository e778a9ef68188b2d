//! The Write Unit and its blocks, each alone.

/// Gets the offsets of a list.
mod list_read;
/// Pulls lines out of SWIF.
mod read_control;
/// Finds room in rings.
mod ring;
/// Places the elements of a strided store.
mod stride;
/// Takes lines out of a Write Window.
mod window_read;
/// Lets packets and local stores in.
mod write_arbiter;
/// Hands words over to the SO-DIMM interface.
mod write_control;
/// All of it together; its file has the name of its twins.
#[allow(clippy::module_inception)]
mod write_unit;

use cosim::Stimulus;
use dimmnet2::receive_controller::pins::{RingRequest, WriteRequest};
use dimmnet2::window_controller::pins::VectorStore;
use dimmnet2::{Line, line};

/// A request, mostly of a short packet and near the end of the region.
pub fn request(stimulus: &mut Stimulus, capacity: u8) -> WriteRequest {
    let mut request: WriteRequest = stimulus.pins();
    if !stimulus.one_in(4) {
        request.bytes = stimulus.below(80) as u16;
        let end = (0x1000_0000u64 << capacity).min(1 << 32);
        request.offset = (end - stimulus.below(32)) as u32;
    }
    request
}

/// A request for a ring of any size, most of them of 64 KB.
pub fn ring_request(stimulus: &mut Stimulus) -> RingRequest {
    let mut request: RingRequest = stimulus.pins();
    if !stimulus.one_in(4) {
        request.area_size = 1;
    }
    request
}

/// Head and Tail, mostly of a ring of 64 KB with little room.
pub fn amt_entry(stimulus: &mut Stimulus) -> u64 {
    let tail = if stimulus.one_in(4) { stimulus.word() as u32 } else { stimulus.below(1 << 28) as u32 };
    let head = tail & !0xffff | tail.wrapping_add(stimulus.below(128) as u32) & 0xffff;
    u64::from(if stimulus.one_in(4) { stimulus.word() as u32 } else { head }) << 32 | u64::from(tail)
}

/// A local store, mostly short and near the end of the region.
pub fn store(stimulus: &mut Stimulus, capacity: u8) -> VectorStore {
    let mut store: VectorStore = stimulus.pins();
    store.listed &= stimulus.one_in(4);
    store.bytes = if stimulus.one_in(4) { stimulus.below(501) } else { stimulus.below(40) } as u16;
    if !stimulus.one_in(4) {
        let end = (0x1000_0000u64 << capacity).min(1 << 32);
        store.offset = (end - 1 - stimulus.below(300)) as u32;
        store.stride = stimulus.below(64) as u32;
    }
    store
}

/// A data line; a last line now and then, a first line rarely.
pub fn line(stimulus: &mut Stimulus) -> Line {
    let ids =
        [line::MIDDLE, line::MIDDLE, line::MIDDLE, line::MIDDLE, line::LAST, line::LAST, line::FIRST, 0];
    Line { data: stimulus.word(), id: ids[stimulus.below(8) as usize] }
}
