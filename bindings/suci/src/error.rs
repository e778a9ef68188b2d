//! Message of the last error of each thread.

use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::fmt::Display;

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Stores an error message.
pub fn tell(error: impl Display) {
    let text: String = error.to_string().chars().filter(|letter| *letter != '\0').collect();
    LAST.with_borrow_mut(|last| *last = CString::new(text).unwrap_or_default());
}

/// Passes the stored message to a function.
pub fn last<R>(to: impl FnOnce(&CStr) -> R) -> R {
    LAST.with_borrow(|last| to(last))
}
