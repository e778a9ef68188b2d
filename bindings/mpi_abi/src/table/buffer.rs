//! Buffers of buffered sends (MPI 5.0, section 3.6).

use super::functions;
use crate::calls::buffer;
use crate::types::*;

functions! {
    MPI_Buffer_attach(buffer: *mut c_void, size: c_int) = buffer::buffer_attach;
    MPI_Buffer_attach_c(buffer: *mut c_void, size: MPI_Count) = buffer::buffer_attach;
    MPI_Buffer_detach(buffer_addr: *mut c_void, size: *mut c_int) = buffer::buffer_detach;
    MPI_Buffer_detach_c(buffer_addr: *mut c_void, size: *mut MPI_Count) = buffer::buffer_detach;
    MPI_Buffer_flush() = buffer::buffer_flush;
    MPI_Buffer_iflush(request: *mut MPI_Request);
    MPI_Comm_attach_buffer(comm: MPI_Comm, buffer: *mut c_void, size: c_int);
    MPI_Comm_attach_buffer_c(comm: MPI_Comm, buffer: *mut c_void, size: MPI_Count);
    MPI_Comm_detach_buffer(comm: MPI_Comm, buffer_addr: *mut c_void, size: *mut c_int);
    MPI_Comm_detach_buffer_c(comm: MPI_Comm, buffer_addr: *mut c_void, size: *mut MPI_Count);
    MPI_Comm_flush_buffer(comm: MPI_Comm);
    MPI_Comm_iflush_buffer(comm: MPI_Comm, request: *mut MPI_Request);
}
