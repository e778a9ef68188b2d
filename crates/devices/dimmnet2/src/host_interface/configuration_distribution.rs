//! Configuration Distribution: sends configuration values to the blocks that keep them (thesis section 5.2.1,
//! table 5.1).
//!
//! One cycle after the host writes a configuration register, the value is driven for one cycle, with the code
//! of its register. A block takes the values whose codes belong to it.

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use super::pins::{Configuration, SystemCode, UserCode};
use crate::registers::{SystemRegister, UserRegister};

hdl::bundle! {
    /// Input pins of Configuration Distribution.
    pub struct In in configuration_distribution_pkg {
        /// Low bits of the data from the host.
        wdata: u16,
        /// Byte offset in the page.
        offset: u16 : 12,
        /// The host writes a whole register of a User Register page.
        user_write: bool,
        /// Process whose page is written.
        wid: bool,
        /// The host writes a whole register of the System Register page.
        system_write: bool,
    }
}

hdl::bundle! {
    /// Output pins of Configuration Distribution.
    pub struct Out in configuration_distribution_pkg {
        /// The value sent in this cycle, to all blocks with a configuration.
        configuration: Configuration,
    }
}

hdl::bundle! {
    /// Registers of Configuration Distribution.
    pub struct ConfigurationDistribution in configuration_distribution_pkg {
        /// The value sent in this cycle; all 0 if there is none.
        configuration: Configuration,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/configuration_distribution_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

impl Clocked for ConfigurationDistribution {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { configuration: self.configuration }
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
        if *self == Self::default() { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl ConfigurationDistribution {
    #[inline(always)]
    fn next(&self, pins: &In) -> Self {
        let mut d = Self::default();

        if pins.user_write {
            let code = match UserRegister::write(pins.offset) {
                Some(UserRegister::IpushAreaSize) => UserCode::UserIpushAreaSize,
                Some(UserRegister::StatusInitialAddress) => UserCode::UserStatusInitialAddress,
                Some(UserRegister::StatusAreaSize) => UserCode::UserStatusAreaSize,
                Some(UserRegister::StatusNextReadAddress) => UserCode::UserStatusNextReadAddress,
                _ => UserCode::UserInvalid,
            };
            d.configuration.user_code = code.code();
            if code != UserCode::UserInvalid {
                d.configuration.value = pins.wdata;
                d.configuration.wid = pins.wid;
            }
        }
        if pins.system_write {
            let code = match SystemRegister::write(pins.offset) {
                Some(SystemRegister::SdimmCapacity) => SystemCode::SystemSdimmCapacity,
                Some(SystemRegister::Mtu) => SystemCode::SystemMtu,
                Some(SystemRegister::Lid) => SystemCode::SystemLid,
                Some(SystemRegister::Pgid0) => SystemCode::SystemPgid0,
                Some(SystemRegister::Pgid1) => SystemCode::SystemPgid1,
                Some(SystemRegister::ReadOptions) => SystemCode::SystemReadOptions,
                _ => SystemCode::SystemInvalid,
            };
            d.configuration.system_code = code.code();
            if code != SystemCode::SystemInvalid {
                d.configuration.value = pins.wdata;
            }
        }
        d
    }
}

impl Probe for ConfigurationDistribution {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use hdl::Access;

    use super::*;

    #[test]
    fn user_codes_match_table_5_1() {
        use UserRegister::*;
        let sent = [IpushAreaSize, StatusInitialAddress, StatusAreaSize, StatusNextReadAddress];
        for register in
            UserRegister::ALL.iter().copied().filter(|register| register.info().access != Access::Read)
        {
            let mut block = ConfigurationDistribution::default();
            let offset = register.info().offset;
            block.tick(&In { wdata: 0x1234, offset, user_write: true, wid: true, system_write: false });
            let expected = if sent.contains(&register) {
                let user_code = (offset >> 8) as u8 - 4;
                Configuration { value: 0x1234, wid: true, user_code, ..Default::default() }
            } else {
                Configuration::default()
            };
            assert_eq!(block.outputs().configuration, expected, "{register:?}");
            block.tick(&In::default());
            assert_eq!(block.outputs().configuration, Configuration::default(), "one cycle");
        }
    }

    #[test]
    fn system_codes_match_table_5_1_and_decision_0041() {
        use SystemRegister::*;
        let sent = [SdimmCapacity, Mtu, Lid, Pgid0, Pgid1, ReadOptions];
        for register in
            SystemRegister::ALL.iter().copied().filter(|register| register.info().access != Access::Read)
        {
            let mut block = ConfigurationDistribution::default();
            let offset = register.info().offset;
            block.tick(&In { wdata: 0x1234, offset, system_write: true, ..In::default() });
            let expected = match sent.iter().position(|sent| *sent == register) {
                Some(n) => Configuration { value: 0x1234, system_code: n as u8 + 1, ..Default::default() },
                None => Configuration::default(),
            };
            assert_eq!(block.outputs().configuration, expected, "{register:?}");
        }
    }
}
