//! How nodes of this machine share memory: over the carriers of MPI.

use lab::Shared;

use crate::Cenju3;

impl Shared for Cenju3 {}
