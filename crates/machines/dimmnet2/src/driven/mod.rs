//! A board driven by hand: DIMMnet Shell (thesis appendix C, decision 0025).

mod access;
mod command;
mod dump;
mod execute;
mod explain;
mod manual;
mod module_state;
mod options;
mod packet;
mod step;

use std::future::Future;
use std::rc::Rc;

use cluster::{Duration, Watch};
use dimmnet2::address::Area;
use dimmnet2::registers::{SmaLid, SystemRegister};
use machine_api::{
    BackDoor, Driven, Examples, Explained, FrameKinds, OwnCommand, Refusal, Step, StepResult, Target,
    TargetError,
};

use crate::{Cluster, Dimmnet2, Host, Settings, Side};
use access::Access;
use command::Command;

/// Process group of all processes of a shell.
const PGID: u64 = 1;

impl Driven for Dimmnet2 {
    type Access = Access;
    type Answer = Vec<u8>;
    type Seat = ();
    type Command = Command;

    const MANUAL: &'static [OwnCommand<Command>] = manual::MANUAL;
    const BESIDE: &'static [OwnCommand<Command>] = manual::BESIDE;
    const OTHERS: &'static str = "Not in the manual:";
    /// Source: thesis figure C.15.
    const VERSION: &'static str = "DIMMnet-2 Shell version 2.1a released by Yomi\n";
    /// Source: decision 0025.
    const PROCESSES: usize = 16;
    const WIDS: u64 = 2;
    /// The board is silent for longer only while a packet waits for room in its ring.
    const QUIET: Duration = Duration::from_us(5);

    const BACK_DOOR: BackDoor = BackDoor {
        titles: ["SO-DIMM Peek", "SO-DIMM Poke"],
        about: [
            "Looks at both SO-DIMMs together, by the back door: it takes no time. The region of WID 1 begins at their \
             capacity, 0x10000000 for 256 MB.",
            "Writes 8 bytes to both SO-DIMMs together, by the back door.",
        ],
        examples: [&["peek 0x600 64"], &["poke 0x1000 0x0123456789abcdef"]],
        // The last word of both modules at the largest capacity.
        most: (16 << 30) - 8,
        word: 8,
    };

    const FRAME_KINDS: FrameKinds<Self> =
        FrameKinds { units: packet::HEAD, names: packet::kinds, of: packet::kind };

    const EXAMPLES: Examples = Examples {
        until: &["run until node1.receive_controller.packet_control.state == Idle"],
        forward: &["forward until node1.receive_controller.packet_control.state == Idle"],
        show: &["show window_controller.botf", "show node1.status_write_unit"],
        stop: &[
            "break botf.state == BotfEnd1",
            "break core_logic.window_controller.request_executor.botf Botf1->Botf2",
            "break",
        ],
        frame: &["break frame RVS", "break frame lost from node0", "break frame to node1"],
        flip: &["flip node1.status_write_unit.wid 0"],
        watch: &["watch request_acceptor.state", "watch"],
    };

    /// Links without retransmission, so that boards see the remains of faulty frames. A single node has no subnet: its
    /// link is unusable and its LID is 0.
    fn settings(nodes: usize) -> Settings {
        Settings { subnet: nodes > 1, ..Settings::without_retransmission() }
    }

    /// SO-DIMM Init, the LID from the subnet manager, one process group.
    fn set_up(target: &mut dyn Target<Self>) -> Result<(), TargetError> {
        let system =
            |register: SystemRegister| Area::SystemRegister.base() + u32::from(register.info().offset);
        let lid = target.access(&[Access::Load(system(SystemRegister::SmaLid))])?;
        let lid = lid[0].as_slice().try_into().expect("a load brings 8 bytes");
        let lid = SmaLid::from_bits(u64::from_le_bytes(lid));
        let settings = [
            (SystemRegister::SdimmInit, 1),
            (SystemRegister::Lid, u64::from(lid.lid)),
            (SystemRegister::Pgid0, PGID),
            (SystemRegister::Pgid1, PGID),
        ];
        target.access(&settings.map(|(register, value)| Access::Store(system(register), value)))?;
        Ok(())
    }

    fn carry_out(
        host: Host,
        _seat: (),
        accesses: Rc<[Access]>,
    ) -> impl Future<Output = Vec<Vec<u8>>> + 'static {
        access::carry_out(host, accesses)
    }

    fn register_address(name: &str) -> Option<u32> {
        step::register_address(name)
    }

    async fn step(host: &mut Host, _seat: &(), step: &Step) -> StepResult {
        step::step(host, step).await
    }

    fn execute(command: &Command, wid: bool, target: &mut dyn Target<Self>) -> Result<String, Refusal> {
        Ok(execute::execute(command, wid, target)?)
    }

    fn who(node: usize, wid: bool, nodes: usize) -> String {
        let wid = u8::from(wid);
        match nodes {
            1 => format!("PID {node}, WID {wid}, no subnet"),
            _ => format!("PID {node}, WID {wid}, LID {}", node + 1),
        }
    }

    fn register_line(name: &str, value: u64) -> Option<String> {
        options::write_line(name, value)
    }

    fn peek(side: &Side, address: u64, size: usize) -> Vec<u8> {
        side.peek_memory(address, size.next_multiple_of(8))
    }

    fn dump(address: u64, bytes: &[u8]) -> String {
        dump::memory(address, bytes)
    }

    fn poke(side: &mut Side, address: u64, bytes: &[u8]) {
        side.poke_memory(address, bytes);
    }

    fn last_frame(side: &Side) -> Option<String> {
        let frame = side.last_frame();
        (!frame.is_empty()).then(|| packet::describe(frame))
    }

    fn sets_off(accesses: &[Access]) -> bool {
        explain::issues(accesses)
    }

    fn watches() -> Vec<Watch> {
        explain::watches()
    }

    fn explain(accesses: &[Access], node: usize, cluster: &Cluster) -> Explained {
        explain::explain(accesses, node, cluster)
    }
}
