//! Strings and string buffers: zero-terminated in C; with a hidden length and padded with blanks in Fortran.

use std::ffi::CStr;

use super::present;
use crate::fault::Outcome;
use crate::types::*;

/// A string argument.
pub struct Text {
    pointer: *const c_char,
    /// Length of a Fortran string, padding included; `None` in C.
    length: Option<usize>,
}

impl From<*const c_char> for Text {
    fn from(pointer: *const c_char) -> Self {
        Text { pointer, length: None }
    }
}

impl Text {
    /// A Fortran string.
    pub fn of_length(pointer: *const c_char, length: usize) -> Self {
        Text { pointer, length: Some(length) }
    }

    /// A Fortran string whose leading blanks are ignored: info keys and values (MPI 5.0, chapter 10).
    pub fn of_key(pointer: *const c_char, length: usize) -> Self {
        // SAFETY: the program guarantees `length` characters.
        let blanks = (0..length).take_while(|&at| unsafe { *pointer.add(at) } == b' ' as c_char).count();
        Text::of_length(pointer.wrapping_add(blanks), length - blanks)
    }

    /// The string, with replacement characters where it is not UTF-8. Trailing blanks of Fortran are removed.
    pub fn get(self) -> Outcome<String> {
        present(self.pointer.cast())?;
        let Some(length) = self.length else {
            // SAFETY: the program guarantees a zero-terminated string.
            return Ok(unsafe { CStr::from_ptr(self.pointer) }.to_string_lossy().into_owned());
        };
        // SAFETY: the program guarantees `length` characters.
        let bytes = unsafe { std::slice::from_raw_parts(self.pointer.cast::<u8>(), length) };
        Ok(String::from_utf8_lossy(bytes).trim_end_matches(' ').to_owned())
    }
}

/// Buffer for a string result.
#[derive(Clone, Copy)]
pub struct OutText {
    pointer: *mut c_char,
    /// Length of a Fortran buffer; `None` in C.
    length: Option<usize>,
}

impl From<*mut c_char> for OutText {
    fn from(pointer: *mut c_char) -> Self {
        OutText { pointer, length: None }
    }
}

impl OutText {
    /// A Fortran buffer.
    pub fn of_length(pointer: *mut c_char, length: usize) -> Self {
        OutText { pointer, length: Some(length) }
    }

    /// Whether the program wants no text.
    pub fn is_null(self) -> bool {
        self.pointer.is_null()
    }

    /// Writes at most `room` bytes with the terminating zero, or fills a Fortran buffer up with blanks.
    /// Returns the length of the string written.
    pub fn set(self, text: &str, room: usize) -> Outcome<usize> {
        present(self.pointer.cast())?;
        let most = room.saturating_sub(1).min(self.length.unwrap_or(usize::MAX));
        let bytes = &text.as_bytes()[..text.len().min(most)];
        // SAFETY: the standard demands a buffer of `room` bytes; a Fortran buffer has `length` bytes.
        unsafe {
            self.pointer.cast::<u8>().copy_from(bytes.as_ptr(), bytes.len());
            match self.length {
                None => self.pointer.add(bytes.len()).write(0),
                Some(length) => {
                    self.pointer.add(bytes.len()).cast::<u8>().write_bytes(b' ', length - bytes.len())
                }
            }
        }
        Ok(bytes.len())
    }
}
