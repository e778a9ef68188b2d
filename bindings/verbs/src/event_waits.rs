//! Waiting for an event of a completion channel.
#![allow(unsafe_code)]

use processes::verbs::Answer;
use processes::verbs::call::Wanted;

use crate::abi::*;
use crate::{events, link, scheduled, timers, virtual_time};

/// Waits for the next event of a channel, or returns `EAGAIN` if its descriptor does not block.
fn next(fd: c_int) -> Result<u8, c_int> {
    // SAFETY: the arguments are numbers.
    let blocks = unsafe { libc::fcntl(fd, libc::F_GETFL) } & libc::O_NONBLOCK == 0;
    loop {
        if let Some(number) = events::take(fd) {
            return Ok(number);
        }
        let now = virtual_time::now_ps().ok_or(libc::ENODEV)?;
        let slice = link::slice_ps(u64::MAX);
        let until_ps = match blocks {
            true => timers::next_ps().max(now).min(now.saturating_add(slice)),
            false => now,
        };
        let queues = events::queues_of(fd).ok_or(libc::EINVAL)?;
        let wanted = Wanted { queues, sockets: false, outside: false, until_ps };
        match scheduled::wait("ibv_get_cq_event", wanted, &[])? {
            Answer::Number(number) => events::deliver(number as u8),
            _ if blocks => {}
            _ => return events::take(fd).ok_or(libc::EAGAIN),
        }
    }
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// Waits for an event of a completion queue of the channel.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_cq_event(
    channel: *mut CompChannel,
    cq: *mut *mut Cq,
    cq_context: *mut *mut c_void,
) -> c_int {
    // SAFETY: see above.
    let number = next(unsafe { (*channel).fd });
    let queue = number.and_then(|number| events::take_completion_of_queue(number).ok_or(libc::EIO));
    match queue {
        Ok(queue) => {
            let queue = queue as *mut Cq;
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
