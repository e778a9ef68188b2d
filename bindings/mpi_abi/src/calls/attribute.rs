//! Attributes of communicators, datatypes and windows: values that programs store under keys, and the predefined attributes of
//! the standard.
#![allow(unsafe_code)]

use std::sync::atomic::AtomicI32;

use super::error_code;
use crate::arguments::{Memory, Out};
use crate::fault::{Fault, Outcome};
use crate::objects::{Attributed, Attributes, Calls, Copied, Key, Owner, communicator, within};
use crate::slot;
use crate::types::*;

/// Copy callback of a key: `(old, key, extra, value, new value, flag)`. A handle of 32 bits is the lower half of its
/// register.
type Copy = extern "C" fn(usize, c_int, usize, usize, *mut usize, *mut c_int) -> c_int;
/// Delete callback of a key: `(object, key, value, extra)`.
type Delete = extern "C" fn(usize, c_int, usize, usize) -> c_int;

/// Callbacks of C programs.
static OF_C: Calls = Calls { copy: copy_by, delete: delete_by };

/// `MPI_COMM_NULL_COPY_FN`, `MPI_COMM_NULL_DELETE_FN` and those of datatypes.
const NOTHING: usize = 0;
/// `MPI_COMM_DUP_FN` and `MPI_TYPE_DUP_FN`: copies the value.
const DUPLICATE: usize = 1;

/// First key of programs, above the keys of the standard.
const FIRST: c_int = 0x1000;

/// `MPI_Comm_create_keyval`.
pub fn comm_create_keyval(copy: Memory, delete: Memory, key: Out<c_int>, extra: Memory) -> Outcome {
    create_of_c(Owner::Communicator, copy, delete, key, extra)
}

/// `MPI_Type_create_keyval`.
pub fn type_create_keyval(copy: Memory, delete: Memory, key: Out<c_int>, extra: Memory) -> Outcome {
    create_of_c(Owner::Datatype, copy, delete, key, extra)
}

pub(super) fn create_of_c(
    owner: Owner,
    copy: Memory,
    delete: Memory,
    key: Out<c_int>,
    extra: Memory,
) -> Outcome {
    let [copy, delete, extra] = [copy, delete, extra].map(Memory::address);
    create(Key { owner, copy, delete, extra, calls: &OF_C, uses: 0, freed: false }, key)
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
    free(Owner::Communicator, key)
}

/// `MPI_Type_free_keyval`.
pub fn type_free_keyval(key: Out<c_int>) -> Outcome {
    free(Owner::Datatype, key)
}

pub(super) fn free(owner: Owner, key: Out<c_int>) -> Outcome {
    let number = key.get()?;
    find(owner, number)?;
    change_uses(number, |key| key.freed = true)?;
    key.set(MPI_KEYVAL_INVALID)
}

/// Changes a key, which is removed if it is freed and has no attributes.
fn change_uses(number: c_int, change: impl FnOnce(&mut Key)) -> Outcome {
    within(|objects| {
        if let Some(key) = objects.keys.get_mut(&number) {
            change(key);
            if key.freed && key.uses == 0 {
                objects.keys.remove(&number);
            }
        }
        Ok(())
    })
}

/// A key for an object of this kind, which the program may have freed while attributes use it.
fn find(owner: Owner, key: c_int) -> Outcome<Key> {
    let found = within(|objects| Ok(objects.keys.get(&key).copied()))?.filter(|found| found.owner == owner);
    found.ok_or_else(|| Fault::new(MPI_ERR_KEYVAL, format!("{key} is no key of this kind of object")))
}

/// `MPI_Comm_set_attr`.
pub fn comm_set_attr(on: MPI_Comm, key: c_int, value: Memory) -> Outcome {
    set(on, key, value.address())
}

/// `MPI_Type_set_attr`.
pub fn type_set_attr(on: MPI_Datatype, key: c_int, value: Memory) -> Outcome {
    set(on, key, value.address())
}

/// Sets an attribute and deletes its old value.
pub fn set<H: Attributed>(on: H, key: c_int, value: usize) -> Outcome {
    let found = find(H::OWNER, key).map_err(|fault| on.assign(fault))?;
    if found.freed {
        return Err(on.assign(Fault::new(MPI_ERR_KEYVAL, format!("key {key} is freed"))));
    }
    match stored(on, key)? {
        Some(old) => delete(on, key, old)?,
        None => change_uses(key, |key| key.uses += 1)?,
    }
    within(|objects| {
        on.attributes(objects)?.set(key, value);
        Ok(())
    })
}

fn stored<H: Attributed>(on: H, key: c_int) -> Outcome<Option<usize>> {
    within(|objects| Ok(on.attributes(objects)?.get(key)))
}

/// Value of an attribute.
pub enum Value {
    /// Value of a predefined attribute.
    Standard(&'static AtomicI32),
    /// Value set by the program.
    Program(usize),
}

/// Value of an attribute of a communicator, if it is set.
pub fn get(on: MPI_Comm, key: c_int) -> Outcome<Option<Value>> {
    static TAG_UB: AtomicI32 = AtomicI32::new(c_int::MAX);
    static NO_HOST: AtomicI32 = AtomicI32::new(MPI_PROC_NULL);
    static ANYBODY: AtomicI32 = AtomicI32::new(MPI_ANY_SOURCE);
    static YES: AtomicI32 = AtomicI32::new(1);
    communicator(on)?;
    Ok(match key {
        MPI_TAG_UB => Some(Value::Standard(&TAG_UB)),
        MPI_HOST => Some(Value::Standard(&NO_HOST)),
        MPI_IO => Some(Value::Standard(&ANYBODY)),
        MPI_WTIME_IS_GLOBAL => Some(Value::Standard(&YES)),
        MPI_LASTUSEDCODE => Some(Value::Standard(error_code::last())),
        MPI_APPNUM => Some(Value::Standard(slot::program_number())),
        MPI_UNIVERSE_SIZE => None,
        key => get_stored(on, key)?.map(Value::Program),
    })
}

/// Value of an attribute that the program has set.
pub fn get_stored<H: Attributed>(on: H, key: c_int) -> Outcome<Option<usize>> {
    let found = stored(on, key)?;
    find(H::OWNER, key).map_err(|fault| on.assign(fault))?;
    Ok(found)
}

/// `MPI_Comm_get_attr`. Predefined attributes are returned as addresses of integers.
pub fn comm_get_attr(on: MPI_Comm, key: c_int, value: Memory, flag: Out<c_int>) -> Outcome {
    let found = get(on, key)?;
    flag.set(found.is_some().into())?;
    match found {
        Some(Value::Standard(number)) => value.set_word(number.as_ptr() as usize),
        Some(Value::Program(word)) => value.set_word(word),
        None => Ok(()),
    }
}

/// `MPI_Type_get_attr`.
pub fn type_get_attr(on: MPI_Datatype, key: c_int, value: Memory, flag: Out<c_int>) -> Outcome {
    let found = get_stored(on, key)?;
    flag.set(found.is_some().into())?;
    found.map_or(Ok(()), |word| value.set_word(word))
}

/// `MPI_Comm_delete_attr`.
pub fn comm_delete_attr(on: MPI_Comm, key: c_int) -> Outcome {
    delete_attr(on, key)
}

/// `MPI_Type_delete_attr`.
pub fn type_delete_attr(on: MPI_Datatype, key: c_int) -> Outcome {
    delete_attr(on, key)
}

pub(super) fn delete_attr<H: Attributed>(on: H, key: c_int) -> Outcome {
    match get_stored(on, key)? {
        Some(old) => remove(on, key, old),
        None => Err(on.assign(Fault::new(MPI_ERR_KEYVAL, "the object has no such attribute"))),
    }
}

/// Deletes all attributes of an object in reverse order of setting (MPI 5.0, sections 7.7.2 and 11.2.4).
pub(super) fn forget_all<H: Attributed>(on: H) -> Outcome {
    // Callbacks may delete or set other attributes; those set meanwhile go with the object.
    for key in within(|objects| Ok(on.attributes(objects)?.keys()))?.into_iter().rev() {
        if let Some(value) = stored(on, key)? {
            remove(on, key, value)?;
        }
    }
    Ok(())
}

/// Deletes an attribute; if its callback fails, the attribute stays.
fn remove<H: Attributed>(on: H, key: c_int, value: usize) -> Outcome {
    delete(on, key, value)?;
    within(|objects| {
        on.attributes(objects)?.remove(key);
        Ok(())
    })?;
    change_uses(key, |key| key.uses -= 1)
}

fn delete<H: Attributed>(on: H, key: c_int, value: usize) -> Outcome {
    let Key { delete, extra, calls, .. } = find(H::OWNER, key)?;
    checked((calls.delete)(delete, on.value(), key, value, extra)).map_err(|fault| on.assign(fault))
}

fn delete_by(function: usize, on: usize, key: c_int, value: usize, extra: usize) -> c_int {
    if function == NOTHING {
        return MPI_SUCCESS;
    }
    // SAFETY: the program has registered the function as a delete callback.
    let delete: Delete = unsafe { std::mem::transmute(function) };
    delete(on, key, value, extra)
}

/// Attributes that a duplicate of an object inherits.
pub(super) fn copies<H: Attributed>(on: H) -> Outcome<Attributes> {
    let mut copied = Attributes::default();
    let attributes = within(|objects| Ok(on.attributes(objects)?.clone()))?;
    for (key, value) in attributes.iter() {
        let Key { copy, extra, calls, .. } = find(H::OWNER, key)?;
        let (code, new) = (calls.copy)(copy, on.value(), key, extra, value);
        checked(code).map_err(|fault| on.assign(fault))?;
        if let Some(new) = new {
            copied.set(key, new);
            change_uses(key, |key| key.uses += 1)?;
        }
    }
    Ok(copied)
}

fn copy_by(function: usize, on: usize, key: c_int, extra: usize, value: usize) -> Copied {
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

/// Number of a predefined attribute, for Fortran.
pub fn number(value: &AtomicI32) -> c_int {
    value.load(std::sync::atomic::Ordering::Relaxed)
}
