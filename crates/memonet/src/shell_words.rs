//! Names and arguments as text. Text for a shell or a report keeps every byte, also of names that are not UTF-8.

use std::ffi::OsStr;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

/// A word as a shell has to see it. Bytes that are not UTF-8 are written as `$'\377'`, which Bash and the other shells
/// of POSIX 2024 turn back into the byte.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./=:,+@%".contains(letter);
    match word.to_str() {
        None => escaped(word),
        Some(word) if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
        Some(word) => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A command line that a shell splits into these words.
pub fn command_line<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// A name in a report: the name itself if it is UTF-8, otherwise the word that a shell takes for it.
pub fn text(name: impl AsRef<OsStr>) -> String {
    let name = name.as_ref();
    name.to_str().map_or_else(|| escaped(name), str::to_owned)
}

/// Serializes a path as [`text`].
pub fn path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    text(path).serialize(serializer)
}

/// Serializes an optional path as [`text`].
pub fn optional_path<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(text).serialize(serializer)
}

/// Serializes paths as [`text`].
pub fn paths<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(text))
}

/// The word in the quotes of `$'...'`. Escapes are octal with three digits, so that they end before any letter.
fn escaped(word: &OsStr) -> String {
    let mut text = String::from("$'");
    let escape = |text: &mut String, bytes: &[u8]| {
        bytes.iter().for_each(|byte| write!(text, "\\{byte:03o}").expect("text has room"));
    };
    for chunk in word.as_bytes().utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\'' | '\\' => text.extend(['\\', letter]),
                letter if letter.is_control() => escape(&mut text, letter.to_string().as_bytes()),
                letter => text.push(letter),
            }
        }
        escape(&mut text, chunk.invalid());
    }
    text.push('\'');
    text
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Names with everything that a shell could take for something else.
    const NAMES: [&[u8]; 9] = [
        b"./cg-1",
        b"two words",
        b"it's",
        b"",
        b"$HOME `id` \\n \"x\"",
        "caf\u{e9}".as_bytes(),
        b"caf\xe9",
        b"\xff7\\'\n\t\x01 $x \xf0\x9f",
        b"a\xc3\xa9\xe9b",
    ];

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(quoted("./cg-1"), "./cg-1");
        assert_eq!(quoted("two words"), "'two words'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted(OsStr::from_bytes(b"caf\xe9")), r"$'caf\351'");
    }

    #[test]
    fn shell_turns_every_word_back_into_its_bytes() {
        let line = command_line(NAMES.map(OsStr::from_bytes));
        let ran = Command::new("bash").args(["-c", &format!("printf '%s\\0' {line}")]).output().unwrap();
        let expected: Vec<u8> = NAMES.iter().flat_map(|name| [name, &b"\0"[..]].concat()).collect();
        assert_eq!(ran.stdout, expected, "{line}");
    }

    #[test]
    fn reports_have_names_as_they_are_or_with_every_byte() {
        assert_eq!(text("two 'words'"), "two 'words'");
        assert_eq!(text("caf\u{e9}"), "caf\u{e9}");
        assert_eq!(text(OsStr::from_bytes(b"a b\xe9\\")), r"$'a b\351\\'");
    }
}
