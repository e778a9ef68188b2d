//! Every named assertion of the RTL fires for some fault: an assertion that cannot fire proves
//! nothing.
//!
//! Modules with a proof have a `// Witness:` line for each assertion, which `memonet prove` tries.
//! The assertions of other modules are tested here: by register values that should never occur, in
//! the unchanged RTL, and by blocks without registers with one changed line.

use cosim::Stimulus;
use gigae_pm::clocks::{CORE, NETWORK};
use gigae_pm::pins::{In, Out};
use gigae_pm::protocol::{Receiving, receiver, sender};
use gigae_pm::{firmware, host_port, mac};
use hdl::{Bundle, Edges};
use testbench::assertions::{self, of_folder, witnessed};

/// The assertion that stops a block with these register values.
fn flip<I: Bundle, O: Bundle>(block: &str, edges: Edges, registers: &[(&str, u64)]) -> Option<String> {
    let rtl = if block == "gigae_pm" { gigae_pm_rtl::open(block) } else { testbench_gigae_pm::open(block) };
    assertions::flip::<I, O>(rtl.expect("it is verilated"), edges, registers)
}

/// The same for the firmware.
fn works(registers: &[(&str, u64)]) -> Option<String> {
    flip::<firmware::pins::In, firmware::pins::Out>("firmware", CORE, registers)
}

/// The assertion that stops a block without a clock and with a changed line.
fn changed<I: Bundle, O: Bundle>(fault: &str, pins: impl FnMut(&mut Stimulus, &O) -> I) -> Option<String> {
    let rtl = testbench_gigae_pm::open(fault).expect("it is verilated");
    assertions::stop(rtl, Edges::NONE, 100_000, pins)
}

/// Pins of a receiver that gets the next message, or the one before it.
fn messages(stimulus: &mut Stimulus, _: &receiver::Out) -> receiver::In {
    let mut pins: receiver::In = stimulus.pins();
    pins.number = pins.control.received.wrapping_add(stimulus.below(2) as u32);
    pins.cause = 1;
    pins.receiving = Receiving::Open;
    pins
}

/// Pins of a sender of which some are dead.
fn events(stimulus: &mut Stimulus, _: &sender::Out) -> sender::In {
    let mut pins: sender::In = stimulus.pins();
    let control = &mut pins.control;
    control.sent = control.acked.wrapping_add(stimulus.below(4) as u32);
    control.highest = control.sent;
    pins.number = control.acked.wrapping_add(stimulus.below(6) as u32);
    pins.epoch = control.epoch;
    (pins.now, pins.timeout) = (control.stamp.wrapping_add(9), 5);
    pins
}

/// The assertion that fires for its fault.
fn fires(assertion: &str) -> Option<String> {
    match assertion {
        "host_port_one_access_at_a_time" => flip::<host_port::In, host_port::Out>(
            "host_port",
            CORE,
            &[("memory_read_q", 1), ("memory_write_q", 1)],
        ),
        "host_port_one_ring_is_posted" => {
            flip::<host_port::In, host_port::Out>("host_port", CORE, &[("posted_q", 3)])
        }
        // A word arrives from the cable while the FIFO is full.
        "mac_receive_fifo_has_room" => flip::<mac::pins::In, mac::pins::Out>(
            "mac",
            NETWORK,
            &[
                ("u_mac_receive.word_enable_q", 1),
                ("u_receive_fifo.write_pointer_q", 1024),
                ("u_receive_fifo.write_gray_q", 0x600),
            ],
        ),
        "firmware_one_master_of_memory" => {
            works(&[("u_receive_frame.state_q", 1), ("u_send_message.state_q", 1)])
        }
        "firmware_one_asks_for_a_rule" => {
            works(&[("u_receive_frame.state_q", 3), ("u_send_message.state_q", 5)])
        }
        "firmware_one_transfer_starts" => {
            works(&[("u_receive_frame.state_q", 7), ("u_send_message.state_q", 3)])
        }
        "firmware_one_frame_starts" => {
            works(&[("u_send_message.state_q", 7), ("u_apply_rule.state_q", 3), ("u_apply_rule.spent_q", 35)])
        }
        "receiver_delivered_is_acknowledged" | "receiver_other_session_does_nothing" => {
            changed(assertion, messages)
        }
        "sender_dead_send_nothing" | "sender_sent_is_not_beyond_the_highest" => changed(assertion, events),
        // PCI DMA reads while the firmware does.
        "gigae_pm_one_master_of_the_port" => flip::<In, Out>(
            "gigae_pm",
            CORE,
            &[
                ("u_firmware.u_receive_frame.state_q", 1),
                ("u_pci_dma.state_q", 3),
                ("u_pci_dma.to_host_q", 1),
            ],
        ),
        // A frame is longer than the free room.
        "gigae_pm_word_has_room" => flip::<In, Out>(
            "gigae_pm",
            CORE,
            &[
                ("u_transmit_dma.word_enable_q", 1),
                ("u_mac.u_transmit_fifo.write_pointer_q", 1024),
                ("u_mac.u_transmit_fifo.write_gray_q", 0x600),
            ],
        ),
        _ => panic!("{assertion} has no fault here"),
    }
}

#[test]
fn every_assertion_fires_for_a_fault() {
    let found = of_folder("rtl/gigae_pm");
    assert!(found.len() > 25, "{} assertions", found.len());
    let proved = witnessed("gigae_pm");
    for assertion in found.difference(&proved) {
        assertion.stopped(fires(&assertion.fault()));
    }
}
