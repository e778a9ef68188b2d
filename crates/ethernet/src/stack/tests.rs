use cluster::Duration;

use super::*;

const PORT: u16 = 7;

/// Two hosts and a cable without delay.
struct Hosts {
    stacks: [Stack; 2],
    now: Time,
    /// Frames that each host has sent.
    sent: [Vec<Vec<u8>>; 2],
    /// The cable of host 1 is cut.
    is_cut: bool,
}

fn mac(node: NodeId) -> [u8; 6] {
    [2, 0, 0, 0, 0, node.0 as u8]
}

const fn ms(count: u64) -> Duration {
    Duration::from_us(1_000 * count)
}

impl Hosts {
    fn new() -> Self {
        let stacks = [3, 4].map(|node| Stack::new(NodeId(node), mac));
        Hosts { stacks, now: Time::ZERO, sent: Default::default(), is_cut: false }
    }

    /// Two hosts with a connection, and its sockets.
    fn connected() -> (Self, [SocketHandle; 2]) {
        let mut hosts = Hosts::new();
        let there = hosts.stacks[1].listen(PORT);
        let here = hosts.stacks[0].connect(NodeId(4), PORT);
        assert_eq!([hosts.progress(0, here), hosts.progress(1, there)], [Progress::Waits; 2]);
        hosts.exchange();
        assert_eq!([hosts.progress(0, here), hosts.progress(1, there)], [Progress::Connected; 2]);
        hosts.stacks[0].connected(here);
        hosts.sent = Default::default();
        (hosts, [here, there])
    }

    fn progress(&self, host: usize, socket: SocketHandle) -> Progress {
        self.stacks[host].progress(socket)
    }

    /// Delivers frames until none is left, without time.
    fn exchange(&mut self) {
        loop {
            let mut is_quiet = true;
            for host in 0..2 {
                while let Some(frame) = self.stacks[host].transmit(self.now) {
                    self.sent[host].push(frame.clone());
                    if !self.is_cut {
                        self.stacks[1 - host].receive(self.now, &frame);
                    }
                    is_quiet = false;
                }
            }
            if is_quiet {
                return;
            }
        }
    }

    /// Lets timers expire until a time.
    fn run_until(&mut self, end: Time) {
        for _ in 0..10_000 {
            self.exchange();
            let now = self.now;
            let next = self.stacks.iter_mut().filter_map(|stack| stack.next_timer(now)).min();
            match next.filter(|next| *next <= end) {
                // A timer lies behind by less than the resolution of the clock.
                Some(next) => self.now = self.now.max(next) + Duration::from_us(1),
                None => {
                    self.now = end;
                    return;
                }
            }
        }
        panic!("timers expire without end");
    }

    fn read(&mut self, host: usize, socket: SocketHandle) -> Vec<u8> {
        let bytes = self.stacks[host].arrived(socket).unwrap();
        self.stacks[host].read(socket, bytes)
    }
}

#[test]
fn bytes_arrive_and_both_ends_know_each_other() {
    let (mut hosts, [here, there]) = Hosts::connected();
    assert_eq!(hosts.stacks[0].peer(here), Some(NodeId(4)));
    assert_eq!(hosts.stacks[1].peer(there), Some(NodeId(3)));
    for (host, from, to) in [(0, here, there), (1, there, here)] {
        hosts.stacks[host].write(from, b"bytes");
        hosts.exchange();
        assert_eq!(hosts.stacks[1 - host].arrived(to), Ok(5));
        assert_eq!(hosts.stacks[1 - host].read(to, 2), b"by");
        assert_eq!(hosts.stacks[1 - host].read(to, 100), b"tes", "there are no more");
        assert_eq!(hosts.stacks[1 - host].arrived(to), Ok(0));
    }
}

#[test]
fn frames_are_full_and_no_longer() {
    let (mut hosts, [here, there]) = Hosts::connected();
    let bytes: Vec<u8> = (0..5 * SEGMENT_BYTES).map(|at| at as u8).collect();
    hosts.stacks[0].write(here, &bytes);
    let mut all = Vec::new();
    for _ in 0..10 {
        hosts.exchange();
        all.extend(hosts.read(1, there));
    }
    assert_eq!(all, bytes);
    let most = hosts.sent[0].iter().map(Vec::len).max();
    assert_eq!(most, Some(14 + MTU));
}

#[test]
fn room_is_what_is_not_acknowledged_yet() {
    let (mut hosts, [here, _]) = Hosts::connected();
    assert_eq!(hosts.stacks[0].room(here), SEND_BYTES);
    hosts.stacks[0].write(here, &[1; 1_000]);
    assert_eq!(hosts.stacks[0].room(here), SEND_BYTES - 1_000);
    hosts.exchange();
    assert_eq!(hosts.stacks[0].room(here), SEND_BYTES);
    hosts.is_cut = true;
    hosts.stacks[0].write(here, &[1; SEND_BYTES]);
    hosts.exchange();
    assert_eq!(hosts.stacks[0].room(here), 0);
}

#[test]
fn connections_of_a_host_have_ports_of_their_own() {
    let mut hosts = Hosts::new();
    let listening = [0, 1].map(|_| hosts.stacks[1].listen(PORT));
    let connecting = [0, 1].map(|_| hosts.stacks[0].connect(NodeId(4), PORT));
    hosts.exchange();
    for (here, there) in connecting.into_iter().zip(listening) {
        assert_eq!(hosts.progress(0, here), Progress::Connected);
        assert_eq!(hosts.progress(1, there), Progress::Connected);
    }
    hosts.stacks[0].next_port = u16::MAX;
    for port in [u16::MAX, FIRST_PORT] {
        assert_eq!(hosts.stacks[0].next_port, port);
        hosts.stacks[0].connect(NodeId(4), PORT);
    }
}

#[test]
fn connecting_to_a_host_that_is_down_fails_after_a_second() {
    let mut hosts = Hosts::new();
    hosts.is_cut = true;
    let here = hosts.stacks[0].connect(NodeId(4), PORT);
    hosts.run_until(Time::ZERO + ms(999));
    assert_eq!(hosts.progress(0, here), Progress::Waits);
    assert_eq!(hosts.sent[0].len(), 3);
    hosts.run_until(Time::ZERO + ms(1_001));
    assert_eq!(hosts.progress(0, here), Progress::Closed);
}

/// Milliseconds after which a host gives up a connection whose cable is cut while it sends.
fn gives_up(host: usize, set: Option<Duration>) -> u64 {
    let (mut hosts, sockets) = Hosts::connected();
    if let Some(timeout) = set {
        hosts.stacks[host].set_peer_timeout(sockets[host], timeout);
    }
    hosts.is_cut = true;
    hosts.stacks[host].write(sockets[host], b"are you there?");
    let is_open = |hosts: &Hosts| hosts.progress(host, sockets[host]) == Progress::Connected;
    let mut time = 0;
    while is_open(&hosts) {
        time += 1;
        assert!(time < 10_000, "the connection stays open");
        hosts.run_until(Time::ZERO + ms(time));
    }
    time
}

#[test]
fn silent_peer_is_given_up_after_three_seconds_or_the_set_time() {
    for host in [0, 1] {
        assert!((3_000..=3_002).contains(&gives_up(host, None)), "{}", gives_up(host, None));
        assert!((500..=502).contains(&gives_up(host, Some(ms(500)))));
    }
}

#[test]
fn connection_without_traffic_stays_open() {
    for talks in [None, Some(0), Some(1)] {
        let (mut hosts, sockets) = Hosts::connected();
        if let Some(host) = talks {
            hosts.stacks[host].write(sockets[host], b"before");
            hosts.exchange();
            assert_eq!(hosts.read(1 - host, sockets[1 - host]), b"before");
        }
        hosts.run_until(Time::ZERO + ms(60_000));
        for host in [0, 1] {
            assert_eq!(hosts.progress(host, sockets[host]), Progress::Connected, "{talks:?} has written");
            hosts.stacks[host].write(sockets[host], b"after");
            hosts.exchange();
            assert_eq!(hosts.read(1 - host, sockets[1 - host]), b"after");
        }
        hosts.run_until(Time::ZERO + ms(120_000));
        for host in [0, 1] {
            hosts.stacks[host].shut_down(sockets[host]);
            hosts.exchange();
            let peer = 1 - host;
            assert_eq!(hosts.stacks[peer].arrived(sockets[peer]), Err(RecvError::Finished), "{talks:?}");
        }
        assert_eq!([0, 1].map(|host| hosts.progress(host, sockets[host])), [Progress::Closed; 2]);
    }
}

#[test]
fn receiver_does_not_notice_that_its_peer_is_silent() {
    for host in [0, 1] {
        let (mut hosts, sockets) = Hosts::connected();
        hosts.stacks[1 - host].write(sockets[1 - host], b"last");
        hosts.exchange();
        hosts.is_cut = true;
        hosts.run_until(Time::ZERO + ms(60_000));
        assert_eq!(hosts.progress(host, sockets[host]), Progress::Connected);
        assert_eq!(hosts.read(host, sockets[host]), b"last");
        // Its own bytes find out, their time after they are written and not before.
        hosts.stacks[host].write(sockets[host], b"answer");
        hosts.run_until(Time::ZERO + ms(62_999));
        assert_eq!(hosts.progress(host, sockets[host]), Progress::Connected);
        hosts.run_until(Time::ZERO + ms(63_001));
        assert_eq!(hosts.progress(host, sockets[host]), Progress::Closed);
    }
}

#[test]
fn peer_without_room_that_answers_is_not_given_up() {
    let (mut hosts, [here, there]) = Hosts::connected();
    hosts.stacks[0].set_peer_timeout(here, ms(60_000));
    let bytes = [7; SEND_BYTES];
    let mut written = 0;
    while hosts.stacks[0].room(here) > 0 {
        let room = hosts.stacks[0].room(here);
        hosts.stacks[0].write(here, &bytes[..room]);
        written += room;
        hosts.run_until(hosts.now + ms(1));
    }
    assert!(written > WINDOW_BYTES, "the peer has no room");
    hosts.run_until(Time::ZERO + ms(600_000));
    assert_eq!(hosts.progress(0, here), Progress::Connected);
    let mut read = 0;
    for step in 0..100 {
        read += hosts.read(1, there).len();
        hosts.run_until(Time::ZERO + ms(600_000 + 1_000 * step));
    }
    assert_eq!(read, written);
}

#[test]
fn end_that_is_not_acknowledged_gives_the_peer_up() {
    for (set, limit) in [(None, 3_000), (Some(ms(500)), 500)] {
        let (mut hosts, [here, _]) = Hosts::connected();
        if let Some(timeout) = set {
            hosts.stacks[0].set_peer_timeout(here, timeout);
        }
        hosts.run_until(Time::ZERO + ms(10_000));
        hosts.is_cut = true;
        hosts.stacks[0].shut_down(here);
        hosts.run_until(Time::ZERO + ms(10_000 + limit - 1));
        assert_eq!(hosts.progress(0, here), Progress::Connected);
        hosts.run_until(Time::ZERO + ms(10_000 + limit + 1));
        assert_eq!(hosts.progress(0, here), Progress::Closed);
    }
}

#[test]
fn reset_leaves_when_the_time_is_over() {
    let (mut hosts, [here, _]) = Hosts::connected();
    hosts.is_cut = true;
    hosts.stacks[0].shut_down(here);
    hosts.exchange();
    for (now, is_sent) in [(2_999, false), (3_000, true)] {
        hosts.now = Time::ZERO + ms(now);
        // A repetition of the end may be due as well.
        let sent: Vec<_> = std::iter::from_fn(|| hosts.stacks[0].transmit(hosts.now)).collect();
        let resets = sent.iter().filter(|frame| frame[14 + 20 + 13] & 4 != 0).count();
        assert_eq!(resets, usize::from(is_sent), "after {now} ms");
    }
}

#[test]
fn peer_that_does_not_close_is_awaited_by_programs_alone() {
    for leaves in [false, true] {
        let (mut hosts, [here, there]) = Hosts::connected();
        if leaves {
            hosts.stacks[0].leave(here);
        } else {
            hosts.stacks[0].shut_down(here);
        }
        hosts.run_until(Time::ZERO + ms(2_999));
        assert_eq!((hosts.stacks[0].sockets.iter().count(), hosts.stacks[1].may_send(there)), (1, true));
        hosts.run_until(Time::ZERO + ms(60_000));
        let sockets = usize::from(!leaves);
        assert_eq!(
            (hosts.stacks[0].sockets.iter().count(), hosts.stacks[1].may_send(there)),
            (sockets, !leaves)
        );
        assert_eq!(hosts.stacks[0].timeouts.len(), sockets);
    }
}

#[test]
fn small_packet_waits_unless_delay_is_disabled() {
    for no_delay in [false, true] {
        let (mut hosts, [here, _]) = Hosts::connected();
        if no_delay {
            hosts.stacks[0].set_no_delay(here);
        }
        hosts.is_cut = true;
        for _ in 0..3 {
            hosts.stacks[0].write(here, b"x");
            hosts.exchange();
        }
        assert_eq!(hosts.sent[0].len(), if no_delay { 3 } else { 1 });
    }
}

#[test]
fn acknowledgement_is_sent_at_once_or_after_20_ms() {
    for delays in [false, true] {
        let (mut hosts, [here, there]) = Hosts::connected();
        if delays {
            hosts.stacks[1].delay_acks(there);
        }
        hosts.stacks[0].write(here, b"x");
        hosts.exchange();
        assert_eq!(hosts.sent[1].len(), usize::from(!delays));
        hosts.run_until(Time::ZERO + ms(19));
        assert_eq!(hosts.sent[1].len(), usize::from(!delays));
        hosts.run_until(Time::ZERO + ms(21));
        assert_eq!(hosts.sent[1].len(), 1);
    }
}

#[test]
fn connection_ends_after_both_sides_are_shut_down() {
    let (mut hosts, [here, there]) = Hosts::connected();
    hosts.stacks[0].write(here, b"last");
    hosts.stacks[0].shut_down(here);
    hosts.exchange();
    assert!(!hosts.stacks[0].may_send(here) && hosts.stacks[1].may_send(there));
    assert_eq!(hosts.read(1, there), b"last");
    assert_eq!(hosts.stacks[1].arrived(there), Err(RecvError::Finished));
    hosts.stacks[1].write(there, b"answer");
    hosts.exchange();
    assert_eq!(hosts.read(0, here), b"answer");
    hosts.stacks[1].shut_down(there);
    hosts.exchange();
    assert_eq!(hosts.progress(0, here), Progress::Closed);
    assert_eq!(hosts.progress(1, there), Progress::Closed);
}

#[test]
fn connection_that_is_left_with_unread_bytes_is_reset() {
    for unread in [0, 1, 5] {
        let (mut hosts, [here, there]) = Hosts::connected();
        hosts.stacks[0].write(here, &[9; 5]);
        hosts.exchange();
        hosts.stacks[1].read(there, 5 - unread);
        hosts.stacks[1].leave(there);
        // The socket stays until its reset is sent.
        hosts.stacks[1].next_timer(hosts.now);
        hosts.exchange();
        let end = if unread > 0 { RecvError::InvalidState } else { RecvError::Finished };
        assert_eq!(hosts.stacks[0].arrived(here), Err(end), "{unread} bytes are unread");
        assert_eq!(hosts.stacks[0].may_send(here), unread == 0);
    }
}

#[test]
fn bytes_for_a_connection_that_was_left_reset_it() {
    let (mut hosts, [here, there]) = Hosts::connected();
    hosts.stacks[1].leave(there);
    hosts.exchange();
    assert_eq!(hosts.stacks[0].arrived(here), Err(RecvError::Finished));
    assert!(hosts.stacks[0].may_send(here));
    hosts.stacks[0].write(here, b"too late");
    hosts.exchange();
    assert!(!hosts.stacks[0].may_send(here));
}

#[test]
fn sockets_that_were_left_are_removed_at_last() {
    let (mut hosts, [here, there]) = Hosts::connected();
    hosts.stacks[0].leave(here);
    hosts.exchange();
    hosts.run_until(Time::ZERO + ms(100));
    assert_eq!(hosts.stacks[0].sockets.iter().count(), 1, "the peer has not closed");
    hosts.stacks[1].leave(there);
    hosts.exchange();
    hosts.run_until(Time::ZERO + ms(60_000));
    for stack in &hosts.stacks {
        assert_eq!((stack.sockets.iter().count(), stack.orphans.len()), (0, 0));
    }
}

#[test]
fn frames_of_other_protocols_have_no_effect() {
    let (mut hosts, [here, _]) = Hosts::connected();
    hosts.stacks[0].write(here, b"x");
    let mut frame = hosts.stacks[0].transmit(hosts.now).unwrap();
    frame[13] ^= 1;
    hosts.stacks[1].receive(hosts.now, &frame);
    hosts.stacks[1].receive(hosts.now, &frame[..13]);
    assert_eq!(hosts.stacks[1].transmit(hosts.now), None);
}

#[test]
fn sequence_numbers_depend_on_the_node() {
    let numbers = [3, 4].map(|node| {
        let mut stack = Stack::new(NodeId(node), mac);
        stack.connect(NodeId(5), PORT);
        let frame = stack.transmit(Time::ZERO).unwrap();
        frame[14 + 20 + 4..14 + 20 + 8].to_vec()
    });
    assert_ne!(numbers[0], numbers[1]);
}
