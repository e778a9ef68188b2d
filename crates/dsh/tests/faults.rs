//! Link faults, their display in `explain`, and break points on arcs.

use crate::{Shell, fails, prints, shell};

const WRITE: &str = "rllcm_write 2 0x40 0x0123456789abcdef";

/// The word at 0x40 in LLCM of node 1.
fn written(shell: &mut Shell) -> String {
    let text = prints(shell, &["node 1", "llcm_read 0x40 8", "node 0"]);
    text.lines().find_map(|line| line.strip_prefix("#4215c040: ")).unwrap().to_string()
}

#[test]
fn fault_strikes_one_frame_and_the_next_one_passes() {
    let mut shell = shell();
    prints(&mut shell, &["fault link drop 1", WRITE]);
    assert_eq!(written(&mut shell), "0000000000000000");
    prints(&mut shell, &[WRITE]);
    assert_eq!(written(&mut shell), "0123456789abcdef");
    // Bit 320 is bit 0 of the sixth line: three lines of InfiniBand, two of the header, the data.
    prints(&mut shell, &["fault link corrupt 320", WRITE]);
    assert_eq!(written(&mut shell), "0123456789abcdee");
    let faults = "link from node0: to come drop, cut 4; struck drop, corrupt 320\nlink from node1: to come none; struck none\n";
    assert_eq!(prints(&mut shell, &["fault link drop 1", "fault link cut 4", "fault"]), faults);
    prints(&mut shell, &["fault clear", WRITE]);
    assert_eq!(written(&mut shell), "0123456789abcdef");
}

#[test]
fn faults_are_saved_and_turned_back_with_time() {
    let mut shell = shell();
    prints(&mut shell, &["run 1000", "save before", "fault link drop 1", "save waiting", WRITE]);
    let lost = prints(&mut shell, &["time", "fingerprint"]);
    prints(&mut shell, &["restore waiting", WRITE]);
    assert_eq!(prints(&mut shell, &["time", "fingerprint"]), lost, "it struck again");
    prints(&mut shell, &["back 1000"]);
    assert!(!prints(&mut shell, &["fault"]).contains("drop"), "it was not there yet");
    prints(&mut shell, &["restore before", WRITE]);
    assert_ne!(prints(&mut shell, &["time", "fingerprint"]), lost);
    assert_eq!(written(&mut shell), "0123456789abcdef");
}

#[test]
fn explain_says_where_a_frame_was_seen_last() {
    for (fault, end) in [
        ("time", "frames: 1 sent, 1 received\n"),
        ("fault link drop 1", "1 of them left node0 and never came to the switch: lost on the link\n"),
        ("fault link corrupt 17", "1 of them came to the switch for a LID that no port has\n"),
        ("fault link cut 2", "1 of them came to node1 and not out of SWIF: "),
        ("sreg_write pgid0 7", "1 of them came to node1 and was dropped by the Receive Controller: "),
    ] {
        let mut shell = shell();
        // BOTF takes the process group from the register (thesis section 4.6.2).
        prints(&mut shell, &[fault, WRITE]);
        let text = prints(&mut shell, &["explain"]);
        assert!(text.lines().last().unwrap().starts_with(end.trim_end()), "{fault}: {text}");
    }
}

/// Durations of the stages in picoseconds, and their sum.
fn durations(text: &str) -> (Vec<u64>, u64) {
    let times = text.lines().filter_map(|line| line.trim_start().split_once(" us  "));
    let mut all: Vec<_> = times.map(|(us, _)| us.replace('.', "").parse().unwrap()).collect();
    let whole = all.pop().unwrap();
    (all, whole)
}

#[test]
fn stages_of_every_primitive_sum_to_the_whole() {
    let mut shell = shell();
    assert!(fails(&mut shell, "explain").contains("node 0 has not issued anything"));
    prints(&mut shell, &["sreg_write amt addr=8 wid=0 lid=1"]);
    for (line, last) in [
        ("prim VL dt=0 it=0 dw=0 dl=0 ef=0 size=64 src=0 dst=0", "VL ends"),
        ("prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=64 src=0 dst=0", "VS ends"),
        ("prim RVS dt=0 it=0 dw=0 dl=2 ef=1 size=4096 src=0 dst=0", "status is in LLCM"),
        ("prim RVL dt=0 it=0 dw=0 dl=2 ef=1 size=64 src=0 dst=0", "status is in LLCM"),
        (WRITE, "data is in its window or LLCM"),
        ("botf 0 0", "request is taken"),
    ] {
        prints(&mut shell, &[line]);
        let before = prints(&mut shell, &["time", "fingerprint"]);
        let text = prints(&mut shell, &["explain"]);
        let (stages, whole) = durations(&text);
        assert!(!stages.is_empty() && stages.iter().sum::<u64>() == whole, "{text}");
        assert!(text.lines().nth(stages.len()).unwrap().ends_with(last), "{line}: {text}");
        assert_eq!(prints(&mut shell, &["time", "fingerprint"]), before, "nothing has happened");
    }
}

#[test]
fn explain_cuts_a_long_line_in_the_middle() {
    let mut shell = shell();
    prints(&mut shell, &["prim RVS dt=0 it=0 dw=0 dl=2 ef=1 size=0x8000 src=0 dst=0", "run 20000"]);
    let text = prints(&mut shell, &["explain"]);
    assert!(text.contains("frames: 17 sent, 17 received\n") && text.contains(" more\n"), "{text}");
    assert!(text.lines().count() < 70, "{text}");
}

#[test]
fn break_point_on_an_arc_stops_when_it_is_walked() {
    let mut shell = shell();
    prints(&mut shell, &["break core_logic.window_controller.request_executor.botf Botf1->Botf2"]);
    prints(&mut shell, &["break packet_control.state Decode->Local"]);
    let hit = prints(&mut shell, &[WRITE]);
    assert!(hit.ends_with("request_executor.botf Botf1->Botf2\n"), "{hit}");
    assert!(prints(&mut shell, &["show request_executor.botf.state"]).ends_with("= Botf2\n"));
    let listed = prints(&mut shell, &["delete 1", "break"]);
    assert_eq!(listed, "1: node0.packet_control.state Decode->Local\n");
    assert_eq!(prints(&mut shell, &["run 1000", "delete"]), "", "it is a machine of node 0");
    prints(&mut shell, &["back 1000"]);
    let text = prints(&mut shell, &["run until node1.packet_control Decode->Local"]);
    assert!(text.ends_with("us: node1.packet_control Decode->Local\n"), "{text}");
    assert!(prints(&mut shell, &["show node1.packet_control.state"]).ends_with("= Local\n"));
}

#[test]
fn arcs_that_no_machine_has_are_refused() {
    let mut shell = shell();
    for (line, part) in [
        (
            "break botf Botf1->Prim",
            "request_executor.botf.state has no arc Botf1->Prim, Botf1 leads to Botf2",
        ),
        ("break botf Botf1->Nowhere", "has no state `Nowhere`, only Prim, Wait, Botf1,"),
        ("break botf x->Botf2", "has no state `x`"),
        ("break botf ->Botf2", "a condition is a register, one of"),
        ("break user_register0.botf_count 0->1", "botf_count has no arcs, it is not a machine"),
        ("break nonesuch A->B", "there is no register `nonesuch`"),
        ("break ->", "a condition is a register, one of"),
        ("fault", "-"),
        ("fault link", "[Fault] is missing; usage: fault link [Fault] [Number] or fault clear or fault"),
        ("fault link lose 1", "`lose` is not one of drop, cut, corrupt"),
        ("fault link drop 65536", "65536 is out of range, the most is 65535"),
        ("fault bus", "`bus` is too much"),
    ] {
        if part == "-" {
            prints(&mut shell, &[line]);
            continue;
        }
        let error = fails(&mut shell, line);
        assert!(error.contains(part) && !error.contains('\n'), "{line}: {error}");
    }
}
