//! One cluster for many shells: lines are executed one at a time, in the order of arrival.
//!
//! The boards live on the thread that calls [`Server::run`]; another thread for each shell reads its requests. Time
//! passes only during a line, so the results depend on the order of lines alone: the log of a server is a script that
//! repeats it.

use std::collections::BTreeMap;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver as Queue, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use machine_api::Driven;

use crate::clip::clip;
use crate::completion::Words;
use crate::line_shell::{Answer, LineShell};
use crate::message::{End, Request, Response, VERSION};
use crate::peer::{Peer, Reader, Seats, ShellMessage};
use crate::shell::Process;
use crate::socket::{BindError, Name};
use crate::{Shell, StartError, script};

/// Time for which an ending server waits for its shells.
const SHUTDOWN_LIMIT: Duration = Duration::from_millis(500);

/// Pause after an error of the system that may persist, such as a lack of descriptors.
const PAUSE: Duration = Duration::from_millis(50);

/// Events of a server.
enum Event {
    Connected(u64, Arc<Peer>),
    Request(u64, Request),
    Disconnected(u64),
    End,
}

/// The line in execution: its shell, its number, and its description for other shells.
struct Busy {
    shell: u64,
    number: u64,
    what: String,
    /// Time was stopped during the line.
    stopped: bool,
}

/// State that readers share with the thread of the boards.
#[derive(Default)]
struct LineControl {
    busy: Mutex<Option<Busy>>,
    /// Stops time.
    stop: Arc<AtomicBool>,
    /// No more lines are begun.
    ending: AtomicBool,
}

impl LineControl {
    /// Stops time during a line of that shell: the line with that number, or any.
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

/// The data is consistent even if a thread panicked with the lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Ends a server from another thread.
#[derive(Clone)]
pub struct Ender {
    name: Arc<Name>,
    events: Sender<Event>,
    control: Arc<LineControl>,
}

impl Ender {
    /// Ends the server: the present line is the last one, and its time stops.
    pub fn end(&self) {
        self.control.ending.store(true, Ordering::SeqCst);
        self.control.stop.store(true, Ordering::SeqCst);
        // The server may have ended already.
        let _ = self.events.send(Event::End);
    }

    /// Removes the socket, for a server that has no time to do it.
    pub fn remove_socket(&self) {
        self.name.remove();
    }
}

/// A server with its socket.
pub struct Server {
    name: Arc<Name>,
    listener: UnixListener,
    // Bounded: a reader sends few requests before they are answered, and there are few readers.
    events: Sender<Event>,
    queue: Queue<Event>,
    control: Arc<LineControl>,
}

/// A shell at the server.
struct Client {
    peer: Arc<Peer>,
    /// Set after the hello.
    attached: Option<Attached>,
}

/// Process of a shell.
struct Attached {
    pid: usize,
    process: Process,
}

impl Server {
    /// Listens to a socket that only its owner can connect to. A socket that a killed server left behind is replaced.
    pub fn bind(path: &Path) -> Result<Self, BindError> {
        let (name, listener) = Name::bind(path)?;
        let (events, queue) = channel();
        Ok(Server { name: Arc::new(name), listener, events, queue, control: Arc::default() })
    }

    /// A handle that ends the server.
    pub fn ender(&self) -> Ender {
        Ender { name: self.name.clone(), events: self.events.clone(), control: self.control.clone() }
    }

    /// Serves until the end, and removes the socket. `log` takes lines of a script that repeats the session.
    pub fn run<M: Driven>(self, mut shell: Shell<M>, log: impl FnMut(&str)) -> Result<(), String> {
        let Server { name, listener, events, queue, control } = self;
        shell.stop_at(control.stop.clone());
        let seats = Seats::default();
        let (readers, taken) = (control.clone(), seats.clone());
        let accepting =
            std::thread::Builder::new().spawn(move || accept(&listener, &events, &readers, &taken));
        accepting.map_err(|error| error.to_string())?;
        let Process { node, wid, .. } = *shell.process();
        let mut boards = BoardThread { shell, control, log, logged: (node, wid), clients: BTreeMap::new() };
        for event in queue {
            match event {
                _ if boards.control.ending.load(Ordering::SeqCst) => break,
                Event::Connected(id, peer) => {
                    drop(boards.clients.insert(id, Client { peer, attached: None }))
                }
                Event::Request(id, request) => boards.request(id, request),
                Event::Disconnected(id) => boards.disconnected(id),
                Event::End => break,
            }
        }
        name.remove();
        for client in std::mem::take(&mut boards.clients).into_values() {
            client.peer.dismiss(Response::Stopped);
        }
        let since = Instant::now();
        while seats.taken() > 0 && since.elapsed() < SHUTDOWN_LIMIT {
            std::thread::sleep(Duration::from_millis(2));
        }
        LineShell::finish(&mut boards.shell)
    }
}

/// Accepts shells, each with a reading thread.
fn accept(listener: &UnixListener, events: &Sender<Event>, control: &Arc<LineControl>, seats: &Seats) {
    for (id, stream) in (0..).zip(listener.incoming()) {
        let Ok(stream) = stream else {
            std::thread::sleep(PAUSE);
            continue;
        };
        let Some((peer, reader)) = Peer::take_in(stream, seats) else { continue };
        if events.send(Event::Connected(id, peer.clone())).is_err() {
            return;
        }
        let (reading, control) = (events.clone(), control.clone());
        let thread = std::thread::Builder::new().spawn(move || {
            read(id, reader, &peer, &reading, &control);
            // The shell takes no more answers: neither to later lines nor to the present one.
            peer.given_up.store(u64::MAX, Ordering::SeqCst);
            control.stop(id, None);
            // The server may have ended already.
            let _ = reading.send(Event::Disconnected(id));
        });
        if thread.is_err() {
            let _ = events.send(Event::Disconnected(id));
        }
    }
}

/// Reads the requests of a shell until it is gone.
fn read(id: u64, reader: Reader, peer: &Peer, events: &Sender<Event>, control: &LineControl) {
    reader.read(peer, |heard| match heard {
        ShellMessage::Stop(number) => {
            peer.given_up.fetch_max(number, Ordering::SeqCst);
            control.stop(id, Some(number));
            true
        }
        ShellMessage::Request(request) => {
            let busy = lock(&control.busy);
            let reason = busy.as_ref().filter(|busy| busy.shell != id).map(|busy| busy.what.clone());
            drop(busy);
            if let Some(reason) = reason {
                peer.tell(Response::Waiting { reason });
            }
            events.send(Event::Request(id, request)).is_ok()
        }
    });
}

/// State of the thread that executes lines.
struct BoardThread<M: Driven, L> {
    shell: Shell<M>,
    control: Arc<LineControl>,
    log: L,
    /// Node and WID of the last line in the log.
    logged: (usize, bool),
    clients: BTreeMap<u64, Client>,
}

impl<M: Driven, L: FnMut(&str)> BoardThread<M, L> {
    /// Handles a request of a shell.
    fn request(&mut self, id: u64, request: Request) {
        let Some(Client { peer, attached }) = self.clients.get_mut(&id) else { return };
        let (peer, attached) = (peer.clone(), attached.take());
        match (request, attached) {
            (Request::Hello { version, machine, processes, pid, wid, folder }, None) => {
                let refusal = self.refusal(&version, &machine, processes, pid).or_else(|| self.taken(pid));
                if let Some(reason) = refusal {
                    return peer.dismiss(Response::Refused { reason });
                }
                let process = Process { node: pid, wid, folder };
                let which = if M::WIDS > 1 { format!(", WID {}", u8::from(wid)) } else { String::new() };
                (self.log)(&format!("# PID {pid} comes{which}"));
                self.shell.act_as(process.clone());
                let (words, about) = (Words::of(&mut self.shell), self.shell.about());
                peer.tell(Response::Welcome { words, about });
                self.attach(id, Attached { pid, process });
            }
            (Request::Line { number, text }, Some(Attached { pid, process })) => {
                self.shell.act_as(process);
                let answer = self.line(&peer, id, number, &text);
                let process = self.shell.process().clone();
                let (here, (text, end)) =
                    (process.node, (answer.text, answer.end.unwrap_or_else(End::Failed)));
                let saved = self.shell.saved_names().map(str::to_string).collect();
                peer.tell(Response::Reply { text, end, here, saved });
                self.attach(id, Attached { pid, process });
            }
            // The shell was refused, and sent this request before it read the refusal.
            _ => {}
        }
    }

    fn attach(&mut self, id: u64, attached: Attached) {
        if let Some(client) = self.clients.get_mut(&id) {
            client.attached = Some(attached);
        }
    }

    /// Handles the end of a shell.
    fn disconnected(&mut self, id: u64) {
        if let Some(Client { attached: Some(attached), .. }) = self.clients.remove(&id) {
            (self.log)(&format!("# PID {} leaves", attached.pid));
        }
    }

    /// Why no shell can be this process now. A shell that has left frees its PID, even if its reader has not reported
    /// it yet.
    fn taken(&mut self, pid: usize) -> Option<String> {
        let is_it = |client: &Client| client.attached.as_ref().is_some_and(|attached| attached.pid == pid);
        let (id, client) = self.clients.iter().find(|(_, client)| is_it(client))?;
        if !client.peer.has_hung_up() {
            return Some(format!(
                "PID {pid} has a shell already; that one has to leave first, or be another PID"
            ));
        }
        let id = *id;
        self.disconnected(id);
        None
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

    /// Executes a line, which its shell may interrupt.
    fn line(&mut self, peer: &Peer, id: u64, number: u64, line: &[u8]) -> Answer {
        let text = match script::text(line) {
            Ok(text) => text,
            Err(error) => {
                (self.log)(&format!("# {}: {error}", clip(line.escape_ascii().to_string())));
                return Answer { text: String::new(), end: Ok(End::Failed(error.to_string())) };
            }
        };
        if text.contains(['\n', '\r']) {
            return Answer { text: String::new(), end: Ok(End::Failed("a line is one line".to_string())) };
        }
        let Process { node, wid, .. } = *self.shell.process();
        self.control.stop.store(false, Ordering::SeqCst);
        let what = clip(format!("waiting for PID {node}: {text}"));
        *lock(&self.control.busy) = Some(Busy { shell: id, number, what, stopped: false });
        // An interrupt either finds the line in `busy`, or is found here.
        if self.control.ending.load(Ordering::SeqCst) || peer.given_up.load(Ordering::SeqCst) >= number {
            *lock(&self.control.busy) = None;
            return Answer { text: "given up before its turn\n".to_string(), end: Ok(End::Next) };
        }
        let mut answer = LineShell::line(&mut self.shell, text);
        let stopped = lock(&self.control.busy).take().is_some_and(|busy| busy.stopped);
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
                // A lockstep run ends with a comparison.
                if let Err(error) = self.shell.session().check() {
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
    use std::io::{BufReader, Write};
    use std::os::unix::net::UnixStream;
    use std::path::PathBuf;

    use super::*;
    use crate::message::{REQUEST, RESPONSE, ReceiveError, Receiver, send};

    /// Runs a shell that sends these bytes to a server which is carrying out line 7 of shell 1. Returns the responses,
    /// the requests for the thread with the boards, whether time is stopped, and the last line that the shell
    /// interrupted.
    fn heard(id: u64, said: &[u8]) -> (Vec<Response>, Vec<Request>, bool, u64) {
        let (shell, server) = UnixStream::pair().unwrap();
        let (peer, reader) = Peer::take_in(server, &Seats::default()).unwrap();
        let (events, queue) = channel();
        let control = LineControl::default();
        let what = "waiting for PID 0: run 9".to_string();
        *lock(&control.busy) = Some(Busy { shell: 1, number: 7, what, stopped: false });
        let mut saying = shell.try_clone().unwrap();
        let said = said.to_vec();
        let saying = std::thread::spawn(move || {
            // The server may close the connection first.
            let _ = saying.write_all(&said);
            let _ = saying.shutdown(std::net::Shutdown::Write);
        });
        read(id, reader, &peer, &events, &control);
        drop(events);
        saying.join().unwrap();
        let given_up = peer.given_up.load(Ordering::SeqCst);
        // The writer drains its queue and ends.
        drop(peer);
        let mut from = Receiver::new(BufReader::new(shell), RESPONSE);
        let mut responses = Vec::new();
        loop {
            match from.receive() {
                Ok(response) => responses.push(response),
                Err(ReceiveError::NotYet) => {}
                Err(_) => break,
            }
        }
        let queued = queue.into_iter().filter_map(|event| match event {
            Event::Request(_, request) => Some(request),
            _ => None,
        });
        (responses, queued.collect(), control.stop.load(Ordering::SeqCst), given_up)
    }

    fn bytes(requests: &[Request]) -> Vec<u8> {
        let mut bytes = Vec::new();
        assert!(requests.iter().all(|request| send(&mut bytes, request)));
        bytes
    }

    fn hello() -> Request {
        let (version, machine) = (VERSION.to_string(), String::new());
        Request::Hello { version, machine, processes: 2, pid: 0, wid: false, folder: PathBuf::new() }
    }

    fn line(number: u64) -> Request {
        Request::Line { number, text: "v".into() }
    }

    #[test]
    fn shell_hears_for_whose_line_its_own_has_to_wait() {
        let (responses, queued, ..) = heard(2, &bytes(&[hello(), line(1)]));
        assert!(matches!(&responses[1], Response::Waiting { reason } if reason.ends_with("PID 0: run 9")));
        assert_eq!((responses.len(), queued), (2, vec![hello(), line(1)]), "hello waits too");
        assert!(heard(1, &bytes(&[hello(), line(8)])).0.is_empty(), "it knows its own line");
    }

    #[test]
    fn time_stops_only_for_the_line_that_is_meant() {
        for (id, number, stops) in [(1, 7, true), (1, 6, false), (2, 7, false)] {
            let (_, queued, stopped, given_up) = heard(id, &bytes(&[hello(), Request::Stop { number }]));
            assert_eq!((stopped, given_up), (stops, number), "{id} {number}");
            assert_eq!(queued, [hello()]);
        }
    }

    #[test]
    fn shell_that_breaks_a_rule_hears_which_and_is_heard_no_more() {
        let long = Request::Line { number: 1, text: vec![b'x'; script::LONGEST_LINE + 1] };
        let many: Vec<_> = std::iter::once(hello()).chain((1..100).map(line)).collect();
        for (said, rule, queued) in [
            (b"GET / HTTP/1.1\n".to_vec(), "expected", 0),
            (vec![0; REQUEST + 1], "it is too long", 0),
            (bytes(&[line(1), hello()]), "hello comes first", 0),
            (bytes(&[hello(), hello()]), "hello comes first, and once", 1),
            (bytes(&[hello(), long, line(2)]), "the line is longer than", 1),
            (bytes(&many), "more than 4 lines came before", 5),
        ] {
            let (responses, said, ..) = heard(1, &said);
            assert_eq!(said.len(), queued, "{rule}");
            assert!(
                matches!(&responses[..], [Response::Refused { reason }] if reason.starts_with(rule)),
                "{responses:?}"
            );
        }
    }
}
