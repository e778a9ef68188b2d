//! Messages between a page and the server: JSON objects with a key `type`.

#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arrangement::Layout;
use crate::tours::Tour;

/// Version of the protocol. Within a version, keys are not removed and do not change their meaning.
pub const VERSION: u32 = 1;

/// A message from a page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Executes a line of the shell.
    Line {
        /// Number of the request, which its answer repeats.
        id: u64,
        /// Command with its arguments, without a line break; at most 4,096 bytes.
        line: String,
    },
    /// Selects the node whose registers the following moments contain.
    Look {
        /// Number of the node.
        node: usize,
    },
    /// Runs until `pause`, a break point or a failure.
    Play {
        /// Cycles of the first clock between two moments, 1 to 1,000,000.
        cycles: u64,
    },
    /// Ends `play`, and interrupts a line in execution.
    Pause,
    /// Asks for completions at the end of a line.
    Complete {
        /// Number of the request.
        id: u64,
        /// The line up to the cursor.
        line: String,
    },
    /// Asks for the sources of a block.
    Source {
        /// Number of the request.
        id: u64,
        /// Path of the block, empty for the device itself.
        block: String,
    },
    /// Asks for the stages of the last message of a node.
    Stages {
        /// Number of the request.
        id: u64,
        /// Number of the node.
        node: usize,
    },
}

/// A message to a page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The first message of a connection.
    Hello(Box<Hello>),
    /// The state of the run, at most 30 a second.
    Moment(Moment),
    /// A line was executed, by any page.
    Said(Said),
    /// Answer to `line`: it has ended, and the moments that follow show its effect.
    Done {
        /// Number of the request.
        id: u64,
        /// Output of the line.
        text: String,
        /// Reason of the failure, if it failed.
        error: Option<String>,
        /// Virtual time in ps before the line.
        from_ps: u64,
        /// Virtual time in ps after the line.
        to_ps: u64,
    },
    /// Answer to `complete`.
    Completions {
        /// Number of the request.
        id: u64,
        /// Index of the character at which the completed word begins.
        start: usize,
        /// The possible words.
        words: Vec<String>,
    },
    /// Answer to `source`.
    Sources {
        /// Number of the request.
        id: u64,
        /// Path of the block.
        block: String,
        /// Rust files, then SystemVerilog files.
        files: Vec<SourceFile>,
    },
    /// Answer to `stages`.
    Stages {
        /// Number of the request.
        id: u64,
        /// The stages.
        ruler: Ruler,
    },
    /// A request was refused.
    Refused {
        /// Number of the request, if it has one.
        id: Option<u64>,
        /// Reason.
        error: String,
    },
}

/// Structure of the machine, which does not change during a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Hello {
    /// Version of the protocol.
    pub version: u32,
    /// Name of the machine on the command line.
    pub machine: String,
    /// Name of the machine in text.
    pub title: String,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of the first nodes whose states are recorded for the time view.
    pub recorded: usize,
    /// Implementations of the device that `nic` can select.
    pub kinds: Vec<String>,
    /// Period of the first clock in ps.
    pub cycle_ps: u64,
    /// Time of the first prompt in ps, the earliest to which the run returns.
    pub first_ps: u64,
    /// State machines.
    pub tables: Vec<Table>,
    /// Blocks of the device, parents before children. The first one is the device itself.
    pub blocks: Vec<Block>,
    /// Block diagram of the device.
    pub layout: Layout,
    /// Lines that a page offers.
    pub examples: Vec<String>,
    /// Tours of this machine.
    pub tours: Vec<Tour>,
}

/// A state machine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Table {
    /// Name within the device.
    pub name: String,
    /// Purpose and published figure.
    pub doc: String,
    /// States by code; the first one is that after reset.
    pub states: Vec<State>,
    /// Name of its drawing under `figures/`.
    pub figure: String,
}

/// A state of a state machine.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct State {
    /// As in both sources.
    pub name: String,
    /// Meaning.
    pub doc: String,
    /// Arcs that leave it, and those on which it stays.
    pub arcs: Vec<Arc>,
}

/// A transition that the table declares.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Arc {
    /// State after it.
    pub to: String,
    /// Condition in words; none for an arc that is always taken.
    pub condition: Option<String>,
}

/// A block of the device.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Block {
    /// Path below the device, parts joined by `.`; empty for the device itself.
    pub path: String,
    /// Path of its type, which begins with its crate.
    pub rust_type: String,
    /// Its registers and pins.
    pub registers: Vec<Register>,
    /// Number of entries of its memory, if it has one.
    pub memory: Option<usize>,
}

/// Role of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// State that a clock edge changes.
    Register,
    /// All input pins, packed.
    Inputs,
    /// All output pins, packed.
    Outputs,
}

/// A register or packed pins.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Register {
    /// Name, the same in Rust and, with `_q`, in SystemVerilog.
    pub name: String,
    /// Register or pins.
    pub role: Role,
    /// Width in bits.
    pub width: u32,
    /// Index of its first 64-bit word in the words of a node.
    pub word: usize,
    /// Index of the state machine in `tables` whose code it holds.
    pub table: Option<usize>,
    /// Parts of the value, bit 0 first; empty if it has none.
    pub fields: Vec<Field>,
}

/// A part of a register.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Field {
    /// Name; parts of nested fields are joined by `.`.
    pub name: String,
    /// Meaning.
    pub doc: String,
    /// First bit.
    pub offset: u32,
    /// Width in bits.
    pub width: u32,
    /// Index of the state machine in `tables` whose code it holds.
    pub table: Option<usize>,
}

/// The state of the run at an instant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Moment {
    /// Virtual time in ps.
    pub time_ps: u64,
    /// Cycles of the first clock since power-on.
    pub cycle: u64,
    /// Latest time in ps that is recorded; later than `time_ps` after going back.
    pub horizon_ps: u64,
    /// Time in ps up to which `forward` repeats what `back` has undone.
    pub undone_ps: Option<u64>,
    /// Cycles between two moments while the run plays.
    pub playing: Option<u64>,
    /// Implementation of the devices: model, rtl or lockstep.
    pub nic: String,
    /// Node at which the shell is.
    pub here: usize,
    /// Break points, in the order of their numbers from 1.
    pub breaks: Vec<String>,
    /// Registers of the node that the page looks at.
    pub node: Node,
    /// Links that carry something or have faults.
    pub links: Vec<Link>,
    /// Output queues of switches that are not empty.
    pub queues: Vec<Queue>,
    /// Earlier events of the lanes are void: the run took another course.
    pub lanes_begin_again: bool,
    /// Changes of states since the last moment, in the order of time.
    pub events: Vec<Event>,
}

/// Words of a node.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Node {
    /// Number of the node.
    pub node: usize,
    /// The words are all words of the node; otherwise those that changed since the last moment.
    pub whole: bool,
    /// Index and hexadecimal value of each word.
    pub words: Vec<(usize, String)>,
    /// In lockstep, the words in which the RTL differs, with the values of the RTL.
    pub rtl: Vec<(usize, String)>,
    /// Memories in which the number of entries that are not 0 is new: index of the block, and that number.
    pub memories: Vec<(usize, usize)>,
}

/// One direction of a cable of a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Link {
    /// Number of the node.
    pub node: usize,
    /// The link leads to the node; otherwise from it.
    pub to_node: bool,
    /// Positions of the units in flight between sender, 0, and receiver, 1; at most 32.
    pub units: Vec<f32>,
    /// Number of units in flight.
    pub in_flight: usize,
    /// Time in ps that a unit takes from sender to receiver.
    pub flight_ps: u64,
    /// Faults that wait for frames.
    pub waiting: Vec<String>,
    /// Faults that frames suffered, the newest last; at most 4.
    pub struck: Vec<String>,
    /// Fault of the frame that is on the link, or is sent in vain.
    pub fault: Option<String>,
}

/// Units inside of a switch that will leave by one of its ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Queue {
    /// Number of the port: that of its node, or a greater one for a port that leads to another switch.
    pub port: usize,
    /// Number of units.
    pub units: usize,
}

/// A change of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Event {
    /// Virtual time in ps.
    pub time_ps: u64,
    /// Number of the node.
    pub node: usize,
    /// Index of the state register among all state registers of `blocks`; behind them, index of the wire among the
    /// wires of `layout` that begin or end at a port.
    pub lane: usize,
    /// Code of the state from that time on; of a wire 1 while it carries something, otherwise 0.
    pub code: u64,
}

/// The last message of a node, divided into stages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Ruler {
    /// Title.
    pub heading: String,
    /// Stages in order; each begins where the one before ends.
    pub stages: Vec<Stage>,
    /// Time in ps from the start of the first stage to the end of the last: the sum of all stages.
    pub total_ps: u64,
}

/// A stage of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Stage {
    /// The event that ends the stage.
    pub name: String,
    /// Place of that event.
    pub place: String,
    /// Virtual time in ps at which the stage begins.
    pub begin_ps: u64,
    /// Length in ps.
    pub duration_ps: u64,
}

/// A line and its output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Said {
    /// Command with its arguments.
    pub line: String,
    /// Its output.
    pub text: String,
    /// Reason of the failure, if it failed.
    pub error: Option<String>,
    /// Node at which the shell was.
    pub node: usize,
    /// Virtual time in ps before the line.
    pub from_ps: u64,
    /// Virtual time in ps after the line.
    pub to_ps: u64,
}

/// A call of a program on a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    /// Number of the node.
    pub node: usize,
    /// Name of the function.
    pub name: String,
    /// Virtual time in ps at which the call begins.
    pub begin_ps: u64,
    /// Virtual time in ps at which the call ends.
    pub end_ps: u64,
}

/// A source file of a block.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SourceFile {
    /// Path in the repository.
    pub path: String,
    /// `rust` or `systemverilog`.
    pub language: String,
    /// Its text; none if the file is not on this computer.
    pub text: Option<String>,
    /// Lines of the states.
    pub arms: Vec<SourceArm>,
}

/// The lines that decide what follows a state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct SourceArm {
    /// Register that holds the state.
    pub register: String,
    /// Name of the state.
    pub state: String,
    /// First line, counted from 0.
    pub first: usize,
    /// Number of lines.
    pub count: usize,
}
