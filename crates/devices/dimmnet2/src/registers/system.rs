//! System Register page, for the privileged process (thesis figure 4.15, table 4.12, appendix B).

use hdl::{Item, Package};

hdl::registers! {
    /// System Register page, for the privileged process (thesis figure 4.15, table 4.12, appendix B).
    /// The thesis leaves offsets 0x400 to 0x600 free; the register at 0x400 is an addition of this model.
    pub enum SystemRegister in system_register_pkg {
        /// 1 enables access to the SO-DIMMs. Set once after power-up; Controller Reset does not clear it.
        SdimmInit = 0x000 Write, width 1, reset 0;
        /// Code of the capacity of one SO-DIMM (thesis table 4.10). 0 selects 256 MB.
        SdimmCapacity = 0x100 Write, width 6, reset 0;
        /// Code of the payload of an InfiniBand packet (thesis table 4.11). 0 selects 2048 bytes.
        Mtu = 0x200 Write, width 5, reset 0;
        /// Any data resets the subnet management agent.
        SmaSoftwareReset = 0x300 Write, width 64, reset 0;
        /// LID that the Subnet Manager has assigned to this node, and the status of SWIF.
        SmaLid = 0x300 Read, width 18, reset 0, layout SmaLid;
        /// How data is read for packets. Not in the thesis (decision 0041); 0 is the published behaviour.
        ReadOptions = 0x400 Write, width 2, reset 0, layout ReadOptions;
        /// LID of this node, as used by the controller.
        Lid = 0x700 Write, width 16, reset 0;
        /// Process group of WID 0.
        Pgid0 = 0x800 Write, width 8, reset 0;
        /// Process group of WID 1.
        Pgid1 = 0x900 Write, width 8, reset 0;
        /// Any access, read or write, resets the controller and clears the LH Buffer flags; it reads 0.
        ControllerReset = 0xa00 Any, width 64, reset 0;
        /// Writes one entry of the AMT Address Table (thesis figure B.1). The second 0xa00 of thesis figure 4.15
        /// is a misprint.
        AmtAddressTableInterface = 0xb00 Write, width 30, reset 0, layout AmtAddressTableInterface;
    }
}

hdl::fields! {
    /// SMA LID (thesis appendix B).
    pub struct SmaLid in system_register_pkg {
        /// LID from the subnet management agent.
        [15:0] lid: u16,
        /// SWIF status; 2'b11 means that the link is usable.
        [17:16] swif_status: u8,
    }
}

hdl::fields! {
    /// AMT Address Table Interface (thesis figure B.1): location of the AMT entry of one sender.
    pub struct AmtAddressTableInterface in system_register_pkg {
        /// Number of the 64-bit word of LLCM that holds the AMT entry.
        [11:0] value: u16,
        /// Sending process's WID; bit 13 is unused (decision 0004).
        [12] wid: bool,
        /// Sending node's LID.
        [29:14] lid: u16,
    }
}

hdl::fields! {
    /// Read Options: an addition to the registers of the thesis (decision 0041).
    pub struct ReadOptions in system_register_pkg {
        /// 1: RVS and IPUSH begin a packet when all of its data has been read, 0: when the first line has
        /// (thesis section 5.3.7).
        [0] awaited: bool,
        /// Contiguous data for packets is read from both SO-DIMMs at once, 16 bytes in a cycle (thesis section 4.5.6).
        [1] together: bool,
    }
}

impl SmaLid {
    /// Whether the link is usable.
    pub fn link_up(self) -> bool {
        self.swif_status == 0b11
    }
}

/// The generated package.
pub const SYSTEM_PACKAGE: Package = Package {
    path: "dimmnet2/registers/system_register_pkg",
    source: file!(),
    items: &[
        Item::Registers(SystemRegister::TABLE),
        Item::Fields(SmaLid::TABLE),
        Item::Fields(AmtAddressTableInterface::TABLE),
        Item::Fields(ReadOptions::TABLE),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amt_address_table_entry_of_the_second_process_of_node_3() {
        let entry = AmtAddressTableInterface { value: 2, wid: true, lid: 3 };
        assert_eq!(entry.bits(), 0x0000_0000_0000_d002);
        assert_eq!(AmtAddressTableInterface::from_bits(0xd002), entry);
    }

    #[test]
    fn sma_lid_reports_whether_the_link_is_up() {
        let sma = SmaLid::from_bits(0x3_0005);
        assert_eq!((sma.lid, sma.link_up()), (5, true));
        assert!(!SmaLid::from_bits(0x1_0005).link_up());
    }

    #[test]
    fn controller_reset_is_reached_by_any_access() {
        use SystemRegister::*;
        assert_eq!(SystemRegister::read(0xa00), Some(ControllerReset));
        assert_eq!(SystemRegister::write(0xa00), Some(ControllerReset));
        assert_eq!(SystemRegister::write(0xb00), Some(AmtAddressTableInterface));
        assert_eq!(SystemRegister::read(0x300), Some(SmaLid));
        assert_eq!(SystemRegister::write(0x300), Some(SmaSoftwareReset));
    }

    #[test]
    fn layouts_lie_within_the_widths_of_their_registers() {
        for info in SystemRegister::ALL.iter().map(|register| register.info()) {
            assert_eq!(info.offset % 16, 0, "{}", info.name);
            if let Some(layout) = info.layout {
                assert_eq!(64 - layout.mask().leading_zeros(), info.width, "{}", info.name);
            }
        }
    }
}
