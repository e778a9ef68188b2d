//! Signatures of the functions, with the types in C syntax.

use std::ffi::{c_char, c_int, c_void};

use crate::socket::Datagrams;

/// A type in C syntax.
pub trait InC {
    /// C declaration up to the declared name.
    const NAME: &'static str;
}

macro_rules! in_c {
    ($($type:ty: $name:literal)*) => { $(impl InC for $type { const NAME: &'static str = $name; })* };
}

in_c! {
    (): "void "
    c_int: "int "
    *const c_char: "const char *"
    *const c_void: "const void *"
    *mut c_void: "void *"
    *mut Datagrams: "datagram_socket *"
}

/// A function of the C API.
pub struct Call {
    /// Lines of its comment in the header.
    pub docs: &'static [&'static str],
    /// Name in C.
    pub name: &'static str,
    /// C types and names of the arguments.
    pub arguments: &'static [(&'static str, &'static str)],
    /// C type of the result.
    pub result: &'static str,
}
