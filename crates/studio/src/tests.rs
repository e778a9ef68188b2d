//! The thread that simulates, without a server.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dimmnet2_machine::Dimmnet2;
use dsh::{Models, Shell, Start};
use hca_machine::Hca;
use machine_api::Subject;

use crate::hello::Structure;
use crate::*;

/// Pages that keep what they are told.
#[derive(Default)]
struct Kept(RefCell<Vec<Said>>);

impl Audience for Kept {
    fn show(&self, _snapshot: Snapshot) {}

    fn tell(&self, said: Said) {
        self.0.borrow_mut().push(said);
    }
}

/// Stores 128 numbers, then copies them to the other node.
const WRITE: [&str; 2] = [
    "ww_write ww=0 from=0 it=128 val=0x1000 inc=1",
    "prim VS dt=0 it=0 dw=0 dl=0 ef=0 size=0x200 src=0 dst=0x600",
];
const COPY: &str = "prim RVS dt=0 it=0 dw=0 dl=2 ef=1 size=0x200 src=0x600 dst=0x2000";

fn simulator() -> Simulator<Dimmnet2> {
    let start = Start { processes: 2, pid: 0, wid: false };
    let shell = Shell::start(start, Rc::new(Models), "model").unwrap();
    Simulator::new(shell, Arc::new(AtomicBool::new(false)))
}

/// Executes a line that succeeds; returns its output and the times before and after it.
fn line(simulator: &mut Simulator<Dimmnet2>, line: &str) -> (String, u64, u64) {
    let request = Request::Line { id: 7, line: line.to_string() };
    match simulator.execute(1, request, &Kept::default()) {
        Some(Message::Done { id: 7, text, error: None, from_ps, to_ps }) => (text, from_ps, to_ps),
        other => panic!("{line}: {other:?}"),
    }
}

fn refusal(simulator: &mut Simulator<Dimmnet2>, request: Request) -> String {
    match simulator.execute(1, request, &Kept::default()) {
        Some(Message::Done { error: Some(error), .. } | Message::Refused { error, .. }) => error,
        other => panic!("{other:?}"),
    }
}

/// A page without limits on events.
fn page(simulator: &mut Simulator<Dimmnet2>, seen: &mut Seen) -> Moment {
    seen.moment(&simulator.snapshot(), 0).0
}

#[test]
fn looking_leaves_the_fingerprint_as_it_is() {
    let start = Start { processes: 2, pid: 0, wid: false };
    let mut plain = Shell::<Dimmnet2>::start(start, Rc::new(Models), "model").unwrap();
    let mut watched = simulator();
    for text in WRITE.into_iter().chain([COPY, "fingerprint"]) {
        let expected = plain.line(text);
        assert_eq!(line(&mut watched, text).0, expected.text, "{text}");
    }
}

#[test]
fn going_forward_again_ends_in_the_same_fingerprint() {
    let mut simulator = simulator();
    WRITE.into_iter().for_each(|text| drop(line(&mut simulator, text)));
    let (_, from_ps, to_ps) = line(&mut simulator, COPY);
    let cycles = (to_ps - from_ps) / simulator.hello().cycle_ps;
    assert!(cycles > 100, "{cycles}");
    let fingerprint = line(&mut simulator, "fingerprint").0;
    let mut seen = Seen::default();
    let all = page(&mut simulator, &mut seen).events;
    line(&mut simulator, &format!("back {cycles}"));
    let past = page(&mut simulator, &mut seen);
    assert!(past.time_ps < past.horizon_ps && past.horizon_ps == to_ps, "{past:?}");
    assert_eq!(past.undone_ps, Some(to_ps));
    for _ in 0..cycles {
        line(&mut simulator, "forward 1");
    }
    assert_eq!(page(&mut simulator, &mut Seen::default()).undone_ps, None);
    let again = page(&mut simulator, &mut seen);
    assert_eq!((again.events.len(), again.lanes_begin_again), (0, false));
    assert_eq!(again.time_ps, to_ps);
    assert_eq!(line(&mut simulator, "fingerprint").0, fingerprint);
    assert_eq!(page(&mut simulator, &mut Seen::default()).events, all);
}

#[test]
fn fault_after_going_back_voids_the_recorded_future() {
    let mut simulator = simulator();
    WRITE.into_iter().for_each(|text| drop(line(&mut simulator, text)));
    let (_, from_ps, to_ps) = line(&mut simulator, COPY);
    let mut seen = Seen::default();
    let before = page(&mut simulator, &mut seen).events;
    let cycles = (to_ps - from_ps) / simulator.hello().cycle_ps;
    line(&mut simulator, &format!("back {cycles}"));
    line(&mut simulator, "fault link drop 1");
    line(&mut simulator, COPY);
    let moment = page(&mut simulator, &mut seen);
    assert!(moment.lanes_begin_again);
    // Node 1 receives nothing.
    let after_copy = |event: &&Event| event.node == 1 && event.time_ps > from_ps;
    assert!(before.iter().filter(after_copy).count() > 0);
    assert_eq!(moment.events.iter().filter(after_copy).count(), 0);
    assert_eq!(moment.links.iter().find(|link| link.node == 0 && !link.to_node).unwrap().struck.len(), 1);
}

/// Registers of a block by name.
fn register<'a>(block: &'a protocol::Block, name: &str) -> Option<&'a protocol::Register> {
    block.registers.iter().find(|register| register.name == name)
}

#[test]
fn pages_find_the_fill_of_a_fifo_in_its_pointers() {
    let mut simulator = simulator();
    let hello = simulator.hello();
    let is_fifo =
        |block: &&protocol::Block| block.rust_type.starts_with("hdl::") && block.path.ends_with("fifo");
    let fifos: Vec<_> = hello.blocks.iter().filter(is_fifo).collect();
    assert!(fifos.len() > 2, "{}", fifos.len());
    for block in fifos {
        let pointers = ["write_pointer", "read_pointer"].map(|name| register(block, name).unwrap());
        assert_eq!(pointers[0].width, pointers[1].width, "{}", block.path);
        assert!(pointers.iter().all(|pointer| (2..=16).contains(&pointer.width)), "{}", block.path);
    }
}

#[test]
fn stages_of_a_message_sum_and_are_those_of_explain() {
    let mut simulator = simulator();
    let ask = |simulator: &mut Simulator<Dimmnet2>, node| match simulator.execute(
        1,
        Request::Stages { id: 3, node },
        &Kept::default(),
    ) {
        Some(Message::Stages { id: 3, ruler }) => Ok(ruler),
        Some(Message::Refused { id: Some(3), error }) => Err(error),
        other => panic!("{other:?}"),
    };
    assert_eq!(ask(&mut simulator, 0).unwrap_err(), "explain: node 0 has not issued anything");
    assert_eq!(ask(&mut simulator, 2).unwrap_err(), "there is no node 2; the last one is 1");
    WRITE.into_iter().chain([COPY]).for_each(|text| drop(line(&mut simulator, text)));
    let fingerprint = line(&mut simulator, "fingerprint").0;
    let ruler = ask(&mut simulator, 0).unwrap();
    assert!(ruler.stages.len() > 10, "{ruler:?}");
    let mut at = ruler.stages[0].begin_ps;
    for stage in &ruler.stages {
        assert_eq!(stage.begin_ps, at, "{stage:?}");
        at += stage.duration_ps;
    }
    assert_eq!(at - ruler.stages[0].begin_ps, ruler.total_ps);
    assert!(ruler.stages.iter().any(|stage| stage.place == "node1"));
    let printed = line(&mut simulator, "explain").0;
    assert!(printed.starts_with(&ruler.heading), "{printed}");
    let total = format!("{:>14}  in all", cluster::Duration::from_ps(ruler.total_ps).to_string());
    assert!(printed.contains(&total), "{printed}");
    assert_eq!(line(&mut simulator, "fingerprint").0, fingerprint);
}

#[test]
fn moments_carry_what_changed() {
    let mut simulator = simulator();
    let mut seen = Seen::default();
    let first = page(&mut simulator, &mut seen);
    assert!(first.node.whole && first.node.words.len() > 100);
    assert_eq!(page(&mut simulator, &mut seen).node.words, []);
    WRITE.into_iter().for_each(|text| drop(line(&mut simulator, text)));
    let next = page(&mut simulator, &mut seen);
    assert!(
        !next.node.whole && !next.node.words.is_empty() && next.node.words.len() < first.node.words.len()
    );
}

#[test]
fn frame_is_seen_on_links_and_in_the_switch() {
    let mut simulator = simulator();
    WRITE.into_iter().for_each(|text| drop(line(&mut simulator, text)));
    let moment = page(&mut simulator, &mut Seen::default());
    assert!(moment.links.is_empty() && moment.queues.is_empty());
    for text in ["fault link corrupt 320", "break frame damaged", COPY] {
        line(&mut simulator, text);
    }
    let moment = page(&mut simulator, &mut Seen::default());
    let link = &moment.links[0];
    assert_eq!((link.node, link.to_node, link.fault.as_deref()), (0, false, Some("corrupt 320")));
    assert!(link.in_flight > 0 && link.units.iter().all(|place| (0.0..=1.0).contains(place)), "{link:?}");
    line(&mut simulator, "run 30");
    let moment = page(&mut simulator, &mut Seen::default());
    assert!(matches!(moment.queues[..], [Queue { port: 1, units }] if units > 0), "{:?}", moment.queues);
    line(&mut simulator, "run 10000");
    let moment = page(&mut simulator, &mut Seen::default());
    assert!(moment.queues.is_empty() && moment.links.iter().all(|link| link.fault.is_none()));
}

#[test]
fn memories_tell_how_many_entries_are_not_0() {
    let mut simulator = simulator();
    let mut seen = Seen::default();
    let blocks = simulator.hello().blocks;
    let index = |path: &str| blocks.iter().position(|block| block.path == path).unwrap();
    let bank = index("core_logic.host_interface.write_window.even");
    assert_eq!(blocks[bank].memory, Some(256));
    let first = page(&mut simulator, &mut seen).node.memories;
    let with_memory = blocks.iter().filter(|block| block.memory.is_some()).count();
    assert_eq!((first.len(), first.contains(&(bank, 0))), (with_memory, true));
    // 128 numbers, all but 0, half of them in each bank, two in an entry.
    line(&mut simulator, "ww_write ww=0 from=0 it=128 val=0x1000 inc=1");
    let next = page(&mut simulator, &mut seen).node.memories;
    let odd = index("core_logic.host_interface.write_window.odd");
    assert_eq!(next, [(bank, 32), (odd, 32)]);
    assert_eq!(page(&mut simulator, &mut seen).node.memories, []);
}

#[test]
fn break_points_end_playing() {
    plays_until("break rvs.state == Rvs1", "node0.rvs.state == Rvs1");
    plays_until("break frame RVS from node0", "frame RVS from node0");
}

/// Copies data, goes back to the beginning, and plays until the break point.
fn plays_until(text: &str, listed: &str) {
    let mut simulator = simulator();
    WRITE.into_iter().for_each(|text| drop(line(&mut simulator, text)));
    let (_, from_ps, to_ps) = line(&mut simulator, COPY);
    let cycles = (to_ps - from_ps) / simulator.hello().cycle_ps;
    line(&mut simulator, &format!("back {cycles}"));
    line(&mut simulator, text);
    assert_eq!(page(&mut simulator, &mut Seen::default()).breaks, [listed]);
    assert!(simulator.execute(1, Request::Play { cycles: 100 }, &Kept::default()).is_none());
    let (requests, queue) = std::sync::mpsc::channel();
    struct EndsAtBreak(std::sync::mpsc::Sender<Asked>, Kept);
    impl Audience for EndsAtBreak {
        fn show(&self, _snapshot: Snapshot) {}
        fn tell(&self, said: Said) {
            self.1.tell(said);
            self.0.send(Asked::End).unwrap();
        }
    }
    let audience = EndsAtBreak(requests, Kept::default());
    simulator.run(&queue, &audience);
    let said = audience.1.0.into_inner();
    assert!(said[0].text.starts_with("break at ") && said.len() == 1, "{said:?}");
    let moment = page(&mut simulator, &mut Seen::default());
    assert_eq!(moment.playing, None);
    assert!(moment.time_ps > from_ps && moment.time_ps < to_ps);
}

#[test]
fn bad_requests_have_answers() {
    let mut simulator = simulator();
    let enter = |line: &str| Request::Line { id: 1, line: line.to_string() };
    for (request, part) in [
        (enter("nonsense"), "nonsense"),
        (enter("a\nb"), "no line break"),
        (enter(&"x".repeat(5000)), "4096 bytes"),
        (enter("source /etc/passwd"), "pages access no files"),
        (enter("trace on /tmp/x.vcd"), "pages access no files"),
        (enter("flip rvs.state 0"), "nic lockstep"),
        (enter("flip rvs.state 99"), "has bits 0 to"),
        (Request::Look { node: 2 }, "the last one is 1"),
        (Request::Play { cycles: 0 }, "1 to 1000000"),
        (Request::Source { id: 1, block: "nowhere".into() }, "no block nowhere"),
    ] {
        let error = refusal(&mut simulator, request);
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(simulator.execute(1, enter("q"), &Kept::default()).map(|_| ()), Some(()));
    assert!(serde_json::from_str::<Request>(r#"{"type": "look", "node": 0, "more": 1}"#).is_err());
}

#[test]
fn completions_are_those_of_the_shell() {
    let mut simulator = simulator();
    let request = Request::Complete { id: 1, line: "brea".into() };
    match simulator.execute(1, request, &Kept::default()) {
        Some(Message::Completions { start: 0, words, .. }) => assert_eq!(words, ["break"]),
        other => panic!("{other:?}"),
    }
}

/// Both sources of every block with a state machine are found, with an arm for every state that has one.
fn sources_of<M: Subject>() {
    let structure = Structure::of::<M>();
    let mut arms = 0;
    for block in &structure.blocks {
        let (rust_type, machines) = structure.sources(&block.path).unwrap();
        if machines.is_empty() {
            continue;
        }
        let views = cosim::source_views(rust_type, machines);
        for is_rtl in [false, true] {
            let of_language = views.iter().filter(|view| view.is_rtl == is_rtl);
            assert!(of_language.clone().any(|view| view.text.is_some()), "{} {is_rtl}", block.path);
            let found: Vec<_> = of_language.flat_map(|view| &view.arms).collect();
            arms += found.len();
            let machine = machines.iter().find(|(register, _)| *register == "state");
            for state in machine.iter().flat_map(|(_, table)| table.states) {
                assert!(
                    found.iter().any(|arm| arm.state == state.name && arm.count > 0),
                    "{}, rtl {is_rtl}: no arm of {}",
                    block.path,
                    state.name
                );
            }
        }
    }
    assert!(arms > 20, "{arms}");
}

#[test]
fn every_state_has_its_arm_in_both_sources() {
    sources_of::<Dimmnet2>();
    sources_of::<Hca>();
}

/// The diagram of a machine has wires, and each block of the device itself has a place.
fn diagram_of<M: Subject>() {
    let structure = Structure::of::<M>();
    let layout = crate::layout::of_machine(M::NAME, &structure.blocks).unwrap();
    assert!(layout.wires.len() > 10, "{}", M::NAME);
    let parts: Vec<_> = layout.rows.iter().flat_map(|row| &row.parts).collect();
    for block in structure.blocks.iter().filter(|block| !block.path.is_empty() && !block.path.contains('.')) {
        assert_eq!(parts.iter().filter(|part| **part == &block.path).count(), 1, "{}", block.path);
    }
}

#[test]
fn every_machine_has_a_diagram() {
    diagram_of::<Dimmnet2>();
    diagram_of::<Hca>();
    diagram_of::<gigae_pm_machine::GigaePm>();
    diagram_of::<cenju3_machine::Cenju3>();
}

/// Runs all tours of a machine on models. Steps that need RTL belong to the test of the page.
fn tours_of<M: Subject<Device: Default>>(count: usize) {
    let mut found = 0;
    for (name, text) in TOURS {
        let tour = Tour::parse(name, text).unwrap();
        let needs_rtl =
            tour.steps.iter().flat_map(|step| &step.lines).any(|line| line.line.starts_with("nic "));
        if tour.machine != M::NAME || needs_rtl {
            continue;
        }
        found += 1;
        let start = Start { processes: 2, pid: 0, wid: false };
        let shell = Shell::<M>::start(start, Rc::new(Models), "model").unwrap();
        let mut simulator = Simulator::new(shell, Arc::new(AtomicBool::new(false)));
        simulator.add_tour(name, text).unwrap();
        for Line { line, back, fails } in tour.steps.iter().flat_map(|step| &step.lines) {
            let mut enter =
                |line: String| match simulator.execute(1, Request::Line { id: 0, line }, &Kept::default()) {
                    Some(Message::Done { error, from_ps, to_ps, .. }) => (error, from_ps, to_ps),
                    other => panic!("{other:?}"),
                };
            let (error, from_ps, to_ps) = enter(line.clone());
            assert_eq!(error.is_some(), *fails, "{name}: {line}: {error:?}");
            if *back {
                let cycles = (to_ps - from_ps) / M::CLOCKS.domain(0).period.ps();
                assert_eq!(enter(format!("back {cycles}")).0, None, "{name}: {line}");
            }
        }
    }
    assert_eq!(found, count, "{}", M::NAME);
}

#[test]
fn tours_come_to_their_ends() {
    tours_of::<Dimmnet2>(2);
    tours_of::<Hca>(1);
    tours_of::<gigae_pm_machine::GigaePm>(2);
    tours_of::<cenju3_machine::Cenju3>(1);
}

#[test]
fn tour_with_an_unknown_block_is_refused() {
    let mut simulator = simulator();
    let text = "# T\n\nMachine: `dimmnet2`.\n\n## S\n\nLook: `node0.nowhere`\n";
    assert!(simulator.add_tour("t.md", text).unwrap_err().contains("no block nowhere"));
    let text = text.replace("node0.nowhere", "node5.swif");
    assert!(simulator.add_tour("t.md", &text).unwrap_err().contains("no node 5"));
}

/// The recording behind the text of its element.
fn content(text: &str) -> serde_json::Value {
    use base64::Engine;

    let bytes = base64::prelude::BASE64_STANDARD.decode(text).unwrap();
    serde_json::from_slice(&miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).unwrap()).unwrap()
}

#[test]
fn recording_contains_the_run_and_the_page() {
    let record = |lines: &[&str]| {
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        crate::record::<Dimmnet2>(2, Rc::new(Models), "model", &lines)
    };
    let page = record(&[WRITE[0], WRITE[1], COPY]).unwrap();
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    let (_, rest) = page.split_once("id=\"recording\">").unwrap();
    let content = content(rest.split_once("</script>").unwrap().0);
    assert_eq!(content["hello"]["title"], "DIMMnet-2");
    assert!(content["frames"].as_array().unwrap().len() > 100);
    let stages = content["rulers"]["0"]["stages"].as_array().unwrap();
    let sum: u64 = stages.iter().map(|stage| stage["duration_ps"].as_u64().unwrap()).sum();
    assert_eq!(content["rulers"]["0"]["total_ps"], sum);
    assert!(content["rulers"].get("1").is_none(), "node 1 has sent nothing");
    assert!(content["figures"]["dimmnet2_rvs.svg"].as_str().unwrap().starts_with("<?xml"));
    assert_eq!(content["calls"].as_array().unwrap().len(), 0, "no program ran");
    assert!(record(&[WRITE[0], "back 1"]).unwrap_err().contains("forward in time"));
    assert!(record(&["nonsense"]).unwrap_err().contains("nonsense"));
}
