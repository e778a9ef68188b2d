//! A block after a reset equals a new one, whatever it did before. Lockstep cannot find a register that both
//! twins forget to reset.

use std::path::Path;

use hdl::fresh::blocks;

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
use crate::search::Search;
use crate::send_engine::SendEngine;

#[test]
fn block_after_a_reset_is_one_that_is_new() {
    let reset = hdl::reset! {
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
    Search;
    SendEngine;
    };
    assert_eq!(reset, blocks(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")));
}
