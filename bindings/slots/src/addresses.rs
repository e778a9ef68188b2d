//! Places of a process in memory: the same in each run.
#![allow(unsafe_code)]

use std::io;

/// A query, which changes nothing (personality(2)).
const QUERY: libc::c_ulong = 0xffff_ffff;

/// Switches address randomisation off for the processes that this thread starts later.
///
/// Stack, heap and libraries of a program then have the same addresses in each run, so its outcome does not
/// depend on them. An error where the operating system refuses it, as some containers do.
pub fn fix_addresses() -> io::Result<()> {
    let set = |persona| {
        // SAFETY: the call takes a number and changes the calling thread's execution domain alone.
        match unsafe { libc::personality(persona) } {
            -1 => Err(io::Error::last_os_error()),
            old => Ok(old as libc::c_ulong),
        }
    };
    let own = set(QUERY)?;
    set(own | libc::ADDR_NO_RANDOMIZE as libc::c_ulong).map(drop)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn processes_started_afterwards_have_the_same_addresses() {
        let maps = || Command::new("cat").arg("/proc/self/maps").output().expect("cat runs").stdout;
        match fix_addresses() {
            Ok(()) => assert_eq!(maps(), maps()),
            Err(error) => eprintln!("not tested: {error}"),
        }
    }
}
