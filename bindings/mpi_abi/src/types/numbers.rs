//! Numbers of datatypes, operations and error classes in calls of the simulator: those of the standard ABI.
//! This module converts those of the compiled ABI by name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::*;

type Map = BTreeMap<i64, i64>;

static NUMBERS_OF_DATATYPES: LazyLock<Map> = LazyLock::new(|| map(DATATYPES, standard::DATATYPES));
static DATATYPES_OF_NUMBERS: LazyLock<Map> = LazyLock::new(|| map(standard::DATATYPES, DATATYPES));
static NUMBERS_OF_OPERATIONS: LazyLock<Map> = LazyLock::new(|| map(OPS, standard::OPS));
static CLASSES: LazyLock<Map> = LazyLock::new(|| map(standard::ERRORS, ERRORS));

/// Map from the values of one list to the values of the same names in the other.
fn map(from: &[Constant], to: &[Constant]) -> Map {
    let other = |name| to.iter().find(|constant| constant.name == name).map(|constant| constant.value);
    from.iter().filter_map(|constant| Some((constant.value, other(constant.name)?))).collect()
}

/// Number of a predefined datatype.
pub fn number_of_datatype(handle: MPI_Datatype) -> Option<u32> {
    NUMBERS_OF_DATATYPES.get(&(handle.value() as i64)).map(|number| *number as u32)
}

/// Predefined datatype with this number.
pub fn datatype_of_number(number: u32) -> Option<MPI_Datatype> {
    DATATYPES_OF_NUMBERS.get(&number.into()).map(|value| MPI_Datatype::of(*value as usize))
}

/// Number of a predefined operation.
pub fn number_of_operation(handle: MPI_Op) -> Option<u32> {
    let found = NUMBERS_OF_OPERATIONS.get(&(handle.value() as i64)).map(|number| *number as u32);
    found.filter(|_| handle != MPI_OP_NULL)
}

/// Error class with this number in the standard ABI; codes of programs are unchanged.
pub fn class(number: i32) -> c_int {
    CLASSES.get(&number.into()).map_or(number, |class| *class as c_int)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datatypes_operations_and_classes_have_unique_numbers() {
        for (from, to) in [(DATATYPES, standard::DATATYPES), (OPS, standard::OPS), (ERRORS, standard::ERRORS)]
        {
            let numbers = map(from, to);
            assert_eq!(numbers.len(), to.len());
            let mut values: Vec<_> = numbers.into_values().collect();
            values.sort_unstable();
            values.dedup();
            assert_eq!(values.len(), to.len(), "{}", to[0].name);
        }
        assert_eq!(number_of_operation(MPI_SUM), Some(0x21));
        assert_eq!(number_of_operation(MPI_OP_NULL), None);
        assert_eq!(class(15), MPI_ERR_TRUNCATE);
        assert_eq!(class(12345), 12345);
    }

    #[test]
    fn status_returns_the_values_that_were_set() {
        let mut status = MPI_Status::EMPTY;
        for bytes in [0, 1, u64::from(u32::MAX), 1 << 32, (1 << 40) + 7] {
            for cancelled in [true, false] {
                status.set_bytes(bytes);
                status.set_cancelled(cancelled);
                assert_eq!((status.bytes(), status.cancelled()), (bytes, cancelled));
            }
        }
        assert_eq!((status.MPI_SOURCE, status.MPI_TAG), (MPI_ANY_SOURCE, MPI_ANY_TAG));
    }
}
