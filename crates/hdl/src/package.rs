//! SystemVerilog packages, into which the tables of blocks are emitted.

use crate::{BundleTable, CodeTable, FieldsTable, RegisterTable, StateMachineTable};

/// One declaration of a package.
#[derive(Debug)]
pub enum Item {
    /// A named number.
    Constant {
        /// Name, UpperCamelCase.
        name: &'static str,
        /// Width in bits.
        width: u32,
        /// Number, less than 2 to the width.
        value: u64,
        /// Meaning; becomes the comment of the constant.
        doc: &'static str,
    },
    /// A state enumeration and its arcs.
    StateMachine(&'static StateMachineTable),
    /// A bundle of pins.
    Bundle(&'static BundleTable),
    /// A set of named codes.
    Codes(&'static CodeTable),
    /// A packed word.
    Fields(&'static FieldsTable),
    /// A page of registers.
    Registers(&'static RegisterTable),
}

/// A generated SystemVerilog package.
#[derive(Debug)]
pub struct Package {
    /// Path of the generated file below `rtl/`, without `.sv`; its last part is the package's name.
    pub path: &'static str,
    /// Rust file with the tables.
    pub source: &'static str,
    /// Declarations; each uses only declarations before it.
    pub items: &'static [Item],
}

impl Package {
    /// Name of the package.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('/').next().expect("a split has at least one part")
    }
}
