//! Scripts: files of lines, and lines of a stream, both with limits.

use std::io::{BufRead, Read};
use std::path::Path;

use files::FileError;

use crate::error::LineError;

/// Bytes of the longest script file.
const LONGEST_FILE: u64 = 16 << 20;

/// Bytes of the longest line.
pub(crate) const LONGEST_LINE: usize = 1 << 16;

/// The lines of a script in a regular file; reading another kind may block for ever. An empty script does nothing.
pub(crate) fn read(path: &Path) -> Result<Vec<Vec<u8>>, FileError> {
    let bytes = files::read_bytes(path, LONGEST_FILE)?;
    // Some editors begin a file with a byte order mark, which is not part of the first line.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    let lines = bytes.strip_suffix(b"\n").unwrap_or(bytes).split(|byte| *byte == b'\n');
    Ok(lines.map(|line| line.trim_ascii().to_vec()).collect())
}

/// The lines of a script as text, without blank ones and comments.
pub fn commands(path: &Path) -> Result<Vec<String>, FileError> {
    let mut commands = Vec::new();
    for (line, at) in read(path)?.into_iter().zip(1..) {
        let text =
            String::from_utf8(line).map_err(|_| FileError::NotText { path: path.to_owned(), line: at })?;
        if !text.is_empty() && !text.starts_with('#') {
            commands.push(text);
        }
    }
    Ok(commands)
}

/// The next line of a stream without surrounding blanks; `None` at the end.
pub(crate) fn next_line(from: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let mut line = Vec::new();
    let read = from.take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
    match read.map_err(|error| error.to_string())? {
        0 => Ok(None),
        length if length > LONGEST_LINE => Err(too_long()),
        _ => Ok(Some(line.trim_ascii().to_vec())),
    }
}

/// The text of a line. A line of other bytes is an error of that line alone.
pub(crate) fn text(line: &[u8]) -> Result<&str, LineError> {
    std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to();
        LineError::NotText { byte: line[at], place: at + 1 }
    })
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
        for line in [&b"v"[..], b"", b"h \xff", b"q"] {
            assert_eq!(next(), Some(line.to_vec()));
        }
        assert_eq!(next(), None);
        let mut endless = std::io::BufReader::new(std::io::repeat(0));
        assert_eq!(next_line(&mut endless), Err(too_long()));
    }
    #[test]
    fn bytes_that_are_no_text_are_an_error_of_their_line() {
        assert_eq!(text("v \u{e9}".as_bytes()), Ok("v \u{e9}"));
        let error = text(b"run 5\xff").unwrap_err().to_string();
        assert_eq!(error, "byte 6 of the line, 0xff, is not UTF-8 text; type the line again in UTF-8");
    }

    #[test]
    fn script_is_split_into_lines_without_its_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        for (bytes, lines) in [
            (&b""[..], vec![&b""[..]]),
            (b"v\n", vec![b"v"]),
            (b"\xef\xbb\xbfv\r\n\n h \xff\nq", vec![b"v", b"", b"h \xff", b"q"]),
        ] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(read(&path).unwrap(), lines);
        }
    }

    #[test]
    fn commands_of_a_script_are_its_lines_of_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        std::fs::write(&path, "\u{feff}# what it does\nrun 10\r\n\n  show\n").unwrap();
        assert_eq!(commands(&path).unwrap(), ["run 10", "show"]);
        std::fs::write(&path, b"run 10\nh \xff\n").unwrap();
        assert!(matches!(commands(&path), Err(FileError::NotText { line: 2, .. })));
    }
}
