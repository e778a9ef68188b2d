//! Every named assertion of the RTL fires for a fault of its own, so none is vacuous.

use cosim::Stimulus;
use hca::link::{link_receive, link_transmit};
use hca::protocol::{requester, responder};
use hca::traffic::Traffic;
use hca::{
    command, completion, events, host_dma, host_port, key_check, pins, retry_timer, scheduler, search,
};
use hdl::{Bundle, Edges};

use testbench_hca::stimulus::{link_pins, receive_pins, send_pins};

/// Cycles within which an assertion must fire.
const CYCLES: usize = 400_000;

/// Message with which faulty RTL stops.
fn stop<I: Bundle, O: Bundle>(
    fault: &str,
    edges: Edges,
    pins: impl FnMut(&mut Stimulus, &O) -> I,
) -> Option<String> {
    let rtl = testbench_hca::open(fault).expect("the fault is verilated");
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
        "host_port" => stop::<_, host_port::Out>(fault, clock, |stimulus, _| {
            let mut pins: host_port::In = stimulus.pins();
            // Commands and doorbells with small numbers.
            pins.host.enable = true;
            pins.host.write = true;
            pins.host.user = false;
            pins.host.address = [0x10, 0x1010, 0x1018, 0x1020, 0x1028][stimulus.below(5) as usize];
            pins.host.wdata &= 0xffff_711f;
            pins
        }),
        "events" => any::<events::In, events::Out>(fault, clock),
        "search" => any::<search::In, search::Out>(fault, clock),
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
            (pins.domain, pins.row.limit) = (pins.row.domain, u64::from(pins.row.base) + stimulus.below(100));
            pins.length = stimulus.below(200) as u32;
            pins.reach = u64::from(pins.address) + u64::from(pins.length);
            pins
        }),
        "requester" => stop::<_, requester::Out>(fault, Edges::NONE, |stimulus, _| {
            let mut pins: requester::In = stimulus.pins();
            pins.cause = stimulus.below(9) as u8;
            pins
        }),
        "responder" => stop::<_, responder::Out>(fault, Edges::NONE, |stimulus, _| {
            let mut pins: responder::In = stimulus.pins();
            (pins.psn, pins.follows) = (pins.row.psn, true);
            pins
        }),
        "hca" => {
            let mut traffic = Traffic::new(1);
            stop::<pins::In, _>(fault, clock, move |_, out| *traffic.pins(clock, out))
        }
        _ => panic!("{module} has no stimulus here"),
    }
}

#[test]
fn every_assertion_fires_for_a_fault_of_its_own() {
    let found = testbench::assertions::of_folder("rtl/hca");
    assert!(found.len() > 30, "{} assertions", found.len());
    for assertion in found {
        assertion.stopped(fires(&assertion.module, &assertion.fault()));
    }
}
