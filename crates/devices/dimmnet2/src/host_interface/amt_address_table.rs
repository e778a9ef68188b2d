//! AMT Address Table: location of each sender's AMT entry (thesis sections 7.1.4 and 7.1.5, table 5.2, figure
//! B.1).
//!
//! The table has one entry for each of 8192 sending processes; the index is the 12-bit CLID and the WID. An
//! entry is the number of a 64-bit word in LLCM. The receiving process of a packet selects the LLCM, so one
//! table serves both processes. The host writes entries through AMT Address Table Interface and cannot read
//! them. The Receive Controller reads an entry in the cycle in which a first header line is there; the output
//! keeps the entry read last.
//!
//! Entries have no valid bit: an entry that was never written points to word 0 (decision 0020).

use hdl::{Bundle, Clocked, Item, Package, Probe, Quiet, Ram, Role, Visitor};

/// Sending processes: 4096 CLIDs with two WIDs each.
pub const ENTRIES: usize = 8192;

hdl::bundle! {
    /// Location of a sender's AMT entry.
    pub struct Entry in amt_address_table_pkg {
        /// Number of an 8-byte word in LLCM.
        word: u16 : 12,
    }
}

hdl::bundle! {
    /// Input pins of the AMT Address Table.
    pub struct In in amt_address_table_pkg {
        /// The host writes an entry.
        write_enable: bool,
        /// Sender whose entry is written: CLID and, as bit 0, WID.
        write_index: u16 : 13,
        /// New value of the entry.
        wdata: Entry,
        /// The Receive Controller reads an entry.
        read_enable: bool,
        /// Sender whose entry is read.
        read_index: u16 : 13,
    }
}

hdl::bundle! {
    /// Output pins of the AMT Address Table.
    pub struct Out in amt_address_table_pkg {
        /// The entry read most recently.
        rdata: Entry,
    }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "dimmnet2/host_interface/amt_address_table_pkg",
    source: file!(),
    items: &[Item::Bundle(Entry::TABLE), Item::Bundle(In::TABLE), Item::Bundle(Out::TABLE)],
};

/// Memory of 8192 entries with one read and one write port.
#[derive(Clone, Debug, Default)]
pub struct AmtAddressTable {
    /// Entries of all senders.
    pub entries: Ram<Entry, ENTRIES>,
}

/// Index of a sending process.
#[inline]
pub const fn index(clid: u16, wid: bool) -> u16 {
    clid << 1 | wid as u16
}

impl Clocked for AmtAddressTable {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        Out { rdata: self.entries.rdata() }
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        self.entries.tick(
            pins.read_enable.then_some(pins.read_index as usize),
            pins.write_enable.then_some((pins.write_index as usize, pins.wdata)),
        );
    }

    fn reset(&mut self) {
        self.entries.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        Quiet::UntilInput
    }
}

impl Probe for AmtAddressTable {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("entries", &self.entries);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sender_has_its_own_entry() {
        let mut table = AmtAddressTable::default();
        for index in 0..ENTRIES as u16 {
            let wdata = Entry { word: index.wrapping_mul(5) & 0xfff };
            table.tick(&In { write_enable: true, write_index: index, wdata, ..In::default() });
        }
        for (clid, wid) in [(0, false), (3, true), (0xfff, false), (0xfff, true)] {
            let read_index = index(clid, wid);
            table.tick(&In { read_enable: true, read_index, ..In::default() });
            assert_eq!(table.outputs().rdata.word, read_index.wrapping_mul(5) & 0xfff);
        }
        table.tick(&In { read_index: 1, ..In::default() });
        assert_eq!(table.outputs().rdata.word, 0x1fffu16.wrapping_mul(5) & 0xfff, "it stays");
    }
}
