//! Two managers on a wire that may lose datagrams.

use std::net::SocketAddr;
use std::rc::Rc;

use cluster::{Duration, Time};
use proptest::prelude::*;
use rustix::io::Errno;
use serde_bytes::ByteBuf;

use super::call::{ConnectionAnswer, ConnectionCall, ConnectionEvent, EventKind, Parameters, Service};
use super::mad::{Message, Request, reason};
use super::{Groups, Listeners, Manager};

/// Time of a datagram on the wire, and of a look.
const STEP: Duration = Duration::from_us(10);
const PORT: u16 = 7471;

/// Two hosts, each with one channel.
struct World {
    managers: [Manager; 2],
    now: Time,
    /// Datagrams sent so far.
    sent: usize,
    /// Whether the datagram of this count is lost.
    is_lost: Box<dyn FnMut(usize) -> bool>,
}

impl World {
    fn new(is_lost: impl FnMut(usize) -> bool + 'static) -> Self {
        let listeners = Rc::new(Listeners::default());
        let groups = Rc::new(Groups::default());
        let managers = [1, 2].map(|lid| Manager::new(lid, 2, listeners.clone(), groups.clone()));
        let mut world = World { managers, now: Time::ZERO, sent: 0, is_lost: Box::new(is_lost) };
        for host in 0..2 {
            assert_eq!(world.call(host, ConnectionCall::OpenChannel), Ok(ConnectionAnswer::Number(1)));
        }
        world
    }

    fn call(&mut self, host: usize, call: ConnectionCall) -> Result<ConnectionAnswer, Errno> {
        self.managers[host].carry_out(call, self.now)
    }

    fn create(&mut self, host: usize, service: Service) -> u32 {
        match self.call(host, ConnectionCall::Create { channel: 1, service }) {
            Ok(ConnectionAnswer::Number(id)) => id,
            other => panic!("{other:?}"),
        }
    }

    fn step(&mut self) {
        self.now += STEP;
        for from in 0..2 {
            while let Some((lid, bytes)) = self.managers[from].take_datagram() {
                self.sent += 1;
                if !(self.is_lost)(self.sent) {
                    self.managers[usize::from(lid) - 1].receive(from as u16 + 1, &bytes, self.now);
                }
            }
        }
        self.managers.iter_mut().for_each(|manager| manager.advance(self.now));
    }

    /// The next event of a host, within a second.
    fn event(&mut self, host: usize) -> ConnectionEvent {
        for _ in 0..100_000 {
            if let Ok(ConnectionAnswer::Event(event)) = self.call(host, ConnectionCall::TakeEvent(1)) {
                return event;
            }
            self.step();
        }
        panic!("host {host} has no event");
    }

    fn expect(&mut self, host: usize, kind: EventKind) -> ConnectionEvent {
        let event = self.event(host);
        assert_eq!(event.kind, kind, "{event:?}");
        event
    }

    fn listen(&mut self, host: usize, service: Service) -> u32 {
        let id = self.create(host, service);
        let address = SocketAddr::from(([0, 0, 0, 0], PORT));
        assert_eq!(self.call(host, ConnectionCall::Bind { id, address }), Ok(ConnectionAnswer::Done));
        assert_eq!(self.call(host, ConnectionCall::Listen { id, backlog: 1 }), Ok(ConnectionAnswer::Done));
        id
    }

    /// An id of host 1 with a path to a port of host 0.
    fn resolve(&mut self, service: Service, port: u16) -> u32 {
        let id = self.create(1, service);
        let destination = SocketAddr::from(([10, 0, 0, 1], port));
        let call = ConnectionCall::ResolveAddress { id, source: None, destination, timeout_ms: 2_000 };
        assert_eq!(self.call(1, call), Ok(ConnectionAnswer::Done));
        self.expect(1, EventKind::AddressResolved);
        assert_eq!(self.call(1, ConnectionCall::ResolveRoute(id)), Ok(ConnectionAnswer::Done));
        self.expect(1, EventKind::RouteResolved);
        id
    }

    /// A connection: ids of the passive and the active side.
    fn connect(&mut self) -> (u32, u32) {
        self.listen(0, Service::Connection);
        let active = self.resolve(Service::Connection, PORT);
        assert_eq!(self.call(1, connect(active, b"hello")), Ok(ConnectionAnswer::Done));
        let request = self.expect(0, EventKind::ConnectRequest);
        assert_eq!(request.parameters.data[..6], *b"hello\0");
        assert_eq!((request.parameters.pair, request.lid), (5, 2));
        let accept = ConnectionCall::Accept { id: request.id, parameters: Some(parameters(b"welcome")) };
        assert_eq!(self.call(0, accept), Ok(ConnectionAnswer::Done));
        let response = self.expect(1, EventKind::ConnectResponse);
        assert_eq!(response.parameters.data[..8], *b"welcome\0");
        let ready = ConnectionCall::Accept { id: active, parameters: None };
        assert_eq!(self.call(1, ready), Ok(ConnectionAnswer::Done));
        self.expect(0, EventKind::Established);
        (request.id, active)
    }
}

fn parameters(data: &[u8]) -> Parameters {
    Parameters {
        pair: 5,
        data: ByteBuf::from(data),
        responder_resources: 1,
        initiator_depth: 1,
        retries: 7,
        rnr_retries: 6,
        ..Parameters::default()
    }
}

fn connect(id: u32, data: &[u8]) -> ConnectionCall {
    ConnectionCall::Connect { id, parameters: parameters(data) }
}

#[test]
fn connection_is_made_and_ended() {
    let mut world = World::new(|_| false);
    let (passive, active) = world.connect();
    assert!(world.now < Time::ZERO + Duration::from_us(100), "{}", world.now);
    for (host, id) in [(0, passive), (1, active)] {
        let call = ConnectionCall::QueuePairAttributes { id, state: 2 };
        let Ok(ConnectionAnswer::Attributes(attributes)) = world.call(host, call) else { panic!() };
        assert_eq!((attributes.peer, attributes.peer_lid), (5, 2 - host as u16));
        assert_eq!((attributes.peer_reads, attributes.mtu), (1, 4));
        let call = ConnectionCall::QueuePairAttributes { id, state: 3 };
        let Ok(ConnectionAnswer::Attributes(attributes)) = world.call(host, call) else { panic!() };
        assert_eq!((attributes.retries, attributes.rnr_retries, attributes.reads), (7, 6, 1));
    }
    assert_eq!(world.call(1, ConnectionCall::Disconnect(active)), Ok(ConnectionAnswer::Done));
    world.expect(0, EventKind::Disconnected);
    world.expect(1, EventKind::Disconnected);
    assert_eq!(world.call(0, ConnectionCall::Disconnect(passive)), Ok(ConnectionAnswer::Done));
}

#[test]
fn destroyed_connection_ends_at_its_peer() {
    let mut world = World::new(|_| false);
    let (passive, active) = world.connect();
    assert_eq!(world.call(1, ConnectionCall::Destroy(active)), Ok(ConnectionAnswer::Done));
    assert_eq!(world.expect(0, EventKind::Disconnected).id, passive);
    assert_eq!(world.call(1, ConnectionCall::Destroy(active)), Err(Errno::NOENT));
}

#[test]
fn request_to_a_port_without_a_listener_is_refused() {
    let mut world = World::new(|_| false);
    let id = world.resolve(Service::Connection, PORT + 1);
    assert_eq!(world.call(1, connect(id, b"")), Ok(ConnectionAnswer::Done));
    let event = world.expect(1, EventKind::Rejected);
    assert_eq!(event.status, i32::from(reason::INVALID_SERVICE));
    assert!(world.now >= Time::ZERO + Duration::from_us(10_000), "it waits for a listener first");
    let datagram = world.resolve(Service::Datagram, PORT + 1);
    let begin = world.now;
    assert_eq!(world.call(1, connect(datagram, b"")), Ok(ConnectionAnswer::Done));
    assert_eq!(world.expect(1, EventKind::Unreachable).status, 1);
    assert!(world.now - begin < Duration::from_us(100));
}

#[test]
fn listener_that_comes_later_gets_an_early_request() {
    let mut world = World::new(|_| false);
    let id = world.resolve(Service::Connection, PORT);
    assert_eq!(world.call(1, connect(id, b"")), Ok(ConnectionAnswer::Done));
    (0..100).for_each(|_| world.step());
    world.listen(0, Service::Connection);
    world.expect(0, EventKind::ConnectRequest);
}

#[test]
fn silent_peer_is_unreachable_after_all_retries() {
    let mut world = World::new(|_| true);
    world.listen(0, Service::Connection);
    let id = world.resolve(Service::Connection, PORT);
    assert_eq!(world.call(1, connect(id, b"")), Ok(ConnectionAnswer::Done));
    let event = world.expect(1, EventKind::Unreachable);
    assert_eq!((event.status, world.sent), (-Errno::TIMEDOUT.raw_os_error(), 16));
}

#[test]
fn waiting_program_holds_a_request_until_it_is_destroyed() {
    let mut world = World::new(|_| false);
    world.listen(0, Service::Connection);
    let active = world.resolve(Service::Connection, PORT);
    assert_eq!(world.call(1, connect(active, b"")), Ok(ConnectionAnswer::Done));
    let request = world.expect(0, EventKind::ConnectRequest);
    // Without the MRA the request would have ended after 0.27 s.
    (0..50_000).for_each(|_| world.step());
    assert_eq!(world.call(1, ConnectionCall::TakeEvent(1)), Err(Errno::AGAIN));
    assert_eq!(world.call(0, ConnectionCall::Destroy(request.id)), Ok(ConnectionAnswer::Done));
    assert_eq!(world.expect(1, EventKind::Rejected).status, i32::from(reason::CONSUMER));
}

#[test]
fn rejection_carries_private_data() {
    let mut world = World::new(|_| false);
    world.listen(0, Service::Connection);
    let active = world.resolve(Service::Connection, PORT);
    assert_eq!(world.call(1, connect(active, b"")), Ok(ConnectionAnswer::Done));
    let id = world.expect(0, EventKind::ConnectRequest).id;
    let data = ByteBuf::from(b"no".to_vec());
    assert_eq!(world.call(0, ConnectionCall::Reject { id, reason: 0, data }), Ok(ConnectionAnswer::Done));
    let event = world.expect(1, EventKind::Rejected);
    assert_eq!((event.status, &event.parameters.data[..3]), (28, &b"no\0"[..]));
}

#[test]
fn second_request_at_a_full_listener_is_refused() {
    let mut world = World::new(|_| false);
    world.listen(0, Service::Connection);
    for _ in 0..2 {
        let id = world.resolve(Service::Connection, PORT);
        assert_eq!(world.call(1, connect(id, b"")), Ok(ConnectionAnswer::Done));
    }
    world.expect(1, EventKind::Rejected);
    world.expect(0, EventKind::ConnectRequest);
}

#[test]
fn datagram_ids_learn_the_queue_pair_of_their_peer() {
    let mut world = World::new(|count| count == 2);
    world.listen(0, Service::Datagram);
    let id = world.resolve(Service::Datagram, PORT);
    assert_eq!(world.call(1, connect(id, b"who")), Ok(ConnectionAnswer::Done));
    let request = world.expect(0, EventKind::ConnectRequest);
    assert_eq!(request.parameters.data[..4], *b"who\0");
    let accept = ConnectionCall::Accept { id: request.id, parameters: Some(parameters(b"me")) };
    assert_eq!(world.call(0, accept), Ok(ConnectionAnswer::Done));
    // The first answer is lost.
    let event = world.expect(1, EventKind::Established);
    assert_eq!((event.parameters.pair, event.parameters.q_key, event.lid), (5, 0x0123_4567, 1));
    assert_eq!(event.parameters.data[..3], *b"me\0");
}

#[test]
fn localhost_is_the_host_that_listens() {
    let mut world = World::new(|_| false);
    let id = world.create(1, Service::Connection);
    let destination = SocketAddr::from(([127, 0, 0, 1], PORT));
    let resolve = ConnectionCall::ResolveAddress { id, source: None, destination, timeout_ms: 2_000 };
    assert_eq!(world.call(1, resolve.clone()), Ok(ConnectionAnswer::Done));
    assert_eq!(world.call(1, resolve), Err(Errno::INVAL), "it is being resolved");
    world.step();
    world.listen(0, Service::Connection);
    assert_eq!(world.expect(1, EventKind::AddressResolved).lid, 1);
    let lonely = world.create(1, Service::Connection);
    let destination = SocketAddr::from(([127, 0, 0, 1], PORT + 1));
    let resolve = ConnectionCall::ResolveAddress { id: lonely, source: None, destination, timeout_ms: 50 };
    let begin = world.now;
    assert_eq!(world.call(1, resolve), Ok(ConnectionAnswer::Done));
    assert_eq!(world.expect(1, EventKind::AddressError).status, -Errno::HOSTUNREACH.raw_os_error());
    assert_eq!(world.now - begin, Duration::from_us(50_000));
}

#[test]
fn calls_in_wrong_states_and_with_wrong_values_are_refused() {
    let mut world = World::new(|_| false);
    let listener = world.listen(0, Service::Connection);
    let id = world.create(0, Service::Connection);
    let bind = |address: &str| ConnectionCall::Bind { id, address: address.parse().unwrap() };
    assert_eq!(world.call(0, bind("10.0.0.1:7471")), Err(Errno::ADDRINUSE));
    assert_eq!(world.call(0, bind("10.0.0.2:1")), Err(Errno::ADDRNOTAVAIL));
    assert_eq!(world.call(0, ConnectionCall::Listen { id: listener, backlog: 1 }), Err(Errno::INVAL));
    for call in [
        connect(id, b""),
        ConnectionCall::Accept { id, parameters: None },
        ConnectionCall::Reject { id, reason: 0, data: ByteBuf::new() },
        ConnectionCall::Disconnect(id),
        ConnectionCall::ResolveRoute(id),
        ConnectionCall::QueuePairAttributes { id, state: 2 },
    ] {
        assert_eq!(world.call(0, call.clone()), Err(Errno::INVAL), "{call:?}");
    }
    assert_eq!(world.call(0, ConnectionCall::QueryRoute(99)), Err(Errno::NOENT));
    assert_eq!(world.call(0, ConnectionCall::TakeEvent(9)), Err(Errno::BADF));
    let far = SocketAddr::from(([192, 168, 0, 1], 1));
    let call = ConnectionCall::ResolveAddress { id, source: None, destination: far, timeout_ms: 1 };
    assert_eq!(world.call(0, call), Err(Errno::NETUNREACH));
    let active = world.resolve(Service::Connection, PORT);
    assert_eq!(world.call(1, connect(active, &[0; 57])), Err(Errno::INVAL), "56 bytes have room");
    assert_eq!(world.call(1, connect(active, &[0; 56])), Ok(ConnectionAnswer::Done));
}

#[test]
fn migrated_id_takes_its_events_along() {
    let mut world = World::new(|_| false);
    world.listen(0, Service::Connection);
    let id = world.resolve(Service::Connection, PORT + 1);
    assert_eq!(world.call(1, ConnectionCall::OpenChannel), Ok(ConnectionAnswer::Number(2)));
    assert_eq!(world.call(1, connect(id, b"")), Ok(ConnectionAnswer::Done));
    (0..2_000).for_each(|_| world.step());
    assert_eq!(world.call(1, ConnectionCall::Migrate { id, channel: 2 }), Ok(ConnectionAnswer::Done));
    assert_eq!(world.call(1, ConnectionCall::TakeEvent(1)), Err(Errno::AGAIN));
    assert!(world.managers[1].has_event(&[2]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Three of ten datagrams are lost: the handshake and the end of the connection come nevertheless.
    #[test]
    fn lost_datagrams_are_sent_again(seed in any::<u64>()) {
        let mut state = seed | 1;
        let mut world = World::new(move |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % 10 < 3
        });
        let (passive, active) = world.connect();
        prop_assert_eq!(world.call(0, ConnectionCall::Disconnect(passive)), Ok(ConnectionAnswer::Done));
        world.expect(0, EventKind::Disconnected);
        world.expect(1, EventKind::Disconnected);
        prop_assert!(world.call(1, ConnectionCall::Destroy(active)).is_ok());
    }

    /// Any bytes are a message or none, and a manager survives them.
    #[test]
    fn any_datagram_is_survived(mut bytes in proptest::collection::vec(any::<u8>(), 256), kind in 0x0f..0x1a_u8) {
        bytes[..4].copy_from_slice(&[1, 7, 2, 3]);
        bytes[16..18].copy_from_slice(&[0, kind]);
        let mut world = World::new(|_| false);
        let (passive, _) = world.connect();
        // The number of a connection that there is.
        bytes[28..32].copy_from_slice(&passive.to_be_bytes());
        let now = world.now;
        world.managers[0].receive(2, &bytes, now);
        (0..10).for_each(|_| world.step());
    }

    #[test]
    fn messages_survive_the_wire(own in any::<u32>(), psn in 0..1_u32 << 24, depth in any::<u8>(), port in any::<u16>()) {
        let addresses = [[10, 0, 0, 2], [10, 0, 0, 1]].map(|ip| SocketAddr::from((ip, port)));
        let mut parameters = parameters(&[7; 56]);
        parameters.initiator_depth = depth;
        let [source, destination] = addresses;
        let request = Request { own, source, destination, psn, mtu: 4, lids: [2, 1], parameters };
        let message = Message::Request(request);
        prop_assert_eq!(Message::decode(&message.encode(1)), Some(message));
        let data = ByteBuf::from(vec![3; 148]);
        let message = Message::Reject { own, peer: psn, reason: 28, data };
        prop_assert_eq!(Message::decode(&message.encode(2)), Some(message));
    }
}
