//! One cluster for many shells: each line is carried out alone, in the order in which lines arrive.
//!
//! The boards live on the thread that calls [`Server::run`]; a thread for each shell reads what it says. Time passes only
//! while a line is carried out, so what shells see depends on the order of their lines and on nothing else: the log of a
//! server is a script that repeats it.

use std::collections::BTreeMap;
use std::io::{BufReader, ErrorKind};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver as Queue, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use lab::Driven;
use thiserror::Error;

use crate::completion::Words;
use crate::message::{End, ReceiveError, Receiver, Request, Response, VERSION, send};
use crate::session::{Answer, Session};
use crate::shell::Process;
use crate::{Shell, StartError};

/// A shell that takes nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why nobody can serve a socket.
#[derive(Debug, Error)]
pub enum BindError {
    /// Another server does.
    #[error("{0} is served already; stop that server, or choose another --socket")]
    Served(PathBuf),
    /// There is something else.
    #[error("{0} is there and is no socket; choose another --socket")]
    NoSocket(PathBuf),
    /// The system does not let us.
    #[error("{path}: {error}")]
    System {
        /// The socket.
        path: PathBuf,
        /// What it says.
        error: std::io::Error,
    },
}

/// What happens to a server.
enum Event {
    Came(u64, Arc<Peer>),
    Said(u64, Request),
    Gone(u64),
    End,
}

/// The way to a shell.
struct Peer {
    stream: Mutex<UnixStream>,
    /// The last of its lines that it does not want any more.
    given_up: AtomicU64,
}

impl Peer {
    /// Tells it something; a shell that is gone is heard of by its reader.
    fn tell(&self, response: &Response) {
        let stream = &mut *lock(&self.stream);
        if !send(stream, response) {
            // Nobody is left to hear that the other direction could not be closed.
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

/// The line that is carried out: whose it is, its number, and how others call it.
struct Busy {
    shell: u64,
    number: u64,
    what: String,
    /// Time was stopped on its way.
    stopped: bool,
}

/// What readers know of the thread with the boards.
#[derive(Default)]
struct Desk {
    busy: Mutex<Option<Busy>>,
    /// Stops time.
    stop: Arc<AtomicBool>,
    /// No line is begun any more.
    ending: AtomicBool,
}

impl Desk {
    /// Stops time if it passes for a line of that shell: the one of that number, or any.
    fn stop(&self, shell: u64, number: Option<u64>) {
        if let Some(busy) = &mut *lock(&self.busy)
            && busy.shell == shell
            && number.is_none_or(|number| number == busy.number)
        {
            busy.stopped = true;
            self.stop.store(true, Ordering::SeqCst);
        }
    }
}

/// What was locked is whole even if a thread died that held it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Ends a server from another thread.
#[derive(Clone)]
pub struct Ender {
    events: Sender<Event>,
    desk: Arc<Desk>,
}

impl Ender {
    /// Ends it: the line under way is the last one, and its time stops.
    pub fn end(&self) {
        self.desk.ending.store(true, Ordering::SeqCst);
        self.desk.stop.store(true, Ordering::SeqCst);
        // A server that has ended already does not hear it.
        let _ = self.events.send(Event::End);
    }
}

/// A socket that is listened to.
pub struct Server {
    path: PathBuf,
    listener: UnixListener,
    events: Sender<Event>,
    queue: Queue<Event>,
    desk: Arc<Desk>,
}

/// A shell at the server.
struct Guest {
    peer: Arc<Peer>,
    /// Once it has said hello.
    process: Option<Process>,
}

impl Server {
    /// Listens to a socket. One that a server left behind which was killed is taken over.
    pub fn bind(path: &Path) -> Result<Self, BindError> {
        let system = |error| BindError::System { path: path.to_path_buf(), error };
        if let Ok(found) = std::fs::symlink_metadata(path) {
            if !found.file_type().is_socket() {
                return Err(BindError::NoSocket(path.to_path_buf()));
            }
            match UnixStream::connect(path) {
                Ok(_) => return Err(BindError::Served(path.to_path_buf())),
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
                    std::fs::remove_file(path).map_err(system)?;
                }
                Err(error) => return Err(system(error)),
            }
        }
        let listener = UnixListener::bind(path).map_err(system)?;
        let (events, queue) = channel();
        Ok(Server { path: path.to_path_buf(), listener, events, queue, desk: Arc::default() })
    }

    /// Whoever has it can end the server.
    pub fn ender(&self) -> Ender {
        Ender { events: self.events.clone(), desk: self.desk.clone() }
    }

    /// Serves until it is ended, and removes the socket. `log` takes lines of a script that repeats all that was done.
    pub fn run<M: Driven>(self, mut shell: Shell<M>, log: impl FnMut(&str)) -> Result<(), String> {
        let Server { path, listener, events, queue, desk } = self;
        shell.stop_at(desk.stop.clone());
        let readers = desk.clone();
        std::thread::spawn(move || accept(&listener, &events, &readers));
        let Process { node, wid, .. } = *shell.process();
        let mut floor = Floor { shell, desk, log, logged: (node, wid) };
        let mut guests = BTreeMap::new();
        for event in queue {
            match event {
                _ if floor.desk.ending.load(Ordering::SeqCst) => break,
                Event::Came(id, peer) => drop(guests.insert(id, Guest { peer, process: None })),
                Event::Said(id, request) => {
                    if let Some(guest) = guests.get_mut(&id) {
                        floor.said(guest, id, request);
                    }
                }
                Event::Gone(id) => {
                    if let Some(Guest { process: Some(process), .. }) = guests.remove(&id) {
                        (floor.log)(&format!("# PID {} leaves", process.node));
                    }
                }
                Event::End => break,
            }
        }
        guests.values().for_each(|guest| guest.peer.tell(&Response::Stopped));
        // Somebody may have removed it.
        let _ = std::fs::remove_file(path);
        Session::finish(&mut floor.shell)
    }
}

/// Takes shells in, each with a thread that reads.
fn accept(listener: &UnixListener, events: &Sender<Event>, desk: &Arc<Desk>) {
    for (id, stream) in (0..).zip(listener.incoming()) {
        let Ok((stream, from)) = stream.and_then(|stream| Ok((stream.try_clone()?, stream))) else {
            continue;
        };
        if stream.set_write_timeout(Some(PATIENCE)).is_err() {
            continue;
        }
        let peer = Arc::new(Peer { stream: Mutex::new(stream), given_up: AtomicU64::new(0) });
        if events.send(Event::Came(id, peer.clone())).is_err() {
            return;
        }
        let (events, desk) = (events.clone(), desk.clone());
        std::thread::spawn(move || {
            read(id, from, &peer, &events, &desk);
            // Nobody waits for its lines any more: neither for those to come nor for the one under way.
            peer.given_up.store(u64::MAX, Ordering::SeqCst);
            desk.stop(id, None);
            // A server that has ended does not mind.
            let _ = events.send(Event::Gone(id));
        });
    }
}

/// Reads what a shell says, until it is gone.
fn read(id: u64, from: UnixStream, peer: &Peer, events: &Sender<Event>, desk: &Desk) {
    let mut from = Receiver::new(BufReader::new(from));
    loop {
        match from.receive() {
            Ok(Request::Stop { number }) => {
                peer.given_up.fetch_max(number, Ordering::SeqCst);
                desk.stop(id, Some(number));
            }
            Ok(request) => {
                let reason =
                    lock(&desk.busy).as_ref().filter(|busy| busy.shell != id).map(|busy| busy.what.clone());
                if let Some(reason) = reason {
                    peer.tell(&Response::Waiting { reason });
                }
                if events.send(Event::Said(id, request)).is_err() {
                    return;
                }
            }
            Err(ReceiveError::NoMessage(reason)) => {
                return peer.tell(&Response::Refused { reason });
            }
            Err(_) => return,
        }
    }
}

/// The thread with the boards.
struct Floor<M: Driven, L> {
    shell: Shell<M>,
    desk: Arc<Desk>,
    log: L,
    /// Node and WID to which the log has gone over.
    logged: (usize, bool),
}

impl<M: Driven, L: FnMut(&str)> Floor<M, L> {
    /// Does what a shell asks for.
    fn said(&mut self, guest: &mut Guest, id: u64, request: Request) {
        match (request, guest.process.take()) {
            (Request::Hello { version, machine, processes, pid, wid, folder }, None) => {
                if let Some(reason) = self.refusal(&version, &machine, processes, pid) {
                    return guest.peer.tell(&Response::Refused { reason });
                }
                let process = Process { node: pid, wid, folder: PathBuf::from(folder) };
                let which = if M::WIDS > 1 { format!(", WID {}", u8::from(wid)) } else { String::new() };
                (self.log)(&format!("# PID {pid} comes{which}"));
                self.shell.act_as(process.clone());
                guest.process = Some(process);
                guest.peer.tell(&Response::Welcome { words: Words::of(&mut self.shell) });
            }
            (Request::Line { number, text }, Some(process)) => {
                self.shell.act_as(process);
                let answer = self.line(&guest.peer, id, number, &text);
                guest.process = Some(self.shell.process().clone());
                let (text, end) = (answer.text, answer.end.unwrap_or_else(End::Failed));
                let saved = self.shell.saved_names().map(str::to_string).collect();
                guest.peer.tell(&Response::Reply { text, end, here: self.shell.process().node, saved });
            }
            (_, process) => {
                guest.process = process;
                guest.peer.tell(&Response::Refused { reason: "hello comes first, and once".to_string() });
            }
        }
    }

    fn refusal(&self, version: &str, machine: &str, processes: usize, pid: usize) -> Option<String> {
        let nodes = self.shell.nodes();
        if version != VERSION {
            return Some(format!("the server is version {VERSION}, this shell is {version}"));
        }
        if machine != M::TITLE {
            return Some(format!("the boards that are served are {}, not {machine}", M::TITLE));
        }
        if processes != nodes {
            return Some(format!("the cluster that is served has {nodes} processes, not {processes}"));
        }
        (pid >= nodes).then(|| StartError::Pid { processes, pid }.to_string())
    }

    /// Carries out a line, which its shell may stop.
    fn line(&mut self, peer: &Peer, id: u64, number: u64, text: &str) -> Answer {
        if text.contains(['\n', '\r']) {
            return Answer { text: String::new(), end: Ok(End::Failed("a line is one line".to_string())) };
        }
        let Process { node, wid, .. } = *self.shell.process();
        self.desk.stop.store(false, Ordering::SeqCst);
        let what = format!("waiting for PID {node}: {text}");
        *lock(&self.desk.busy) = Some(Busy { shell: id, number, what, stopped: false });
        // Whoever stops it either sees it on the desk, or was seen here.
        if self.desk.ending.load(Ordering::SeqCst) || peer.given_up.load(Ordering::SeqCst) >= number {
            *lock(&self.desk.busy) = None;
            return Answer { text: "given up before its turn\n".to_string(), end: Ok(End::Next) };
        }
        let mut answer = Session::line(&mut self.shell, text);
        let stopped = lock(&self.desk.busy).take().is_some_and(|busy| busy.stopped);
        match &answer.end {
            Ok(End::Next) if stopped => (self.log)(&format!("# stopped on the way: {text}")),
            Ok(End::Next) => {
                if self.logged != (node, wid) {
                    let wid = if M::WIDS > 1 { format!(" {}", u8::from(wid)) } else { String::new() };
                    (self.log)(&format!("node {node}{wid}"));
                }
                (self.log)(text);
                let Process { node, wid, .. } = *self.shell.process();
                self.logged = (node, wid);
            }
            Ok(End::Quit) => {
                // A lockstep run is not over before it was compared.
                if let Err(error) = self.shell.machine().check() {
                    answer.end = Ok(End::Failed(error.to_string()));
                }
            }
            Ok(End::Failed(error)) | Err(error) => (self.log)(&format!("# {text}: {error}")),
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell that said these things to a server which is carrying out line 7 of shell 1, and what it heard.
    fn heard(id: u64, said: &[Request]) -> (Vec<Response>, Vec<Request>, Desk, Peer) {
        let (mut shell, server) = UnixStream::pair().unwrap();
        let peer = Peer { stream: Mutex::new(server.try_clone().unwrap()), given_up: AtomicU64::new(0) };
        let (events, queue) = channel();
        let desk = Desk::default();
        let what = "waiting for PID 0: run 9".to_string();
        *lock(&desk.busy) = Some(Busy { shell: 1, number: 7, what, stopped: false });
        assert!(said.iter().all(|request| send(&mut shell, request)));
        shell.shutdown(std::net::Shutdown::Write).unwrap();
        read(id, server, &peer, &events, &desk);
        lock(&peer.stream).shutdown(std::net::Shutdown::Write).unwrap();
        drop(events);
        let mut from = Receiver::new(BufReader::new(shell));
        let responses = std::iter::from_fn(|| from.receive().ok()).collect();
        let queued = queue.into_iter().filter_map(|event| match event {
            Event::Said(_, request) => Some(request),
            _ => None,
        });
        (responses, queued.collect(), desk, peer)
    }

    fn line(number: u64) -> Request {
        Request::Line { number, text: "v".to_string() }
    }

    #[test]
    fn shell_hears_for_whose_line_its_own_has_to_wait() {
        let (responses, queued, ..) = heard(2, &[line(1)]);
        assert!(matches!(&responses[..], [Response::Waiting { reason }] if reason.ends_with("PID 0: run 9")));
        assert_eq!(queued, [line(1)]);
        assert!(heard(1, &[line(8)]).0.is_empty(), "it knows its own line");
    }

    #[test]
    fn time_stops_only_for_the_line_that_is_meant() {
        for (id, number, stops) in [(1, 7, true), (1, 6, false), (2, 7, false)] {
            let (_, queued, desk, peer) = heard(id, &[Request::Stop { number }]);
            assert_eq!(desk.stop.load(Ordering::SeqCst), stops, "{id} {number}");
            assert_eq!((queued.len(), peer.given_up.load(Ordering::SeqCst)), (0, number));
        }
    }

    #[test]
    fn what_is_no_message_ends_the_connection_with_a_reason() {
        let (mut shell, server) = UnixStream::pair().unwrap();
        let peer = Peer { stream: Mutex::new(server.try_clone().unwrap()), given_up: AtomicU64::new(0) };
        std::io::Write::write_all(&mut shell, b"GET / HTTP/1.1\n").unwrap();
        read(0, server, &peer, &channel().0, &Desk::default());
        let heard = Receiver::new(BufReader::new(shell)).receive().unwrap();
        assert!(matches!(heard, Response::Refused { reason } if reason.starts_with("expected")));
    }
}
