//! The anatomy of a message: where the time goes from the first store of the sender to the sight of the receiver.

use cluster::{Event, Node, Observation, Place, StageError, Stages, Watch, WatchError};
use dimmnet2::address::Area;
use dimmnet2::registers::UserRegister;
use dimmnet2::window_controller::{botf, request_fifo};
use dimmnet2::write_unit::write_control;
use dimmnet2::{receive_controller, status_write_unit};
use hdl::{Bits, Bundle};

/// The sender begins to write the packet image.
pub const BEGIN: &str = "begin";
/// The sender knows that its BOTF is complete.
pub const COMPLETE: &str = "botf complete";
/// The receiver sees that a status is there (a mark of the host library).
pub const SEEN: &str = "status seen";
/// The receiver has read the status and can answer (a mark of the host library).
pub const READ: &str = "status read";

const REQUEST: &str = "request in the FIFO";
const SENT: &str = "packet in the SWIF FIFO";
const DETECTED: &str = "packet detected";
const STORED: &str = "data stored";
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
    node.watch(Watch::state(SENT, "core_logic.window_controller.request_executor.botf", botf::State::Prim))?;
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
pub fn stages(observations: &[Observation], image_bytes: u32) -> Result<Stages<'_>, StageError> {
    let (sender, receiver) = (Place::Node(0), Place::Node(1));
    let last_row = Area::WriteWindow.window(false, 0) + (image_bytes - 1) / 16 * 16;
    let kick = Area::UserRegister.part(false) + u32::from(UserRegister::Command0Lower.info().offset);
    let written = move |address| move |event| event == Event::Beat { address, write: true };
    let watched = |mark| move |event| event == Event::Watch(mark);
    Stages::begin(observations, sender, |event| event == Event::Mark(BEGIN))?
        .until("host write", sender, written(last_row))?
        .until("command", sender, written(kick))?
        .until("request", sender, watched(REQUEST))?
        .until("core", sender, watched(SENT))?
        .until("SWIF", sender, |event| event == Event::TransmitFirst)?
        .until("link", Place::Switch(0), |event| event == Event::SwitchFirstIn)?
        .until("switch", Place::Switch(1), |event| event == Event::SwitchFirstOut)?
        .until("link", receiver, |event| event == Event::ReceiveFirst)?
        .until("SWIF", receiver, watched(DETECTED))?
        .until("receive", receiver, watched(STORED))?
        .until("status", receiver, watched(STATUS))?
        .until("poll", receiver, |event| event == Event::Mark(SEEN))
}
