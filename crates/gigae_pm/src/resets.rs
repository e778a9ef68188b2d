//! A block after a reset is one that is new, whatever it did before. Twins that both forget a register are alike, so lockstep is silent.

use std::collections::BTreeSet;
use std::path::Path;

use hdl::fresh::{blocks, worked};

use crate::firmware::Firmware;
use crate::firmware::apply_rule::ApplyRule;
use crate::firmware::dispatcher::Dispatcher;
use crate::firmware::receive_frame::ReceiveFrame;
use crate::firmware::send_buffer::SendBuffer;
use crate::firmware::send_message::SendMessage;
use crate::firmware::timer_scan::TimerScan;
use crate::host_port::HostPort;
use crate::mac::mac_receive::MacReceive;
use crate::mac::mac_transmit::MacTransmit;
use crate::network_dma::receive_dma::ReceiveDma;
use crate::network_dma::transmit_dma::TransmitDma;
use crate::pci_dma::PciDma;

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
    ApplyRule;
    Dispatcher;
    Firmware;
    ReceiveFrame;
    SendBuffer;
    SendMessage;
    TimerScan;
    HostPort;
    MacReceive;
    MacTransmit;
    ReceiveDma;
    TransmitDma;
    PciDma;
    };
    assert_eq!(reset, blocks(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")));
}
