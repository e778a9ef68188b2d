//! `memonet mpicc`: the compiler of this machine with header and library of MPI.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{anyhow, bail};

use crate::mpirun::{Abi, Library};

/// Compile and link a program of MPI, for `memonet mpirun`.
///
/// All arguments but a first `--help` go to the C compiler: that of the variable CC, else `cc`. What it makes is linked to the standard ABI of MPI 5.0, and runs
/// with any other library of that ABI too.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  memonet mpicc -O2 ping.c -o ping
  memonet mpicc -c part.c
  CC=clang memonet mpicc ring.c -o ring
  memonet mpicc --show ring.c          what would be called")]
pub struct Args {
    /// Arguments of the compiler.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

/// Runs the compiler in place of this program; returns only if that fails.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let library = Library::find(Abi::Standard)?;
    let Some(include) = library.include else {
        bail!(
            "there is no mpi.h beside {}: type `make install PREFIX=/usr/local` in the sources",
            library.file.display()
        );
    };
    let compiler = std::env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| "cc".into());
    // `CC="ccache gcc"` is a program and an argument.
    let words = compiler.to_string_lossy().into_owned();
    let mut words = words.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words).arg("-I").arg(include);
    let (show, own): (Vec<_>, Vec<_>) = args.arguments.iter().partition(|argument| *argument == "--show");
    command.args(own);
    let folder = library.file.parent().expect("a file is in a folder");
    let mut path = OsString::from("-Wl,-rpath,");
    path.push(folder);
    let mut name = OsString::from("-l:");
    name.push(library.file.file_name().expect("a file has a name"));
    command.arg("-L").arg(folder).arg(name).arg(path);
    if !show.is_empty() {
        crate::output::line(&format!("{command:?}").replace('"', ""))?;
        return Ok(0);
    }
    let error = command.exec();
    Err(anyhow!(error)
        .context(format!("running the C compiler `{}`; CC names another one", compiler.to_string_lossy())))
}
