//! `memonet mpicc`, `mpicxx` and `mpifort`: the compilers of this machine with headers and library of MPI.

mod module;

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{anyhow, bail};

use crate::mpirun::{Abi, Library};

/// Compile and link a program of MPI, for `memonet mpirun`.
///
/// All arguments but a first `--help` and `--show` go to the C compiler: that of the variable CC, else `cc`. What it makes is linked to the standard ABI of MPI 5.0, and runs
/// with any other library of that ABI too.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpicc -O2 ping.c -o ping
  memonet mpicc -c part.c
  CC=clang memonet mpicc ring.c -o ring
  memonet mpicc --show ring.c          what would be called; -show, as wrappers of MPICH have it, does too")]
pub struct C {
    #[command(flatten)]
    words: Words,
}

/// Compile and link a program of MPI in C++, for `memonet mpirun`.
///
/// All arguments but a first `--help` and `--show` go to the C++ compiler: that of the variable CXX, else `c++`. Functions and types are those of C.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpicxx -O2 ping.cc -o ping
  CXX=clang++ memonet mpicxx ring.cc -o ring
  memonet mpicxx --show ring.cc        what would be called")]
pub struct Cxx {
    #[command(flatten)]
    words: Words,
}

/// Compile and link a program of MPI in Fortran, with `include 'mpif.h'` or `use mpi`, for `memonet mpirun`.
///
/// All arguments but a first `--help` and `--show` go to the Fortran compiler: that of the variable FC, else `gfortran`. The module of `use mpi` is compiled by it once and kept in
/// ~/.cache/memonet, or below XDG_CACHE_HOME.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpifort -O2 heat.f90 -o heat
  memonet mpifort -c part.f
  FC=gfortran-12 memonet mpifort ring.f -o ring
  memonet mpifort --show ring.f        what would be called")]
pub struct Fortran {
    #[command(flatten)]
    words: Words,
}

#[derive(clap::Args)]
struct Words {
    /// Arguments of the compiler.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// What differs from language to language.
struct Language {
    name: &'static str,
    /// The variable that names a compiler, and the compiler without it.
    variable: &'static str,
    default: &'static str,
    header: &'static str,
}

impl C {
    /// Runs the compiler in place of this program; returns only if that fails.
    pub fn run(&self) -> anyhow::Result<u8> {
        let language = Language { name: "C", variable: "CC", default: "cc", header: "mpi.h" };
        self.words.run(&language, |_, _| Ok(Vec::new()))
    }
}

impl Cxx {
    /// As above.
    pub fn run(&self) -> anyhow::Result<u8> {
        let language = Language { name: "C++", variable: "CXX", default: "c++", header: "mpi.h" };
        self.words.run(&language, |_, _| Ok(Vec::new()))
    }
}

impl Fortran {
    /// As above.
    pub fn run(&self) -> anyhow::Result<u8> {
        let language = Language { name: "Fortran", variable: "FC", default: "gfortran", header: "mpif.h" };
        self.words.run(&language, module::options)
    }
}

impl Words {
    /// Runs the compiler of a language, with what options more are made of its words and the folder of the headers.
    fn run(
        &self,
        language: &Language,
        options: impl Fn(&[String], &Path) -> anyhow::Result<Vec<OsString>>,
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
        let compiler = std::env::var_os(language.variable).filter(|name| !name.is_empty());
        let compiler = compiler.unwrap_or_else(|| language.default.into()).to_string_lossy().into_owned();
        // `CC="ccache gcc"` is a program and an argument.
        let words: Vec<_> = compiler.split_whitespace().map(str::to_owned).collect();
        let fails = |error: std::io::Error| {
            anyhow!(error).context(format!(
                "running the {} compiler `{compiler}`; {} names another one",
                language.name, language.variable
            ))
        };
        let Some((program, first)) = words.split_first() else {
            return Err(fails(std::io::ErrorKind::NotFound.into()));
        };
        let mut command = Command::new(program);
        // Option and folder are one word: programs that read what `-show` prints want it so.
        command.args(first).arg(joined("-I", include.as_os_str()));
        command.args(options(&words, &include)?);
        let (show, own): (Vec<_>, Vec<_>) =
            self.arguments.iter().partition(|argument| *argument == "--show" || *argument == "-show");
        command.args(own).args(link(&library.file));
        if !show.is_empty() {
            crate::output::line(&format!("{command:?}").replace('"', ""))?;
            return Ok(0);
        }
        Err(fails(command.exec()))
    }
}

/// What links a program to this library, and has it found there. As it is built and as it is installed, it lies beside a name without a version.
fn link(library: &Path) -> [OsString; 3] {
    let folder = library.parent().expect("a file is in a folder").as_os_str();
    [joined("-L", folder), "-lmpi_abi".into(), joined("-Wl,-rpath,", folder)]
}

/// Both in one word.
fn joined(begin: &str, end: &OsStr) -> OsString {
    let mut word = OsString::from(begin);
    word.push(end);
    word
}
