//! A line: the 66-bit unit of transfer between Core Logic, SWIF and network.

hdl::bundle! {
    /// A 66-bit line: 64 bits of data and a line identifier (thesis section 4.7, table 4.14).
    pub struct Line in line_pkg {
        /// Data; byte 0 is in bits 7:0.
        data: u64,
        /// Line identifier: 2'b01 first, 2'b11 middle, 2'b10 last line of a packet, 2'b00 no line (decision 0003).
        id: u8 : 2,
    }
}

/// Identifier of the first line of a packet.
pub const FIRST: u8 = 0b01;
/// Identifier of a line that is neither first nor last.
pub const MIDDLE: u8 = 0b11;
/// Identifier of the last line of a packet.
pub const LAST: u8 = 0b10;

impl Line {
    /// Whether the line ends a packet.
    #[inline(always)]
    pub fn is_last(self) -> bool {
        self.id == LAST
    }
}

/// The generated package.
pub const PACKAGE: hdl::Package = hdl::Package {
    path: "dimmnet2/line_pkg",
    source: file!(),
    items: &[
        hdl::Item::Bundle(<Line as hdl::Bundle>::TABLE),
        hdl::Item::Constant { name: "First", width: 2, value: FIRST as u64, doc: "First line of a packet." },
        hdl::Item::Constant {
            name: "Middle",
            width: 2,
            value: MIDDLE as u64,
            doc: "Neither first nor last line.",
        },
        hdl::Item::Constant {
            name: "Last",
            width: 2,
            value: LAST as u64,
            doc: "Last line of a packet (EOP).",
        },
    ],
};
