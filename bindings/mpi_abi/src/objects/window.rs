//! Windows of a rank.

use std::collections::BTreeMap;

use super::Attributes;
use super::request::Destination;
use crate::arguments::Memory;
use crate::types::*;

/// A window with the state that the program can query.
pub struct Window {
    /// Number of the window at the simulator.
    pub number: u32,
    /// Processes in the order of ranks, by their ranks in `MPI_COMM_WORLD`.
    pub processes: Vec<u32>,
    /// Rank of this process.
    pub rank: usize,
    /// First byte of the memory of this rank.
    pub base: Memory,
    /// The library has allocated the memory and frees it.
    pub is_allocated: bool,
    /// Attributes of the standard.
    pub values: Box<WindowValues>,
    /// Set by `MPI_Win_set_name`; at most `MPI_MAX_OBJECT_NAME` bytes are returned.
    pub name: String,
    /// Error handler.
    pub handler: MPI_Errhandler,
    /// Hints of the program, which have no effect.
    pub hints: Vec<(String, String)>,
    /// Attributes in the order in which they were set.
    pub attributes: Attributes,
    /// Destinations of gets that are not complete, by the numbers that the simulator returns with the data.
    pub destinations: BTreeMap<u32, Destination>,
    /// Number of the next destination.
    pub next_destination: u32,
}

/// Attributes of the standard, which programs get by their addresses.
#[derive(Clone, Copy, Debug)]
pub struct WindowValues {
    /// `MPI_WIN_SIZE`: bytes of the memory of this rank.
    pub size: MPI_Aint,
    /// `MPI_WIN_DISP_UNIT`.
    pub unit: c_int,
    /// `MPI_WIN_CREATE_FLAVOR`.
    pub flavor: c_int,
    /// `MPI_WIN_MODEL`.
    pub model: c_int,
}
