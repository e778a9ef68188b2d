//! Commands that all machines have in addition to those of a manual.

use std::marker::PhantomData;
use std::path::PathBuf;

use machine_api::Driven;
use machine_api::command::{Arguments, CommandInfo, Kind, Parameter};

use crate::frames::{self, FRAME};

/// Commands of all machines.
#[derive(Clone, Debug)]
pub enum Extra {
    /// Selects another node and WID, or lists them.
    Node(Option<(usize, Option<bool>)>),
    /// Lets clock cycles pass.
    Run(u64),
    /// Lets time pass until a condition is true.
    RunUntil(String),
    /// Prints the time.
    Time,
    /// Prints memory.
    Peek {
        /// First byte.
        address: u64,
        /// Number of bytes.
        size: u32,
    },
    /// Writes memory.
    Poke {
        /// First byte.
        address: u64,
        /// The word.
        value: u64,
    },
    /// Injects faults into the next frames of this node: number of frames, units before a cut, or bit.
    Fault(FaultKind, u16),
    /// Removes the faults that wait.
    ClearFaults,
    /// Lists faults that wait and faults that were injected.
    Faults,
    /// Inverts a bit of a register in the RTL: name of the register, bit.
    Flip(String, u32),
    /// Prints the stages of the last message.
    Explain,
    /// Prints registers by prefix or suffix of their names.
    Show(Option<String>),
    /// Sets a break point, or lists all.
    Break(Option<String>),
    /// Removes a break point, or all.
    Delete(Option<usize>),
    /// Watches a register, or lists all watches.
    Watch(Option<String>),
    /// Removes all watches.
    Unwatch,
    /// Prints the last frame of this node.
    DumpPacket,
    /// Begins a waveform file.
    TraceOn(PathBuf),
    /// Ends the waveform file.
    TraceOff,
    /// Saves the present point.
    Save(String),
    /// Returns to a saved point.
    Restore(String),
    /// Returns by a number of cycles.
    Back(u64),
    /// Repeats what was undone: a number of cycles, or all.
    Forward(Option<u64>),
    /// Repeats what was undone until a condition is true.
    ForwardUntil(String),
    /// Lists registers that differ between two points, or between a point and now.
    Diff(String, Option<String>),
    /// Prints the fingerprint of the run.
    Fingerprint,
    /// Prints the kind of boards, or replaces them.
    Nic(Option<String>),
    /// Carries out the lines of a file.
    Source(PathBuf),
}

/// Faults of a single frame.
#[derive(Clone, Copy, Debug)]
pub enum FaultKind {
    /// The frame is dropped.
    Drop,
    /// The frame is truncated.
    Cut,
    /// A bit is inverted.
    Corrupt,
}

const FAULTS: [(&str, FaultKind); 3] =
    [("drop", FaultKind::Drop), ("cut", FaultKind::Cut), ("corrupt", FaultKind::Corrupt)];

fn fault_names() -> Vec<&'static str> {
    FAULTS.map(|(name, _)| name).to_vec()
}

const fn place(shown: &'static str, kind: Kind) -> Parameter {
    Parameter::place(shown, kind)
}

const fn optional(shown: &'static str, kind: Kind) -> Parameter {
    Parameter::optional(shown, kind)
}

/// A billion cycles: ten seconds of a board at 100 MHz.
const CYCLES: Kind = Kind::Number(1_000_000_000);

fn text(a: &Arguments, name: &str) -> Option<String> {
    a.optional_word(name).map(str::to_string)
}

/// A command of all machines.
pub type ExtraCommand = CommandInfo<fn(&Arguments<'_>) -> Extra>;

/// The commands, with texts of a machine.
pub struct Extras<M>(PhantomData<M>);

impl<M: Driven> Extras<M> {
    const NODE: &'static [Parameter] = &[optional("[Node]", Kind::Number(M::MOST_NODES as u64 - 1))];
    const PROCESS: &'static [Parameter] = &[
        optional("[Node]", Kind::Number(M::MOST_NODES as u64 - 1)),
        optional("[Wid]", Kind::Number(M::WIDS - 1)),
    ];

    /// The commands; the first of them stands in front of the machine's own.
    pub const ALL: &'static [ExtraCommand] = &[
        CommandInfo {
            names: &["node"],
            title: "Node",
            parameters: if M::WIDS > 1 { Self::PROCESS } else { Self::NODE },
            about: "Goes over to the process on another node, of the same WID if none is given and there are several, or tells \
                which one this is. Node n has the process of PID n.",
            examples: if M::WIDS > 1 { &["node 1", "node 0 1", "node"] } else { &["node 1", "node"] },
            build: |a| {
                let wid = a.optional_number("[Wid]").map(|wid| wid == 1);
                Extra::Node(a.optional_number("[Node]").map(|node| (node as usize, wid)))
            },
        },
        CommandInfo {
            names: &["run"],
            title: "Run",
            parameters: &[place("until", Kind::Literal), place("[Condition]", Kind::Expression)],
            about: "Lets time pass until a register has a value, but no longer than a million cycles. State names are those \
                of the waveforms; a name may begin with node0. or node1. and may be cut in front as long as it is clear.",
            examples: M::EXAMPLES.until,
            build: |a| Extra::RunUntil(a.word("[Condition]").to_string()),
        },
        CommandInfo {
            names: &["run"],
            title: "Run",
            parameters: &[place("[Cycles]", CYCLES)],
            about: "Lets core cycles pass; time tells how long they are.",
            examples: &["run 1000", "run 1e6"],
            build: |a| Extra::Run(a.number("[Cycles]")),
        },
        CommandInfo {
            names: &["time"],
            title: "Time",
            parameters: &[],
            about: "Prints the time since power-up.",
            examples: &["time"],
            build: |_| Extra::Time,
        },
        CommandInfo {
            names: &["peek"],
            title: M::BACK_DOOR.titles[0],
            parameters: &[
                place("[Address]", Kind::Number(M::BACK_DOOR.most)),
                place("[Size(Byte)]", Kind::Number(0x10000)),
            ],
            about: M::BACK_DOOR.about[0],
            examples: M::BACK_DOOR.examples[0],
            build: |a| Extra::Peek { address: a.number("[Address]"), size: a.u32("[Size(Byte)]") },
        },
        CommandInfo {
            names: &["poke"],
            title: M::BACK_DOOR.titles[1],
            parameters: &[
                place("[Address]", Kind::Number(M::BACK_DOOR.most)),
                place("[Value]", Kind::Number(M::BACK_DOOR.largest())),
            ],
            about: M::BACK_DOOR.about[1],
            examples: M::BACK_DOOR.examples[1],
            build: |a| Extra::Poke { address: a.number("[Address]"), value: a.number("[Value]") },
        },
        CommandInfo {
            names: &["fault"],
            title: "Fault",
            parameters: &[
                place("link", Kind::Literal),
                place("[Fault]", Kind::Choice(fault_names)),
                place("[Number]", Kind::Number(0xffff)),
            ],
            about: "Lets a fault wait for frames that leave this node: drop takes so many of them away, cut ends the next one \
                after so many lines or bytes, corrupt turns that bit of the next one over. Each frame has one fault.",
            examples: &["fault link drop 1", "fault link cut 4", "fault link corrupt 320"],
            build: |a| {
                let kind = FAULTS.iter().find(|(name, _)| *name == a.word("[Fault]"));
                let (_, kind) = kind.expect("the parser takes names of the table only");
                Extra::Fault(*kind, a.number("[Number]") as u16)
            },
        },
        CommandInfo {
            names: &["fault"],
            title: "Clear Faults",
            parameters: &[place("clear", Kind::Literal)],
            about: "Forgets the faults that wait for frames of this node.",
            examples: &["fault clear"],
            build: |_| Extra::ClearFaults,
        },
        CommandInfo {
            names: &["fault"],
            title: "List Faults",
            parameters: &[],
            about: "Lists the faults that wait for frames of each node, and those that have struck one.",
            examples: &["fault"],
            build: |_| Extra::Faults,
        },
        CommandInfo {
            names: &["flip"],
            title: "Flip",
            parameters: &[place("[Register]", Kind::Word), place("[Bit]", Kind::Number(0xffff))],
            about: "Inverts a bit of a register in the RTL of a board. In lockstep the next edge names the register, unless it \
                overwrites it. back returns to the time before.",
            examples: M::EXAMPLES.flip,
            build: |a| Extra::Flip(a.word("[Register]").to_string(), a.u32("[Bit]")),
        },
        CommandInfo {
            names: &["explain"],
            title: "Explain",
            parameters: &[],
            about: "Takes the last primitive or message of this node apart, on one time line from the command to its last \
                trace on any board, and says what became of its packets. The session is repeated for it, with more eyes.",
            examples: &["explain"],
            build: |_| Extra::Explain,
        },
        CommandInfo {
            names: &["show"],
            title: "Show Registers",
            parameters: &[optional("[Register]", Kind::Expression)],
            about: "Shows the registers whose names contain the text; all of the board without one.",
            examples: M::EXAMPLES.show,
            build: |a| Extra::Show(text(a, "[Register]")),
        },
        CommandInfo {
            names: &["break"],
            title: "Break Point on Frames",
            parameters: &[
                place("frame", Kind::Literal),
                optional("[Frame]", Kind::Words(frames::words::<M>)),
            ],
            about: "Stops time whenever the headers of a frame are on a link. Words in any order select the frames: a kind, a \
                fault that strikes them, from node0 or to node1 for the link; all frames that leave a node without words. run \
                until and forward until take the same words behind frame.",
            examples: M::EXAMPLES.frame,
            build: |a| {
                Extra::Break(Some(format!("{FRAME} {}", a.optional_word("[Frame]").unwrap_or_default())))
            },
        },
        CommandInfo {
            names: &["break"],
            title: "Break Point",
            parameters: &[optional("[Condition]", Kind::Expression)],
            about: "Stops time whenever the condition becomes true, or a machine walks the arc: what is under way goes on \
                with the next command. Without a condition, lists the break points.",
            examples: M::EXAMPLES.stop,
            build: |a| Extra::Break(text(a, "[Condition]")),
        },
        CommandInfo {
            names: &["delete"],
            title: "Delete Break Point",
            parameters: &[optional("[Number]", Kind::Number(9999))],
            about: "Forgets a break point, or all.",
            examples: &["delete 1", "delete"],
            build: |a| Extra::Delete(a.optional_number("[Number]").map(|n| n as usize)),
        },
        CommandInfo {
            names: &["watch"],
            title: "Watch",
            parameters: &[optional("[Register]", Kind::Word)],
            about: "Tells of every change of a register. Without one, lists what is watched.",
            examples: M::EXAMPLES.watch,
            build: |a| Extra::Watch(text(a, "[Register]")),
        },
        CommandInfo {
            names: &["unwatch"],
            title: "Unwatch",
            parameters: &[],
            about: "Watches nothing any more.",
            examples: &["unwatch"],
            build: |_| Extra::Unwatch,
        },
        CommandInfo {
            names: &["dump"],
            title: "Dump Packet",
            parameters: &[place("packet", Kind::Literal)],
            about: "Takes the last frame that this node sent apart, line by line.",
            examples: &["dump packet"],
            build: |_| Extra::DumpPacket,
        },
        CommandInfo {
            names: &["trace"],
            title: "Trace On",
            parameters: &[place("on", Kind::Literal), place("[File]", Kind::File)],
            about: "Writes all registers of all boards into a file of waveforms, .fst or .vcd, from now on.",
            examples: &["trace on session.fst"],
            build: |a| Extra::TraceOn(PathBuf::from(a.word("[File]"))),
        },
        CommandInfo {
            names: &["trace"],
            title: "Trace Off",
            parameters: &[place("off", Kind::Literal)],
            about: "Ends the file of waveforms.",
            examples: &["trace off"],
            build: |_| Extra::TraceOff,
        },
        CommandInfo {
            names: &["save"],
            title: "Save",
            parameters: &[place("[Name]", Kind::Word)],
            about: "Remembers the present point of time, with boards, hosts, links and memories, as long as the shell lives. \
                Break points, watches and a trace are not saved.",
            examples: &["save before"],
            build: |a| Extra::Save(a.word("[Name]").to_string()),
        },
        CommandInfo {
            names: &["restore"],
            title: "Restore",
            parameters: &[place("[Name]", Kind::Word)],
            about: "Goes back to a saved point. Break points and watches stay.",
            examples: &["restore before"],
            build: |a| Extra::Restore(a.word("[Name]").to_string()),
        },
        CommandInfo {
            names: &["back"],
            title: "Back",
            parameters: &[place("[Cycles]", CYCLES)],
            about: "Goes back by core cycles, into the middle of a command too.",
            examples: &["back 1000"],
            build: |a| Extra::Back(a.number("[Cycles]")),
        },
        CommandInfo {
            names: &["forward"],
            title: "Forward",
            parameters: &[place("until", Kind::Literal), place("[Condition]", Kind::Expression)],
            about: "Repeats what back has undone until a register has a value.",
            examples: M::EXAMPLES.forward,
            build: |a| Extra::ForwardUntil(a.word("[Condition]").to_string()),
        },
        CommandInfo {
            names: &["forward"],
            title: "Forward",
            parameters: &[optional("[Cycles]", CYCLES)],
            about: "Repeats what back has undone, commands included: so many core cycles of it, or all. run lets time pass \
                without them.",
            examples: &["forward 10", "forward"],
            build: |a| Extra::Forward(a.optional_number("[Cycles]")),
        },
        CommandInfo {
            names: &["diff"],
            title: "Difference",
            parameters: &[place("[Name]", Kind::Word), optional("[Name 2]", Kind::Word)],
            about: "Names the registers that differ between a saved point and another one, or now.",
            examples: &["diff before", "diff before after"],
            build: |a| Extra::Diff(a.word("[Name]").to_string(), text(a, "[Name 2]")),
        },
        CommandInfo {
            names: &["fingerprint"],
            title: "Fingerprint",
            parameters: &[],
            about: "Prints the fingerprint of the run so far: the same for model, rtl and lockstep.",
            examples: &["fingerprint"],
            build: |_| Extra::Fingerprint,
        },
        CommandInfo {
            names: &["nic"],
            title: "Network Interface",
            parameters: &[optional("[Kind]", Kind::Word)],
            about: "Puts boards of another kind behind the pins (model, rtl or lockstep, where they are built in): they go \
                through all that the present ones have gone through. Without a kind, tells which ones they are.",
            examples: &["nic lockstep", "nic"],
            build: |a| Extra::Nic(text(a, "[Kind]")),
        },
        CommandInfo {
            names: &["source"],
            title: "Source",
            parameters: &[place("[File]", Kind::File)],
            about: "Takes lines from a file; the first error ends it.",
            examples: &["source setup.dsh"],
            build: |a| Extra::Source(PathBuf::from(a.word("[File]"))),
        },
    ];
}
