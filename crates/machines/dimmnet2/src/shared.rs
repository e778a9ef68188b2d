//! How nodes of this machine share memory: over the carriers of MPI.

use lab::Shared;

use crate::Dimmnet2;

impl Shared for Dimmnet2 {}
