//! Processes outside the run: the launcher that has started the programs, and its helpers.
//!
//! Their answers come at a time of this computer's clock. So a program looks at a descriptor that leads to them only
//! when all of them are at rest: then what it sees follows from what the programs have sent, whatever the operating
//! system does.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use libc::c_int;
use rustix::fs::{FileType, Mode, OFlags};
use slots::clock;

use crate::slot;

/// Time of this computer's clock between two looks at the processes, in ns.
const LOOK_NS: i64 = 50_000;
/// Time of this computer's clock after which a program no longer waits for processes that do not rest.
const LONGEST: Duration = Duration::from_secs(5);

/// Processes that are known to be ranks.
static RANKS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Threads that wait until the processes outside are at rest.
static WAITING: AtomicU32 = AtomicU32::new(0);

/// Whether a thread waits until the processes outside are at rest: then it is this library that computes.
pub fn is_awaited() -> bool {
    WAITING.load(Relaxed) != 0
}

/// Waits until the processes outside are at rest, if the program belongs to a launcher.
pub fn settle() {
    let Some(launcher) = slot::launcher() else { return };
    let end = clock::real(libc::CLOCK_MONOTONIC) + LONGEST;
    // A process that was about to wake up is seen the second time.
    let is_at_rest = || is_at_rest(launcher) && is_at_rest(launcher);
    WAITING.fetch_add(1, Relaxed);
    while !is_at_rest() && clock::real(libc::CLOCK_MONOTONIC) < end {
        sleep();
    }
    WAITING.fetch_sub(1, Relaxed);
}

/// Waits until the processes outside are at rest, unless the descriptor is that of a file.
pub fn settle_for(fd: c_int) {
    if slot::launcher().is_some() && !is_file(fd) {
        settle();
    }
}

fn is_file(fd: c_int) -> bool {
    let status = rustix::fs::stat(format!("/proc/self/fd/{fd}"));
    status.is_ok_and(|status| {
        matches!(FileType::from_raw_mode(status.st_mode), FileType::RegularFile | FileType::Directory)
    })
}

/// Whether a process and all that it has started wait, this one and other ranks apart, which the simulator holds up.
fn is_at_rest(process: u32) -> bool {
    let own = rustix::process::getpid().as_raw_nonzero().get() as u32;
    let Some(threads) = numbers_of_folder(&format!("/proc/{process}/task")) else { return true };
    threads.into_iter().all(|thread| {
        let folder = format!("/proc/{process}/task/{thread}");
        let waits = process == own || read(&format!("{folder}/stat")).is_none_or(|stat| waits(&stat));
        let children = read(&format!("{folder}/children")).unwrap_or_default();
        let rests = |child| child != own && is_rank(child) || is_at_rest(child);
        waits && children.split_whitespace().filter_map(|word| word.parse().ok()).all(rests)
    })
}

/// Whether a process has the slot of a host.
fn is_rank(process: u32) -> bool {
    let mut ranks = RANKS.lock().unwrap_or_else(PoisonError::into_inner);
    let has_slot = || read(&format!("/proc/{process}/maps")).is_some_and(|maps| maps.contains(slots::NAME));
    ranks.contains(&process) || has_slot() && ranks.insert(process)
}

/// Whether the state in a line of `/proc/PID/stat` is none of a thread that runs or is about to.
fn waits(stat: &str) -> bool {
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
    !matches!(state, Some('R' | 'D'))
}

/// Names of a folder that are numbers.
fn numbers_of_folder(path: &str) -> Option<Vec<u32>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    let entries = rustix::fs::Dir::read_from(folder).ok()?;
    Some(entries.flatten().filter_map(|entry| entry.file_name().to_str().ok()?.parse().ok()).collect())
}

/// A short file, read by system calls: the functions of the C library are those of this library.
fn read(path: &str) -> Option<String> {
    let file = rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let mut text = Vec::new();
    let mut piece = [0; 4096];
    loop {
        match rustix::io::read(&file, &mut piece).ok()? {
            0 => return Some(String::from_utf8_lossy(&text).into_owned()),
            bytes => text.extend_from_slice(&piece[..bytes]),
        }
    }
}

/// Sleeps in real time.
fn sleep() {
    let time = rustix::thread::Timespec { tv_sec: 0, tv_nsec: LOOK_NS };
    let _ = rustix::thread::clock_nanosleep_relative(rustix::thread::ClockId::Monotonic, &time);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_follows_the_name_in_parentheses() {
        assert!(waits("12 (a) R b) S 1 2") && waits("12 (x) Z 1"));
        assert!(!waits("12 (a) S b) R 1 2") && !waits("12 (x) D 1"));
    }

    #[test]
    fn process_that_sleeps_is_at_rest_and_one_that_computes_is_not() {
        let of = |script: &str| {
            let mut shell = std::process::Command::new("sh").args(["-c", script]).spawn().expect("sh runs");
            std::thread::sleep(Duration::from_millis(200));
            let rests = is_at_rest(shell.id());
            shell.kill().and_then(|()| shell.wait()).expect("it runs");
            rests
        };
        assert!(of("sleep 5 & wait"));
        assert!(!of("while :; do :; done"));
    }

    #[test]
    fn process_with_a_slot_is_a_rank() {
        let mut other = std::process::Command::new("sleep").arg("5").spawn().expect("sleep runs");
        let slot = slots::Memory::create().expect("there is memory");
        let ranks = [std::process::id(), other.id()].map(is_rank);
        other.kill().and_then(|()| other.wait()).expect("it runs");
        drop(slot);
        assert_eq!(ranks, [true, false]);
    }
}
