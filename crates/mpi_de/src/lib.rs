//! The protocol of MPI/DE between the processor elements (PEs) of Cenju-3, as functions without clock, thread and memory.
//!
//! Messages below 128 bytes go at once (s5.1). Longer ones ask first: RTS, then CTS with a slot for each unit of 8 KB, then the unit by
//! DMA; its header, which the NIF writes behind the data, says that it is there. Caches are not coherent with the NIF (s6.3), so lines are
//! replaced. Names of the messages, slots and credits are ours: the paper prints none (decision 0059).
//!
//! ```
//! use mpi_de::{Action, Config, Event, Header, Library};
//!
//! let mut library = Library::new(Config::default(), 0).unwrap();
//! let actions = library.step(Event::Send { to: 1, request: 7, length: 128 });
//! assert_eq!(actions, [Action::Post { to: 1, header: Header::Rts { request: 7, length: 128 }, source: None }]);
//! ```

mod library;
mod message;
mod pool;
mod ring;
mod rules;
mod waiter;
mod window;
mod words;

pub use library::{Buffering, Config, ConfigError, Library, Reserve};
pub use message::{Action, Event, Header};
pub use pool::{Pools, Side};
pub use ring::Positions;
pub use rules::Rules;
pub use waiter::{Turn, Waiter};
pub use window::Window;
pub use words::WORDS;

/// Bytes from which on a message goes by DMA after both ends have met (s5.1): 127 is eager, 128 is not.
pub const EAGER_LIMIT: u32 = 128;
/// Bytes of a unit of transfer and of cache operations (s6.3).
pub const UNIT: u32 = 8192;
/// Slots in the window of 256 KB that masks of the new NIF leave to a user (s6.4), in units.
pub const SLOTS: u8 = 32;
/// Seconds between two looks of the progress thread, as in the paper's measurement (s6.2.3).
pub const PROGRESS_SECONDS: u32 = 1;

/// Units of a message of so many bytes.
pub const fn units(length: u32) -> u32 {
    length.div_ceil(UNIT)
}
