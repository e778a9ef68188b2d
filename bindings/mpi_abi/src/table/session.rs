//! Sessions (MPI 5.0, section 11.3).

use super::functions;
use crate::calls::{from_groups, session};
use crate::types::*;

functions! {
    MPI_Comm_create_from_group(
        group: MPI_Group, stringtag: *const c_char, info: MPI_Info, errhandler: MPI_Errhandler, newcomm: *mut MPI_Comm
    ) = from_groups::comm_create_from_group;
    MPI_Group_from_session_pset(session: MPI_Session, pset_name: *const c_char, newgroup: *mut MPI_Group) = session::group_from_session_pset;
    MPI_Session_attach_buffer[_c](session: MPI_Session, buffer: *mut c_void, size: Count) = session::session_attach_buffer;
    MPI_Session_call_errhandler(session: MPI_Session, errorcode: c_int) = session::session_call_errhandler;
    MPI_Session_create_errhandler(session_errhandler_fn: MPI_Session_errhandler_function, errhandler: *mut MPI_Errhandler) = session::session_create_errhandler;
    MPI_Session_detach_buffer[_c](session: MPI_Session, buffer_addr: *mut c_void, size: *mut Count) = session::session_detach_buffer;
    MPI_Session_finalize(session: *mut MPI_Session) = session::session_finalize;
    MPI_Session_flush_buffer(session: MPI_Session) = session::session_flush_buffer;
    MPI_Session_get_errhandler(session: MPI_Session, errhandler: *mut MPI_Errhandler) = session::session_get_errhandler;
    MPI_Session_get_info(session: MPI_Session, info_used: *mut MPI_Info) = session::session_get_info;
    MPI_Session_get_nth_pset(session: MPI_Session, info: MPI_Info, n: c_int, pset_len: *mut c_int, pset_name: *mut c_char) = session::session_get_nth_pset;
    MPI_Session_get_num_psets(session: MPI_Session, info: MPI_Info, npset_names: *mut c_int) = session::session_get_num_psets;
    MPI_Session_get_pset_info(session: MPI_Session, pset_name: *const c_char, info: *mut MPI_Info) = session::session_get_pset_info;
    MPI_Session_iflush_buffer(session: MPI_Session, request: *mut MPI_Request) = session::session_iflush_buffer;
    MPI_Session_init(info: MPI_Info, errhandler: MPI_Errhandler, session: *mut MPI_Session) = session::session_init;
    MPI_Session_set_errhandler(session: MPI_Session, errhandler: MPI_Errhandler) = session::session_set_errhandler;
}
