//! Consistency of accesses (MPI 5.0, section 14.6). Ranks run one after the other and finish each access before
//! the next one, so all accesses are atomic.

use super::collective::{class_word, exchange, in_first, joint};
use super::{change, host, on_file};
use crate::arguments::Out;
use crate::fault::Outcome;
use crate::types::*;

/// `MPI_File_set_atomicity`.
pub fn file_set_atomicity(fh: MPI_File, flag: c_int) -> Outcome {
    on_file(fh, |file| {
        in_first(&file, Ok(()), &[(flag != 0).into()], || Ok(()))?;
        change(fh, |file| file.atomic = flag != 0)
    })
}

/// `MPI_File_get_atomicity`.
pub fn file_get_atomicity(fh: MPI_File, flag: Out<c_int>) -> Outcome {
    on_file(fh, |file| flag.set(file.atomic.into()))
}

/// `MPI_File_sync`.
pub fn file_sync(fh: MPI_File) -> Outcome {
    on_file(fh, |file| {
        let synced = match file.host.sync_data() {
            // A device that stores nothing.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
            synced => synced.map_err(|error| host::fault("store", &file.name, &error)),
        };
        let all = exchange(file.communicator, &[class_word(&synced)])?;
        joint(synced, &all)
    })
}
