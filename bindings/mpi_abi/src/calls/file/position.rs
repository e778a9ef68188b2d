//! File pointers (MPI 5.0, sections 14.4.3 and 14.4.4).

use super::collective::{in_first, let_others_run};
use super::{change, host, manage, on_file};
use crate::arguments::Out;
use crate::fault::{Fault, Outcome};
use crate::objects::OpenFile;
use crate::types::*;

/// Target of a seek, in etypes.
fn target(
    file: &OpenFile,
    offset: MPI_Offset,
    whence: c_int,
    current: impl FnOnce() -> Outcome<MPI_Offset>,
) -> Outcome<MPI_Offset> {
    let base = match whence {
        MPI_SEEK_SET => 0,
        MPI_SEEK_CUR => current()?,
        MPI_SEEK_END => file.view.end(manage::size(file)?),
        other => return Err(Fault::new(MPI_ERR_ARG, format!("{other} is no place to seek from"))),
    };
    match base.checked_add(offset) {
        Some(target) if target >= 0 => Ok(target),
        _ => {
            Err(Fault::new(MPI_ERR_ARG, format!("an offset of {offset} from {base} is outside of the file")))
        }
    }
}

/// `MPI_File_seek`.
pub fn file_seek(fh: MPI_File, offset: MPI_Offset, whence: c_int) -> Outcome {
    on_file(fh, |file| {
        file.check_random_access()?;
        let position = target(&file, offset, whence, || Ok(file.position))?;
        change(fh, |file| file.position = position)
    })
}

/// `MPI_File_get_position`.
pub fn file_get_position(fh: MPI_File, offset: Out<MPI_Offset>) -> Outcome {
    on_file(fh, |file| {
        file.check_random_access()?;
        offset.set(file.position)
    })
}

/// `MPI_File_get_byte_offset`.
pub fn file_get_byte_offset(fh: MPI_File, offset: MPI_Offset, bytes: Out<MPI_Offset>) -> Outcome {
    on_file(fh, |file| {
        file.check_random_access()?;
        bytes.set(file.view.byte_offset(offset)?)
    })
}

/// Value of the shared file pointer.
pub(super) fn shared(file: &OpenFile) -> Outcome<MPI_Offset> {
    file.shared()?.get().map_err(|error| host::fault("read the shared pointer of", &file.name, &error))
}

/// Sets the shared file pointer.
pub(super) fn set_shared(file: &OpenFile, offset: MPI_Offset) -> Outcome {
    file.shared()?.set(offset).map_err(|error| host::fault("set the shared pointer of", &file.name, &error))
}

/// `MPI_File_seek_shared`.
pub fn file_seek_shared(fh: MPI_File, offset: MPI_Offset, whence: c_int) -> Outcome {
    on_file(fh, |file| {
        // Rank 0 checks the target, when no other rank moves the pointer any more.
        in_first(&file, file.check_random_access(), &[offset, whence.into()], || {
            set_shared(&file, target(&file, offset, whence, || shared(&file))?)
        })
    })
}

/// `MPI_File_get_position_shared`.
pub fn file_get_position_shared(fh: MPI_File, offset: Out<MPI_Offset>) -> Outcome {
    on_file(fh, |file| {
        file.check_random_access()?;
        let_others_run(&file)?;
        offset.set(shared(&file)?)
    })
}
