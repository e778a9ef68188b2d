//! Fortran wrappers of functions that make communicators by strings.

use super::{rows, take};
use crate::arguments::Text;
use crate::calls::from_groups;
use crate::types::*;

fn text(pointer: *mut c_void, length: usize) -> Text {
    Text::of_length(pointer.cast(), length)
}

rows! {
    MPI_Comm_create_from_group(group, stringtag, info, errhandler, newcomm; length) = from_groups::comm_create_from_group(
        take::<MPI_Group>(group), text(stringtag, length), take::<MPI_Info>(info), take::<MPI_Errhandler>(errhandler),
        take::<*mut MPI_Comm>(newcomm)
    );
    MPI_Intercomm_create_from_groups(
        local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler, newintercomm; length
    ) = from_groups::intercomm_create_from_groups(
        take::<MPI_Group>(local_group), take::<c_int>(local_leader), take::<MPI_Group>(remote_group), take::<c_int>(remote_leader),
        text(stringtag, length), take::<MPI_Info>(info), take::<MPI_Errhandler>(errhandler), take::<*mut MPI_Comm>(newintercomm)
    );
}
