//! All ids of a host with their channels.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use cluster::{Duration, Time};
use rustix::io::Errno;

use super::call::{ConnectionEvent, EventKind, Parameters};
use super::groups::Membership;
use super::id::{Id, Pending, State};
use super::mad::{MAD_BYTES, Message, RESPONSE_TIMEOUT, RETRIES};
use super::requests::LAG;
use super::{Groups, Listeners};

/// Time after which a message is sent again.
pub(super) const RESPONSE_TIME: Duration = Duration::from_ps(4_096_000 << RESPONSE_TIMEOUT);

/// The connection manager of a host.
#[derive(Debug)]
pub struct Manager {
    pub(super) lid: u16,
    /// Hosts of the run.
    pub(super) hosts: usize,
    pub(super) listeners: Rc<Listeners>,
    pub(super) groups: Rc<Groups>,
    pub(super) ids: BTreeMap<u32, Id>,
    /// Memberships in multicast groups; they are numbered with the ids.
    pub(super) memberships: BTreeMap<u32, Membership>,
    /// Events that the program has not taken, by channel.
    pub(super) channels: BTreeMap<u32, VecDeque<ConnectionEvent>>,
    /// Ends of connections that the peer has not acknowledged, by the id, which is destroyed.
    pub(super) closing: BTreeMap<u32, Pending>,
    /// Requests for ports that have no listener yet.
    pub(super) early: Vec<(u16, Message)>,
    pub(super) now: Time,
    pub(super) last_port: u16,
    last_id: u32,
    last_channel: u32,
    outgoing: VecDeque<(u16, [u8; MAD_BYTES])>,
    transactions: u64,
}

impl Manager {
    /// The manager of the host whose port has this LID, one of `hosts`.
    pub fn new(lid: u16, hosts: usize, listeners: Rc<Listeners>, groups: Rc<Groups>) -> Self {
        Manager {
            lid,
            hosts,
            listeners,
            groups,
            ids: BTreeMap::new(),
            memberships: BTreeMap::new(),
            channels: BTreeMap::new(),
            closing: BTreeMap::new(),
            early: Vec::new(),
            now: Time::ZERO,
            last_port: super::ports::FIRST_FREE - 1,
            last_id: 0,
            last_channel: 0,
            outgoing: VecDeque::new(),
            transactions: 0,
        }
    }

    /// The latest instant up to which this host sees what managers of others have done.
    pub(super) fn visible(&self) -> Time {
        Time::from_ps(self.now.ps().saturating_sub(LAG.ps()))
    }

    /// Takes the next datagram to send: LID of the receiver and bytes.
    pub fn take_datagram(&mut self) -> Option<(u16, [u8; MAD_BYTES])> {
        self.outgoing.pop_front()
    }

    /// Whether one of these channels has an event.
    pub fn has_event(&self, channels: &[u32]) -> bool {
        channels.iter().any(|channel| self.channels.get(channel).is_some_and(|events| !events.is_empty()))
    }

    /// The program has ended: all its ids are destroyed.
    pub fn close(&mut self, now: Time) {
        self.now = now;
        let channels: Vec<u32> = self.channels.keys().copied().collect();
        for channel in channels {
            self.close_channel(channel);
        }
    }

    pub(super) fn open_channel(&mut self) -> u32 {
        self.last_channel += 1;
        self.channels.insert(self.last_channel, VecDeque::new());
        self.last_channel
    }

    pub(super) fn close_channel(&mut self, channel: u32) {
        let of_channel: Vec<u32> =
            self.ids.iter().filter(|(_, id)| id.channel == channel).map(|(number, _)| *number).collect();
        for id in of_channel {
            let _ = self.destroy(id);
        }
        self.channels.remove(&channel);
    }

    pub(super) fn add(&mut self, id: Id) -> u32 {
        let number = self.next_number();
        self.ids.insert(number, id);
        number
    }

    pub(super) fn next_number(&mut self) -> u32 {
        self.last_id += 1;
        self.last_id
    }

    pub(super) fn id(&mut self, number: u32) -> Result<&mut Id, Errno> {
        self.ids.get_mut(&number).ok_or(Errno::NOENT)
    }

    /// An id in one of these states; `EINVAL` in any other.
    pub(super) fn id_in(&mut self, number: u32, states: &[State]) -> Result<&mut Id, Errno> {
        let id = self.id(number)?;
        if states.contains(&id.state) { Ok(id) } else { Err(Errno::INVAL) }
    }

    /// Sends a message once.
    pub(super) fn send(&mut self, lid: u16, message: &Message) {
        self.transactions += 1;
        self.outgoing.push_back((lid, message.encode(u64::from(self.lid) << 32 | self.transactions)));
    }

    /// Sends a message of an id, and sends it again until it is answered.
    pub(super) fn send_until_answered(&mut self, number: u32, lid: u16, message: Message) {
        self.send(lid, &message);
        let due = self.now + RESPONSE_TIME;
        if let Ok(id) = self.id(number) {
            id.pending = Some(Pending { lid, message, due, retries: RETRIES });
        }
    }

    /// Reports an event without parameters of the peer.
    pub(super) fn report(&mut self, number: u32, kind: EventKind, status: i32) {
        self.report_with(number, kind, status, Parameters::default());
    }

    /// Reports an event to the channel of an id.
    pub(super) fn report_with(&mut self, number: u32, kind: EventKind, status: i32, parameters: Parameters) {
        let Ok(id) = self.id(number) else { return };
        let (channel, lid, service) = (id.channel, id.peer_lid.unwrap_or_default(), id.service);
        let listener = id.listener.filter(|_| kind == EventKind::ConnectRequest);
        let event =
            ConnectionEvent { id: number, listener, service, kind, status, lid, gid: None, parameters };
        self.push(channel, event);
    }

    /// Adds an event to a channel, if it is open.
    pub(super) fn push(&mut self, channel: u32, event: ConnectionEvent) {
        if let Some(events) = self.channels.get_mut(&channel) {
            events.push_back(event);
        }
    }

    /// Removes an id, its events and the requests that wait at it.
    pub(super) fn destroy(&mut self, number: u32) -> Result<(), Errno> {
        let id = self.ids.remove(&number).ok_or(Errno::NOENT)?;
        self.leave_groups(number);
        let mut unseen = Vec::new();
        for events in self.channels.values_mut() {
            events.retain(|event| {
                if event.listener == Some(number) {
                    unseen.push(event.id);
                }
                event.id != number && event.listener != Some(number)
            });
        }
        if id.state == State::Listening {
            self.listeners.remove(id.service, id.source.port(), self.lid);
        }
        self.leave(number, id);
        for request in unseen {
            let _ = self.destroy(request);
        }
        Ok(())
    }
}
