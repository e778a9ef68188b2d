//! The eager and rendezvous protocols as state machines of sender and receiver. Independent of memory, time
//! and network.
//!
//! An eager message is sent at once and buffered at the receiver until it is matched. A rendezvous message
//! announces itself with `Ask`; when a receive matches, the receiver answers `Clear`, and the data follows
//! straight into the receive buffer.
//!
//! ```text
//!  eager     sender  -- Eager, Data, Data ... ->  receiver
//!
//!  asked     sender  -- Ask ------------------->  receiver
//!                    <- Clear ------------------
//!                    -- Data, Data ... -------->
//! ```

use crate::envelope::Kind;

/// State of the sender of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sending {
    /// Sends eager data.
    Eager {
        /// Bytes not yet sent.
        left: usize,
        /// Whether the envelope has been sent.
        begun: bool,
    },
    /// Is about to send `Ask`.
    Asking,
    /// Has sent `Ask` and waits for `Clear`.
    Asked {
        /// Length of the message in bytes.
        length: usize,
    },
    /// Has received `Clear` and sends data.
    Cleared {
        /// Bytes not yet sent.
        left: usize,
    },
    /// All packets have been sent.
    Done,
}

/// An outgoing packet: kind and amount of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// Purpose of the packet.
    pub kind: Kind,
    /// Bytes of data after the envelope.
    pub data: usize,
}

/// Protocol of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// The data is sent at once.
    Eager,
    /// The sender asks first and waits for `Clear`.
    Rendezvous,
}

impl Sending {
    /// Initial state for a message of `length` bytes.
    pub fn begin(way: Way, length: usize) -> Sending {
        match way {
            Way::Eager => Sending::Eager { left: length, begun: false },
            Way::Rendezvous => Sending::Asking,
        }
    }

    /// Next packet, with at most `room` bytes of data, and the following state. `None` while the sender waits
    /// or is done.
    pub fn next(self, length: usize, room: usize) -> Option<(Leaving, Sending)> {
        match self {
            Sending::Eager { left, begun } => {
                let data = left.min(room);
                let kind = if begun { Kind::Data } else { Kind::Eager };
                let left = left - data;
                let then = if left == 0 { Sending::Done } else { Sending::Eager { left, begun: true } };
                Some((Leaving { kind, data }, then))
            }
            Sending::Asking => Some((Leaving { kind: Kind::Ask, data: 0 }, Sending::Asked { length })),
            Sending::Cleared { left } => {
                let data = left.min(room);
                let left = left - data;
                let then = if left == 0 { Sending::Done } else { Sending::Cleared { left } };
                Some((Leaving { kind: Kind::Data, data }, then))
            }
            Sending::Asked { .. } | Sending::Done => None,
        }
    }

    /// Handles `Clear`. `None` if the sender did not ask: a protocol violation.
    pub fn cleared(self) -> Option<Sending> {
        match self {
            Sending::Asked { length: 0 } => Some(Sending::Done),
            Sending::Asked { length } => Some(Sending::Cleared { left: length }),
            _ => None,
        }
    }
}

/// State of the receiver of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Receiving {
    /// `Ask` has arrived, and no receive has matched yet.
    Asked {
        /// Length of the message in bytes.
        length: usize,
    },
    /// Data is expected.
    Arriving {
        /// Bytes not yet received.
        left: usize,
    },
    /// The message is complete.
    Whole,
}

impl Receiving {
    /// State after the first packet, with `data` bytes. `None` if the packet violates the protocol.
    pub fn begin(kind: Kind, length: usize, data: usize) -> Option<Receiving> {
        match kind {
            Kind::Eager => Receiving::Arriving { left: length }.data(data),
            Kind::Ask if data == 0 => Some(Receiving::Asked { length }),
            _ => None,
        }
    }

    /// Handles a matching receive: returns the following state, and whether `Clear` is to be sent.
    pub fn wanted(self) -> (Receiving, bool) {
        match self {
            Receiving::Asked { length: 0 } => (Receiving::Whole, true),
            Receiving::Asked { length } => (Receiving::Arriving { left: length }, true),
            other => (other, false),
        }
    }

    /// Handles `bytes` bytes of data. `None` if they exceed the message.
    pub fn data(self, bytes: usize) -> Option<Receiving> {
        match self {
            Receiving::Arriving { left } if bytes == left => Some(Receiving::Whole),
            Receiving::Arriving { left } if 0 < bytes && bytes < left => {
                Some(Receiving::Arriving { left: left - bytes })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a message to its end and returns the kinds of its packets with their data.
    fn packets(way: Way, length: usize, room: usize) -> Vec<(Kind, usize)> {
        let (mut sending, mut receiving) = (Sending::begin(way, length), None);
        let mut packets = Vec::new();
        while sending != Sending::Done {
            let (packet, then) = sending.next(length, room).expect("nothing is lost");
            packets.push((packet.kind, packet.data));
            sending = then;
            receiving = match receiving {
                None => Receiving::begin(packet.kind, length, packet.data),
                Some(receiving) => Receiving::data(receiving, packet.data),
            };
            let (wanted, tell) = receiving.expect("the receiver takes it").wanted();
            receiving = Some(wanted);
            if tell {
                packets.push((Kind::Clear, 0));
                sending = sending.cleared().expect("it asked");
            }
        }
        assert_eq!(receiving, Some(Receiving::Whole));
        packets
    }

    #[test]
    fn eager_message_is_sent_at_once_in_full_packets() {
        assert_eq!(packets(Way::Eager, 0, 10), [(Kind::Eager, 0)]);
        assert_eq!(packets(Way::Eager, 10, 10), [(Kind::Eager, 10)]);
        assert_eq!(packets(Way::Eager, 25, 10), [(Kind::Eager, 10), (Kind::Data, 10), (Kind::Data, 5)]);
    }

    #[test]
    fn rendezvous_message_asks_and_waits_for_clear() {
        let asked = [(Kind::Ask, 0), (Kind::Clear, 0)];
        assert_eq!(packets(Way::Rendezvous, 0, 10), asked);
        assert_eq!(
            packets(Way::Rendezvous, 12, 10),
            [&asked[..], &[(Kind::Data, 10), (Kind::Data, 2)]].concat()
        );
        assert_eq!(Sending::Asked { length: 12 }.next(12, 10), None);
    }

    #[test]
    fn protocol_violations_are_refused() {
        assert_eq!(Sending::Asking.cleared(), None);
        assert_eq!(Sending::Eager { left: 1, begun: true }.cleared(), None);
        assert_eq!(Receiving::begin(Kind::Data, 4, 4), None);
        assert_eq!(Receiving::begin(Kind::Eager, 4, 5), None);
        assert_eq!(Receiving::begin(Kind::Ask, 4, 1), None);
        assert_eq!(Receiving::Asked { length: 4 }.data(4), None);
        assert_eq!(Receiving::Arriving { left: 4 }.data(5), None);
        assert_eq!(Receiving::Arriving { left: 4 }.data(0), None);
        assert_eq!(Receiving::Whole.data(1), None);
    }
}
