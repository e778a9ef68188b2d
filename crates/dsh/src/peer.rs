//! The way from a server to a shell and back: one thread reads, another writes, and neither is waited for by anybody else.
//!
//! Everything here has a bound: how many shells there are, how long one may be silent before it says hello, how many lines
//! it may be ahead of its answers, how long it may leave an answer unread. Whoever goes beyond is cut off, with a reason if it
//! still listens.

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

/// Lines that a shell may have on their way. Ours waits for each answer; a few more do no harm.
const AHEAD: usize = 4;

/// Responses that wait for a shell: two for each of its lines, and a few that come once.
const OUTBOX: usize = 2 * AHEAD + 4;

/// A shell that does not say hello, or does not take what it is told, is given up after so long.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often a shell that has not said hello is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// Places for shells.
#[derive(Clone, Default)]
pub(crate) struct Seats(Arc<AtomicUsize>);

/// One that is taken, until this is dropped.
struct Seat(Arc<AtomicUsize>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Seats {
    /// How many are taken.
    pub fn taken(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    /// Only the thread that accepts calls this.
    fn take(&self) -> Option<Seat> {
        if self.taken() >= MOST {
            return None;
        }
        self.0.fetch_add(1, Ordering::SeqCst);
        Some(Seat(self.0.clone()))
    }
}

/// What a reader hears.
pub(crate) enum Heard {
    /// It is the server's turn.
    Said(Request),
    /// A line is not wanted any more.
    Stop(u64),
}

/// A shell, as the server sees it.
pub(crate) struct Peer {
    stream: UnixStream,
    outbox: SyncSender<Response>,
    /// Its lines that wait for their turn, or their answer for being taken.
    ahead: Arc<AtomicUsize>,
    /// The last of its lines that it does not want any more.
    pub given_up: AtomicU64,
}

impl Peer {
    /// Takes a shell in: a peer that is told things, and what its reader reads from. Nothing if there is no room; it hears why.
    pub fn take_in(stream: UnixStream, seats: &Seats) -> Option<(Arc<Self>, Reader)> {
        let Some(seat) = seats.take() else {
            refuse(stream, format!("there are {MOST} shells already, the most; one of them has to leave"));
            return None;
        };
        let ready = || -> std::io::Result<_> {
            stream.set_write_timeout(Some(PATIENCE))?;
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

    /// Tells it something, without waiting for it. A shell that is gone is heard of by its reader.
    pub fn tell(&self, response: Response) {
        if self.outbox.try_send(response).is_err() {
            self.shut(Shutdown::Both);
        }
    }

    /// Tells it the last thing.
    pub fn dismiss(&self, response: Response) {
        self.tell(response);
        self.shut(Shutdown::Read);
    }

    fn shut(&self, how: Shutdown) {
        // Nobody is left to hear that it is shut already.
        let _ = self.stream.shutdown(how);
    }

    /// Whether nobody is at the other end any more, heard of or not.
    pub fn has_hung_up(&self) -> bool {
        let mut streams = [PollFd::new(&self.stream, PollFlags::empty())];
        let looked = poll(&mut streams, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        looked.is_ok() && streams[0].revents().contains(PollFlags::HUP)
    }
}

/// Says no to a shell, which may not even listen.
fn refuse(mut stream: UnixStream, reason: String) {
    if stream.set_nonblocking(true).is_ok() {
        send(&mut stream, &Response::Refused { reason });
    }
}

/// Writes what a shell is told, until there is nothing more to tell or it takes nothing any more.
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

/// What a shell says.
pub(crate) struct Reader {
    from: UnixStream,
    /// It goes when writer and reader are gone.
    seat: Arc<Seat>,
}

impl Reader {
    /// Reads until the shell is gone or breaks a rule. `heard` tells whether anybody still listens.
    pub fn read(self, peer: &Peer, mut heard: impl FnMut(Heard) -> bool) {
        let Reader { from, seat: _seat } = self;
        if let Some(reason) = listen(from, peer, &mut heard) {
            peer.dismiss(Response::Refused { reason });
        }
    }
}

/// Reads, and tells which rule was broken, if one was.
fn listen(from: UnixStream, peer: &Peer, heard: &mut impl FnMut(Heard) -> bool) -> Option<String> {
    let (since, mut greeted) = (Instant::now(), false);
    let mut messages = Receiver::new(BufReader::new(from), REQUEST);
    loop {
        let next = match messages.receive() {
            Ok(request @ Request::Hello { .. }) if !greeted => {
                greeted = true;
                // From now on a user may think as long as he likes.
                if peer.stream.set_read_timeout(None).is_err() {
                    return None;
                }
                Heard::Said(request)
            }
            Ok(Request::Line { text, .. }) if text.len() > script::LONGEST_LINE => {
                return Some(script::too_long());
            }
            Ok(request @ Request::Line { .. }) if greeted => {
                if peer.ahead.fetch_add(1, Ordering::SeqCst) >= AHEAD {
                    return Some(format!("more than {AHEAD} lines came before their answers were taken"));
                }
                Heard::Said(request)
            }
            Ok(Request::Stop { number }) if greeted => Heard::Stop(number),
            Ok(_) => return Some("hello comes first, and once".to_string()),
            Err(ReceiveError::NoMessage(reason)) => return Some(reason),
            Err(ReceiveError::NotYet) if greeted || since.elapsed() < PATIENCE => continue,
            Err(ReceiveError::NotYet) => return Some(format!("no hello in {PATIENCE:?}")),
            Err(ReceiveError::Ended) => return None,
        };
        if !heard(next) {
            return None;
        }
    }
}
