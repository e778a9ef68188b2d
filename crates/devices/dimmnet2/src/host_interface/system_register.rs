//! System Register: the privileged page (thesis section 5.2, figure 4.15, table 4.12, appendix B).
//!
//! The page holds SO-DIMM Init and Controller Reset. Values that configure the transaction side are kept
//! there, and Configuration Distribution sends them. SMA Software Reset has no effect: the subnet management
//! agent lies behind SWIF, and the Core Logic has no wire to it. AMT Address Table Interface is decoded next
//! to the table.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use crate::registers::SystemRegister::*;
use crate::registers::{self, SystemRegister};

/// Core cycles of a Controller Reset: enough for the slower network clock to sample it (decision 0007).
pub const RESET_CYCLES: u8 = 8;

hdl::bundle! {
    /// Input pins of the System Register.
    pub struct In in system_register_block_pkg {
        /// Byte offset in the page.
        offset: u16 : 12,
        /// The host writes all 64 bits of the register at `offset`.
        write: bool,
        /// The host writes at least one byte of the register at `offset`.
        touch: bool,
        /// The host reads the register at `offset`; it is on `rdata` in the next cycle.
        read: bool,
        /// Bit 0 of the data from the host.
        wdata: bool,
        /// LID from the Subnet Manager.
        sma_lid: u16,
        /// SWIF status.
        link_status: u8 : 2,
    }
}

hdl::bundle! {
    /// Output pins of the System Register.
    pub struct Out in system_register_block_pkg {
        /// Register that the host read most recently.
        rdata: u64,
        /// SO-DIMM access is enabled.
        sodimm_enabled: bool,
        /// Controller Reset is active.
        controller_reset: bool,
    }
}

hdl::bundle! {
    /// Registers of the System Register. Controller Reset leaves them unchanged.
    pub struct SystemRegisterPage in system_register_block_pkg {
        /// SO-DIMM Init: SO-DIMM access is enabled.
        sodimm_enabled: bool,
        /// Remaining cycles of Controller Reset, 0 to 8.
        reset_count: u8 : 4,
        /// `reset_count` is not 0.
        resetting: bool,
        /// Register that the host read most recently.
        rdata: u64,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/system_register_block_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "ResetCycles",
            width: 4,
            value: RESET_CYCLES as u64,
            doc: "Core cycles of a Controller Reset.",
        },
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for SystemRegisterPage {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        Out { rdata: q.rdata, sodimm_enabled: q.sodimm_enabled, controller_reset: q.resetting }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        *self = self.next(pins);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.reset_count != 0 { Quiet::Busy } else { Quiet::UntilInput }
    }
}

impl SystemRegisterPage {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        let q = self;
        let mut d = *q;

        // Any access to Controller Reset starts it, or restarts it.
        let reset_read = pins.read && SystemRegister::read(pins.offset) == Some(ControllerReset);
        let reset_write = pins.touch && SystemRegister::write(pins.offset) == Some(ControllerReset);
        if reset_read || reset_write {
            d.reset_count = RESET_CYCLES;
        } else if q.reset_count != 0 {
            d.reset_count = q.reset_count - 1;
        }
        // A register of its own, because the reset has a large fan-out (decision 0052).
        d.resetting = d.reset_count != 0;

        if pins.write && SystemRegister::write(pins.offset) == Some(SdimmInit) {
            d.sodimm_enabled = pins.wdata;
        }

        if pins.read {
            d.rdata = match SystemRegister::read(pins.offset) {
                Some(SmaLid) => registers::SmaLid { lid: pins.sma_lid, swif_status: pins.link_status }.bits(),
                _ => 0,
            };
        }
        d
    }
}

impl Probe for SystemRegisterPage {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(register: SystemRegister) -> In {
        In { offset: register.info().offset, ..In::default() }
    }

    fn reset_cycles(page: &mut SystemRegisterPage) -> usize {
        let mut cycles = 0;
        while page.outputs().controller_reset {
            page.tick(&In::default());
            cycles += 1;
        }
        cycles
    }

    #[test]
    fn controller_reset_lasts_eight_cycles_after_any_access() {
        let mut page = SystemRegisterPage::default();
        for pins in [
            In { read: true, ..access(ControllerReset) },
            In { touch: true, ..access(ControllerReset) },
            In { touch: true, write: true, ..access(ControllerReset) },
        ] {
            page.tick(&pins);
            assert_eq!(reset_cycles(&mut page), 8);
        }
        page.tick(&In { touch: true, write: true, wdata: true, ..access(SdimmInit) });
        page.tick(&access(ControllerReset));
        assert!(!page.outputs().controller_reset, "no access, no reset");
    }

    #[test]
    fn controller_reset_accessed_again_restarts() {
        let mut page = SystemRegisterPage::default();
        let pins = In { read: true, ..access(ControllerReset) };
        for _ in 0..5 {
            page.tick(&pins);
        }
        assert_eq!(reset_cycles(&mut page), 8);
    }

    #[test]
    fn sodimm_init_takes_bit_0_of_a_full_write() {
        let mut page = SystemRegisterPage::default();
        page.tick(&In { touch: true, wdata: true, ..access(SdimmInit) });
        assert!(!page.outputs().sodimm_enabled);
        page.tick(&In { touch: true, write: true, wdata: true, ..access(SdimmInit) });
        assert!(page.outputs().sodimm_enabled);
        page.tick(&In { touch: true, write: true, wdata: false, ..access(SdimmInit) });
        assert!(!page.outputs().sodimm_enabled);
    }

    #[test]
    fn sma_lid_is_read_with_the_link_status_and_held() {
        let mut page = SystemRegisterPage::default();
        page.tick(&In { read: true, sma_lid: 0x1234, link_status: 0b11, ..access(SmaLid) });
        assert_eq!(page.outputs().rdata, 0x3_1234);
        page.tick(&access(SmaLid));
        assert_eq!(page.outputs().rdata, 0x3_1234);
        page.tick(&In { read: true, sma_lid: 0x1234, ..access(Lid) });
        assert_eq!(page.outputs().rdata, 0);
    }
}
