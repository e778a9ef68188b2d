//! Attributes of windows.
#![allow(unsafe_code)]

use super::{change, read};
use crate::arguments::{Memory, Out};
use crate::fault::{Fault, Outcome};
use crate::objects::{WindowKey, within};
use crate::types::*;

/// Delete callback of a C program: `(window, key, value, extra)`.
type Delete = extern "C" fn(MPI_Win, c_int, usize, usize) -> c_int;

/// First key of programs, above the keys of the standard.
const FIRST: c_int = 0x1000;

/// `MPI_Win_create_keyval`.
pub fn create_keyval(_copy: Memory, delete: Memory, key: Out<c_int>, extra: Memory) -> Outcome {
    let [delete, extra] = [delete, extra].map(Memory::address);
    create(WindowKey { delete, extra, call: delete_by, is_freed: false }, key)
}

/// Creates a key.
pub fn create(entry: WindowKey, key: Out<c_int>) -> Outcome {
    key.set(within(|objects| {
        let number = objects.window_keys.last_key_value().map_or(FIRST, |(last, _)| last + 1);
        objects.window_keys.insert(number, entry);
        Ok(number)
    })?)
}

/// `MPI_Win_free_keyval`.
pub fn free_keyval(key: Out<c_int>) -> Outcome {
    let number = key.get()?;
    find(number)?;
    within(|objects| {
        objects.window_keys.entry(number).and_modify(|key| key.is_freed = true);
        Ok(())
    })?;
    key.set(MPI_KEYVAL_INVALID)
}

/// A key that the program has not freed.
fn find(key: c_int) -> Outcome<WindowKey> {
    let found = within(|objects| Ok(objects.window_keys.get(&key).copied()))?;
    found
        .filter(|found| !found.is_freed)
        .ok_or_else(|| Fault::new(MPI_ERR_KEYVAL, format!("{key} is no key of windows")))
}

/// `MPI_Win_set_attr`.
pub fn set_attr(win: MPI_Win, key: c_int, value: Memory) -> Outcome {
    set(win, key, value.address())
}

/// Sets an attribute and deletes its old value.
pub fn set(win: MPI_Win, key: c_int, value: usize) -> Outcome {
    let old = read(win, |window| window.attributes.get(key))?;
    find(key).map_err(|fault| fault.on_window(win))?;
    if let Some(old) = old {
        delete(win, key, old)?;
    }
    change(win, |window| window.attributes.set(key, value))
}

/// `MPI_Win_delete_attr`.
pub fn delete_attr(win: MPI_Win, key: c_int) -> Outcome {
    let old = read(win, |window| window.attributes.get(key))?;
    find(key).map_err(|fault| fault.on_window(win))?;
    let old =
        old.ok_or_else(|| Fault::new(MPI_ERR_KEYVAL, "the window has no such attribute").on_window(win))?;
    remove(win, key, old)
}

/// Value of an attribute.
pub struct Value {
    /// The value in C: a word of the program, the base of the window, or the address of a number.
    pub word: usize,
    /// The value in Fortran.
    #[cfg(not(feature = "mpich"))]
    pub integer: i64,
}

impl Value {
    fn new(word: usize, integer: i64) -> Self {
        let _ = integer;
        Value {
            word,
            #[cfg(not(feature = "mpich"))]
            integer,
        }
    }

    fn of_word(word: usize) -> Self {
        Value::new(word, word as i64)
    }
}

/// Value of an attribute, if it is set.
pub fn get(win: MPI_Win, key: c_int) -> Outcome<Option<Value>> {
    let number = |number: &c_int| Value::new(std::ptr::from_ref(number) as usize, (*number).into());
    let standard = read(win, |window| {
        let values = &*window.values;
        Some(match key {
            MPI_WIN_BASE => Value::of_word(window.base.address()),
            MPI_WIN_SIZE => Value::new(std::ptr::from_ref(&values.size) as usize, values.size as i64),
            MPI_WIN_DISP_UNIT => number(&values.unit),
            MPI_WIN_CREATE_FLAVOR => number(&values.flavor),
            MPI_WIN_MODEL => number(&values.model),
            _ => return None,
        })
    })?;
    if standard.is_some() {
        return Ok(standard);
    }
    find(key).map_err(|fault| fault.on_window(win))?;
    Ok(read(win, |window| window.attributes.get(key))?.map(Value::of_word))
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

/// Deletes all attributes of a window in reverse order of setting.
pub(super) fn forget_all(win: MPI_Win) -> Outcome {
    for key in read(win, |window| window.attributes.keys())?.into_iter().rev() {
        if let Some(value) = read(win, |window| window.attributes.get(key))? {
            remove(win, key, value)?;
        }
    }
    Ok(())
}

/// Deletes an attribute; if its callback fails, the attribute stays.
fn remove(win: MPI_Win, key: c_int, value: usize) -> Outcome {
    delete(win, key, value)?;
    change(win, |window| window.attributes.remove(key))
}

fn delete(win: MPI_Win, key: c_int, value: usize) -> Outcome {
    let found = within(|objects| Ok(objects.window_keys.get(&key).copied()))?;
    let code =
        found.map_or(MPI_SUCCESS, |key_of| (key_of.call)(key_of.delete, win, key, value, key_of.extra));
    match code {
        MPI_SUCCESS => Ok(()),
        code => Err(Fault::new(code, "a function of an attribute failed").on_window(win)),
    }
}

fn delete_by(function: usize, win: MPI_Win, key: c_int, value: usize, extra: usize) -> c_int {
    if function == 0 {
        return MPI_SUCCESS;
    }
    // SAFETY: the program has registered the function as a delete callback.
    let delete: Delete = unsafe { std::mem::transmute(function) };
    delete(win, key, value, extra)
}
