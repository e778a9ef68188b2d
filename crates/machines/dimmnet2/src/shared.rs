//! Shared memory on this machine: over the carriers of MPI.

use lab::Shared;

use crate::Dimmnet2;

impl Shared for Dimmnet2 {}
