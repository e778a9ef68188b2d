//! Deviations from the standard that other libraries allow. `memonet mpirun` prints a warning for each kind, or refuses
//! them with `--strict`.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use processes::mpi::call::{Answer, Call};

use crate::arguments::Number;
use crate::fault::{Fault, Outcome};
use crate::link;
use crate::objects::{Type, datatype, predefined};
use crate::types::*;

/// Kinds of deviations that the run has accepted from this rank.
static ACCEPTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Accepts a deviation, described without values of this rank; `fault` if the run is strict.
pub(super) fn accept(deviation: String, fault: impl FnOnce() -> Fault) -> Outcome {
    let accepted = || ACCEPTED.lock().unwrap_or_else(PoisonError::into_inner);
    if accepted().contains(&deviation) {
        return Ok(());
    }
    match link::ask(Call::Deviate(deviation.clone()))? {
        Answer::Flag(true) => {
            accepted().insert(deviation);
            Ok(())
        }
        Answer::Flag(false) => Err(fault()),
        answer => Err(link::other(answer)),
    }
}

/// Count and datatype of a call. No elements may have `MPI_DATATYPE_NULL`.
pub(super) fn elements(count: Number, kind: MPI_Datatype) -> Outcome<(usize, Type)> {
    let count = count.count()?;
    if count == 0 && kind == MPI_DATATYPE_NULL {
        let deviation = "MPI_DATATYPE_NULL is given for 0 elements".to_owned();
        accept(deviation, || Fault::new(MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL"))?;
        return Ok((0, predefined(MPI_BYTE).expect("bytes are predefined")));
    }
    Ok((count, datatype(kind)?))
}
