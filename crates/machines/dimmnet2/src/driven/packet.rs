//! A frame on the network, line by line (thesis figure 4.23, decision 0010).

use std::fmt::Write;

use cluster::Unit;
use dimmnet2::line::{FIRST, LAST, Line};
use dimmnet2::swif::infiniband::{LocalRouteHeader, TransportHeader0, TransportHeader1};
use dimmnet2::{Family, FirstLine, FourthLine, Primitive, SecondLine, ThirdLine};
use hdl::FieldsTable;

use crate::line::CableLine;

/// Lines that SWIF puts in front of a packet, with words whose high byte is sent first.
const INFINIBAND: [(&str, &FieldsTable); 3] = [
    ("LRH", LocalRouteHeader::TABLE),
    ("BTH", TransportHeader0::TABLE),
    ("BTH end", TransportHeader1::TABLE),
];

/// Lines of a frame up to the first one of the packet, which has its type.
pub const HEAD: usize = INFINIBAND.len() + 1;

/// Kind of the frames by which the transport answers.
const ANSWER: &str = "Answer";

/// Kinds of frames: primitives that access another node, and answers of the transport.
pub fn kinds() -> Vec<&'static str> {
    let remote = Primitive::ALL.iter().filter(|primitive| primitive.code() >= Primitive::Rvl.code());
    remote.map(|primitive| primitive.mnemonic()).chain([ANSWER]).collect()
}

/// Kind of a frame that begins with these lines.
pub fn kind(head: &[CableLine]) -> Option<&'static str> {
    if head.first()?.is_hidden() {
        return Some(ANSWER);
    }
    let first = FirstLine::from_bits(head.get(INFINIBAND.len())?.0.data);
    Primitive::from_code(first.otype).map(Primitive::mnemonic)
}

/// The lines of a frame: number, identifier, word and fields.
pub fn describe(frame: &[Line]) -> String {
    let first =
        frame.get(INFINIBAND.len()).map_or(FirstLine::default(), |line| FirstLine::from_bits(line.data));
    let reads = first.otype >> 2 == Family::FamilyRvl.code();
    let headers = match (first.hflag, reads) {
        (false, _) => 2,
        (true, false) => 3,
        (true, true) => 4,
    };
    let mut text = String::new();
    for (i, line) in frame.iter().enumerate() {
        let meaning = match (i, i.wrapping_sub(INFINIBAND.len())) {
            (0..3, _) => {
                let (name, table) = INFINIBAND[i];
                format!("{name}{}", fields(table, line.data.swap_bytes()))
            }
            (_, 0) => {
                let primitive = Primitive::from_code(first.otype).map_or("?", Primitive::mnemonic);
                format!("1st {primitive}{}", fields(FirstLine::TABLE, line.data))
            }
            (_, 1) => format!("2nd{}", fields(SecondLine::TABLE, line.data)),
            (_, 2) if headers > 2 => format!("3rd{}", fields(ThirdLine::TABLE, line.data)),
            (_, 3) if headers > 3 => format!("4th{}", fields(FourthLine::TABLE, line.data)),
            (_, n) => format!("data {:#x}", 8 * (n - headers)),
        };
        let id = match line.id {
            FIRST => "01",
            LAST => "10",
            _ => "11",
        };
        writeln!(text, "{i:>3} {id} {:016x} {meaning}", line.data).expect("text has room");
    }
    text
}

/// The fields that are not 0.
fn fields(table: &FieldsTable, word: u64) -> String {
    let mut text = String::new();
    for field in table.fields {
        let value = word >> field.low & (u64::MAX >> (64 - field.width()));
        if value != 0 {
            write!(text, " {}={value:#x}", field.name).expect("text has room");
        }
    }
    text
}
