//! Host computers.

use std::borrow::Cow;
use std::path::Path;

use cluster::host::Computer;
use serde::Deserialize;

/// Longest computer file in bytes.
const LONGEST_FILE: u64 = 64 << 10;

const fn computer(name: &'static str, processor_mhz: f64, bus_mhz: f64, source: &'static str) -> Computer {
    Computer { name: Cow::Borrowed(name), processor_mhz, bus_mhz, source: Cow::Borrowed(source) }
}

/// Host of DIMMnet-2.
pub const PENTIUM_4_2600: Computer = computer(
    "pentium4-2600",
    2625.918,
    100.0,
    "DIMMnet-2, thesis table 6.1: front-side bus of four times 100 MHz",
);
/// Host of GigaE PM.
pub const PENTIUM_2_400: Computer = computer("pentium2-400", 400.0, 100.0, "GigaE PM, table 2: Intel 440BX");

/// Host of Suci and Fagus.
pub const PENTIUM_3_800: Computer =
    computer("pentium3-800", 800.0, 133.0, "Suci, table 2; Fagus has the same processor");

/// Processor of Cenju-3.
pub const VR4400_75: Computer =
    computer("vr4400-75", 75.0, 75.0, "MPI/DE on Cenju-3; its cycle of 13.3 ns taken for both clocks");

/// Computers known by name, from publications on machines of this kind.
pub const COMPUTERS: [Computer; 6] = [
    PENTIUM_4_2600,
    computer("pentium3-933", 933.0, 133.0, "QsNET's host, cited in the thesis on DIMMnet-2"),
    PENTIUM_3_800,
    PENTIUM_2_400,
    computer("pentium-150", 150.0, 60.0, "Intel, Pentium 150: processor of 150 MHz on a bus of 60 MHz"),
    VR4400_75,
];

/// Contents of a computer file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    name: String,
    processor_mhz: f64,
    bus_mhz: f64,
    #[serde(default)]
    source: String,
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
/// `bus_mhz` and optionally `source`.
pub fn computer_of(name: &str) -> Result<Computer, ComputerError> {
    if let Some(computer) = COMPUTERS.iter().find(|computer| computer.name == name) {
        return Ok(computer.clone());
    }
    if !name.ends_with(".toml") {
        return Err(ComputerError::Unknown { name: name.to_string() });
    }
    let fails = |reason: String| ComputerError::File { file: name.to_string(), reason };
    let text = files::read(Path::new(name), LONGEST_FILE)?;
    let Description { name, processor_mhz, bus_mhz, source } =
        toml::from_str(&text).map_err(|error| fails(error.to_string()))?;
    for (clock, mhz) in [("processor_mhz", processor_mhz), ("bus_mhz", bus_mhz)] {
        if !(1.0..=10_000.0).contains(&mhz) {
            return Err(fails(format!("{clock} is {mhz}; it lies between 1 and 10000")));
        }
    }
    Ok(Computer { name: name.into(), processor_mhz, bus_mhz, source: source.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Result<Computer, ComputerError> {
        let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        computer_of(file.path().to_str().unwrap())
    }

    #[test]
    fn computer_is_known_by_name_or_defined_by_a_file() {
        assert_eq!(computer_of("pentium-150").unwrap().bus_mhz, 60.0);
        let own = file("name = \"mine\"\nprocessor_mhz = 3000\nbus_mhz = 200.0\n").unwrap();
        assert_eq!((own.processor_mhz, own.bus_mhz), (3000.0, 200.0));
    }

    #[test]
    fn invalid_computers_are_refused() {
        let error = computer_of("pentium").unwrap_err().to_string();
        assert!(error.contains("pentium-150") && error.contains("vr4400-75"), "{error}");
        assert!(computer_of("/nowhere/x.toml").unwrap_err().to_string().contains("/nowhere/x.toml"));
        assert!(
            file("name = \"mine\"\nprocessor_mhz = 0\nbus_mhz = 1")
                .unwrap_err()
                .to_string()
                .contains("processor_mhz is 0")
        );
        assert!(file("name = \"mine\"\nbus_mhz = 1").unwrap_err().to_string().contains("processor_mhz"));
        assert!(file("").is_err() && file("\u{0}").is_err());
    }
}
