//! LLCM, Low Latency Common Memory: both sides read and write it (thesis section 5.1.3, table 4.1, figures 5.1 and 5.4).
//!
//! 32 KB per process, in an Even bank (bytes 0-7 of every 16) and an Odd bank. The host reads and writes 16
//! bytes with byte enables; the transaction side has one port of 64 bits, on which receive statuses, packets for
//! LLCM and Tails of AMT entries are written, and AMT entries read. Where both sides write one byte in one cycle,
//! the transaction side's stays.

use hdl::{BankAccess, Bundle, Clocked, DualBank, Item, Package, Probe, Quiet, Role, Visitor};

hdl::bundle! {
    /// Input pins of LLCM.
    pub struct In in llcm_pkg {
        /// The host reads a row; it is on `host_rdata` in the next cycle.
        host_read_enable: bool,
        /// Bytes that the host writes, bit 0 is the lowest address; 0 writes nothing.
        host_byte_enable: u16,
        /// Row that the host reads or writes: WID, row of 16 bytes in the process's 32 KB.
        host_row: u16 : 12,
        /// Data from the host.
        host_wdata: u128,
        /// The transaction side reads a word; it is on `rdata` in the next cycle.
        read_enable: bool,
        /// Bytes of a word to write, from Status Write Unit, Receive Controller or Write Unit; 0 writes nothing.
        byte_enable: u8,
        /// Word to read or write: WID, word in the process's 32 KB; bit 0 selects the bank.
        address: u16 : 13,
        /// Data to write.
        wdata: u64,
    }
}

hdl::bundle! {
    /// Output pins of LLCM.
    pub struct Out in llcm_pkg {
        /// Row that the host read last: the word of the Even bank is in bits 63:0.
        host_rdata: u128,
        /// Word that the transaction side read last.
        rdata: u64,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/llcm_pkg",
    source: "crates/dimmnet2/src/host_interface/llcm.rs",
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// LLCM of both processes; port A of each bank is the host's, port B the transaction side's.
#[derive(Clone, Debug, Default)]
pub struct Llcm {
    /// The transaction side read the Odd bank last.
    pub odd_read: bool,
    /// Bytes 0-7 of every 16.
    pub even: DualBank<4096>,
    /// Bytes 8-15 of every 16.
    pub odd: DualBank<4096>,
}

impl Clocked for Llcm {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let q = self;
        Out {
            host_rdata: u128::from(q.odd.a_rdata()) << 64 | u128::from(q.even.a_rdata()),
            rdata: if q.odd_read { q.odd.b_rdata() } else { q.even.b_rdata() },
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let odd = pins.address & 1 == 1;
        let host = BankAccess {
            read_enable: pins.host_read_enable,
            byte_enable: pins.host_byte_enable as u8,
            address: pins.host_row as usize,
            wdata: pins.host_wdata as u64,
        };
        let transaction = BankAccess {
            read_enable: pins.read_enable,
            byte_enable: pins.byte_enable,
            address: (pins.address >> 1) as usize,
            wdata: pins.wdata,
        };
        let not_here = BankAccess { read_enable: false, byte_enable: 0, ..transaction };
        self.even.tick(host, if odd { not_here } else { transaction });
        let host = BankAccess {
            byte_enable: (pins.host_byte_enable >> 8) as u8,
            wdata: (pins.host_wdata >> 64) as u64,
            ..host
        };
        self.odd.tick(host, if odd { transaction } else { not_here });
        if pins.read_enable {
            self.odd_read = odd;
        }
    }

    fn reset(&mut self) {
        self.odd_read = false;
        self.even.reset();
        self.odd.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        Quiet::UntilInput
    }
}

impl Probe for Llcm {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.register("odd_read", 1, self.odd_read);
        visitor.block("even", &self.even);
        visitor.block("odd", &self.odd);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host_read(llcm: &mut Llcm, host_row: u16) -> u128 {
        llcm.tick(&In { host_read_enable: true, host_row, ..In::default() });
        llcm.outputs().host_rdata
    }

    #[test]
    fn address_bit_0_selects_the_bank() {
        let mut llcm = Llcm::default();
        llcm.tick(&In { byte_enable: 0xff, address: 0x1ffe, wdata: 0x11, ..In::default() });
        llcm.tick(&In { byte_enable: 0xff, address: 0x1fff, wdata: 0x22, ..In::default() });
        assert_eq!(host_read(&mut llcm, 0xfff), 0x22 << 64 | 0x11);
        assert_eq!(host_read(&mut llcm, 0xffe), 0);
    }

    #[test]
    fn transaction_side_reads_a_word_of_either_bank() {
        let mut llcm = Llcm::default();
        let host_wdata = 0x22 << 64 | 0x11;
        llcm.tick(&In { host_byte_enable: 0xffff, host_row: 5, host_wdata, ..In::default() });
        for (address, word) in [(10, 0x11), (11, 0x22), (12, 0)] {
            llcm.tick(&In { read_enable: true, address, ..In::default() });
            assert_eq!(llcm.outputs().rdata, word);
            llcm.tick(&In { address: address ^ 1, ..In::default() });
            assert_eq!(llcm.outputs().rdata, word, "it stays");
        }
    }

    #[test]
    fn host_writes_enabled_bytes_and_reads_them_back() {
        let mut llcm = Llcm::default();
        let host_wdata = 0x1f1e_1d1c_1b1a_1918_1716_1514_1312_1110;
        llcm.tick(&In { host_byte_enable: 0xf00f, host_row: 7, host_wdata, ..In::default() });
        assert_eq!(host_read(&mut llcm, 7), 0x1f1e_1d1c_0000_0000_0000_0000_1312_1110);
    }

    #[test]
    fn byte_that_both_sides_write_keeps_what_the_transaction_side_wrote() {
        let mut llcm = Llcm::default();
        let wdata = 0x2222_2222_2222_2222;
        llcm.tick(&In {
            host_byte_enable: 0xffff,
            host_row: 7,
            byte_enable: 0x0f,
            address: 15,
            wdata,
            ..In::default()
        });
        assert_eq!(host_read(&mut llcm, 7), 0x2222_2222 << 64);
    }
}
