//! Progress of virtual time: nodes, cables and switches in the order of their events, in one part or in
//! several.

mod cluster;
mod epoch;
mod error;
mod meeting;
mod parallel;
mod queue;

pub use cluster::{CargoOf, Cluster};
pub use epoch::{Exchange, ExchangeError, Parcel, Report};
pub use error::RunError;
pub use parallel::{Brought, Parts, Ran, gather, run};
