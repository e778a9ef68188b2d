//! Completion channels. A program waits for an event in `ibv_get_cq_event`; the descriptor of a channel is valid, but never
//! readable.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use processes::verbs::Call;

use crate::abi::*;
use crate::link;

/// Completion queues by number: address of the queue, address of its channel.
static QUEUES: Mutex<BTreeMap<u8, (usize, usize)>> = Mutex::new(BTreeMap::new());

fn queues() -> std::sync::MutexGuard<'static, BTreeMap<u8, (usize, usize)>> {
    QUEUES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a completion queue.
pub fn add(number: u8, queue: *mut Cq, channel: *mut CompChannel) {
    queues().insert(number, (queue as usize, channel as usize));
}

/// Removes a completion queue.
pub fn remove(number: u8) {
    queues().remove(&number);
}

/// A descriptor that is never readable.
pub fn descriptor() -> c_int {
    // SAFETY: the arguments are numbers.
    unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) }
}

/// Closes such a descriptor; negative numbers are ignored.
pub fn close(fd: c_int) {
    if fd >= 0 {
        // SAFETY: the descriptor comes from `descriptor` and is not used again.
        unsafe { libc::syscall(libc::SYS_close, fd) };
    }
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// Creates a channel.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_comp_channel(context: *mut Context) -> *mut CompChannel {
    link::into_pointer(Ok(CompChannel { context, fd: descriptor(), refcnt: 0 }))
}

/// Destroys a channel; `EBUSY` while a completion queue uses it.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_comp_channel(channel: *mut CompChannel) -> c_int {
    if queues().values().any(|(_, used)| *used == channel as usize) {
        return libc::EBUSY;
    }
    // SAFETY: see above; the caller gives the object up.
    close(unsafe { Box::from_raw(channel) }.fd);
    0
}

/// Waits for an event of a completion queue of the channel.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_cq_event(
    channel: *mut CompChannel,
    cq: *mut *mut Cq,
    cq_context: *mut *mut c_void,
) -> c_int {
    let own = queues()
        .iter()
        .filter(|(_, (_, used))| *used == channel as usize)
        .map(|(number, _)| *number)
        .collect();
    let number = link::number("ibv_get_cq_event", Call::WaitForEvent(own));
    let queue = number.and_then(|number| Ok(queues().get(&(number as u8)).ok_or(libc::EIO)?.0 as *mut Cq));
    match queue {
        Ok(queue) => {
            // SAFETY: see above; the queue is not destroyed while the program waits for it.
            unsafe {
                *cq = queue;
                *cq_context = (*queue).cq_context;
            }
            0
        }
        Err(errno) => {
            link::set_errno(errno);
            -1
        }
    }
}

/// Counts acknowledged events; `ibv_destroy_cq` does not wait for them.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_ack_cq_events(cq: *mut Cq, events: c_uint) {
    // SAFETY: see above.
    let count = unsafe { &mut (*cq).comp_events_completed };
    *count = count.wrapping_add(events);
}

/// Fails: there are no asynchronous events.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_async_event(_context: *mut Context, _event: *mut c_void) -> c_int {
    link::set_errno(libc::EOPNOTSUPP);
    -1
}

/// Does nothing: there are no asynchronous events.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_ack_async_event(_event: *mut c_void) {}
