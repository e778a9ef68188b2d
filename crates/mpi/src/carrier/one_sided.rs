//! One-sided accesses that the network carries out while the library of the target takes no part.

/// Memory of other processes that the network accesses by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// None: every access is a message to the library of the target.
    #[default]
    Nothing,
    /// All memory of a process.
    Everything,
    /// Memory that the library has allocated for a window, at a place that the carrier has assigned.
    Placed,
}

/// Paths of one-sided accesses on a machine whose network can carry them out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OneSided {
    /// The network carries out the accesses that it can.
    #[default]
    Native,
    /// Every access is a message to the library of the target.
    Messages,
}

impl OneSided {
    /// Names of the values, in the order of [`OneSided::ALL`].
    pub const NAMES: &'static [&'static str] = &["native", "messages"];
    /// Both values.
    pub const ALL: [OneSided; 2] = [OneSided::Native, OneSided::Messages];

    /// The reach of a carrier that has `native` with this choice.
    pub fn reach(self, native: Reach) -> Reach {
        match self {
            OneSided::Native => native,
            OneSided::Messages => Reach::Nothing,
        }
    }
}

/// A part of the target's memory: offset from the base of the window, or an address in a dynamic window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset or address of the first byte.
    pub at: u64,
    /// Length in bytes.
    pub bytes: u64,
}

/// Direction of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Data goes to the target.
    Put,
    /// Data comes from the target.
    Get,
}

/// A part of an access, as [`Carrier::cut`](super::Carrier::cut) returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The target, a process.
    pub target: usize,
    /// Place of the target's window, by which the carrier finds it.
    pub place: u64,
    /// Bytes of the window, in the order of the data.
    pub pieces: Vec<Piece>,
}

impl Part {
    /// Bytes of the data.
    pub fn bytes(&self) -> usize {
        self.pieces.iter().map(|piece| piece.bytes as usize).sum()
    }
}
