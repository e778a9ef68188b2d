#![doc = include_str!("../README.md")]

mod config;
mod frame;
mod keys;
mod line;
mod read;
mod replay;
mod write;

pub use keys::Keys;
pub use read::{Kept, ReadError, Reader};
pub use replay::{Divergence, Played, ReplayError, replay, replay_with};
pub use write::{Capture, Fault};

/// First line of a capture, with the version of the format.
const VERSION: &str = "made 1";
/// Type of a pcapng custom block that unaware programs may copy.
const CUSTOM_BLOCK: u32 = 0xbad;
/// Enterprise number of the custom blocks: the one that RFC 5612 reserves for examples.
const ENTERPRISE: u32 = 32_473;
/// Marks the blocks of this format among others with the enterprise number.
const MARK: &[u8; 4] = b"suci";
