//! MPI over modelled network interfaces: an async Rust API in virtual time.
//!
//! The program of a rank is an async function of a [`Communicator`]. A [`carrier::Carrier`] transports its
//! packets, which is transparent to the program. [`carrier::memory`] is a carrier with wires of constant
//! latency.
//!
//! ```
//! use cluster::Duration;
//! use mpi::carrier::memory::{Cluster, Settings};
//! use mpi::{Communicator, Options, Source, Tag};
//!
//! async fn program(world: Communicator) -> Vec<u8> {
//!     let other = 1 - world.rank();
//!     world.send(other, 5, b"hello").await.unwrap();
//!     world.receive(Source::Rank(other), Tag::Is(5), 100).await.unwrap().bytes
//! }
//!
//! let mut cluster = Cluster::new(2, Settings::default(), Options::default());
//! let ends = [0, 1].map(|rank| cluster.spawn(rank, "hello", program));
//! cluster.run(Duration::from_us(1000)).unwrap();
//! assert_eq!(ends.map(|end| end.take().unwrap()), [b"hello", b"hello"]);
//! ```
//!
//! Messages are bytes. Programs pack memory described by a [`Datatype`] with pure functions.
//!
//! A process makes one blocking call at a time and awaits it; [`Communicator::drive_calls`] runs those of several threads.
//! Each non-blocking call has a [`Request`].

mod algorithms;
pub mod carrier;
pub mod collective;
mod communicator;
mod completion;
mod concurrent;
mod contexts;
mod credits;
mod datatype;
mod driver;
mod envelope;
mod error;
mod group;
mod host;
mod inbox;
mod library_cost;
pub mod marks;
mod matching;
mod operation;
mod options;
mod outbox;
mod predefined;
pub mod programs;
mod progress;
mod protocol;
mod request;
mod signs;
mod thread;
mod topology;
mod watcher;
mod window;

pub use carrier::Piece;
pub use cluster::host::LibraryCost;
pub use collective::{Collective, Duplicate, Peer, Root};
pub use communicator::{Communicator, Message, Mode};
pub use completion::{Completion, Status};
pub use concurrent::Calls;
pub use credits::Credits;
pub use datatype::{
    Class, Contents, Datatype, DistributedDimension, Distribution, Kind, Order, Span, external_size,
    of_external, to_external,
};
pub use envelope::{Envelope, Kind as PacketKind};
pub use error::Error;
pub use group::{Comparison, Group, Range};
pub use host::{Costs, Host};
pub use matching::{Label, Matching, Pattern, SearchResult, Source, Tag};
pub use operation::{Operation, UserFunction};
pub use options::Options;
pub use predefined::Predefined;
pub use protocol::{Leaving, Receiving, Sending, Way};
pub use request::{Request, test_all, wait_all, wait_any};
pub use thread::Progress;
pub use topology::{Cartesian, dims_create};
pub use watcher::{Watcher, deadlock};
pub use window::rules as window_rules;
pub use window::{
    AllBytes, Arrivals, Bytes, Epoch, Exposed, Flush, LockKind, LockQueue, Memory, TargetPlace, Window,
};
