//! Primitives: the operations that a host can request from the controller (thesis table 4.13).

hdl::codes! {
    /// Primitive codes, the OTYPE of a command and the TYPE of a packet (thesis table 4.13).
    /// Bits 4:2 select the family, bits 1:0 the variant: contiguous, strided or by list.
    pub enum Primitive in command_pkg, width 5 {
        /// Does nothing; the controller uses it internally.
        Nop = 0b00000,
        /// Sends the packet image in a Write Window.
        Botf = 0b00001,
        /// Copies from own SO-DIMM to own Prefetch Window.
        Vl = 0b00100,
        /// Copies strided elements from own SO-DIMM to own Prefetch Window.
        Vls = 0b00101,
        /// Copies listed elements from own SO-DIMM to own Prefetch Window.
        Vli = 0b00110,
        /// Copies from own Write Window to own SO-DIMM.
        Vs = 0b01000,
        /// Copies from own Write Window to strided elements in own SO-DIMM.
        Vss = 0b01001,
        /// Copies from own Write Window to listed elements in own SO-DIMM.
        Vsi = 0b01010,
        /// Reads remote SO-DIMM into own SO-DIMM (Command0) or Prefetch Window (Command1).
        Rvl = 0b10000,
        /// Reads strided elements of remote SO-DIMM.
        Rvls = 0b10001,
        /// Reads elements of remote SO-DIMM, named by a list in that SO-DIMM.
        Rvli = 0b10010,
        /// Writes own SO-DIMM into remote SO-DIMM (Command0) or Prefetch Window (Command1).
        Rvs = 0b10100,
        /// Writes to strided elements of remote SO-DIMM.
        Rvss = 0b10101,
        /// Writes to elements of remote SO-DIMM, named by a list in that SO-DIMM.
        Rvsi = 0b10110,
        /// Writes own SO-DIMM to a destination that the receiver chooses.
        Ipush = 0b11000,
        /// IPUSH with LHSv1: envelope and data lie contiguously in own SO-DIMM.
        LhsV1 = 0b11001,
        /// IPUSH with LHSv2: the envelope comes from a Write Window, the data from own SO-DIMM.
        LhsV2 = 0b11010,
    }
}

hdl::codes! {
    /// Families of primitives: bits 4:2 of a code. Codes 011 and 111 are not assigned.
    ///
    /// A footnote of the thesis speaks of the upper 2 bits, but those cannot distinguish BOTF from VL nor RVL
    /// from RVS.
    pub enum Family in command_pkg, width 3 {
        /// NOP and BOTF; bit 0 distinguishes them.
        FamilyBotf = 0b000,
        /// VL, VLS, VLI.
        FamilyVl = 0b001,
        /// VS, VSS, VSI.
        FamilyVs = 0b010,
        /// RVL, RVLS, RVLI.
        FamilyRvl = 0b100,
        /// RVS, RVSS, RVSI.
        FamilyRvs = 0b101,
        /// IPUSH without LHS, with LHSv1, with LHSv2.
        FamilyIpush = 0b110,
    }
}

impl Primitive {
    /// Family of the primitive; each family has its own module in the Request Executor.
    pub const fn family(self) -> Family {
        match Family::from_code(self.code() >> 2) {
            Some(family) => family,
            None => unreachable!(),
        }
    }

    /// Mnemonic as printed by the thesis and by dsh.
    pub const fn mnemonic(self) -> &'static str {
        use Primitive::*;
        match self {
            Nop => "NOP",
            Botf => "BOTF",
            Vl => "VL",
            Vls => "VLS",
            Vli => "VLI",
            Vs => "VS",
            Vss => "VSS",
            Vsi => "VSI",
            Rvl => "RVL",
            Rvls => "RVLS",
            Rvli => "RVLI",
            Rvs => "RVS",
            Rvss => "RVSS",
            Rvsi => "RVSI",
            Ipush => "IPUSH",
            LhsV1 => "LHSv1",
            LhsV2 => "LHSv2",
        }
    }
}

/// Whether a code is that of VS, VSS or VSI.
#[inline]
pub(crate) const fn is_vs(otype: u8) -> bool {
    otype >> 2 == Family::FamilyVs.code() && otype & 3 != 3
}

/// Whether a code is that of VL, VLS or VLI.
#[inline]
pub(crate) const fn is_vl(otype: u8) -> bool {
    otype >> 2 == Family::FamilyVl.code() && otype & 3 != 3
}

/// Whether `otype` is RVS, RVSS or RVSI.
#[inline]
pub(crate) const fn is_rvs(otype: u8) -> bool {
    otype >> 2 == Family::FamilyRvs.code() && otype & 3 != 3
}

/// Whether `otype` is IPUSH, alone or with LHSv1 or LHSv2.
#[inline]
pub(crate) const fn is_ipush(otype: u8) -> bool {
    otype >> 2 == Family::FamilyIpush.code() && otype & 3 != 3
}

/// Whether `otype` is RVL, RVLS or RVLI.
#[inline]
pub(crate) const fn is_rvl(otype: u8) -> bool {
    otype >> 2 == Family::FamilyRvl.code() && otype & 3 != 3
}

/// Bytes of one element: DTYPE 0 is 1 byte, DTYPE 7 is 128 (thesis table 4.5).
///
/// SO-DIMM access is designed for elements of at least 4 bytes (thesis page 53, note 4); the size of smaller
/// ones is still counted in bytes.
pub const fn element_bytes(dtype: u8) -> u32 {
    1 << (dtype & 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_match_table_4_13() {
        let hex: Vec<u8> = Primitive::ALL.iter().map(|primitive| primitive.code()).collect();
        assert_eq!(hex, [0, 1, 4, 5, 6, 8, 9, 0xa, 0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x18, 0x19, 0x1a]);
        assert_eq!((0..32).filter_map(Primitive::from_code).collect::<Vec<_>>(), Primitive::ALL);
    }

    #[test]
    fn upper_three_bits_select_the_family() {
        use Family::*;
        let families: Vec<_> = Primitive::ALL.iter().map(|primitive| primitive.family()).collect();
        let expected: Vec<_> =
            [(FamilyBotf, 2), (FamilyVl, 3), (FamilyVs, 3), (FamilyRvl, 3), (FamilyRvs, 3), (FamilyIpush, 3)]
                .into_iter()
                .flat_map(|(family, count)| std::iter::repeat_n(family, count))
                .collect();
        assert_eq!(families, expected);
        assert_eq!((Family::from_code(0b011), Family::from_code(0b111)), (None, None));
    }

    #[test]
    fn vl_family_has_three_codes() {
        let codes: Vec<_> = (0..32).filter(|&otype| is_vl(otype)).collect();
        assert_eq!(codes, [Primitive::Vl, Primitive::Vls, Primitive::Vli].map(Primitive::code));
    }

    #[test]
    fn rvs_family_has_three_codes() {
        let codes: Vec<_> = (0..32).filter(|&otype| is_rvs(otype)).collect();
        assert_eq!(codes, [Primitive::Rvs, Primitive::Rvss, Primitive::Rvsi].map(Primitive::code));
    }

    #[test]
    fn ipush_family_has_three_codes() {
        let codes: Vec<_> = (0..32).filter(|&otype| is_ipush(otype)).collect();
        assert_eq!(codes, [Primitive::Ipush, Primitive::LhsV1, Primitive::LhsV2].map(Primitive::code));
    }

    #[test]
    fn rvl_family_has_three_codes() {
        let codes: Vec<_> = (0..32).filter(|&otype| is_rvl(otype)).collect();
        assert_eq!(codes, [Primitive::Rvl, Primitive::Rvls, Primitive::Rvli].map(Primitive::code));
    }

    #[test]
    fn element_sizes_match_table_4_5() {
        let sizes: Vec<_> = (0..8).map(element_bytes).collect();
        assert_eq!(sizes, [1, 2, 4, 8, 16, 32, 64, 128]);
    }
}
