//! Process creation and management (MPI 5.0, section 11.8).

use super::functions;
use crate::calls::{dynamic, join};
use crate::types::*;

functions! {
    MPI_Close_port(port_name: *const c_char) = dynamic::close_port;
    MPI_Comm_accept(
        port_name: *const c_char, info: MPI_Info, root: c_int, comm: MPI_Comm, newcomm: *mut MPI_Comm
    ) = dynamic::comm_accept;
    MPI_Comm_connect(
        port_name: *const c_char, info: MPI_Info, root: c_int, comm: MPI_Comm, newcomm: *mut MPI_Comm
    ) = dynamic::comm_connect;
    MPI_Comm_disconnect(comm: *mut MPI_Comm) = dynamic::comm_disconnect;
    MPI_Comm_get_parent(parent: *mut MPI_Comm) = dynamic::comm_get_parent;
    MPI_Comm_join(fd: c_int, intercomm: *mut MPI_Comm) = join::comm_join;
    MPI_Comm_spawn(
        command: *const c_char, argv: *mut *mut c_char, maxprocs: c_int, info: MPI_Info, root: c_int, comm: MPI_Comm, intercomm: *mut
        MPI_Comm, array_of_errcodes: *mut c_int
    ) = dynamic::comm_spawn;
    MPI_Comm_spawn_multiple(
        count: c_int, array_of_commands: *mut *mut c_char, array_of_argv: *mut *mut *mut c_char, array_of_maxprocs: *const c_int,
        array_of_info: *const MPI_Info, root: c_int, comm: MPI_Comm, intercomm: *mut MPI_Comm, array_of_errcodes: *mut c_int
    ) = dynamic::comm_spawn_multiple;
    MPI_Lookup_name(service_name: *const c_char, info: MPI_Info, port_name: *mut c_char) = dynamic::lookup_name;
    MPI_Open_port(info: MPI_Info, port_name: *mut c_char) = dynamic::open_port;
    MPI_Publish_name(service_name: *const c_char, info: MPI_Info, port_name: *const c_char) = dynamic::publish_name;
    MPI_Unpublish_name(service_name: *const c_char, info: MPI_Info, port_name: *const c_char) = dynamic::unpublish_name;
}
