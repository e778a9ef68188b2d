//! LLCM, Low Latency Common Memory: read and written by both sides (thesis section 5.1.3, table 4.1, figures
//! 5.1 and 5.4).
//!
//! Each process has 32 KB, in an Even bank (bytes 0-7 of every 16) and an Odd bank. The host reads and writes
//! 16 bytes with byte enables. The transaction side has one port of 64 bits, which writes receive statuses,
//! packets for LLCM and Tails of AMT entries, and reads AMT entries.
//!
//! Writes of the transaction side reach the memory one cycle later: the writer is selected late in the cycle
//! and the memory is large. The delay is not observable, because a written word is read, and its writing
//! reported to the host, two cycles later at the earliest (decision 0052). If the host writes the same byte
//! in that cycle or in the next, the byte of the transaction side wins.

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
    source: file!(),
    items: &[Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

hdl::bundle! {
    /// Registers of LLCM.
    pub struct Registers in llcm_pkg {
        /// The transaction side's last read was of the Odd bank.
        odd_read: bool,
        /// Bytes of the Even bank to write in this cycle.
        even_byte_enable: u8,
        /// Bytes of the Odd bank to write in this cycle.
        odd_byte_enable: u8,
        /// Row to write, of 16 bytes.
        row: u16 : 12,
        /// Word to write.
        wdata: u64,
    }
}

/// LLCM of both processes; port A of each bank is the host's, port B the transaction side's.
#[derive(Clone, Debug, Default)]
pub struct Llcm {
    /// The delayed write, and the bank read last.
    pub q: Registers,
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
        Out {
            host_rdata: u128::from(self.odd.a_rdata()) << 64 | u128::from(self.even.a_rdata()),
            rdata: if self.q.odd_read { self.odd.b_rdata() } else { self.even.b_rdata() },
        }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        let q = self.q;
        let odd = pins.address & 1 == 1;
        // Bytes that the transaction side writes are masked on the host port: the result of a block RAM
        // written on both ports is undefined.
        let stays = |byte_enable| if pins.host_row == q.row { byte_enable } else { 0 };
        let host = BankAccess {
            read_enable: pins.host_read_enable,
            byte_enable: pins.host_byte_enable as u8 & !stays(q.even_byte_enable),
            address: pins.host_row as usize,
            wdata: pins.host_wdata as u64,
        };
        // The port reads at once; otherwise it performs the write requested in the cycle before.
        let row = pins.address >> 1;
        let transaction = |here: bool, byte_enable: u8| BankAccess {
            read_enable: pins.read_enable && here,
            byte_enable: if pins.read_enable { 0 } else { byte_enable },
            address: if pins.read_enable { row } else { q.row }.into(),
            wdata: q.wdata,
        };
        self.even.tick(host, transaction(!odd, q.even_byte_enable));
        let host = BankAccess {
            byte_enable: (pins.host_byte_enable >> 8) as u8 & !stays(q.odd_byte_enable),
            wdata: (pins.host_wdata >> 64) as u64,
            ..host
        };
        self.odd.tick(host, transaction(odd, q.odd_byte_enable));
        self.q = Registers {
            odd_read: if pins.read_enable { odd } else { q.odd_read },
            even_byte_enable: if odd { 0 } else { pins.byte_enable },
            odd_byte_enable: if odd { pins.byte_enable } else { 0 },
            row: if pins.byte_enable == 0 { q.row } else { row },
            wdata: if pins.byte_enable == 0 { q.wdata } else { pins.wdata },
        };
    }

    fn reset(&mut self) {
        self.q = Registers::default();
        self.even.reset();
        self.odd.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        if self.q.even_byte_enable | self.q.odd_byte_enable == 0 { Quiet::UntilInput } else { Quiet::Busy }
    }
}

impl Probe for Llcm {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.q);
        visitor.block("even", &self.even);
        visitor.block("odd", &self.odd);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row as the host reads it after all writes have reached the memory.
    fn host_read(llcm: &mut Llcm, host_row: u16) -> u128 {
        while llcm.quiescent() == Quiet::Busy {
            llcm.tick(&In::default());
        }
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
    fn byte_written_by_both_sides_keeps_the_transaction_sides_value() {
        let mut llcm = Llcm::default();
        let wdata = 0x2222_2222_2222_2222;
        llcm.tick(&In { byte_enable: 0x0f, address: 15, wdata, ..In::default() });
        llcm.tick(&In { host_byte_enable: 0xffff, host_row: 7, ..In::default() });
        assert_eq!(host_read(&mut llcm, 7), 0x2222_2222 << 64);
    }

    #[test]
    fn transaction_write_is_readable_two_cycles_later() {
        let mut llcm = Llcm::default();
        llcm.tick(&In { byte_enable: 0xff, address: 15, wdata: 0x11, ..In::default() });
        llcm.tick(&In { host_read_enable: true, host_row: 7, ..In::default() });
        assert_eq!(llcm.outputs().host_rdata, 0);
        llcm.tick(&In { read_enable: true, address: 15, ..In::default() });
        assert_eq!(llcm.outputs().rdata, 0x11);
    }
}
