//! Completion channels. The descriptor of a channel is readable while an event is there that the program has not got.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use processes::verbs::call::Wanted;
use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::{link, timers, virtual_time};

/// Completion queues by number: address of the queue, address of its channel.
static QUEUES: Mutex<BTreeMap<u8, (usize, usize)>> = Mutex::new(BTreeMap::new());

fn queues() -> std::sync::MutexGuard<'static, BTreeMap<u8, (usize, usize)>> {
    QUEUES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Addresses of channels by their descriptor.
static CHANNELS: Mutex<BTreeMap<c_int, usize>> = Mutex::new(BTreeMap::new());
/// Events that the program has not got: descriptor of the channel and number of the queue.
static PENDING: Mutex<VecDeque<(c_int, u8)>> = Mutex::new(VecDeque::new());

fn channels() -> std::sync::MutexGuard<'static, BTreeMap<c_int, usize>> {
    CHANNELS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pending() -> std::sync::MutexGuard<'static, VecDeque<(c_int, u8)>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Completion queues of the channel with this descriptor; none if it is that of no channel.
pub fn queues_of(fd: c_int) -> Option<Vec<u8>> {
    let channel = *channels().get(&fd)?;
    Some(queues().iter().filter(|(_, (_, used))| *used == channel).map(|(number, _)| *number).collect())
}

/// An event of a queue has come: the descriptor of its channel becomes readable.
pub fn deliver(number: u8) {
    let Some((_, channel)) = queues().get(&number).copied() else { return };
    let fd = channels().iter().find(|(_, address)| **address == channel).map(|(fd, _)| *fd);
    if let Some(fd) = fd {
        pending().push_back((fd, number));
        let one: u64 = 1;
        // SAFETY: the call reads the 8 bytes of the number.
        unsafe { libc::syscall(libc::SYS_write, fd, &raw const one, 8) };
    }
}

/// Takes the oldest event of a channel.
fn take(fd: c_int) -> Option<u8> {
    let mut pending = pending();
    let at = pending.iter().position(|(of, _)| *of == fd)?;
    let mut one: u64 = 0;
    // SAFETY: the call writes the 8 bytes of the number. There is an event, so it does not block.
    unsafe { libc::syscall(libc::SYS_read, fd, &raw mut one, 8) };
    pending.remove(at).map(|(_, number)| number)
}

/// Waits for the next event of a channel, or returns `EAGAIN` if its descriptor does not block.
fn next(fd: c_int) -> Result<u8, c_int> {
    // SAFETY: the arguments are numbers.
    let blocks = unsafe { libc::fcntl(fd, libc::F_GETFL) } & libc::O_NONBLOCK == 0;
    loop {
        if let Some(number) = take(fd) {
            return Ok(number);
        }
        let now = virtual_time::now_ps().ok_or(libc::ENODEV)?;
        let slice = link::slice_ps(u64::MAX);
        let until_ps = match blocks {
            true => timers::next_ps().max(now).min(now.saturating_add(slice)),
            false => now,
        };
        let queues = queues_of(fd).ok_or(libc::EINVAL)?;
        let wanted = Wanted { queues, sockets: false, outside: false, until_ps };
        match link::ask("ibv_get_cq_event", Call::Wait(wanted))? {
            Answer::Number(number) => deliver(number as u8),
            _ if blocks => {}
            _ => return Err(libc::EAGAIN),
        }
    }
}

/// Adds a completion queue.
pub fn add(number: u8, queue: *mut Cq, channel: *mut CompChannel) {
    queues().insert(number, (queue as usize, channel as usize));
}

/// Removes a completion queue.
pub fn remove(number: u8) {
    queues().remove(&number);
    pending().retain(|(_, of)| *of != number);
}

/// A descriptor that is readable once for each number written.
pub fn descriptor() -> c_int {
    // SAFETY: the arguments are numbers.
    unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_SEMAPHORE) }
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
    let fd = descriptor();
    let channel = link::into_pointer(Ok(CompChannel { context, fd, refcnt: 0 }));
    channels().insert(fd, channel as usize);
    channel
}

/// Destroys a channel; `EBUSY` while a completion queue uses it.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_destroy_comp_channel(channel: *mut CompChannel) -> c_int {
    if queues().values().any(|(_, used)| *used == channel as usize) {
        return libc::EBUSY;
    }
    // SAFETY: see above; the caller gives the object up.
    let CompChannel { fd, .. } = *unsafe { Box::from_raw(channel) };
    channels().remove(&fd);
    pending().retain(|(of, _)| *of != fd);
    close(fd);
    0
}

/// Waits for an event of a completion queue of the channel.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_cq_event(
    channel: *mut CompChannel,
    cq: *mut *mut Cq,
    cq_context: *mut *mut c_void,
) -> c_int {
    // SAFETY: see above.
    let number = next(unsafe { (*channel).fd });
    let queue = number.and_then(|number| Ok(queues().get(&number).ok_or(libc::EIO)?.0 as *mut Cq));
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
