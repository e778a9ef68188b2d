//! A process that ends with the one that started it.
#![allow(unsafe_code)]

use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;

use rustix::io::FdFlags;
use rustix::process::Signal;

use crate::Memory;

/// The process of this command inherits the memory, under the number that is returned, and is killed when the thread ends that starts it.
pub fn tie(command: &mut Command, memory: &Arc<Memory>) -> i32 {
    let (number, memory) = (memory.as_fd().as_raw_fd(), memory.clone());
    let tied = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        Ok(rustix::io::fcntl_setfd(&*memory, FdFlags::empty())?)
    };
    // SAFETY: between fork and exec there are two system calls only; they allocate nothing and take no lock.
    unsafe { command.pre_exec(tied) };
    number
}
