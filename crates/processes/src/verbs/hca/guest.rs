//! Memory of a program's process, for windows of the bus.

use std::rc::Rc;

use hca_machine::windows::ProcessPages;
use rustix::process::Pid;
use slots::ProcessMemory;

use crate::lineage::descends_from;

/// Finds the memory of a process by its number.
pub(super) type FindPages = Box<dyn Fn(u32) -> Option<Rc<dyn ProcessPages>>>;

struct GuestPages(ProcessMemory);

impl ProcessPages for GuestPages {
    fn read(&self, address: u64, into: &mut [u8]) -> bool {
        self.0.read(address, into).is_ok()
    }

    fn write(&self, address: u64, bytes: &[u8]) -> bool {
        self.0.write(address, bytes).is_ok()
    }
}

/// Finds memory of a program's process and of those that it has started. Otherwise a program could have the simulator
/// write into any process of the user.
pub(super) fn pages_of(program: Pid) -> FindPages {
    Box::new(move |process| {
        let memory = ProcessMemory::new(process).filter(|_| descends_from(process, program))?;
        Some(Rc::new(GuestPages(memory)))
    })
}
