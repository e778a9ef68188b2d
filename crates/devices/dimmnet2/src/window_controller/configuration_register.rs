//! Configuration Register: keeps and decodes the values of the system registers (thesis section 5.3, table
//! 5.1).
//!
//! A value is kept as written; 0, the reset value, selects the default. The one-hot codes of MTU and SO-DIMM
//! Capacity are decoded here for all blocks (thesis tables 4.10 and 4.11). An MTU of 4096 is capped at 4088
//! bytes: Packet Size has 12 bits and counts whole lines (decision 0008).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

use super::pins::Configured;
use crate::host_interface::pins::Configuration;
use crate::registers::ReadOptions;
use crate::registers::code::{mtu_bytes, sdimm_capacity_megabytes};

/// System code of SO-DIMM Capacity.
pub const CAPACITY: u8 = 1;
/// System code of MTU.
pub const MTU: u8 = 2;
/// System code of LID.
pub const LID: u8 = 3;
/// System code of the PGID of WID 0.
pub const PGID0: u8 = 4;
/// System code of the PGID of WID 1.
pub const PGID1: u8 = 5;
/// System code of Read Options.
pub const READ_OPTIONS: u8 = 6;

/// Longest packet in bytes: the largest multiple of 8 that Packet Size can hold.
pub const LONGEST_PACKET: u16 = 4088;

hdl::bundle! {
    /// Input pins of the Configuration Register.
    pub struct In in configuration_register_pkg {
        /// The value sent in this cycle; codes 0 and 7 select no register.
        configuration: Configuration,
    }
}

hdl::bundle! {
    /// Output pins of the Configuration Register.
    pub struct Out in configuration_register_pkg {
        /// Decoded configuration.
        configured: Configured,
    }
}

hdl::bundle! {
    /// Registers of the Configuration Register, as the host wrote them.
    pub struct ConfigurationRegister in configuration_register_pkg {
        /// Code of the SO-DIMM capacity.
        capacity: u8 : 6,
        /// Code of the MTU.
        mtu: u8 : 5,
        /// LID of this node.
        lid: u16,
        /// Process group of WID 0.
        pgid0: u8,
        /// Process group of WID 1.
        pgid1: u8,
        /// Read Options, as in System Register.
        read_options: u8 : 2,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/window_controller/configuration_register_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "Capacity",
            width: 3,
            value: CAPACITY as u64,
            doc: "System code of SO-DIMM Capacity.",
        },
        Item::Constant { name: "Mtu", width: 3, value: MTU as u64, doc: "System code of MTU." },
        Item::Constant { name: "Lid", width: 3, value: LID as u64, doc: "System code of LID." },
        Item::Constant {
            name: "Pgid0",
            width: 3,
            value: PGID0 as u64,
            doc: "System code of the PGID of WID 0.",
        },
        Item::Constant {
            name: "Pgid1",
            width: 3,
            value: PGID1 as u64,
            doc: "System code of the PGID of WID 1.",
        },
        Item::Constant {
            name: "ReadOptions",
            width: 3,
            value: READ_OPTIONS as u64,
            doc: "System code of Read Options.",
        },
        Item::Constant {
            name: "LongestPacket",
            width: 13,
            value: LONGEST_PACKET as u64,
            doc: "Longest packet in bytes: the largest multiple of 8 that Packet Size can hold.",
        },
        Item::Bundle(In::TABLE),
        Item::Bundle(Out::TABLE),
    ],
};

impl Clocked for ConfigurationRegister {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        let options = ReadOptions::from_bits(q.read_options.into());
        Out {
            configured: Configured {
                pgid0: q.pgid0,
                pgid1: q.pgid1,
                lid: q.lid,
                mtu: mtu_bytes(q.mtu).min(LONGEST_PACKET),
                capacity: (sdimm_capacity_megabytes(q.capacity) / 256).ilog2() as u8,
                data_awaited: options.awaited,
                read_together: options.together,
            },
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let value = pins.configuration.value;
        match pins.configuration.system_code {
            CAPACITY => self.capacity = value as u8 & 0x3f,
            MTU => self.mtu = value as u8 & 0x1f,
            LID => self.lid = value,
            PGID0 => self.pgid0 = value as u8,
            PGID1 => self.pgid1 = value as u8,
            READ_OPTIONS => self.read_options = value as u8 & 3,
            _ => {}
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        Quiet::UntilInput
    }
}

impl Probe for ConfigurationRegister {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(self);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(register: &mut ConfigurationRegister, system_code: u8, value: u16) -> Configured {
        let configuration = Configuration { value, system_code, ..Configuration::default() };
        register.tick(&In { configuration });
        register.outputs().configured
    }

    fn decoded(system_code: u8, value: u16) -> Configured {
        write(&mut ConfigurationRegister::default(), system_code, value)
    }

    /// The codes in the RTL case statement that assigns `signal`, with the assigned value as text; the
    /// default has code `None`.
    fn rtl_case(signal: &str) -> Vec<(Option<u16>, String)> {
        const RTL: &str =
            include_str!("../../../../../rtl/dimmnet2/window_controller/configuration_register.sv");
        let assignment = format!(": {signal} = ");
        let mut arms = vec![];
        for line in RTL.lines().map(str::trim) {
            let Some((labels, value)) = line.split_once(&assignment) else { continue };
            let value = value.strip_suffix(';').expect("an arm ends in a semicolon");
            for label in labels.split(", ") {
                let code = label.split_once("'b").map(|(_, bits)| u16::from_str_radix(bits, 2).unwrap());
                assert_eq!(code.is_none(), label == "default", "{label}");
                arms.push((code, value.to_string()));
            }
        }
        arms
    }

    fn rtl_value(arms: &[(Option<u16>, String)], code: u16) -> u16 {
        let arm = arms.iter().find(|arm| arm.0 == Some(code)).or(arms.iter().find(|arm| arm.0.is_none()));
        match arm.expect("the case has a default").1.as_str() {
            "configuration_register_pkg::LongestPacket" => LONGEST_PACKET,
            number => number.split_once("'d").expect("a sized number").1.parse().unwrap(),
        }
    }

    #[test]
    fn reset_selects_2048_bytes_and_256_megabytes() {
        let configured = ConfigurationRegister::default().outputs().configured;
        assert_eq!(configured, Configured { mtu: 2048, ..Configured::default() });
    }

    #[test]
    fn mtu_codes_match_table_4_11_with_4096_capped() {
        let codes = [0, 0b00001, 0b00010, 0b00100, 0b10100, 0b01000, 0b10000, 0b11111];
        let bytes = codes.map(|code| decoded(MTU, code).mtu);
        assert_eq!(bytes, [2048, 256, 512, 1024, 1024, 2048, 4088, 2048]);
    }

    #[test]
    fn capacity_codes_match_table_4_10() {
        let codes = [0, 0b000001, 0b000010, 0b000100, 0b001000, 0b010000, 0b100000, 0b000011];
        assert_eq!(codes.map(|code| decoded(CAPACITY, code).capacity), [0, 0, 1, 2, 3, 4, 5, 0]);
    }

    #[test]
    fn every_code_has_the_same_value_in_the_rtl() {
        let (mtu, capacity) = (rtl_case("mtu"), rtl_case("capacity"));
        assert_eq!((mtu.len(), capacity.len()), (6, 6), "codes of the RTL, default included");
        for code in 0..32 {
            assert_eq!(rtl_value(&mtu, code), decoded(MTU, code).mtu, "MTU {code:#07b}");
        }
        for code in 0..64 {
            assert_eq!(rtl_value(&capacity, code), decoded(CAPACITY, code).capacity as u16, "{code:#08b}");
        }
    }

    #[test]
    fn value_is_stored_only_in_the_register_of_its_code() {
        for code in 0..8 {
            let mut register = ConfigurationRegister::default();
            write(&mut register, code, 0xffff);
            let mut expected = ConfigurationRegister::default();
            match code {
                1 => expected.capacity = 0x3f,
                2 => expected.mtu = 0x1f,
                3 => expected.lid = 0xffff,
                4 => expected.pgid0 = 0xff,
                5 => expected.pgid1 = 0xff,
                6 => expected.read_options = 3,
                _ => {}
            }
            assert_eq!(register, expected, "code {code}");
        }
    }

    #[test]
    fn user_codes_are_ignored() {
        let mut register = ConfigurationRegister::default();
        let configuration = Configuration { value: 0xffff, wid: true, user_code: 2, system_code: 0 };
        register.tick(&In { configuration });
        assert_eq!(register, ConfigurationRegister::default());
    }
}
