//! Channels of events. A program waits for one in a call; the descriptor of a channel is there, and is never ready.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use processes::verbs::Call;

use crate::abi::*;
use crate::link;

/// Completion queues by number: their place here, and that of their channel.
static QUEUES: Mutex<BTreeMap<u8, (usize, usize)>> = Mutex::new(BTreeMap::new());

fn queues() -> std::sync::MutexGuard<'static, BTreeMap<u8, (usize, usize)>> {
    QUEUES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A completion queue is there.
pub fn add(number: u8, queue: *mut Cq, channel: *mut CompChannel) {
    queues().insert(number, (queue as usize, channel as usize));
}

/// It is there no more.
pub fn remove(number: u8) {
    queues().remove(&number);
}

/// A descriptor that is never ready.
pub fn descriptor() -> c_int {
    // SAFETY: the call has numbers alone.
    unsafe { libc::eventfd(0, libc::EFD_CLOEXEC) }
}

/// Closes one.
pub fn close(fd: c_int) {
    if fd >= 0 {
        // SAFETY: it was made above and is used no more.
        unsafe { libc::syscall(libc::SYS_close, fd) };
    }
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Pointers are those of the caller, who by the documentation of verbs gives
// places that are there and objects that this library has made and not ended.
/// A channel.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_create_comp_channel(context: *mut Context) -> *mut CompChannel {
    link::made(Ok(CompChannel { context, fd: descriptor(), refcnt: 0 }))
}

/// It is not used any more.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_comp_channel(channel: *mut CompChannel) -> c_int {
    if queues().values().any(|(_, of)| *of == channel as usize) {
        return libc::EBUSY;
    }
    // SAFETY: see above; it is used no more.
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
    let own =
        queues().iter().filter(|(_, (_, of))| *of == channel as usize).map(|(number, _)| *number).collect();
    let came = link::number("ibv_get_cq_event", Call::Event(own));
    let queue = came.and_then(|number| Ok(queues().get(&(number as u8)).ok_or(libc::EIO)?.0 as *mut Cq));
    match queue {
        Ok(queue) => {
            // SAFETY: see above; the queue is there while the program waits for it.
            unsafe {
                *cq = queue;
                *cq_context = (*queue).cq_context;
            }
            0
        }
        Err(errno) => {
            link::fail(errno);
            -1
        }
    }
}

/// Events have been dealt with. Nobody waits for that.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_ack_cq_events(cq: *mut Cq, events: c_uint) {
    // SAFETY: see above.
    let count = unsafe { &mut (*cq).comp_events_completed };
    *count = count.wrapping_add(events);
}

/// Waits for an event of the adapter: not here.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_async_event(_context: *mut Context, _event: *mut c_void) -> c_int {
    link::fail(libc::EOPNOTSUPP);
    -1
}

/// It has been dealt with.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_ack_async_event(_event: *mut c_void) {}
