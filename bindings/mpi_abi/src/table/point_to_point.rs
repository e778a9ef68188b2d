//! Point-to-point communication (MPI 5.0, chapter 3).

use super::functions;
use crate::calls::{point_to_point, probe};
use crate::types::*;

functions! {
    MPI_Bsend[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm
    ) = point_to_point::bsend;
    MPI_Ibsend[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::ibsend;
    MPI_Improbe(
        source: c_int, tag: c_int, comm: MPI_Comm, flag: *mut c_int, message: *mut MPI_Message, status: *mut MPI_Status
    ) = probe::improbe;
    MPI_Imrecv[_c](
        buf: *mut c_void, count: Count, datatype: MPI_Datatype, message: *mut MPI_Message, request: *mut MPI_Request
    ) = probe::imrecv;
    MPI_Iprobe(source: c_int, tag: c_int, comm: MPI_Comm, flag: *mut c_int, status: *mut MPI_Status) = probe::iprobe;
    MPI_Irecv[_c](
        buf: *mut c_void, count: Count, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::irecv;
    MPI_Irsend[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::irsend;
    MPI_Isend[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::isend;
    MPI_Isendrecv[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int, recvbuf: *mut c_void,
        recvcount: Count, recvtype: MPI_Datatype, source: c_int, recvtag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::isendrecv;
    MPI_Isendrecv_replace[_c](
        buf: *mut c_void, count: Count, datatype: MPI_Datatype, dest: c_int, sendtag: c_int, source: c_int, recvtag: c_int, comm: MPI_Comm,
        request: *mut MPI_Request
    ) = point_to_point::isendrecv_replace;
    MPI_Issend[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::issend;
    MPI_Mprobe(source: c_int, tag: c_int, comm: MPI_Comm, message: *mut MPI_Message, status: *mut MPI_Status) = probe::mprobe;
    MPI_Mrecv[_c](
        buf: *mut c_void, count: Count, datatype: MPI_Datatype, message: *mut MPI_Message, status: *mut MPI_Status
    ) = probe::mrecv;
    MPI_Probe(source: c_int, tag: c_int, comm: MPI_Comm, status: *mut MPI_Status) = probe::probe;
    MPI_Recv[_c](
        buf: *mut c_void, count: Count, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm, status: *mut MPI_Status
    ) = point_to_point::recv;
    MPI_Rsend[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm
    ) = point_to_point::rsend;
    MPI_Send[_c](buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm) = point_to_point::send;
    MPI_Sendrecv[_c](
        sendbuf: *const c_void, sendcount: Count, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int, recvbuf: *mut c_void,
        recvcount: Count, recvtype: MPI_Datatype, source: c_int, recvtag: c_int, comm: MPI_Comm, status: *mut MPI_Status
    ) = point_to_point::sendrecv;
    MPI_Sendrecv_replace[_c](
        buf: *mut c_void, count: Count, datatype: MPI_Datatype, dest: c_int, sendtag: c_int, source: c_int, recvtag: c_int, comm: MPI_Comm,
        status: *mut MPI_Status
    ) = point_to_point::sendrecv_replace;
    MPI_Ssend[_c](
        buf: *const c_void, count: Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm
    ) = point_to_point::ssend;
}
