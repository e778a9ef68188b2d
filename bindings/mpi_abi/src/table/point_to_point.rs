//! Point-to-point communication (MPI 5.0, chapter 3).

use super::functions;
use crate::calls::{point_to_point, probe};
use crate::types::*;

functions! {
    MPI_Bsend(buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm) = point_to_point::bsend;
    MPI_Bsend_c(
        buf: *const c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm
    ) = point_to_point::bsend;
    MPI_Ibsend(
        buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::ibsend;
    MPI_Ibsend_c(
        buf: *const c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::ibsend;
    MPI_Improbe(
        source: c_int, tag: c_int, comm: MPI_Comm, flag: *mut c_int, message: *mut MPI_Message, status: *mut MPI_Status
    ) = probe::improbe;
    MPI_Imrecv(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, message: *mut MPI_Message, request: *mut MPI_Request
    ) = probe::imrecv;
    MPI_Imrecv_c(
        buf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, message: *mut MPI_Message, request: *mut MPI_Request
    ) = probe::imrecv;
    MPI_Iprobe(source: c_int, tag: c_int, comm: MPI_Comm, flag: *mut c_int, status: *mut MPI_Status) = probe::iprobe;
    MPI_Irecv(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::irecv;
    MPI_Irecv_c(
        buf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::irecv;
    MPI_Irsend(
        buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::irsend;
    MPI_Irsend_c(
        buf: *const c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::irsend;
    MPI_Isend(
        buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::isend;
    MPI_Isend_c(
        buf: *const c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::isend;
    MPI_Isendrecv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int, recvbuf: *mut c_void, recvcount:
        c_int, recvtype: MPI_Datatype, source: c_int, recvtag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::isendrecv;
    MPI_Isendrecv_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int, recvbuf: *mut c_void,
        recvcount: MPI_Count, recvtype: MPI_Datatype, source: c_int, recvtag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::isendrecv;
    MPI_Isendrecv_replace(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, sendtag: c_int, source: c_int, recvtag: c_int, comm:
        MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::isendrecv_replace;
    MPI_Isendrecv_replace_c(
        buf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, sendtag: c_int, source: c_int, recvtag: c_int, comm:
        MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::isendrecv_replace;
    MPI_Issend(
        buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::issend;
    MPI_Issend_c(
        buf: *const c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm, request: *mut MPI_Request
    ) = point_to_point::issend;
    MPI_Mprobe(source: c_int, tag: c_int, comm: MPI_Comm, message: *mut MPI_Message, status: *mut MPI_Status) = probe::mprobe;
    MPI_Mrecv(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, message: *mut MPI_Message, status: *mut MPI_Status
    ) = probe::mrecv;
    MPI_Mrecv_c(
        buf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, message: *mut MPI_Message, status: *mut MPI_Status
    ) = probe::mrecv;
    MPI_Probe(source: c_int, tag: c_int, comm: MPI_Comm, status: *mut MPI_Status) = probe::probe;
    MPI_Recv(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm, status: *mut MPI_Status
    ) = point_to_point::recv;
    MPI_Recv_c(
        buf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, source: c_int, tag: c_int, comm: MPI_Comm, status: *mut MPI_Status
    ) = point_to_point::recv;
    MPI_Rsend(buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm) = point_to_point::rsend;
    MPI_Rsend_c(
        buf: *const c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm
    ) = point_to_point::rsend;
    MPI_Send(buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm) = point_to_point::send;
    MPI_Send_c(
        buf: *const c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm
    ) = point_to_point::send;
    MPI_Sendrecv(
        sendbuf: *const c_void, sendcount: c_int, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int, recvbuf: *mut c_void, recvcount:
        c_int, recvtype: MPI_Datatype, source: c_int, recvtag: c_int, comm: MPI_Comm, status: *mut MPI_Status
    ) = point_to_point::sendrecv;
    MPI_Sendrecv_c(
        sendbuf: *const c_void, sendcount: MPI_Count, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int, recvbuf: *mut c_void,
        recvcount: MPI_Count, recvtype: MPI_Datatype, source: c_int, recvtag: c_int, comm: MPI_Comm, status: *mut MPI_Status
    ) = point_to_point::sendrecv;
    MPI_Sendrecv_replace(
        buf: *mut c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, sendtag: c_int, source: c_int, recvtag: c_int, comm:
        MPI_Comm, status: *mut MPI_Status
    ) = point_to_point::sendrecv_replace;
    MPI_Sendrecv_replace_c(
        buf: *mut c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, sendtag: c_int, source: c_int, recvtag: c_int, comm:
        MPI_Comm, status: *mut MPI_Status
    ) = point_to_point::sendrecv_replace;
    MPI_Ssend(buf: *const c_void, count: c_int, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm) = point_to_point::ssend;
    MPI_Ssend_c(
        buf: *const c_void, count: MPI_Count, datatype: MPI_Datatype, dest: c_int, tag: c_int, comm: MPI_Comm
    ) = point_to_point::ssend;
}
