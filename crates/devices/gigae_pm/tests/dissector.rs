use gigae_pm::header::{ETHER_TYPE, MAC_PREFIX};
use gigae_pm::header::{Frame, Identity, VERSION, header_word};
use gigae_pm::protocol::Kind;

const DISSECTOR: &str = include_str!("../../../../docs/wireshark/gigae_pm.lua");

/// A line of the dissector's table.
struct Field<'a> {
    name: &'a str,
    offset: usize,
    bytes: usize,
    mask: u32,
}

/// The dissector's table.
fn layout() -> Vec<Field<'static>> {
    let (_, table) = DISSECTOR.split_once("local LAYOUT = {").expect("the dissector has a table");
    let (table, _) = table.split_once("\n}").expect("the table ends");
    let field = |line: &'static str| {
        let parts: Vec<_> = line.trim_matches(['{', '}', ' ', ',']).split(", ").collect();
        let [name, offset, bytes, mask] = parts[..] else { panic!("{line}") };
        Field {
            name: name.trim_matches('"'),
            offset: offset.parse().unwrap(),
            bytes: bytes.parse().unwrap(),
            mask: u32::from_str_radix(mask.strip_prefix("0x").unwrap(), 16).unwrap(),
        }
    };
    table.lines().filter(|line| line.contains('{')).map(field).collect()
}

/// Fields that the dissector finds after the Ethernet type of a frame.
fn dissect(frame: &Frame) -> Vec<(&'static str, u32)> {
    let identity = Identity { mac_prefix: MAC_PREFIX, ether_type: ETHER_TYPE, node: 0x123 };
    let header: Vec<u8> =
        (4..12).flat_map(|word| header_word(word, &identity, frame).to_le_bytes()).collect();
    let value = |field: &Field| {
        let bytes = &header[field.offset..field.offset + field.bytes];
        let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
        (value & field.mask) >> field.mask.trailing_zeros()
    };
    layout().iter().map(|field| (field.name, value(field))).collect()
}

#[test]
fn dissector_finds_what_the_card_writes() {
    let frame = Frame {
        size: 0x5a3,
        kind: Kind::Message.code(),
        channel: 2,
        node: 0x2b7,
        number: 0x89ab_cdef,
        epoch: 0xfedc,
        ..Frame::default()
    };
    let expected = |kind: Kind, number, control| {
        [
            ("version", VERSION.into()),
            ("kind", kind.code().into()),
            ("channel", 2),
            ("source", 0x123),
            ("destination", 0x2b7),
            ("number", number),
            ("control_number", control),
            ("size", 0x5a3),
            ("epoch", 0xfedc),
        ]
    };
    assert_eq!(dissect(&frame), expected(Kind::Message, 0x89ab_cdef, 0));
    let ack = Frame { kind: Kind::Ack.code(), ..frame };
    assert_eq!(dissect(&ack), expected(Kind::Ack, 0, 0x89ab_cdef));
}

#[test]
fn dissector_knows_the_type_and_the_kinds_of_frames() {
    assert!(DISSECTOR.contains(&format!("local ETHER_TYPE = {ETHER_TYPE:#06x}\n")));
    let kinds = [Kind::Message, Kind::Ack, Kind::Lose, Kind::Stop, Kind::Go];
    let kinds = kinds.map(|kind| format!("[{}] = \"{kind:?}\"", kind.code())).join(", ");
    assert!(DISSECTOR.contains(&format!("local KINDS = {{ {kinds} }}\n")), "{kinds}");
}
