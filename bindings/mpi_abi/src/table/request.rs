//! Requests and statuses (MPI 5.0, sections 3.7 and 3.8).

use super::functions;
use crate::calls::{completion, generalized, look, request, status};
use crate::types::*;

functions! {
    MPI_Cancel(request: *mut MPI_Request) = request::cancel;
    MPI_Grequest_complete(request: MPI_Request) = generalized::grequest_complete;
    MPI_Grequest_start(
        query_fn: MPI_Grequest_query_function, free_fn: MPI_Grequest_free_function, cancel_fn: MPI_Grequest_cancel_function, extra_state:
        *mut c_void, request: *mut MPI_Request
    ) = generalized::grequest_start;
    MPI_Request_free(request: *mut MPI_Request) = request::request_free;
    MPI_Request_get_status(request: MPI_Request, flag: *mut c_int, status: *mut MPI_Status) = look::request_get_status;
    MPI_Request_get_status_all(
        count: c_int, array_of_requests: *const MPI_Request, flag: *mut c_int, array_of_statuses: *mut MPI_Status
    ) = look::request_get_status_all;
    MPI_Request_get_status_any(
        count: c_int, array_of_requests: *const MPI_Request, indx: *mut c_int, flag: *mut c_int, status: *mut MPI_Status
    ) = look::request_get_status_any;
    MPI_Request_get_status_some(
        incount: c_int, array_of_requests: *const MPI_Request, outcount: *mut c_int, array_of_indices: *mut c_int, array_of_statuses: *mut
        MPI_Status
    ) = look::request_get_status_some;
    MPI_Status_get_error(status: *const MPI_Status, error: *mut c_int) = status::status_get_error;
    MPI_Status_get_source(status: *const MPI_Status, source: *mut c_int) = status::status_get_source;
    MPI_Status_get_tag(status: *const MPI_Status, tag: *mut c_int) = status::status_get_tag;
    MPI_Status_set_cancelled(status: *mut MPI_Status, flag: c_int) = status::status_set_cancelled;
    MPI_Status_set_error(status: *mut MPI_Status, error: c_int) = status::status_set_error;
    MPI_Status_set_source(status: *mut MPI_Status, source: c_int) = status::status_set_source;
    MPI_Status_set_tag(status: *mut MPI_Status, tag: c_int) = status::status_set_tag;
    MPI_Test(request: *mut MPI_Request, flag: *mut c_int, status: *mut MPI_Status) = completion::test;
    MPI_Test_cancelled(status: *const MPI_Status, flag: *mut c_int) = status::test_cancelled;
    MPI_Testall(count: c_int, array_of_requests: *mut MPI_Request, flag: *mut c_int, array_of_statuses: *mut MPI_Status) = completion::testall;
    MPI_Testany(
        count: c_int, array_of_requests: *mut MPI_Request, indx: *mut c_int, flag: *mut c_int, status: *mut MPI_Status
    ) = completion::testany;
    MPI_Testsome(
        incount: c_int, array_of_requests: *mut MPI_Request, outcount: *mut c_int, array_of_indices: *mut c_int, array_of_statuses: *mut
        MPI_Status
    ) = completion::testsome;
    MPI_Wait(request: *mut MPI_Request, status: *mut MPI_Status) = completion::wait;
    MPI_Waitall(count: c_int, array_of_requests: *mut MPI_Request, array_of_statuses: *mut MPI_Status) = completion::waitall;
    MPI_Waitany(count: c_int, array_of_requests: *mut MPI_Request, indx: *mut c_int, status: *mut MPI_Status) = completion::waitany;
    MPI_Waitsome(
        incount: c_int, array_of_requests: *mut MPI_Request, outcount: *mut c_int, array_of_indices: *mut c_int, array_of_statuses: *mut
        MPI_Status
    ) = completion::waitsome;
}
