//! The SO-DIMM region of a process: the bytes that an offset can reach, and the start of the region of WID 1
//! (thesis figure 4.16).
//!
//! Capacity codes are those of Configuration Register: each module has 256 MB << code. Codes above 5 are
//! never sent and mean 8 GB.
//!
//! Combinational: units that clamp sizes or compute addresses instantiate it next to their registers.

use hdl::{Bundle, Item, Package};

hdl::bundle! {
    /// Input pins of the region decoder.
    pub struct In in region_pkg {
        /// Capacity code of one SO-DIMM.
        capacity: u8 : 3,
    }
}

hdl::bundle! {
    /// Output pins of the region decoder.
    pub struct Out in region_pkg {
        /// Bytes of a region that a 32-bit offset can reach: the whole region, but at most 4 GB.
        limit: u64 : 33,
        /// First 8-byte word of the region of WID 1.
        words: u32 : 31,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/region_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Region bounds for a capacity code.
#[inline(always)]
pub fn region(capacity: u8) -> Out {
    Out { limit: (1u64 << 28 << capacity).min(1 << 32), words: 1 << (25 + capacity.min(5)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn region_of_wid_1_begins_after_256_mb_shifted_by_the_capacity() {
        for capacity in 0..6 {
            assert_eq!(u64::from(region(capacity).words) * 8, (256 << 20) << capacity);
        }
        assert_eq!((region(6).words, region(7).words), (1 << 30, 1 << 30));
    }

    #[test]
    fn offsets_reach_a_whole_region_up_to_4_gb() {
        let limits: Vec<_> = (0..8).map(|capacity| region(capacity).limit).collect();
        let mb = |count: u64| count << 20;
        assert_eq!(limits, [mb(256), mb(512), mb(1024), mb(2048), mb(4096), mb(4096), mb(4096), mb(4096)]);
    }
}
