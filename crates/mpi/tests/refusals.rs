use std::pin::pin;
use std::task::{Context, Poll, Waker};

use mpi::carrier::{Carrier, Packet, Sent};
use mpi::{Communicator, Envelope, Error, Host, Options, Source, Tag};

const REASON: Error = Error::Refused("it may not be sent");

/// A network that refuses what goes to rank 1 at once, and what goes to rank 2 afterwards. Nothing ever comes.
#[derive(Default)]
struct Refusing {
    told: Option<usize>,
}

impl Carrier for Refusing {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        4
    }

    fn most_bytes(&self) -> usize {
        Envelope::BYTES + 1000
    }

    fn host(&self) -> Host {
        Host::timeless()
    }

    async fn send(&mut self, to: usize, _packet: &[u8]) -> Sent {
        self.told = (to == 2).then_some(to);
        if to == 1 { Sent::Refused(REASON) } else { Sent::Yes }
    }

    async fn receive(&mut self) -> Option<Packet> {
        None
    }

    fn refused(&mut self) -> Option<(usize, Error)> {
        self.told.take().map(|to| (to, REASON))
    }

    async fn pause(&mut self) {}
}

/// What a program of rank 0 brings, which waits for nobody and so needs few turns.
fn run<T>(program: impl AsyncFnOnce(Communicator) -> T) -> T {
    let mut program = pin!(program(Communicator::world(Refusing::default(), Options::default())));
    let end = (0..100).find_map(|_| match program.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(end) => Some(end),
        Poll::Pending => None,
    });
    end.expect("nobody waits")
}

#[test]
fn refused_send_fails_with_its_reason_and_so_does_all_that_waits_for_its_receiver() {
    for to in [1, 2] {
        run(async move |world: Communicator| {
            let waits = world.ireceive(Source::Rank(to), Tag::Any, 8).await.unwrap();
            let sent = world.send(to, 0, b"no").await;
            // What is refused afterwards has been sent, as far as the send knows.
            assert_eq!(sent, if to == 1 { Err(REASON) } else { Ok(()) });
            assert_eq!(waits.wait().await, Err(REASON));
            assert_eq!(world.send(to, 0, b"again").await, Err(REASON));
            assert_eq!(world.receive(Source::Rank(to), Tag::Any, 8).await, Err(REASON));
        });
    }
}

#[test]
fn others_are_sent_to_as_before() {
    run(async |world: Communicator| {
        assert_eq!(world.send(1, 0, b"no").await, Err(REASON));
        assert_eq!(world.send(3, 0, b"yes").await, Ok(()));
    });
}
