//! Shared memory on this machine: over the carriers of MPI.

use machine_api::Shared;

use crate::Dimmnet2;

impl Shared for Dimmnet2 {}
