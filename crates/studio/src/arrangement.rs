//! Arrangement of the blocks of a device, and the wires between them.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::Serialize;

/// Arrangement of the blocks of a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Layout {
    /// Rows of all blocks, from top to bottom within a block. Blocks without a place follow the others.
    pub rows: Vec<Row>,
    /// Wires between blocks and ports.
    pub wires: Vec<Wire>,
}

/// Parts of a block, from left to right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Row {
    /// Path of the block; empty for the device.
    pub block: String,
    /// Paths of its parts; a port has its name in parentheses.
    pub parts: Vec<String>,
}

/// A wire between two blocks or ports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Wire {
    /// Path of the block that drives it, or a port.
    pub from: String,
    /// Path of the block that it leads to, or a port.
    pub to: String,
    /// The wire carries something while one of these is not 0.
    pub pins: Vec<Pin>,
}

/// Bits of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Pin {
    /// Block and name.
    pub name: String,
    /// Index of the first 64-bit word of its register or pins.
    pub word: usize,
    /// First bit.
    pub offset: u32,
    /// Width in bits.
    pub width: u32,
    /// The pin is active while it is 0.
    pub inverted: bool,
}
