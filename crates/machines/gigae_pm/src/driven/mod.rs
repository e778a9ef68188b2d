//! A card driven by hand: registers and NIC memory over the PCI bus, messages of PM between nodes.

mod access;
mod command;
mod dump;
mod execute;
mod explain;

use std::future::Future;
use std::rc::Rc;

use cluster::{Duration, Watch};
use lab::{BackDoor, Driven, Examples, Explained, OwnCommand, Refusal, Target, TargetError};

use crate::{Cluster, GigaePm, Port, Settings, Side, mac_address};
use access::{Access, Answer, Seat};
use command::Command;

impl Driven for GigaePm {
    type Access = Access;
    type Answer = Answer;
    type Seat = Seat;
    type Command = Command;

    const MANUAL: &'static [OwnCommand<Command>] = command::MANUAL;
    const BESIDE: &'static [OwnCommand<Command>] = &[];
    const OTHERS: &'static str = "As on every machine:";
    const VERSION: &'static str = concat!("GigaE PM in memonet ", env!("CARGO_PKG_VERSION"), "\n");
    /// A node has one process that a shell can be.
    const WIDS: u64 = 1;
    /// Of a longest message 368 words go to the MAC in 11 us before the first byte leaves. What waits for a timer is not waited for.
    const QUIET: Duration = Duration::from_us(30);

    const BACK_DOOR: BackDoor = BackDoor {
        titles: ["Pinned Memory Peek", "Pinned Memory Poke"],
        about: [
            "Looks at memory of the host that the card reaches, by the back door: it takes no time. mem_read 0x480 10 tells where \
             the send and receive areas of the five rings are.",
            "Writes 4 bytes to memory of the host, by the back door.",
        ],
        examples: [&["peek 0x128000 64"], &["poke 0x128000 0x01234567"]],
        most: u32::MAX as u64 - 3,
        word: 4,
    };

    const EXAMPLES: Examples = Examples {
        until: &["run until node1.firmware.receive_frame.state == Copy"],
        show: &["show firmware.dispatcher", "show node1.pci_dma"],
        stop: &["break send_message.state == Offer", "break firmware.dispatcher Idle->Send", "break"],
        watch: &["watch node1.receive_frame.state", "watch"],
    };

    fn settings(_nodes: usize) -> Settings {
        Settings::default()
    }

    /// Opens a channel, for which the driver sets the card up.
    fn set_up(target: &mut dyn Target<Self>) -> Result<(), TargetError> {
        target.access(&[Access::Open])?;
        Ok(())
    }

    fn carry_out(
        port: Port,
        seat: Seat,
        accesses: Rc<[Access]>,
    ) -> impl Future<Output = Vec<Answer>> + 'static {
        access::carry_out(port, seat, accesses)
    }

    fn execute(command: &Command, _wid: bool, target: &mut dyn Target<Self>) -> Result<String, Refusal> {
        execute::execute(command, target)
    }

    fn who(node: usize, _wid: bool, _nodes: usize) -> String {
        let address = mac_address(node as u16).map(|byte| format!("{byte:02x}"));
        format!("MAC address {}", address.join(":"))
    }

    fn peek(side: &Side, address: u64, size: usize) -> String {
        dump::rows(address, &side.peek_memory(address, size))
    }

    fn poke(side: &mut Side, address: u64, bytes: &[u8]) {
        side.poke_memory(address, bytes);
    }

    fn last_frame(side: &Side) -> Option<String> {
        let frame = side.last_frame();
        (!frame.is_empty()).then(|| dump::frame(frame))
    }

    fn sets_off(accesses: &[Access]) -> bool {
        explain::sends(accesses)
    }

    fn watches() -> Vec<Watch> {
        explain::watches()
    }

    fn explain(accesses: &[Access], node: usize, cluster: &Cluster) -> Explained {
        explain::explain(accesses, node, cluster)
    }
}
