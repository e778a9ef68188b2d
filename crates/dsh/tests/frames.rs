//! Break points on frames.

use std::rc::Rc;

use cenju3_machine::Cenju3;
use dsh::{Boards, Flow, Models, Start};
use gigae_pm_machine::GigaePm;
use hca_machine::Hca;
use machine_api::Driven;

use crate::{Shell, fails, prints, shell};

const WRITE: &str = "rllcm_write 2 0x40 0x0123456789abcdef";

/// The time of a break, in ps.
fn time(text: &str) -> u64 {
    let at = text.split_once("break at ").expect("it breaks").1;
    at.split_once(" us: ").unwrap().0.replace('.', "").parse().unwrap()
}

/// The output of lines that end with a break point.
fn hits(shell: &mut Shell, lines: &[&str], frame: &str) -> u64 {
    let text = prints(shell, lines);
    assert!(text.ends_with(&format!(" us: {frame}\n")), "{lines:?}: {text}");
    time(&text)
}

#[test]
fn break_point_stops_once_a_frame_is_on_a_link() {
    let mut shell = shell();
    let sent = hits(&mut shell, &["break frame", WRITE], "frame RVS from node0");
    // It has not arrived, and continues.
    prints(&mut shell, &["delete", "break frame to node1"]);
    let passed = hits(&mut shell, &["run 1000"], "frame RVS to node1");
    assert!(passed > sent, "{passed} {sent}");
    assert_eq!(prints(&mut shell, &["run 1000"]), "", "there was one frame");
    assert_eq!(prints(&mut shell, &["delete", WRITE]), "");
}

#[test]
fn break_points_select_frames_by_node_kind_and_fault() {
    let mut shell = shell();
    prints(&mut shell, &["break frame rvs from node1", "break frame RVL from 0", "break frame damaged"]);
    let listed = "1: frame RVS from node1\n2: frame RVL from node0\n3: frame damaged\n";
    assert_eq!(prints(&mut shell, &["break"]), listed);
    assert_eq!(prints(&mut shell, &[WRITE]), "");
    hits(&mut shell, &["fault link corrupt 320", WRITE], "frame damaged RVS from node0");
    hits(&mut shell, &["run 1000", "fault link cut 4", WRITE], "frame damaged RVS from node0");
    prints(&mut shell, &["run 1000", "delete 3", "break frame lost"]);
    hits(&mut shell, &["fault link drop 1", WRITE], "frame lost RVS from node0");
    let read = "prim RVL dt=0 it=0 dw=0 dl=2 ef=1 size=64 src=0 dst=0";
    hits(&mut shell, &["run 1000", read], "frame RVL from node0");
    hits(&mut shell, &["run 1000"], "frame RVS from node1");
}

#[test]
fn run_and_forward_stop_at_frames_too() {
    let mut shell = shell();
    let begin: u64 = cycles(&mut shell);
    prints(&mut shell, &[WRITE]);
    let end = prints(&mut shell, &["time", "fingerprint"]);
    let all = cycles(&mut shell) - begin;
    let text = prints(&mut shell, &[&format!("back {all}"), "forward until frame RVS to node1"]);
    assert!(text.ends_with(" us: frame RVS to node1\n"), "{text}");
    let at = cycles(&mut shell);
    // Cycle by cycle, through the headers.
    prints(&mut shell, &[&format!("back {}", at - begin), "break frame"]);
    let mut hits = vec![];
    while cycles(&mut shell) < at {
        let text = prints(&mut shell, &["forward 1"]);
        if !text.is_empty() {
            hits.push((cycles(&mut shell), text));
        }
    }
    assert_eq!(hits.len(), 1, "{hits:?}");
    prints(&mut shell, &["back 1"]);
    let again = prints(
        &mut shell,
        &["delete", "break frame from node0", &format!("back {}", at - hits[0].0), "forward"],
    );
    assert_eq!(again, hits[0].1, "the break point sees the frame again");
    prints(&mut shell, &["delete", "forward"]);
    assert_eq!(prints(&mut shell, &["time", "fingerprint"]), end, "break points change nothing");
    assert!(fails(&mut shell, "run until frame late").contains("did not become true"));
}

#[test]
fn frames_that_do_not_exist_are_refused() {
    let mut shell = shell();
    for (line, part) in [
        ("break frame RVX", "`RVX` is no kind of frame; did you mean `"),
        (
            "break frame 77",
            "`77` is no kind of frame; the words are from, to, lost, damaged, repeated, late, RVL,",
        ),
        ("break frame from", "`from` is followed by a node: from node0"),
        ("break frame to RVS", "`to` is followed by a node: to node0"),
        ("break frame from node2", "there is no node 2; the last one is 1"),
        ("break frame from node0 to node1", "`to` is one too many"),
        ("break frame RVS RVL", "`RVL` is one too many"),
        ("break frame lost to node1", "faults strike frames on the link from their node"),
        ("run until frame VL", "`VL` is no kind of frame"),
    ] {
        let error = fails(&mut shell, line);
        assert!(error.contains(part) && !error.contains('\n'), "{line}: {error}");
    }
    assert_eq!(prints(&mut shell, &["break"]), "");
}

/// The breaks of a message on a machine.
fn breaks<M: Driven>(lines: &[&str]) -> Vec<String>
where
    Models: Boards<M>,
{
    let start = Start { processes: 2, pid: 0, wid: false };
    let mut shell = dsh::Shell::<M>::start(start, Rc::new(Models), "model").unwrap();
    let mut hits = Vec::new();
    for line in lines {
        let reply = shell.line(line);
        assert_eq!(reply.outcome, Ok(Flow::Next), "{line}");
        let hit = reply.text.lines().find_map(|line| line.split_once("us: frame "));
        hits.extend(hit.map(|(_, frame)| frame.to_string()));
    }
    hits
}

#[test]
fn every_machine_names_its_frames() {
    let lines = ["break frame", "send 1 8", "run 100000"];
    assert_eq!(breaks::<GigaePm>(&lines), ["Message from node0", "Ack from node1"]);
    assert_eq!(breaks::<Hca>(&lines), ["SendOnly from node0", "Acknowledge from node1"]);
    assert_eq!(breaks::<Cenju3>(&lines), ["Message0 from node0"]);
    for kind in ["GO", "SendOnly", "Dma"] {
        let line = format!("break frame {kind}");
        let start = Start { processes: 2, pid: 0, wid: false };
        let known = [
            dsh::Shell::<GigaePm>::start(start, Rc::new(Models), "model")
                .unwrap()
                .line(&line)
                .outcome
                .is_ok(),
            dsh::Shell::<Hca>::start(start, Rc::new(Models), "model").unwrap().line(&line).outcome.is_ok(),
            dsh::Shell::<Cenju3>::start(start, Rc::new(Models), "model").unwrap().line(&line).outcome.is_ok(),
        ];
        assert_eq!(known.iter().filter(|known| **known).count(), 1, "{line}: {known:?}");
    }
}

#[test]
fn forward_sees_a_frame_at_the_end_of_an_operation() {
    // The MAC gives a byte to the link in the instant in which the byte has left.
    let message = ["run 20", "break frame", "send 1 8", "back 300"];
    for steps in [&["forward"][..], &["forward 100"; 3]] {
        assert_eq!(breaks::<GigaePm>(&[&message, steps].concat()), ["Message from node0"; 2], "{steps:?}");
    }
}

/// Core cycles since power-up.
fn cycles(shell: &mut Shell) -> u64 {
    prints(shell, &["time"]).trim_end().rsplit(' ').next().unwrap().parse().unwrap()
}
