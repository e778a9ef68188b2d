//! A process that is killed when the thread that started it ends.
#![allow(unsafe_code)]

use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;

use rustix::io::FdFlags;
use rustix::process::Signal;

use crate::Memory;

/// Lets the process of this command inherit the memory, under the returned descriptor number, and has the kernel kill it when
/// the starting thread ends.
pub fn tie(command: &mut Command, memory: &Arc<Memory>) -> i32 {
    let (number, memory) = (memory.as_fd().as_raw_fd(), memory.clone());
    let tied = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        Ok(rustix::io::fcntl_setfd(&*memory, FdFlags::empty())?)
    };
    // SAFETY: the closure makes two system calls between fork and exec; it allocates nothing and takes no lock.
    unsafe { command.pre_exec(tied) };
    number
}

/// Has the kernel kill the process of this command when the starting thread ends.
pub fn end_with_thread(command: &mut Command) {
    let tied = || Ok(rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?);
    // SAFETY: the closure makes one system call between fork and exec; it allocates nothing and takes no lock.
    unsafe { command.pre_exec(tied) };
}
