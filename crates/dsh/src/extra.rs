//! Commands that dsh never had, apart from those of the manual.

use std::path::PathBuf;

use crate::arguments::Arguments;
use crate::table::{Action, Entry, Kind, Parameter, place};

/// What such a command asks for.
#[derive(Clone, Debug)]
pub enum Extra {
    /// Another node, and perhaps another WID, or which ones they are.
    Node(Option<(usize, Option<bool>)>),
    /// Sends the packet image in a Write Window.
    Botf {
        /// Window.
        window: u8,
        /// Bytes of the image.
        size: u16,
    },
    /// Lets core cycles pass.
    Run(u64),
    /// Lets time pass until a condition is true.
    RunUntil(String),
    /// The present time.
    Time,
    /// Looks at SO-DIMM.
    Peek {
        /// Byte of both modules together.
        address: u64,
        /// Bytes.
        size: u32,
    },
    /// Writes SO-DIMM.
    Poke {
        /// Byte of both modules together.
        address: u64,
        /// 8 bytes.
        value: u64,
    },
    /// Faults wait for frames of this node: how many frames, after how many lines, or which bit.
    Fault(FaultKind, u16),
    /// None waits any more.
    ClearFaults,
    /// All that wait, and all that have struck.
    Faults,
    /// Where the time of the last primitive went.
    Explain,
    /// Registers by the beginning or end of their names.
    Show(Option<String>),
    /// Stops when a condition becomes true, or lists them.
    Break(Option<String>),
    /// Forgets a break point, or all.
    Delete(Option<usize>),
    /// Tells of changes, or lists what is watched.
    Watch(Option<String>),
    /// Watches nothing any more.
    Unwatch,
    /// The last frame that this node sent.
    DumpPacket,
    /// Waveforms begin.
    TraceOn(PathBuf),
    /// They end.
    TraceOff,
    /// Remembers the present point.
    Save(String),
    /// Goes back to one.
    Restore(String),
    /// Goes back in time.
    Back(u64),
    /// Registers that differ between two points, or a point and now.
    Diff(String, Option<String>),
    /// Of the run so far.
    Fingerprint,
    /// What stands behind the pins, or something else there.
    Nic(Option<String>),
    /// Lines from a file.
    Source(PathBuf),
}

/// What can happen to a frame.
#[derive(Clone, Copy, Debug)]
pub enum FaultKind {
    /// It does not arrive.
    Drop,
    /// It ends early.
    Cut,
    /// A bit is turned over.
    Corrupt,
}

const FAULTS: [(&str, FaultKind); 3] =
    [("drop", FaultKind::Drop), ("cut", FaultKind::Cut), ("corrupt", FaultKind::Corrupt)];

fn fault_names() -> Vec<&'static str> {
    FAULTS.map(|(name, _)| name).to_vec()
}

const fn optional(shown: &'static str, kind: Kind) -> Parameter {
    Parameter { optional: true, ..place(shown, kind) }
}

/// A billion cycles are ten seconds of the board.
const CYCLES: Kind = Kind::Number(1_000_000_000);
/// Both modules of the largest capacity.
const SODIMMS: Kind = Kind::Number((16 << 30) - 8);

fn text(a: &Arguments, name: &str) -> Option<String> {
    a.optional_word(name).map(str::to_string)
}

/// The commands.
pub static ENTRIES: [Entry; 26] = [
    Entry {
        names: &["node"],
        title: "Node",
        parameters: &[optional("[Node]", Kind::Number(255)), optional("[Wid]", Kind::Number(1))],
        about: "Goes over to the process on another node, of the same WID if none is given, or tells which one this is. \
                Node n has the process of PID n.",
        examples: &["node 1", "node 0 1", "node"],
        build: |a| {
            let wid = a.optional_number("[Wid]").map(|wid| wid == 1);
            Action::Extra(Extra::Node(a.optional_number("[Node]").map(|node| (node as usize, wid))))
        },
    },
    Entry {
        names: &["botf"],
        title: "BOTF",
        parameters: &[place("[WW#(0-3)]", Kind::Number(3)), place("[Size(Byte)]", Kind::Number(1023))],
        about: "Sends the packet image in a Write Window, header included; prim has no BOTF.",
        examples: &["botf 0 24"],
        build: |a| {
            let (window, size) = (a.number("[WW#(0-3)]") as u8, a.number("[Size(Byte)]") as u16);
            Action::Extra(Extra::Botf { window, size })
        },
    },
    Entry {
        names: &["run"],
        title: "Run",
        parameters: &[place("until", Kind::Literal), place("[Condition]", Kind::Expression)],
        about: "Lets time pass until a register has a value, but no longer than a million cycles. State names are those \
                of the waveforms; a name may begin with node0. or node1. and may be cut in front as long as it is clear.",
        examples: &["run until node1.receive_controller.packet_control.state == Idle"],
        build: |a| Action::Extra(Extra::RunUntil(a.word("[Condition]").to_string())),
    },
    Entry {
        names: &["run"],
        title: "Run",
        parameters: &[place("[Cycles]", CYCLES)],
        about: "Lets core cycles of 10 ns pass.",
        examples: &["run 1000"],
        build: |a| Action::Extra(Extra::Run(a.number("[Cycles]"))),
    },
    Entry {
        names: &["time"],
        title: "Time",
        parameters: &[],
        about: "Prints the time since power-up.",
        examples: &["time"],
        build: |_| Action::Extra(Extra::Time),
    },
    Entry {
        names: &["peek"],
        title: "SO-DIMM Peek",
        parameters: &[place("[Address]", SODIMMS), place("[Size(Byte)]", Kind::Number(0x10000))],
        about: "Looks at both SO-DIMMs together, by the back door: it takes no time. The region of WID 1 begins at their \
                capacity, 0x10000000 for 256 MB.",
        examples: &["peek 0x600 64"],
        build: |a| Action::Extra(Extra::Peek { address: a.number("[Address]"), size: a.u32("[Size(Byte)]") }),
    },
    Entry {
        names: &["poke"],
        title: "SO-DIMM Poke",
        parameters: &[place("[Address]", SODIMMS), place("[Value]", Kind::Number(u64::MAX))],
        about: "Writes 8 bytes to both SO-DIMMs together, by the back door.",
        examples: &["poke 0x1000 0x0123456789abcdef"],
        build: |a| Action::Extra(Extra::Poke { address: a.number("[Address]"), value: a.number("[Value]") }),
    },
    Entry {
        names: &["fault"],
        title: "Fault",
        parameters: &[
            place("link", Kind::Literal),
            place("[Fault]", Kind::Choice(fault_names)),
            place("[Number]", Kind::Number(0xffff)),
        ],
        about: "Lets a fault wait for frames that leave this node: drop takes so many of them away, cut ends the next one \
                after so many lines, corrupt turns that bit of the next one over, 64 to a line. Each frame has one fault.",
        examples: &["fault link drop 1", "fault link cut 4", "fault link corrupt 320"],
        build: |a| {
            let kind = FAULTS.iter().find(|(name, _)| *name == a.word("[Fault]"));
            let (_, kind) = kind.expect("the parser takes names of the table only");
            Action::Extra(Extra::Fault(*kind, a.number("[Number]") as u16))
        },
    },
    Entry {
        names: &["fault"],
        title: "Clear Faults",
        parameters: &[place("clear", Kind::Literal)],
        about: "Forgets the faults that wait for frames of this node.",
        examples: &["fault clear"],
        build: |_| Action::Extra(Extra::ClearFaults),
    },
    Entry {
        names: &["fault"],
        title: "List Faults",
        parameters: &[],
        about: "Lists the faults that wait for frames of each node, and those that have struck one.",
        examples: &["fault"],
        build: |_| Action::Extra(Extra::Faults),
    },
    Entry {
        names: &["explain"],
        title: "Explain",
        parameters: &[],
        about: "Takes the last primitive of this node apart, on one time line from the command to its last trace on any \
                board, and says what became of its packets. The session is repeated for it, with more eyes.",
        examples: &["explain"],
        build: |_| Action::Extra(Extra::Explain),
    },
    Entry {
        names: &["show"],
        title: "Show Registers",
        parameters: &[optional("[Register]", Kind::Expression)],
        about: "Shows the registers whose names contain the text; all of the board without one.",
        examples: &["show window_controller.botf", "show node1.status_write_unit"],
        build: |a| Action::Extra(Extra::Show(text(a, "[Register]"))),
    },
    Entry {
        names: &["break"],
        title: "Break Point",
        parameters: &[optional("[Condition]", Kind::Expression)],
        about: "Stops time whenever the condition becomes true, or a machine walks the arc: what is under way goes on \
                with the next command. Without a condition, lists the break points.",
        examples: &[
            "break botf.state == BotfEnd1",
            "break core_logic.window_controller.request_executor.botf Botf1->Botf2",
            "break",
        ],
        build: |a| Action::Extra(Extra::Break(text(a, "[Condition]"))),
    },
    Entry {
        names: &["delete"],
        title: "Delete Break Point",
        parameters: &[optional("[Number]", Kind::Number(9999))],
        about: "Forgets a break point, or all.",
        examples: &["delete 1", "delete"],
        build: |a| Action::Extra(Extra::Delete(a.optional_number("[Number]").map(|n| n as usize))),
    },
    Entry {
        names: &["watch"],
        title: "Watch",
        parameters: &[optional("[Register]", Kind::Word)],
        about: "Tells of every change of a register. Without one, lists what is watched.",
        examples: &["watch request_acceptor.state", "watch"],
        build: |a| Action::Extra(Extra::Watch(text(a, "[Register]"))),
    },
    Entry {
        names: &["unwatch"],
        title: "Unwatch",
        parameters: &[],
        about: "Watches nothing any more.",
        examples: &["unwatch"],
        build: |_| Action::Extra(Extra::Unwatch),
    },
    Entry {
        names: &["dump"],
        title: "Dump Packet",
        parameters: &[place("packet", Kind::Literal)],
        about: "Takes the last frame that this node sent apart, line by line.",
        examples: &["dump packet"],
        build: |_| Action::Extra(Extra::DumpPacket),
    },
    Entry {
        names: &["trace"],
        title: "Trace On",
        parameters: &[place("on", Kind::Literal), place("[File]", Kind::File)],
        about: "Writes all registers of all boards into a file of waveforms, .fst or .vcd, from now on.",
        examples: &["trace on session.fst"],
        build: |a| Action::Extra(Extra::TraceOn(PathBuf::from(a.word("[File]")))),
    },
    Entry {
        names: &["trace"],
        title: "Trace Off",
        parameters: &[place("off", Kind::Literal)],
        about: "Ends the file of waveforms.",
        examples: &["trace off"],
        build: |_| Action::Extra(Extra::TraceOff),
    },
    Entry {
        names: &["save"],
        title: "Save",
        parameters: &[place("[Name]", Kind::Word)],
        about: "Remembers the present point of time, with boards, hosts, links and memories, as long as the shell lives. \
                Break points, watches and a trace are not saved.",
        examples: &["save before"],
        build: |a| Action::Extra(Extra::Save(a.word("[Name]").to_string())),
    },
    Entry {
        names: &["restore"],
        title: "Restore",
        parameters: &[place("[Name]", Kind::Word)],
        about: "Goes back to a saved point. Break points and watches stay.",
        examples: &["restore before"],
        build: |a| Action::Extra(Extra::Restore(a.word("[Name]").to_string())),
    },
    Entry {
        names: &["back"],
        title: "Back",
        parameters: &[place("[Cycles]", CYCLES)],
        about: "Goes back by core cycles, into the middle of a command too.",
        examples: &["back 1000"],
        build: |a| Action::Extra(Extra::Back(a.number("[Cycles]"))),
    },
    Entry {
        names: &["diff"],
        title: "Difference",
        parameters: &[place("[Name]", Kind::Word), optional("[Name 2]", Kind::Word)],
        about: "Names the registers that differ between a saved point and another one, or now.",
        examples: &["diff before", "diff before after"],
        build: |a| Action::Extra(Extra::Diff(a.word("[Name]").to_string(), text(a, "[Name 2]"))),
    },
    Entry {
        names: &["fingerprint"],
        title: "Fingerprint",
        parameters: &[],
        about: "Prints the fingerprint of the run so far: the same for model, rtl and lockstep.",
        examples: &["fingerprint"],
        build: |_| Action::Extra(Extra::Fingerprint),
    },
    Entry {
        names: &["nic"],
        title: "Network Interface",
        parameters: &[optional("[Kind]", Kind::Word)],
        about: "Puts boards of another kind behind the pins (model, rtl or lockstep, where they are built in): they go \
                through all that the present ones have gone through. Without a kind, tells which ones they are.",
        examples: &["nic lockstep", "nic"],
        build: |a| Action::Extra(Extra::Nic(text(a, "[Kind]"))),
    },
    Entry {
        names: &["source"],
        title: "Source",
        parameters: &[place("[File]", Kind::File)],
        about: "Takes lines from a file; the first error ends it.",
        examples: &["source setup.dsh"],
        build: |a| Action::Extra(Extra::Source(PathBuf::from(a.word("[File]")))),
    },
];
