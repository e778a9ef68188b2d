//! The anatomy of a message: where the time goes from the first store of the sender to the sight of the receiver.

use clap::ValueEnum;
use cluster::{Event, Observation, Place, StageError, Stages, Watch, WatchError};
use dimmnet2::address::Area;
use dimmnet2::registers::UserRegister;
use dimmnet2::window_controller::{botf, request_fifo, rvs};
use dimmnet2::write_unit::write_control;
use dimmnet2::{receive_controller, status_write_unit};
use dimmnet2_machine::Node;
use hdl::{Bits, Bundle, MachineTable, StateInfo};
use serde::Serialize;

/// How a message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Primitive {
    /// Out of a Write Window into SO-DIMM.
    Botf,
    /// From SO-DIMM to SO-DIMM.
    Rvs,
    /// From SO-DIMM into the receiver's ring.
    Ipush,
    /// From SO-DIMM, envelope and all, into LH Buffer and ring.
    Lhs1,
    /// The same with the envelope out of a Write Window.
    Lhs2,
}

impl Primitive {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Primitive::Botf => "botf",
            Primitive::Rvs => "rvs",
            Primitive::Ipush => "ipush",
            Primitive::Lhs1 => "lhs1",
            Primitive::Lhs2 => "lhs2",
        }
    }

    /// The host writes an image, or an envelope, into a Write Window.
    fn has_image(self) -> bool {
        matches!(self, Primitive::Botf | Primitive::Lhs2)
    }

    /// The head of the message goes to the LH Buffer.
    pub fn has_head(self) -> bool {
        matches!(self, Primitive::Lhs1 | Primitive::Lhs2)
    }
}

/// Where the stages of a message take place, in this order.
pub const LANES: [&str; 5] = ["host", "bus", "core", "link", "remote"];

/// Stages of a message in the order in which they follow each other. Waveforms, time lines and traces name them like this; a
/// stage's place in the list is its code in waveforms and its `id` in traces.
pub static STAGES: MachineTable = MachineTable {
    name: "Stage",
    package: "message",
    doc: "Where a message is.",
    states: &[
        stage("none", "No message is looked at."),
        stage("image", "The host writes a packet image, or an envelope, into a Write Window."),
        stage("issue", "It writes the command."),
        stage("bus", "The command is on its way to the board."),
        stage("request", "The command becomes a request."),
        stage("core", "The Window Controller makes a packet of it."),
        stage("encapsulation", "SWIF makes a frame of the packet."),
        stage("uplink", "The frame is on its way to the switch."),
        stage("switch", "It is in the switch."),
        stage("downlink", "It is on its way to the receiver."),
        stage("decapsulation", "SWIF makes a packet of the frame."),
        stage("receive", "The Receive Controller stores data, or the head of a message."),
        stage("status", "The Status Write Unit writes the receive status."),
        stage("poll", "The receiver has not seen it yet."),
    ],
};

const fn stage(name: &'static str, doc: &'static str) -> StateInfo {
    StateInfo { name, doc, next: &[] }
}

/// Code of a stage.
pub fn code(stage: &str) -> u64 {
    STAGES.code(stage).expect("every stage is in the list")
}

/// The sender begins to write the packet image.
pub const BEGIN: &str = "begin";
/// The sender knows that its BOTF is complete.
pub const COMPLETE: &str = "botf complete";
/// The receiver sees that a status is there (a mark of the host library).
pub const SEEN: &str = "status seen";
/// The receiver has read the status and can answer (a mark of the host library).
pub const READ: &str = "status read";
/// The receiver sees that a head is there (a mark of the host library).
const HEAD_SEEN: &str = "head seen";
/// The Write Window may be written (a mark of the host library).
const FREE: &str = "window free";
/// The image is out of the write-combining buffers (a mark of the host library).
const IMAGE: &str = "image written";
/// The processor is rid of the command (a mark of the host library).
const ISSUED: &str = "command issued";

const REQUEST: &str = "request in the FIFO";
const SENT: &str = "packet in the SWIF FIFO";
const DETECTED: &str = "packet detected";
const STORED: &str = "data stored";
const HEAD: &str = "head stored";
const STATUS: &str = "status written";

/// Sets the watches on the inner points of a board.
pub fn watch(node: &mut Node) -> Result<(), WatchError> {
    node.watch(Watch {
        mark: REQUEST,
        path: "core_logic.window_controller.host_request_fifo",
        name: "pins_o",
        predicate: {
            let empty = field::<request_fifo::Out>("empty");
            Box::new(move |words| !bool::take(words, empty, 1))
        },
    })?;
    let executor = "core_logic.window_controller.request_executor.botf";
    node.watch(Watch::state(SENT, executor, botf::State::Prim))?;
    let executor = "core_logic.window_controller.request_executor.rvs";
    node.watch(Watch::state(SENT, executor, rvs::State::Prim))?;
    let head = "core_logic.receive_controller.head_write";
    node.watch(Watch::state(HEAD, head, receive_controller::head_write::State::Done))?;
    use receive_controller::packet_control::State as Receive;
    let control = "core_logic.receive_controller.packet_control";
    node.watch(Watch::state(DETECTED, control, Receive::Request))?;
    node.watch(Watch::state(STORED, "core_logic.write_unit.write_control", write_control::State::Done))?;
    let swu = status_write_unit::State::Nop;
    node.watch(Watch::state(STATUS, "core_logic.status_write_unit", swu))
}

/// Bit offset of a pin.
fn field<B: Bundle>(name: &str) -> u32 {
    let field = B::TABLE.fields.iter().find(|field| field.name == name);
    field.unwrap_or_else(|| panic!("{} has a pin {name}", B::TABLE.name)).offset
}

/// Takes a message from node 0 to node 1 apart; `observations` begin with it.
pub fn stages(observations: &[Observation], primitive: Primitive) -> Result<Stages<'_>, StageError> {
    let (sender, receiver) = (Place::Node(0), Place::Node(1));
    let kick = Area::UserRegister.part(false) + u32::from(UserRegister::Command0Lower.info().offset);
    let at_board = Event::Beat { address: kick, write: true };
    let is = |wanted: Event| move |event: Event| event == wanted;
    let begin = if primitive == Primitive::Botf { FREE } else { BEGIN };
    let mut stages = Stages::begin(observations, sender, is(Event::Mark(begin)))?;
    if primitive.has_image() {
        stages = stages.until("image", "host", sender, is(Event::Mark(IMAGE)))?;
    }
    let stages = stages
        .until("issue", "host", sender, is(Event::Mark(ISSUED)))?
        .until("bus", "bus", sender, is(at_board))?
        .until("request", "core", sender, is(Event::Watch(REQUEST)))?
        .until("core", "core", sender, is(Event::Watch(SENT)))?
        .until("encapsulation", "link", sender, is(Event::TransmitFirst))?
        .until("uplink", "link", Place::Switch(0), is(Event::SwitchFirstIn))?
        .until("switch", "link", Place::Switch(1), is(Event::SwitchFirstOut))?
        .until("downlink", "link", receiver, is(Event::ReceiveFirst))?
        .until("decapsulation", "remote", receiver, is(Event::Watch(DETECTED)))?;
    if primitive.has_head() {
        return stages.until("receive", "remote", receiver, is(Event::Watch(HEAD)))?.until(
            "poll",
            "remote",
            receiver,
            is(Event::Mark(HEAD_SEEN)),
        );
    }
    stages
        .until("receive", "remote", receiver, is(Event::Watch(STORED)))?
        .until("status", "remote", receiver, is(Event::Watch(STATUS)))?
        .until("poll", "remote", receiver, is(Event::Mark(SEEN)))
}
