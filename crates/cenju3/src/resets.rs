//! A block after a reset is one that is new, whatever it did before. Twins that both forget a register are alike, so lockstep is silent.

use std::collections::BTreeSet;
use std::path::Path;

use hdl::fresh::{blocks, worked};

use crate::arbiter::Arbiter;
use crate::interrupt::Interrupt;
use crate::link_receive::LinkReceive;
use crate::link_transmit::LinkTransmit;
use crate::mask::Mask;
use crate::receive_ring::ReceiveRing;
use crate::register_file::RegisterFile;
use crate::send_dma::SendDma;
use crate::send_queue::SendQueue;

/// Resets blocks that have worked; returns their names.
macro_rules! reset {
    ($($block:ident;)*) => {{
        let mut names = BTreeSet::new();
        $(
            let seen = worked::<$block>(1);
            assert_eq!(seen.left, BTreeSet::new(), "a reset of {} leaves them", stringify!($block));
            assert!(!seen.touched.is_empty(), "{} has not worked", stringify!($block));
            names.insert(stringify!($block).to_string());
        )*
        names
    }};
}

#[test]
fn block_after_a_reset_is_one_that_is_new() {
    let reset = reset! {
    Arbiter;
    Interrupt;
    LinkReceive;
    LinkTransmit;
    Mask;
    ReceiveRing;
    RegisterFile;
    SendDma;
    SendQueue;
    };
    assert_eq!(reset, blocks(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")));
}
