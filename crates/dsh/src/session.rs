//! A shell as a terminal sees it: its own boards, or those of a server.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lab::Driven;

use crate::clip::clip;
use crate::completion::Words;
use crate::message::End;
use crate::{Flow, Shell};

/// What came of a line.
pub struct Answer {
    /// What it prints.
    pub text: String,
    /// How it ended, unless the session is lost.
    pub end: Result<End, String>,
}

/// Takes lines.
pub trait Session {
    /// Carries out a line.
    fn line(&mut self, line: &str) -> Answer;

    /// Words for completion.
    fn words(&mut self) -> Words;

    /// Which boards they are, and which process this is.
    fn about(&self) -> String;

    /// Time stops whenever the flag is set; that clears it.
    fn stop_at(&mut self, flag: Arc<AtomicBool>);

    /// The end of the session; what is wrong with it, if anything is.
    fn finish(&mut self) -> Result<(), String>;
}

impl<M: Driven> Session for Shell<M> {
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
        self.machine().stop_at(flag);
    }

    fn finish(&mut self) -> Result<(), String> {
        Shell::finish(self).map_err(|error| error.to_string())
    }
}
