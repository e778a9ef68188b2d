//! Line numbers of what stands at a byte of a text.

/// Where the lines of a text begin.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    /// Those of this text.
    pub fn of(text: &str) -> Self {
        Lines(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1).collect())
    }

    /// The line of the byte, counted from 1.
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
