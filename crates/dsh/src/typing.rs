//! A line as it is typed on a terminal.

use std::borrow::Cow;
use std::marker::PhantomData;

use machine_api::Driven;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use crate::completion::{Words, complete};

/// Discards what is already typed, up to the end of its line. Line editing stops in the middle of a line when it meets
/// a byte that is not UTF-8.
pub(crate) fn skip_line() {
    let stdin = std::io::stdin();
    let mut byte = [0];
    while is_typed(&stdin)
        && matches!(rustix::io::read(&stdin, &mut byte), Ok(1))
        && !matches!(byte[0], b'\n' | b'\r')
    {}
}

/// Whether a byte can be read at once.
fn is_typed(stdin: &std::io::Stdin) -> bool {
    let mut inputs = [PollFd::new(stdin, PollFlags::IN)];
    let polled = poll(&mut inputs, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    polled.is_ok() && inputs[0].revents().contains(PollFlags::IN)
}

/// Line editing: completion and the colour of the prompt.
pub(crate) struct Typing<M> {
    pub(crate) words: Words,
    colours: bool,
    /// The machine whose commands are completed.
    machine: PhantomData<M>,
}

impl<M> Typing<M> {
    /// Completion of these words, with or without colours.
    pub fn new(words: Words, colours: bool) -> Self {
        Typing { words, colours, machine: PhantomData }
    }
}

impl<M: Driven> Completer for Typing<M> {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let (start, mut found) = complete::<M>(&line[..cursor], &self.words);
        // A complete word is followed by a blank, unless it ends with `=` or a dot.
        if let [only] = &mut found[..]
            && !only.ends_with(['=', '.'])
        {
            only.push(' ');
        }
        Ok((start, found))
    }
}

impl<M: Driven> Highlighter for Typing<M> {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        if self.colours { Cow::Owned(format!("\x1b[1m{prompt}\x1b[0m")) } else { Cow::Borrowed(prompt) }
    }
}

impl<M: Driven> Hinter for Typing<M> {
    type Hint = String;
}

impl<M: Driven> Validator for Typing<M> {}

impl<M: Driven> Helper for Typing<M> {}
