//! Captures of a run, parsed as any reader of pcapng does.

use std::collections::BTreeSet;
use std::fs::File;
use std::process::Command;

use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketOption;
use pcap_file::pcapng::blocks::interface_description::InterfaceDescriptionOption;
use pcap_file::pcapng::{Block, PcapNgReader};

use crate::{FOLDER, compiled, fingerprint, run};

#[test]
fn segment_of_tcp_is_in_a_capture_once() {
    let (program, path) = (compiled("ring", "segments"), FOLDER.path().join("tcp.pcapng"));
    let options =
        ["-np", "3", "--machine", "gigae_pm", "--carrier", "tcp", "--pcapng", path.to_str().unwrap()];
    fingerprint(&run(&options, &program, &[]), "ring: right on 3\n");
    let mut reader = PcapNgReader::new(File::open(&path).unwrap()).unwrap();
    let (mut interfaces, mut segments, mut senders) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    while let Some(block) = reader.next_block() {
        match block.unwrap() {
            Block::InterfaceDescription(interface) => {
                interfaces.push(interface.options.into_iter().find_map(|option| {
                    if let InterfaceDescriptionOption::IfName(name) = option {
                        Some(name.into_owned())
                    } else {
                        None
                    }
                }))
            }
            Block::EnhancedPacket(packet) => {
                assert!(packet.options.iter().any(|option| matches!(option, EnhancedPacketOption::Flags(2))));
                let frame = &packet.data;
                // An IPv4 header of 20 bytes follows the Ethernet header, and TCP is protocol 6.
                if frame[12..14] != [8, 0] || frame[14] != 0x45 || frame[23] != 6 {
                    continue;
                }
                let ip = &frame[14..];
                let length = usize::from(u16::from_be_bytes([ip[2], ip[3]]));
                let (addresses, tcp) = (&ip[12..20], &ip[20..length]);
                let data = &tcp[usize::from(tcp[12] >> 4) * 4..];
                if data.is_empty() {
                    continue;
                }
                senders.insert(packet.interface_id);
                // Addresses, ports and sequence number; no frame is lost, so nothing is sent again.
                let segment = [addresses, &tcp[..8]].concat();
                assert!(segments.insert(segment), "a segment is there twice: {tcp:?}");
            }
            _ => {}
        }
    }
    let names: Vec<_> = interfaces.into_iter().flatten().collect();
    assert_eq!(names, ["node0-out", "node1-out", "node2-out"]);
    assert_eq!((senders.len(), segments.len() >= 15), (3, true), "{} segments", segments.len());
}

/// A record of ERF with a packet of InfiniBand: 16 bytes, then LRH, BTH, the rest, ICRC and VCRC.
#[test]
fn packets_of_adapters_and_boards_are_infiniband_to_wireshark() {
    for (machine, opcodes) in [("hca", ["4", "17"]), ("dimmnet2", ["36", "17"])] {
        let path = FOLDER.path().join(format!("{machine}.pcapng"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_memonet"));
        command.args(["run", "--nic", "model", "--machine", machine, "--pcapng"]).arg(&path);
        assert!(command.output().unwrap().status.success());
        let mut reader = PcapNgReader::new(File::open(&path).unwrap()).unwrap();
        let mut packets = 0;
        while let Some(block) = reader.next_block() {
            match block.unwrap() {
                Block::InterfaceDescription(interface) => assert_eq!(u32::from(interface.linktype), 197),
                Block::EnhancedPacket(packet) => {
                    let (head, packet) = packet.data.split_at(16);
                    let number = |bytes: [u8; 2]| usize::from(u16::from_be_bytes(bytes));
                    assert_eq!((head[8], number([head[10], head[11]])), (21, 16 + packet.len()));
                    let words = number([packet[4], packet[5]]);
                    assert_eq!(words * 4 + 2, packet.len(), "the LRH counts up to the ICRC");
                    packets += 1;
                }
                _ => {}
            }
        }
        assert!(packets > 4, "{packets} packets");
        let mut tshark = Command::new("tshark");
        tshark.args(["-T", "fields", "-e", "infiniband.bth.opcode", "-r"]).arg(&path);
        let Ok(output) = tshark.output() else {
            eprintln!("NOT TESTED: the dissector, because there is no tshark; see ci/install tap");
            continue;
        };
        let printed = String::from_utf8(output.stdout).unwrap();
        let found: BTreeSet<_> = printed.lines().collect();
        assert_eq!(found, BTreeSet::from(opcodes), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(printed.lines().count(), packets);
    }
}
