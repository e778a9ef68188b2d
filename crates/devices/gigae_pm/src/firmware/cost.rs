//! Cost of the firmware's steps, in cycles of 30 ns.
//!
//! The paper states the cost of DMA, interrupts and copies (table 1), but not of the firmware
//! itself. The rest of its round trip (48.3 us) and of its bandwidth (56.7 MB/s) is attributed to
//! the steps here. Two measurements give two numbers, which are fitted, not published, and are used
//! in no other place (decisions 0028, 0033). A step also takes the cycles in which its state
//! machine advances and reads NIC memory.

use hdl::{Item, Package, Quiet};

/// Examining a frame or descriptor.
const LOOK_CYCLES: u16 = 108;
/// One action that follows from it.
const ACT_CYCLES: u16 = 35;

/// Looking at a received frame: which protocol, which kind, from whom.
pub const RECEIVE_CYCLES: u16 = LOOK_CYCLES;
/// Looking at a send descriptor.
pub const SEND_CYCLES: u16 = LOOK_CYCLES;
/// One rule of the protocol on a control structure.
pub const RULE_CYCLES: u16 = ACT_CYCLES;
/// Making the header of a frame and starting network DMA.
pub const FRAME_CYCLES: u16 = ACT_CYCLES;
/// Writing receive descriptor and arrival flag.
pub const DELIVER_CYCLES: u16 = ACT_CYCLES;

/// Cycles for which a state machine only counts, in a step of `cycles` cycles.
#[inline]
pub(super) fn left(spent: u16, cycles: u16) -> Quiet {
    if spent < cycles { Quiet::For((cycles - spent).into()) } else { Quiet::Busy }
}

/// The generated package.
pub const PACKAGE: Package = Package {
    path: "gigae_pm/firmware/cost_pkg",
    source: file!(),
    items: &[
        Item::Constant {
            name: "ReceiveCycles",
            width: 9,
            value: RECEIVE_CYCLES as u64,
            doc: "Looking at a received frame.",
        },
        Item::Constant {
            name: "SendCycles",
            width: 9,
            value: SEND_CYCLES as u64,
            doc: "Looking at a send descriptor.",
        },
        Item::Constant {
            name: "RuleCycles",
            width: 9,
            value: RULE_CYCLES as u64,
            doc: "One rule of the protocol on a control structure.",
        },
        Item::Constant {
            name: "FrameCycles",
            width: 9,
            value: FRAME_CYCLES as u64,
            doc: "Making the header of a frame and starting network DMA.",
        },
        Item::Constant {
            name: "DeliverCycles",
            width: 9,
            value: DELIVER_CYCLES as u64,
            doc: "Writing receive descriptor and arrival flag.",
        },
    ],
};
