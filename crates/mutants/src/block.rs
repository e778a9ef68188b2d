//! Blocks and their twins, collected from the tables of a device and the texts of the twins.

use std::path::{Path, PathBuf};
use std::{fs, io};

use hdl::{BundleTable, Item, Package, StateMachineTable};

/// A block that exists in Rust and in SystemVerilog.
#[derive(Clone, Debug)]
pub struct Block {
    /// Name of the SystemVerilog module.
    pub name: String,
    /// Path of the Rust twin, relative to the root of the repository.
    pub rust: PathBuf,
    /// Complete text of the Rust file.
    pub rust_text: String,
    /// Path of the SystemVerilog twin, relative to the root of the repository.
    pub systemverilog: PathBuf,
    /// Complete text of the SystemVerilog file.
    pub systemverilog_text: String,
    /// The registers of the block and the struct that contains them; `None` if the block has no registers of
    /// its own.
    pub registers: Option<Registers>,
    /// The state machine of its register `state`; `None` if it has none.
    pub machine: Option<&'static StateMachineTable>,
    /// The bundle `In` of its input pins; `None` if the package declares none.
    pub inputs: Option<&'static BundleTable>,
    /// The bundle `Out` of its output pins; `None` if the package declares none.
    pub outputs: Option<&'static BundleTable>,
}

/// The registers of a block, read from the `bundle!` in its Rust twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The struct that implements `Clocked` for the block.
    pub owner: String,
    /// Path of the registers within that struct: `self`, or `self.` and a field.
    pub path: String,
    /// The registers, without `state`.
    pub all: Vec<Register>,
}

/// A register other than the state register of the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name, the same in both twins.
    pub name: String,
    /// Width in bits, for a number of at least two bits; `None` for flags, enums and nested bundles.
    pub number: Option<u32>,
}

impl Block {
    /// The blocks of a device that have a SystemVerilog twin under `root`, in the order of the packages.
    pub fn all(root: &Path, packages: &[&'static Package]) -> io::Result<Vec<Self>> {
        let mut blocks = Vec::new();
        for package in packages {
            let candidates =
                [twin(package.source), PathBuf::from("rtl").join(module(package)).with_extension("sv")];
            if let Some(twin) = candidates.into_iter().find(|twin| root.join(twin).is_file()) {
                blocks.push(Self::of(root, package, twin)?);
            }
        }
        Ok(blocks)
    }

    fn of(root: &Path, package: &'static Package, systemverilog: PathBuf) -> io::Result<Self> {
        let rust = source(root, package);
        let rust_text = fs::read_to_string(root.join(&rust))?;
        let machine = |name: &str| {
            package.items.iter().find_map(|item| match item {
                Item::StateMachine(table) if table.name == name => Some(*table),
                _ => None,
            })
        };
        let pins = |name: &str| {
            package.items.iter().find_map(|item| match item {
                Item::Bundle(table) if table.name == name => Some(*table),
                _ => None,
            })
        };
        let state = rust_text.lines().find_map(|line| line.trim().strip_prefix("state: ")?.strip_suffix(','));
        Ok(Self {
            name: systemverilog.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            systemverilog_text: fs::read_to_string(root.join(&systemverilog))?,
            registers: Registers::read(&rust_text),
            machine: state.and_then(machine),
            inputs: pins("In"),
            outputs: pins("Out"),
            rust_text,
            rust,
            systemverilog,
        })
    }
}

/// Path of the Rust twin. A block that is composed of other blocks declares its pins in `pins.rs`; its own
/// code is in the module's file or `mod.rs` in the same folder.
fn source(root: &Path, package: &Package) -> PathBuf {
    let source = PathBuf::from(package.source);
    let module = package.name().strip_suffix("_pkg").unwrap_or(package.name());
    let beside = [format!("{module}.rs"), "mod.rs".to_string()].map(|name| source.with_file_name(name));
    match source.file_name().is_some_and(|name| name == "pins.rs") {
        true => beside.into_iter().find(|file| root.join(file).is_file()).unwrap_or(source),
        false => source,
    }
}

fn module(package: &Package) -> &'static str {
    package.path.strip_suffix("_pkg").unwrap_or(package.path)
}

/// Path of the SystemVerilog twin of a Rust file: `crates/X/src/Y.rs` gives `rtl/X/Y.sv`.
fn twin(source: &str) -> PathBuf {
    PathBuf::from(source.replacen("crates/devices/", "rtl/", 1).replacen("/src/", "/", 1))
        .with_extension("sv")
}

/// The struct that implements the block; `None` for a block that is a pure function of its pins.
pub(crate) fn owner(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("impl Clocked for ")?.strip_suffix(" {"))
}

impl Registers {
    /// Reads the bundle of registers from the text of a Rust twin.
    fn read(text: &str) -> Option<Self> {
        let owner = owner(text)?;
        let (path, bundle) = match bundle(text, owner) {
            Some(bundle) => ("self".to_string(), bundle),
            None => {
                let body = text.split_once(&format!("pub struct {owner} {{"))?.1.split_once("\n}")?.0;
                body.lines().find_map(|line| {
                    let (name, kind) = line.trim().strip_suffix(',')?.split_once(": ")?;
                    let name = name.rsplit(' ').next()?;
                    Some((format!("self.{name}"), bundle(text, kind)?))
                })?
            }
        };
        let all = bundle.lines().filter_map(Register::read).filter(|register| register.name != "state");
        Some(Self { owner: owner.to_string(), path, all: all.collect() })
    }
}

impl Register {
    /// Parses a field of a bundle: `name: type,` or `name: type : width,`.
    fn read(line: &str) -> Option<Self> {
        let line = line.trim().strip_suffix(',').filter(|line| !line.starts_with('/'))?;
        let mut parts = line.split(':').map(str::trim);
        let (name, kind, width) = (parts.next()?, parts.next()?, parts.next());
        let own = kind.strip_prefix('u').and_then(|bits| bits.parse().ok());
        let number = own.map(|own| width.and_then(|width| width.parse().ok()).unwrap_or(own));
        Some(Self { name: name.to_string(), number: number.filter(|width| *width >= 2) })
    }
}

/// The field lines of the bundle `name`.
fn bundle<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let body = text.split_once(&format!("    pub struct {name} in "))?.1;
    Some(body.split_once("{\n")?.1.split_once("\n    }")?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_those_of_the_block_or_of_a_field() {
        let bundle = "
hdl::bundle! {
    /// Registers of the toy.
    pub struct NAME in toy_pkg {
        /// Current state of the toy.
        state: State,
        /// Elapsed cycles, modulo 1024.
        count: u16 : 10,
        /// Whether the counter runs.
        there: bool,
    }
}
";
        let registers = [("count", Some(10)), ("there", None)]
            .map(|(name, number)| Register { name: name.to_string(), number });
        let own = bundle.replace("NAME", "Toy") + "impl Clocked for Toy {\n}\n";
        let read = Registers::read(&own).unwrap();
        assert_eq!((read.path.as_str(), read.all.as_slice()), ("self", &registers[..]));
        let inner = "pub struct Toy {\n    /// Words.\n    pub ram: Ram,\n    pub q: Registers,\n}\nimpl Clocked for Toy {\n}\n";
        let read = Registers::read(&(bundle.replace("NAME", "Registers") + inner)).unwrap();
        assert_eq!((read.path.as_str(), read.all.as_slice()), ("self.q", &registers[..]));
        assert_eq!(Registers::read("impl Clocked for Toy {\n}\n"), None);
    }
}
