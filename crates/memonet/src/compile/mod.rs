//! `memonet mpicc`, `mpicxx` and `mpifort`: wrappers of the system's compilers with MPI headers and library.

mod module;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{anyhow, bail};

use crate::mpirun::{Abi, Library};
use crate::shell_words::command_line;

/// Compile and link an MPI program in C.
///
/// The program runs under `memonet mpirun`. All arguments except a first `--help` and `--show` are passed to
/// the C compiler: the one in MEMONET_CC, or in CC unless that is a wrapper, otherwise `cc`. The program is
/// linked to the standard ABI of MPI 5.0, so it also runs with other libraries of that ABI.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpicc -O2 ping.c -o ping
  memonet mpicc -c part.c
  MEMONET_CC=clang memonet mpicc ring.c -o ring
  memonet mpicc --show ring.c          print the compiler command; -show, as in MPICH, too
  memonet mpicc -compile_info          print what compiles a file; -link_info: what links a program")]
pub struct C {
    #[command(flatten)]
    words: CompilerArguments,
}

/// Compile and link an MPI program in C++.
///
/// The program runs under `memonet mpirun`. All arguments except a first `--help` and `--show` are passed to
/// the C++ compiler: the one in MEMONET_CXX, or in CXX unless that is a wrapper, otherwise `c++`. Functions
/// and types are those of C.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpicxx -O2 ping.cc -o ping
  MEMONET_CXX=clang++ memonet mpicxx ring.cc -o ring
  memonet mpicxx --show ring.cc        print the compiler command")]
pub struct Cxx {
    #[command(flatten)]
    words: CompilerArguments,
}

/// Compile and link an MPI program in Fortran.
///
/// The program uses `include 'mpif.h'` or `use mpi` and runs under `memonet mpirun`. All arguments except a
/// first `--help` and `--show` are passed to the Fortran compiler: the one in MEMONET_FC, or in FC unless that
/// is a wrapper, otherwise `gfortran`. It compiles the module of `use mpi` once, into ~/.cache/memonet or a folder in XDG_CACHE_HOME.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpifort -O2 heat.f90 -o heat
  memonet mpifort -c part.f
  MEMONET_FC=gfortran-12 memonet mpifort ring.f -o ring
  memonet mpifort --show ring.f        print the compiler command")]
pub struct Fortran {
    #[command(flatten)]
    words: CompilerArguments,
}

#[derive(clap::Args)]
struct CompilerArguments {
    /// Arguments of the compiler.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Properties of a language.
struct Language {
    name: &'static str,
    /// Environment variable of the compiler, and the default compiler.
    variable: &'static str,
    default: &'static str,
    header: &'static str,
}

impl Language {
    /// Variable that names the compiler for this wrapper alone.
    fn own_variable(&self) -> String {
        format!("MEMONET_{}", self.variable)
    }

    /// The compiler with its options: that of a variable, which may not be a wrapper, or the default.
    fn compiler(&self) -> OsString {
        let set = |variable: &str| {
            std::env::var_os(variable).filter(|name| !name.as_bytes().trim_ascii().is_empty())
        };
        let of_builds = || set(self.variable).filter(|compiler| !is_wrapper(compiler));
        set(&self.own_variable()).or_else(of_builds).unwrap_or_else(|| self.default.into())
    }
}

impl C {
    /// Replaces this process by the compiler; returns only with `--show` or on an error.
    pub fn run(&self) -> anyhow::Result<u8> {
        let language = Language { name: "C", variable: "CC", default: "cc", header: "mpi.h" };
        self.words.run(&language, |_, _| Ok(Vec::new()))
    }
}

impl Cxx {
    /// Same as [`C::run`].
    pub fn run(&self) -> anyhow::Result<u8> {
        let language = Language { name: "C++", variable: "CXX", default: "c++", header: "mpi.h" };
        self.words.run(&language, |_, _| Ok(Vec::new()))
    }
}

impl Fortran {
    /// Same as [`C::run`].
    pub fn run(&self) -> anyhow::Result<u8> {
        let language = Language { name: "Fortran", variable: "FC", default: "gfortran", header: "mpif.h" };
        self.words.run(&language, module::options)
    }
}

impl CompilerArguments {
    /// Runs the compiler of a language; `options` computes further options from the compiler's words and the
    /// folder of headers.
    fn run(
        &self,
        language: &Language,
        options: impl Fn(&[&OsStr], &Path) -> anyhow::Result<Vec<OsString>>,
    ) -> anyhow::Result<u8> {
        let library = Library::find(Abi::Standard)?;
        let include = library.include.filter(|folder| folder.join(language.header).is_file());
        let Some(include) = include else {
            bail!(
                "there is no {} next to {}: type `make install PREFIX=/usr/local` in the sources",
                language.header,
                library.file.display()
            );
        };
        let own = language.own_variable();
        if std::env::var_os(COMPILES).is_some() {
            bail!("the {} compiler of {own} is this wrapper: {own} names the compiler to run", language.name);
        }
        let compiler = language.compiler();
        // `CC="ccache gcc"` is a program and an argument.
        let words = compiler.as_bytes().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let words: Vec<_> = words.map(OsStr::from_bytes).collect();
        let fails = |error: std::io::Error| {
            anyhow!(error).context(format!(
                "running the {} compiler `{}`; {own} names another one",
                language.name,
                command_line(&words)
            ))
        };
        let Some((program, first)) = words.split_first() else {
            return Err(fails(std::io::ErrorKind::NotFound.into()));
        };
        let mut command = Command::new(program);
        command.env(COMPILES, "1");
        // Option and folder are one word, as programs that parse the output of `-show` expect.
        command.args(first).arg(joined("-I", include.as_os_str()));
        command.args(options(&words, &include)?);
        let request = self.arguments.iter().find_map(|argument| Request::of(argument));
        let own: Vec<_> = self.arguments.iter().filter(|argument| Request::of(argument).is_none()).collect();
        command.args(&own);
        // A compiler that is only asked, as by `mpicc -v`, would try to link a program of no parts.
        let has_input = own.iter().any(|argument| !argument.as_bytes().starts_with(b"-") || *argument == "-");
        if request.map_or(has_input, Request::links) {
            command.args(link(&library.file));
        }
        if request.is_some() {
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            crate::output::line(&command_line(words))?;
            return Ok(0);
        }
        if own == ["-v"] {
            let version = env!("CARGO_PKG_VERSION");
            crate::output::line(&format!("{} wrapper of Memonet {version}, MPI 5.0", language.name))?;
        }
        Err(fails(command.exec()))
    }
}

/// An option of MPICH's wrappers that prints the command line instead of running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    /// `-show`: of the whole command.
    Show,
    /// `-compile_info`: without the library.
    Compile,
    /// `-link_info`: with the library.
    Link,
}

impl Request {
    fn of(argument: &OsStr) -> Option<Self> {
        match argument.to_str()? {
            "--show" | "-show" => Some(Request::Show),
            "-compile_info" | "-compile-info" => Some(Request::Compile),
            "-link_info" | "-link-info" => Some(Request::Link),
            _ => None,
        }
    }

    /// Whether the command line links a program.
    fn links(self) -> bool {
        self != Request::Compile
    }
}

/// Set in the environment of a compiler that a wrapper has started.
const COMPILES: &str = "MEMONET_COMPILES";

/// Whether a compiler of the environment is a wrapper for MPI, such as `CC=mpicc` in builds of MPI programs.
fn is_wrapper(compiler: &OsStr) -> bool {
    let program = compiler.as_bytes().split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
    let name = program.and_then(|program| Path::new(OsStr::from_bytes(program)).file_name());
    name.is_some_and(|name| name.as_bytes().starts_with(b"mpi") || name == "memonet")
}

/// Options that link a program to this library and set its run path. The library's folder contains a link
/// without a version.
fn link(library: &Path) -> [OsString; 3] {
    let folder = library.parent().expect("a file is in a folder").as_os_str();
    [joined("-L", folder), "-lmpi_abi".into(), joined("-Wl,-rpath,", folder)]
}

/// Joins both strings to one word.
fn joined(begin: &str, end: &OsStr) -> OsString {
    let mut word = OsString::from(begin);
    word.push(end);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_other_wrappers_are_known() {
        let of = |word: &str| Request::of(OsStr::new(word));
        assert_eq!([of("-show"), of("--show")], [Some(Request::Show); 2]);
        assert_eq!([of("-compile_info"), of("-link-info")], [Some(Request::Compile), Some(Request::Link)]);
        // Open MPI's, which scripts try first: the compiler refuses it.
        assert_eq!([of("-showme:compile"), of("-c"), of("show")], [None; 3]);
        assert!(Request::Show.links() && Request::Link.links() && !Request::Compile.links());
    }

    #[test]
    fn wrappers_are_recognized_by_their_names() {
        assert!(
            ["mpicc", "/opt/bin/mpicxx -g", "memonet mpicc"]
                .into_iter()
                .all(|name| is_wrapper(OsStr::new(name)))
        );
        assert!(
            ["cc", "/opt/mpi/bin/clang", "ccache gcc"].into_iter().all(|name| !is_wrapper(OsStr::new(name)))
        );
    }
}
