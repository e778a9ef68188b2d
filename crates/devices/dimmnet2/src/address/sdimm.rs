//! SO-DIMM addresses: two modules interleaved every 8 bytes, one half for each process (thesis figure 4.16).

/// Location of a byte in a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Module: 0 is SO-DIMM1, 1 is SO-DIMM2.
    pub module: u8,
    /// Byte address in the module.
    pub address: u64,
}

/// Cell of byte `address` in the interleaved address space of both modules.
pub const fn cell(address: u64) -> Cell {
    Cell { module: (address >> 3 & 1) as u8, address: address >> 4 << 3 | (address & 7) }
}

/// First byte of a process's region, which is `capacity` bytes long; each module has `capacity` bytes.
///
/// The caption of thesis figure 4.16 speaks of 512 MB in a module; its addresses are those of 256 MB. Command
/// offsets have 32 bits and reach only the lower half of an 8 GB region.
pub const fn region_base(capacity: u64, wid: bool) -> u64 {
    if wid { capacity } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registers::code::sdimm_capacity_megabytes;

    #[test]
    fn modules_alternate_every_8_bytes() {
        assert_eq!(cell(0x7), Cell { module: 0, address: 7 });
        assert_eq!(cell(0x8), Cell { module: 1, address: 0 });
        assert_eq!(cell(0x10), Cell { module: 0, address: 8 });
        assert_eq!(cell(0x1f), Cell { module: 1, address: 0xf });
    }

    #[test]
    fn cells_of_a_block_are_all_different() {
        let cells: Vec<_> = (0..0x100).map(cell).collect();
        for (i, one) in cells.iter().enumerate() {
            assert!(!cells[..i].contains(one));
            assert!(one.address < 0x80);
        }
    }

    #[test]
    fn regions_of_256_mb_modules_match_figure_4_16() {
        let capacity = u64::from(sdimm_capacity_megabytes(0)) << 20;
        assert_eq!(region_base(capacity, false), 0);
        assert_eq!(region_base(capacity, true), 0x1000_0000);
        let last = region_base(capacity, true) + capacity - 1;
        assert_eq!(last, 0x1fff_ffff);
        assert_eq!(cell(last), Cell { module: 1, address: capacity - 1 });
    }
}
