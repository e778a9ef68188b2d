//! Attributes of communicators: values that programs store under keys, and the predefined attributes of the
//! standard.
#![allow(unsafe_code)]

use crate::arguments::{Memory, Out};
use crate::fault::{Fault, Outcome};
use crate::objects::{Attributes, Calls, Copied, Key, communicator, within};
use crate::types::*;

/// Copy callback of a key: `(old, key, extra, value, new value, flag)`.
type Copy = extern "C" fn(MPI_Comm, c_int, usize, usize, *mut usize, *mut c_int) -> c_int;
/// Delete callback of a key: `(communicator, key, value, extra)`.
type Delete = extern "C" fn(MPI_Comm, c_int, usize, usize) -> c_int;

/// Callbacks of C programs.
static OF_C: Calls = Calls { copy: copy_by, delete: delete_by };

/// `MPI_COMM_NULL_COPY_FN` and `MPI_COMM_NULL_DELETE_FN`.
const NOTHING: usize = 0;
/// `MPI_COMM_DUP_FN`: copies the value.
const DUPLICATE: usize = 1;

/// First key of programs, above the keys of the standard.
const FIRST: c_int = 0x1000;

/// `MPI_Comm_create_keyval`.
pub fn comm_create_keyval(copy: Memory, delete: Memory, key: Out<c_int>, extra: Memory) -> Outcome {
    let [copy, delete, extra] = [copy, delete, extra].map(Memory::address);
    create(Key { copy, delete, extra, calls: &OF_C }, key)
}

/// Creates a key.
pub fn create(entry: Key, key: Out<c_int>) -> Outcome {
    key.set(within(|objects| {
        let number = objects.keys.last_key_value().map_or(FIRST, |(last, _)| last + 1);
        objects.keys.insert(number, entry);
        Ok(number)
    })?)
}

/// `MPI_Comm_free_keyval`. Attributes set under the key keep its callbacks.
pub fn comm_free_keyval(key: Out<c_int>) -> Outcome {
    find(key.get()?)?;
    key.set(MPI_KEYVAL_INVALID)
}

fn find(key: c_int) -> Outcome<Key> {
    within(|objects| {
        objects.keys.get(&key).copied().ok_or_else(|| Fault::new(MPI_ERR_KEYVAL, format!("{key} is no key")))
    })
}

/// `MPI_Comm_set_attr`.
pub fn comm_set_attr(on: MPI_Comm, key: c_int, value: Memory) -> Outcome {
    set(on, key, value.address())
}

/// Sets an attribute and deletes its old value.
pub fn set(on: MPI_Comm, key: c_int, value: usize) -> Outcome {
    find(key).map_err(|fault| fault.on(on))?;
    if let Some(old) = communicator(on)?.attributes.get(key) {
        delete(on, key, old)?;
    }
    within(|objects| {
        objects.communicators.get_mut(on)?.attributes.set(key, value);
        Ok(())
    })
}

/// Value of an attribute.
pub enum Value {
    /// Value of a predefined attribute.
    Standard(&'static c_int),
    /// Value set by the program.
    Program(usize),
}

/// Value of an attribute, if it is set.
pub fn get(on: MPI_Comm, key: c_int) -> Outcome<Option<Value>> {
    static TAG_UB: c_int = c_int::MAX;
    static NO_HOST: c_int = MPI_PROC_NULL;
    static ANYBODY: c_int = MPI_ANY_SOURCE;
    static YES: c_int = 1;
    static LAST: c_int = MPI_ERR_LASTCODE;
    let found = communicator(on)?;
    Ok(match key {
        MPI_TAG_UB => Some(Value::Standard(&TAG_UB)),
        MPI_HOST => Some(Value::Standard(&NO_HOST)),
        MPI_IO => Some(Value::Standard(&ANYBODY)),
        MPI_WTIME_IS_GLOBAL => Some(Value::Standard(&YES)),
        MPI_LASTUSEDCODE => Some(Value::Standard(&LAST)),
        MPI_APPNUM => within(|objects| Ok(objects.application))?.map(Value::Standard),
        MPI_UNIVERSE_SIZE => within(|objects| Ok(objects.universe))?.map(Value::Standard),
        key => {
            find(key).map_err(|fault| fault.on(on))?;
            found.attributes.get(key).map(Value::Program)
        }
    })
}

/// `MPI_Comm_get_attr`. Predefined attributes are returned as addresses of integers.
pub fn comm_get_attr(on: MPI_Comm, key: c_int, value: Memory, flag: Out<c_int>) -> Outcome {
    let found = get(on, key)?;
    flag.set(found.is_some().into())?;
    match found {
        Some(Value::Standard(number)) => value.set_word(std::ptr::from_ref(number) as usize),
        Some(Value::Program(word)) => value.set_word(word),
        None => Ok(()),
    }
}

/// `MPI_Comm_delete_attr`.
pub fn comm_delete_attr(on: MPI_Comm, key: c_int) -> Outcome {
    find(key).map_err(|fault| fault.on(on))?;
    match communicator(on)?.attributes.get(key) {
        Some(old) => remove(on, key, old),
        None => Err(Fault::new(MPI_ERR_KEYVAL, "the communicator has no such attribute").on(on)),
    }
}

/// Deletes all attributes of a communicator in reverse order of setting (MPI 5.0, sections 7.7.2 and 11.2.4).
pub(super) fn forget_all(on: MPI_Comm) -> Outcome {
    // Callbacks may delete or set other attributes; those set meanwhile go with the communicator.
    for key in communicator(on)?.attributes.keys().into_iter().rev() {
        if let Some(value) = communicator(on)?.attributes.get(key) {
            remove(on, key, value)?;
        }
    }
    Ok(())
}

/// Deletes an attribute; if its callback fails, the attribute stays.
fn remove(on: MPI_Comm, key: c_int, value: usize) -> Outcome {
    delete(on, key, value)?;
    within(|objects| {
        objects.communicators.get_mut(on)?.attributes.remove(key);
        Ok(())
    })
}

fn delete(on: MPI_Comm, key: c_int, value: usize) -> Outcome {
    let Key { delete, extra, calls, .. } = find(key)?;
    checked((calls.delete)(delete, on, key, value, extra)).map_err(|fault| fault.on(on))
}

fn delete_by(function: usize, on: MPI_Comm, key: c_int, value: usize, extra: usize) -> c_int {
    if function == NOTHING {
        return MPI_SUCCESS;
    }
    // SAFETY: the program has registered the function as a delete callback.
    let delete: Delete = unsafe { std::mem::transmute(function) };
    delete(on, key, value, extra)
}

/// Attributes that a duplicate of a communicator inherits.
pub(super) fn copies(on: MPI_Comm, attributes: &Attributes) -> Outcome<Attributes> {
    let mut copied = Attributes::default();
    for (key, value) in attributes.iter() {
        let Key { copy, extra, calls, .. } = find(key)?;
        let (code, new) = (calls.copy)(copy, on, key, extra, value);
        checked(code).map_err(|fault| fault.on(on))?;
        if let Some(new) = new {
            copied.set(key, new);
        }
    }
    Ok(copied)
}

fn copy_by(function: usize, on: MPI_Comm, key: c_int, extra: usize, value: usize) -> Copied {
    match function {
        NOTHING => (MPI_SUCCESS, None),
        DUPLICATE => (MPI_SUCCESS, Some(value)),
        function => {
            // SAFETY: the program has registered the function as a copy callback.
            let copy: Copy = unsafe { std::mem::transmute(function) };
            let (mut new, mut flag) = (0, 0);
            let code = copy(on, key, extra, value, &mut new, &mut flag);
            (code, (flag != 0).then_some(new))
        }
    }
}

fn checked(code: c_int) -> Outcome {
    if code == MPI_SUCCESS { Ok(()) } else { Err(Fault::new(code, "a function of an attribute failed")) }
}
