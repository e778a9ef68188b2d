//! Text, and room for it: in C it ends with a zero, in Fortran it has a length and is filled up with blanks.

use std::ffi::CStr;

use super::present;
use crate::fault::Outcome;
use crate::types::*;

/// Text of the program.
pub struct Text {
    pointer: *const c_char,
    /// Of Fortran: its length with all blanks.
    length: Option<usize>,
}

impl From<*const c_char> for Text {
    fn from(pointer: *const c_char) -> Self {
        Text { pointer, length: None }
    }
}

impl Text {
    /// Text of Fortran.
    #[cfg(not(feature = "mpich"))]
    pub fn of_length(pointer: *const c_char, length: usize) -> Self {
        Text { pointer, length: Some(length) }
    }

    /// Text of Fortran whose blanks in front do not count either: keys and values (MPI 5.0, chapter 10).
    #[cfg(not(feature = "mpich"))]
    pub fn of_key(pointer: *const c_char, length: usize) -> Self {
        // SAFETY: a pointer of the program to so many characters, of which the first blanks are looked at.
        let blanks = (0..length).take_while(|&at| unsafe { *pointer.add(at) } == b' ' as c_char).count();
        Text::of_length(pointer.wrapping_add(blanks), length - blanks)
    }

    /// The text, with marks where it is not UTF-8; of Fortran's without the blanks behind it.
    pub fn get(self) -> Outcome<String> {
        present(self.pointer.cast())?;
        let Some(length) = self.length else {
            // SAFETY: a pointer of the program to text that ends with a zero.
            return Ok(unsafe { CStr::from_ptr(self.pointer) }.to_string_lossy().into_owned());
        };
        // SAFETY: a pointer of the program to so many characters.
        let bytes = unsafe { std::slice::from_raw_parts(self.pointer.cast::<u8>(), length) };
        Ok(String::from_utf8_lossy(bytes).trim_end_matches(' ').to_owned())
    }
}

/// Room for text.
#[derive(Clone, Copy)]
pub struct OutText {
    pointer: *mut c_char,
    /// Of Fortran: how long it is.
    length: Option<usize>,
}

impl From<*mut c_char> for OutText {
    fn from(pointer: *mut c_char) -> Self {
        OutText { pointer, length: None }
    }
}

impl OutText {
    /// Room of Fortran.
    #[cfg(not(feature = "mpich"))]
    pub fn of_length(pointer: *mut c_char, length: usize) -> Self {
        OutText { pointer, length: Some(length) }
    }

    /// Puts text and a zero into room of so many bytes, or text and blanks into that of Fortran; how long the text is there.
    pub fn set(self, text: &str, room: usize) -> Outcome<usize> {
        present(self.pointer.cast())?;
        let most = room.saturating_sub(1).min(self.length.unwrap_or(usize::MAX));
        let bytes = &text.as_bytes()[..text.len().min(most)];
        // SAFETY: room of the program that by the standard has so many bytes, or that is so long.
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
