//! Write Window: source memory of primitives, written by the host (thesis section 5.1.1, table 4.1, figures
//! 5.1 and 5.2).
//!
//! Each process has four windows of 512 bytes, in an Even bank (bytes 0-7 of every 16) and an Odd bank. The
//! host writes and never reads; the transaction side reads both banks at one row and never writes. Writes
//! have a granularity of 32 bits: a unit with any enabled byte is written whole (decision 0014).

use hdl::{Bank, BankWrite, Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

hdl::bundle! {
    /// Input pins of the Write Window.
    pub struct In in write_window_pkg {
        /// Bytes that the host writes, bit 0 is the lowest address, in units of 32 bits; 0 writes nothing.
        host_byte_enable: u16,
        /// Row that the host writes: WID, window, row of 16 bytes in the window.
        host_row: u8,
        /// Data from the host.
        host_wdata: u128,
        /// Reads a row, from Window Controller; it is on `rdata` in the next cycle.
        read_enable: bool,
        /// Row to read: WID, window, row in the window.
        row: u8,
    }
}

hdl::bundle! {
    /// Output pins of the Write Window.
    pub struct Out in write_window_pkg {
        /// Row read most recently, to Window Controller: the line of the Even bank is in bits 63:0.
        rdata: u128,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/write_window_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// The Write Windows of both processes.
#[derive(Clone, Debug, Default)]
pub struct WriteWindow {
    /// Bytes 0-7 of every 16.
    pub even: Bank<256>,
    /// Bytes 8-15 of every 16.
    pub odd: Bank<256>,
}

impl Clocked for WriteWindow {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { rdata: u128::from(self.odd.rdata()) << 64 | u128::from(self.even.rdata()) }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let read = pins.read_enable.then_some(pins.row as usize);
        let address = pins.host_row as usize;
        self.even.tick(
            read,
            BankWrite { byte_enable: pins.host_byte_enable as u8, address, wdata: pins.host_wdata as u64 },
        );
        self.odd.tick(
            read,
            BankWrite {
                byte_enable: (pins.host_byte_enable >> 8) as u8,
                address,
                wdata: (pins.host_wdata >> 64) as u64,
            },
        );
    }

    fn reset(&mut self) {
        self.even.reset();
        self.odd.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        Quiet::UntilInput
    }
}

impl Probe for WriteWindow {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("even", &self.even);
        visitor.block("odd", &self.odd);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_units_reach_their_bank_and_no_other() {
        let mut window = WriteWindow::default();
        // A different byte of each 32-bit unit is enabled; the whole unit is written.
        for (unit, byte_enable) in [0x0001, 0x0020, 0x0400, 0x8000].into_iter().enumerate() {
            let host_wdata = 0x1f1e_1d1c_1b1a_1918_1716_1514_1312_1110 & 0xffff_ffff << (32 * unit);
            window.tick(&In { host_byte_enable: byte_enable, host_row: 0xff, host_wdata, ..In::default() });
        }
        window.tick(&In { read_enable: true, row: 0xff, ..In::default() });
        assert_eq!(window.outputs().rdata, 0x1f1e_1d1c_1b1a_1918_1716_1514_1312_1110);
        window.tick(&In { row: 0xfe, ..In::default() });
        assert_eq!(
            window.outputs().rdata,
            0x1f1e_1d1c_1b1a_1918_1716_1514_1312_1110,
            "stays until the next read"
        );
        window.tick(&In { read_enable: true, row: 0xfe, ..In::default() });
        assert_eq!(window.outputs().rdata, 0);
    }
}
