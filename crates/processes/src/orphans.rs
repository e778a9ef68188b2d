//! Processes that programs start and leave behind end with the run, however deep they are.

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, set_child_subreaper, waitid,
};

use crate::lineage::parent;

/// Adopts orphaned descendants; dropping it kills all children that were not there before.
#[derive(Debug)]
pub struct Orphans {
    before: Vec<Pid>,
}

impl Orphans {
    /// Makes this process the reaper of its descendants. Where the operating system refuses, they outlive the run.
    pub fn adopt() -> Self {
        let _ = set_child_subreaper(Some(getpid()));
        Orphans { before: children() }
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        // Children of a killed child become children of this process, and are killed in the next round.
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

/// Rounds of killing; a program that forks faster than it is killed is left alone after them.
const MOST_GENERATIONS: usize = 100;

/// Children of this process, out of `/proc`.
fn children() -> Vec<Pid> {
    let own = std::process::id();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let number = |entry: std::fs::DirEntry| {
        let name = entry.file_name();
        let number = name.to_str()?;
        (parent(number)? == own).then(|| Pid::from_raw(number.parse().ok()?)).flatten()
    };
    processes.filter_map(number).collect()
}
