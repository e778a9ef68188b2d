use mpi::{Envelope, PacketKind};

const DISSECTOR: &str = include_str!("../../../docs/wireshark/gigae_pm.lua");

/// Values of the fields of the dissector's table in an envelope, little endian.
fn dissect(bytes: &[u8]) -> Vec<(&'static str, u64)> {
    let (_, table) = DISSECTOR.split_once("local MPI_LAYOUT = {").expect("the dissector has a table");
    let (table, _) = table.split_once("\n}").expect("the table ends");
    let field = |line: &'static str| {
        let parts: Vec<_> = line.trim_matches(['{', '}', ' ', ',']).split(", ").collect();
        let [name, offset, length] = parts[..] else { panic!("{line}") };
        let (offset, length): (usize, usize) = (offset.parse().unwrap(), length.parse().unwrap());
        let value =
            bytes[offset..offset + length].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        (name.trim_matches('"'), value)
    };
    table.lines().filter(|line| line.contains('{')).map(field).collect()
}

#[test]
fn dissector_finds_what_the_library_writes() {
    let envelope = Envelope {
        context: 0x0102,
        rank: 0x0304,
        tag: 0x0506_0708,
        length: 0x090a_0b0c,
        request: 0x0d0e_0f10,
        kind: PacketKind::Ask,
    };
    let expected = [
        ("context", 0x0102),
        ("rank", 0x0304),
        ("tag", 0x0506_0708),
        ("length", 0x090a_0b0c),
        ("request", 0x0d0e_0f10),
        ("kind", 2),
    ];
    assert_eq!(dissect(&envelope.to_bytes()), expected);
    assert!(DISSECTOR.contains(&format!("local ENVELOPE_BYTES = {}\n", Envelope::BYTES)));
}

#[test]
fn dissector_knows_the_kinds_of_packets() {
    let kinds = [PacketKind::Eager, PacketKind::Ask, PacketKind::Clear, PacketKind::Data];
    let kinds = kinds.map(|kind| format!("[{}] = \"{kind:?}\"", kind as u8)).join(", ");
    assert!(DISSECTOR.contains(&format!("local MPI_KINDS = {{ {kinds} }}\n")), "{kinds}");
}
