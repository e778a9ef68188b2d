//! Host computers.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::Path;

use cluster::host::Computer;
use serde::Deserialize;
use toml::Spanned;

/// Longest computer file in bytes.
const LONGEST_FILE: u64 = 64 << 10;

/// `clocks` are processor, front-side bus, memory and PCI in MHz.
const fn computer(name: &'static str, clocks: [f64; 4], source: &'static str) -> Computer {
    let [processor_mhz, bus_mhz, memory_mhz, pci_mhz] = clocks;
    let (name, source) = (Cow::Borrowed(name), Cow::Borrowed(source));
    Computer { name, processor_mhz, bus_mhz, memory_mhz, pci_mhz, source }
}

/// Host of DIMMnet-2.
pub const PENTIUM_4_2600: Computer = computer(
    "pentium4-2600",
    [2625.918, 100.0, 100.0, 33.0],
    "DIMMnet-2, thesis table 6.1: front-side bus of four times 100 MHz, PC-1600; PCI 2.2",
);
/// Host of GigaE PM.
pub const PENTIUM_2_400: Computer =
    computer("pentium2-400", [400.0, 100.0, 100.0, 33.0], "GigaE PM, table 2: Intel 440BX, PCI of 33 MHz");

/// Host of Suci and Fagus.
pub const PENTIUM_3_800: Computer = computer(
    "pentium3-800",
    [800.0, 133.0, 133.0, 33.0],
    "Suci, table 2; Fagus has the same processor; PC-133, PCI 2.2",
);

/// Processor of Cenju-3.
pub const VR4400_75: Computer = computer(
    "vr4400-75",
    [75.0, 75.0, 75.0, 33.0],
    "MPI/DE on Cenju-3; its cycle of 13.3 ns taken for processor, bus and memory; it has no PCI, so the slowest \
     common one stands in",
);

/// Computers known by name: those of publications, then PCs of these years for predictions. Memory and PCI of the
/// PCs follow their chipsets: memory runs with the bus, PCI with a half, a third or a quarter of it, or with twice
/// that in slots of 66 MHz.
pub const COMPUTERS: [Computer; 12] = [
    PENTIUM_4_2600,
    computer(
        "pentium3-933",
        [933.0, 133.0, 133.0, 33.0],
        "QsNET's host, cited in the thesis on DIMMnet-2; PC-133, PCI 2.2",
    ),
    PENTIUM_3_800,
    PENTIUM_2_400,
    computer(
        "pentium-150",
        [150.0, 60.0, 60.0, 30.0],
        "Intel 430FX: processor of 150 MHz on a bus of 60 MHz",
    ),
    VR4400_75,
    computer("pentium-200", [200.0, 66.0, 66.0, 33.0], "Intel 430HX"),
    computer("pentiumpro-200", [200.0, 66.0, 66.0, 33.0], "Intel 440FX"),
    computer("pentium2-300", [300.0, 66.0, 66.0, 33.0], "Intel 440LX"),
    computer("pentium3-500", [500.0, 100.0, 100.0, 33.0], "Intel 440BX"),
    computer("pentium3-500-pci66", [500.0, 100.0, 100.0, 66.0], "Intel 440GX, with a slot of 66 MHz"),
    computer("pentium3-800-pci66", [800.0, 133.0, 133.0, 66.0], "ServerWorks III LE"),
];

/// Contents of a computer file. Each clock keeps its place in the file for error messages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    name: String,
    processor_mhz: Spanned<f64>,
    bus_mhz: Spanned<f64>,
    memory_mhz: Spanned<f64>,
    pci_mhz: Spanned<f64>,
    #[serde(default)]
    source: String,
}

/// Valid clocks of a processor, a front-side bus and a memory in MHz.
const CLOCKS: RangeInclusive<f64> = 1.0..=10_000.0;
/// Valid clocks of a PCI bus in MHz: from a quarter of the slowest bus to PCI-X 533.
const PCI_CLOCKS: RangeInclusive<f64> = 8.0..=533.0;

/// Line of a byte of a text, counted from 1.
pub fn line_of(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|byte| *byte == b'\n').count()
}

/// Reason why a computer is unknown or invalid.
#[derive(Debug, thiserror::Error)]
pub enum ComputerError {
    /// The text is neither a known name nor a file name.
    #[error("there is no computer {name}; there are {}, or a file that ends in .toml defines one", known())]
    Unknown {
        /// Requested name.
        name: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] files::FileError),
    /// The file does not define a computer.
    #[error("{file}: {reason}")]
    File {
        /// Name of the file.
        file: String,
        /// Syntax error or invalid value.
        reason: String,
    },
}

fn known() -> String {
    COMPUTERS.map(|computer| computer.name).join(", ")
}

/// Computer with this name, or from a TOML file with this name, which defines `name`, `processor_mhz`,
/// `bus_mhz`, `memory_mhz`, `pci_mhz` and optionally `source`.
pub fn computer_of(name: &str) -> Result<Computer, ComputerError> {
    if let Some(computer) = COMPUTERS.iter().find(|computer| computer.name == name) {
        return Ok(computer.clone());
    }
    if !name.ends_with(".toml") {
        return Err(ComputerError::Unknown { name: name.to_string() });
    }
    let text = files::read(Path::new(name), LONGEST_FILE)?;
    defined(&text).map_err(|reason| ComputerError::File { file: name.to_string(), reason })
}

/// Computer that the text of a file defines.
fn defined(text: &str) -> Result<Computer, String> {
    let Description { name, processor_mhz, bus_mhz, memory_mhz, pci_mhz, source } =
        toml::from_str(text).map_err(|error| error.to_string())?;
    let checked = |clock: &str, mhz: Spanned<f64>, valid: RangeInclusive<f64>| {
        if valid.contains(mhz.get_ref()) {
            return Ok(*mhz.get_ref());
        }
        let (line, least, most) = (line_of(text, mhz.span().start), valid.start(), valid.end());
        Err(format!("line {line}: {clock} is {}; it lies between {least} and {most}", mhz.get_ref()))
    };
    Ok(Computer {
        processor_mhz: checked("processor_mhz", processor_mhz, CLOCKS)?,
        bus_mhz: checked("bus_mhz", bus_mhz, CLOCKS)?,
        memory_mhz: checked("memory_mhz", memory_mhz, CLOCKS)?,
        pci_mhz: checked("pci_mhz", pci_mhz, PCI_CLOCKS)?,
        name: name.into(),
        source: source.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Result<Computer, ComputerError> {
        let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        computer_of(file.path().to_str().unwrap())
    }

    const MINE: &str =
        "name = \"mine\"\nprocessor_mhz = 3000\nbus_mhz = 200.0\nmemory_mhz = 166\npci_mhz = 66\n";

    #[test]
    fn computer_is_known_by_name_or_defined_by_a_file() {
        assert_eq!(computer_of("pentium-150").unwrap().bus_mhz, 60.0);
        assert_eq!(file(MINE).unwrap().clocks().map(|(_, mhz)| mhz), [3000.0, 200.0, 166.0, 66.0]);
    }

    #[test]
    fn unknown_computers_and_unreadable_files_are_refused() {
        let error = computer_of("pentium").unwrap_err().to_string();
        assert!(error.contains("pentium-150") && error.contains("vr4400-75"), "{error}");
        assert!(computer_of("/nowhere/x.toml").unwrap_err().to_string().contains("/nowhere/x.toml"));
        assert!(file("").is_err() && file("\u{0}").is_err());
    }

    #[test]
    fn missing_and_impossible_clocks_are_refused_with_line() {
        for (line, clock) in ["processor_mhz", "bus_mhz", "memory_mhz", "pci_mhz"].into_iter().enumerate() {
            let lines = |with: &str| {
                let lines = MINE.lines().map(|line| if line.starts_with(clock) { with } else { line });
                lines.collect::<Vec<_>>().join("\n")
            };
            let missing = file(&lines("")).unwrap_err().to_string();
            assert!(
                missing.contains(&format!("missing field `{clock}`")) && missing.contains("line 1"),
                "{missing}"
            );
            for value in ["0", "-33", "nan", "inf", "1e9", "\"fast\""] {
                let error = file(&lines(&format!("{clock} = {value}"))).unwrap_err().to_string();
                assert!(error.contains(clock) && error.contains(&format!("line {}", line + 2)), "{error}");
            }
        }
    }
}
