//! Shared memory on this machine: over the carriers of MPI.

use lab::Shared;

use crate::Cenju3;

impl Shared for Cenju3 {}
