//! Asynchronous events of completion queues, queue pairs and shared receive queues.
#![allow(unsafe_code)]

use processes::verbs::call::AsyncEvent;
use processes::verbs::{Answer, Call};

use crate::abi::*;
use crate::descriptor::is_nonblocking;
use crate::{events, link, scheduled, virtual_time};

/// `ibv_event_type`.
mod kind {
    use super::c_int;

    pub const QUEUE_ERROR: c_int = 0;
    pub const PAIR_FATAL: c_int = 1;
    pub const PAIR_ACCESS_ERROR: c_int = 3;
    pub const ESTABLISHED: c_int = 4;
    pub const DRAINED: c_int = 5;
    pub const LIMIT: c_int = 15;
    pub const LAST_REQUEST: c_int = 16;
}

/// An asynchronous event (`ibv_async_event`).
#[repr(C)]
pub struct Event {
    /// The completion queue, queue pair or shared receive queue that the event is about.
    pub element: *mut c_void,
    /// `ibv_event_type`.
    pub event_type: c_int,
}

/// Virtual time between two looks of a thread that is one of several, in ps: 100 us.
const LOOK_PS: u64 = 100_000_000;

/// Whether this process has one thread.
fn is_single() -> bool {
    std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1)
}

/// The next event. A process of one thread waits in the simulator; a thread of several lets the others go on.
fn next(waits: bool) -> Result<AsyncEvent, c_int> {
    loop {
        let in_simulator = waits && is_single();
        match link::ask("ibv_get_async_event", Call::TakeAsyncEvent { waits: in_simulator }) {
            Ok(Answer::AsyncEvent(event)) => return Ok(event),
            Ok(_) => return Err(libc::EIO),
            Err(libc::EAGAIN) if waits => {}
            Err(errno) => return Err(errno),
        }
        let now = virtual_time::now_ps().ok_or(libc::ENODEV)?;
        scheduled::sleep_until_ps(now.saturating_add(LOOK_PS));
    }
}

// SAFETY of all below: the names are those of rdma-core, taken on purpose. Verbs require the caller to pass valid
// pointers, and objects that this library has made and not destroyed.

/// Waits for an event, unless the descriptor of the context is non-blocking; then `EAGAIN` says that there is none.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_get_async_event(context: *mut Context, place: *mut Event) -> c_int {
    // SAFETY: see above.
    let waits = !is_nonblocking(unsafe { (*context).async_fd });
    let event = next(waits).and_then(|event| {
        let (element, event_type) = match event {
            AsyncEvent::QueueError(queue) => (events::take_of_queue(queue), kind::QUEUE_ERROR),
            AsyncEvent::PairFatal(pair) => (events::take_of_pair(pair), kind::PAIR_FATAL),
            AsyncEvent::PairAccessError(pair) => (events::take_of_pair(pair), kind::PAIR_ACCESS_ERROR),
            AsyncEvent::Established(pair) => (events::take_of_pair(pair), kind::ESTABLISHED),
            AsyncEvent::Drained(pair) => (events::take_of_pair(pair), kind::DRAINED),
            AsyncEvent::LastRequest(pair) => (events::take_of_pair(pair), kind::LAST_REQUEST),
            AsyncEvent::Limit(queue) => (events::take_of_shared(queue), kind::LIMIT),
        };
        Ok(Event { element: element.ok_or(libc::EIO)? as *mut c_void, event_type })
    });
    match event {
        Ok(event) => {
            // SAFETY: see above.
            unsafe { place.write(event) };
            0
        }
        Err(errno) => {
            link::set_errno(errno);
            -1
        }
    }
}

/// Acknowledges an event, so that its object can be destroyed.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_ack_async_event(event: *mut Event) {
    // SAFETY: see above; the element is that of the event.
    unsafe {
        match (*event).event_type {
            kind::QUEUE_ERROR => events::acknowledge_queue((*event).element.cast()),
            kind::LIMIT => events::acknowledge_shared((*event).element.cast()),
            _ => events::acknowledge_pair((*event).element.cast()),
        }
    }
}
