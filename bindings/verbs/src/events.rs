//! Completion channels. The descriptor of a channel is readable while an event is there that the program has not got.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use crate::abi::*;
use crate::link;

/// Completion queues by number.
static QUEUES: Mutex<BTreeMap<u8, QueueEvents>> = Mutex::new(BTreeMap::new());
/// Queue pairs by number.
static PAIRS: Objects = Mutex::new(BTreeMap::new());
/// Shared receive queues by number.
static SHARED: Objects = Mutex::new(BTreeMap::new());

/// Objects by number: address, and events that the program has taken.
type Objects = Mutex<BTreeMap<u8, (usize, u32)>>;

/// A completion queue and its events.
#[derive(Clone, Copy, Default)]
struct QueueEvents {
    /// Address of the queue.
    queue: usize,
    /// Address of its channel.
    channel: usize,
    /// Completion events that the program has taken.
    completions: u32,
    /// Asynchronous events that the program has taken.
    asynchronous: u32,
}

fn queues() -> std::sync::MutexGuard<'static, BTreeMap<u8, QueueEvents>> {
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
    Some(queues().iter().filter(|(_, events)| events.channel == channel).map(|(number, _)| *number).collect())
}

/// An event of a queue has come: the descriptor of its channel becomes readable.
pub fn deliver(number: u8) {
    let Some(channel) = queues().get(&number).map(|events| events.channel) else { return };
    let fd = channels().iter().find(|(_, address)| **address == channel).map(|(fd, _)| *fd);
    if let Some(fd) = fd {
        pending().push_back((fd, number));
        let one: u64 = 1;
        // SAFETY: the call reads the 8 bytes of the number.
        unsafe { libc::syscall(libc::SYS_write, fd, &raw const one, 8) };
    }
}

/// Takes the oldest event of a channel.
pub fn take(fd: c_int) -> Option<u8> {
    let mut pending = pending();
    let at = pending.iter().position(|(of, _)| *of == fd)?;
    let mut one: u64 = 0;
    // SAFETY: the call writes the 8 bytes of the number. There is an event, so it does not block.
    unsafe { libc::syscall(libc::SYS_read, fd, &raw mut one, 8) };
    pending.remove(at).map(|(_, number)| number)
}

fn locked(objects: &'static Objects) -> std::sync::MutexGuard<'static, BTreeMap<u8, (usize, u32)>> {
    objects.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a completion queue.
pub fn add(number: u8, queue: *mut Cq, channel: *mut CompChannel) {
    let events = QueueEvents { queue: queue as usize, channel: channel as usize, ..QueueEvents::default() };
    queues().insert(number, events);
}

/// Adds a queue pair, unless it is null.
pub fn add_pair(qp: *mut Qp) {
    if !qp.is_null() {
        // SAFETY: the queue pair was made just now.
        locked(&PAIRS).insert(unsafe { (*qp).handle } as u8, (qp as usize, 0));
    }
}

/// Adds a shared receive queue, unless it is null.
pub fn add_shared(srq: *mut Srq) {
    if !srq.is_null() {
        // SAFETY: the queue was made just now.
        locked(&SHARED).insert(unsafe { (*srq).handle } as u8, (srq as usize, 0));
    }
}

/// Removes a completion queue, when all its events are acknowledged.
///
/// # Safety
/// The queue is valid.
pub unsafe fn remove(number: u8, cq: *mut Cq) {
    pending().retain(|(_, of)| *of != number);
    let Some(QueueEvents { completions, asynchronous, .. }) = queues().remove(&number) else { return };
    // SAFETY: the contract of this function; its fields are used under its mutex.
    unsafe {
        let (mutex, condition) = (&raw mut (*cq).mutex, &raw mut (*cq).cond);
        libc::pthread_mutex_lock(mutex);
        // Other threads change the counts.
        let count = |place: *const u32| place.read_volatile();
        while count(&raw const (*cq).comp_events_completed) != completions
            || count(&raw const (*cq).async_events_completed) != asynchronous
        {
            libc::pthread_cond_wait(condition, mutex);
        }
        libc::pthread_mutex_unlock(mutex);
    }
}

/// Removes a queue pair, when all its events are acknowledged.
///
/// # Safety
/// The queue pair is valid.
pub unsafe fn remove_pair(qp: *mut Qp) {
    // SAFETY: the contract of this function.
    let Some((_, taken)) = locked(&PAIRS).remove(&(unsafe { (*qp).handle } as u8)) else { return };
    // SAFETY: the contract of this function; its fields are used under its mutex.
    unsafe {
        let guard = (&raw mut (*qp).mutex, &raw mut (*qp).cond);
        wait_for(guard, &raw const (*qp).events_completed, taken);
    }
}

/// Removes a shared receive queue, when all its events are acknowledged.
///
/// # Safety
/// The queue is valid.
pub unsafe fn remove_shared(srq: *mut Srq) {
    // SAFETY: the contract of this function.
    let Some((_, taken)) = locked(&SHARED).remove(&(unsafe { (*srq).handle } as u8)) else { return };
    // SAFETY: the contract of this function; its fields are used under its mutex.
    unsafe {
        let guard = (&raw mut (*srq).mutex, &raw mut (*srq).cond);
        wait_for(guard, &raw const (*srq).events_completed, taken);
    }
}

/// Waits until this number of events is acknowledged.
///
/// # Safety
/// All pointers are valid.
unsafe fn wait_for(
    (mutex, condition): (*mut pthread_mutex_t, *mut pthread_cond_t),
    count: *const u32,
    events: u32,
) {
    // SAFETY: the contract of this function.
    unsafe {
        libc::pthread_mutex_lock(mutex);
        // Other threads change the count.
        while count.read_volatile() != events {
            libc::pthread_cond_wait(condition, mutex);
        }
        libc::pthread_mutex_unlock(mutex);
    }
}

/// Counts acknowledged events of an object, and wakes the thread that destroys it.
///
/// # Safety
/// All pointers are valid.
unsafe fn acknowledge(
    (mutex, condition): (*mut pthread_mutex_t, *mut pthread_cond_t),
    count: *mut u32,
    events: u32,
) {
    // SAFETY: the contract of this function.
    unsafe {
        libc::pthread_mutex_lock(mutex);
        *count = (*count).wrapping_add(events);
        libc::pthread_cond_signal(condition);
        libc::pthread_mutex_unlock(mutex);
    }
}

/// Address of a queue of which the program takes the event of a completion.
pub fn take_completion_of_queue(number: u8) -> Option<usize> {
    let mut queues = queues();
    let events = queues.get_mut(&number)?;
    events.completions = events.completions.wrapping_add(1);
    Some(events.queue)
}

/// Address of a queue of which the program takes an asynchronous event.
pub fn take_of_queue(number: u8) -> Option<usize> {
    let mut queues = queues();
    let events = queues.get_mut(&number)?;
    events.asynchronous = events.asynchronous.wrapping_add(1);
    Some(events.queue)
}

/// Address of a queue pair of which the program takes an asynchronous event.
pub fn take_of_pair(number: u8) -> Option<usize> {
    take_of(&PAIRS, number)
}

/// Address of a shared receive queue of which the program takes an asynchronous event.
pub fn take_of_shared(number: u8) -> Option<usize> {
    take_of(&SHARED, number)
}

fn take_of(objects: &'static Objects, number: u8) -> Option<usize> {
    let mut objects = locked(objects);
    let (object, taken) = objects.get_mut(&number)?;
    *taken = taken.wrapping_add(1);
    Some(*object)
}

/// Acknowledges an asynchronous event of a queue.
///
/// # Safety
/// The queue is valid.
pub unsafe fn acknowledge_queue(cq: *mut Cq) {
    // SAFETY: the contract of this function.
    unsafe {
        let guard = (&raw mut (*cq).mutex, &raw mut (*cq).cond);
        acknowledge(guard, &raw mut (*cq).async_events_completed, 1);
    }
}

/// Acknowledges an asynchronous event of a queue pair.
///
/// # Safety
/// The queue pair is valid.
pub unsafe fn acknowledge_pair(qp: *mut Qp) {
    // SAFETY: the contract of this function.
    unsafe {
        let guard = (&raw mut (*qp).mutex, &raw mut (*qp).cond);
        acknowledge(guard, &raw mut (*qp).events_completed, 1);
    }
}

/// Acknowledges an asynchronous event of a shared receive queue.
///
/// # Safety
/// The queue is valid.
pub unsafe fn acknowledge_shared(srq: *mut Srq) {
    // SAFETY: the contract of this function.
    unsafe {
        let guard = (&raw mut (*srq).mutex, &raw mut (*srq).cond);
        acknowledge(guard, &raw mut (*srq).events_completed, 1);
    }
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
    if queues().values().any(|events| events.channel == channel as usize) {
        return libc::EBUSY;
    }
    // SAFETY: see above; the caller gives the object up.
    let CompChannel { fd, .. } = *unsafe { Box::from_raw(channel) };
    channels().remove(&fd);
    pending().retain(|(of, _)| *of != fd);
    close(fd);
    0
}

/// Acknowledges events of a completion queue.
#[unsafe(no_mangle)]
pub extern "C" fn ibv_ack_cq_events(cq: *mut Cq, events: c_uint) {
    // SAFETY: see above.
    unsafe {
        let guard = (&raw mut (*cq).mutex, &raw mut (*cq).cond);
        acknowledge(guard, &raw mut (*cq).comp_events_completed, events);
    }
}
