//! Interface of a machine to the interactive shell.

use std::fmt::Debug;
use std::future::Future;
use std::rc::Rc;

use cluster::{Cluster, Duration, Machine, Observation, Watch};
use thiserror::Error;

use crate::command::{Arguments, CommandInfo, Kind, Parameter};
use crate::frames::FrameKinds;
use crate::step::{Step, StepResult};

/// Reason why a machine could not be reached or has stopped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TargetError {
    /// Model and RTL differ, or an assertion of the RTL failed.
    #[error("{0}")]
    Stopped(String),
    /// A breakpoint has ended the command early.
    #[error("{0}")]
    Break(String),
}

/// Reason why a command was refused or failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The command is invalid.
    #[error("{0}")]
    Wrong(String),
    /// The machine has stopped.
    #[error(transparent)]
    Target(#[from] TargetError),
}

/// A node controlled by one process.
pub trait Target<M: Driven> {
    /// Performs accesses one after another as one program of the host, and returns the result of each.
    fn access(&mut self, accesses: &[M::Access]) -> Result<Vec<M::Answer>, TargetError>;
}

/// The parsed command of a line.
#[derive(Clone, Debug)]
pub enum ShellRequest<C> {
    /// A command of the machine.
    Own(C),
    /// Help on a command, or on all.
    Help(Option<String>),
    /// End of the session.
    Quit,
    /// [`Driven::VERSION`].
    Version,
}

/// A command of one machine.
pub type OwnCommand<C> = CommandInfo<fn(&Arguments<'_>) -> ShellRequest<C>>;

/// Commands of shells without a published manual. These shells also have a command `send`.
impl<C> OwnCommand<C> {
    /// Lists all commands, or describes one.
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

/// Memory of a node that `peek` and `poke` access without taking time.
#[derive(Clone, Copy, Debug)]
pub struct BackDoor {
    /// Titles of `peek` and `poke`.
    pub titles: [&'static str; 2],
    /// Descriptions of `peek` and `poke`.
    pub about: [&'static str; 2],
    /// Valid example lines of `peek` and `poke`.
    pub examples: [&'static [&'static str]; 2],
    /// Largest address at which an access may begin.
    pub most: u64,
    /// Bytes written by `poke`: 4 or 8.
    pub word: usize,
}

impl BackDoor {
    /// Largest value that `poke` writes.
    pub const fn largest(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.word)
    }
}

/// Example lines for help, with names of the machine's registers.
#[derive(Clone, Copy, Debug)]
pub struct Examples {
    /// Examples of `run until`.
    pub until: &'static [&'static str],
    /// Examples of `forward until`.
    pub forward: &'static [&'static str],
    /// Examples of `show`.
    pub show: &'static [&'static str],
    /// Examples of `break`.
    pub stop: &'static [&'static str],
    /// Examples of `break frame`.
    pub frame: &'static [&'static str],
    /// Examples of `flip`.
    pub flip: &'static [&'static str],
    /// Examples of `watch`.
    pub watch: &'static [&'static str],
}

/// Stages of a message or another effect of a command.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Title of the report.
    pub heading: String,
    /// Observations that delimit the stages, in order.
    pub line: Vec<Observation>,
    /// Returns the printed name of an observation.
    pub name: fn(&Observation) -> &'static str,
    /// Sentences about the frames.
    pub remarks: String,
}

/// Beginning of the names of registers of process 1, for programs.
pub const SECOND_PROCESS: &str = "process1.";

/// A machine that can be driven interactively.
pub trait Driven: Machine<Port: 'static> {
    /// An access of a host.
    type Access: Clone + 'static;
    /// Result of an access.
    type Answer: 'static;
    /// State that a host keeps between commands.
    type Seat: Clone + Default + 'static;
    /// A command of its own tables.
    type Command: Debug + 'static;

    /// Its own commands, those of the published manual if there is one.
    const MANUAL: &'static [OwnCommand<Self::Command>];
    /// Further commands, listed with those of all machines.
    const BESIDE: &'static [OwnCommand<Self::Command>];
    /// Heading of the commands of all machines in the list.
    const OTHERS: &'static str;
    /// Output of `version`.
    const VERSION: &'static str;
    /// Largest number of processes of an interactive parallel program.
    const PROCESSES: usize = Self::MOST_NODES;
    /// Processes of a node, distinguished by their WIDs.
    const WIDS: u64;
    /// A command is over after this time without any observation. No device is silent for longer during its
    /// work.
    const QUIET: Duration;
    /// Memory of `peek` and `poke`.
    const BACK_DOOR: BackDoor;
    /// Kinds of frames, for break points.
    const FRAME_KINDS: FrameKinds<Self>;
    /// Example lines for help.
    const EXAMPLES: Examples;

    /// Settings of a cluster with this number of nodes.
    fn settings(nodes: usize) -> Self::Settings;

    /// Initialization by the driver on each node before the first prompt.
    fn set_up(target: &mut dyn Target<Self>) -> Result<(), TargetError>;

    /// Host program that performs accesses.
    fn carry_out(
        port: Self::Port,
        seat: Self::Seat,
        accesses: Rc<[Self::Access]>,
    ) -> impl Future<Output = Vec<Self::Answer>> + 'static;

    /// Address at which a program reaches a register, by its name in the tables. Registers of a process are those of
    /// process 0, or of process 1 with [`SECOND_PROCESS`] before the name.
    fn register_address(name: &str) -> Option<u32>;

    /// Carries out a step of a program, except [`Step::Compute`].
    fn step(port: &mut Self::Port, seat: &Self::Seat, step: &Step) -> impl Future<Output = StepResult>;

    /// Executes a command as process `wid` of a node and returns its output.
    fn execute(command: &Self::Command, wid: bool, target: &mut dyn Target<Self>) -> Result<String, Refusal>;

    /// Description of process `wid` of a node, among `nodes` nodes.
    fn who(node: usize, wid: bool, nodes: usize) -> String;

    /// The line that writes a register of the host, by its name in the tables; `None` if no command does.
    fn register_line(name: &str, value: u64) -> Option<String>;

    /// Reads bytes of memory, at least `size` unless the memory ends before.
    fn peek(side: &Self::Side, address: u64, size: usize) -> Vec<u8>;

    /// Formats bytes of memory as `peek` prints them; the first one lies at `address`.
    fn dump(address: u64, bytes: &[u8]) -> String;

    /// Writes bytes of memory.
    fn poke(side: &mut Self::Side, address: u64, bytes: &[u8]);

    /// Decodes the last frame sent by a node; `None` before the first.
    fn last_frame(side: &Self::Side) -> Option<String>;

    /// Whether the accesses cause an effect that `explain` reports.
    fn sets_off(accesses: &[Self::Access]) -> bool;

    /// Watches on internal points of a device that the effect may pass.
    fn watches() -> Vec<Watch>;

    /// Stages of the effect of these accesses of a node, from the observations since.
    fn explain(accesses: &[Self::Access], node: usize, cluster: &Cluster<Self>) -> Explained;
}
