//! Command lines of `mpirun` as other launchers spell them, rewritten for the parser.

use std::ffi::OsString;

use super::what_if;

/// Word between two programs of one run.
pub const SEPARATOR: &str = ":";

/// Options with one dash, and their names here.
const ONE_DASH: [(&str, &str); 9] = [
    ("-np", "--np"),
    ("-env", "--env"),
    ("-genv", "--genv"),
    ("-wdir", "--wdir"),
    ("-wd", "--wdir"),
    ("-host", "--host"),
    ("-hosts", "--host"),
    ("-hostfile", "--hostfile"),
    ("-machinefile", "--hostfile"),
];

/// Rewrites the words behind the command: options with one dash get two, `--what-if` is repeated before each
/// of several choices, and the first of several programs gets one rank if no number is given.
pub fn words(mut words: Vec<OsString>) -> Vec<OsString> {
    let (mut at, mut has_ranks) = (0, false);
    // Options come before the program, each with its values behind it or within it.
    while let Some(word) = words.get(at).filter(|word| word.as_encoded_bytes().starts_with(b"-")) {
        let Some(text) = word.to_str() else { break };
        if let Some((_, own)) = ONE_DASH.iter().find(|(typed, _)| *typed == text) {
            words[at] = own.into();
        }
        let text = words[at].to_str().unwrap_or_default();
        has_ranks |= ["--np", "-n"].contains(&text) || text.starts_with("--np=");
        let choices = text == "--what-if";
        at += 1 + values(text);
        while choices && words.get(at).and_then(|word| word.to_str()).is_some_and(what_if::is_choice) {
            words.insert(at, "--what-if".into());
            at += 2;
        }
    }
    if !has_ranks && words.iter().skip(at).any(is_separator) {
        words.splice(0..0, ["--np".into(), "1".into()]);
    }
    words
}

/// Number of words behind an option that are its values.
fn values(option: &str) -> usize {
    match option {
        "--env" | "--genv" => 2,
        "--help" | "-h" | "--strict" => 0,
        option => usize::from(!option.contains('=')),
    }
}

/// Whether a word separates two programs.
pub fn is_separator(word: &OsString) -> bool {
    word == SEPARATOR
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> String {
        let words = words(line.split(' ').map(OsString::from).collect());
        words.into_iter().map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_of_other_launchers_are_rewritten_before_the_program() {
        assert_eq!(typed("-np 2 ./a -np 3"), "--np 2 ./a -np 3");
        assert_eq!(typed("--nic=model -np 2 ./a"), "--nic=model --np 2 ./a");
        assert_eq!(typed("-n 2 -genv A -np -wd / ./a -wd x"), "-n 2 --genv A -np --wdir / ./a -wd x");
        assert_eq!(typed("-machinefile f -hosts a,b -np 1 ./a"), "--hostfile f --host a,b --np 1 ./a");
        assert_eq!(typed("--strict -np 2 ./a"), "--strict --np 2 ./a");
        assert_eq!(typed("--help"), "--help");
        assert_eq!(typed("-np"), "--np");
    }

    #[test]
    fn first_of_several_programs_has_one_rank_by_default() {
        assert_eq!(typed("./a : ./b"), "--np 1 ./a : ./b");
        assert_eq!(typed("-np 3 ./a : -np 2 ./b"), "--np 3 ./a : -np 2 ./b");
        assert_eq!(typed("--np=3 ./a : ./b"), "--np=3 ./a : ./b");
        assert_eq!(typed("./a b"), "./a b");
    }

    #[test]
    fn consecutive_choices_are_one_option_each() {
        let line = "--what-if lose=0,1% seed=1 -np 2 ./a x=1";
        assert_eq!(typed(line), "--what-if lose=0,1% --what-if seed=1 --np 2 ./a x=1");
        assert_eq!(typed("--what-if nic=rtl ./a=b x=1"), "--what-if nic=rtl ./a=b x=1");
    }
}
