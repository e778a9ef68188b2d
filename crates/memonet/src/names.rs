//! Names under which other MPI implementations have their programs: a link with such a name is the command.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Names of links and their commands; `ci/layout` makes the links.
const NAMES: [(&str, &str); 9] = [
    ("mpirun", "mpirun"),
    ("mpiexec", "mpirun"),
    ("mpicc", "mpicc"),
    ("mpicxx", "mpicxx"),
    ("mpic++", "mpicxx"),
    ("mpiCC", "mpicxx"),
    ("mpifort", "mpifort"),
    ("mpif90", "mpifort"),
    ("mpif77", "mpifort"),
];

/// Words of the command line, with the command if the program was called under its name.
pub fn arguments() -> Vec<OsString> {
    named(std::env::args_os().collect())
}

fn named(mut words: Vec<OsString>) -> Vec<OsString> {
    let name = words.first().and_then(|word| Path::new(word).file_name());
    let command = NAMES.iter().find(|(own, _)| name.is_some_and(|name| name.as_bytes() == own.as_bytes()));
    if let Some((_, command)) = command {
        words.splice(0..1, ["memonet".into(), command.into()]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_with_the_name_of_a_command_is_the_command() {
        let named = |words: &[&str]| named(words.iter().map(OsString::from).collect());
        assert_eq!(named(&["/opt/bin/mpiexec", "-n", "2"]), ["memonet", "mpirun", "-n", "2"]);
        assert_eq!(named(&["mpif90", "a.f90"]), ["memonet", "mpifort", "a.f90"]);
        assert_eq!(named(&["./memonet", "mpicc"]), ["./memonet", "mpicc"]);
        assert!(named(&[]).is_empty());
    }

    #[test]
    fn an_installation_has_all_names() {
        let layout = include_str!("../../../ci/layout");
        for (name, _) in NAMES {
            assert!(
                layout.split(|letter: char| letter.is_whitespace() || letter == ';').any(|word| word == name),
                "{name}"
            );
        }
    }
}
