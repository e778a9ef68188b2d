//! Types of the ABI (MPI 5.0, section 20.3), by their names in C, and its values. The library has two faces: the standard's, and that of
//! MPICH before it (docs/decisions/0045).
#![allow(non_camel_case_types)]

#[macro_use]
mod list;
#[cfg(feature = "mpich")]
pub mod mpich;
mod numbers;
pub mod standard;

pub use std::ffi::{c_char, c_double, c_int, c_void};

pub use list::Constant;
#[cfg(feature = "mpich")]
pub use mpich::*;
pub use numbers::{class, datatype_of_number, number_of_datatype, number_of_operation};
#[cfg(not(feature = "mpich"))]
pub use standard::*;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident($word:ident))*) => {
        $(
            $(#[$doc])*
            #[repr(transparent)]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
            pub struct $name($word);

            // In one of the faces a word is what it is cast to.
            #[allow(clippy::unnecessary_cast)]
            impl $name {
                /// The handle of this value.
                pub const fn of(value: usize) -> Self {
                    $name(value as $word)
                }

                /// Its value.
                pub const fn value(self) -> usize {
                    self.0 as usize
                }
            }
        )*

        /// Names of all kinds of handles.
        pub const HANDLES: &[&str] = &[$(stringify!($name)),*];
    };
}

kinds! {
    /// A communicator.
    MPI_Comm(Word)
    /// A type of data.
    MPI_Datatype(Word)
    /// What is done when something is wrong.
    MPI_Errhandler(Word)
    /// A file.
    MPI_File(usize)
    /// Processes in an order.
    MPI_Group(Word)
    /// Hints by name.
    MPI_Info(Word)
    /// A message that was found and is not received yet.
    MPI_Message(Word)
    /// How two values become one.
    MPI_Op(Word)
    /// Something that ends later.
    MPI_Request(Word)
    /// A session.
    MPI_Session(Word)
    /// Memory that others reach.
    MPI_Win(Word)
    /// Of the tool interface: values of a variable.
    MPI_T_enum(usize)
    /// Of the tool interface: a control variable.
    MPI_T_cvar_handle(usize)
    /// Of the tool interface: a performance variable.
    MPI_T_pvar_handle(usize)
    /// Of the tool interface: who reads performance variables.
    MPI_T_pvar_session(usize)
    /// Of the tool interface: who is told of an event.
    MPI_T_event_registration(usize)
    /// Of the tool interface: one event.
    MPI_T_event_instance(usize)
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

impl MPI_Status {
    /// What a status is of which there is nothing to tell (MPI 5.0, section 3.7.3).
    pub const EMPTY: Self =
        MPI_Status { MPI_SOURCE: MPI_ANY_SOURCE, MPI_TAG: MPI_ANY_TAG, MPI_ERROR: MPI_SUCCESS, ..Self::ZERO };
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
