//! Datatypes chosen by decimal precision and range, with the kinds of gfortran, and by class and size (MPI 5.0, section
//! 19.1.6).

use mpi::{Class, Contents, Datatype};

use super::datatype::add;
use crate::arguments::Out;
use crate::fault::{Fault, Outcome};
use crate::objects::{predefined, within};
use crate::types::*;

/// A kind of Fortran: decimal digits, decimal exponent, and its datatype.
type Choice = (c_int, c_int, MPI_Datatype);

const INTEGERS: &[Choice] = &[
    (0, 2, MPI_INTEGER1),
    (0, 4, MPI_INTEGER2),
    (0, 9, MPI_INTEGER4),
    (0, 18, MPI_INTEGER8),
    (0, 38, MPI_INTEGER16),
];
const REALS: &[Choice] =
    &[(6, 37, MPI_REAL4), (15, 307, MPI_REAL8), (18, 4931, MPI_LONG_DOUBLE), (33, 4931, MPI_REAL16)];
const COMPLEXES: &[Choice] = &[
    (6, 37, MPI_COMPLEX8),
    (15, 307, MPI_COMPLEX16),
    (18, 4931, MPI_C_LONG_DOUBLE_COMPLEX),
    (33, 4931, MPI_COMPLEX32),
];

/// `MPI_Type_create_f90_integer`.
pub fn type_create_f90_integer(range: c_int, new: Out<MPI_Datatype>) -> Outcome {
    create(Class::Integer, MPI_UNDEFINED, range, new)
}

/// `MPI_Type_create_f90_real`.
pub fn type_create_f90_real(precision: c_int, range: c_int, new: Out<MPI_Datatype>) -> Outcome {
    create(Class::Floating, precision, range, new)
}

/// `MPI_Type_create_f90_complex`.
pub fn type_create_f90_complex(precision: c_int, range: c_int, new: Out<MPI_Datatype>) -> Outcome {
    create(Class::Complex, precision, range, new)
}

/// Combiner of a class of numbers, and its kinds in ascending order.
pub(super) fn of_class(class: Class) -> (c_int, &'static [Choice]) {
    match class {
        Class::Integer => (MPI_COMBINER_F90_INTEGER, INTEGERS),
        Class::Complex => (MPI_COMBINER_F90_COMPLEX, COMPLEXES),
        _ => (MPI_COMBINER_F90_REAL, REALS),
    }
}

/// Returns the datatype for a precision and range, the same one for equal arguments.
fn create(class: Class, precision: c_int, range: c_int, new: Out<MPI_Datatype>) -> Outcome {
    let (combiner, choices) = of_class(class);
    let wanted = |number: c_int| (number != MPI_UNDEFINED).then_some(number);
    let (digits, exponent) = (wanted(precision), wanted(range));
    let fits = |(most, furthest, _): &&Choice| {
        digits.is_none_or(|digits| digits <= *most) && exponent.is_none_or(|exponent| exponent <= *furthest)
    };
    let undefined = digits.is_none() && exponent.is_none();
    let found = choices.iter().find(fits).filter(|_| !undefined);
    let (_, _, named) = found.ok_or_else(|| {
        Fault::new(MPI_ERR_ARG, format!("no kind of Fortran has precision {precision} and range {range}"))
    })?;
    let key = (combiner, precision, range);
    if let Some(made) = within(|objects| Ok(objects.f90_datatypes.get(&key).copied()))? {
        return new.set(made);
    }
    let kind = predefined(*named).and_then(|named| named.layout.kind()).expect("it is a predefined datatype");
    let handle = add(Datatype::f90(class, digits, exponent, kind, named.value() as u64), true)?;
    within(|objects| {
        objects.f90_datatypes.insert(key, handle);
        Ok(())
    })?;
    new.set(handle)
}

/// Handle of a layout that was made by precision and range.
pub(super) fn handle(layout: &Datatype) -> Outcome<MPI_Datatype> {
    within(|objects| {
        let is = |handle: &&MPI_Datatype| {
            objects.datatypes.get(**handle).is_ok_and(|found| found.layout == *layout)
        };
        let found = objects.f90_datatypes.values().find(is).copied();
        found.ok_or_else(|| Fault::new(MPI_ERR_INTERN, "the datatype of a precision is gone"))
    })
}

/// Predefined datatype of a layout that was made by precision and range.
pub(super) fn named(layout: &Datatype) -> Option<MPI_Datatype> {
    match layout.contents() {
        Contents::F90 { label, .. } => Some(MPI_Datatype::of(*label as usize)),
        _ => None,
    }
}

/// `MPI_Type_match_size`.
pub fn type_match_size(class: c_int, size: c_int, new: Out<MPI_Datatype>) -> Outcome {
    let choices: &[(c_int, MPI_Datatype)] = match class {
        MPI_TYPECLASS_INTEGER => {
            &[(1, MPI_INTEGER1), (2, MPI_INTEGER2), (4, MPI_INTEGER4), (8, MPI_INTEGER8), (16, MPI_INTEGER16)]
        }
        MPI_TYPECLASS_REAL => &[(2, MPI_REAL2), (4, MPI_REAL4), (8, MPI_REAL8), (16, MPI_REAL16)],
        MPI_TYPECLASS_COMPLEX => {
            &[(4, MPI_COMPLEX4), (8, MPI_COMPLEX8), (16, MPI_COMPLEX16), (32, MPI_COMPLEX32)]
        }
        other => return Err(Fault::new(MPI_ERR_ARG, format!("{other} is no class of datatypes"))),
    };
    let found = choices.iter().find(|(bytes, _)| *bytes == size);
    let found =
        found.ok_or_else(|| Fault::new(MPI_ERR_ARG, format!("no datatype of the class has {size} bytes")));
    new.set(found?.1)
}

/// `MPI_Type_get_value_index`: the named pair of both datatypes, or null.
pub fn type_get_value_index(value: MPI_Datatype, index: MPI_Datatype, pair: Out<MPI_Datatype>) -> Outcome {
    for kind in [value, index] {
        crate::objects::any_datatype(kind)?;
    }
    pair.set(match (value, index) {
        (MPI_FLOAT, MPI_INT) => MPI_FLOAT_INT,
        (MPI_DOUBLE, MPI_INT) => MPI_DOUBLE_INT,
        (MPI_LONG, MPI_INT) => MPI_LONG_INT,
        (MPI_INT, MPI_INT) => MPI_2INT,
        (MPI_SHORT, MPI_INT) => MPI_SHORT_INT,
        (MPI_LONG_DOUBLE, MPI_INT) => MPI_LONG_DOUBLE_INT,
        (MPI_REAL, MPI_REAL) => MPI_2REAL,
        (MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION) => MPI_2DOUBLE_PRECISION,
        (MPI_INTEGER, MPI_INTEGER) => MPI_2INTEGER,
        _ => MPI_DATATYPE_NULL,
    })
}
