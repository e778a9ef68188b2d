//! Pinned memory of the host: an area to send from and an area to receive into, for each ring. The layout is our choice.

use crate::memory_map::RINGS;

/// Byte address of the first area.
pub const BASE: u32 = 0x0010_0000;
/// Bytes from one area to the next.
const AREA_STRIDE: u32 = 0x8000;
/// Bytes of all areas.
pub const BYTES: u32 = 2 * RINGS as u32 * AREA_STRIDE;

/// Byte address of the send area of a ring.
pub const fn send_area(ring: u8) -> u32 {
    BASE + AREA_STRIDE * ring as u32
}

/// Byte address of the receive area of a ring.
pub const fn receive_area(ring: u8) -> u32 {
    BASE + AREA_STRIDE * (RINGS + ring) as u32
}
