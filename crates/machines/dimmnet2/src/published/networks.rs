//! DIMMnet-2 and other networks: tables 2.2 and 7.1.

use machine_api::{Row, Table};

use super::measure::Source;
use super::page;
use crate::paths::{Primitive, transfer};

/// Networks of table 2.2: host interface, latency in us, throughput one way and both ways in MByte/s, and bytes of
/// half of the peak. Those in parentheses are measured with MPI.
const NETWORKS: [[&str; 6]; 8] = [
    ["RHiNET-2", "PCI, 64 bits, 66 MHz", "1.74", "444", "470", "1 K"],
    ["Myrinet-2000 M3F2-PCIXE", "PCI-X, 133 MHz", "2.6", "495", "912", "300"],
    ["QsNET II QM500", "PCI-X, 133 MHz", "1.6", "911", "900", "4 K to 8 K"],
    ["InfiniBand InfiniHost", "PCI-X, 133 MHz", "4.8", "781", "946", "1 K to 2 K"],
    ["InfiniBand InfiniHost III Ex", "PCI Express 8x", "3.8", "972", "1932", "1 K to 2 K"],
    ["InfiniBand InfiniPath HTX", "HyperTransport", "(1.29)", "(954)", "(1884)", "(88)"],
    ["Myri-10G 10G-PCIE-8A-C", "PCI Express 8x", "(2.2)", "(1215)", "(2355)", "(4 K to 16 K)"],
    ["10GbE T110", "PCI-X, 133 MHz", "8.9", "950", "-", "256 to 512"],
];

/// Rows of DIMMnet-2 in the order of the columns, both into SO-DIMM.
const OURS: [(&str, [&str; 4]); 2] =
    [("BOTF", ["B-21", "B-27", "B-29", ""]), ("RVS", ["M-05p", "D-01", "D-04", "D-03"])];

/// A value of a row: the published one, or ours.
type Value = fn(&Row) -> f64;

/// Numbers of other networks, and those of DIMMnet-2 in the thesis and here.
pub fn compared(rows: &[Row]) -> Table {
    let cell = |id: &str, value: Value| match rows.iter().find(|row| row.id == id) {
        Some(row) if row.unit == "us" => format!("{:.2}", value(row)),
        Some(row) => format!("{:.0}", value(row)),
        None => "-".to_string(),
    };
    let mut lines: Vec<Vec<String>> = NETWORKS.map(|line| line.map(String::from).into()).into();
    for (primitive, ids) in OURS {
        let sides: [(&str, Value); 2] = [("thesis", |row| row.published), ("here", |row| row.measured)];
        lines.extend(sides.map(|(side, value)| {
            let names = [format!("DIMMnet-2, {primitive}, {side}"), "memory slot".to_string()];
            names.into_iter().chain(ids.map(|id| cell(id, value))).collect()
        }));
    }
    Table {
        title: "Compared with table 2.2",
        text: page::TABLE_2_2,
        heads: vec!["", "Host interface", "Latency", "One way", "Both ways", "Half of peak"],
        lines,
    }
}

/// Host, network interface and switch in a PUSH of 8 bytes, in us, compared with other networks.
pub fn parts(nics: Source<'_>) -> anyhow::Result<Table> {
    const HOST: [&str; 3] = ["issue", "bus", "poll"];
    let line = transfer(Primitive::Rvs, 8, nics)?;
    let host = line.of(|stage| HOST.contains(&stage.name));
    let switch = line.of(|stage| stage.name == "switch");
    let nic = line.of(|stage| !HOST.contains(&stage.name) && stage.name != "switch");
    let ours = [host, nic, switch, line.total()].map(|duration| format!("{:.2}", duration.ps() as f64 / 1e6));
    let theirs = [
        ["QsNET II QM500", "0.8", "0.8", "0.1", "1.7"],
        ["Myrinet-2000 M3F2-PCIXE", "0.3", "2.8", "0.4", "3.5"],
    ];
    let mut lines: Vec<Vec<String>> = theirs.map(|line| line.map(String::from).into()).into();
    lines.push(["DIMMnet-2 here".to_string()].into_iter().chain(ours).collect());
    Ok(Table {
        title: "Beside table 7.1",
        text: page::TABLE_7_1,
        heads: vec!["", "Host", "Network interface", "Switch", "Total"],
        lines,
    })
}
