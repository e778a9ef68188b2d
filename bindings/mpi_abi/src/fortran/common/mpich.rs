//! The COMMON blocks of MPICH's `mpif.h` and of its module `mpi_constants`.

use super::blocks;
use crate::table::mpich::{unweighted, weights_empty};
use crate::types::*;

/// Bytes of a status.
const STATUS: usize = size_of::<MPI_Status>();

blocks! {
    mpipriv1_[8 + STATUS] {
        MPI_BOTTOM: 4 => MPI_BOTTOM;
        MPI_IN_PLACE: 4 => MPI_IN_PLACE;
        MPI_STATUS_IGNORE: STATUS => MPI_STATUS_IGNORE;
    }
    mpipriv2_[STATUS + 4] {
        MPI_STATUSES_IGNORE: STATUS => MPI_STATUSES_IGNORE;
        MPI_ERRCODES_IGNORE: 4 => MPI_ERRCODES_IGNORE;
    }
    mpiprivc_[2] {
        MPI_ARGVS_NULL: 1 => MPI_ARGVS_NULL;
        MPI_ARGV_NULL: 1 => MPI_ARGV_NULL;
    }
    mpifcmb5_[4] {
        MPI_UNWEIGHTED: 4 => unweighted();
    }
    mpifcmb9_[4] {
        MPI_WEIGHTS_EMPTY: 4 => weights_empty();
    }
}
