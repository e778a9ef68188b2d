//! A block after a reset equals a new one, whatever it did before. Lockstep cannot find a register that both
//! twins forget to reset.

use std::path::Path;

use hdl::fresh::blocks;

use crate::arbiter::Arbiter;
use crate::interrupt::Interrupt;
use crate::link_receive::LinkReceive;
use crate::link_transmit::LinkTransmit;
use crate::mask::Mask;
use crate::receive_ring::ReceiveRing;
use crate::register_file::RegisterFile;
use crate::send_dma::SendDma;
use crate::send_queue::SendQueue;

#[test]
fn block_after_a_reset_is_one_that_is_new() {
    let reset = hdl::reset! {
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
