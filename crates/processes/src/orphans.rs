//! Processes that ranks start and leave behind: they end with the run, however deep they are.

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, set_child_subreaper, waitid,
};

/// While this lives, a process whose parent ends becomes a child of this one; then all children are ended that were not there before.
#[derive(Debug)]
pub struct Orphans {
    before: Vec<Pid>,
}

impl Orphans {
    /// From now on. Where the operating system does not do that, they stay.
    pub fn adopt() -> Self {
        let _ = set_child_subreaper(Some(getpid()));
        Orphans { before: children() }
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        // Those that a child leaves behind when it ends come next.
        for _ in 0..MOST_GENERATIONS {
            let children = children();
            let mut left = children.iter().filter(|child| !self.before.contains(child)).peekable();
            if left.peek().is_none() {
                return;
            }
            for child in left.copied() {
                let _ = kill_process(child, Signal::KILL);
                let _ = waitid(WaitId::Pid(child), WaitIdOptions::EXITED);
            }
        }
    }
}

/// A program that forks faster than it is ended is left alone in the end.
const MOST_GENERATIONS: usize = 100;

/// All children of this process.
fn children() -> Vec<Pid> {
    let own = getpid().as_raw_nonzero().to_string();
    let is_child = |folder: &std::path::Path| {
        // The name of a program is in brackets, and may hold anything; the parent is the second word behind it.
        let stat = std::fs::read_to_string(folder.join("stat")).unwrap_or_default();
        stat.rsplit(')')
            .next()
            .and_then(|rest| rest.split_whitespace().nth(1))
            .is_some_and(|parent| parent == own)
    };
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let number = |entry: std::fs::DirEntry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        is_child(&entry.path()).then(|| Pid::from_raw(number)).flatten()
    };
    processes.filter_map(number).collect()
}
