//! Attributes (MPI 5.0, section 7.7).

use super::functions;
use crate::calls::attribute;
use crate::types::*;

functions! {
    MPI_Attr_delete(comm: MPI_Comm, keyval: c_int) = attribute::comm_delete_attr;
    MPI_Attr_get(comm: MPI_Comm, keyval: c_int, attribute_val: *mut c_void, flag: *mut c_int) = attribute::comm_get_attr;
    MPI_Attr_put(comm: MPI_Comm, keyval: c_int, attribute_val: *mut c_void) = attribute::comm_set_attr;
    MPI_Comm_create_keyval(
        comm_copy_attr_fn: MPI_Comm_copy_attr_function, comm_delete_attr_fn: MPI_Comm_delete_attr_function, comm_keyval: *mut c_int,
        extra_state: *mut c_void
    ) = attribute::comm_create_keyval;
    MPI_Comm_delete_attr(comm: MPI_Comm, comm_keyval: c_int) = attribute::comm_delete_attr;
    MPI_Comm_free_keyval(comm_keyval: *mut c_int) = attribute::comm_free_keyval;
    MPI_Comm_get_attr(comm: MPI_Comm, comm_keyval: c_int, attribute_val: *mut c_void, flag: *mut c_int) = attribute::comm_get_attr;
    MPI_Comm_set_attr(comm: MPI_Comm, comm_keyval: c_int, attribute_val: *mut c_void) = attribute::comm_set_attr;
    MPI_Keyval_create(
        copy_fn: MPI_Copy_function, delete_fn: MPI_Delete_function, keyval: *mut c_int, extra_state: *mut c_void
    ) = attribute::comm_create_keyval;
    MPI_Keyval_free(keyval: *mut c_int) = attribute::comm_free_keyval;
    MPI_Type_create_keyval(
        type_copy_attr_fn: MPI_Type_copy_attr_function, type_delete_attr_fn: MPI_Type_delete_attr_function, type_keyval: *mut c_int,
        extra_state: *mut c_void
    ) = attribute::type_create_keyval;
    MPI_Type_delete_attr(datatype: MPI_Datatype, type_keyval: c_int) = attribute::type_delete_attr;
    MPI_Type_free_keyval(type_keyval: *mut c_int) = attribute::type_free_keyval;
    MPI_Type_get_attr(
        datatype: MPI_Datatype, type_keyval: c_int, attribute_val: *mut c_void, flag: *mut c_int
    ) = attribute::type_get_attr;
    MPI_Type_set_attr(datatype: MPI_Datatype, type_keyval: c_int, attribute_val: *mut c_void) = attribute::type_set_attr;
}
