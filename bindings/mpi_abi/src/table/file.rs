//! Files (MPI 5.0, chapter 14).

use super::functions;
use crate::calls::error;
use crate::calls::file::{access, consistency, manage, open, position, representation, view};
use crate::types::*;

functions! {
    MPI_File_call_errhandler(fh: MPI_File, errorcode: c_int) = error::file_call_errhandler;
    MPI_File_close(fh: *mut MPI_File) = open::file_close;
    MPI_File_create_errhandler(
        file_errhandler_fn: MPI_File_errhandler_function, errhandler: *mut MPI_Errhandler
    ) = error::file_create_errhandler;
    MPI_File_delete(filename: *const c_char, info: MPI_Info) = open::file_delete;
    MPI_File_get_amode(fh: MPI_File, amode: *mut c_int) = manage::file_get_amode;
    MPI_File_get_atomicity(fh: MPI_File, flag: *mut c_int) = consistency::file_get_atomicity;
    MPI_File_get_byte_offset(fh: MPI_File, offset: MPI_Offset, disp: *mut MPI_Offset) = position::file_get_byte_offset;
    MPI_File_get_errhandler(file: MPI_File, errhandler: *mut MPI_Errhandler) = error::file_get_errhandler;
    MPI_File_get_group(fh: MPI_File, group: *mut MPI_Group) = manage::file_get_group;
    MPI_File_get_info(fh: MPI_File, info_used: *mut MPI_Info) = manage::file_get_info;
    MPI_File_get_position(fh: MPI_File, offset: *mut MPI_Offset) = position::file_get_position;
    MPI_File_get_position_shared(fh: MPI_File, offset: *mut MPI_Offset) = position::file_get_position_shared;
    MPI_File_get_size(fh: MPI_File, size: *mut MPI_Offset) = manage::file_get_size;
    MPI_File_get_type_extent[_c](fh: MPI_File, datatype: MPI_Datatype, extent: *mut Extent) = representation::file_get_type_extent;
    MPI_File_get_view(fh: MPI_File, disp: *mut MPI_Offset, etype: *mut MPI_Datatype, filetype: *mut MPI_Datatype, datarep: *mut c_char) = view::file_get_view;
    MPI_File_iread[_c](fh: MPI_File, buf: *mut c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request) = access::file_iread;
    MPI_File_iread_all[_c](fh: MPI_File, buf: *mut c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request) = access::file_iread_all;
    MPI_File_iread_at[_c](
        fh: MPI_File, offset: MPI_Offset, buf: *mut c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request
    ) = access::file_iread_at;
    MPI_File_iread_at_all[_c](
        fh: MPI_File, offset: MPI_Offset, buf: *mut c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request
    ) = access::file_iread_at_all;
    MPI_File_iread_shared[_c](fh: MPI_File, buf: *mut c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request) = access::file_iread_shared;
    MPI_File_iwrite[_c](fh: MPI_File, buf: *const c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request) = access::file_iwrite;
    MPI_File_iwrite_all[_c](fh: MPI_File, buf: *const c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request) = access::file_iwrite_all;
    MPI_File_iwrite_at[_c](
        fh: MPI_File, offset: MPI_Offset, buf: *const c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request
    ) = access::file_iwrite_at;
    MPI_File_iwrite_at_all[_c](
        fh: MPI_File, offset: MPI_Offset, buf: *const c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request
    ) = access::file_iwrite_at_all;
    MPI_File_iwrite_shared[_c](fh: MPI_File, buf: *const c_void, count: Count, datatype: MPI_Datatype, request: *mut MPI_Request) = access::file_iwrite_shared;
    MPI_File_open(comm: MPI_Comm, filename: *const c_char, amode: c_int, info: MPI_Info, fh: *mut MPI_File) = open::file_open;
    MPI_File_preallocate(fh: MPI_File, size: MPI_Offset) = manage::file_preallocate;
    MPI_File_read[_c](fh: MPI_File, buf: *mut c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status) = access::file_read;
    MPI_File_read_all[_c](fh: MPI_File, buf: *mut c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status) = access::file_read_all;
    MPI_File_read_all_begin[_c](fh: MPI_File, buf: *mut c_void, count: Count, datatype: MPI_Datatype) = access::file_read_all_begin;
    MPI_File_read_all_end(fh: MPI_File, buf: *mut c_void, status: *mut MPI_Status) = access::file_read_all_end;
    MPI_File_read_at[_c](fh: MPI_File, offset: MPI_Offset, buf: *mut c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status) = access::file_read_at;
    MPI_File_read_at_all[_c](
        fh: MPI_File, offset: MPI_Offset, buf: *mut c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status
    ) = access::file_read_at_all;
    MPI_File_read_at_all_begin[_c](fh: MPI_File, offset: MPI_Offset, buf: *mut c_void, count: Count, datatype: MPI_Datatype) = access::file_read_at_all_begin;
    MPI_File_read_at_all_end(fh: MPI_File, buf: *mut c_void, status: *mut MPI_Status) = access::file_read_at_all_end;
    MPI_File_read_ordered[_c](fh: MPI_File, buf: *mut c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status) = access::file_read_ordered;
    MPI_File_read_ordered_begin[_c](fh: MPI_File, buf: *mut c_void, count: Count, datatype: MPI_Datatype) = access::file_read_ordered_begin;
    MPI_File_read_ordered_end(fh: MPI_File, buf: *mut c_void, status: *mut MPI_Status) = access::file_read_ordered_end;
    MPI_File_read_shared[_c](fh: MPI_File, buf: *mut c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status) = access::file_read_shared;
    MPI_File_seek(fh: MPI_File, offset: MPI_Offset, whence: c_int) = position::file_seek;
    MPI_File_seek_shared(fh: MPI_File, offset: MPI_Offset, whence: c_int) = position::file_seek_shared;
    MPI_File_set_atomicity(fh: MPI_File, flag: c_int) = consistency::file_set_atomicity;
    MPI_File_set_errhandler(file: MPI_File, errhandler: MPI_Errhandler) = error::file_set_errhandler;
    MPI_File_set_info(fh: MPI_File, info: MPI_Info) = manage::file_set_info;
    MPI_File_set_size(fh: MPI_File, size: MPI_Offset) = manage::file_set_size;
    MPI_File_set_view(fh: MPI_File, disp: MPI_Offset, etype: MPI_Datatype, filetype: MPI_Datatype, datarep: *const c_char, info: MPI_Info) = view::file_set_view;
    MPI_File_sync(fh: MPI_File) = consistency::file_sync;
    MPI_File_write[_c](fh: MPI_File, buf: *const c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status) = access::file_write;
    MPI_File_write_all[_c](fh: MPI_File, buf: *const c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status) = access::file_write_all;
    MPI_File_write_all_begin[_c](fh: MPI_File, buf: *const c_void, count: Count, datatype: MPI_Datatype) = access::file_write_all_begin;
    MPI_File_write_all_end(fh: MPI_File, buf: *const c_void, status: *mut MPI_Status) = access::file_write_all_end;
    MPI_File_write_at[_c](
        fh: MPI_File, offset: MPI_Offset, buf: *const c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status
    ) = access::file_write_at;
    MPI_File_write_at_all[_c](
        fh: MPI_File, offset: MPI_Offset, buf: *const c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status
    ) = access::file_write_at_all;
    MPI_File_write_at_all_begin[_c](fh: MPI_File, offset: MPI_Offset, buf: *const c_void, count: Count, datatype: MPI_Datatype) = access::file_write_at_all_begin;
    MPI_File_write_at_all_end(fh: MPI_File, buf: *const c_void, status: *mut MPI_Status) = access::file_write_at_all_end;
    MPI_File_write_ordered[_c](fh: MPI_File, buf: *const c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status) = access::file_write_ordered;
    MPI_File_write_ordered_begin[_c](fh: MPI_File, buf: *const c_void, count: Count, datatype: MPI_Datatype) = access::file_write_ordered_begin;
    MPI_File_write_ordered_end(fh: MPI_File, buf: *const c_void, status: *mut MPI_Status) = access::file_write_ordered_end;
    MPI_File_write_shared[_c](fh: MPI_File, buf: *const c_void, count: Count, datatype: MPI_Datatype, status: *mut MPI_Status) = access::file_write_shared;
    MPI_Register_datarep(
        datarep: *const c_char, read_conversion_fn: MPI_Datarep_conversion_function, write_conversion_fn: MPI_Datarep_conversion_function,
        dtype_file_extent_fn: MPI_Datarep_extent_function, extra_state: *mut c_void
    ) = representation::register_datarep;
    MPI_Register_datarep_c(
        datarep: *const c_char, read_conversion_fn: MPI_Datarep_conversion_function_c,
        write_conversion_fn: MPI_Datarep_conversion_function_c, dtype_file_extent_fn: MPI_Datarep_extent_function, extra_state: *mut c_void
    ) = representation::register_datarep;
}
