//! What a shell drives: a host and its network interface, in the hands of somebody who types.

use std::fmt::Debug;
use std::future::Future;
use std::rc::Rc;

use cluster::{Cluster, Duration, Machine, Observation, Watch};
use thiserror::Error;

use crate::command::{Arguments, CommandInfo, Kind, Parameter};

/// Why a machine could not be reached, or stopped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TargetError {
    /// Model and RTL differ, or an assertion of the RTL failed.
    #[error("{0}")]
    Stopped(String),
    /// A break point ended the command before it was done.
    #[error("{0}")]
    Break(String),
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// It asks for what cannot be.
    #[error("{0}")]
    Wrong(String),
    /// The machine.
    #[error(transparent)]
    Target(#[from] TargetError),
}

/// A node in the hands of one process.
pub trait Target<M: Driven> {
    /// Carries out accesses one after the other, as one program of the host, and returns what each has brought.
    fn access(&mut self, accesses: &[M::Access]) -> Result<Vec<M::Answer>, TargetError>;
}

/// The parsed command of a line.
#[derive(Clone, Debug)]
pub enum ShellRequest<C> {
    /// A command of the machine.
    Own(C),
    /// Help on a command, or on all.
    Help(Option<String>),
    /// The end of the session.
    Quit,
    /// [`Driven::VERSION`].
    Version,
}

/// A command of one machine.
pub type OwnCommand<C> = CommandInfo<fn(&Arguments<'_>) -> ShellRequest<C>>;

/// Commands of shells that are ours, where no manual was published. They all have a command `send` too.
impl<C> OwnCommand<C> {
    /// Lists all commands, or tells of one.
    pub const HELP: Self = OwnCommand {
        names: &["h", "help"],
        title: "Help",
        parameters: &[Parameter::optional("[Command]", Kind::Command)],
        about: "Lists all commands, or tells of one. ? does the same.",
        examples: &["h", "help send"],
        build: |a| ShellRequest::Help(a.optional_word("[Command]").map(str::to_string)),
    };

    /// Leaves the shell.
    pub const QUIT: Self = OwnCommand {
        names: &["q", "quit"],
        title: "Quit",
        parameters: &[],
        about: "Leaves the shell.",
        examples: &["q"],
        build: |_| ShellRequest::Quit,
    };

    /// Prints the version.
    pub const VERSION: Self = OwnCommand {
        names: &["v", "version"],
        title: "Version",
        parameters: &[],
        about: "Prints the version of the shell.",
        examples: &["v"],
        build: |_| ShellRequest::Version,
    };
}

/// The memory of a node that can be seen and set by the back door, without taking time.
#[derive(Clone, Copy, Debug)]
pub struct BackDoor {
    /// Titles of `peek` and `poke`.
    pub titles: [&'static str; 2],
    /// What they do.
    pub about: [&'static str; 2],
    /// Lines that work.
    pub examples: [&'static [&'static str]; 2],
    /// The last address at which one may begin.
    pub most: u64,
    /// Bytes that `poke` sets: 4 or 8.
    pub word: usize,
}

impl BackDoor {
    /// The largest value that `poke` sets.
    pub const fn largest(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.word)
    }
}

/// Lines that help shows, with names of the machine's registers.
#[derive(Clone, Copy, Debug)]
pub struct Examples {
    /// Of `run until`.
    pub until: &'static [&'static str],
    /// Of `show`.
    pub show: &'static [&'static str],
    /// Of `break`.
    pub stop: &'static [&'static str],
    /// Of `watch`.
    pub watch: &'static [&'static str],
}

/// A message, or whatever a command set off, taken apart.
#[derive(Clone, Debug)]
pub struct Explained {
    /// What it was.
    pub heading: String,
    /// The observations that its stages lie between, one after the other.
    pub line: Vec<Observation>,
    /// What an observation is called.
    pub name: fn(&Observation) -> &'static str,
    /// Sentences about its frames.
    pub remarks: String,
}

/// A machine that can be driven by hand.
pub trait Driven: Machine<Port: 'static> {
    /// One access of a host.
    type Access: Clone + 'static;
    /// What it brings.
    type Answer: 'static;
    /// What a host keeps from one command to the next.
    type Seat: Clone + Default + 'static;
    /// What a line of its own tables asks for.
    type Command: Debug + 'static;

    /// Its own commands, those of its manual if it has one.
    const MANUAL: &'static [OwnCommand<Self::Command>];
    /// More of its own, listed with those of all machines.
    const BESIDE: &'static [OwnCommand<Self::Command>];
    /// Above the commands of all machines in the list of them.
    const OTHERS: &'static str;
    /// What `version` prints.
    const VERSION: &'static str;
    /// Most processes of a parallel program that is driven.
    const PROCESSES: usize = Self::MOST_NODES;
    /// Processes of one node, told apart by their WIDs.
    const WIDS: u64;
    /// Nothing has been seen to happen for so long: a command is over. No device is silent for longer in its work.
    const QUIET: Duration;
    /// Memory that is looked at by the back door.
    const BACK_DOOR: BackDoor;
    /// Lines that help shows.
    const EXAMPLES: Examples;

    /// How so many nodes are switched on.
    fn settings(nodes: usize) -> Self::Settings;

    /// What a driver does on each node before the first prompt.
    fn set_up(target: &mut dyn Target<Self>) -> Result<(), TargetError>;

    /// The program of a host that carries accesses out.
    fn carry_out(
        port: Self::Port,
        seat: Self::Seat,
        accesses: Rc<[Self::Access]>,
    ) -> impl Future<Output = Vec<Self::Answer>> + 'static;

    /// Carries out a command as the process `wid` of a node, and returns what it prints.
    fn execute(command: &Self::Command, wid: bool, target: &mut dyn Target<Self>) -> Result<String, Refusal>;

    /// Who process `wid` of a node is, among so many nodes.
    fn who(node: usize, wid: bool, nodes: usize) -> String;

    /// So many bytes of memory, as they are printed.
    fn peek(side: &Self::Side, address: u64, size: usize) -> String;

    /// Sets bytes of memory.
    fn poke(side: &mut Self::Side, address: u64, bytes: &[u8]);

    /// The frame that a node sent last, taken apart, if it has sent one.
    fn last_frame(side: &Self::Side) -> Option<String>;

    /// Whether accesses set off what `explain` takes apart.
    fn sets_off(accesses: &[Self::Access]) -> bool;

    /// Eyes on the inner points of a device that it may come past.
    fn watches() -> Vec<Watch>;

    /// Takes apart what such accesses of a node set off, out of what was observed since.
    fn explain(accesses: &[Self::Access], node: usize, cluster: &Cluster<Self>) -> Explained;
}
