//! Prefetch Window: destination memory of primitives, read by the host (thesis section 5.1.2, table 4.1,
//! figure 5.3).
//!
//! Each process has four windows of 512 bytes, in an Even bank (bytes 0-7 of every 16) and an Odd bank. The
//! transaction side writes and never reads; the host reads both banks at one row and never writes. Writes
//! have a granularity of 32 bits: a unit with any enabled byte is written whole (decision 0014).

use hdl::{Bank, BankWrite, Bundle, Clocked, Item, Package, Probe, Quiet, Role, Visitor};

hdl::bundle! {
    /// Input pins of the Prefetch Window.
    pub struct In in prefetch_window_pkg {
        /// The host reads a row; it is on `host_rdata` in the next cycle.
        host_read_enable: bool,
        /// Row that the host reads: WID, window, row of 16 bytes in the window.
        host_row: u8,
        /// Bytes to write, from Receive Controller or Prefetch Unit, bit 0 is the lowest address; 0 writes nothing.
        byte_enable: u16,
        /// Row to write: WID, window, row in the window.
        row: u8,
        /// Data to write.
        wdata: u128,
    }
}

hdl::bundle! {
    /// Output pins of the Prefetch Window.
    pub struct Out in prefetch_window_pkg {
        /// Row that the host read most recently: the word of the Even bank is in bits 63:0.
        host_rdata: u128,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/prefetch_window_pkg",
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// The Prefetch Windows of both processes.
#[derive(Clone, Debug, Default)]
pub struct PrefetchWindow {
    /// Bytes 0-7 of every 16.
    pub even: Bank<256>,
    /// Bytes 8-15 of every 16.
    pub odd: Bank<256>,
}

impl Clocked for PrefetchWindow {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { host_rdata: u128::from(self.odd.rdata()) << 64 | u128::from(self.even.rdata()) }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let read = pins.host_read_enable.then_some(pins.host_row as usize);
        let address = pins.row as usize;
        self.even
            .tick(read, BankWrite { byte_enable: pins.byte_enable as u8, address, wdata: pins.wdata as u64 });
        self.odd.tick(
            read,
            BankWrite {
                byte_enable: (pins.byte_enable >> 8) as u8,
                address,
                wdata: (pins.wdata >> 64) as u64,
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

impl Probe for PrefetchWindow {
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
    fn written_units_are_read_by_the_host_from_both_banks() {
        let mut window = PrefetchWindow::default();
        let wdata = 0x1f1e_1d1c_1b1a_1918_1716_1514_1312_1110;
        window.tick(&In { byte_enable: 0x0180, row: 0x80, wdata, ..In::default() });
        window.tick(&In { host_read_enable: true, host_row: 0x80, ..In::default() });
        assert_eq!(window.outputs().host_rdata, 0x1b1a_1918_1716_1514_0000_0000);
        window.tick(&In { byte_enable: 0xffff, row: 0x80, wdata, ..In::default() });
        assert_eq!(window.outputs().host_rdata, 0x1b1a_1918_1716_1514_0000_0000, "stays until the next read");
        window.tick(&In { host_read_enable: true, host_row: 0x80, ..In::default() });
        assert_eq!(window.outputs().host_rdata, wdata);
    }
}
