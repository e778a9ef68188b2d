//! Kernels EP, MG, CG, FT and IS of the NAS Parallel Benchmarks as programs over [`mpi::Communicator`].
//!
//! They follow the specification (RNR-94-007) and the decomposition of NPB 2 (NAS-95-020). Each program
//! verifies its result and counts its computation, which a [`Processor`] converts to time.
//!
//! ```
//! use cluster::Duration;
//! use mpi::Options;
//! use mpi::carrier::memory::{Cluster, Settings};
//! use npb::{Processor, cg};
//!
//! let mut cluster = Cluster::new(2, Settings::default(), Options::default());
//! let program = |world| async move { cg::run(&world, &cg::S, Processor::INSTANT).await };
//! let ends = [0, 1].map(|rank| cluster.spawn(rank, "cg", program));
//! cluster.run(Duration::from_us(10_000_000)).unwrap();
//! let report = ends[0].take().unwrap().unwrap();
//! assert!((report.zeta - 8.5971775078648).abs() < 1e-10);
//! ```

pub mod cg;
pub mod ep;
mod error;
pub mod ft;
pub mod is;
pub mod mg;
mod packed;
mod random;
mod traffic;
mod work;

pub use error::Error;
pub use random::Random;
pub use traffic::{LIMITS, Traffic};
pub use work::{Processor, Work};
