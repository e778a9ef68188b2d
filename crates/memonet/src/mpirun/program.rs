//! Whether there is a program to run, before anything is set up for it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::usage;

/// An error if a shell would not find this program.
pub fn check(name: &OsStr) -> anyhow::Result<()> {
    let found = if name.as_encoded_bytes().contains(&b'/') {
        vec![PathBuf::from(name)]
    } else {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).map(|folder| folder.join(name)).collect()
    };
    if let Some(file) = found.iter().find(|file| can_run(file)) {
        return match is_foreign(file) {
            true => Err(usage::invalid(
                ARGUMENT,
                name.to_string_lossy(),
                "it is for another processor than this one",
            )),
            false => Ok(()),
        };
    }
    let reason = match found.as_slice() {
        [file] if file.is_dir() => "it is a folder",
        [file] if file.exists() => "it is not executable",
        [_] => "there is no such file",
        _ => "it is in no folder of PATH",
    };
    Err(usage::invalid(ARGUMENT, name.to_string_lossy(), reason))
}

const ARGUMENT: &str = "<PROGRAM>...";

/// Whether a file is a program in machine code, and of another machine. The operating system would have a shell read it.
fn is_foreign(file: &Path) -> bool {
    let own = processor(Path::new("/proc/self/exe"));
    processor(file).is_some_and(|of| own.is_some_and(|own| own != of))
}

/// For which processor a program is: width and order of its words, and the machine, out of its header (System V ABI, figure 4-3).
fn processor(file: &Path) -> Option<[u8; 4]> {
    let mut head = [0; 20];
    File::open(file).ok()?.read_exact(&mut head).ok()?;
    head.starts_with(b"\x7fELF").then(|| [head[4], head[5], head[18], head[19]])
}

fn can_run(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
