//! A PE driven by hand: registers, local memory, messages between PEs.

mod access;
mod command;
mod dump;
mod execute;
mod explain;

use std::future::Future;
use std::rc::Rc;

use cluster::{Duration, Watch};
use lab::{BackDoor, Driven, Examples, Explained, OwnCommand, Refusal, Target, TargetError};

use crate::layout::MEMORY;
use crate::{Cenju3, Cluster, Port, Settings, Side};
use access::{Access, Answer};
use command::Command;

impl Driven for Cenju3 {
    type Access = Access;
    type Answer = Answer;
    type Seat = ();
    type Command = Command;

    const MANUAL: &'static [OwnCommand<Command>] = command::MANUAL;
    const BESIDE: &'static [OwnCommand<Command>] = &[];
    const OTHERS: &'static str = "As on every machine:";
    const VERSION: &'static str = concat!("Cenju-3 in memonet ", env!("CARGO_PKG_VERSION"), "\n");
    /// A PE has one process that a shell can be.
    const WIDS: u64 = 1;
    /// A segment of 256 bytes leaves in 8 us, through four stages of switches.
    const QUIET: Duration = Duration::from_us(30);

    const BACK_DOOR: BackDoor = BackDoor {
        titles: ["Local Memory Peek", "Local Memory Poke"],
        about: [
            "Looks at local memory by the back door: it takes no time. What the cache holds of it is not there.",
            "Writes 4 bytes to local memory by the back door, as the NIF does behind the cache.",
        ],
        examples: [&["peek 0x102000 64"], &["poke 0x200000 0x01234567"]],
        most: MEMORY as u64 - 4,
        word: 4,
    };

    const EXAMPLES: Examples = Examples {
        until: &["run until node1.receive_ring_0.state == Move"],
        show: &["show send_dma", "show node1.receive_ring_0"],
        stop: &["break send_dma.state == Begin", "break send_dma Idle->Room", "break"],
        watch: &["watch node1.receive_ring_0.state", "watch"],
    };

    fn settings(_nodes: usize) -> Settings {
        Settings::default()
    }

    /// Sets the NIF up.
    fn set_up(target: &mut dyn Target<Self>) -> Result<(), TargetError> {
        target.access(&[Access::Open])?;
        Ok(())
    }

    fn carry_out(
        port: Port,
        _seat: (),
        accesses: Rc<[Access]>,
    ) -> impl Future<Output = Vec<Answer>> + 'static {
        access::carry_out(port, accesses)
    }

    fn execute(command: &Command, _wid: bool, target: &mut dyn Target<Self>) -> Result<String, Refusal> {
        execute::execute(command, target)
    }

    fn who(node: usize, _wid: bool, _nodes: usize) -> String {
        format!("PE {node}")
    }

    fn peek(side: &Side, address: u64, size: usize) -> String {
        let size = size.min((u64::from(MEMORY) - address) as usize);
        dump::rows(address, &side.peek_memory(address as u32, size))
    }

    fn poke(side: &mut Side, address: u64, bytes: &[u8]) {
        side.poke_memory(address as u32, bytes);
    }

    fn last_frame(side: &Side) -> Option<String> {
        let packet = side.last_packet();
        (!packet.is_empty()).then(|| dump::packet(packet))
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
