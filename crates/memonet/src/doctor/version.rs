//! The version of a tool, from what it prints for people.

use std::process::Output;

/// The version that a tool prints when it is called with `command`; a sentence without a version otherwise.
///
/// Some tools print their usage first, a heading, or an error of the display.
pub fn of(command: &str, output: &Output) -> String {
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    let [printed, errors] = [lines(&stdout), lines(&stderr)];
    let success = output.status.success();
    let found = version_line(&printed).or_else(|| version_line(&errors).filter(|_| success));
    // A version may be a date, such as that of `ping from iputils 20221126`.
    let first = printed.first().filter(|line| success && !is_usage(line)).cloned();
    if let Some(version) = found.or(first) {
        return version;
    }
    match errors.first().or(printed.first()).filter(|_| !success) {
        Some(error) => format!("installed; `{command}` fails: {error}"),
        None => format!("installed; `{command}` prints no version"),
    }
}

/// Lines that are not blank, with single blanks.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty()).collect()
}

/// The first line with a version. A line that names no program, as in `Version: 4.0.2`, follows its heading.
fn version_line(lines: &[String]) -> Option<String> {
    let is_option = |line: &str| line.starts_with('-');
    let found = lines.iter().find(|line| !is_option(line) && line.split([' ', '-']).any(is_version))?;
    let heading = lines[0].strip_suffix(':').filter(|_| found.starts_with("Version"));
    Some(heading.map_or_else(|| found.clone(), |heading| format!("{heading}: {found}")))
}

/// Whether a word begins with numbers separated by points, as 5.006, v1.0.6 and 0.23+8 do.
fn is_version(word: &str) -> bool {
    let word = word.trim_start_matches(['(', 'v']);
    let numbers =
        word.split(|letter: char| !letter.is_ascii_digit() && letter != '.').next().unwrap_or_default();
    let mut parts = numbers.trim_end_matches('.').split('.');
    parts.clone().count() > 1 && parts.all(|part| !part.is_empty())
}

fn is_usage(line: &str) -> bool {
    line.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("usage"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::os::unix::process::ExitStatusExt;
    use std::path::Path;
    use std::process::ExitStatus;

    use super::super::TOOLS;
    use super::*;

    /// A file of `printed`: what a tool printed, and the version that people see in it.
    struct Recorded {
        tool: String,
        version: String,
        output: Output,
    }

    fn read(path: &Path) -> Recorded {
        let text = std::fs::read_to_string(path).unwrap();
        let (head, printed) = text.split_once("--- stdout\n").unwrap();
        let (stdout, stderr) = printed.split_once("--- stderr\n").unwrap();
        let value = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.strip_prefix(": ").unwrap().to_string()
        };
        assert!(!value("source").is_empty());
        let status = ExitStatus::from_raw(value("exit").parse::<i32>().unwrap() << 8);
        let output = Output { status, stdout: stdout.into(), stderr: stderr.into() };
        Recorded { tool: value("tool"), version: value("version"), output }
    }

    #[test]
    fn recorded_outputs_of_all_tools_give_their_versions() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/doctor/printed");
        let mut recorded = BTreeSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let Recorded { tool, version, output } = read(&path);
            let known = TOOLS.iter().find(|known| known.command == tool).expect("the doctor asks for it");
            assert_eq!(of(&known.typed(), &output), version, "{}", path.display());
            recorded.insert(tool);
        }
        let all: BTreeSet<_> = TOOLS.iter().map(|tool| tool.command.to_string()).collect();
        assert_eq!(recorded, all, "each tool has a recorded output");
    }

    #[test]
    fn versions_are_told_from_other_numbers() {
        for word in ["5.006", "v1.0.6", "12.2.0", "0.38+92", "6.1.0,", "(3.12)", "4.0.17."] {
            assert!(is_version(word), "{word}");
        }
        for word in ["", "v", ".", "1.", "20221126", "libc.so.6", "2.so", "GLIBC_2.38", "x1.2", "1..2"] {
            assert!(!is_version(word), "{word}");
        }
    }

    #[test]
    fn error_of_the_loader_is_no_version() {
        let stderr =
            "ip: error while loading shared libraries: libbpf.so.1: cannot open shared object file\n";
        let output = Output { status: ExitStatus::from_raw(127 << 8), stdout: vec![], stderr: stderr.into() };
        assert_eq!(of("ip -V", &output), format!("installed; `ip -V` fails: {}", stderr.trim_end()));
    }
}
