#![doc = include_str!("../README.md")]

mod config;
mod frame;
mod line;
mod read;
mod replay;
mod write;

pub use read::{Kept, ReadError, Reader};
pub use replay::{Divergence, Played, ReplayError, replay, replay_with};
pub use write::{Capture, Fault, Keys};

/// Version of the lines.
const VERSION: &str = "made 1";
/// Type of a custom block that may be copied by programs that do not know it.
const CUSTOM_BLOCK: u32 = 0xbad;
/// Whose custom blocks these are: the number that RFC 5612 keeps for examples, since we have none.
const ENTERPRISE: u32 = 32_473;
/// By which ours are told from others of that number.
const MARK: &[u8; 4] = b"suci";
