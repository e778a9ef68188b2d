//! Scripts: files of lines, and lines of a stream, both with limits.

use std::io::{BufRead, Read};
use std::path::Path;

use files::FileError;

/// Bytes of the longest script file.
const LONGEST_FILE: u64 = 16 << 20;

/// Bytes of the longest line.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

/// Reads a script from a regular file; reading another kind may block for ever. An empty script does nothing.
pub(crate) fn read(path: &Path) -> Result<String, FileError> {
    match files::read(path, LONGEST_FILE) {
        Err(FileError::Empty { .. }) => Ok(String::new()),
        read => read,
    }
}

/// The next line of a stream without surrounding blanks; `None` at the end.
pub(crate) fn next_line(from: &mut impl BufRead) -> Result<Option<String>, String> {
    let mut line = Vec::new();
    let read = from.take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
    match read.map_err(|error| error.to_string())? {
        0 => Ok(None),
        length if length > LONGEST_LINE => Err(too_long()),
        _ => Ok(Some(String::from_utf8_lossy(&line).trim().to_string())),
    }
}

pub(crate) fn too_long() -> String {
    format!("the line is longer than {LONGEST_LINE} bytes; write several")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_an_endless_one_is_refused() {
        let mut text = &b"v\r\n\n h \xff\nq"[..];
        let mut next = || next_line(&mut text).unwrap();
        assert_eq!([next(), next()], [Some("v".to_string()), Some(String::new())]);
        assert_eq!([next(), next()], [Some("h \u{fffd}".to_string()), Some("q".to_string())]);
        assert_eq!(next(), None);
        let mut endless = std::io::BufReader::new(std::io::repeat(0));
        assert_eq!(next_line(&mut endless), Err(too_long()));
    }
}
