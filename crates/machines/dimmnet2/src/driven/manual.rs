//! The commands of the manual (thesis table C.1, figures C.3 to C.16), and one that it leaves out.

use dimmnet2::Primitive;
use machine_api::command::{Arguments, Kind, Parameter};
use machine_api::{OwnCommand, ShellRequest};

use super::command::{Command, Request, Series};
use super::options::{self, SREG_READ, SREG_WRITE, UREG_READ, UREG_WRITE, direction};

const fn place(shown: &'static str, kind: Kind) -> Parameter {
    Parameter::place(shown, kind)
}

const fn key(key: &'static str, shown: &'static str, most: u64) -> Parameter {
    Parameter::key(key, shown, Kind::ManualNumber(most))
}

const WORD: u64 = u32::MAX as u64;

const OFFSET: Parameter = place("[Offset]", Kind::ManualNumber(WORD));
const SIZE: Parameter = place("[Size(Byte)]", Kind::ManualNumber(WORD));
const VALUE: Parameter = place("[Value]", Kind::ManualNumber(u64::MAX));
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

/// All primitives except BOTF, which the manual does not list.
fn primitives() -> Vec<&'static str> {
    Primitive::ALL.iter().filter(|p| **p != Primitive::Botf).map(|p| p.mnemonic()).collect()
}

fn found<R>(options: &'static [options::Named<R>], a: &Arguments) -> &'static options::Named<R> {
    options::find(options, a.word("[Option]")).expect("the parser takes names of the table only")
}

/// The commands of the manual (thesis table C.1).
pub const MANUAL: &[OwnCommand<Command>] = &[
    OwnCommand {
        names: &["evpbuf_read"],
        title: "LH Buffer Read",
        parameters: &[OFFSET, SIZE],
        about: "Dumps the LH Buffer, which was first called Envelope Buffer (figure C.3).",
        examples: &["evpbuf_read 0 64"],
        build: |a| {
            ShellRequest::Own(Command::EvpbufRead { offset: a.u32("[Offset]"), size: a.u32("[Size(Byte)]") })
        },
    },
    OwnCommand {
        names: &["h", "help"],
        title: "Help",
        parameters: &[Parameter::optional("[Command]", Kind::Command)],
        about: "Lists all commands (figure C.4), or tells of one. ? does the same.",
        examples: &["h", "help prim"],
        build: |a| ShellRequest::Help(a.optional_word("[Command]").map(str::to_string)),
    },
    OwnCommand {
        names: &["llcm_read"],
        title: "LLCM Read",
        parameters: &[OFFSET, SIZE],
        about: "Dumps LLCM (figure C.5).",
        examples: &["llcm_read 0 64", "llcm_read 0x100 0x20"],
        build: |a| {
            ShellRequest::Own(Command::LlcmRead { offset: a.u32("[Offset]"), size: a.u32("[Size(Byte)]") })
        },
    },
    OwnCommand {
        names: &["llcm_write"],
        title: "LLCM Write",
        parameters: &[FROM, IT, VAL, INC],
        about: "Writes 32-bit values to LLCM, each greater by the increment than the one before (figure C.6).",
        examples: &["llcm_write from=0 it=10 val=0xaaaa0000 inc=1"],
        build: |a| ShellRequest::Own(Command::LlcmWrite(series(a))),
    },
    OwnCommand {
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
            ShellRequest::Own(Command::Prim(Request {
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
    OwnCommand {
        names: &["pw_read"],
        title: "Prefetch Window Read",
        parameters: &[place("[PW#(0-3)]", Kind::ManualNumber(3)), SIZE],
        about: "Dumps a Prefetch Window from its beginning; a primitive must have put the data there (figure C.8).",
        examples: &["pw_read 0 64"],
        build: |a| {
            let window = a.number("[PW#(0-3)]") as u8;
            ShellRequest::Own(Command::PwRead { window, size: a.u32("[Size(Byte)]") })
        },
    },
    OwnCommand {
        names: &["q", "quit"],
        title: "Quit",
        parameters: &[],
        about: "Leaves the shell.",
        examples: &["q"],
        build: |_| ShellRequest::Quit,
    },
    OwnCommand {
        names: &["rllcm_write"],
        title: "Remote LLCM Write",
        parameters: &[place("[Dclid]", Kind::ManualNumber(0xfff)), OFFSET, VALUE],
        about: "Writes 8 bytes to the LLCM of the process of WID 0 on another node, by a BOTF from Write Window 3 \
                (figure C.9).",
        examples: &["rllcm_write 3 200 8"],
        build: |a| {
            let dclid = a.number("[Dclid]") as u16;
            ShellRequest::Own(Command::RllcmWrite {
                dclid,
                offset: a.u32("[Offset]"),
                value: a.number("[Value]"),
            })
        },
    },
    OwnCommand {
        names: &["sreg_read"],
        title: "System Register Read",
        parameters: &[place("[Option]", Kind::Register(sreg_read_names, direction))],
        about: "Reads a System Register (figure C.10).",
        examples: &["sreg_read sma_lid"],
        build: |a| ShellRequest::Own(Command::SregRead(found(&SREG_READ, a))),
    },
    OwnCommand {
        names: &["sreg_write"],
        title: "System Register Write",
        parameters: &[place("[Option]", Kind::Register(sreg_write_names, direction)), VALUE],
        about: "Writes a System Register (figure C.11, table C.2). Where any data will do, some must be given.",
        examples: &["sreg_write ctl_reset 1", "sreg_write mtu 0x8"],
        build: |a| ShellRequest::Own(Command::SregWrite(found(&SREG_WRITE, a), a.number("[Value]"))),
    },
    OwnCommand {
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
            ShellRequest::Own(Command::Amt {
                address: a.number("addr") as u16,
                wid: a.number("wid") == 1,
                lid: a.number("lid") as u16,
            })
        },
    },
    OwnCommand {
        names: &["ureg_read"],
        title: "User Register Read",
        parameters: &[place("[Option]", Kind::Register(ureg_read_names, direction))],
        about: "Reads a User Register (figures C.12 and C.13, table C.3).",
        examples: &["ureg_read ctl_status", "ureg_read module_state"],
        build: |a| ShellRequest::Own(Command::UregRead(found(&UREG_READ, a))),
    },
    OwnCommand {
        names: &["ureg_write"],
        title: "User Register Write",
        parameters: &[place("[Option]", Kind::Register(ureg_write_names, direction)), VALUE],
        about: "Writes a User Register (figure C.14, table C.4). Where any data will do, some must be given.",
        examples: &["ureg_write prim_counter_reset 1"],
        build: |a| ShellRequest::Own(Command::UregWrite(found(&UREG_WRITE, a), a.number("[Value]"))),
    },
    OwnCommand {
        names: &["v", "version"],
        title: "Version",
        parameters: &[],
        about: "Prints the version of the dsh that this one follows (figure C.15).",
        examples: &["v"],
        build: |_| ShellRequest::Version,
    },
    OwnCommand {
        names: &["ww_write"],
        title: "Write Window Write",
        parameters: &[key("ww", "[WW#(0-3)]", 3), FROM, IT, VAL, INC],
        about: "Writes 32-bit values to a Write Window, each greater by the increment than the one before (figure C.16).",
        examples: &["ww_write ww=0 from=0 it=10 val=0xaaaa0000 inc=1"],
        build: |a| ShellRequest::Own(Command::WwWrite { window: a.number("ww") as u8, series: series(a) }),
    },
];

/// Commands that the board supports and the manual does not list.
pub const BESIDE: &[OwnCommand<Command>] = &[OwnCommand {
    names: &["botf"],
    title: "BOTF",
    parameters: &[place("[WW#(0-3)]", Kind::Number(3)), place("[Size(Byte)]", Kind::Number(1023))],
    about: "Sends the packet image in a Write Window, header included; prim has no BOTF.",
    examples: &["botf 0 24"],
    build: |a| {
        let (window, size) = (a.number("[WW#(0-3)]") as u8, a.number("[Size(Byte)]") as u16);
        ShellRequest::Own(Command::Botf { window, size })
    },
}];

#[cfg(test)]
mod tests {
    use machine_api::command::parse;

    use super::*;

    fn asked(line: &str) -> ShellRequest<Command> {
        let (command, arguments) = parse(line, MANUAL).unwrap().expect("it is a command");
        (command.build)(&arguments)
    }

    fn error(line: &str) -> String {
        let bad = parse(line, MANUAL).unwrap_err();
        format!("{}: {}", bad.command.unwrap_or("-"), bad.error)
    }

    #[test]
    fn names_come_in_any_order() {
        let expected = Series { from: 8, iteration: 10, value: 0xaaaa_0000, increment: 1 };
        for line in [
            "llcm_write from=8 it=10 val=0xaaaa0000 inc=1",
            " llcm_write  inc=1 val=0xaaaa0000\tfrom=8 it=012 ",
        ] {
            let ShellRequest::Own(Command::LlcmWrite(series)) = asked(line) else { panic!("{line}") };
            assert_eq!(series, expected);
        }
        let ShellRequest::Own(Command::Prim(request)) =
            asked("prim dst=0x600 src=0x400 VLS size=1 ef=1 dl=3 dw=1 it=55ff dt=2")
        else {
            panic!("the primitive may stand anywhere too")
        };
        assert_eq!((request.dclid, request.iteration, request.dst), (3, 55, 0x600));
        assert_eq!(request.primitive, dimmnet2::Primitive::Vls);
    }

    #[test]
    fn numbers_of_the_manual_drop_their_tail_with_a_warning() {
        let (_, arguments) = parse("llcm_write from=8x it=010 val=55ff inc=1", MANUAL).unwrap().unwrap();
        assert_eq!((arguments.number("from"), arguments.number("it"), arguments.number("val")), (8, 8, 55));
        assert_eq!(
            arguments.warnings().collect::<Vec<_>>(),
            [
                "warning: from: `8x` is read as 8; its tail `x` is dropped",
                "warning: val: `55ff` is read as 55; its tail `ff` is dropped"
            ]
        );
    }

    #[test]
    fn every_number_of_the_manual_is_read_as_it_says_and_no_other() {
        let kinds = |commands: &[OwnCommand<Command>]| -> Vec<Kind> {
            commands.iter().flat_map(|command| command.parameters).map(|parameter| parameter.kind).collect()
        };
        assert!(!kinds(MANUAL).iter().any(|kind| matches!(kind, Kind::Number(_))));
        assert!(!kinds(BESIDE).iter().any(|kind| matches!(kind, Kind::ManualNumber(_))));
        assert!(parse("botf 0 24x", BESIDE).is_err() && parse("botf 0 0x18", BESIDE).is_ok());
    }

    #[test]
    fn empty_lines_and_remarks_ask_for_nothing() {
        for line in ["", "   ", "\t", "# 4 processes", "#4216c000: 0000000000000000"] {
            assert!(matches!(parse(line, MANUAL), Ok(None)));
        }
    }

    #[test]
    fn amt_has_a_syntax_of_its_own() {
        let ShellRequest::Own(Command::Amt { address, wid, lid }) =
            asked("sreg_write amt lid=3 wid=1 addr=2")
        else {
            panic!("it is a command")
        };
        assert_eq!((address, wid, lid), (2, true, 3));
        assert_eq!(error("sreg_write amt 1"), "sreg_write: `1` is too much");
        assert!(matches!(asked("sreg_write mtu 8"), ShellRequest::Own(Command::SregWrite(..))));
    }

    #[test]
    fn bad_lines_say_what_is_wrong() {
        for (line, expected) in [
            ("frobnicate 1", "-: there is no command `frobnicate`; type h for all commands"),
            ("llcm_read 0", "llcm_read: [Size(Byte)] is missing"),
            ("llcm_read", "llcm_read: [Offset] is missing"),
            ("llcm_read 0 64 1", "llcm_read: `1` is too much"),
            ("llcm_read x 64", "llcm_read: [Offset]: `x` is not a number"),
            (
                "llcm_read 0 0x100000000",
                "llcm_read: [Size(Byte)]: 0x100000000 is out of range, the most is 0xffffffff",
            ),
            ("pw_read 4 64", "pw_read: [PW#(0-3)]: 4 is out of range, the most is 3"),
            ("llcm_write from=0 it=1 val=1", "llcm_write: inc= is missing"),
            ("llcm_write from=0 from=0 it=1 val=1 inc=1", "llcm_write: from= is there twice"),
            ("llcm_write to=0 it=1 val=1 inc=1", "llcm_write: `to=0` is too much"),
            ("sreg_read amt", "sreg_read: `amt` is not one of sma_lid"),
            ("sreg_write sma_lid 1", {
                "sreg_write: sma_lid can only be read; the registers here are sdimm_init, sdimm_capacity, mtu, \
                 sma_reset, lid, pgid0, pgid1, ctl_reset, read_options, clt_reset"
            }),
            (
                "sreg_read mtu",
                "sreg_read: mtu can only be written, but show shows what registers hold; the registers here are sma_lid",
            ),
            ("q now", "q: `now` is too much"),
        ] {
            assert_eq!(error(line), expected);
        }
        assert!(
            error("prim BOTF dt=0 it=0 dw=0 dl=0 ef=0 size=0 src=0 dst=0")
                .starts_with("prim: `BOTF` is not one of NOP, VL,")
        );
        assert!(error("prim VL").ends_with("dt= is missing"));
    }

    #[test]
    fn syntax_is_that_of_the_figures() {
        let syntax: Vec<_> = MANUAL.iter().map(OwnCommand::syntax).collect();
        for line in [
            "evpbuf_read [Offset] [Size(Byte)]",
            "llcm_write from=[Offset] it=[Iteration] val=[Value] inc=[Increment]",
            "prim PRIM dt=[Dtype] it=[Iteration] dw=[Dwid] dl=[Dclid] ef=[Eflag] size=[Size(Byte)] src=[Src Addr] dst=[Dst Addr]",
            "pw_read [PW#(0-3)] [Size(Byte)]",
            "rllcm_write [Dclid] [Offset] [Value]",
            "sreg_read [Option]",
            "sreg_write [Option] [Value]",
            "sreg_write amt addr=[LLCM Address] wid=[Wid] lid=[Lid]",
            "ureg_read [Option]",
            "ureg_write [Option] [Value]",
            "ww_write ww=[WW#(0-3)] from=[Offset] it=[Iteration] val=[Value] inc=[Increment]",
        ] {
            assert!(syntax.iter().any(|have| have == line), "{line}");
        }
    }
}
