//! Shared memory on this machine: over the carriers of MPI.

use machine_api::Shared;

use crate::Cenju3;

impl Shared for Cenju3 {}
