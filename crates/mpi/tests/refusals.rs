use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mpi::carrier::{Carrier, Packet, Received, Sent};
use mpi::{Communicator, Envelope, Error, Host, Options, Source, Tag};

const REASON: Error = Error::Refused("it may not be sent");

/// Longest message of the network.
const MOST: usize = 2000;
/// A rank behind another one, which is dead.
const ROUTED: usize = 4;
/// The rank that is dead.
const ROUTER: usize = 5;

/// A network that refuses packets to rank 1 at once and packets to rank 2 later. No packet ever arrives.
#[derive(Default)]
struct Refusing {
    told: Option<usize>,
}

impl Carrier for Refusing {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        6
    }

    fn most_bytes(&self) -> usize {
        Envelope::BYTES + 1000
    }

    fn host(&self) -> Host {
        Host::timeless()
    }

    fn most_message(&self) -> usize {
        MOST
    }

    async fn send(&mut self, to: usize, packet: &Packet) -> Sent {
        assert!(packet.length() <= self.most_bytes(), "{} bytes are no packet", packet.length());
        self.told = (to == 2).then_some(to);
        match to {
            1 => Sent::Refused(REASON),
            ROUTED => Sent::Unreachable(ROUTER),
            _ => Sent::Yes,
        }
    }

    async fn receive(&mut self) -> Option<Received> {
        None
    }

    fn refused(&mut self) -> Option<(usize, Error)> {
        self.told.take().map(|to| (to, REASON))
    }

    async fn pause(&mut self) {}
}

/// Result of a program of rank 0 that needs no other process and therefore few polls.
fn run<T>(program: impl AsyncFnOnce(Communicator) -> T) -> T {
    let mut program = pin!(program(Communicator::world(Refusing::default(), Options::default())));
    let end = (0..100).find_map(|_| match program.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(end) => Some(end),
        Poll::Pending => None,
    });
    end.expect("nobody waits")
}

#[test]
fn refusal_fails_the_send_and_all_calls_that_wait_for_the_peer() {
    for to in [1, 2] {
        run(async move |world: Communicator| {
            let waits = world.ireceive(Source::Rank(to), Tag::Any, 8).await.unwrap();
            let sent = world.send(to, 0, b"no").await;
            // A later refusal is not known to the send, which succeeds.
            assert_eq!(sent, if to == 1 { Err(REASON) } else { Ok(()) });
            assert_eq!(waits.wait().await, Err(REASON));
            assert_eq!(world.send(to, 0, b"again").await, Err(REASON));
            assert_eq!(world.receive(Source::Rank(to), Tag::Any, 8).await, Err(REASON));
        });
    }
}

#[test]
fn other_peers_are_not_affected() {
    run(async |world: Communicator| {
        assert_eq!(world.send(1, 0, b"no").await, Err(REASON));
        assert_eq!(world.send(3, 0, b"yes").await, Ok(()));
    });
}

#[test]
fn messages_are_cut_into_packets_and_have_a_limit() {
    run(async |world: Communicator| {
        assert_eq!(world.send(3, 0, &[7; 1000]).await, Ok(()));
        assert_eq!(world.send(3, 0, &[7; MOST]).await, Ok(()));
        assert_eq!(world.send(3, 0, &[7; MOST + 1]).await, Err(Error::Count(MOST + 1)));
    });
}

#[test]
fn dead_rank_is_known_from_the_rank_behind_it() {
    run(async |world: Communicator| {
        assert_eq!(world.send(ROUTED, 0, b"no").await, Err(Error::Unreachable(ROUTER)));
        assert_eq!(world.send(ROUTER, 0, b"no").await, Err(Error::Unreachable(ROUTER)));
        assert_eq!(world.send(3, 0, b"yes").await, Ok(()));
    });
}

#[test]
fn receive_from_a_rank_outside_the_communicator_is_refused() {
    run(async |world: Communicator| {
        let error = Error::Rank { rank: 6, size: 6 };
        assert_eq!(world.receive(Source::Rank(6), Tag::Any, 8).await, Err(error));
        assert_eq!(world.iprobe(Source::Rank(6), Tag::Any).await, Err(error));
    });
}

#[test]
fn calls_begun_after_a_refusal_fail_at_once() {
    run(async |world: Communicator| {
        assert_eq!(world.send(1, 0, b"no").await, Err(REASON));
        let late = world.ireceive(Source::Rank(1), Tag::Is(5), 8).await.unwrap();
        assert!(late.test().await, "it waits for a rank that is gone");
        assert_eq!(late.wait().await, Err(REASON));
        let request = world.isend(mpi::Mode::Synchronous, 1, 0, vec![1]).await.unwrap();
        assert!(request.test().await);
        assert_eq!(request.wait().await, Err(REASON));
        let any = world.ireceive(Source::Any, Tag::Any, 8).await.unwrap();
        assert!(!any.test().await, "another rank may send");
    });
}
