//! Implementation of the functions, by chapter of the standard: safe code on wrapped arguments.

pub mod attribute;
pub mod buffer;
pub mod collective;
pub mod communicator;
pub mod completion;
pub mod contents;
pub mod datatype;
pub mod dynamic;
pub mod environment;
pub mod error;
pub mod group;
pub mod info;
pub mod look;
#[cfg(feature = "mpich")]
pub mod mpich;
pub mod operation;
pub mod pack;
pub mod persistent;
pub mod point_to_point;
pub mod probe;
pub mod request;
pub mod status;
pub mod topology;
pub mod window;

/// Alias of the module for the chapter of non-blocking collectives in the table.
pub use collective as collective_later;
