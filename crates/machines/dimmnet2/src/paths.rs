//! The paths of a message and its stages, from the sender's first store until the receiver's poll sees the data.

use cluster::{Duration, Event, Observation, Place, StageError, Stages, Watch, WatchError};
use dimmnet2::address::Area;
use dimmnet2::registers::UserRegister;
use dimmnet2::window_controller::{botf, request_fifo, rvs};
use dimmnet2::write_unit::write_control;
use dimmnet2::{receive_controller, status_write_unit};
use hdl::{Bits, Bundle, StateMachineTable};
use machine_api::{Nics, Path, ProcessSlot, TimeLine, Traced, stage};
use waveform::Pick;

use crate::host::cost::Costs;
use crate::programs::botf::{DATA_BYTES, Destination, Packet, Peer};
use crate::programs::measure::{PROCESS, Start, peer, ready};
use crate::programs::messages::{Envelope, Inbox, Ring};
use crate::programs::remote::Memory;
use crate::programs::vl::Source;
use crate::{Cluster, Dimmnet2, Host, Node, Settings, shown};

/// A primitive that carries a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// From a Write Window into SO-DIMM.
    Botf,
    /// From SO-DIMM to SO-DIMM.
    Rvs,
    /// From SO-DIMM into the receiver's ring.
    Ipush,
    /// From SO-DIMM, envelope included, into LH Buffer and ring.
    Lhs1,
    /// LHS1 with the envelope from a Write Window.
    Lhs2,
}

impl Primitive {
    /// All primitives in the order of [`PATHS`].
    const ALL: [Self; 5] =
        [Primitive::Botf, Primitive::Rvs, Primitive::Ipush, Primitive::Lhs1, Primitive::Lhs2];

    /// The host writes an image, or an envelope, into a Write Window.
    fn has_image(self) -> bool {
        matches!(self, Primitive::Botf | Primitive::Lhs2)
    }

    /// The head of the message goes to the LH Buffer.
    fn has_head(self) -> bool {
        matches!(self, Primitive::Lhs1 | Primitive::Lhs2)
    }
}

const ENVELOPE: Envelope = Envelope { context: 1, rank: 0, tag: 7 };
const ENVELOPE_BYTES: usize = 8;

/// Bytes of the longest packet from SO-DIMM.
const MTU: usize = 2024;

/// The sizes that each primitive carries; those of LHS include the envelope.
static PATHS: [Path; 5] = [
    Path { name: "botf", doc: "out of a Write Window into SO-DIMM", bytes: 1..=DATA_BYTES, short: 8 },
    Path { name: "rvs", doc: "from SO-DIMM to SO-DIMM", bytes: 1..=MTU, short: 8 },
    Path { name: "ipush", doc: "from SO-DIMM into the receiver's ring", bytes: 1..=MTU, short: 8 },
    Path {
        name: "lhs1",
        doc: "from SO-DIMM, with the envelope of 8 bytes, into LH Buffer and ring",
        bytes: ENVELOPE_BYTES + 1..=MTU,
        short: ENVELOPE_BYTES + 8,
    },
    Path {
        name: "lhs2",
        doc: "the same with the envelope out of a Write Window",
        bytes: ENVELOPE_BYTES + 1..=MTU,
        short: ENVELOPE_BYTES + 8,
    },
];

impl Traced for Dimmnet2 {
    const PATHS: &'static [Path] = &PATHS;
    const LANES: &'static [&'static str] = &["host", "bus", "core", "link", "remote"];
    const STAGES: &'static StateMachineTable = &STAGES;
    const SHOWN: &'static [Pick] = shown::SHOWN;

    const POLL: Duration = Costs::PUBLISHED.poll();

    fn transfer(
        path: &'static Path,
        bytes: usize,
        phase: Duration,
        nics: &dyn Nics<Self>,
    ) -> anyhow::Result<TimeLine> {
        let place = PATHS.iter().position(|known| known.name == path.name).expect("it is one of ours");
        transfer_at(phase, Primitive::ALL[place], bytes, nics)
    }
}

/// Stages of a message in their order.
static STAGES: StateMachineTable = StateMachineTable {
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

/// Limit of a transfer; none takes a hundredth of it.
const LIMIT: Duration = Duration::from_us(1_000);

/// Address of the data at the sender, and at the receiver of RVS.
const OFFSET: u32 = 0x1_0000;

/// Size of the receiver's ring.
const ENTRY: u16 = 0x1000;
const BASE: u32 = 0x10_0000;

/// Sends `bytes` bytes from host 0 to host 1 and divides the time into stages.
pub fn transfer(primitive: Primitive, bytes: usize, nics: &dyn Nics<Dimmnet2>) -> anyhow::Result<TimeLine> {
    transfer_at(Duration::ZERO, primitive, bytes, nics)
}

fn transfer_at(
    phase: Duration,
    primitive: Primitive,
    bytes: usize,
    nics: &dyn Nics<Dimmnet2>,
) -> anyhow::Result<TimeLine> {
    let mut cluster = Cluster::with_switch(nics.open(2)?, &Settings::default());
    cluster.observe();
    for node in 0..2 {
        watch(cluster.node_mut(node))?;
    }
    let sent = cluster.spawn(0, "send", move |host| send(host, phase, primitive, bytes));
    cluster.spawn(1, "receive", move |host| receive(host, primitive));
    let ran = cluster.run(LIMIT);
    machine_api::check(&mut cluster, ran)?;
    sent.take().expect("the program is done")?;
    let observations = cluster.observations();
    Ok(TimeLine { stages: stages(&observations, primitive)?.stages().to_vec() })
}

async fn send(host: Host, phase: Duration, primitive: Primitive, bytes: usize) -> anyhow::Result<()> {
    let mut board = ready(host, Start::default()).await;
    if phase > Duration::ZERO {
        board.host().compute(phase).await;
    }
    let peer = peer(1);
    let source = |bytes| Source::Contiguous { offset: OFFSET, size: bytes as u32 };
    board.host().mark(BEGIN);
    match primitive {
        Primitive::Botf => {
            let destination = Destination::SoDimm(OFFSET);
            let packet = Packet { peer, swid: PROCESS.wid, destination, status: true, tag: 0 };
            board.send_packet(0, &packet, &vec![0x5a; bytes]).await?;
        }
        Primitive::Rvs => {
            board.issue_rvs(peer, source(bytes), source(bytes), Memory::SoDimm, true).await;
        }
        Primitive::Ipush => board.issue_ipush(peer, source(bytes), true).await,
        Primitive::Lhs1 => board.issue_lhs_v1(peer, source(bytes), false).await,
        Primitive::Lhs2 => {
            board.issue_lhs_v2(peer, 0, ENVELOPE, source(bytes - ENVELOPE_BYTES), false).await;
        }
    }
    Ok(())
}

async fn receive(host: Host, primitive: Primitive) {
    let mut board = ready(host, Start::default()).await;
    let ring = Ring { sender: peer(0), entry: ENTRY, base: BASE };
    let mut inbox = Inbox::open(&board, 1, &[ring]).await;
    if primitive.has_head() {
        inbox.next_head(&board).await;
    } else {
        board.next_status().await;
    }
}

/// The sender begins to write the packet image.
pub(crate) const BEGIN: &str = "begin";
/// The sender knows that its BOTF is complete.
pub(crate) const COMPLETE: &str = "botf complete";
/// The receiver sees a status (a mark of the host library).
pub(crate) const SEEN: &str = "status seen";
/// The receiver sees a head (a mark of the host library).
const HEAD_SEEN: &str = "head seen";
/// The Write Window is free (a mark of the host library).
const FREE: &str = "window free";
/// The image has left the write-combining buffers (a mark of the host library).
const IMAGE: &str = "image written";
/// The processor has issued the command (a mark of the host library).
const ISSUED: &str = "command issued";

const REQUEST: &str = "request in the FIFO";
const SENT: &str = "packet in the SWIF FIFO";
const DETECTED: &str = "packet detected";
const STORED: &str = "data stored";
const HEAD: &str = "head stored";
const STATUS: &str = "status written";

/// Sets watches on the points of a board that a message passes.
pub(crate) fn watch(node: &mut Node) -> Result<(), WatchError> {
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

/// The stages of a message from node 0 to node 1; `observations` begin with it.
pub(crate) fn stages(observations: &[Observation], primitive: Primitive) -> Result<Stages<'_>, StageError> {
    let begin = if primitive == Primitive::Botf { FREE } else { BEGIN };
    let stages = Stages::begin(observations, Place::Node(0), |event| event == Event::Mark(begin))?;
    let [from, to] = [0, 1].map(|node| ProcessSlot { node, slot: PROCESS.wid.into() });
    way(stages, from, to, primitive)
}

/// The stages of a message from process to process.
pub(crate) fn way(
    mut stages: Stages<'_>,
    from: ProcessSlot,
    to: ProcessSlot,
    primitive: Primitive,
) -> Result<Stages<'_>, StageError> {
    let (sender, receiver) = (Place::Node(from.node), Place::Node(to.node));
    let kick =
        Area::UserRegister.part(Peer::of(from).wid) + u32::from(UserRegister::Command0Lower.info().offset);
    let at_board = Event::Beat { address: kick, write: true };
    let is = |wanted: Event| move |event: Event| event == wanted;
    if primitive.has_image() {
        stages = stages.until("image", "host", sender, is(Event::Mark(IMAGE)))?;
    }
    let stages = stages
        .until("issue", "host", sender, is(Event::Mark(ISSUED)))?
        .until("bus", "bus", sender, is(at_board))?
        .until("request", "core", sender, is(Event::Watch(REQUEST)))?
        .until("core", "core", sender, is(Event::Watch(SENT)))?
        .until("encapsulation", "link", sender, is(Event::TransmitFirst))?
        .until("uplink", "link", Place::Switch(from.node), is(Event::SwitchFirstIn))?
        .until("switch", "link", Place::Switch(to.node), is(Event::SwitchFirstOut))?
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
