//! A block after a reset is one that is new, whatever it did before. Twins that both forget a register are alike, so lockstep is silent.

use std::collections::BTreeSet;
use std::path::Path;

use hdl::fresh::{blocks, worked};

use crate::command::Command;
use crate::completion::Completion;
use crate::events::Events;
use crate::host_dma::HostDma;
use crate::host_port::HostPort;
use crate::link::link_receive::LinkReceive;
use crate::link::link_transmit::LinkTransmit;
use crate::receive_engine::ReceiveEngine;
use crate::retry_timer::RetryTimer;
use crate::scheduler::Scheduler;
use crate::send_engine::SendEngine;

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
    Command;
    Completion;
    Events;
    HostDma;
    HostPort;
    LinkReceive;
    LinkTransmit;
    ReceiveEngine;
    RetryTimer;
    Scheduler;
    SendEngine;
    };
    assert_eq!(reset, blocks(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")));
}
