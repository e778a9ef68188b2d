//! Programs of a run: one for all ranks, or several, each with its number of ranks.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use clap::Parser;
use processes::Program;
use processes::mpi::PROGRAM_VARIABLE;

use super::spelling::{self, SEPARATOR, is_separator};
use super::{Args, Library, PROGRAM, linkage};
use crate::launcher::{Launcher, find_program};
use crate::numbers;
use crate::shell_words::{command_line, quoted, text};
use crate::usage;

/// Options of one program.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Options of a program, which other launchers have too; with one dash or two")]
pub struct Options {
    /// Variable of the program's environment. Without a value it is that of this environment, which programs have anyway.
    #[arg(short = 'x', value_name = "NAME[=VALUE]")]
    exported: Vec<OsString>,
    /// The same in two words.
    #[arg(long, num_args = 2, value_names = ["NAME", "VALUE"], allow_hyphen_values = true)]
    env: Vec<OsString>,
    /// Variable of the environments of all programs of the run.
    #[arg(long, num_args = 2, value_names = ["NAME", "VALUE"], allow_hyphen_values = true)]
    genv: Vec<OsString>,
    /// Working directory of the program. May be typed -wd.
    #[arg(long = "wdir", alias = "wd", value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// File of hosts, which is read and ignored: ranks are hosts of the modelled network. May be typed -machinefile.
    #[arg(long = "hostfile", short = 'f', alias = "machinefile", value_name = "FILE")]
    host_files: Vec<PathBuf>,
    /// Hosts, which are ignored likewise. May be typed -hosts.
    #[arg(long = "host", alias = "hosts", value_name = "HOST,HOST...")]
    hosts: Vec<OsString>,
}

/// Bytes of a file of hosts at most.
const MOST_BYTES: u64 = 1 << 20;

impl Options {
    /// Variables with their values, the last one of a name counts.
    fn variables(&self, of_all: &[OsString]) -> Vec<(OsString, OsString)> {
        let pairs = of_all.chunks_exact(2).chain(self.env.chunks_exact(2));
        let pairs = pairs.map(|pair| (pair[0].clone(), pair[1].clone()));
        let assignment = |word: &OsString| {
            let bytes = word.as_bytes();
            let at = bytes.iter().position(|byte| *byte == b'=')?;
            let part = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
            Some((part(&bytes[..at]), part(&bytes[at + 1..])))
        };
        pairs.chain(self.exported.iter().filter_map(assignment)).collect()
    }

    /// An error for a name that no variable can have, a folder that does not exist, or an unreadable file.
    fn check(&self) -> anyhow::Result<()> {
        let names = [("--env", &self.env), ("--genv", &self.genv)]
            .into_iter()
            .flat_map(|(option, words)| words.chunks_exact(2).map(move |pair| (option, &pair[0])));
        for (option, name) in names {
            if name.is_empty() || name.as_bytes().contains(&b'=') {
                let option = format!("{option} <NAME> <VALUE>");
                return Err(usage::invalid(&option, text(name), "no variable has this name"));
            }
        }
        for word in &self.exported {
            if word.is_empty() || word.as_bytes().starts_with(b"=") {
                return Err(usage::invalid("-x <NAME[=VALUE]>", text(word), "no variable has this name"));
            }
        }
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(usage::invalid("--wdir <FOLDER>", text(folder), "there is no such folder"));
        }
        for file in &self.host_files {
            files::read_bytes(file, MOST_BYTES)
                .map_err(|error| usage::invalid("--hostfile <FILE>", text(file), error))?;
        }
        Ok(())
    }

    /// Names the options without an effect.
    fn warn(&self, launcher: &Launcher) {
        let files = self.host_files.iter().map(|file| format!("--hostfile {}", quoted(file)));
        let hosts = self.hosts.iter().map(|hosts| format!("--host {}", quoted(hosts)));
        for option in files.chain(hosts) {
            launcher.say(format_args!("{option} is ignored: ranks are hosts of the modelled network"));
        }
        let is_missing =
            |name: &&OsString| !name.as_bytes().contains(&b'=') && std::env::var_os(name).is_none();
        for name in self.exported.iter().filter(is_missing) {
            launcher.say(format_args!("-x {} has no effect: no such variable is set", quoted(name)));
        }
    }

    /// The options on the command line that change a run, with a space before each.
    pub fn typed(&self) -> String {
        let exported = self.exported.iter().map(|word| format!(" -x {}", quoted(word)));
        let pairs = |option: &'static str, words: &[OsString]| -> Vec<_> {
            words.chunks_exact(2).map(|pair| format!(" {option} {}", command_line(pair))).collect()
        };
        let folder = self.folder.iter().map(|folder| format!(" --wdir {}", quoted(folder)));
        exported.chain(pairs("--env", &self.env)).chain(pairs("--genv", &self.genv)).chain(folder).collect()
    }
}

/// A program with its ranks.
#[derive(Clone, Debug)]
pub struct Part {
    /// Number of its ranks.
    pub ranks: usize,
    options: Options,
    /// The program with its arguments.
    words: Vec<OsString>,
}

/// The words of a program behind a separator.
#[derive(Parser)]
#[command(
    name = "memonet mpirun PROGRAM :",
    override_usage = "memonet mpirun [OPTIONS] PROGRAM : [-np N] [OPTIONS] PROGRAM..."
)]
struct Words {
    /// Processes of this program.
    #[arg(long = "np", short = 'n', value_name = "N", default_value = "1", value_parser = numbers::count)]
    ranks: usize,
    #[command(flatten)]
    options: Options,
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    words: Vec<OsString>,
}

/// The programs of a command line.
pub fn parts(args: &Args) -> anyhow::Result<Vec<Part>> {
    let mut programs = args.program.split(is_separator);
    let first = programs.next().unwrap_or_default().to_vec();
    if first.is_empty() {
        return Err(usage::invalid(PROGRAM, SEPARATOR, "a program is missing before it"));
    }
    let mut parts = vec![Part { ranks: args.ranks, options: args.options.clone(), words: first }];
    for words in programs {
        if words.is_empty() {
            return Err(usage::invalid(PROGRAM, SEPARATOR, "a program is missing behind it"));
        }
        let name = [OsString::from("mpirun")];
        let words = name.into_iter().chain(spelling::words(words.to_vec()));
        let Words { ranks, options, words } = Words::try_parse_from(words)?;
        parts.push(Part { ranks, options, words });
    }
    // The number of ranks of a single program is checked with its machine.
    if parts.len() > 1 && parts.iter().any(|part| part.ranks == 0) {
        return Err(usage::invalid("--np <N>", 0, "each program has one rank at least"));
    }
    parts.iter().try_for_each(|part| part.options.check())?;
    Ok(parts)
}

impl Part {
    /// File of the program: a name with a slash belongs to the working directory of its process.
    fn file(&self) -> anyhow::Result<PathBuf> {
        let name = &self.words[0];
        let folder = self.options.folder.as_deref().filter(|_| name.as_bytes().contains(&b'/'));
        find_program(PROGRAM, folder.unwrap_or(Path::new("")).join(name).as_os_str())
    }

    /// The program for the user.
    pub fn name(&self) -> String {
        text(&self.words[0])
    }
}

/// An error if there is no such program, or one is linked to the library of another interface.
pub fn check_linkage(args: &Args) -> anyhow::Result<()> {
    args.parts.iter().try_for_each(|part| linkage::check(&part.words[0], &part.file()?, args.abi))
}

/// Programs of all ranks, in the order of ranks.
pub fn programs(args: &Args, library: &Library) -> anyhow::Result<Vec<Program>> {
    let of_all: Vec<_> = args.parts.iter().flat_map(|part| part.options.genv.iter().cloned()).collect();
    let mut programs = Vec::with_capacity(args.ranks);
    for (number, part) in args.parts.iter().enumerate() {
        let file = part.file()?;
        let mut variables = part.options.variables(&of_all);
        variables.push((PROGRAM_VARIABLE.into(), number.to_string().into()));
        let program = Program {
            words: part.words.clone(),
            library: library.file.clone().into(),
            library_folders: library.folders(&file)?,
            variables,
            folder: part.options.folder.clone(),
        };
        programs.extend(std::iter::repeat_n(program, part.ranks));
    }
    Ok(programs)
}

/// Names the options without an effect.
pub fn warn(parts: &[Part], launcher: &Launcher) {
    parts.iter().for_each(|part| part.options.warn(launcher));
}
