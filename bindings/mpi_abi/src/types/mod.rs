//! Types of the ABI (MPI 5.0, section 20.3) under their C names, and its constants. The library supports two
//! ABIs: that of the standard, and the older one of MPICH (docs/decisions/0045).
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

            // In one of the ABIs the cast is the identity.
            #[allow(clippy::unnecessary_cast)]
            impl $name {
                /// The handle with this value.
                pub const fn of(value: usize) -> Self {
                    $name(value as $word)
                }

                /// Value of the handle.
                pub const fn value(self) -> usize {
                    self.0 as usize
                }
            }
        )*

        /// Names of all handle types.
        pub const HANDLES: &[&str] = &[$(stringify!($name)),*];
    };
}

kinds! {
    /// Communicator handle.
    MPI_Comm(Word)
    /// Datatype handle.
    MPI_Datatype(Word)
    /// Error handler handle.
    MPI_Errhandler(Word)
    /// File handle.
    MPI_File(usize)
    /// Group handle.
    MPI_Group(Word)
    /// Handle of an info object.
    MPI_Info(Word)
    /// Handle of a message reserved by a matched probe.
    MPI_Message(Word)
    /// Handle of a reduction operation.
    MPI_Op(Word)
    /// Request handle.
    MPI_Request(Word)
    /// Session handle.
    MPI_Session(Word)
    /// Window handle.
    MPI_Win(Word)
    /// Enumeration of the tool interface.
    MPI_T_enum(usize)
    /// Control variable of the tool interface.
    MPI_T_cvar_handle(usize)
    /// Performance variable of the tool interface.
    MPI_T_pvar_handle(usize)
    /// Session of performance variables of the tool interface.
    MPI_T_pvar_session(usize)
    /// Registration for events of the tool interface.
    MPI_T_event_registration(usize)
    /// Event of the tool interface.
    MPI_T_event_instance(usize)
}

/// An address, or the difference of two addresses.
pub type MPI_Aint = isize;
/// A count of 64 bits.
pub type MPI_Count = i64;
/// An offset in a file.
pub type MPI_Offset = i64;
/// Safety level of a callback of the tool interface.
pub type MPI_T_cb_safety = c_int;
/// Order of the events of a source of the tool interface.
pub type MPI_T_source_order = c_int;

impl MPI_Status {
    /// The empty status (MPI 5.0, section 3.7.3).
    pub const EMPTY: Self =
        MPI_Status { MPI_SOURCE: MPI_ANY_SOURCE, MPI_TAG: MPI_ANY_TAG, MPI_ERROR: MPI_SUCCESS, ..Self::ZERO };
}

/// A user-defined operation: `invec`, `inoutvec`, count and datatype.
pub type MPI_User_function =
    Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype)>;
/// A user-defined operation with a large count.
pub type MPI_User_function_c =
    Option<unsafe extern "C" fn(*mut c_void, *mut c_void, *mut MPI_Count, *mut MPI_Datatype)>;
/// A user-defined error handler.
pub type MPI_Comm_errhandler_function = Option<unsafe extern "C" fn(*mut MPI_Comm, *mut c_int, ...)>;
/// Copy callback of attributes: null copies nothing, 1 copies the value.
pub type MPI_Comm_copy_attr_function = *const c_void;
/// Delete callback of attributes; null does nothing.
pub type MPI_Comm_delete_attr_function = *const c_void;

macro_rules! callbacks {
    ($($name:ident)*) => {
        $(#[doc = concat!("`", stringify!($name), "`, by its address.")] pub type $name = *const c_void;)*

        /// Names of all callback types.
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
