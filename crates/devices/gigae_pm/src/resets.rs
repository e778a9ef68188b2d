//! A block after a reset equals a new one, whatever it did before. If model and RTL both forget to
//! reset a register, lockstep does not notice.

use std::path::Path;

use hdl::fresh::blocks;

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

#[test]
fn block_after_a_reset_is_one_that_is_new() {
    let reset = hdl::reset! {
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
