//! Software distributed shared memory with entry consistency and migrating owners, after Fagus.
//!
//! ```
//! use fagus::{Config, Shared};
//!
//! let run = fagus::run(4, Config::default(), async |dsm| {
//!     // All nodes declare an array, in a part for each of them.
//!     let numbers: Shared<[f32]> = dsm.shared("numbers", 8).await?;
//!     let me = dsm.node();
//!     let mut mine = numbers.write(2 * me..2 * me + 2).await?;
//!     mine[1] = me as f32;
//!     drop(mine);
//!     dsm.barrier().await?;
//!     let theirs = numbers.read(6..8).await?;
//!     Ok(theirs[1])
//! })?;
//! assert_eq!(run.values, [3.0; 4]);
//! # Ok::<(), fagus::RunError>(())
//! ```
//!
//! A guard acts on the synchronization variable of a part. While it lives the data is current; without a
//! guard the data is inaccessible.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/fagus.md")]
struct Page;

mod block;
pub mod blocking;
pub mod carrier;
pub mod comm;
mod config;
pub mod datagram;
mod dsm;
mod error;
mod executor;
mod handle;
pub mod node;
pub mod programs;
pub mod protocol;
pub mod reassembly;
pub mod ring;
mod shared;
pub mod watch;
pub mod wire;

pub use block::{Block, Plain};
pub use carrier::memory::{Fingerprint, Run, RunError, run};
pub use config::{Calls, Config, Delivery, Stats, Wires};
pub use dsm::{Dsm, LockGuard};
pub use error::Error;
pub use shared::{ReadGuard, Shared, WriteGuard};
