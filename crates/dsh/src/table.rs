//! The one table of commands: parser, help and completion come from it (thesis table C.1, figures C.3 to C.16).

use dimmnet2::Primitive;

use crate::arguments::Arguments;
use crate::command::{Command, Request, Series};
use crate::extra::Extra;
use crate::options::{self, SREG_READ, SREG_WRITE, UREG_READ, UREG_WRITE};

/// What a line asks for: a command of the manual, one for the shell itself, or one that dsh never had.
#[derive(Clone, Debug)]
pub enum Action {
    /// On the board.
    Board(Command),
    /// `h`, with the command one wants to know about.
    Help(Option<String>),
    /// `q`
    Quit,
    /// `v`
    Version,
    /// Beyond the manual.
    Extra(Extra),
}

/// What is typed for a parameter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number of at most this.
    Number(u64),
    /// One of some words.
    Choice(fn() -> Vec<&'static str>),
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

/// A command.
pub struct Entry {
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
    pub build: fn(&Arguments) -> Action,
}

impl Entry {
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

const WORD: u64 = u32::MAX as u64;

/// A parameter in its place.
pub(crate) const fn place(shown: &'static str, kind: Kind) -> Parameter {
    Parameter { shown, key: None, kind, optional: false }
}

/// A parameter with a name.
const fn key(key: &'static str, shown: &'static str, most: u64) -> Parameter {
    Parameter { shown, key: Some(key), kind: Kind::Number(most), optional: false }
}

const OFFSET: Parameter = place("[Offset]", Kind::Number(WORD));
const SIZE: Parameter = place("[Size(Byte)]", Kind::Number(WORD));
const VALUE: Parameter = place("[Value]", Kind::Number(u64::MAX));
const FROM: Parameter = key("from", "[Offset]", WORD);
const IT: Parameter = key("it", "[Iteration]", WORD);
const VAL: Parameter = key("val", "[Value]", WORD);
const INC: Parameter = key("inc", "[Increment]", WORD);

fn series(a: &Arguments) -> Series {
    Series { from: a.u32("from"), iteration: a.u32("it"), value: a.u32("val"), increment: a.u32("inc") }
}

fn names<R>(options: &'static [options::Named<R>]) -> Vec<&'static str> {
    options.iter().map(|option| option.name).chain(options.iter().filter_map(|option| option.alias)).collect()
}

fn sreg_read_names() -> Vec<&'static str> {
    names(&SREG_READ)
}

fn sreg_write_names() -> Vec<&'static str> {
    names(&SREG_WRITE)
}

fn ureg_read_names() -> Vec<&'static str> {
    names(&UREG_READ)
}

fn ureg_write_names() -> Vec<&'static str> {
    names(&UREG_WRITE)
}

/// All but BOTF, which the manual does not list.
fn primitives() -> Vec<&'static str> {
    Primitive::ALL.iter().filter(|p| **p != Primitive::Botf).map(|p| p.mnemonic()).collect()
}

fn found<R>(options: &'static [options::Named<R>], a: &Arguments) -> &'static options::Named<R> {
    options::find(options, a.word("[Option]")).expect("the parser takes names of the table only")
}

/// The commands of the manual (thesis table C.1).
pub static MANUAL: [Entry; 15] = [
    Entry {
        names: &["evpbuf_read"],
        title: "LH Buffer Read",
        parameters: &[OFFSET, SIZE],
        about: "Dumps the LH Buffer, which was first called Envelope Buffer (figure C.3).",
        examples: &["evpbuf_read 0 64"],
        build: |a| {
            Action::Board(Command::EvpbufRead { offset: a.u32("[Offset]"), size: a.u32("[Size(Byte)]") })
        },
    },
    Entry {
        names: &["h", "help"],
        title: "Help",
        parameters: &[Parameter {
            optional: true,
            ..place("[Command]", Kind::Choice(crate::table::command_names))
        }],
        about: "Lists all commands (figure C.4), or tells of one.",
        examples: &["h", "help prim"],
        build: |a| Action::Help(a.optional_word("[Command]").map(str::to_string)),
    },
    Entry {
        names: &["llcm_read"],
        title: "LLCM Read",
        parameters: &[OFFSET, SIZE],
        about: "Dumps LLCM (figure C.5).",
        examples: &["llcm_read 0 64", "llcm_read 0x100 0x20"],
        build: |a| {
            Action::Board(Command::LlcmRead { offset: a.u32("[Offset]"), size: a.u32("[Size(Byte)]") })
        },
    },
    Entry {
        names: &["llcm_write"],
        title: "LLCM Write",
        parameters: &[FROM, IT, VAL, INC],
        about: "Writes 32-bit values to LLCM, each greater by the increment than the one before (figure C.6).",
        examples: &["llcm_write from=0 it=10 val=0xaaaa0000 inc=1"],
        build: |a| Action::Board(Command::LlcmWrite(series(a))),
    },
    Entry {
        names: &["prim"],
        title: "Primitive Issue",
        parameters: &[
            place("PRIM", Kind::Choice(primitives)),
            key("dt", "[Dtype]", 7),
            key("it", "[Iteration]", 255),
            key("dw", "[Dwid]", 1),
            key("dl", "[Dclid]", 0xfff),
            key("ef", "[Eflag]", 1),
            key("size", "[Size(Byte)]", WORD),
            key("src", "[Src Addr]", WORD),
            key("dst", "[Dst Addr]", WORD),
        ],
        about: "Issues a primitive by Command0 and prints the words of the command, Upper first (figure C.7). dt is the \
                code of the element size, 2 for 4 bytes; size is the stride or the address of the list where the \
                primitive wants one. Parameters that a primitive does not use must be given too.",
        examples: &["prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=0x200 src=0x400 dst=0x600"],
        build: |a| {
            let word = a.word("PRIM");
            let primitive = Primitive::ALL.iter().find(|primitive| primitive.mnemonic() == word);
            Action::Board(Command::Prim(Request {
                primitive: *primitive.expect("the parser takes names of the table only"),
                dtype: a.number("dt") as u8,
                iteration: a.number("it") as u8,
                dwid: a.number("dw") == 1,
                dclid: a.number("dl") as u16,
                eflag: a.number("ef") == 1,
                size: a.u32("size"),
                src: a.u32("src"),
                dst: a.u32("dst"),
            }))
        },
    },
    Entry {
        names: &["pw_read"],
        title: "Prefetch Window Read",
        parameters: &[place("[PW#(0-3)]", Kind::Number(3)), SIZE],
        about: "Dumps a Prefetch Window from its beginning; a primitive must have put the data there (figure C.8).",
        examples: &["pw_read 0 64"],
        build: |a| {
            let window = a.number("[PW#(0-3)]") as u8;
            Action::Board(Command::PwRead { window, size: a.u32("[Size(Byte)]") })
        },
    },
    Entry {
        names: &["q", "quit"],
        title: "Quit",
        parameters: &[],
        about: "Leaves the shell.",
        examples: &["q"],
        build: |_| Action::Quit,
    },
    Entry {
        names: &["rllcm_write"],
        title: "Remote LLCM Write",
        parameters: &[place("[Dclid]", Kind::Number(0xfff)), OFFSET, VALUE],
        about: "Writes 8 bytes to the LLCM of the process of WID 0 on another node, by a BOTF from Write Window 3 \
                (figure C.9).",
        examples: &["rllcm_write 3 200 8"],
        build: |a| {
            let dclid = a.number("[Dclid]") as u16;
            Action::Board(Command::RllcmWrite {
                dclid,
                offset: a.u32("[Offset]"),
                value: a.number("[Value]"),
            })
        },
    },
    Entry {
        names: &["sreg_read"],
        title: "System Register Read",
        parameters: &[place("[Option]", Kind::Choice(sreg_read_names))],
        about: "Reads a System Register (figure C.10).",
        examples: &["sreg_read sma_lid"],
        build: |a| Action::Board(Command::SregRead(found(&SREG_READ, a))),
    },
    Entry {
        names: &["sreg_write"],
        title: "System Register Write",
        parameters: &[place("[Option]", Kind::Choice(sreg_write_names)), VALUE],
        about: "Writes a System Register (figure C.11, table C.2). Where any data will do, some must be given.",
        examples: &["sreg_write ctl_reset 1", "sreg_write mtu 0x8"],
        build: |a| Action::Board(Command::SregWrite(found(&SREG_WRITE, a), a.number("[Value]"))),
    },
    Entry {
        names: &["sreg_write"],
        title: "AMT Address Table Write",
        parameters: &[
            place("amt", Kind::Literal),
            key("addr", "[LLCM Address]", 0xfff),
            key("wid", "[Wid]", 1),
            key("lid", "[Lid]", 0xffff),
        ],
        about: "Writes the entry of one sender in the AMT Address Table (figure C.11): the number of the 64-bit word of \
                LLCM that holds its AMT entry.",
        examples: &["sreg_write amt addr=2 wid=1 lid=3"],
        build: |a| {
            Action::Board(Command::Amt {
                address: a.number("addr") as u16,
                wid: a.number("wid") == 1,
                lid: a.number("lid") as u16,
            })
        },
    },
    Entry {
        names: &["ureg_read"],
        title: "User Register Read",
        parameters: &[place("[Option]", Kind::Choice(ureg_read_names))],
        about: "Reads a User Register (figures C.12 and C.13, table C.3).",
        examples: &["ureg_read ctl_status", "ureg_read module_state"],
        build: |a| Action::Board(Command::UregRead(found(&UREG_READ, a))),
    },
    Entry {
        names: &["ureg_write"],
        title: "User Register Write",
        parameters: &[place("[Option]", Kind::Choice(ureg_write_names)), VALUE],
        about: "Writes a User Register (figure C.14, table C.4). Where any data will do, some must be given.",
        examples: &["ureg_write prim_counter_reset 1"],
        build: |a| Action::Board(Command::UregWrite(found(&UREG_WRITE, a), a.number("[Value]"))),
    },
    Entry {
        names: &["v", "version"],
        title: "Version",
        parameters: &[],
        about: "Prints the version of the dsh that this one follows (figure C.15).",
        examples: &["v"],
        build: |_| Action::Version,
    },
    Entry {
        names: &["ww_write"],
        title: "Write Window Write",
        parameters: &[key("ww", "[WW#(0-3)]", 3), FROM, IT, VAL, INC],
        about: "Writes 32-bit values to a Write Window, each greater by the increment than the one before (figure C.16).",
        examples: &["ww_write ww=0 from=0 it=10 val=0xaaaa0000 inc=1"],
        build: |a| Action::Board(Command::WwWrite { window: a.number("ww") as u8, series: series(a) }),
    },
];

/// All commands: those of the manual first.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    MANUAL.iter().chain(&crate::extra::ENTRIES)
}

/// All names of commands, each once.
pub fn command_names() -> Vec<&'static str> {
    let mut all: Vec<_> = entries().flat_map(|entry| entry.names).copied().collect();
    all.dedup();
    all
}
