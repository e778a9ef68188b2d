//! Attributes of windows: those of programs are as those of communicators, and those of the standard.

use super::read;
use crate::arguments::{Memory, Out};
use crate::calls::attribute;
use crate::fault::Outcome;
use crate::objects::Owner;
use crate::types::*;

/// `MPI_Win_create_keyval`.
pub fn create_keyval(copy: Memory, delete: Memory, key: Out<c_int>, extra: Memory) -> Outcome {
    attribute::create_of_c(Owner::Window, copy, delete, key, extra)
}

/// `MPI_Win_free_keyval`.
pub fn free_keyval(key: Out<c_int>) -> Outcome {
    attribute::free(Owner::Window, key)
}

/// `MPI_Win_set_attr`.
pub fn set_attr(win: MPI_Win, key: c_int, value: Memory) -> Outcome {
    attribute::set(win, key, value.address())
}

/// `MPI_Win_delete_attr`.
pub fn delete_attr(win: MPI_Win, key: c_int) -> Outcome {
    attribute::delete_attr(win, key)
}

/// Value of an attribute.
pub struct Value {
    /// The value in C: a word of the program, the base of the window, or the address of a number.
    pub word: usize,
    /// The value in Fortran.
    pub integer: i64,
}

impl Value {
    fn of_word(word: usize) -> Self {
        Value { word, integer: word as i64 }
    }
}

/// Value of an attribute, if it is set.
pub fn get(win: MPI_Win, key: c_int) -> Outcome<Option<Value>> {
    let number =
        |number: &c_int| Value { word: std::ptr::from_ref(number) as usize, integer: (*number).into() };
    let standard = read(win, |window| {
        let values = &*window.values;
        Some(match key {
            MPI_WIN_BASE => Value::of_word(window.base.address()),
            MPI_WIN_SIZE => {
                Value { word: std::ptr::from_ref(&values.size) as usize, integer: values.size as i64 }
            }
            MPI_WIN_DISP_UNIT => number(&values.unit),
            MPI_WIN_CREATE_FLAVOR => number(&values.flavor),
            MPI_WIN_MODEL => number(&values.model),
            _ => return None,
        })
    })?;
    if standard.is_some() {
        return Ok(standard);
    }
    Ok(attribute::get_stored(win, key)?.map(Value::of_word))
}

/// `MPI_Win_get_attr`.
pub fn get_attr(win: MPI_Win, key: c_int, value: Memory, flag: Out<c_int>) -> Outcome {
    let found = get(win, key)?;
    flag.set(found.is_some().into())?;
    match found {
        Some(found) => value.set_word(found.word),
        None => Ok(()),
    }
}
