//! Error classes, codes and texts of the standard and of the program (MPI 5.0, section 9.5). Programs may add them at
//! any time, before `MPI_Init` too.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::arguments::{Out, OutText, Text};
use crate::fault::{Fault, Outcome};
use crate::types::*;

/// An error class or code of the program.
struct Code {
    /// Class of the code; a class is its own.
    class: c_int,
    /// Text that the program has given.
    text: String,
}

/// Codes of the program by their numbers, all above `MPI_ERR_LASTCODE`.
static CODES: Mutex<BTreeMap<c_int, Code>> = Mutex::new(BTreeMap::new());
/// Value of the attribute `MPI_LASTUSEDCODE`.
static LAST: AtomicI32 = AtomicI32::new(MPI_ERR_LASTCODE);

fn codes() -> MutexGuard<'static, BTreeMap<c_int, Code>> {
    CODES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Largest error code in use, the value of `MPI_LASTUSEDCODE`.
pub(super) fn last() -> &'static AtomicI32 {
    &LAST
}

fn update_last(codes: &BTreeMap<c_int, Code>) {
    LAST.store(codes.last_key_value().map_or(MPI_ERR_LASTCODE, |(last, _)| *last), Ordering::Relaxed);
}

/// Adds a code of a class, or a class of its own.
fn add(class: Option<c_int>) -> c_int {
    let mut codes = codes();
    let number = codes.last_key_value().map_or(MPI_ERR_LASTCODE, |(last, _)| *last) + 1;
    codes.insert(number, Code { class: class.unwrap_or(number), text: String::new() });
    update_last(&codes);
    number
}

/// `MPI_Add_error_class`.
pub fn add_error_class(class: Out<c_int>) -> Outcome {
    class.set(add(None))
}

/// `MPI_Add_error_code`.
pub fn add_error_code(class: c_int, code: Out<c_int>) -> Outcome {
    let own = codes().get(&class).is_some_and(|found| found.class == class);
    if !own && name(class).is_none() {
        return Err(Fault::new(MPI_ERR_ARG, format!("{class} is no error class")));
    }
    code.set(add(Some(class)))
}

/// `MPI_Add_error_string`. An empty text removes the old one.
pub fn add_error_string(code: c_int, text: Text) -> Outcome {
    let text = text.get()?;
    if text.len() >= MPI_MAX_ERROR_STRING as usize {
        let why = format!("the text of an error has at most {} bytes", MPI_MAX_ERROR_STRING - 1);
        return Err(Fault::new(MPI_ERR_ARG, why));
    }
    change(code, |found| found.text = text)
}

/// `MPI_Remove_error_string`.
pub fn remove_error_string(code: c_int) -> Outcome {
    let has_text = codes().get(&code).is_some_and(|found| !found.text.is_empty());
    if !has_text {
        return Err(Fault::new(MPI_ERR_ARG, format!("the program has given no text for error {code}")));
    }
    change(code, |found| found.text.clear())
}

fn change(code: c_int, change: impl FnOnce(&mut Code)) -> Outcome {
    match codes().get_mut(&code) {
        Some(found) => {
            change(found);
            Ok(())
        }
        None => Err(Fault::new(MPI_ERR_ARG, format!("{code} is no error code of the program"))),
    }
}

/// `MPI_Remove_error_class`.
pub fn remove_error_class(class: c_int) -> Outcome {
    let mut codes = codes();
    if codes.get(&class).is_none_or(|found| found.class != class) {
        return Err(Fault::new(MPI_ERR_ARG, format!("{class} is no error class of the program")));
    }
    if codes.iter().any(|(code, found)| *code != class && found.class == class) {
        return Err(Fault::new(MPI_ERR_OTHER, format!("error class {class} still has codes")));
    }
    codes.remove(&class);
    update_last(&codes);
    Ok(())
}

/// `MPI_Remove_error_code`.
pub fn remove_error_code(code: c_int) -> Outcome {
    let mut codes = codes();
    if codes.get(&code).is_none_or(|found| found.class == code) {
        return Err(Fault::new(MPI_ERR_ARG, format!("{code} is no error code of the program")));
    }
    codes.remove(&code);
    update_last(&codes);
    Ok(())
}

/// `MPI_Error_class`: error codes and classes of the standard are equal.
pub fn error_class(code: c_int, class: Out<c_int>) -> Outcome {
    class.set(codes().get(&code).map_or(code, |found| found.class))
}

/// `MPI_Error_string`.
pub fn error_string(code: c_int, string: OutText, length: Out<c_int>) -> Outcome {
    length.set(string.set(&text(code), MPI_MAX_ERROR_STRING as usize)? as c_int)
}

/// Text of an error code.
pub(super) fn text(code: c_int) -> String {
    if let Some(found) = codes().get(&code) {
        return found.text.clone();
    }
    name(code).map_or_else(|| format!("error {code}"), str::to_owned)
}

/// Name of an error class of the standard.
fn name(code: c_int) -> Option<&'static str> {
    let is = |constant: &&Constant| {
        constant.value == i64::from(code)
            && ["MPI_ERR_", "MPI_T_ERR_"].iter().any(|begin| constant.name.starts_with(begin))
            || constant.value == i64::from(code) && constant.name == "MPI_SUCCESS"
    };
    all().find(|constant| constant.kind.is_empty() && is(constant)).map(|constant| constant.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_classes_and_are_removed_before_them() {
        let (mut class, mut code, mut found) = (0, 0, 0);
        add_error_class((&raw mut class).into()).unwrap();
        add_error_code(class, (&raw mut code).into()).unwrap();
        error_class(code, (&raw mut found).into()).unwrap();
        assert!(class > MPI_ERR_LASTCODE && code > class && found == class);
        assert_eq!(last().load(Ordering::Relaxed), code);
        assert_eq!((text(class), text(MPI_ERR_ARG)), (String::new(), "MPI_ERR_ARG".to_owned()));
        assert_eq!(remove_error_class(class).unwrap_err().class, MPI_ERR_OTHER);
        assert_eq!(remove_error_code(class).unwrap_err().class, MPI_ERR_ARG);
        assert_eq!(remove_error_class(MPI_ERR_ARG).unwrap_err().class, MPI_ERR_ARG);
        assert_eq!(add_error_code(code, (&raw mut found).into()).unwrap_err().class, MPI_ERR_ARG);
        remove_error_code(code).unwrap();
        remove_error_class(class).unwrap();
        assert_eq!(last().load(Ordering::Relaxed), MPI_ERR_LASTCODE);
    }
}
