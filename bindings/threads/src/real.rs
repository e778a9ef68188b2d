//! The functions of libc behind those of this crate.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_void};

/// Version of the conditions of glibc that `pthread_cond_t` has today; older ones have the same names.
const CONDITIONS: &CStr = c"GLIBC_2.3.2";

/// Address of the next function of this name. The process ends if there is none.
pub fn find(name: &CStr) -> *mut c_void {
    // SAFETY: both names end with a zero.
    let found = unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), CONDITIONS.as_ptr()) };
    // SAFETY: the name ends with a zero.
    let found = if found.is_null() { unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) } } else { found };
    if found.is_null() {
        eprintln!("memonet: the C library has no {}", name.to_string_lossy());
        std::process::abort();
    }
    found
}

/// Calls the function of libc with these arguments.
macro_rules! real {
    ($name:ident($($argument:expr => $kind:ty),*) -> $result:ty) => {{
        static REAL: std::sync::atomic::AtomicPtr<std::ffi::c_void> =
            std::sync::atomic::AtomicPtr::new(std::ptr::null_mut());
        let mut address = REAL.load(std::sync::atomic::Ordering::Relaxed);
        if address.is_null() {
            address = crate::real::find(
                std::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()).expect("it ends so"),
            );
            REAL.store(address, std::sync::atomic::Ordering::Relaxed);
        }
        // SAFETY: POSIX gives the function this type; the caller passes valid arguments for it.
        unsafe {
            let function: unsafe extern "C" fn($($kind),*) -> $result = std::mem::transmute(address);
            function($($argument),*)
        }
    }};
}

pub(crate) use real;
