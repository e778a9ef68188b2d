//! Commands that are typed: one table of them makes parser, help and completion.

mod arguments;
mod like;
mod number;

pub use arguments::{Arguments, BadLine, ParseError, parse};
pub use like::{did_you_mean, like};
pub use number::{NumberError, number};

/// What is typed for a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number of at most this.
    Number(u64),
    /// One of some words.
    Choice(fn() -> Vec<&'static str>),
    /// One of some registers; of others, the second tells what alone can be done with them: read, or written.
    Register(fn() -> Vec<&'static str>, fn(&str) -> Option<&'static str>),
    /// The name of a command.
    Command,
    /// This very word.
    Literal,
    /// The name of a register or an expression with it, to the end of the line.
    Expression,
    /// The name of a file.
    File,
    /// A word of one's own.
    Word,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// As the syntax shows it.
    pub shown: &'static str,
    /// Name in front of the `=`; such parameters come in any order.
    pub key: Option<&'static str>,
    /// What is typed.
    pub kind: Kind,
    /// May be left out, with all that follow.
    pub optional: bool,
}

impl Parameter {
    /// A parameter in its place.
    pub const fn place(shown: &'static str, kind: Kind) -> Self {
        Parameter { shown, key: None, kind, optional: false }
    }

    /// One that may be left out.
    pub const fn optional(shown: &'static str, kind: Kind) -> Self {
        Parameter { optional: true, ..Self::place(shown, kind) }
    }

    /// A number with a name in front.
    pub const fn key(key: &'static str, shown: &'static str, most: u64) -> Self {
        Parameter { shown, key: Some(key), kind: Kind::Number(most), optional: false }
    }
}

/// A command, and how it is made of its arguments.
#[derive(Clone, Copy, Debug)]
pub struct CommandInfo<B> {
    /// Name, and another one.
    pub names: &'static [&'static str],
    /// What help says first.
    pub title: &'static str,
    /// Parameters in the order of the syntax.
    pub parameters: &'static [Parameter],
    /// A sentence or two for `help` with the name.
    pub about: &'static str,
    /// Lines that work.
    pub examples: &'static [&'static str],
    /// Makes the command of its arguments.
    pub build: B,
}

impl<B: Copy> CommandInfo<B> {
    /// The same, made otherwise.
    pub fn with<C>(&self, build: impl Fn(B) -> C) -> CommandInfo<C> {
        let CommandInfo { names, title, parameters, about, examples, .. } = *self;
        CommandInfo { names, title, parameters, about, examples, build: build(self.build) }
    }
}

impl<B> CommandInfo<B> {
    /// The line that usage shows.
    pub fn syntax(&self) -> String {
        let word = |p: &Parameter| {
            let value = p.key.map_or(p.shown.to_string(), |key| format!("{key}={}", p.shown));
            if p.optional { format!("({value})") } else { value }
        };
        let words = self.parameters.iter().map(word);
        std::iter::once(self.names[0].to_string()).chain(words).collect::<Vec<_>>().join(" ")
    }
}
