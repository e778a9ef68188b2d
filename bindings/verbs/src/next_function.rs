//! Functions of the C library whose names this library has taken.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::mem::{size_of, transmute_copy};
use std::sync::OnceLock;

/// The function of this name behind that of this library. `T` is the type of its pointer.
///
/// # Panics
/// The C library has no such function.
pub fn find<T: Copy>(cell: &OnceLock<usize>, name: &CStr) -> T {
    // SAFETY: the name ends with a zero.
    let address = *cell.get_or_init(|| unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) } as usize);
    assert!(address != 0, "the C library has {name:?}");
    const { assert!(size_of::<T>() == size_of::<usize>(), "a pointer to a function") };
    // SAFETY: the address is that of a function, and the caller knows its type.
    unsafe { transmute_copy(&address) }
}
