//! Frames of a network: in capture files, and their kinds.

use cluster::{Machine, UnitOf};

/// How the frames of a network get into a capture file.
pub struct Frames<M: Machine> {
    /// Format of the bytes.
    pub format: FrameFormat,
    /// The bytes of a frame out of what a link carried.
    pub bytes: fn(&[UnitOf<M>]) -> Vec<u8>,
}

/// Network of a frame, and what its bytes begin and end with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFormat {
    /// An Ethernet frame with its check sequence.
    Ethernet,
    /// A packet of InfiniBand, from its LRH to its ICRC.
    InfiniBand,
    /// A packet of InfiniBand, from its LRH to its data. Its ICRC is added outside of the model.
    InfiniBandWithoutIcrc,
}

/// Kinds of the frames of a network.
pub struct FrameKinds<M: Machine> {
    /// Units at the beginning of a frame that contain its kind.
    pub units: usize,
    /// Names of all kinds.
    pub names: fn() -> Vec<&'static str>,
    /// Kind of a frame that begins with these units; `None` if its header names no known kind.
    pub of: fn(&[UnitOf<M>]) -> Option<&'static str>,
}
