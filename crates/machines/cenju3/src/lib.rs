//! Processor elements of Cenju-3: a VR4400 with its cache, the NIF, DenEn, and MPI/DE on them (decision 0058).
//!
//! A [`Node`] is a NIF, local memory that it shares with a processor whose [cache](cache::Cache) holds data of its own,
//! and programs with the costs of [`cost`]. [`deen`] is the operating system; [`Port`] is the library's access to the
//! NIF. Time, links and the multistage network are the engine's (crate `cluster`).

pub mod cache;
mod clocks;
pub mod cost;
pub mod deen;
mod driven;
mod element;
pub mod fault;
mod host;
pub mod layout;
mod load;
mod machine;
mod messaging;
mod messenger;
mod parallel;
mod paths;
mod port;
mod published;
pub mod settings;
mod shared;
mod shown;
mod side;
mod subject;
mod word;
mod work;

pub use clocks::{CLOCKS, CORE};
pub use host::Host;
pub use messenger::{Messenger, PRIMITIVES};
pub use port::{Arrived, Port, Ring};
pub use settings::Settings;
pub use side::Side;
pub use word::Word;

/// PEs of Cenju-3.
pub enum Cenju3 {}

/// Any implementation of the NIF: model, RTL, or both in lockstep.
pub type AnyNic = cluster::AnyNic<Cenju3>;
/// PEs in virtual time.
pub type Cluster = cluster::Cluster<Cenju3>;
/// A PE with its NIF.
pub type Node = cluster::Node<Cenju3>;
