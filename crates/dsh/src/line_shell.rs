//! A shell as a terminal sees it: on its own boards, or on those of a server.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use machine_api::Driven;

use crate::clip::clip;
use crate::completion::Words;
use crate::message::End;
use crate::{Flow, Shell, script};

/// Result of a line.
pub struct Answer {
    /// Output of the line.
    pub text: String,
    /// End of the line; an error if the connection is lost.
    pub end: Result<End, String>,
}

/// A shell that takes lines.
pub trait LineShell {
    /// Carries out a line.
    fn line(&mut self, line: &str) -> Answer;

    /// Carries out a line of bytes. A line that is not UTF-8 fails, and the session goes on.
    fn line_of_bytes(&mut self, line: &[u8]) -> Answer {
        match script::text(line) {
            Ok(line) => self.line(line),
            Err(error) => Answer { text: String::new(), end: Ok(End::Failed(error.to_string())) },
        }
    }

    /// Words for completion.
    fn words(&mut self) -> Words;

    /// Kind of the boards and process of the shell, as text.
    fn about(&self) -> String;

    /// Stops time whenever the flag is set, and clears the flag.
    fn stop_at(&mut self, flag: Arc<AtomicBool>);

    /// Ends the session; an error if a comparison fails.
    fn finish(&mut self) -> Result<(), String>;
}

impl<M: Driven> LineShell for Shell<M> {
    fn line(&mut self, line: &str) -> Answer {
        let reply = Shell::line(self, line);
        let end = match reply.outcome {
            Ok(Flow::Next) => End::Next,
            Ok(Flow::Quit) => End::Quit,
            Err(error) => End::Failed(clip(error.to_string())),
        };
        Answer { text: reply.text, end: Ok(end) }
    }

    fn words(&mut self) -> Words {
        Words::of(self)
    }

    fn about(&self) -> String {
        Shell::about(self)
    }

    fn stop_at(&mut self, flag: Arc<AtomicBool>) {
        self.session().stop_at(flag);
    }

    fn finish(&mut self) -> Result<(), String> {
        Shell::finish(self).map_err(|error| error.to_string())
    }
}
