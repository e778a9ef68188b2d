//! Addresses: the areas that the host sees, node identifiers, and the interleaving of the SO-DIMMs.

mod area;
mod lid;
mod sdimm;

pub use area::{Area, HostAccess, MemoryType, Place, WINDOW_BYTES};
pub use lid::{clid_to_lid, lid_to_clid};
pub use sdimm::{Cell, cell, region_base};
