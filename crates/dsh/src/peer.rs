//! The connection from a server to a shell: one thread reads, another writes, and neither blocks any other thread.
//!
//! Everything has a limit: the number of shells, the time until the hello, the lines in flight, and the time in which
//! an answer is read. A shell beyond a limit is disconnected and told the reason.

use std::io::BufReader;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver as Queue, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::message::{REQUEST, ReceiveError, Receiver, Request, Response, send};
use crate::script;

/// Most shells at once.
pub(crate) const MOST: usize = 64;

/// Most lines of a shell in flight. Our shell waits for each answer; others may send a few more.
const AHEAD: usize = 4;

/// Responses that wait for a shell: two for each of its lines, and a few that come once.
const OUTBOX: usize = 2 * AHEAD + 4;

/// Time for the hello, and for reading an answer, after which a shell is disconnected.
const SHELL_TIMEOUT: Duration = Duration::from_secs(5);

/// Period in which the hello is checked.
const LOOK: Duration = Duration::from_millis(250);

/// Slots for shells.
#[derive(Clone, Default)]
pub(crate) struct Seats(Arc<AtomicUsize>);

/// An occupied slot, until this is dropped.
struct Seat(Arc<AtomicUsize>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Seats {
    /// Number of occupied slots.
    pub fn taken(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Called by the accepting thread alone.
    fn take(&self) -> Option<Seat> {
        if self.taken() >= MOST {
            return None;
        }
        self.0.fetch_add(1, Ordering::SeqCst);
        Some(Seat(self.0.clone()))
    }
}

/// A message to the server.
pub(crate) enum ShellMessage {
    /// A request for the thread with the boards.
    Request(Request),
    /// An interrupt of a line.
    Stop(u64),
}

/// A shell as the server sees it.
pub(crate) struct Peer {
    stream: UnixStream,
    outbox: SyncSender<Response>,
    /// Its lines that wait, and its responses that are not written.
    ahead: Arc<AtomicUsize>,
    /// Number of the last line that it has interrupted.
    pub given_up: AtomicU64,
}

impl Peer {
    /// Accepts a shell: a peer for responses, and a reader. `None` if no slot is free; the shell is told.
    pub fn take_in(stream: UnixStream, seats: &Seats) -> Option<(Arc<Self>, Reader)> {
        let Some(seat) = seats.take() else {
            refuse(stream, format!("there are {MOST} shells already, the most; one of them has to leave"));
            return None;
        };
        let ready = || -> std::io::Result<_> {
            stream.set_write_timeout(Some(SHELL_TIMEOUT))?;
            stream.set_read_timeout(Some(LOOK))?;
            let (from, to) = (stream.try_clone()?, stream.try_clone()?);
            let (outbox, responses) = sync_channel(OUTBOX);
            let (seat, ahead) = (Arc::new(seat), Arc::new(AtomicUsize::new(0)));
            let (writing, answered) = (seat.clone(), ahead.clone());
            let writer = std::thread::Builder::new();
            writer.spawn(move || {
                write(to, &responses, &answered);
                drop(writing);
            })?;
            Ok((outbox, ahead, Reader { from, seat }))
        };
        let Ok((outbox, ahead, reader)) = ready() else {
            refuse(stream, "the server has no room for another shell".to_string());
            return None;
        };
        Some((Arc::new(Peer { stream, outbox, ahead, given_up: AtomicU64::new(0) }), reader))
    }

    /// Queues a response. Its reader detects a shell that has gone.
    pub fn tell(&self, response: Response) {
        if self.outbox.try_send(response).is_err() {
            self.shut(Shutdown::Both);
        }
    }

    /// Queues the last response.
    pub fn dismiss(&self, response: Response) {
        self.tell(response);
        self.shut(Shutdown::Read);
    }

    fn shut(&self, how: Shutdown) {
        // The connection may be closed already.
        let _ = self.stream.shutdown(how);
    }

    /// Whether the other end has closed the connection.
    pub fn has_hung_up(&self) -> bool {
        let mut streams = [PollFd::new(&self.stream, PollFlags::empty())];
        let looked = poll(&mut streams, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        looked.is_ok() && streams[0].revents().contains(PollFlags::HUP)
    }
}

/// Refuses a shell, which may not even read.
fn refuse(mut stream: UnixStream, reason: String) {
    if stream.set_nonblocking(true).is_ok() {
        send(&mut stream, &Response::Refused { reason });
    }
}

/// Writes responses until the queue ends or a write fails.
fn write(mut to: UnixStream, responses: &Queue<Response>, ahead: &AtomicUsize) {
    for response in responses {
        let answer = matches!(response, Response::Reply { .. });
        if !send(&mut to, &response) {
            let _ = to.shutdown(Shutdown::Both);
            return;
        }
        if answer {
            ahead.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Requests of a shell.
pub(crate) struct Reader {
    from: UnixStream,
    /// Freed when writer and reader are gone.
    seat: Arc<Seat>,
}

impl Reader {
    /// Reads until the shell is gone or breaks a rule. `heard` returns whether the server still runs.
    pub fn read(self, peer: &Peer, mut heard: impl FnMut(ShellMessage) -> bool) {
        let Reader { from, seat: _seat } = self;
        if let Some(reason) = listen(from, peer, &mut heard) {
            peer.dismiss(Response::Refused { reason });
        }
    }
}

/// Reads; returns the rule that was broken, if any.
fn listen(from: UnixStream, peer: &Peer, heard: &mut impl FnMut(ShellMessage) -> bool) -> Option<String> {
    let (since, mut greeted) = (Instant::now(), false);
    let mut messages = Receiver::new(BufReader::new(from), REQUEST);
    loop {
        let next = match messages.receive() {
            Ok(request @ Request::Hello { .. }) if !greeted => {
                greeted = true;
                // From now on the shell may be idle for any time.
                if peer.stream.set_read_timeout(None).is_err() {
                    return None;
                }
                ShellMessage::Request(request)
            }
            Ok(Request::Line { text, .. }) if text.len() > script::LONGEST_LINE => {
                return Some(script::too_long());
            }
            Ok(request @ Request::Line { .. }) if greeted => {
                if peer.ahead.fetch_add(1, Ordering::SeqCst) >= AHEAD {
                    return Some(format!("more than {AHEAD} lines came before their answers were taken"));
                }
                ShellMessage::Request(request)
            }
            Ok(Request::Stop { number }) if greeted => ShellMessage::Stop(number),
            Ok(_) => return Some("hello comes first, and once".to_string()),
            Err(ReceiveError::NoMessage(reason)) => return Some(reason),
            Err(ReceiveError::NotYet) if greeted || since.elapsed() < SHELL_TIMEOUT => continue,
            Err(ReceiveError::NotYet) => return Some(format!("no hello in {SHELL_TIMEOUT:?}")),
            Err(ReceiveError::Ended) => return None,
        };
        if !heard(next) {
            return None;
        }
    }
}
