//! Types of the ABI (MPI 5.0, section 20.3), by their names in C.
#![allow(non_camel_case_types)]

mod constants;

pub use std::ffi::{c_char, c_double, c_int, c_void};

pub use constants::*;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $(
            $(#[$doc])*
            #[repr(transparent)]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
            pub struct $name(usize);

            impl $name {
                /// The handle of this value: predefined ones are below 0x1000.
                pub const fn of(value: usize) -> Self {
                    $name(value)
                }

                /// Its value.
                pub const fn value(self) -> usize {
                    self.0
                }
            }
        )*

        /// Names of all kinds of handles.
        pub const HANDLES: &[&str] = &[$(stringify!($name)),*];
    };
}

handles! {
    /// A communicator.
    MPI_Comm
    /// A type of data.
    MPI_Datatype
    /// What is done when something is wrong.
    MPI_Errhandler
    /// A file.
    MPI_File
    /// Processes in an order.
    MPI_Group
    /// Hints by name.
    MPI_Info
    /// A message that was found and is not received yet.
    MPI_Message
    /// How two values become one.
    MPI_Op
    /// Something that ends later.
    MPI_Request
    /// A session.
    MPI_Session
    /// Memory that others reach.
    MPI_Win
    /// Of the tool interface: values of a variable.
    MPI_T_enum
    /// Of the tool interface: a control variable.
    MPI_T_cvar_handle
    /// Of the tool interface: a performance variable.
    MPI_T_pvar_handle
    /// Of the tool interface: who reads performance variables.
    MPI_T_pvar_session
    /// Of the tool interface: who is told of an event.
    MPI_T_event_registration
    /// Of the tool interface: one event.
    MPI_T_event_instance
}

/// An address, or a distance of two.
pub type MPI_Aint = isize;
/// A count of anything.
pub type MPI_Count = i64;
/// A place in a file.
pub type MPI_Offset = i64;
/// What a callback of the tool interface may do.
pub type MPI_T_cb_safety = c_int;
/// In what order a source of the tool interface tells of events.
pub type MPI_T_source_order = c_int;

/// What is known of a message.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(non_snake_case)]
pub struct MPI_Status {
    /// Rank of the sender.
    pub MPI_SOURCE: c_int,
    /// Tag.
    pub MPI_TAG: c_int,
    /// Error code.
    pub MPI_ERROR: c_int,
    /// Bytes, low and high half; whether it was cancelled; nothing.
    pub MPI_internal: [c_int; 5],
}

/// A user's operation: `invec`, `inoutvec`, how many, of what.
pub type MPI_User_function =
    Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype)>;
/// The same for large counts.
pub type MPI_User_function_c =
    Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut MPI_Count, *mut MPI_Datatype)>;
/// A user's error handler.
pub type MPI_Comm_errhandler_function = Option<unsafe extern "C" fn(*mut MPI_Comm, *mut c_int, ...)>;
/// How an attribute is copied; a null pointer copies nothing, 1 copies the value as it is.
pub type MPI_Comm_copy_attr_function = *const c_void;
/// What is done with an attribute that goes; a null pointer does nothing.
pub type MPI_Comm_delete_attr_function = *const c_void;

macro_rules! callbacks {
    ($($name:ident)*) => {
        $(#[doc = concat!("`", stringify!($name), "`, of functions that this library does not have.")] pub type $name = *const c_void;)*

        /// Names of all types of functions.
        pub const CALLBACKS: &[&str] = &[
            "MPI_User_function", "MPI_User_function_c", "MPI_Comm_errhandler_function", "MPI_Comm_copy_attr_function",
            "MPI_Comm_delete_attr_function", $(stringify!($name)),*
        ];
    };
}

callbacks! {
    MPI_Copy_function MPI_Delete_function MPI_Type_copy_attr_function MPI_Type_delete_attr_function
    MPI_Win_copy_attr_function MPI_Win_delete_attr_function MPI_Grequest_query_function MPI_Grequest_free_function
    MPI_Grequest_cancel_function MPI_Datarep_extent_function MPI_Datarep_conversion_function
    MPI_Datarep_conversion_function_c MPI_File_errhandler_function MPI_Win_errhandler_function
    MPI_Session_errhandler_function MPI_T_event_cb_function MPI_T_event_free_cb_function
    MPI_T_event_dropped_cb_function
}
