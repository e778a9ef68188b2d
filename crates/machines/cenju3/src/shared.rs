//! Shared memory on this machine: over the carriers of MPI.

use cluster::Duration;
use machine_api::{Shared, SharedLibrary};

use crate::{Cenju3, Settings};

impl Shared for Cenju3 {
    fn library(settings: &Settings) -> SharedLibrary {
        let instruction = settings.costs.instruction;
        SharedLibrary { cost: settings.library, message: Duration::ZERO, instruction }
    }
}
