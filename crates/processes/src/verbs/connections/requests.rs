//! Calls of the program.

use std::net::SocketAddr;

use cluster::{Duration, Time};
use rustix::io::Errno;
use serde_bytes::ByteBuf;

use super::Manager;
use super::addresses::{self, is_loopback, is_unspecified, unspecified};
use super::call::{ConnectionAnswer, ConnectionCall, EventKind, PairAttributes, Parameters, Route, Service};
use super::id::{Id, State, first_psn};
use super::mad::{
    ACK_TIMEOUT, Message, Request, most_reject_data, most_reply_data, most_request_data, reason, sidr,
};
use crate::verbs::call::access::{REMOTE_READ, REMOTE_WRITE};
use crate::verbs::call::mask;
use crate::verbs::call::state::{INIT, READY_TO_RECEIVE, READY_TO_SEND};

/// Time for which an address is sought at most: three probes, 100 ms apart (our choice).
const PROBES: Duration = Duration::from_us(300_000);
/// Requests that wait at a listener that names no number, and at most, as in Linux.
const MOST_BACKLOG: u32 = 1_024;
/// Q_Key of datagram ids (`RDMA_UDP_QKEY`).
pub(super) const DATAGRAM_Q_KEY: u32 = 0x0123_4567;
/// Code of the RNR NAK timer, 0.64 ms (our choice, that of perftest; Linux has 655 ms).
const RNR_NAK_TIMER: u8 = 12;

type Result<T> = std::result::Result<T, Errno>;

impl Manager {
    /// Carries out a call at `now`.
    pub fn carry_out(&mut self, call: ConnectionCall, now: Time) -> Result<ConnectionAnswer> {
        self.now = now;
        let done = match call {
            ConnectionCall::OpenChannel => return Ok(ConnectionAnswer::Number(self.open_channel())),
            ConnectionCall::Create { channel, service } => {
                if !self.channels.contains_key(&channel) {
                    return Err(Errno::BADF);
                }
                return Ok(ConnectionAnswer::Number(self.add(Id::new(channel, service))));
            }
            ConnectionCall::QueryRoute(id) => return self.route(id).map(ConnectionAnswer::Route),
            ConnectionCall::QueuePairAttributes { id, state } => {
                return self.pair_attributes(id, state).map(ConnectionAnswer::Attributes);
            }
            ConnectionCall::TakeEvent(channel) => {
                let events = self.channels.get_mut(&channel).ok_or(Errno::BADF)?;
                return events.pop_front().map(ConnectionAnswer::Event).ok_or(Errno::AGAIN);
            }
            ConnectionCall::CloseChannel(channel) => {
                self.close_channel(channel);
                Ok(())
            }
            ConnectionCall::JoinGroup { id, address } => {
                return self.join_group(id, address).map(ConnectionAnswer::Number);
            }
            ConnectionCall::LeaveGroup(membership) => self.leave_group(membership),
            ConnectionCall::Destroy(id) => self.destroy(id),
            ConnectionCall::Bind { id, address } => self.bind(id, address),
            ConnectionCall::ResolveAddress { id, source, destination, timeout_ms } => {
                self.resolve_address(id, source, destination, timeout_ms)
            }
            ConnectionCall::ResolveRoute(id) => self.resolve_route(id),
            ConnectionCall::Connect { id, parameters } => self.connect(id, parameters),
            ConnectionCall::Listen { id, backlog } => self.listen(id, backlog),
            ConnectionCall::Accept { id, parameters } => self.accept(id, parameters),
            ConnectionCall::Reject { id, reason, data } => self.reject(id, reason, data),
            ConnectionCall::Disconnect(id) => self.disconnect(id),
            ConnectionCall::ReusePort { id, allowed } => {
                self.id(id)?.reuses_port = allowed;
                Ok(())
            }
            ConnectionCall::NotifyEstablished(id) => self.establish(id),
            ConnectionCall::Migrate { id, channel } => self.migrate(id, channel),
        };
        done.map(|()| ConnectionAnswer::Done)
    }

    fn route(&mut self, number: u32) -> Result<Route> {
        let own = self.lid;
        let id = self.id(number)?;
        Ok(Route {
            source: id.source,
            destination: id.destination,
            lid: id.is_on_host.then_some(own),
            peer_lid: id.peer_lid,
            has_path: id.listener.is_some()
                || id.state as u8 >= State::RouteResolved as u8 && id.peer_lid.is_some(),
        })
    }

    fn resolve_address(
        &mut self,
        number: u32,
        source: Option<SocketAddr>,
        destination: SocketAddr,
        timeout_ms: u32,
    ) -> Result<()> {
        let is_idle = self.id_in(number, &[State::Idle, State::Bound])?.state == State::Idle;
        let is_local = is_loopback(destination) || is_unspecified(destination);
        let is_of_subnet = addresses::is_of_subnet(destination.ip());
        if !is_local && !is_of_subnet && !destination.ip().is_multicast() {
            return Err(Errno::NETUNREACH);
        }
        if is_idle {
            self.bind(number, source.unwrap_or_else(unspecified))?;
        }
        let own = addresses::of_lid(self.lid);
        let deadline = self.now + PROBES.min(Duration::from_us(1_000) * u64::from(timeout_ms));
        let id = self.id(number)?;
        id.source = SocketAddr::new(own.into(), id.source.port());
        (id.destination, id.is_on_host) = (Some(destination), true);
        (id.state, id.deadline) = (State::ResolvingAddress, Some(deadline));
        self.seek(number);
        Ok(())
    }

    /// Looks for the peer of an id whose address is resolved.
    pub(super) fn seek(&mut self, number: u32) {
        let (now, hosts, visible) = (self.now, self.hosts, self.visible());
        let Ok(id) = self.id(number) else { return };
        let (Some(destination), Some(deadline)) = (id.destination, id.deadline) else { return };
        let (service, is_over) = (id.service, now >= deadline);
        let lid = match addresses::lid_of(destination.ip(), hosts) {
            None if is_loopback(destination) || is_unspecified(destination) => {
                self.listeners.find(service, destination.port(), visible)
            }
            lid => lid,
        };
        let is_group = destination.ip().is_multicast();
        let Ok(id) = self.id(number) else { return };
        match lid {
            // A group has no peer: members join it.
            None if is_group => {
                (id.state, id.deadline, id.peer_lid) = (State::AddressResolved, None, None);
                self.report(number, EventKind::AddressResolved, 0);
            }
            Some(lid) => {
                (id.state, id.deadline, id.peer_lid) = (State::AddressResolved, None, Some(lid));
                self.report(number, EventKind::AddressResolved, 0);
            }
            None if is_over => {
                (id.state, id.deadline) = (State::Bound, None);
                self.report(number, EventKind::AddressError, -Errno::HOSTUNREACH.raw_os_error());
            }
            None => {}
        }
    }

    fn resolve_route(&mut self, number: u32) -> Result<()> {
        self.id_in(number, &[State::AddressResolved])?.state = State::RouteResolved;
        self.report(number, EventKind::RouteResolved, 0);
        Ok(())
    }

    fn listen(&mut self, number: u32, backlog: u32) -> Result<()> {
        if self.id_in(number, &[State::Idle, State::Bound])?.state == State::Idle {
            self.bind(number, unspecified())?;
        }
        let (lid, now) = (self.lid, self.now);
        let id = self.id(number)?;
        let (service, port) = (id.service, id.source.port());
        if self.listener(service, port).is_some() {
            return Err(Errno::ADDRINUSE);
        }
        let id = self.id(number)?;
        id.state = State::Listening;
        id.backlog = if (1..=MOST_BACKLOG).contains(&backlog) { backlog } else { MOST_BACKLOG };
        self.listeners.add(service, port, lid, now);
        Ok(())
    }

    fn connect(&mut self, number: u32, parameters: Parameters) -> Result<()> {
        let lid = self.lid;
        let id = self.id_in(number, &[State::RouteResolved])?;
        if parameters.data.len() > most_request_data(id.service) {
            return Err(Errno::INVAL);
        }
        let (peer_lid, destination) = (id.peer_lid.ok_or(Errno::INVAL)?, id.destination.ok_or(Errno::INVAL)?);
        id.psn = first_psn(number);
        (id.own, id.state) = (parameters.clone(), State::Connecting);
        let (own, source) = (number, id.source);
        let message = match id.service {
            Service::Connection => Message::Request(Request {
                own,
                source,
                destination,
                psn: id.psn,
                mtu: id.mtu,
                lids: [lid, peer_lid],
                parameters,
            }),
            Service::Datagram => Message::Resolve { own, source, destination, data: parameters.data },
        };
        self.send_until_answered(number, peer_lid, message);
        Ok(())
    }

    fn accept(&mut self, number: u32, parameters: Option<Parameters>) -> Result<()> {
        let id = self.id_in(number, &[State::Requested, State::Answered])?;
        let (lid, peer) = (id.peer_lid.ok_or(Errno::INVAL)?, id.peer);
        if id.state == State::Answered {
            id.state = State::Connected;
            self.send(lid, &Message::Ready { own: number, peer });
            return Ok(());
        }
        let parameters = parameters.ok_or(Errno::INVAL)?;
        if parameters.data.len() > most_reply_data(id.service) {
            return Err(Errno::INVAL);
        }
        id.own = parameters.clone();
        if id.service == Service::Datagram {
            id.state = State::Ended;
            let q_key = if parameters.q_key == 0 { DATAGRAM_Q_KEY } else { parameters.q_key };
            let Parameters { pair, data, .. } = parameters;
            let answer = Message::Resolved { peer, status: sidr::ACCEPTED, pair, q_key, data };
            id.answer = Some(answer.clone());
            self.send(lid, &answer);
            return Ok(());
        }
        id.state = State::Accepted;
        let message = Message::Reply { own: number, peer, psn: id.psn, parameters };
        self.send_until_answered(number, lid, message);
        Ok(())
    }

    fn reject(&mut self, number: u32, reason: u8, data: ByteBuf) -> Result<()> {
        let id = self.id_in(number, &[State::Requested, State::Answered])?;
        if data.len() > most_reject_data(id.service) {
            return Err(Errno::INVAL);
        }
        id.state = State::Ended;
        let (lid, peer, service) = (id.peer_lid.ok_or(Errno::INVAL)?, id.peer, id.service);
        let message = match service {
            Service::Datagram => Message::Resolved { peer, status: sidr::REJECTED, pair: 0, q_key: 0, data },
            Service::Connection => {
                let reason = if reason == 0 { reason::CONSUMER } else { reason.into() };
                Message::Reject { own: number, peer, reason, data }
            }
        };
        self.id(number)?.answer = Some(message.clone());
        self.send(lid, &message);
        Ok(())
    }

    fn disconnect(&mut self, number: u32) -> Result<()> {
        let id = self.id(number)?;
        match id.state {
            State::Connected | State::Accepted | State::Answered => {}
            // The peer has ended the connection, or the program has.
            State::Disconnecting => return Ok(()),
            State::Ended if id.service == Service::Connection => return Ok(()),
            _ => return Err(Errno::INVAL),
        }
        id.state = State::Disconnecting;
        let (lid, peer, pair) = (id.peer_lid.ok_or(Errno::INVAL)?, id.peer, id.remote.pair);
        self.send_until_answered(number, lid, Message::Disconnect { own: number, peer, pair });
        Ok(())
    }

    /// Data of the peer have arrived, so it has completed the handshake.
    fn establish(&mut self, number: u32) -> Result<()> {
        let id = self.id_in(number, &[State::Accepted, State::Connected])?;
        if id.state == State::Accepted {
            (id.state, id.pending) = (State::Connected, None);
            self.report(number, EventKind::Established, 0);
        }
        Ok(())
    }

    fn migrate(&mut self, number: u32, channel: u32) -> Result<()> {
        let from = self.id(number)?.channel;
        if !self.channels.contains_key(&channel) {
            return Err(Errno::BADF);
        }
        self.id(number)?.channel = channel;
        let events = self.channels.entry(from).or_default();
        let of_id = |event: &super::call::ConnectionEvent| event.listener.unwrap_or(event.id) == number;
        let moved: Vec<_> = events.iter().filter(|event| of_id(event)).cloned().collect();
        events.retain(|event| !of_id(event));
        self.channels.entry(channel).or_default().extend(moved);
        Ok(())
    }

    /// Attributes of a queue pair for a state, as `ib_cm_init_qp_attr` of Linux has them.
    fn pair_attributes(&mut self, number: u32, state: u32) -> Result<PairAttributes> {
        use mask::*;
        let id = self.id(number)?;
        let all = PairAttributes { state, ..PairAttributes::default() };
        let has_peer = id.service == Service::Connection && id.state as u8 >= State::Connecting as u8;
        Ok(match state {
            INIT if id.service == Service::Datagram => {
                PairAttributes { mask: STATE | PARTITION | PORT | Q_KEY, q_key: DATAGRAM_Q_KEY, ..all }
            }
            INIT => {
                let reads = if has_peer && id.peer_reads() > 0 { REMOTE_READ } else { 0 };
                let access = if has_peer { REMOTE_WRITE | reads } else { 0 };
                PairAttributes { mask: STATE | PARTITION | PORT | ACCESS, access, ..all }
            }
            READY_TO_RECEIVE if has_peer => PairAttributes {
                mask: STATE | ADDRESS | MTU | PEER | RECEIVE_PSN | PEER_READS | RNR_TIMER,
                peer_lid: id.peer_lid.ok_or(Errno::INVAL)?,
                mtu: id.mtu.into(),
                peer: id.remote.pair,
                receive_psn: id.peer_psn,
                peer_reads: id.peer_reads(),
                rnr_timer: RNR_NAK_TIMER,
                ..all
            },
            READY_TO_SEND if has_peer => PairAttributes {
                mask: STATE | SEND_PSN | TIMEOUT | RETRIES | RNR_RETRIES | READS,
                send_psn: id.psn,
                timeout: ACK_TIMEOUT,
                retries: if id.listener.is_some() { id.remote.retries } else { id.own.retries },
                rnr_retries: id.remote.rnr_retries,
                reads: id.reads(),
                ..all
            },
            _ => return Err(Errno::INVAL),
        })
    }
}

/// Calls of other hosts are seen if they came this long before: times of two hosts differ by less.
pub(super) const LAG: Duration = Duration::from_us(2);
