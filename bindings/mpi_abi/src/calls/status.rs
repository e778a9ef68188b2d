//! Statuses of received messages.

use processes::mpi::call::CompletedRequest;

use crate::arguments::{List, Number, Out, OutNumber};
use crate::fault::{Fault, Outcome};
use crate::objects::any_datatype;
use crate::types::*;

/// Tag of a completion without a tag: larger than all valid tags.
pub(super) const NO_TAG: u32 = u32::MAX;

/// Completion of a transfer with `MPI_PROC_NULL` (MPI 5.0, section 3.10).
pub(super) fn null_end() -> CompletedRequest {
    let source = MPI_PROC_NULL as u32;
    CompletedRequest {
        source,
        tag: NO_TAG,
        length: 0,
        cancelled: false,
        bytes: Default::default(),
        is_placed: false,
        error: None,
    }
}

/// Status of a completion.
pub(super) fn of(end: &CompletedRequest) -> MPI_Status {
    let (source, tag) = (end.source as c_int, if end.tag == NO_TAG { MPI_ANY_TAG } else { end.tag as c_int });
    let mut status = MPI_Status { MPI_SOURCE: source, MPI_TAG: tag, ..MPI_Status::EMPTY };
    status.set_bytes(end.length);
    status.set_cancelled(end.cancelled);
    status
}

/// Writes the status of a call with a single status, whose error field is unchanged (MPI 5.0, section 3.2.5).
pub(super) fn offer(to: Out<MPI_Status>, status: MPI_Status) {
    let error = to.get().map_or(MPI_SUCCESS, |old| old.MPI_ERROR);
    to.offer(MPI_Status { MPI_ERROR: error, ..status });
}

/// `MPI_Test_cancelled`.
pub fn test_cancelled(status: List<MPI_Status>, flag: Out<c_int>) -> Outcome {
    flag.set(status.list(1)?[0].cancelled().into())
}

fn change(status: Out<MPI_Status>, change: impl FnOnce(&mut MPI_Status)) -> Outcome {
    let mut value = status.get()?;
    change(&mut value);
    status.set(value)
}

/// `MPI_Status_set_cancelled`.
pub fn status_set_cancelled(status: Out<MPI_Status>, flag: c_int) -> Outcome {
    change(status, |status| status.set_cancelled(flag != 0))
}

/// `MPI_Status_get_source`.
pub fn status_get_source(status: List<MPI_Status>, source: Out<c_int>) -> Outcome {
    source.set(status.list(1)?[0].MPI_SOURCE)
}

/// `MPI_Status_get_tag`.
pub fn status_get_tag(status: List<MPI_Status>, tag: Out<c_int>) -> Outcome {
    tag.set(status.list(1)?[0].MPI_TAG)
}

/// `MPI_Status_get_error`.
pub fn status_get_error(status: List<MPI_Status>, error: Out<c_int>) -> Outcome {
    error.set(status.list(1)?[0].MPI_ERROR)
}

/// `MPI_Status_set_source`.
pub fn status_set_source(status: Out<MPI_Status>, source: c_int) -> Outcome {
    change(status, |status| status.MPI_SOURCE = source)
}

/// `MPI_Status_set_tag`.
pub fn status_set_tag(status: Out<MPI_Status>, tag: c_int) -> Outcome {
    change(status, |status| status.MPI_TAG = tag)
}

/// `MPI_Status_set_error`.
pub fn status_set_error(status: Out<MPI_Status>, error: c_int) -> Outcome {
    change(status, |status| status.MPI_ERROR = error)
}

/// `MPI_Get_count`.
pub fn get_count(status: List<MPI_Status>, kind: MPI_Datatype, count: OutNumber) -> Outcome {
    let bytes = status.list(1)?[0].bytes();
    let found = any_datatype(kind)?.layout.count(bytes);
    count.set(found.map_or(MPI_UNDEFINED.into(), |count| count as i64))
}

/// `MPI_Get_elements`.
pub fn get_elements(status: List<MPI_Status>, kind: MPI_Datatype, count: OutNumber) -> Outcome {
    let bytes = status.list(1)?[0].bytes();
    let found = any_datatype(kind)?.layout.elements_of(bytes);
    count.set(found.map_or(MPI_UNDEFINED.into(), |count| count as i64))
}

/// `MPI_Status_set_elements`: counts predefined elements.
pub fn status_set_elements(status: Out<MPI_Status>, kind: MPI_Datatype, count: Number) -> Outcome {
    let (layout, count) = (any_datatype(kind)?.layout, count.count()? as u64);
    let bytes = match layout.kind() {
        Some(kind) => count.checked_mul(kind.size() as u64),
        // With elements of different kinds only whole datatypes have a known size.
        None if layout.elements() > 0 && count % layout.elements() == 0 => {
            (count / layout.elements()).checked_mul(layout.size())
        }
        None => (count == 0).then_some(0),
    };
    let bytes =
        bytes.ok_or_else(|| Fault::new(MPI_ERR_COUNT, format!("{count} elements are no whole datatypes")))?;
    change(status, |status| status.set_bytes(bytes))
}
