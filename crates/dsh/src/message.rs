//! Messages between a shell and a server: JSON, one message to a line.

use std::io::{BufRead, ErrorKind, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::clip::clip;
use crate::completion::Words;
use crate::wire_bytes;

/// Shell and server must have the same version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Longest message of a shell: the longest line, with up to six bytes for each byte, and the fields around it.
pub const REQUEST: usize = 1 << 19;

/// Longest message of a server: the output of a line.
pub const RESPONSE: usize = 1 << 26;

/// A message from the shell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// A shell attaches.
    Hello {
        /// Version of the shell.
        version: String,
        /// Name of its machine.
        machine: String,
        /// Processes of its parallel program.
        processes: usize,
        /// PID of its process.
        pid: usize,
        /// WID of its process.
        wid: bool,
        /// Folder of its relative file names.
        #[serde(with = "wire_bytes::path")]
        folder: PathBuf,
    },
    /// A line to carry out.
    Line {
        /// Number of the line in this shell.
        number: u64,
        /// The line, which may be any bytes.
        #[serde(with = "wire_bytes")]
        text: Vec<u8>,
    },
    /// Interrupts a line.
    Stop {
        /// Number of the line.
        number: u64,
    },
}

/// A message from the server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// The shell is attached.
    Welcome {
        /// Words for completion.
        words: Words,
        /// Kind of the boards and process of the shell, as text.
        about: String,
    },
    /// The shell is refused or disconnected.
    Refused {
        /// Reason, for the user.
        reason: String,
    },
    /// A line waits for the line of another shell.
    Waiting {
        /// The line that it waits for.
        reason: String,
    },
    /// A line has ended.
    Reply {
        /// Output of the line.
        text: String,
        /// End of the line.
        end: End,
        /// Node of the process after the line.
        here: usize,
        /// Names of the saved points.
        saved: Vec<String>,
    },
    /// The server stops.
    Stopped,
}

/// End of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The session goes on.
    Next,
    /// The session ends.
    Quit,
    /// The line failed; one line of text.
    Failed(String),
}

/// Why no message was received.
#[derive(Debug, Error)]
pub enum ReceiveError {
    /// The other side has closed the connection.
    #[error("the connection has ended")]
    Ended,
    /// No whole message has arrived yet; its beginning is kept.
    #[error("nothing has come yet")]
    NotYet,
    /// The line is no message.
    #[error("that is no message of dsh: {0}")]
    NoMessage(String),
}

/// Reads messages, a line each.
pub struct Receiver<R> {
    from: R,
    line: Vec<u8>,
    longest: usize,
}

impl<R: BufRead> Receiver<R> {
    /// A receiver of messages of at most `longest` bytes.
    pub fn new(from: R, longest: usize) -> Self {
        Receiver { from, line: Vec::new(), longest }
    }

    /// The next message. Returns on every timeout, even if bytes arrive one by one.
    pub fn receive<M: DeserializeOwned>(&mut self) -> Result<M, ReceiveError> {
        let bytes = match self.from.fill_buf() {
            Ok([]) => return Err(ReceiveError::Ended),
            Ok(bytes) => bytes,
            Err(error) => {
                let yet = [ErrorKind::WouldBlock, ErrorKind::TimedOut, ErrorKind::Interrupted];
                return Err(if yet.contains(&error.kind()) {
                    ReceiveError::NotYet
                } else {
                    ReceiveError::Ended
                });
            }
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(bytes.len(), |at| at + 1);
        self.line.extend_from_slice(&bytes[..taken]);
        self.from.consume(taken);
        if self.line.len() > self.longest {
            return Err(ReceiveError::NoMessage("it is too long".to_string()));
        }
        if end.is_none() {
            return Err(ReceiveError::NotYet);
        }
        let line = std::mem::take(&mut self.line);
        serde_json::from_slice(&line).map_err(|error| ReceiveError::NoMessage(clip(error.to_string())))
    }
}

/// Writes a message; returns whether that succeeded.
pub fn send(to: &mut impl Write, message: &impl Serialize) -> bool {
    let mut line = serde_json::to_vec(message).expect("a message has nothing that JSON cannot say");
    line.push(b'\n');
    to.write_all(&line).and_then(|()| to.flush()).is_ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use hdl::Stimulus;

    use super::*;

    /// The next message, after any number of timeouts.
    fn patient(receiver: &mut Receiver<impl BufRead>) -> Result<Request, ReceiveError> {
        loop {
            match receiver.receive() {
                Err(ReceiveError::NotYet) => {}
                came => return came,
            }
        }
    }

    fn received(bytes: &[u8]) -> Result<Request, ReceiveError> {
        patient(&mut Receiver::new(bytes, REQUEST))
    }

    #[test]
    fn messages_come_out_as_they_went_in() {
        let messages =
            [Request::Line { number: 1, text: "v\u{e9}\n\0\"".into() }, Request::Stop { number: u64::MAX }];
        let mut bytes = Vec::new();
        assert!(messages.iter().all(|message| send(&mut bytes, message)));
        assert_eq!(bytes.iter().filter(|byte| **byte == b'\n').count(), 2);
        let mut receiver = Receiver::new(&bytes[..], REQUEST);
        for message in messages {
            assert_eq!(receiver.receive::<Request>().unwrap(), message);
        }
        assert!(matches!(receiver.receive::<Request>(), Err(ReceiveError::Ended)));
    }

    #[test]
    fn longest_line_is_a_message_whatever_it_consists_of() {
        let text = vec![0; crate::script::LONGEST_LINE];
        let mut bytes = Vec::new();
        assert!(send(&mut bytes, &Request::Line { number: u64::MAX, text: text.clone() }));
        assert!(matches!(received(&bytes), Ok(Request::Line { text: back, .. }) if back == text));
    }

    #[test]
    fn bytes_that_are_no_text_are_a_line() {
        let received = received(b"{\"line\":{\"number\":1,\"text\":\"v \xe9\xff\"}}\n").unwrap();
        assert_eq!(received, Request::Line { number: 1, text: b"v \xe9\xff".to_vec() });
    }

    #[test]
    fn folders_of_any_bytes_arrive_unchanged() {
        use std::os::unix::ffi::OsStringExt;
        for folder in [&b"/home/caf\xc3\xa9"[..], b"/home/caf\xe9", b""] {
            let folder = PathBuf::from(std::ffi::OsString::from_vec(folder.to_vec()));
            let hello = Request::Hello {
                version: VERSION.to_string(),
                machine: String::new(),
                processes: 2,
                pid: 0,
                wid: false,
                folder,
            };
            assert_eq!(received(&bytes_of(&hello)).unwrap(), hello);
        }
    }

    #[test]
    fn what_is_no_message_is_refused() {
        assert!(matches!(received(b"hello\n"), Err(ReceiveError::NoMessage(_))));
        assert!(matches!(received(b"{\"stop\":{\"number\":1}"), Err(ReceiveError::Ended)), "cut short");
        assert!(matches!(received(b"\"\xc3\n"), Err(ReceiveError::NoMessage(_))), "half a letter");
        let endless = vec![b'x'; REQUEST + 5];
        assert!(matches!(received(&endless), Err(ReceiveError::NoMessage(_))));
    }

    #[test]
    fn refusal_does_not_quote_all_that_was_said() {
        let said = format!("{{\"{}\":1}}\n", "x".repeat(REQUEST / 2));
        let Err(ReceiveError::NoMessage(why)) = received(said.as_bytes()) else { panic!("it is no message") };
        assert!(why.starts_with("unknown variant") && why.len() < 3000, "{} bytes", why.len());
    }

    #[test]
    fn half_a_message_waits_for_its_other_half() {
        /// Parts of messages, with timeouts between them.
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
        let mut receiver = Receiver::new(std::io::BufReader::new(halves), REQUEST);
        assert!(matches!(receiver.receive::<Request>(), Err(ReceiveError::NotYet)));
        assert_eq!(patient(&mut receiver).unwrap(), Request::Stop { number: 7 });
    }

    /// Random bytes, whole messages and damaged ones, in pieces of random length: whole messages are received in order,
    /// up to the first damaged one, and no more bytes are buffered than a message may have.
    #[test]
    fn random_streams_never_panic_and_whole_messages_come_out() {
        for seed in 0..2_000 {
            let mut random = Stimulus::new(seed);
            let (mut bytes, mut expected, mut good) = (Vec::new(), Vec::new(), true);
            for number in 0..random.below(8) {
                let mut message = Vec::new();
                let request = Request::Stop { number };
                send(&mut message, &request);
                if random.one_in(4) {
                    // The bytes include brackets, quotes and newlines.
                    let at = random.below(message.len() as u64) as usize;
                    message[at] = random.word() as u8;
                    good = good && message == bytes_of(&request);
                }
                if good {
                    expected.push(request);
                }
                bytes.extend(message);
            }
            bytes.extend((0..random.below(200)).map(|_| random.word() as u8));
            let pieces = std::io::BufReader::with_capacity(1 + random.below(40) as usize, &bytes[..]);
            let mut receiver = Receiver::new(pieces, 100);
            let mut came = Vec::new();
            while let Ok(request) = patient(&mut receiver) {
                came.push(request);
            }
            assert!(receiver.line.len() <= 140, "seed {seed}");
            assert!(came.starts_with(&expected), "seed {seed}: {came:?} {expected:?}");
        }
    }

    fn bytes_of(request: &Request) -> Vec<u8> {
        let mut bytes = Vec::new();
        send(&mut bytes, request);
        bytes
    }
}
