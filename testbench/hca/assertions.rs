//! Every named assertion of the RTL fires, each for a fault of its own: one that never can would say nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cosim::{Simulation, Stimulus};
use hca::link::{link_receive, link_transmit};
use hca::protocol::{requester, responder};
use hca::traffic::Traffic;
use hca::{command, completion, events, host_dma, host_port, key_check, pins, retry_timer, scheduler};
use hdl::{Bundle, Edges, words_for};

use crate::blocks::{link_pins, receive_pins, send_pins};

/// Cycles in which an assertion must fire.
const CYCLES: usize = 400_000;

/// What the RTL with a fault stops with.
fn stop<I: Bundle, O: Bundle>(
    fault: &str,
    edges: Edges,
    mut pins: impl FnMut(&mut Stimulus, &O) -> I,
) -> Option<String> {
    let mut rtl = hca_faults::open(fault).expect("the fault is verilated");
    let mut stimulus = Stimulus::new(1);
    let (mut pins_i, mut pins_o) = (vec![0; words_for(I::WIDTH)], vec![0; words_for(O::WIDTH)]);
    rtl.reset(2, &mut pins_o).expect("it is reset");
    (0..CYCLES).find_map(|_| {
        let pins = pins(&mut stimulus, &O::take(&pins_o, 0, O::WIDTH));
        pins_i.fill(0);
        pins.put(&mut pins_i, 0, I::WIDTH);
        rtl.step(edges, &pins_i, &mut pins_o).err().map(|stop| stop.to_string())
    })
}

/// The same under pins of any value.
fn any<I: Bundle, O: Bundle>(fault: &str, edges: Edges) -> Option<String> {
    stop::<I, O>(fault, edges, |stimulus, _| stimulus.pins())
}

/// What a module of this name stops with, under pins that belong together.
fn fires(module: &str, fault: &str) -> Option<String> {
    let clock = Edges::FIRST;
    match module {
        "host_port" => stop::<_, host_port::Out>(fault, clock, |stimulus, _| {
            let mut pins: host_port::In = stimulus.pins();
            // Commands and doorbells of small numbers.
            pins.host.enable = true;
            pins.host.write = true;
            pins.host.user = false;
            pins.host.address = [0x10, 0x1010, 0x1018, 0x1020][stimulus.below(4) as usize];
            pins.host.wdata &= 0xffff_031f;
            pins
        }),
        "events" => any::<events::In, events::Out>(fault, clock),
        "scheduler" => any::<scheduler::In, scheduler::Out>(fault, clock),
        "command" => any::<command::In, command::Out>(fault, clock),
        "retry_timer" => any::<retry_timer::In, retry_timer::Out>(fault, clock),
        "completion" => any::<completion::In, completion::Out>(fault, clock),
        "host_dma" => any::<host_dma::In, host_dma::Out>(fault, clock),
        "send_engine" => stop(fault, clock, send_pins),
        "receive_engine" => stop(fault, clock, receive_pins()),
        "link_transmit" => any::<link_transmit::In, link_transmit::Out>(fault, clock),
        "link_receive" => stop::<link_receive::In, _>(fault, clock, link_pins()),
        "key_check" => stop::<_, key_check::Out>(fault, Edges::NONE, |stimulus, _| {
            let mut pins: key_check::In = stimulus.pins();
            pins.key = u32::from(pins.row.variant) << 8;
            (pins.domain, pins.row.length) = (pins.row.domain, stimulus.below(100) as u32);
            pins.length = stimulus.below(200) as u32;
            pins
        }),
        "requester" => stop::<_, requester::Out>(fault, Edges::NONE, |stimulus, _| {
            let mut pins: requester::In = stimulus.pins();
            pins.cause = stimulus.below(9) as u8;
            (pins.psn, pins.row.operation) = (pins.row.oldest, 0x10);
            if stimulus.one_in(2) {
                pins.row.last = pins.row.oldest;
            }
            pins
        }),
        "responder" => stop::<_, responder::Out>(fault, Edges::NONE, |stimulus, _| {
            let mut pins: responder::In = stimulus.pins();
            pins.psn = pins.row.psn;
            pins
        }),
        "hca" => {
            let mut traffic = Traffic::new(1);
            stop::<pins::In, _>(fault, clock, move |_, out| *traffic.pins(clock, out))
        }
        _ => panic!("{module} has no stimulus here"),
    }
}

/// The line of the RTL that a stop names: `FILE:LINE: assertion failed`.
fn line_of(stop: &str) -> Option<String> {
    let (file, rest) = stop.split_once(".sv:")?;
    let line: usize = rest.split(':').next()?.parse().ok()?;
    // A module without the fault is named by its path in the workspace, the other one by that of its copy.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join(format!("{file}.sv"))).ok()?;
    text.lines().nth(line - 1).map(str::to_string)
}

/// A name in capitals as words with `_`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// Assertions of the RTL, each with its module.
fn assertions(folder: &Path, found: &mut BTreeSet<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            assertions(&path, found);
            continue;
        }
        let module = path.file_stem().expect("a file").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("it is text");
        for line in text.lines() {
            if let Some((name, _)) = line.split_once(" : assert (") {
                found.insert((module.clone(), name.trim().to_string()));
            }
        }
    }
}

#[test]
fn every_assertion_fires_for_a_fault_of_its_own() {
    let mut found = BTreeSet::new();
    assertions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl/hca"), &mut found);
    assert!(found.len() > 30, "{} assertions", found.len());
    for (module, name) in found {
        let fault = format!("{module}_{}", words(&name));
        let stop = fires(&module, &fault).unwrap_or_else(|| panic!("{module}: {name} has not fired"));
        let line = line_of(&stop).unwrap_or_else(|| panic!("{module}: {name} has not fired, but {stop}"));
        assert_eq!(line.split(" : ").next().map(str::trim), Some(name.as_str()), "{module}: {stop}");
    }
}

#[test]
fn every_module_with_registers_has_assertions() {
    let mut found = BTreeSet::new();
    assertions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl/hca"), &mut found);
    for block in hca_rtl::blocks() {
        assert!(found.iter().any(|(module, _)| module == block), "{block}");
    }
}
