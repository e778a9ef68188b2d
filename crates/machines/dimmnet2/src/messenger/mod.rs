//! Messages of workloads over a board: BOTF from Write Windows; RVS, IPUSH and LHS from SO-DIMM.
//!
//! BOTF and RVS write to a place that the sender names, and a receive status announces them. IPUSH and LHS push
//! messages to a receiver that has [room]. The head in the LH Buffer announces LHS; in a schedule with other primitives
//! LHS asks for statuses as well, which give the order of all messages.

mod room;
mod set_up;

use std::collections::{BTreeMap, VecDeque};

use cluster::Time;
use dimmnet2::StatusLower;
use dimmnet2::registers::code::mtu_bytes;
use machine_api::{Placement, ProcessSlot};
use workload::{Arrival, NodePlan, SendError};

use crate::Host;
use crate::programs::botf::{DATA_BYTES, Destination, HEADER_BYTES, Packet, Peer};
use crate::programs::messages::{Envelope, HEAD_DATA_BYTES, Inbox, Ring};
use crate::programs::remote::Memory;
use crate::programs::vl::Source;
use crate::programs::{Board, Process};
use room::Room;
pub use set_up::{ScheduleError, begin};

/// The process group of all processes.
const PGID: u8 = 0xa5;

/// Places of messages in SO-DIMM: leaving, arriving, and pushed.
const FROM: u32 = 0x10_0000;
const TO: u32 = 0x20_0000;
const RING: u32 = 0x80_0000;

/// Head and Tail of the ring in LLCM, behind the statuses.
const RING_ENTRY: u16 = 0x400;

/// Words in LLCM, one for each process, with the room that it grants.
const ROOM: u32 = 0x408;

/// Bytes that a packet needs in the ring, and of a unit of the ring.
const RING_PACKET: u64 = 2048;
const RING_UNIT: u64 = 64 << 10;

/// Write Windows, used in rotation.
const WINDOWS: u8 = 4;

/// Polls for the end of a transfer between two polls for messages that have arrived.
const POLLS: u64 = 16;

/// Largest message of an RVS: the distance of the two places.
const RVS_BYTES: u64 = (TO - FROM) as u64;

/// Data of one packet at the MTU after reset.
const PACKET_BYTES: u64 = mtu_bytes(0) as u64 - HEADER_BYTES as u64;

/// Bytes of the envelope in front of a message of LHS.
const ENVELOPE_BYTES: u64 = 8;

/// Primitives that carry messages, with the sizes that they carry. A pushed message is one packet.
pub const PRIMITIVES: &[(&str, std::ops::RangeInclusive<u64>)] = &[
    ("botf", 1..=DATA_BYTES as u64),
    ("rvs", 4..=RVS_BYTES),
    ("ipush", 1..=PACKET_BYTES),
    ("lhs", 1..=PACKET_BYTES - ENVELOPE_BYTES),
];

/// A primitive that carries messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Primitive {
    Botf,
    Rvs,
    Ipush,
    Lhs,
}

impl Primitive {
    /// The receiver chooses the place of the message.
    fn is_pushed(self) -> bool {
        matches!(self, Primitive::Ipush | Primitive::Lhs)
    }
}

/// The primitives of a schedule, by name.
fn primitives(names: &[String]) -> Vec<Primitive> {
    let primitive = |name: &String| match name.as_str() {
        "rvs" => Primitive::Rvs,
        "ipush" => Primitive::Ipush,
        "lhs" => Primitive::Lhs,
        _ => Primitive::Botf,
    };
    names.iter().map(primitive).collect()
}

/// A board as a process of a workload uses it. The nodes of a schedule are processes.
pub struct Messenger {
    board: Board,
    /// Number of the process.
    number: usize,
    /// Boards and slots of all processes.
    placement: Placement,
    /// Primitives by their number in the schedule.
    primitives: Vec<Primitive>,
    /// Ring and LH Buffer, if other processes push to this one.
    inbox: Option<Inbox>,
    room: Room,
    /// Statuses announce all messages.
    statuses: bool,
    /// With statuses: the primitives of the messages to come, by sender, if any are pushed.
    coming: BTreeMap<usize, VecDeque<Primitive>>,
    /// Next Write Window.
    window: u8,
    /// Messages that arrived while the node waited.
    arrived: VecDeque<Arrival>,
    /// Senders whose room has grown and who have not been told.
    untold: VecDeque<(usize, u64)>,
}

impl Messenger {
    /// Opens the board of a process for messages that are not pushed.
    async fn open(host: Host, plan: &NodePlan, placement: Placement) -> Self {
        let number = plan.node() as usize;
        let process = Process { wid: Peer::of(placement.process(number)).wid, pgid: PGID };
        Messenger {
            board: Board::initialise(host, process).await,
            number,
            placement,
            primitives: primitives(plan.primitives()),
            inbox: None,
            room: Room::default(),
            statuses: true,
            coming: BTreeMap::new(),
            window: 0,
            arrived: VecDeque::new(),
            untold: VecDeque::new(),
        }
    }

    /// Opens the board of a process for its part of a schedule, before the schedule may [begin].
    pub async fn for_plan(host: Host, plan: &NodePlan, placement: Placement) -> Self {
        let mut messenger = Messenger::open(host, plan, placement).await;
        if messenger.primitives.iter().any(|primitive| primitive.is_pushed()) {
            messenger.make_room(plan).await;
        }
        // From here on the process has the pages of a user, if another one has the other slot.
        if placement.shares_nodes() {
            messenger.board = messenger.board.as_user();
        }
        messenger
    }

    /// Divides the places, makes a ring, and grants room to the nodes that push to this one.
    async fn make_room(&mut self, plan: &NodePlan) {
        let carries = |&number: &u32| self.primitives[plan.message(number).primitive as usize];
        let pushed = |number: &&u32| carries(number).is_pushed();
        let senders = plan.arrivals().iter().filter(pushed).map(|&n| plan.message(n).from as usize);
        let receivers = plan.sends().iter().filter(pushed).map(|&n| plan.message(n).to as usize);
        self.room = Room::new(senders, receivers);
        self.statuses = self.primitives.iter().any(|&primitive| primitive != Primitive::Lhs);
        if self.statuses {
            for number in plan.arrivals() {
                let from = plan.message(*number).from as usize;
                self.coming.entry(from).or_default().push_back(carries(number));
            }
        }
        let host = self.board.host().clone();
        for receiver in self.room.receivers() {
            host.store_uc(self.board.llcm(room_word(receiver)), 0).await;
        }
        if self.room.places() > 0 {
            let ring = |sender| Ring { sender: self.peer(sender), entry: RING_ENTRY, base: RING };
            let rings: Vec<_> = self.room.senders().map(ring).collect();
            // One ring for all senders, so that messages are taken in the order of their arrival.
            let units = (self.room.places() * RING_PACKET).div_ceil(RING_UNIT).next_power_of_two();
            self.inbox = Some(Inbox::open(&self.board, units as u16, &rings).await);
        }
        let ready = Time::ZERO + set_up::rings_there(self.placement);
        assert!(host.now() <= ready, "a node has its ring before others push to it");
        host.compute(ready - host.now()).await;
        self.untold.extend(self.room.first());
        self.tell().await;
    }

    /// Board and slot of a process.
    fn peer(&self, process: usize) -> Peer {
        Peer::of(self.placement.process(process))
    }

    /// The process that sent the packet of a status.
    fn sender(&self, status: &StatusLower) -> usize {
        self.placement.rank(ProcessSlot { node: usize::from(status.sclid) - 1, slot: status.swid.into() })
    }

    fn packet(&self, to: usize, destination: Destination, status: bool) -> Packet {
        Packet { peer: self.peer(to), swid: self.board.process().wid, destination, status, tag: 0 }
    }

    /// Tells senders of their room.
    async fn tell(&mut self) {
        while let Some((sender, room)) = self.untold.pop_front() {
            let window = self.next_window().await;
            let packet = self.packet(sender, Destination::Llcm(room_word(self.number)), false);
            let sent = self.board.send_packet(window, &packet, &room.to_le_bytes()).await;
            sent.expect("a word fits into a window");
        }
    }

    /// Tells senders of their room, then polls for a message.
    async fn look(&mut self) -> Option<Arrival> {
        self.tell().await;
        self.take().await
    }

    /// Polls the ring of receive statuses, or the LH Buffer.
    async fn take(&mut self) -> Option<Arrival> {
        if !self.statuses {
            let head = self.inbox.as_mut()?.poll_head(&self.board).await?;
            let from = head.envelope.rank.into();
            self.give_back(from, (head.size as usize).saturating_sub(HEAD_DATA_BYTES)).await;
            return Some(Arrival { from, bytes: head.size.into() });
        }
        let (lower, _) = self.board.next_status_within(1).await?;
        let (from, size) = (self.sender(&lower), lower.size_list_stride);
        match self.coming.get_mut(&from).and_then(VecDeque::pop_front) {
            Some(Primitive::Ipush) => self.give_back(from, size as usize).await,
            // The head arrives before its status.
            Some(Primitive::Lhs) => {
                let inbox = self.inbox.as_mut().expect("there is room for what is pushed");
                let head = inbox.next_head(&self.board).await;
                self.give_back(from, (head.size as usize).saturating_sub(HEAD_DATA_BYTES)).await;
                return Some(Arrival { from, bytes: head.size.into() });
            }
            _ => {}
        }
        Some(Arrival { from, bytes: size.into() })
    }

    /// Frees the place of a pushed message and its bytes in the ring.
    async fn give_back(&mut self, from: usize, in_ring: usize) {
        if in_ring > 0 {
            let inbox = self.inbox.as_mut().expect("there is room for what is pushed");
            inbox.skip(&self.board, 0, in_ring).await;
        }
        self.untold.extend(self.room.took(from).map(|room| (from, room)));
    }

    /// The next Write Window, once it is free. Messages that arrive meanwhile are taken; otherwise two boards with full
    /// rings would deadlock.
    async fn next_window(&mut self) -> u8 {
        let window = self.window;
        self.window = (window + 1) % WINDOWS;
        while !self.board.window_is_free(window).await {
            let arrival = self.take().await;
            self.arrived.extend(arrival);
        }
        window
    }

    /// Waits until a transfer has left. Messages that arrive meanwhile are taken, as for a Write Window.
    async fn wait_sent(&mut self) {
        while !self.board.sent_within(POLLS).await {
            let arrival = self.take().await;
            self.arrived.extend(arrival);
        }
    }

    /// Waits until the receiver has room; other nodes may wait for this one at the same time.
    async fn wait_room(&mut self, to: usize) {
        while !self.room.is_there(to) {
            let room = self.board.host().load_uc(self.board.llcm(room_word(to))).await;
            self.room.heard(to, room);
            if !self.room.is_there(to) {
                let arrival = self.look().await;
                self.arrived.extend(arrival);
            }
        }
        self.room.push(to);
    }

    async fn botf(&mut self, to: usize, bytes: u64) -> Result<Time, SendError> {
        let window = self.next_window().await;
        let first = self.board.host().now();
        let packet = self.packet(to, Destination::SoDimm(TO), true);
        let data = vec![to as u8; bytes as usize];
        let sent = self.board.send_packet(window, &packet, &data).await;
        sent.map(|()| first).map_err(|error| SendError::Refused(error.to_string()))
    }

    async fn rvs(&mut self, to: usize, bytes: u64) -> Time {
        let first = self.board.host().now();
        let side = |offset| Source::Contiguous { offset, size: bytes as u32 };
        self.board.issue_rvs(self.peer(to), side(FROM), side(TO), Memory::SoDimm, true).await;
        self.wait_sent().await;
        first
    }

    async fn ipush(&mut self, to: usize, bytes: u64) -> Time {
        self.wait_room(to).await;
        let first = self.board.host().now();
        let from = Source::Contiguous { offset: FROM, size: bytes as u32 };
        self.board.issue_ipush(self.peer(to), from, true).await;
        self.wait_sent().await;
        first
    }

    async fn lhs(&mut self, to: usize, bytes: u64) -> Time {
        self.wait_room(to).await;
        let window = self.next_window().await;
        let first = self.board.host().now();
        let envelope = Envelope { context: 0, rank: self.number as u16, tag: 0 };
        let from = Source::Contiguous { offset: FROM, size: bytes as u32 };
        let (peer, statuses) = (self.peer(to), self.statuses);
        self.board.issue_lhs_v2(peer, window, envelope, from, statuses).await;
        self.wait_sent().await;
        first
    }
}

/// Offset in LLCM of the word in which a process grants room.
fn room_word(process: usize) -> u32 {
    ROOM + 8 * process as u32
}

impl workload::Messenger for Messenger {
    fn now(&self) -> Time {
        self.board.host().now()
    }

    async fn wait_until(&mut self, time: Time) {
        let host = self.board.host();
        if time > host.now() {
            host.compute(time - host.now()).await;
        }
    }

    async fn send(&mut self, to: usize, bytes: u64, primitive: usize) -> Result<Time, SendError> {
        Ok(match self.primitives[primitive] {
            Primitive::Botf => return self.botf(to, bytes).await,
            Primitive::Rvs => self.rvs(to, bytes).await,
            Primitive::Ipush => self.ipush(to, bytes).await,
            Primitive::Lhs => self.lhs(to, bytes).await,
        })
    }

    async fn poll(&mut self) -> Option<Arrival> {
        match self.arrived.pop_front() {
            Some(arrival) => Some(arrival),
            None => self.look().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cluster::{Duration, RunError, Waiting};
    use dimmnet2::Dimmnet2 as Device;
    use dimmnet2::address::Area;
    use hdl::Model;
    use workload::{Schedule, Setting};

    use super::*;
    use crate::{AnyNic, Cluster, Settings};

    /// Node 0 of a workload of two nodes, `per_node` on each board, reads `address` once it is set up.
    fn read_once_set_up(per_node: usize, address: u32) -> Result<Time, RunError> {
        let limits = |_: &str| Some(1..=48);
        let setting = Setting { nodes: 2, primitive: "lhs", primitives: &["lhs"], limits: &limits };
        let text = "[[message]]\nfrom = \"all\"\nto = \"next\"\nbytes = 8\n";
        let schedule = Arc::new(Schedule::parse_toml(text, &setting).expect("two messages are a schedule"));
        let placement = Placement::new(2, per_node);
        let device = |_| Box::new(Model::new(Device::default())) as Box<AnyNic>;
        let boards = (0..placement.nodes()).map(device).collect();
        let mut cluster = Cluster::with_switch(boards, &Settings::default());
        for plan in schedule.plans() {
            let number = plan.node() as usize;
            cluster.spawn(placement.node(number), "node", move |host| async move {
                let messenger = Messenger::for_plan(host, &plan, placement).await;
                if number == 0 {
                    messenger.board.host().load_uc(address).await;
                }
            });
        }
        cluster.run(Duration::from_us(200))
    }

    #[test]
    fn node_of_a_shared_board_ends_at_each_page_of_the_other_slot() {
        for area in Area::ALL {
            let address = area.part(true);
            let Err(RunError::Stalled { waiting, .. }) = read_once_set_up(2, address) else {
                panic!("node 0 reads {area:?} of the other slot");
            };
            assert_eq!(waiting[0].waiting, Waiting::PageFault(address), "{area:?}");
        }
        assert!(read_once_set_up(2, Area::Llcm.part(false)).is_ok(), "its own page");
        assert!(read_once_set_up(1, Area::Llcm.part(true)).is_ok(), "alone on its board");
    }
}
