//! Recording of the calls of an endpoint and their results.
//!
//! An endpoint is a state machine determined by configuration, seed and calls. A record of these allows
//! another endpoint to be brought to the same state at any step.

use std::net::SocketAddr;

use crate::event::{ConnectError, Event, Peer, Priority, SendError};
use crate::keys::PublicKey;
use crate::permit::Policy;
use crate::transmit::Transmit;
use crate::{Config, Instant};

/// Receives the calls of an endpoint.
pub trait Recorder: Send {
    /// Records a completed call. The recorder handles its own errors; the endpoint continues.
    fn keep(&mut self, call: Call<'_>);
}

/// A call of an endpoint with its result.
#[derive(Clone, Copy, Debug)]
pub enum Call<'a> {
    /// Creation of the endpoint.
    Made {
        /// Configuration, including keys.
        config: &'a Config,
        /// Seed of all derived values.
        seed: &'a [u8; 32],
    },
    /// [`Endpoint::connect`](crate::Endpoint::connect) or [`Endpoint::connect_to`](crate::Endpoint::connect_to).
    Connect {
        /// Time of the call.
        now: Instant,
        /// Address of the peer.
        address: SocketAddr,
        /// Key that the peer must have.
        key: Option<PublicKey>,
        /// Result of the call.
        peer: Result<Peer, ConnectError>,
    },
    /// [`Endpoint::send`](crate::Endpoint::send), whether or not the block was accepted.
    Send {
        /// Destination of the block.
        peer: Peer,
        /// 0 is the most urgent.
        priority: Priority,
        /// Contents of the block.
        block: &'a [u8],
        /// Result of the call.
        sent: Result<(), SendError>,
    },
    /// [`Endpoint::pin`](crate::Endpoint::pin), even without effect.
    Pin {
        /// Key that may call.
        key: PublicKey,
        /// Whether it was new.
        pinned: bool,
    },
    /// [`Endpoint::unpin`](crate::Endpoint::unpin), even without effect.
    Unpin {
        /// Key that may no longer call.
        key: PublicKey,
        /// Whether it was pinned.
        was: bool,
    },
    /// [`Endpoint::update_key`](crate::Endpoint::update_key) of a peer.
    UpdateKey(Peer),
    /// [`Endpoint::close`](crate::Endpoint::close) of a peer.
    Close(Peer),
    /// [`Endpoint::retransmit`](crate::Endpoint::retransmit) to a peer.
    Retransmit(Peer),
    /// [`Endpoint::permits`](crate::Endpoint::permits) with the new policy.
    Permits(Policy),
    /// [`Endpoint::weigh`](crate::Endpoint::weigh) of a peer with its new weight.
    Weigh(Peer, u32),
    /// [`Endpoint::grant`](crate::Endpoint::grant), even if the policy is not manual.
    Grant {
        /// Peer that gets the grant.
        peer: Peer,
        /// Requested bytes.
        bytes: usize,
        /// Granted bytes.
        granted: usize,
    },
    /// [`Endpoint::input`](crate::Endpoint::input) or [`Endpoint::input_marked`](crate::Endpoint::input_marked).
    Input {
        /// Time of the call.
        now: Instant,
        /// Source address.
        from: SocketAddr,
        /// UDP payload.
        datagram: &'a [u8],
        /// Whether it carried a congestion mark (ECN CE).
        marked: bool,
        /// Result of `poll_timeout` before the call.
        due: Option<Instant>,
    },
    /// [`Endpoint::poll_transmit`](crate::Endpoint::poll_transmit), even without a datagram.
    Transmit {
        /// Time of the call.
        now: Instant,
        /// Datagram to send, if any.
        transmit: Option<Transmit<'a>>,
    },
    /// `poll_event` that returned an event.
    Event(&'a Event),
}

/// Optional recorder of an endpoint.
#[derive(Default)]
pub(crate) struct Recording(Option<Box<dyn Recorder>>);

impl Recording {
    pub(crate) fn to(recorder: Box<dyn Recorder>) -> Self {
        Self(Some(recorder))
    }

    /// Records a call if there is a recorder.
    pub(crate) fn keep<'a>(&mut self, call: impl FnOnce() -> Call<'a>) {
        if let Some(recorder) = &mut self.0 {
            recorder.keep(call());
        }
    }

    /// Whether there is a recorder.
    pub(crate) fn is_on(&self) -> bool {
        self.0.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;
    use crate::{Endpoint, Rules, Security};

    /// Tells the name and the results of each call.
    struct Told(Sender<String>);

    impl Recorder for Told {
        fn keep(&mut self, call: Call<'_>) {
            let text = match call {
                Call::Made { seed, .. } => format!("made {}", seed[0]),
                Call::Connect { address, peer, .. } => format!("connect {address} {}", peer.is_ok()),
                Call::Send { block, sent, .. } => format!("send {block:?} {}", sent.is_ok()),
                Call::Transmit { transmit, .. } => format!("transmit {}", transmit.is_some()),
                Call::Input { datagram, .. } => format!("input {datagram:?}"),
                Call::Close(_) => "close".to_string(),
                other => format!("{other:?}"),
            };
            self.0.send(text).expect("the test listens");
        }
    }

    #[test]
    fn calls_are_recorded_in_their_order_with_their_results() {
        let (teller, told) = channel();
        let config = Config::new(Rules::MODERN, Security::Trusted);
        let mut endpoint = Endpoint::recorded(config, [3; 32], Box::new(Told(teller))).expect("it is valid");
        let now = Instant::ZERO + core::time::Duration::from_secs(1);
        let to = "10.0.0.1:7".parse().expect("it is an address");
        let peer = endpoint.connect(now, to).expect("there is a place");
        assert!(endpoint.send(peer, 0, &[1, 2]).is_ok());
        assert!(endpoint.poll_transmit(now).is_some());
        assert!(endpoint.poll_transmit(now).is_none());
        endpoint.input(now, to, b"x");
        endpoint.close(peer);
        drop(endpoint);
        let expected =
            ["made 3", "connect 10.0.0.1:7 true", "send [1, 2] true", "transmit true", "transmit false"];
        let mut told: Vec<_> = told.iter().collect();
        assert_eq!(told.split_off(expected.len()), ["input [120]", "close"]);
        assert_eq!(told, expected);
    }
}
