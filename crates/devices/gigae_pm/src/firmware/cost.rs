//! What the steps of the firmware cost, in cycles of 30 ns.
//!
//! The paper prints what DMA, interrupts and copies cost (table 1), and nothing of the firmware itself. What its round
//! trip (48.3 us) and its bandwidth (56.7 MB/s) leave for the firmware is spread over the steps here: two measurements, so two
//! numbers, which are fitted, not published, and stand in no other place (decisions 0028, 0033). A step also takes the
//! cycles in which its machine walks and reads NIC memory.

use hdl::{Item, Package, Quiet};

/// Finding out what there is to do.
const LOOK_CYCLES: u16 = 108;
/// Doing a part of it.
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

/// How long a machine does nothing but count in a step that costs so much.
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
