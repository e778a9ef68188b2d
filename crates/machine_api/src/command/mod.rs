//! Shell commands: a table from which parser, help and completion are derived.

mod arguments;
mod like;
mod number;
mod strtoul;

pub use arguments::{Arguments, BadLine, ParseError, parse};
pub use like::{did_you_mean, like};
pub use number::{NotANumber, NumberError, number, number_up_to};
pub use strtoul::{Prefix, strtoul};

/// Kind of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number up to this limit, read by [`number`].
    Number(u64),
    /// A number up to this limit, read by [`strtoul`] as the manual of a machine demands.
    ManualNumber(u64),
    /// One of these words.
    Choice(fn() -> Vec<&'static str>),
    /// One of these registers. For other registers the second function returns the only permitted access:
    /// read or written.
    Register(fn() -> Vec<&'static str>, fn(&str) -> Option<&'static str>),
    /// Name of a command.
    Command,
    /// The shown word itself.
    Literal,
    /// Name of a register or an expression with one, to the end of the line.
    Expression,
    /// Words to the end of the line, among them these.
    Words(fn() -> Vec<&'static str>),
    /// Name of a file.
    File,
    /// Any word.
    Word,
}

/// A parameter of a command.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name or placeholder in the syntax.
    pub shown: &'static str,
    /// Name before the `=`; named parameters may be in any order.
    pub key: Option<&'static str>,
    /// Kind of value.
    pub kind: Kind,
    /// Whether it and all following parameters may be omitted.
    pub optional: bool,
}

impl Parameter {
    /// A positional parameter.
    pub const fn place(shown: &'static str, kind: Kind) -> Self {
        Parameter { shown, key: None, kind, optional: false }
    }

    /// An optional positional parameter.
    pub const fn optional(shown: &'static str, kind: Kind) -> Self {
        Parameter { optional: true, ..Self::place(shown, kind) }
    }

    /// A named parameter.
    pub const fn key(key: &'static str, shown: &'static str, kind: Kind) -> Self {
        Parameter { shown, key: Some(key), kind, optional: false }
    }
}

/// A command and its constructor.
#[derive(Clone, Copy, Debug)]
pub struct CommandInfo<B> {
    /// Name and alternative name.
    pub names: &'static [&'static str],
    /// Title in help.
    pub title: &'static str,
    /// Parameters in the order of the syntax.
    pub parameters: &'static [Parameter],
    /// One or two sentences for `help` with the name.
    pub about: &'static str,
    /// Valid example lines.
    pub examples: &'static [&'static str],
    /// Creates the command from its arguments.
    pub build: B,
}

impl<B: Copy> CommandInfo<B> {
    /// The same command with another constructor.
    pub fn with<C>(&self, build: impl Fn(B) -> C) -> CommandInfo<C> {
        let CommandInfo { names, title, parameters, about, examples, .. } = *self;
        CommandInfo { names, title, parameters, about, examples, build: build(self.build) }
    }
}

impl<B> CommandInfo<B> {
    /// Line of the usage message.
    pub fn syntax(&self) -> String {
        let word = |p: &Parameter| {
            let value = p.key.map_or(p.shown.to_string(), |key| format!("{key}={}", p.shown));
            if p.optional { format!("({value})") } else { value }
        };
        let words = self.parameters.iter().map(word);
        std::iter::once(self.names[0].to_string()).chain(words).collect::<Vec<_>>().join(" ")
    }
}
