//! DIMMnet-2, a network interface in a memory slot: cycle-accurate model of its Core Logic and SWIF.
//!
//! The board sits in a DDR-SDRAM slot of a PC and joins an InfiniBand fabric (doctoral thesis, Keio
//! University, FY2007). The host sees memory: it writes data into a [Write Window](address::Area), then a
//! 128-bit [command](Lower) into a [register](registers::UserRegister). Hardwired logic then moves the data
//! between windows, the two SO-DIMMs on the board and [packets](FirstLine) on the network.
//!
//! Every block has an RTL twin at the same path in `rtl/dimmnet2`; the [tables] generate the packages that
//! both share.

pub mod address;
pub mod clocks;
pub mod command;
pub mod core_logic;
mod dimmnet2;
pub mod host_interface;
pub mod line;
pub mod packet;
pub mod pins;
pub mod prefetch_unit;
pub mod primitive;
pub mod receive_controller;
pub mod region;
pub mod registers;
pub mod request;
pub mod request_separator;
#[cfg(test)]
mod resets;
pub mod sodimm_interface;
pub mod status;
pub mod status_write_unit;
pub mod swif;
pub mod tables;
pub mod traffic;
pub mod window_controller;
pub mod write_unit;

pub use command::{BotfLower, Ex, LhsUpper, Lower, Upper};
pub use dimmnet2::{Dimmnet2, RESETS};
pub use line::Line;
pub use packet::{FirstLine, FourthLine, SecondLine, ThirdLine};
pub use primitive::{Family, Primitive, element_bytes};
pub use request::Request;
pub use status::{StatusLower, StatusUpper};
