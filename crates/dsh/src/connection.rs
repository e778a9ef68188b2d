//! A shell on the boards of a server.

use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use machine_api::Driven;
use thiserror::Error;

use crate::Start;
use crate::completion::Words;
use crate::line_shell::{Answer, LineShell};
use crate::message::{End, RESPONSE, ReceiveError, Receiver, Request, Response, VERSION, send};
use crate::script;

/// Period in which a waiting shell checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Time after which a server without any answer counts as absent.
const SERVER_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a shell cannot attach.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// No server listens.
    #[error("nobody serves {path}: {error}; `memonet serve` does")]
    Nobody {
        /// Path of the socket.
        path: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The server refuses this shell.
    #[error("{path}: {reason}")]
    Refused {
        /// Path of the socket.
        path: PathBuf,
        /// Reason that the server gives.
        reason: String,
    },
}

/// The default socket of server and `dsh`: in the folder of the user.
pub fn standard_socket() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let run = folder("XDG_RUNTIME_DIR").map(|folder| folder.join("memonet.sock"));
    run.or_else(|| Some(folder("HOME")?.join(".memonet.sock")))
}

/// An attached shell.
pub struct Connection {
    path: PathBuf,
    to: UnixStream,
    from: Receiver<BufReader<UnixStream>>,
    words: Words,
    about: String,
    /// Number of the last line.
    number: u64,
    stop: Option<Arc<AtomicBool>>,
    /// The last line ended the session.
    left: bool,
    /// Reports that a line waits.
    say: fn(&str),
}

impl Connection {
    /// Attaches as the process of `start`; `say` reports that a line waits for other shells.
    pub fn open<M: Driven>(
        path: &Path,
        start: Start,
        folder: &Path,
        say: fn(&str),
    ) -> Result<Self, ConnectError> {
        let nobody = |error| ConnectError::Nobody { path: path.to_path_buf(), error };
        let to = UnixStream::connect(path).map_err(nobody)?;
        to.set_read_timeout(Some(LOOK)).map_err(nobody)?;
        let from = Receiver::new(BufReader::new(to.try_clone().map_err(nobody)?), RESPONSE);
        let mut connection = Connection {
            path: path.to_path_buf(),
            to,
            from,
            words: Words::default(),
            about: String::new(),
            number: 0,
            stop: None,
            left: false,
            say,
        };
        let Start { processes, pid, wid } = start;
        let folder = folder.to_path_buf();
        let (version, machine) = (VERSION.to_string(), M::TITLE.to_string());
        // The loop below detects a server that has gone.
        send(&mut connection.to, &Request::Hello { version, machine, processes, pid, wid, folder });
        let refused = |reason: String| ConnectError::Refused { path: path.to_path_buf(), reason };
        let (since, mut heard) = (Instant::now(), false);
        loop {
            match connection.from.receive() {
                Ok(Response::Welcome { words, about }) => {
                    (connection.words, connection.about) = (words, about);
                    return Ok(connection);
                }
                Ok(Response::Waiting { reason }) => {
                    heard = true;
                    (connection.say)(&reason);
                }
                Ok(Response::Refused { reason }) => return Err(refused(reason)),
                Ok(_) => return Err(refused("this is no server of memonet".to_string())),
                Err(ReceiveError::NotYet) if heard || since.elapsed() < SERVER_TIMEOUT => {}
                Err(ReceiveError::NotYet) => return Err(refused(format!("no answer in {SERVER_TIMEOUT:?}"))),
                Err(error) => return Err(refused(error.to_string())),
            }
        }
    }

    /// Waits for the answer to the last line.
    fn answer(&mut self) -> Result<(String, End), String> {
        let mut told = false;
        loop {
            match self.from.receive() {
                Ok(Response::Reply { text, end, here, saved }) => {
                    self.words.update(here, saved);
                    return Ok((text, end));
                }
                Ok(Response::Waiting { reason }) => (self.say)(&reason),
                Ok(Response::Refused { reason }) => return Err(self.lost(&reason)),
                Ok(Response::Stopped) => return Err(self.lost("it has stopped")),
                Ok(Response::Welcome { .. }) => return Err(self.lost("it lost its thread")),
                Err(ReceiveError::NotYet) => {
                    if self.stop.as_ref().is_some_and(|flag| flag.swap(false, Ordering::Relaxed)) {
                        if told {
                            return Err(self.lost("it did not stop when it was told to"));
                        }
                        told = true;
                        send(&mut self.to, &Request::Stop { number: self.number });
                    }
                }
                Err(error) => return Err(self.lost(&error.to_string())),
            }
        }
    }

    fn lost(&self, why: &str) -> String {
        format!("the server of {} is lost: {why}", self.path.display())
    }
}

impl LineShell for Connection {
    fn line(&mut self, line: &str) -> Answer {
        if line.len() > script::LONGEST_LINE {
            return Answer { text: String::new(), end: Ok(End::Failed(script::too_long())) };
        }
        self.number += 1;
        send(&mut self.to, &Request::Line { number: self.number, text: line.into() });
        match self.answer() {
            Ok((text, end)) => {
                self.left = end == End::Quit;
                Answer { text, end: Ok(end) }
            }
            Err(lost) => Answer { text: String::new(), end: Err(lost) },
        }
    }

    fn words(&mut self) -> Words {
        self.words.clone()
    }

    fn about(&self) -> String {
        self.about.clone()
    }

    fn stop_at(&mut self, flag: Arc<AtomicBool>) {
        self.stop = Some(flag);
    }

    /// The boards stay; they are compared with their RTL up to here when a shell leaves.
    fn finish(&mut self) -> Result<(), String> {
        if self.left {
            return Ok(());
        }
        match self.line("q").end? {
            End::Failed(error) => Err(error),
            End::Next | End::Quit => Ok(()),
        }
    }
}
