//! Every named assertion of the RTL fires for a fault of its own, so none is vacuous.

use cenju3::traffic::Traffic;
use cenju3::{arbiter, interrupt, link_receive, link_transmit, mask, memory_port, pins, receive_ring};
use cenju3::{register_file, send_dma, send_queue};
use cosim::Stimulus;
use hdl::{Bundle, Edges};

use testbench_cenju3::stimulus::{dma_pins, link_pins, mask_pins, packet_pins, queue_pins, register_pins};

/// Cycles within which an assertion must fire.
const CYCLES: usize = 400_000;

/// Message with which faulty RTL stops.
fn stop<I: Bundle, O: Bundle>(
    fault: &str,
    edges: Edges,
    pins: impl FnMut(&mut Stimulus, &O) -> I,
) -> Option<String> {
    let rtl = testbench_cenju3::open(fault).expect("the fault is verilated");
    testbench::assertions::stop(rtl, edges, CYCLES, pins)
}

/// Message with which faulty RTL stops under pins of any value.
fn any<I: Bundle, O: Bundle>(fault: &str, edges: Edges) -> Option<String> {
    stop::<I, O>(fault, edges, |stimulus, _| stimulus.pins())
}

/// Message with which the faulty module stops, under consistent pins.
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

#[test]
fn every_assertion_fires_for_a_fault_of_its_own() {
    let found = testbench::assertions::of_folder("rtl/cenju3");
    assert!(found.len() > 30, "{} assertions", found.len());
    for assertion in found {
        assertion.stopped(fires(&assertion.module, &assertion.fault()));
    }
}
