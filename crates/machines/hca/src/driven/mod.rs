//! A host driven by hand: registers, memory, messages between hosts.

mod access;
mod command;
mod dump;
mod execute;
mod explain;

use std::future::Future;
use std::rc::Rc;

use cluster::{Duration, Watch};
use lab::{BackDoor, Driven, Examples, Explained, OwnCommand, Refusal, Target, TargetError};

use crate::bus::MEMORY_BYTES;
use crate::{Cluster, Hca, Port, Settings, Side};
use access::{Access, Answer};
use command::Command;

impl Driven for Hca {
    type Access = Access;
    type Answer = Answer;
    type Seat = ();
    type Command = Command;

    const MANUAL: &'static [OwnCommand<Command>] = command::MANUAL;
    const BESIDE: &'static [OwnCommand<Command>] = &[];
    const OTHERS: &'static str = "As on every machine:";
    const VERSION: &'static str = concat!("channel adapter in memonet ", env!("CARGO_PKG_VERSION"), "\n");
    /// A host has one process that a shell can be.
    const WIDS: u64 = 1;
    /// A doorbell is longest on its way; a packet of 2 KB leaves in 2 us.
    const QUIET: Duration = Duration::from_us(20);

    const BACK_DOOR: BackDoor = BackDoor {
        titles: ["Memory Peek", "Memory Poke"],
        about: [
            "Looks at host memory by the back door: it takes no time.",
            "Writes 4 bytes to host memory by the back door.",
        ],
        examples: [&["peek 0x100000 32"], &["poke 0x1010000 0x01234567"]],
        most: MEMORY_BYTES as u64 - 4,
        word: 4,
    };

    const EXAMPLES: Examples = Examples {
        until: &["run until node1.completion.state == Store"],
        show: &["show send_engine", "show node1.receive_engine"],
        stop: &["break send_engine.state == Fetch", "break send_engine Idle->Load", "break"],
        watch: &["watch node1.completion.state", "watch"],
    };

    fn settings(_nodes: usize) -> Settings {
        Settings::default()
    }

    /// Sets the adapter up.
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
        format!("host {node}")
    }

    fn peek(side: &Side, address: u64, size: usize) -> String {
        let size = size.min((u64::from(MEMORY_BYTES) - address) as usize);
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
