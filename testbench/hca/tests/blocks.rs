//! Every block alone: all registers compared on every cycle, every declared arc walked.

use hca::command::{self, Command};
use hca::completion::{self, Completion};
use hca::events::{self, Events};
use hca::host_dma::{self, HostDma};
use hca::host_port::{self, HostPort};
use hca::link::link_receive::LinkReceive;
use hca::link::link_transmit::{self, LinkTransmit};
use hca::receive_engine::ReceiveEngine;
use hca::retry_timer::{self, RetryTimer};
use hca::scheduler::{self, Scheduler};
use hca::search::{self, Search};
use hca::send_engine::SendEngine;

use testbench_hca::stimulus::{link_pins, receive_pins, send_pins};
use testbench_hca::walk;

#[test]
fn host_port_matches_its_rtl_on_every_cycle() {
    walk::<HostPort>("host_port", 200_000, |stimulus, _| {
        let mut pins: host_port::In = stimulus.pins();
        if !stimulus.one_in(8) {
            // Existing registers, and doorbells of existing queues.
            let bells = stimulus.one_in(2);
            pins.host.address =
                if bells { 0x1000 + 8 * stimulus.below(6) as u16 } else { 4 * stimulus.below(48) as u16 };
            pins.host.wdata &= !0xf0;
        }
        pins.host.user = stimulus.one_in(4);
        pins
    });
}

#[test]
fn events_match_their_rtl_on_every_cycle() {
    walk::<Events>("events", 100_000, |stimulus, _| {
        let pins: events::In = stimulus.pins();
        events::In { raise: if stimulus.one_in(4) { pins.raise } else { 0 }, ..pins }
    });
}

#[test]
fn scheduler_matches_its_rtl_and_walks_every_arc() {
    let mut cycle = 0;
    walk::<Scheduler>("scheduler", 200_000, |stimulus, _| {
        let pins: scheduler::In = stimulus.pins();
        // Work comes while no engine runs, and is done again.
        cycle += 1;
        let rests = cycle / 4_096 % 2 == 0;
        let mut comes = || stimulus.one_in(if rests { 2 } else { 16 });
        scheduler::In {
            rings: comes(),
            wakes: comes(),
            due: comes(),
            breaks: stimulus.one_in(16),
            mends: stimulus.one_in(16),
            command: stimulus.one_in(8),
            enable: !stimulus.one_in(8) && !rests,
            ..pins
        }
    });
}

#[test]
fn search_matches_its_rtl_and_walks_every_arc() {
    walk::<Search>("search", 200_000, |stimulus, out| {
        let pins: search::In = stimulus.pins();
        // Few queue pairs have work.
        let work = (0..stimulus.below(4)).map(|_| stimulus.below(256) as u8).collect();
        search::In { work, gains: stimulus.one_in(8), serves: out.ready && stimulus.one_in(2), ..pins }
    });
}

#[test]
fn command_matches_its_rtl_and_walks_every_arc() {
    walk::<Command>("command", 100_000, |stimulus, _| stimulus.pins::<command::In>());
}

#[test]
fn completion_matches_its_rtl_and_walks_every_arc() {
    walk::<Completion>("completion", 200_000, |stimulus, _| {
        let mut pins: completion::In = stimulus.pins();
        if !stimulus.one_in(4) {
            (pins.row.valid, pins.row.broken) = (true, false);
            pins.bell = pins.row.produced.wrapping_sub(stimulus.below(40) as u16);
        }
        pins
    });
}

#[test]
fn host_dma_matches_its_rtl_and_walks_every_arc() {
    walk::<HostDma>("host_dma", 400_000, |stimulus, _| {
        let mut pins: host_dma::In = stimulus.pins();
        // Most transfers are short.
        if !stimulus.one_in(16) {
            pins.transfer.bytes = stimulus.below(40) as u16;
        }
        pins
    });
}

#[test]
fn link_transmit_matches_its_rtl_and_walks_every_arc() {
    walk::<LinkTransmit>("link_transmit", 300_000, |stimulus, _| {
        let mut pins: link_transmit::In = stimulus.pins();
        if !stimulus.one_in(16) {
            pins.units = 5 + stimulus.below(20) as u16;
        }
        pins.launch = stimulus.one_in(8);
        pins
    });
}

#[test]
fn link_receive_matches_its_rtl_and_walks_every_arc() {
    walk::<LinkReceive>("link_receive", 300_000, link_pins());
}

#[test]
fn retry_timer_matches_its_rtl_on_every_cycle() {
    walk::<RetryTimer>("retry_timer", 200_000, |stimulus, _| {
        let pins: retry_timer::In = stimulus.pins();
        retry_timer::In { turn: stimulus.one_in(20), ..pins }
    });
}

#[test]
fn send_engine_matches_its_rtl_and_walks_every_arc() {
    walk::<SendEngine>("send_engine", 400_000, send_pins);
}

#[test]
fn receive_engine_matches_its_rtl_and_walks_every_arc() {
    walk::<ReceiveEngine>("receive_engine", 400_000, receive_pins());
}
