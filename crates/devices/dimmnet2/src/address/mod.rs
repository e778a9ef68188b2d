//! Addresses: the areas the host sees, node identifiers, and how SO-DIMM bytes are spread.

mod area;
mod lid;
mod sdimm;

pub use area::{Area, HostAccess, MemoryType, Place, WINDOW_BYTES};
pub use lid::{clid_to_lid, lid_to_clid};
pub use sdimm::{Cell, cell, region_base};
