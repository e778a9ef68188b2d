//! Persistent and partitioned communication (MPI 5.0, section 3.9 and chapter 4).

use super::functions;
use crate::calls::{partitioned, persistent};
use crate::types::*;

functions! {
    MPI_Bsend_init[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = persistent::bsend_init;
    MPI_Parrived(request: MPI_Request, partition: c_int, flag: *mut c_int) = partitioned::parrived;
    MPI_Pready(partition: c_int, request: MPI_Request) = partitioned::pready;
    MPI_Pready_list(length: c_int, array_of_partitions: *const c_int, request: MPI_Request) = partitioned::pready_list;
    MPI_Pready_range(partition_low: c_int, partition_high: c_int, request: MPI_Request) = partitioned::pready_range;
    MPI_Precv_init(
        buf: *mut c_void, partitions: c_int, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm,
        info: MPI_Info, request: *mut MPI_Request
    ) = partitioned::precv_init;
    MPI_Psend_init(
        buf: *const c_void, partitions: c_int, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm,
        info: MPI_Info, request: *mut MPI_Request
    ) = partitioned::psend_init;
    MPI_Recv_init[_c](
        buf: *mut c_void, count: Count, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = persistent::recv_init;
    MPI_Rsend_init[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = persistent::rsend_init;
    MPI_Send_init[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = persistent::send_init;
    MPI_Ssend_init[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = persistent::ssend_init;
    MPI_Start(request: *mut MPI_Request) = persistent::start;
    MPI_Startall(count: c_int, array_of_requests: *mut MPI_Request) = persistent::startall;
}
