//! Packet header lines (thesis figure 4.23, tables 4.14 and 4.15).
//!
//! ```text
//!      63 62 61 60 59 58        51 50  48 47            32 31 30 29 28 27      20 19  17 16   12 11          0
//!     +--+--+--+--+--+------------+------+----------------+--+--+--+--+----------+------+-------+------------+
//! 1st |0 |lf|hf|ef|rf| Iteration  |DTYPE |      DLID      |0 |SW|0 |DW|   PGID   | 000  | TYPE  |Packet Size |
//!     +--+--+--+--+--+------------+------+----------------+--+--+--+--+----------+------+-------+------------+
//! 2nd |                    DSTOff                         |            SRCOff or Initial DSTOff              |
//! 3rd |             Stride or List Address                |               Total Transfer Size                |
//! 4th |           Stride or List Address (Ex)             |          0           | Iteration | DTYPE | OTYPE |
//! ```
//!
//! hflag 0: two header lines. hflag 1: three, or three or four for the RVL family. Data follows, 8 bytes a
//! line, lowest address in bits 7:0. The identifiers of the lines are in [`crate::line`]. The header has no
//! source LID; the receiving SWIF replaces DLID by it (decision 0005).

use hdl::{Item, Package};

use crate::status::{StatusLower, StatusUpper};

hdl::fields! {
    /// First header line (thesis table 4.15; bit positions by decision 0004).
    pub struct FirstLine in packet_pkg {
        /// Bytes of the packet, header included. The controller overwrites it in a BOTF.
        [11:0] packet_size: u16,
        /// TYPE: primitive code, the OTYPE of a command (thesis table 4.13).
        [16:12] otype: u8,
        /// Sender's process group. The controller overwrites it in a BOTF.
        [27:20] pgid: u8,
        /// Receiving process's WID.
        [28] dwid: bool,
        /// Sending process's WID.
        [30] swid: bool,
        /// Receiving node's LID; the receiving SWIF replaces it by the sending node's LID (decision 0005).
        [47:32] dlid: u16,
        /// Element size: 1 << dtype bytes.
        [50:48] dtype: u8,
        /// Number of elements.
        [58:51] iteration: u8,
        /// Destination 0: SO-DIMM, 1: Prefetch Window.
        [59] rflag: bool,
        /// 1: this is the last packet of the primitive and the receiver writes a receive status.
        [60] eflag: bool,
        /// 0: two header lines, 1: three or four.
        [61] hflag: bool,
        /// RVS: receive into LLCM. IPUSH: receive with LHS.
        [62] lflag: bool,
    }
}

hdl::fields! {
    /// Second header line. The family of the primitive decides which of two meanings `srcoff` has.
    pub struct SecondLine in packet_pkg {
        /// RVL family: SRCOff, the offset that the remote node reads. Others: Initial DSTOff, the DSTOff of
        /// the primitive.
        [31:0] srcoff: u32,
        /// RVL family: offset at which the requester stores the reply. Others: destination of this packet's
        /// data.
        [63:32] dstoff: u32,
    }
}

hdl::fields! {
    /// Third header line, present if hflag is 1.
    pub struct ThirdLine in packet_pkg {
        /// Data bytes of the whole primitive, without headers.
        [31:0] total_transfer_size: u32,
        /// Stride in bytes or SO-DIMM address of the index list, as in the command.
        [63:32] stride_list: u32,
    }
}

hdl::fields! {
    /// Fourth header line, RVL family only: how the requester scatters the reply. Laid out as Command Ex.
    pub struct FourthLine in packet_pkg {
        /// Command Ex OTYPE; 0 (contiguous) if Command Ex is disabled.
        [4:0] otype: u8,
        /// Element size: 1 << dtype bytes.
        [7:5] dtype: u8,
        /// Number of elements.
        [15:8] iteration: u8,
        /// Stride in bytes, or address of the index list in the requester's SO-DIMM.
        [63:32] stride_list: u32,
    }
}

impl SecondLine {
    /// Second line of the RVS and IPUSH families. `dstoff` advances from packet to packet; `initial_dstoff`
    /// stays.
    pub const fn writing(dstoff: u32, initial_dstoff: u32) -> Self {
        Self { srcoff: initial_dstoff, dstoff }
    }

    /// Second line of the RVL family.
    pub const fn reading(srcoff: u32, dstoff: u32) -> Self {
        Self { srcoff, dstoff }
    }

    /// Initial DSTOff, which shares its bits with `srcoff`; valid in the RVS and IPUSH families.
    pub const fn initial_dstoff(self) -> u32 {
        self.srcoff
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/packet_pkg",
    source: file!(),
    items: &[
        Item::Fields(FirstLine::TABLE),
        Item::Fields(SecondLine::TABLE),
        Item::Fields(ThirdLine::TABLE),
        Item::Fields(FourthLine::TABLE),
        Item::Fields(StatusLower::TABLE),
        Item::Fields(StatusUpper::TABLE),
    ],
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Primitive;

    fn check(line: FirstLine, word: u64) {
        assert_eq!(line.bits(), word);
        assert_eq!(FirstLine::from_bits(word), line);
    }

    #[test]
    fn first_line_of_an_rvs_into_llcm() {
        let otype = Primitive::Rvs.code();
        let line = FirstLine { packet_size: 24, otype, pgid: 5, dlid: 3, lflag: true, ..Default::default() };
        check(line, 0x4000_0003_0051_4018);
    }

    #[test]
    fn first_line_of_an_rvs_that_asks_for_a_status() {
        let otype = Primitive::Rvs.code();
        let (pgid, dwid, dlid, eflag) = (0xa5, true, 3, true);
        check(
            FirstLine { packet_size: 24, otype, pgid, dwid, dlid, eflag, ..Default::default() },
            0x1000_0003_1a51_4018,
        );
    }

    #[test]
    fn first_line_of_an_rvl_request() {
        let otype = Primitive::Rvl.code();
        let (pgid, dwid, dlid, eflag, hflag) = (0xa5, true, 3, true, true);
        check(
            FirstLine { packet_size: 32, otype, pgid, dwid, dlid, eflag, hflag, ..Default::default() },
            0x3000_0003_1a51_0020,
        );
    }

    #[test]
    fn first_line_zeroes_bit_63_and_the_padding_of_figure_4_23() {
        assert_eq!(!FirstLine::TABLE.mask(), 1 << 63 | 1 << 31 | 1 << 29 | 0b111 << 17);
        assert_eq!(FirstLine::from_bits(u64::MAX).bits(), FirstLine::TABLE.mask());
    }

    #[test]
    fn second_line_holds_the_initial_dstoff() {
        let line = SecondLine::writing(0x2800, 0x2000);
        assert_eq!(line.bits(), 0x0000_2800_0000_2000);
        assert_eq!(line.initial_dstoff(), 0x2000);
        assert_eq!(SecondLine::reading(0x10, 0x20).bits(), 0x0000_0020_0000_0010);
    }

    #[test]
    fn fourth_line_is_command_ex() {
        let word = 0x0000_0040_0000_1061;
        let (line, ex) = (FourthLine::from_bits(word), crate::Ex::from_bits(word));
        assert_eq!((line.otype, line.dtype, line.iteration, line.stride_list), (1, 3, 16, 0x40));
        assert_eq!(line.bits(), ex.bits());
        assert_eq!(FourthLine::TABLE.mask(), crate::Ex::TABLE.mask());
    }

    prop_compose! {
        fn any_first_line()(
            (packet_size, otype, pgid, dlid) in (0u16..4096, 0u8..32, any::<u8>(), any::<u16>()),
            (dwid, swid, dtype, iteration) in (any::<bool>(), any::<bool>(), 0u8..8, any::<u8>()),
            (rflag, eflag, hflag, lflag) in any::<(bool, bool, bool, bool)>(),
        ) -> FirstLine {
            FirstLine {
                packet_size, otype, pgid, dwid, swid, dlid, dtype, iteration, rflag, eflag, hflag, lflag,
            }
        }
    }

    proptest! {
        #[test]
        fn first_line_survives_emit_and_parse(line in any_first_line()) {
            prop_assert_eq!(FirstLine::from_bits(line.bits()), line);
        }

        #[test]
        fn lines_survive_parse_and_emit_but_for_unused_bits(word in any::<u64>()) {
            prop_assert_eq!(FirstLine::from_bits(word).bits(), word & FirstLine::TABLE.mask());
            prop_assert_eq!(SecondLine::from_bits(word).bits(), word);
            prop_assert_eq!(ThirdLine::from_bits(word).bits(), word);
            prop_assert_eq!(FourthLine::from_bits(word).bits(), word & FourthLine::TABLE.mask());
        }
    }
}
