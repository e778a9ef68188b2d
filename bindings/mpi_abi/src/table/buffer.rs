//! Buffers of buffered sends (MPI 5.0, section 3.6).

use super::functions;
use crate::calls::buffer;
use crate::types::*;

functions! {
    MPI_Buffer_attach[_c](buffer: *mut c_void, size: Count) = buffer::buffer_attach;
    MPI_Buffer_detach[_c](buffer_addr: *mut c_void, size: *mut Count) = buffer::buffer_detach;
    MPI_Buffer_flush() = buffer::buffer_flush;
    MPI_Buffer_iflush(request: *mut MPI_Request) = buffer::buffer_iflush;
    MPI_Comm_attach_buffer[_c](comm: MPI_Comm, buffer: *mut c_void, size: Count) = buffer::comm_attach_buffer;
    MPI_Comm_detach_buffer[_c](comm: MPI_Comm, buffer_addr: *mut c_void, size: *mut Count) = buffer::comm_detach_buffer;
    MPI_Comm_flush_buffer(comm: MPI_Comm) = buffer::comm_flush_buffer;
    MPI_Comm_iflush_buffer(comm: MPI_Comm, request: *mut MPI_Request) = buffer::comm_iflush_buffer;
}
