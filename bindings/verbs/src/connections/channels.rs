//! Event channels: descriptors that are readable while an event is there that the program has not got.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use libc::c_int;
use processes::verbs::call::Wanted;
use processes::verbs::connections::call::{ConnectionAnswer, ConnectionCall, ConnectionEvent, EventKind};
use processes::verbs::{Answer, Call};

use crate::{events, link, scheduled, timers, virtual_time};

/// An id as the program knows it.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Number by which the program knows it; 0 before it has one.
    uid: u64,
    /// Events of it that the program has got.
    reported: u32,
}

/// Channels and ids of this process.
struct Channels {
    /// Channels by descriptor.
    numbers: BTreeMap<c_int, u32>,
    ids: BTreeMap<u32, Known>,
    /// Events that the program has not got, with the descriptor of their channel.
    pending: VecDeque<(c_int, ConnectionEvent)>,
}

static CHANNELS: Mutex<Channels> =
    Mutex::new(Channels { numbers: BTreeMap::new(), ids: BTreeMap::new(), pending: VecDeque::new() });
/// The process has opened a channel; reads of other descriptors need not look.
static IS_USED: AtomicBool = AtomicBool::new(false);

fn channels() -> MutexGuard<'static, Channels> {
    CHANNELS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a channel; its descriptor.
pub fn open() -> Result<c_int, c_int> {
    let number = link::number("rdma_create_event_channel", Call::Connection(ConnectionCall::OpenChannel))?;
    let fd = events::descriptor();
    IS_USED.store(true, Relaxed);
    channels().numbers.insert(fd, number);
    Ok(fd)
}

/// The channel with this descriptor, if it is one.
pub fn number(fd: c_int) -> Option<u32> {
    if !IS_USED.load(Relaxed) {
        return None;
    }
    channels().numbers.get(&fd).copied()
}

/// The program closes a descriptor.
pub fn close(fd: c_int) {
    let Some(number) = number(fd) else { return };
    let mut all = channels();
    all.numbers.remove(&fd);
    all.pending.retain(|(of, _)| *of != fd);
    drop(all);
    let _ = link::ask("close", Call::Connection(ConnectionCall::CloseChannel(number)));
}

/// Adds an id, which the program knows by `uid`.
pub fn add_id(id: u32, uid: u64) {
    channels().ids.insert(id, Known { uid, reported: 0 });
}

/// The program knows an id by this number from now on.
pub fn set_uid(id: u32, uid: u64) {
    channels().ids.entry(id).or_default().uid = uid;
}

/// Removes an id and its events; the number of events that the program has got. Ids of requests that it has not got are
/// returned too.
pub fn remove_id(id: u32) -> (u32, Vec<u32>) {
    let mut all = channels();
    let is_of_id = |event: &ConnectionEvent| event.id == id || event.listener == Some(id);
    let removed: Vec<_> = all.pending.iter().filter(|(_, event)| is_of_id(event)).cloned().collect();
    all.pending.retain(|(_, event)| !is_of_id(event));
    let reported = all.ids.remove(&id).unwrap_or_default().reported;
    drop(all);
    removed.iter().for_each(|(fd, _)| lower(*fd));
    (reported, removed.into_iter().map(|(_, event)| event.id).filter(|other| *other != id).collect())
}

/// Moves the pending events of an id to another channel; the number of events that the program has got.
pub fn migrate(id: u32, to: c_int) -> u32 {
    let mut all = channels();
    let mut moved = Vec::new();
    for (fd, event) in &mut all.pending {
        if event.listener.unwrap_or(event.id) == id {
            moved.push(std::mem::replace(fd, to));
        }
    }
    let reported = all.ids.entry(id).or_default().reported;
    drop(all);
    for from in moved {
        lower(from);
        raise(to);
    }
    reported
}

/// A descriptor has one more event.
fn raise(fd: c_int) {
    let one: u64 = 1;
    // SAFETY: the call reads the 8 bytes of the number.
    unsafe { libc::syscall(libc::SYS_write, fd, &raw const one, 8) };
}

/// A descriptor has one event less.
fn lower(fd: c_int) {
    let mut one: u64 = 0;
    // SAFETY: the call writes the 8 bytes of the number. There is an event, so it does not block.
    unsafe { libc::syscall(libc::SYS_read, fd, &raw mut one, 8) };
}

/// As [`fetch`], of the channel of this number.
pub fn fetch_of(channel: u32) {
    let fd = channels().numbers.iter().find(|(_, number)| **number == channel).map(|(fd, _)| *fd);
    if let Some(fd) = fd {
        fetch(fd);
    }
}

/// Gets the events of a channel from the simulator: its descriptor becomes readable.
pub fn fetch(fd: c_int) {
    let Some(number) = number(fd) else { return };
    let call = Call::Connection(ConnectionCall::TakeEvent(number));
    while let Ok(Answer::Connection(ConnectionAnswer::Event(event))) =
        link::ask("rdma_get_cm_event", call.clone())
    {
        let mut all = channels();
        // As in Linux, an id that the program does not know yet has no events but its request.
        let is_request = event.kind == EventKind::ConnectRequest;
        if !is_request && all.ids.get(&event.id).is_none_or(|known| known.uid == 0) {
            continue;
        }
        all.pending.push_back((fd, event));
        drop(all);
        raise(fd);
    }
}

/// Takes the oldest event of a channel, with the number by which the program knows its id or the listener.
fn take(fd: c_int) -> Option<(ConnectionEvent, u64)> {
    let mut all = channels();
    let at = all.pending.iter().position(|(of, _)| *of == fd)?;
    let (_, event) = all.pending.remove(at)?;
    if event.kind == EventKind::ConnectRequest {
        all.ids.entry(event.id).or_default();
    }
    let known = all.ids.entry(event.listener.unwrap_or(event.id)).or_default();
    known.reported += 1;
    let uid = known.uid;
    drop(all);
    lower(fd);
    Some((event, uid))
}

/// Another thread has closed the channel, which Linux keeps for those that wait in it: they never return.
fn wait_for_ever() -> ! {
    loop {
        // The function of this library, which lets other threads run.
        // SAFETY: the argument is a number.
        unsafe { libc::sleep(libc::c_uint::MAX) };
    }
}

/// Waits for the next event of a channel, or returns `EAGAIN` if its descriptor does not block.
pub fn next(fd: c_int) -> Result<(ConnectionEvent, u64), c_int> {
    loop {
        if let Some(event) = take(fd) {
            return Ok(event);
        }
        fetch(fd);
        if let Some(event) = take(fd) {
            return Ok(event);
        }
        // SAFETY: the arguments are numbers.
        if unsafe { libc::fcntl(fd, libc::F_GETFL) } & libc::O_NONBLOCK != 0 {
            return Err(libc::EAGAIN);
        }
        let Some(number) = number(fd) else { wait_for_ever() };
        let now = virtual_time::now_ps().ok_or(libc::ENODEV)?;
        let end = timers::next_ps().max(now).min(now.saturating_add(link::slice_ps(u64::MAX)));
        let wanted = Wanted { queues: Vec::new(), sockets: false, outside: false, until_ps: end };
        scheduled::wait("rdma_get_cm_event", wanted, &[number])?;
    }
}
