//! Break points, saved points and the return to them: all exact.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dimmnet2::pins::{In, Out};
use dimmnet2_machine::{AnyNic, Dimmnet2};
use dsh::{Boards, Models, Start};
use hdl::{Clock, Edges, Nic, NicError, Signal};

use crate::{Shell, fails, prints, shell};

const WORK: [&str; 3] = [
    "ww_write ww=0 from=0 it=128 val=0x1000 inc=3",
    "prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=0x200 src=0 dst=0x600",
    "rllcm_write 2 0x40 0x0123456789abcdef",
];

#[test]
fn run_after_restore_is_the_run_that_was() {
    let mut shell = shell();
    prints(&mut shell, &WORK);
    prints(&mut shell, &["save here", "run 10000"]);
    let straight = prints(&mut shell, &["time", "fingerprint"]);
    prints(&mut shell, &["rllcm_write 2 0 7", "poke 0x600 1", "restore here"]);
    assert!(prints(&mut shell, &["diff here"]).is_empty());
    prints(&mut shell, &["run 10000"]);
    assert_eq!(prints(&mut shell, &["time", "fingerprint"]), straight);
}

#[test]
fn way_back_into_the_middle_of_a_command_leads_forth_again() {
    let mut shell = shell();
    prints(&mut shell, &WORK);
    let end = prints(&mut shell, &["time", "fingerprint"]);
    // Into the idle end, the work itself, the accesses, and the command before.
    for cycles in [1, 333, 520, 560, 1200] {
        prints(&mut shell, &[&format!("back {cycles}")]);
        assert_ne!(prints(&mut shell, &["time", "fingerprint"]), end);
        if cycles == 1200 {
            // The later events have not happened.
            assert!(prints(&mut shell, &["ureg_read prim_counter"]).contains("BOTF  : 0"));
            break;
        }
        prints(&mut shell, &[&format!("run {cycles}")]);
        assert_eq!(prints(&mut shell, &["time", "fingerprint"]), end, "{cycles}");
    }
}

#[test]
fn another_way_from_the_same_point_differs_where_it_should() {
    let mut shell = shell();
    prints(&mut shell, &["save before", "llcm_write from=0 it=1 val=1 inc=0", "save one", "restore before"]);
    prints(&mut shell, &["llcm_write from=0 it=1 val=2 inc=0", "save two", "llcm_read 0 8"]);
    assert!(prints(&mut shell, &["llcm_read 0 8"]).ends_with("#4215c000: 0000000000000002\n"));
    assert!(prints(&mut shell, &["restore one", "llcm_read 0 8"]).ends_with("#4215c000: 0000000000000001\n"));
    // LLCM is a memory; only registers are named.
    assert_eq!(prints(&mut shell, &["diff one two"]), "");
    let text = prints(&mut shell, &["sreg_write mtu 1", "diff one"]);
    assert!(text.contains("configuration_register") && text.contains("-> 0x1"), "{text}");
}

#[test]
fn break_point_stops_a_command_that_goes_on_with_time() {
    let mut shell = shell();
    prints(&mut shell, &["break botf.state == BotfEnd1", "save before"]);
    let hit = prints(&mut shell, &[WORK[2]]);
    assert!(hit.starts_with("break at ") && hit.ends_with("us: node0.botf.state == BotfEnd1\n"), "{hit}");
    assert!(prints(&mut shell, &["show request_executor.botf.state"]).ends_with("= BotfEnd1\n"));
    prints(&mut shell, &["save hit", "run 1000", "node 1"]);
    assert!(prints(&mut shell, &["llcm_read 0x40 8"]).ends_with("#4215c040: 0123456789abcdef\n"));
    // Saved while a program runs.
    prints(&mut shell, &["restore hit", "run 1000"]);
    assert!(prints(&mut shell, &["llcm_read 0x40 8"]).ends_with("#4215c040: 0123456789abcdef\n"));
    prints(&mut shell, &["delete", "restore before", "node 0"]);
    assert_eq!(prints(&mut shell, &[WORK[2], "break"]), "");
}

#[test]
fn break_point_is_met_again_when_time_was_turned_back() {
    let mut shell = shell();
    prints(&mut shell, &["break node1.receive_controller.packet_control.state == Decode"]);
    let hit = prints(&mut shell, &[WORK[2]]);
    let again = prints(&mut shell, &["back 50", "run 100"]);
    assert_eq!((hit.matches("break at").count(), again), (1, hit));
}

#[test]
fn flag_from_outside_stops_time_in_the_middle_of_a_command() {
    let mut shell = shell();
    let flag = Arc::new(AtomicBool::new(true));
    shell.session().stop_at(flag.clone());
    assert!(prints(&mut shell, &["llcm_write from=0 it=1 val=7 inc=0"]).starts_with("interrupted at "));
    assert!(prints(&mut shell, &["run 100", "llcm_read 0 8"]).ends_with("#4215c000: 0000000000000007\n"));
    let before = prints(&mut shell, &["time", "fingerprint"]);
    flag.store(true, Ordering::Relaxed);
    assert!(prints(&mut shell, &["back 10"]).starts_with("interrupted at "));
    assert_eq!(prints(&mut shell, &["time", "fingerprint"]), before, "nothing is lost");
}

#[test]
fn run_until_stops_in_the_first_cycle_in_which_it_is_true() {
    let mut shell = shell();
    prints(&mut shell, WORK.as_slice());
    prints(&mut shell, &["back 560"]);
    let text = prints(&mut shell, &["run until botf.state != Prim"]);
    assert!(text.ends_with("node0.botf.state != Prim\n"), "{text}");
    assert_eq!(prints(&mut shell, &["run until botf.state != Prim"]), text, "it is true already");
    assert!(fails(&mut shell, "run until ring.state == Update").contains("did not become true"));
}

#[test]
fn watch_tells_every_change_of_a_register() {
    let mut shell = shell();
    prints(&mut shell, &["watch request_acceptor.state"]);
    let text = prints(&mut shell, &[WORK[1]]);
    let states: Vec<_> =
        text.lines().filter_map(|line| line.split_once("state = ")).map(|(_, s)| s).collect();
    assert_eq!(states, ["Req", "ReqIn", "Wait", "Nop"], "{text}");
    prints(&mut shell, &["unwatch"]);
    assert_eq!(prints(&mut shell, &["watch"]), "");
}

#[test]
fn trace_is_a_file_of_all_boards_and_ends_with_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first.fst"), folder.path().join("second.vcd"));
    let mut shell = shell();
    prints(&mut shell, &[&format!("trace on {}", first.display()), WORK[2]]);
    assert!(fails(&mut shell, &format!("trace on {}", second.display())).contains("already"));
    let text = prints(&mut shell, &["trace off"]);
    assert!(text.contains("first.fst"), "{text}");
    assert!(fails(&mut shell, "trace off").contains("no trace"));
    prints(&mut shell, &[&format!("trace on {}", second.display()), WORK[2]]);
    assert!(prints(&mut shell, &["back 10"]).contains("the trace ends where time was turned back"));
    let text = std::fs::read_to_string(second).unwrap();
    assert!(
        text.contains("node1") && text.contains("botf") && std::fs::metadata(first).unwrap().len() > 1000
    );
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    let mut shell = shell();
    for (line, part) in [
        ("back 1", "only 0 cycles have passed since the first prompt"),
        ("restore nowhere", "nothing was saved as `nowhere`"),
        ("diff nowhere", "nothing was saved as `nowhere`"),
        ("delete 1", "there is no break point 1"),
        ("delete 0", "there is no break point 0"),
        ("break", "-"),
        ("break botf.state", "a condition is a register"),
        ("break botf.stat == 1", "there is no register `botf.stat`"),
        ("break node7.botf.state == 1", "the last node is node1"),
        ("break state == Prim", "there is no register `state` but "),
        ("break botf.state == Fast", "botf.state has no state `Fast`, only Prim, Wait"),
        ("watch nonesuch", "there is no register `nonesuch`"),
        ("show nonesuch", "there is no register `nonesuch`"),
        ("show node9.botf", "the last one is 1"),
        ("node 2", "the last one is 1"),
        ("dump packet", "node 0 has not sent anything"),
        ("nic rtl", "there are no boards `rtl` here, only model"),
        ("trace on /nowhere/at/all.fst", "/nowhere/at/all.fst"),
        ("source /nowhere", "/nowhere"),
        ("peek 0x400000000 8", "out of range"),
    ] {
        if part == "-" {
            prints(&mut shell, &[line]);
            continue;
        }
        let error = fails(&mut shell, line);
        assert!(error.contains(part) && !error.contains('\n'), "{line}: {error}");
    }
    prints(&mut shell, &["run 10", "back 10"]);
    assert!(fails(&mut shell, "back 1").contains("only 0 cycles"));
}

#[test]
fn poke_is_seen_by_the_board() {
    let mut shell = shell();
    prints(&mut shell, &["poke 0x1008 0x1122334455667788"]);
    assert!(
        prints(&mut shell, &["peek 0x1000 16"]).ends_with("#00001000: 0000000000000000 1122334455667788\n")
    );
    prints(&mut shell, &["prim VL dt=0 it=0 dw=0 dl=0 ef=0 size=16 src=0x1000 dst=0", "save poked"]);
    assert!(
        prints(&mut shell, &["pw_read 0 16"]).ends_with("#4214c000: 0000000000000000 1122334455667788\n")
    );
    prints(&mut shell, &["poke 0x1008 0", "restore poked"]);
    assert!(prints(&mut shell, &["peek 0x1008 8"]).ends_with("#00001008: 1122334455667788\n"));
}

/// A model that never reports that it is quiescent, as RTL does not.
struct Restless(Box<AnyNic>);

impl Nic for Restless {
    type In = In;
    type Out = Out;

    fn clocks(&self) -> &'static [Clock] {
        self.0.clocks()
    }

    fn outputs(&self) -> &Out {
        self.0.outputs()
    }

    fn edge(&mut self, edges: Edges, pins: &In) -> Result<(), NicError> {
        self.0.edge(edges, pins)
    }

    fn signals(&self) -> &[Signal] {
        self.0.signals()
    }

    fn sample(&self, words: &mut Vec<u64>) {
        self.0.sample(words);
    }

    fn memories(&self, words: &mut Vec<u64>) {
        self.0.memories(words);
    }
}

/// The model, and the model with every edge walked.
struct Twice;

impl Boards<Dimmnet2> for Twice {
    fn kinds(&self) -> &[&'static str] {
        &["model", "restless"]
    }

    fn open(&self, kind: &str, count: usize) -> Result<Vec<Box<AnyNic>>, String> {
        let boards = Boards::<Dimmnet2>::open(&Models, kind, count)?;
        let restless = |board| Box::new(Restless(board)) as Box<AnyNic>;
        Ok(if kind == "model" { boards } else { boards.into_iter().map(restless).collect() })
    }
}

#[test]
fn other_boards_go_through_what_the_first_ones_went_through() {
    let start = Start { processes: 2, pid: 0, wid: false };
    let mut shell = Shell::start(start, Rc::new(Twice), "model").unwrap();
    prints(&mut shell, WORK.as_slice());
    prints(&mut shell, &["save model"]);
    let before = prints(&mut shell, &["time", "fingerprint", "dump packet"]);
    assert_eq!(prints(&mut shell, &["nic"]), "model (of model, restless)\n");
    prints(&mut shell, &["nic restless"]);
    assert_eq!(prints(&mut shell, &["nic", "diff model"]), "restless (of model, restless)\n");
    assert_eq!(prints(&mut shell, &["time", "fingerprint", "dump packet"]), before);
}

#[test]
fn flag_from_outside_ends_a_file_of_lines_too() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, "v\n".repeat(10)).unwrap();
    let source = format!("source {}", script.display());
    let mut shell = shell();
    let flag = Arc::new(AtomicBool::new(false));
    shell.session().stop_at(flag.clone());
    assert_eq!(prints(&mut shell, &[&source]).lines().count(), 10);
    flag.store(true, Ordering::Relaxed);
    assert!(fails(&mut shell, &source).ends_with("script:1: stopped"));
    assert_eq!(prints(&mut shell, &[&source]).lines().count(), 10, "once told, once stopped");
}

#[test]
fn question_mark_is_help_and_typos_get_suggestions() {
    let mut shell = shell();
    assert_eq!(prints(&mut shell, &["?"]), prints(&mut shell, &["h"]));
    assert_eq!(prints(&mut shell, &["? prim"]), prints(&mut shell, &["help prim"]));
    for (line, part) in [
        ("botff", "no command `botff`; did you mean `botf`? type h for all commands"),
        ("watch node1.packet_contrl.state", "; did you mean `packet_control.state` or `packet_control."),
        ("sreg_read pgid0", "pgid0 can only be written, but show shows what registers hold"),
        ("sreg_write pgid0 256", "the value does not fit, pgid0 has 8 bits"),
        ("run 99999999999", "99999999999 is out of range, the most is 1000000000"),
    ] {
        let error = fails(&mut shell, line);
        assert!(error.contains(part), "{line}: {error}");
    }
}

#[test]
fn forward_repeats_commands_that_back_has_undone() {
    let mut shell = shell();
    let begin = cycles(&mut shell);
    prints(&mut shell, &["rllcm_write 2 0x40 0x0123456789abcdef", "run 100"]);
    let end = prints(&mut shell, &["time", "fingerprint"]);
    let all = cycles(&mut shell) - begin;
    // In one go, and cycle by cycle, across the ends of all accesses.
    prints(&mut shell, &[&format!("back {all}"), "forward"]);
    assert_eq!(prints(&mut shell, &["time", "fingerprint"]), end);
    prints(&mut shell, &[&format!("back {all}")]);
    (0..all).for_each(|_| drop(prints(&mut shell, &["forward 1"])));
    assert_eq!(prints(&mut shell, &["time", "fingerprint"]), end);
    assert!(fails(&mut shell, "forward").contains("nothing was undone"));
}

#[test]
fn another_command_ends_what_forward_can_repeat() {
    let mut shell = shell();
    prints(&mut shell, &["rllcm_write 2 0x40 0x0123456789abcdef", "run 500", "back 400", "run 1"]);
    assert!(fails(&mut shell, "forward").contains("nothing was undone"));
    prints(&mut shell, &["run 500", "back 400", "nic model", "forward 400"]);
    assert!(fails(&mut shell, "forward 1").contains("nothing was undone"));
}

#[test]
fn break_points_hold_while_time_goes_forward_again() {
    let mut shell = shell();
    let begin = cycles(&mut shell);
    prints(&mut shell, &["rllcm_write 2 0x40 0x0123456789abcdef"]);
    let end = prints(&mut shell, &["time", "fingerprint"]);
    let all = cycles(&mut shell) - begin;
    let until = "forward until node1.packet_control.state == Decode";
    let text = prints(&mut shell, &[&format!("back {all}"), until]);
    assert!(text.ends_with("node1.packet_control.state == Decode\n"), "{text}");
    assert_eq!(prints(&mut shell, &["show node1.packet_control.state"]).matches("Decode").count(), 1);
    let text = prints(&mut shell, &["break node1.packet_control.state == Idle", "forward"]);
    assert!(text.contains("break at"), "{text}");
    prints(&mut shell, &["delete", "forward"]);
    assert_eq!(prints(&mut shell, &["time", "fingerprint"]), end);
}

#[test]
fn virtual_time_ends_with_an_error() {
    let mut shell = shell();
    let error = shell.session().run(u64::MAX / 20_000).unwrap_err();
    let left = 100_000_000_000_000 - cycles(&mut shell);
    let end = cluster::Time::from_ps(1_000_000_000_000_000_000);
    assert_eq!(
        error.to_string(),
        format!("only {left} cycles are left until the end of virtual time, {end}")
    );
    shell.session().run(1).unwrap();
}

/// Core cycles since power-up.
fn cycles(shell: &mut Shell) -> u64 {
    prints(shell, &["time"]).trim_end().rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn break_functions_see_every_cycle_and_change_nothing() {
    let run = |breaks: &[u64]| {
        let mut shell = shell();
        let calls = Rc::new(std::cell::RefCell::new(Vec::new()));
        let (seen, breaks) = (calls.clone(), breaks.to_vec());
        shell.session().break_at(Some(Box::new(move |now, nodes| {
            assert_eq!(nodes.len(), 2);
            seen.borrow_mut().push(now.ps());
            breaks.contains(&now.ps()).then(|| format!("break at {now}"))
        })));
        let mut text = prints(&mut shell, &WORK);
        text += &prints(&mut shell, &["run 500"]);
        // The past is repeated without asking; only its end is shown.
        let before = calls.borrow().len();
        prints(&mut shell, &["back 300"]);
        assert_eq!(calls.borrow().len(), before + 1);
        calls.borrow_mut().pop();
        prints(&mut shell, &["run 300"]);
        (text, calls.take(), prints(&mut shell, &["time", "fingerprint"]))
    };
    let (text, calls, end) = run(&[]);
    assert!(!text.contains("break at"), "{text}");
    assert!(calls.len() > 500 && calls.iter().all(|time| time % 10_000 == 0));
    let again = run(&[]);
    assert_eq!((again.1, again.2), (calls.clone(), end));
    let middle = calls[calls.len() / 2];
    let (text, _, _) = run(&[middle]);
    assert!(text.contains("break at"), "{text}");
}
