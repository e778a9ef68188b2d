//! The protocol of MPI/DE between the processor elements (PEs) of Cenju-3, as functions without clock, thread
//! and memory.
//!
//! Messages below 128 bytes are sent eagerly (s5.1). Longer messages use a rendezvous: RTS, then for each
//! unit of 8 KB a CTS with a slot and the unit by DMA. The NIF writes the header of the DMA after its data,
//! so the header reports that the unit is complete. Caches are not coherent with the NIF (s6.3), so cache
//! lines are replaced explicitly. The paper prints no names of messages, slots or credits; those here are of
//! this project (decision 0059).
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

/// Shortest message in bytes that is sent by rendezvous and DMA (s5.1): 127 is eager, 128 is not.
pub const EAGER_LIMIT: u32 = 128;
/// Unit of transfers and cache operations in bytes (s6.3).
pub const UNIT: u32 = 8192;
/// Units in the window of 256 KB that the masks of the new NIF leave to a user (s6.4).
pub const SLOTS: u8 = 32;
/// Period of the progress thread in seconds, as in the paper's measurement (s6.2.3).
pub const PROGRESS_SECONDS: u32 = 1;

/// Units of a message of `length` bytes.
pub const fn units(length: u32) -> u32 {
    length.div_ceil(UNIT)
}
