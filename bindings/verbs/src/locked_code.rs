//! Code that may hold a lock which other threads need: this library, the C library and the loader. A thread that a signal
//! interrupts there cannot let others run.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ops::Range;
use std::sync::OnceLock;

use libc::{c_int, c_void, dl_phdr_info, size_t};

static RANGES: OnceLock<Vec<Range<usize>>> = OnceLock::new();

/// Finds the code. Allocates memory, so it comes before the first signal.
pub fn find() {
    RANGES.get_or_init(|| {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        // SAFETY: `add` gets the list, which lives longer than the call.
        unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut ranges).cast()) };
        ranges
    });
}

/// Whether an address is in that code, or this is not known.
pub fn contains(address: usize) -> bool {
    RANGES.get().is_none_or(|ranges| ranges.iter().any(|range| range.contains(&address)))
}

/// Adds the range of an object, if it has such code.
unsafe extern "C" fn add(info: *mut dl_phdr_info, _size: size_t, ranges: *mut c_void) -> c_int {
    // SAFETY: the loader passes valid structures, and `find` a list of ranges.
    let (info, ranges) = unsafe { (&*info, &mut *ranges.cast::<Vec<Range<usize>>>()) };
    // SAFETY: the loader passes the headers with their number, and a text.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let name = unsafe { CStr::from_ptr(info.dlpi_name) }.to_bytes();
    let loaded = headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
    let begin = info.dlpi_addr as usize;
    let end = loaded.map(|header| begin + (header.p_vaddr + header.p_memsz) as usize).max().unwrap_or(begin);
    let file = name.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let is_of_system = file.starts_with(b"libc.so") || file.starts_with(b"ld-");
    if is_of_system || (begin..end).contains(&(find as *const () as usize)) {
        ranges.push(begin..end);
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_library_and_this_one_may_hold_locks() {
        find();
        assert!(contains(libc::malloc as *const () as usize));
        assert!(contains(find as *const () as usize));
        assert!(!contains(0x10), "no object is loaded there");
    }
}
