//! Command words: what the host writes into Command Upper, Lower and Ex (thesis figures 4.13, 4.14 and 7.8).
//!
//! The host writes Upper first and Lower last, because writing Lower issues the command. Bits that the thesis
//! leaves unused are written as 0 and ignored when read. Where a figure draws a 2-bit slot for a 1-bit field,
//! the field is the low bit of the slot (decision 0004).

use hdl::{Item, Package};

use crate::primitive::{Family, Primitive};

/// Offset that makes a VL or VS copy from SO-DIMM to SO-DIMM: DSTOff of a VL, SRCOff of a VS (thesis section
/// 4.6.8).
pub const SODIMM_COPY: u32 = 0xffff_ffff;

hdl::fields! {
    /// Command Lower of every primitive but BOTF (thesis figure 4.13, table 4.4). Writing it issues the command.
    pub struct Lower in command_pkg {
        /// Primitive code (thesis table 4.13).
        [4:0] otype: u8,
        /// Element size: 1 << dtype bytes (thesis table 4.5).
        [7:5] dtype: u8,
        /// Number of elements of a strided or list access.
        [15:8] iteration: u8,
        /// Destination process's WID; bit 17 is unused (decision 0004).
        [16] dwid: bool,
        /// Destination node's compressed LID.
        [29:18] dclid: u16,
        /// 1: the receiver writes a receive status; bit 31 is unused (decision 0004).
        [30] eflag: bool,
        /// Size in bytes, SO-DIMM address of the index list, or stride in bytes, depending on the variant.
        [63:32] size_list_stride: u32,
    }
}

hdl::fields! {
    /// Command Upper (thesis figure 4.13, table 4.4). BOTF does not use it.
    pub struct Upper in command_pkg {
        /// Source byte offset: in own SO-DIMM region, own Write Windows or remote SO-DIMM region.
        [31:0] srcoff: u32,
        /// Destination byte offset: in own SO-DIMM region, own Prefetch Windows or remote memory.
        [63:32] dstoff: u32,
    }
}

hdl::fields! {
    /// Command Ex: access parameters of the local side of RVS, RVL and IPUSH (thesis figure 4.13).
    pub struct Ex in command_pkg {
        /// Bits 1:0 select contiguous, strided or list access; the others are ignored.
        [4:0] otype: u8,
        /// Element size: 1 << dtype bytes.
        [7:5] dtype: u8,
        /// Number of elements.
        [15:8] iteration: u8,
        /// Size in bytes, SO-DIMM address of the index list, or stride in bytes.
        [63:32] size_list_stride: u32,
    }
}

hdl::fields! {
    /// Command Lower of BOTF (thesis figure 4.14, table 4.7). Upper need not be written (decision 0004).
    pub struct BotfLower in command_pkg {
        /// Primitive code, 5'b00001.
        [4:0] otype: u8,
        /// Write Window number; the packet image starts at the first byte of the window.
        [6:5] window: u8,
        /// Bytes to send, packet header included; sizes above 512 send 512, 0 completes at once.
        [41:32] size: u16,
    }
}

hdl::fields! {
    /// Command Upper of IPUSH with LHSv2 (thesis figure 7.8).
    pub struct LhsUpper in command_pkg {
        /// Source byte offset in own SO-DIMM region.
        [31:0] srcoff: u32,
        /// Bytes taken from the Write Windows, up to 512.
        [41:32] window_size: u16,
        /// Source byte offset in the process's 2 KB of Write Windows.
        [53:42] window_srcoff: u16,
    }
}

impl Lower {
    /// A command of `primitive` with its size, list or stride; all other fields are 0, for struct update
    /// syntax.
    pub const fn new(primitive: Primitive, size_list_stride: u32) -> Self {
        Self {
            otype: primitive.code(),
            dtype: 0,
            iteration: 0,
            dwid: false,
            dclid: 0,
            eflag: false,
            size_list_stride,
        }
    }
}

impl BotfLower {
    /// A BOTF of the first `size` bytes of Write Window `window` (0 to 3).
    ///
    /// Sizes above 1023 are saturated to 1023, which the controller cuts to 512 anyway.
    pub fn new(window: u8, size: u16) -> Self {
        assert!(window < 4, "a process has Write Windows 0 to 3, not {window}");
        Self { otype: Primitive::Botf.code(), window, size: size.min(1023) }
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/command_pkg",
    source: file!(),
    items: &[
        Item::Codes(Primitive::TABLE),
        Item::Codes(Family::TABLE),
        Item::Constant {
            name: "SodimmCopy",
            width: 32,
            value: SODIMM_COPY as u64,
            doc: "Offset of an SO-DIMM copy: DSTOff of the VL, SRCOff of the VS (thesis section 4.6.8).",
        },
        Item::Fields(Lower::TABLE),
        Item::Fields(Upper::TABLE),
        Item::Fields(Ex::TABLE),
        Item::Fields(BotfLower::TABLE),
        Item::Fields(LhsUpper::TABLE),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vs_encodes_as_dsh_prints_it() {
        // Thesis figure C.7: prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=0x200 src=0x400 dst=0x600.
        let upper = Upper { srcoff: 0x400, dstoff: 0x600 }.bits();
        let lower = Lower::new(Primitive::Vs, 0x200).bits();
        assert_eq!(upper, 0x0000_0600_0000_0400);
        assert_eq!(lower, 0x0000_0200_0000_0008);
        assert_eq!(format!("cmd:{upper:x}_{lower:x}"), "cmd:60000000400_20000000008");
    }

    #[test]
    fn rvs_with_status_to_the_second_process_of_node_3() {
        let upper = Upper { srcoff: 0x1000, dstoff: 0x2000 };
        let lower = Lower { dwid: true, dclid: 3, eflag: true, ..Lower::new(Primitive::Rvs, 0x800) };
        assert_eq!(upper.bits(), 0x0000_2000_0000_1000);
        assert_eq!(lower.bits(), 0x0000_0800_400d_0014);
        assert_eq!(Lower::from_bits(lower.bits()), lower);
    }

    #[test]
    fn vls_of_16_elements_of_8_bytes() {
        let upper = Upper { srcoff: 0x1000, dstoff: 0x80 };
        let lower = Lower { dtype: 3, iteration: 16, ..Lower::new(Primitive::Vls, 0x40) };
        assert_eq!(upper.bits(), 0x0000_0080_0000_1000);
        assert_eq!(lower.bits(), 0x0000_0040_0000_1065);
        assert_eq!(Lower::from_bits(lower.bits()), lower);
    }

    #[test]
    fn botf_of_a_full_window_and_of_three_lines() {
        assert_eq!(BotfLower::new(2, 512).bits(), 0x0000_0200_0000_0041);
        assert_eq!(BotfLower::new(0, 24).bits(), 0x0000_0018_0000_0001);
        assert_eq!(BotfLower::new(0, 4096).size, 1023);
    }

    #[test]
    fn lhs_upper_takes_the_envelope_from_the_second_window() {
        let upper = LhsUpper { srcoff: 0x1000, window_size: 8, window_srcoff: 0x200 };
        assert_eq!(upper.bits(), 0x0008_0008_0000_1000);
    }

    #[test]
    fn ex_shares_the_positions_of_lower() {
        let ex = Ex { otype: 1, dtype: 2, iteration: 9, size_list_stride: 0x40 };
        let lower = Lower { dtype: 2, iteration: 9, ..Lower::from_bits(0x0000_0040_0000_0001) };
        assert_eq!(ex.bits(), lower.bits());
        assert_eq!(Ex::TABLE.mask(), 0xffff_ffff_0000_ffff);
    }
}
