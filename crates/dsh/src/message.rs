//! What a shell and a server say to each other: JSON, one message to a line.

use std::io::{BufRead, ErrorKind, Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::completion::Words;

/// Shell and server speak the same language only if they are of the same version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Longest message; nobody types so much.
const LONGEST: u64 = 1 << 20;

/// From the shell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Who attaches.
    Hello {
        /// Version of the shell.
        version: String,
        /// The machine that it drives.
        machine: String,
        /// Processes of its parallel program.
        processes: usize,
        /// Its own PID.
        pid: usize,
        /// Its own WID.
        wid: bool,
        /// Where its names of files begin.
        folder: String,
    },
    /// A line to carry out.
    Line {
        /// Counts the lines of this shell.
        number: u64,
        /// What was typed.
        text: String,
    },
    /// Time is to stop, if it passes for that line.
    Stop {
        /// Number of the line.
        number: u64,
    },
}

/// From the server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// The shell is attached; with words for its completion.
    Welcome {
        /// The words.
        words: Words,
    },
    /// It is not, or the server will not listen to it any more.
    Refused {
        /// Why.
        reason: String,
    },
    /// A line has to wait for the line of another shell.
    Waiting {
        /// What for.
        reason: String,
    },
    /// A line is done.
    Reply {
        /// What it prints.
        text: String,
        /// How it ended.
        end: End,
        /// Node of the process now.
        here: usize,
        /// Names of the saved points now.
        saved: Vec<String>,
    },
    /// The server stops.
    Stopped,
}

/// How a line ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The next one may come.
    Next,
    /// It was the last one.
    Quit,
    /// It failed, with this line of text.
    Failed(String),
}

/// Why no message came.
#[derive(Debug, Error)]
pub enum ReceiveError {
    /// The other side is gone.
    #[error("the connection has ended")]
    Ended,
    /// Nothing yet; what has come of a message is kept.
    #[error("nothing has come yet")]
    NotYet,
    /// Not a message.
    #[error("that is no message of dsh: {0}")]
    NoMessage(String),
}

/// Reads messages, whole lines of them.
pub struct Receiver<R> {
    from: R,
    line: Vec<u8>,
}

impl<R: BufRead> Receiver<R> {
    /// Reads from there.
    pub fn new(from: R) -> Self {
        Receiver { from, line: Vec::new() }
    }

    /// The next message.
    pub fn receive<M: DeserializeOwned>(&mut self) -> Result<M, ReceiveError> {
        let room = LONGEST.saturating_sub(self.line.len() as u64);
        match (&mut self.from).take(room).read_until(b'\n', &mut self.line) {
            Ok(_) if self.line.ends_with(b"\n") => {}
            Ok(_) if self.line.len() as u64 >= LONGEST => {
                return Err(ReceiveError::NoMessage("it is too long".to_string()));
            }
            Ok(_) => return Err(ReceiveError::Ended),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(ReceiveError::NotYet);
            }
            Err(_) => return Err(ReceiveError::Ended),
        }
        let line = std::mem::take(&mut self.line);
        serde_json::from_slice(&line).map_err(|error| ReceiveError::NoMessage(error.to_string()))
    }
}

/// Writes a message; tells whether the other side could take it.
pub fn send(to: &mut impl Write, message: &impl Serialize) -> bool {
    let mut line = serde_json::to_vec(message).expect("a message has nothing that JSON cannot say");
    line.push(b'\n');
    to.write_all(&line).and_then(|()| to.flush()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(bytes: &[u8]) -> Result<Request, ReceiveError> {
        Receiver::new(bytes).receive()
    }

    #[test]
    fn messages_come_out_as_they_went_in() {
        let messages = [
            Request::Line { number: 1, text: "v\u{e9}\n\0\"".to_string() },
            Request::Stop { number: u64::MAX },
        ];
        let mut bytes = Vec::new();
        assert!(messages.iter().all(|message| send(&mut bytes, message)));
        assert_eq!(bytes.iter().filter(|byte| **byte == b'\n').count(), 2);
        let mut receiver = Receiver::new(&bytes[..]);
        for message in messages {
            assert_eq!(receiver.receive::<Request>().unwrap(), message);
        }
        assert!(matches!(receiver.receive::<Request>(), Err(ReceiveError::Ended)));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        assert!(matches!(received(b"hello\n"), Err(ReceiveError::NoMessage(_))));
        assert!(matches!(received(b"{\"stop\":{\"number\":1}"), Err(ReceiveError::Ended)), "cut short");
        let endless = vec![b'x'; LONGEST as usize + 5];
        assert!(matches!(received(&endless), Err(ReceiveError::NoMessage(_))));
    }

    #[test]
    fn half_a_message_waits_for_its_other_half() {
        /// Halves, and nothing between them.
        struct Halves(Vec<&'static [u8]>);
        impl Read for Halves {
            fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
                match self.0.pop() {
                    Some([]) => Err(ErrorKind::WouldBlock.into()),
                    Some(half) => {
                        into[..half.len()].copy_from_slice(half);
                        Ok(half.len())
                    }
                    None => Ok(0),
                }
            }
        }
        let halves = Halves(vec![b"number\":7}}\n", b"", b"{\"stop\":{\""]);
        let mut receiver = Receiver::new(std::io::BufReader::new(halves));
        assert!(matches!(receiver.receive::<Request>(), Err(ReceiveError::NotYet)));
        assert_eq!(receiver.receive::<Request>().unwrap(), Request::Stop { number: 7 });
    }
}
