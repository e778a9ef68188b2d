//! A machine that is driven through a register table, memory and messages: commands, their execution and the time line of a message.
//!
//! A machine that implements [`Console`] is [`Driven`]. It declares its registers, its memory and the points that its messages pass.
//! A machine with a published manual, such as DIMMnet-2, implements [`Driven`] itself.

mod commands;
pub mod dump;
mod execute;
mod step;
mod time_line;

use std::fmt::Debug;
use std::future::Future;
use std::rc::Rc;

use cluster::{Cluster, Duration, Event, Machine, Observation, Watch};
use hdl::RegisterInfo;

use crate::driven::{BackDoor, Driven, Examples, Explained, OwnCommand, Refusal, Target, TargetError};

use crate::frames::FrameKinds;
use crate::step::{Step, StepResult};

pub use commands::{check, destination, registers, send};

/// A command of a console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<S, E> {
    /// Lists all registers that can be read.
    Registers,
    /// Reads a register, by its place in the table.
    Register(usize),
    /// Writes a register, by its place in the table.
    SetRegister(usize, u64),
    /// Reads memory.
    Memory {
        /// First unit: a byte or a word, as the machine counts.
        address: u32,
        /// Number of units.
        count: u32,
    },
    /// Sends a message whose bytes count up.
    Send {
        /// Number of the destination.
        to: u16,
        /// Service that carries it.
        service: S,
        /// Size in bytes.
        bytes: u16,
        /// Value of the first byte.
        first: u8,
    },
    /// Takes the oldest message.
    Receive,
    /// A command of this machine alone.
    Extra(E),
}

/// One access of a host to its network interface or memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access<S, E> {
    /// Reads a register, by its place in the table.
    Read(usize),
    /// Writes a register, by its place in the table.
    Write(usize, u32),
    /// Reads memory: first unit and number of units.
    ReadMemory(u32, u32),
    /// Initializes the network interface.
    Open,
    /// Sends a message: destination, service and data.
    Send(u16, S, Vec<u8>),
    /// Takes the oldest message.
    Receive,
    /// The access of a command of this machine alone.
    Extra(E),
}

/// The result of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Success without data.
    Done,
    /// Value of a register or word.
    Word(u32),
    /// Contents of memory.
    Bytes(Vec<u8>),
    /// A message with the number of its sender, or none if none has arrived.
    Message(Option<(u16, Vec<u8>)>),
    /// The driver or library refuses the access, or a request has failed.
    Refused(String),
}

/// The access type of a machine.
pub type AccessOf<M> = Access<<M as Console>::Service, <M as Console>::Extra>;
/// The command type of a machine.
pub type CommandOf<M> = Command<<M as Console>::Service, <M as Console>::Extra>;

/// A machine that is driven through registers, memory and messages.
pub trait Console: Machine<Port: 'static> {
    /// Services that carry messages; `()` where there is one.
    type Service: Clone + Debug + 'static;
    /// Commands of this machine alone, each of which is one access; [`Infallible`](std::convert::Infallible) where there are none.
    type Extra: Clone + Debug + 'static;
    /// State that a host keeps from one command to the next.
    type Seat: Clone + Default + 'static;

    /// All commands, those of every console included, ordered by name.
    const COMMANDS: &'static [OwnCommand<CommandOf<Self>>];
    /// Output of `version`.
    const VERSION: &'static str;
    /// A command is over after this time without any event. No device is silent for longer during its work.
    const QUIET: Duration;
    /// Memory that `peek` and `poke` reach.
    const BACK_DOOR: BackDoor;
    /// Kinds of frames.
    const FRAME_KINDS: FrameKinds<Self>;
    /// Examples in help texts.
    const EXAMPLES: Examples;

    /// The registers of the device.
    const REGISTERS: &'static [RegisterInfo];
    /// Address of the first register, and hexadecimal digits of an address.
    const REGISTER_ADDRESS: (u16, usize) = (0, 3);
    /// Bytes of a unit of [`Command::Memory`].
    const MEMORY_UNIT: u32 = 1;
    /// Bytes of the memory that [`Access::ReadMemory`] reads.
    const MEMORY_BYTES: u32;
    /// Bytes of the longest message.
    const LONGEST: usize;
    /// Service of messages whose sender names none.
    const SERVICE: Self::Service;
    /// The name of a node in front of its number: `"host "`.
    const NODE: &'static str;
    /// The name of what the network carries: `"packets"`.
    const PACKETS: &'static str = "packets";
    /// End of the heading of a message that has not left yet.
    const NOT_SENT: &'static str = "it was not sent yet";

    /// Executes one access.
    fn carry_out(
        port: &mut Self::Port,
        seat: &Self::Seat,
        access: &AccessOf<Self>,
    ) -> impl Future<Output = Answer>;

    /// Refuses a command of this machine whose arguments do not fit.
    fn check(_extra: &Self::Extra) -> Result<(), Refusal> {
        Ok(())
    }

    /// The output of a command of this machine.
    fn show(_extra: &Self::Extra, _answer: &Answer) -> String {
        String::new()
    }

    /// Description of a node, one line.
    fn who(node: usize) -> String {
        format!("{}{node}", Self::NODE)
    }

    /// Reads memory of a node without an access of the host; `size` may extend beyond its end.
    fn peek(side: &Self::Side, address: u64, size: usize) -> Vec<u8>;

    /// Writes memory of a node without an access of the host.
    fn poke(side: &mut Self::Side, address: u64, bytes: &[u8]);

    /// The last packet that a node sent, as text.
    fn last_packet(side: &Self::Side) -> Option<String>;

    /// Points of the device that a message passes.
    fn watches() -> Vec<Watch>;

    /// Whether this access of a host hands a message to the device. Other accesses are left out of the time line.
    fn hands_over(event: Event) -> bool;

    /// The text for an observation.
    fn name(observation: &Observation) -> &'static str;

    /// Sentences after the numbers of packets.
    fn remarks(_line: &[Observation], _cluster: &Cluster<Self>) -> String {
        String::new()
    }
}

impl<M: Console> Driven for M {
    type Access = AccessOf<M>;
    type Answer = Answer;
    type Seat = M::Seat;
    type Command = CommandOf<M>;

    const MANUAL: &'static [OwnCommand<Self::Command>] = M::COMMANDS;
    const BESIDE: &'static [OwnCommand<Self::Command>] = &[];
    const OTHERS: &'static str = "As on every machine:";
    const VERSION: &'static str = <M as Console>::VERSION;
    /// A node has one process that a shell can be.
    const WIDS: u64 = 1;
    const QUIET: Duration = <M as Console>::QUIET;
    const BACK_DOOR: BackDoor = <M as Console>::BACK_DOOR;
    const FRAME_KINDS: FrameKinds<Self> = <M as Console>::FRAME_KINDS;
    const EXAMPLES: Examples = <M as Console>::EXAMPLES;

    fn settings(_nodes: usize) -> M::Settings {
        M::Settings::default()
    }

    fn set_up(target: &mut dyn Target<Self>) -> Result<(), TargetError> {
        target.access(&[Access::Open])?;
        Ok(())
    }

    async fn carry_out(mut port: M::Port, seat: M::Seat, accesses: Rc<[Self::Access]>) -> Vec<Answer> {
        let mut answers = Vec::with_capacity(accesses.len());
        for access in accesses.iter() {
            answers.push(<M as Console>::carry_out(&mut port, &seat, access).await);
        }
        answers
    }

    fn execute(
        command: &Self::Command,
        _wid: bool,
        target: &mut dyn Target<Self>,
    ) -> Result<String, Refusal> {
        execute::execute::<M>(command, target)
    }

    fn who(node: usize, _wid: bool, _nodes: usize) -> String {
        <M as Console>::who(node)
    }

    fn register_line(name: &str, value: u64) -> Option<String> {
        let known = M::REGISTERS.iter().any(|register| register.name == name);
        known.then(|| format!("reg {name} {value:#x}"))
    }

    fn register_address(name: &str) -> Option<u32> {
        step::register_address::<M>(name)
    }

    async fn step(port: &mut M::Port, seat: &M::Seat, step: &Step) -> StepResult {
        step::step::<M>(port, seat, step).await
    }

    fn peek(side: &M::Side, address: u64, size: usize) -> Vec<u8> {
        <M as Console>::peek(side, address, size)
    }

    fn dump(address: u64, bytes: &[u8]) -> String {
        dump::rows(address, bytes)
    }

    fn poke(side: &mut M::Side, address: u64, bytes: &[u8]) {
        <M as Console>::poke(side, address, bytes);
    }

    fn last_frame(side: &M::Side) -> Option<String> {
        M::last_packet(side)
    }

    fn sets_off(accesses: &[Self::Access]) -> bool {
        time_line::message(accesses).is_some()
    }

    fn watches() -> Vec<Watch> {
        <M as Console>::watches()
    }

    fn explain(accesses: &[Self::Access], node: usize, cluster: &Cluster<M>) -> Explained {
        time_line::explain(accesses, node, cluster)
    }
}
