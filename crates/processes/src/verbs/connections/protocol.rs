//! Messages that arrive, messages that stay unanswered, and ids that go (IBA volume 1, section 12.9).

use cluster::{Duration, Time};
use rustix::io::Errno;
use serde_bytes::ByteBuf;

use super::Manager;
use super::call::{EventKind, Parameters, Service};
use super::id::{Id, Pending, State, first_psn};
use super::mad::{Message, Request, SERVICE_TIMEOUT, reason, sidr};
use super::manager::RESPONSE_TIME;

/// Time for which an MRA holds a request.
const SERVICE_TIME: Duration = Duration::from_ps(4_096_000 << SERVICE_TIMEOUT);
/// Time from the start of the run until which a request waits for a listener. All programs start at once, while a user
/// starts the server first (our choice).
const SETTLED: Time = Time::from_ps(10_000_000_000);

impl Manager {
    /// A datagram has arrived from the port with this LID.
    pub fn receive(&mut self, lid: u16, bytes: &[u8], now: Time) {
        self.now = now;
        if let Some(message) = Message::decode(bytes) {
            self.handle(lid, message);
        }
    }

    /// Time has passed: messages without an answer are sent again, or given up.
    pub fn advance(&mut self, now: Time) {
        self.now = now;
        let seeking: Vec<u32> = self.numbers(|id| id.state == State::ResolvingAddress);
        seeking.into_iter().for_each(|number| self.seek(number));
        self.answer_memberships();
        for (lid, message) in std::mem::take(&mut self.early) {
            self.handle(lid, message);
        }
        let is_due = |pending: &Pending| pending.due <= now;
        for number in self.numbers(|id| id.pending.as_ref().is_some_and(is_due)) {
            self.repeat(number);
        }
        let due: Vec<u32> =
            self.closing.iter().filter(|(_, pending)| is_due(pending)).map(|(number, _)| *number).collect();
        for number in due {
            let Some(mut pending) = self.closing.remove(&number) else { continue };
            if pending.repeat(now) {
                self.send(pending.lid, &pending.message);
                self.closing.insert(number, pending);
            }
        }
    }

    fn numbers(&self, is_one: impl Fn(&Id) -> bool) -> Vec<u32> {
        self.ids.iter().filter(|(_, id)| is_one(id)).map(|(number, _)| *number).collect()
    }

    /// Sends the message of an id again, or gives it up.
    fn repeat(&mut self, number: u32) {
        let now = self.now;
        let Ok(id) = self.id(number) else { return };
        let Some(pending) = &mut id.pending else { return };
        if pending.repeat(now) {
            let (lid, message) = (pending.lid, pending.message.clone());
            return self.send(lid, &message);
        }
        let was = std::mem::replace(&mut id.state, State::Ended);
        id.pending = None;
        let kind = if was == State::Disconnecting { EventKind::Disconnected } else { EventKind::Unreachable };
        self.report(number, kind, -Errno::TIMEDOUT.raw_os_error());
    }

    fn handle(&mut self, lid: u16, message: Message) {
        match message {
            Message::Request(request) => self.handle_request(lid, request),
            Message::Resolve { .. } => self.handle_resolve(lid, message),
            Message::Wait { peer, .. } => {
                let until = self.now + SERVICE_TIME;
                if let Some(pending) = self.of_peer(lid, peer).and_then(|id| id.pending.as_mut()) {
                    pending.due = until;
                }
            }
            Message::Reply { own, peer, psn, parameters } => {
                self.handle_reply(lid, own, peer, psn, parameters);
            }
            Message::Ready { peer, .. } => {
                if let Some(id) = self.of_peer(lid, peer).filter(|id| id.state == State::Accepted) {
                    (id.state, id.pending) = (State::Connected, None);
                    self.report(peer, EventKind::Established, 0);
                }
            }
            Message::Reject { own, peer, reason, data } => self.handle_reject(lid, own, peer, reason, data),
            Message::Disconnect { own, peer, .. } => {
                self.send(lid, &Message::Disconnected { own: peer, peer: own });
                self.end(
                    lid,
                    peer,
                    &[State::Accepted, State::Answered, State::Connected, State::Disconnecting],
                );
            }
            Message::Disconnected { peer, .. } => {
                self.closing.remove(&peer);
                self.end(lid, peer, &[State::Disconnecting]);
            }
            Message::Resolved { peer, status, pair, q_key, data } => {
                let Some(id) = self.of_peer(lid, peer).filter(|id| id.state == State::Connecting) else {
                    return;
                };
                (id.state, id.pending) = (State::Ended, None);
                let parameters = Parameters { pair, q_key, data, ..Parameters::default() };
                let kind =
                    if status == sidr::ACCEPTED { EventKind::Established } else { EventKind::Unreachable };
                self.report_with(peer, kind, status.into(), parameters);
            }
        }
    }

    /// The id of this number, if its peer is at the port with this LID.
    fn of_peer(&mut self, lid: u16, number: u32) -> Option<&mut Id> {
        self.ids.get_mut(&number).filter(|id| id.peer_lid == Some(lid))
    }

    /// The id that a request of a peer has made.
    fn of_request(&self, lid: u16, peer: u32) -> Option<u32> {
        let made = |id: &Id| id.listener.is_some() && id.peer_lid == Some(lid) && id.peer == peer;
        self.numbers(made).last().copied()
    }

    /// A connection ends in one of these states.
    fn end(&mut self, lid: u16, number: u32, states: &[State]) {
        if let Some(id) = self.of_peer(lid, number).filter(|id| states.contains(&id.state)) {
            (id.state, id.pending) = (State::Ended, None);
            self.report(number, EventKind::Disconnected, 0);
        }
    }

    fn handle_request(&mut self, lid: u16, request: Request) {
        if let Some(number) = self.of_request(lid, request.own) {
            return self.answer_again(number, lid);
        }
        let Some((listener, channel)) = self.find_listener(Service::Connection, request.destination.port())
        else {
            if self.now < SETTLED {
                return self.early.push((lid, Message::Request(request)));
            }
            return self.refuse(lid, request.own, reason::INVALID_SERVICE);
        };
        if self.is_full(listener) {
            return self.refuse(lid, request.own, reason::CONSUMER);
        }
        let Request { own: peer, source, destination, psn, mtu, parameters, .. } = request;
        let mut id = Id::new(channel, Service::Connection);
        id.take_request(lid, peer, listener, (source, destination));
        (id.peer_psn, id.mtu, id.remote) = (psn, mtu.min(id.mtu), parameters.clone());
        let number = self.add(id);
        if let Ok(id) = self.id(number) {
            id.psn = first_psn(number);
        }
        self.send(lid, &Message::Wait { own: number, peer });
        self.report_with(number, EventKind::ConnectRequest, 0, swapped(parameters));
    }

    fn handle_resolve(&mut self, lid: u16, message: Message) {
        let Message::Resolve { own: peer, source, destination, data } = &message else { return };
        let peer = *peer;
        if let Some(number) = self.of_request(lid, peer) {
            return self.answer_again(number, lid);
        }
        let Some((listener, channel)) = self.find_listener(Service::Datagram, destination.port()) else {
            if self.now < SETTLED {
                return self.early.push((lid, message));
            }
            let data = ByteBuf::new();
            let status = sidr::UNSUPPORTED;
            return self.send(lid, &Message::Resolved { peer, status, pair: 0, q_key: 0, data });
        };
        if self.is_full(listener) {
            // The peer asks again.
            return;
        }
        let mut id = Id::new(channel, Service::Datagram);
        id.take_request(lid, peer, listener, (*source, *destination));
        let parameters = Parameters { data: data.clone(), ..Parameters::default() };
        let number = self.add(id);
        self.report_with(number, EventKind::ConnectRequest, 0, parameters);
    }

    /// The listening id of a port, with its channel.
    fn find_listener(&self, service: Service, port: u16) -> Option<(u32, u32)> {
        let listener = self.listener(service, port)?;
        Some((listener, self.ids[&listener].channel))
    }

    /// Whether as many requests wait at a listener as it has room for.
    fn is_full(&self, listener: u32) -> bool {
        let Some(id) = self.ids.get(&listener) else { return true };
        let events = self.channels.get(&id.channel).into_iter().flatten();
        events.filter(|event| event.listener == Some(listener)).count() >= id.backlog as usize
    }

    fn refuse(&mut self, lid: u16, peer: u32, reason: u16) {
        self.send(lid, &Message::Reject { own: 0, peer, reason, data: ByteBuf::new() });
    }

    /// A request has come again: its answer, or the MRA, was lost.
    fn answer_again(&mut self, number: u32, lid: u16) {
        let Ok(id) = self.id(number) else { return };
        let answer = match (&id.answer, &id.pending) {
            (Some(answer), _) => Some(answer.clone()),
            (None, Some(pending)) if id.state == State::Accepted => Some(pending.message.clone()),
            _ if id.state == State::Requested && id.service == Service::Connection => {
                Some(Message::Wait { own: number, peer: id.peer })
            }
            _ => None,
        };
        if let Some(answer) = answer {
            self.send(lid, &answer);
        }
    }

    fn handle_reply(&mut self, lid: u16, peer: u32, number: u32, psn: u32, parameters: Parameters) {
        let Some(id) = self.of_peer(lid, number) else {
            return self.refuse(lid, peer, reason::INVALID_ID);
        };
        match id.state {
            State::Connecting => {
                (id.state, id.pending) = (State::Answered, None);
                (id.peer, id.peer_psn, id.remote) = (peer, psn, parameters.clone());
                self.report_with(number, EventKind::ConnectResponse, 0, swapped(parameters));
            }
            State::Connected if id.peer == peer => self.send(lid, &Message::Ready { own: number, peer }),
            _ => {}
        }
    }

    fn handle_reject(&mut self, lid: u16, peer: u32, number: u32, reason: u16, data: ByteBuf) {
        // A peer that has not heard of this side's number names its own alone.
        let number = if number == 0 { self.of_request(lid, peer) } else { Some(number) };
        let Some(number) = number else { return };
        let states =
            [State::Connecting, State::Answered, State::Requested, State::Accepted, State::Connected];
        if let Some(id) = self.of_peer(lid, number).filter(|id| states.contains(&id.state)) {
            (id.state, id.pending) = (State::Ended, None);
            let parameters = Parameters { data, ..Parameters::default() };
            self.report_with(number, EventKind::Rejected, reason.into(), parameters);
        }
    }

    /// The program has destroyed an id: its peer is told.
    pub(super) fn leave(&mut self, number: u32, id: Id) {
        let Some(lid) = id.peer_lid else { return };
        let (own, peer) = (number, id.peer);
        match (id.service, id.state) {
            (Service::Connection, State::Connecting) => {
                self.send(
                    lid,
                    &Message::Reject { own, peer: 0, reason: reason::TIMEOUT, data: ByteBuf::new() },
                );
            }
            (Service::Connection, State::Answered | State::Requested | State::Accepted) => {
                let data = ByteBuf::new();
                self.send(lid, &Message::Reject { own, peer, reason: reason::CONSUMER, data });
            }
            (Service::Datagram, State::Requested) => {
                let (status, data) = (sidr::REJECTED, ByteBuf::new());
                self.send(lid, &Message::Resolved { peer, status, pair: 0, q_key: 0, data });
            }
            (_, State::Connected) => {
                let message = Message::Disconnect { own, peer, pair: id.remote.pair };
                self.send(lid, &message);
                let due = self.now + RESPONSE_TIME;
                let retries = super::mad::RETRIES;
                self.closing.insert(number, Pending { lid, message, due, retries });
            }
            (_, State::Disconnecting) => {
                self.closing.extend(id.pending.map(|pending| (number, pending)));
            }
            _ => {}
        }
    }
}

/// Parameters of the peer as events report them: what the peer begins is what this side answers.
fn swapped(parameters: Parameters) -> Parameters {
    Parameters {
        responder_resources: parameters.initiator_depth,
        initiator_depth: parameters.responder_resources,
        ..parameters
    }
}

impl Id {
    /// A request has made this id.
    fn take_request(
        &mut self,
        lid: u16,
        peer: u32,
        listener: u32,
        (source, destination): (std::net::SocketAddr, std::net::SocketAddr),
    ) {
        (self.state, self.listener) = (State::Requested, Some(listener));
        (self.source, self.destination) = (destination, Some(source));
        (self.is_on_host, self.peer_lid, self.peer) = (true, Some(lid), peer);
    }
}

impl Pending {
    /// Counts a repetition; false if there were enough.
    fn repeat(&mut self, now: Time) -> bool {
        let Some(retries) = self.retries.checked_sub(1) else { return false };
        (self.retries, self.due) = (retries, now + RESPONSE_TIME);
        true
    }
}
