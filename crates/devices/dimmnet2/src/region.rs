//! The SO-DIMM region of a process: how much of it an offset reaches, and where that of WID 1 begins (thesis figure 4.16).
//!
//! Capacity codes are those of Configuration Register: 256 MB in each module, times two to the code. Codes above 5, which
//! it never sends, mean 8 GB.
//!
//! Combinational: the units that cut or place something hold it beside their registers.

use hdl::{Bundle, Item, Package};

hdl::bundle! {
    /// Input pins.
    pub struct In in region_pkg {
        /// Capacity code of an SO-DIMM.
        capacity: u8 : 3,
    }
}

hdl::bundle! {
    /// Output pins.
    pub struct Out in region_pkg {
        /// Bytes of a region that an offset of 32 bits reaches: all but the upper half of 8 GB.
        limit: u64 : 33,
        /// First word of 8 bytes of the region of WID 1.
        words: u32 : 31,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/region_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// The region for a capacity code.
#[inline(always)]
pub fn region(capacity: u8) -> Out {
    Out { limit: (1u64 << 28 << capacity).min(1 << 32), words: 1 << (25 + capacity.min(5)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn region_of_wid_1_begins_after_256_mb_times_two_to_the_capacity() {
        for capacity in 0..6 {
            assert_eq!(u64::from(region(capacity).words) * 8, (256 << 20) << capacity);
        }
        assert_eq!((region(6).words, region(7).words), (1 << 30, 1 << 30));
    }

    #[test]
    fn offsets_reach_all_of_a_region_but_not_beyond_4_gb() {
        let limits: Vec<_> = (0..8).map(|capacity| region(capacity).limit).collect();
        let mb = |count: u64| count << 20;
        assert_eq!(limits, [mb(256), mb(512), mb(1024), mb(2048), mb(4096), mb(4096), mb(4096), mb(4096)]);
    }
}
