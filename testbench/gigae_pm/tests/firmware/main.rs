//! The state machines of the firmware, each alone and all together.

use cosim::{BlockPair, Stimulus};
use gigae_pm::firmware::apply_rule::{self, ApplyRule};
use gigae_pm::firmware::dispatcher::{self, Dispatcher};
use gigae_pm::firmware::pins::Request;
use gigae_pm::firmware::receive_frame::{self, ReceiveFrame};
use gigae_pm::firmware::send_buffer::{self, SendBuffer};
use gigae_pm::firmware::send_message::{self, SendMessage};
use gigae_pm::firmware::timer_scan::{self, TimerScan};
use gigae_pm::protocol::control::Control;
use gigae_pm::protocol::{Rules, sender};
use gigae_pm::registers::Configuration;

use testbench_gigae_pm::{epoch, walk};

/// A configuration with much activity: few nodes, a small window, any rules. One in eight of its
/// numbers is arbitrary.
fn configuration(stimulus: &mut Stimulus) -> Configuration {
    let any: Configuration = stimulus.pins();
    let mut configuration = any;
    let mut small = |below: u64| (!stimulus.one_in(8)).then(|| stimulus.below(below));
    configuration.nodes = small(4).map_or(any.nodes, |more| 4 + more as u16);
    configuration.identity.node = small(4).map_or(any.identity.node, |node| node as u16);
    configuration.window = small(8).map_or(any.window, |window| window as u16);
    configuration.timeout = small(8).map_or(any.timeout, |timeout| timeout as u32);
    configuration.scan_period = small(60).map_or(any.scan_period, |period| period as u16);
    configuration.room = small(16).map_or(any.room, |room| room as u8);
    configuration.identity.ether_type = 0x88b5;
    if stimulus.one_in(2) {
        configuration.rules = Rules::REPAIRED;
    }
    configuration
}

#[test]
fn dispatcher_matches_its_rtl_and_walks_every_arc() {
    walk::<Dispatcher>("dispatcher", 50_000, |stimulus, _| stimulus.pins::<dispatcher::In>());
}

#[test]
fn send_buffer_matches_its_rtl_and_walks_every_arc() {
    walk::<SendBuffer>("send_buffer", 300_000, |stimulus, _| {
        let mut pins: send_buffer::In = stimulus.pins();
        pins.request.operation = 1 + stimulus.below(3) as u8;
        pins.request.node = 5;
        pins.request.number = stimulus.below(4) as u32;
        pins.request.count = stimulus.below(4) as u32;
        // Records of this peer as often as others.
        if stimulus.one_in(2) {
            pins.memory_rdata = 1 << 31 | 5 << 16 | stimulus.below(6) as u32;
        }
        pins
    });
}

#[test]
fn timer_scan_matches_its_rtl_and_walks_every_arc() {
    let mut large = false;
    walk::<TimerScan>("timer_scan", 300_000, |stimulus, out| {
        let mut pins: timer_scan::In = stimulus.pins();
        pins.configuration = configuration(stimulus);
        // Sometimes a cluster so large that each bit of a node's number is needed, until the scan
        // has visited all.
        large ^= stimulus.one_in(30_000);
        if large {
            pins.configuration.nodes = 1_000;
        }
        pins.start &= out.wanted;
        pins.outstanding = !stimulus.one_in(8);
        pins
    });
}

#[test]
fn apply_rule_matches_its_rtl_and_walks_every_arc() {
    let mut asked = 0;
    walk::<ApplyRule>("apply_rule", 600_000, |stimulus, out| {
        let mut pins: apply_rule::In = stimulus.pins();
        pins.configuration = configuration(stimulus);
        pins.configuration.limit = stimulus.below(3) as u8;
        pins.request.cause = stimulus.below(8) as u8;
        pins.request.number = stimulus.below(6) as u32;
        pins.request.epoch = epoch(stimulus);
        // Control structures whose numbers are near each other, near 0 or near the end, with any
        // flags.
        pins.memory_rdata = if asked == 5 {
            u32::from(epoch(stimulus)) | (stimulus.below(16) as u32) << 16
        } else {
            (stimulus.below(6) as u32).wrapping_sub(stimulus.below(2) as u32)
        };
        asked = (out.memory.address & 0x1fff) % 6;
        pins.now = stimulus.below(16) as u32;
        pins
    });
}

/// Timers of a message that was sent too often, until their count shows its top bit.
#[test]
fn apply_rule_counts_timers_as_its_rtl_over_the_whole_width() {
    let rtl = testbench_gigae_pm::open("apply_rule").expect("it is verilated");
    let mut pair: BlockPair<ApplyRule> = testbench::pair(rtl, 1, "apply_rule_counts");
    let control = Control { sent: 1, highest: 1, ..Control::default() }.words();
    let request = Request { cause: sender::Cause::Timer.code(), ..Request::default() };
    let configuration =
        Configuration { rules: Rules::REPAIRED, limit: 1, timeout: 1, ..Configuration::default() };
    let mut pins =
        apply_rule::In { start: true, request, configuration, now: 1, ..apply_rule::In::default() };
    // A rule that gives the peer up takes 51 cycles.
    for _ in 0..0x8008 * 51 {
        pair.tick(&pins).unwrap_or_else(|error| panic!("{error}"));
        let asked = pair.model().block().count.saturating_sub(1);
        pins.memory_rdata = control[usize::from(asked) % 6];
    }
    assert_eq!(pair.model().block().expired, 0x8008);
}

#[test]
fn receive_frame_matches_its_rtl_and_walks_every_arc() {
    let mut asked = 0;
    walk::<ReceiveFrame>("receive_frame", 600_000, |stimulus, out| {
        let mut pins: receive_frame::In = stimulus.pins();
        pins.configuration = configuration(stimulus);
        pins.configuration.identity.node = 2;
        pins.released = stimulus.one_in(400);
        pins.released_ring = stimulus.below(6) as u8;
        pins.rule_deliver = !stimulus.one_in(4);
        // Most headers are valid in most fields.
        if !stimulus.one_in(40) {
            pins.memory_rdata = match asked {
                3 if !stimulus.one_in(4) => 0xb588_0000,
                4 => 0x10 | stimulus.below(7) as u32 | (stimulus.below(4) as u32) << 8,
                5 => stimulus.below(4) as u32,
                6 => 2,
                9 => {
                    if stimulus.one_in(2) {
                        0
                    } else {
                        stimulus.below(100) as u32
                    }
                }
                511 => stimulus.below(200) as u32,
                _ => pins.memory_rdata,
            };
        }
        asked = out.memory.address & 0x1ff;
        pins
    });
}

#[test]
fn send_message_matches_its_rtl_and_walks_every_arc() {
    walk::<SendMessage>("send_message", 600_000, |stimulus, out| {
        let mut pins: send_message::In = stimulus.pins();
        pins.configuration = configuration(stimulus);
        pins.start &= out.wanted;
        pins.posted = if stimulus.one_in(50) { pins.posted } else { 0 };
        pins.unblock = stimulus.one_in(50);
        pins.memory_rdata = match stimulus.below(4) {
            0 => pins.memory_rdata,
            1 => stimulus.below(40) as u32,
            _ => 1,
        };
        pins
    });
}
