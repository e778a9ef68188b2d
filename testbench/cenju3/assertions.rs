//! Every named assertion of the RTL fires, each for a fault of its own: one that never can would say nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cenju3::traffic::Traffic;
use cenju3::{arbiter, interrupt, link_receive, link_transmit, mask, memory_port, pins, receive_ring};
use cenju3::{register_file, send_dma, send_queue};
use cosim::{Simulation, Stimulus};
use hdl::{Bundle, Edges, words_for};

use crate::link::{link_pins, packet_pins};
use crate::memory::register_pins;
use crate::send::{dma_pins, mask_pins, queue_pins};

/// Cycles in which an assertion must fire.
const CYCLES: usize = 400_000;

/// What the RTL with a fault stops with.
fn stop<I: Bundle, O: Bundle>(
    fault: &str,
    edges: Edges,
    mut pins: impl FnMut(&mut Stimulus, &O) -> I,
) -> Option<String> {
    let mut rtl = cenju3_faults::open(fault).expect("the fault is verilated");
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
        "register_file" => stop::<_, register_file::Out>(fault, clock, |stimulus, _| register_pins(stimulus)),
        "send_queue" => stop::<_, send_queue::Out>(fault, clock, |stimulus, _| queue_pins(stimulus)),
        "mask" => stop::<_, mask::Out>(fault, clock, |stimulus, _| mask_pins(stimulus)),
        "send_dma" => stop::<_, send_dma::Out>(fault, clock, |stimulus, _| dma_pins(stimulus)),
        "link_transmit" => any::<link_transmit::In, link_transmit::Out>(fault, clock),
        "link_receive" => stop::<_, link_receive::Out>(fault, clock, |stimulus, _| link_pins(stimulus)),
        "receive_ring" => stop::<receive_ring::In, _>(fault, clock, packet_pins()),
        "memory_port" => any::<memory_port::In, memory_port::Out>(fault, Edges::NONE),
        "arbiter" => any::<arbiter::In, arbiter::Out>(fault, clock),
        "interrupt" => any::<interrupt::In, interrupt::Out>(fault, clock),
        "cenju3" => {
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
    assertions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl/cenju3"), &mut found);
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
    assertions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../rtl/cenju3"), &mut found);
    for block in cenju3_rtl::blocks() {
        assert!(found.iter().any(|(module, _)| module == block), "{block}");
    }
}
