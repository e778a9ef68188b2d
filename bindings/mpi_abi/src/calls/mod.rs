//! Implementation of the functions, by chapter of the standard: safe code on wrapped arguments.

pub mod abi;
pub mod attribute;
mod bounds;
pub mod buffer;
pub mod collective;
pub mod communicator;
pub mod completion;
pub mod contents;
pub mod datatype;
pub mod duplicate;
pub mod dynamic;
pub mod environment;
pub mod error;
pub mod error_code;
pub mod external;
pub mod f90;
pub mod file;
pub mod from_groups;
pub mod generalized;
pub mod graph;
pub mod group;
pub mod info;
pub mod intercommunicator;
pub mod join;
pub mod look;
#[cfg(feature = "mpich")]
pub mod mpich;
pub mod operation;
pub mod pack;
pub mod partitioned;
pub mod persistent;
pub mod point_to_point;
pub mod probe;
pub mod request;
pub mod session;
pub mod split_type;
pub mod status;
mod tolerance;
pub mod tool;
pub mod topology;
pub mod window;

/// Alias of the module for the chapter of non-blocking collectives in the table.
pub use collective as collective_later;
