//! Parents of processes, out of `/proc`.

use rustix::process::Pid;

/// Generations between a rank's command and the program that makes its calls, at most.
const MOST_GENERATIONS: usize = 100;

/// Number of the parent of a process; `None` if there is no such process.
pub(crate) fn parent(process: &str) -> Option<u32> {
    // The name of the program is in parentheses and may hold anything; the parent is the second word behind it.
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
}

/// Whether a process is this ancestor, or was started by it or by one of its descendants.
pub(crate) fn descends_from(process: u32, ancestor: Pid) -> bool {
    let ancestor = ancestor.as_raw_nonzero().get() as u32;
    let mut process = Some(process);
    for _ in 0..MOST_GENERATIONS {
        match process {
            Some(number) if number == ancestor => return true,
            Some(number) if number > 1 => process = parent(&number.to_string()),
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use rustix::process::{getpid, getppid};

    use super::*;

    #[test]
    fn process_descends_from_itself_and_its_parent_alone() {
        let own = std::process::id();
        let parent = getppid().expect("the test has a parent");
        assert!(descends_from(own, getpid()) && descends_from(own, parent));
        assert!(!descends_from(parent.as_raw_nonzero().get() as u32, getpid()));
        assert!(!descends_from(u32::MAX, getpid()) && !descends_from(0, getpid()));
    }
}
