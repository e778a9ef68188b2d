//! Line numbers of positions in a text.

/// Byte offsets at which the lines of a text begin.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    /// Finds the lines of a text.
    pub fn of(text: &str) -> Self {
        Lines(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1).collect())
    }

    /// Line of a byte offset, counted from 1.
    pub fn line(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|begin| *begin <= byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_1() {
        let lines = Lines::of("ab\n\nc");
        assert_eq!([0, 1, 2, 3, 4, 9].map(|byte| lines.line(byte)), [1, 1, 1, 2, 3, 3]);
    }
}
