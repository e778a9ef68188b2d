//! Node identifiers: the 16-bit LID of InfiniBand and its compressed 12-bit form (thesis table 4.6).

/// LID and CLID of a node that has not been assigned its own.
const INITIAL: (u16, u16) = (0xffff, 0xfff);

/// Compresses a LID: bits 11:8 are dropped (decision 0006).
pub const fn lid_to_clid(lid: u16) -> u16 {
    (lid >> 12) << 8 | (lid & 0xff)
}

/// Expands a CLID: the dropped bits become 0, except in the CLID of initialisation (decision 0006).
pub const fn clid_to_lid(clid: u16) -> u16 {
    debug_assert!(clid >> 12 == 0, "a CLID has 12 bits");
    if clid == INITIAL.1 { INITIAL.0 } else { (clid >> 8) << 12 | (clid & 0xff) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn end_points_match_table_4_6() {
        for (lid, clid) in [
            (0x0000, 0x000),
            (0x0001, 0x001),
            (0xbfff, 0xbff),
            (0xc000, 0xc00),
            (0xfffe, 0xffe),
            (0xffff, 0xfff),
        ] {
            assert_eq!(lid_to_clid(lid), clid);
        }
        assert_eq!(clid_to_lid(0xfff), 0xffff);
    }

    #[test]
    fn every_clid_survives_expansion() {
        assert!((0..0x1000).all(|clid| lid_to_clid(clid_to_lid(clid)) == clid));
    }

    #[test]
    fn lids_below_256_are_equal_in_both_readings_of_the_table() {
        for lid in 1..0x100 {
            let other_reading = (lid >> 13) << 9 | (lid & 0x1ff);
            assert_eq!((lid_to_clid(lid), other_reading), (lid, lid));
            assert_eq!(clid_to_lid(lid), lid);
        }
    }
}
