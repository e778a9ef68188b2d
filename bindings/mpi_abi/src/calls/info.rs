//! Info objects: lists of keys and values. Programs may use them before `MPI_Init` and
//! after `MPI_Finalize` (MPI 5.0, section 11.4.1).

use crate::arguments::{Out, OutText, Text};
use crate::fault::{Fault, Outcome};
use crate::objects::with;
use crate::types::*;

/// `MPI_Info_create`.
pub fn info_create(info: Out<MPI_Info>) -> Outcome {
    info.set(with(|objects| Ok(objects.infos.add(Vec::new())))?)
}

/// Returns a new info object with these entries.
pub(super) fn info_of(info: Out<MPI_Info>, entries: Vec<(String, String)>) -> Outcome {
    info.set(with(|objects| objects.infos.add(entries)))
}

/// Entries of an info object; none of `MPI_INFO_NULL`.
pub(super) fn entries(info: MPI_Info) -> Outcome<Vec<(String, String)>> {
    if info == MPI_INFO_NULL {
        return Ok(Vec::new());
    }
    with(|objects| objects.infos.get(info).cloned())
}

/// Adds hints to those of an object, in place of older ones with the same keys.
pub(super) fn merge(own: &mut Vec<(String, String)>, new: Vec<(String, String)>) {
    own.retain(|(key, _)| new.iter().all(|(other, _)| other != key));
    own.extend(new);
}

/// `MPI_Info_create_env`: returns an empty object.
pub fn info_create_env(_argc: c_int, _argv: Out<*mut c_char>, info: Out<MPI_Info>) -> Outcome {
    info_create(info)
}

/// `MPI_Info_dup`.
pub fn info_dup(info: MPI_Info, new: Out<MPI_Info>) -> Outcome {
    new.set(with(|objects| {
        let entries = objects.infos.get(info)?.clone();
        Ok(objects.infos.add(entries))
    })?)
}

/// `MPI_Info_free`.
pub fn info_free(info: Out<MPI_Info>) -> Outcome {
    let freed = info.get()?;
    with(|objects| objects.infos.free(freed))?;
    info.set(MPI_INFO_NULL)
}

/// `MPI_Info_set`.
pub fn info_set(info: MPI_Info, key: Text, value: Text) -> Outcome {
    let (key, value) = (key.get()?, value.get()?);
    let long = |text: &str, most: c_int, class| match text.is_empty() || text.len() >= most as usize {
        true => Err(Fault::new(class, format!("keys and values have 1 to {} bytes", most - 1))),
        false => Ok(()),
    };
    long(&key, MPI_MAX_INFO_KEY, MPI_ERR_INFO_KEY)?;
    long(&value, MPI_MAX_INFO_VAL, MPI_ERR_INFO_VALUE)?;
    with(|objects| {
        let entries = objects.infos.get_mut(info)?;
        match entries.iter_mut().find(|entry| entry.0 == key) {
            Some(entry) => entry.1 = value,
            None => entries.push((key, value)),
        }
        Ok(())
    })
}

/// Value of a key; `None` without the key, or for `MPI_INFO_NULL`.
pub(super) fn value(info: MPI_Info, key: &str) -> Outcome<Option<String>> {
    if info == MPI_INFO_NULL {
        return Ok(None);
    }
    with(|objects| {
        let entries = objects.infos.get(info)?;
        Ok(entries.iter().find(|entry| entry.0 == key).map(|entry| entry.1.clone()))
    })
}

/// Sets the value of a key, unless the object is `MPI_INFO_NULL`.
pub(super) fn set_value(info: MPI_Info, key: &str, value: &str) -> Outcome {
    if info == MPI_INFO_NULL {
        return Ok(());
    }
    with(|objects| {
        let entries = objects.infos.get_mut(info)?;
        entries.retain(|entry| entry.0 != key);
        entries.push((key.to_owned(), value.to_owned()));
        Ok(())
    })
}

/// `MPI_Info_delete`.
pub fn info_delete(info: MPI_Info, key: Text) -> Outcome {
    let key = key.get()?;
    with(|objects| {
        let entries = objects.infos.get_mut(info)?;
        let at = entries.iter().position(|entry| entry.0 == key);
        let at = at.ok_or_else(|| Fault::new(MPI_ERR_INFO_NOKEY, format!("there is no key `{key}`")))?;
        entries.remove(at);
        Ok(())
    })
}

/// `MPI_Info_get_nkeys`.
pub fn info_get_nkeys(info: MPI_Info, count: Out<c_int>) -> Outcome {
    count.set(with(|objects| Ok(objects.infos.get(info)?.len()))? as c_int)
}

/// `MPI_Info_get_nthkey`.
pub fn info_get_nthkey(info: MPI_Info, number: c_int, key: OutText) -> Outcome {
    let entries = with(|objects| objects.infos.get(info).cloned())?;
    let entry = usize::try_from(number).ok().and_then(|number| entries.get(number));
    let entry = entry.ok_or_else(|| Fault::new(MPI_ERR_ARG, format!("there is no key number {number}")))?;
    key.set(&entry.0, MPI_MAX_INFO_KEY as usize).map(|_| ())
}

/// `MPI_Info_get_string`.
pub fn info_get_string(
    info: MPI_Info,
    key: Text,
    room: Out<c_int>,
    value: OutText,
    flag: Out<c_int>,
) -> Outcome {
    if let Some(text) = find(info, key, flag)? {
        let bytes = room.get()?;
        if bytes > 0 {
            value.set(&text, bytes as usize)?;
        }
        room.set(text.len() as c_int + 1)?;
    }
    Ok(())
}

/// `MPI_Info_get`: the length excludes the terminating zero.
pub fn info_get(info: MPI_Info, key: Text, room: c_int, value: OutText, flag: Out<c_int>) -> Outcome {
    match find(info, key, flag)? {
        Some(text) => value.set(&text, room.max(0) as usize + 1).map(|_| ()),
        None => Ok(()),
    }
}

/// `MPI_Info_get_valuelen`.
pub fn info_get_valuelen(info: MPI_Info, key: Text, length: Out<c_int>, flag: Out<c_int>) -> Outcome {
    match find(info, key, flag)? {
        Some(text) => length.set(text.len() as c_int),
        None => Ok(()),
    }
}

/// Value of a key; stores in `flag` whether the key exists.
fn find(info: MPI_Info, key: Text, flag: Out<c_int>) -> Outcome<Option<String>> {
    let key = key.get()?;
    let entries = with(|objects| objects.infos.get(info).cloned())?;
    let found = entries.into_iter().find(|entry| entry.0 == key);
    flag.set(found.is_some().into())?;
    Ok(found.map(|(_, value)| value))
}
