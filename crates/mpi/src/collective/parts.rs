//! Consecutive parts of a buffer.

use std::ops::Range;

use crate::error::Error;

/// Sum of all counts.
pub(super) fn total(counts: &[usize]) -> Result<usize, Error> {
    counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count)).ok_or(Error::Count(usize::MAX))
}

/// Byte range of each part.
pub(super) fn ranges(counts: &[usize]) -> Vec<Range<usize>> {
    let mut at = 0;
    let range = |count: &usize| {
        let range = at..at + count;
        at = range.end;
        range
    };
    counts.iter().map(range).collect()
}

/// Bytes of `ranks` parts of whole elements that differ by at most one element.
pub(super) fn split(bytes: usize, element: usize, ranks: usize) -> Vec<usize> {
    let elements = bytes / element.max(1);
    (0..ranks).map(|rank| (elements / ranks + usize::from(rank < elements % ranks)) * element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_equal_as_whole_elements_allow() {
        assert_eq!(split(44, 4, 4), [12, 12, 12, 8]);
        assert_eq!(split(4, 4, 3), [4, 0, 0]);
        assert_eq!(split(0, 0, 2), [0, 0]);
        assert_eq!(ranges(&[2, 0, 3]), [0..2, 2..2, 2..5]);
        assert_eq!(total(&[usize::MAX, 1]), Err(Error::Count(usize::MAX)));
    }
}
