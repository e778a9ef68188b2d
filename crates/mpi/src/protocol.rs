//! How a message travels, as states of its two ends. No memory, no time and no network.
//!
//! A short message goes at once and waits at the receiver until it is wanted. A long one asks; when a receive wants it, the receiver
//! clears it, and its data goes to where it belongs.
//!
//! ```text
//!  eager     sender  -- Eager, Data, Data ... ->  receiver
//!
//!  asked     sender  -- Ask ------------------->  receiver
//!                    <- Clear ------------------
//!                    -- Data, Data ... -------->
//! ```

use crate::envelope::Kind;

/// What a sender still has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// Sends what nobody asked for, this many bytes after those that have left.
    Eager {
        /// Bytes that have not left.
        left: usize,
        /// Whether the envelope has left.
        begun: bool,
    },
    /// Is to ask.
    Asking,
    /// Has asked, and waits until it is cleared.
    Asked {
        /// Bytes of the message.
        length: usize,
    },
    /// Sends data.
    Cleared {
        /// Bytes that have not left.
        left: usize,
    },
    /// All has left.
    Done,
}

/// A packet that leaves: what it is, and how many of the next bytes it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// What it is for.
    pub kind: Kind,
    /// Bytes of data behind the envelope.
    pub data: usize,
}

/// How a message begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// At once.
    Eager,
    /// It asks first.
    Rendezvous,
}

impl Sending {
    /// A message of that many bytes begins.
    pub fn begin(way: Way, length: usize) -> Sending {
        match way {
            Way::Eager => Sending::Eager { left: length, begun: false },
            Way::Rendezvous => Sending::Asking,
        }
    }

    /// The next packet with at most `room` bytes of data, and what is to be done then. Nothing while the message waits.
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

    /// The receiver has cleared the message. Nothing if it never asked: then the packet is wrong.
    pub fn cleared(self) -> Option<Sending> {
        match self {
            Sending::Asked { length: 0 } => Some(Sending::Done),
            Sending::Asked { length } => Some(Sending::Cleared { left: length }),
            _ => None,
        }
    }
}

/// What a receiver still expects of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiving {
    /// It was asked, and has not cleared the message, because no receive wants it yet.
    Asked {
        /// Bytes of the message.
        length: usize,
    },
    /// Data comes.
    Arriving {
        /// Bytes that have not come.
        left: usize,
    },
    /// All is there.
    Whole,
}

impl Receiving {
    /// A message begins with an envelope of this kind and so many bytes behind it. Nothing if the packet is wrong.
    pub fn begin(kind: Kind, length: usize, data: usize) -> Option<Receiving> {
        match kind {
            Kind::Eager => Receiving::Arriving { left: length }.data(data),
            Kind::Ask if data == 0 => Some(Receiving::Asked { length }),
            _ => None,
        }
    }

    /// A receive wants the message: what is expected then, and whether the sender is to be told.
    pub fn wanted(self) -> (Receiving, bool) {
        match self {
            Receiving::Asked { length: 0 } => (Receiving::Whole, true),
            Receiving::Asked { length } => (Receiving::Arriving { left: length }, true),
            other => (other, false),
        }
    }

    /// So many bytes have come. Nothing if they are more than there should be.
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

    /// Plays a message to its end; the kinds of packets with their data.
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
    fn eager_message_goes_at_once_in_as_many_packets_as_it_takes() {
        assert_eq!(packets(Way::Eager, 0, 10), [(Kind::Eager, 0)]);
        assert_eq!(packets(Way::Eager, 10, 10), [(Kind::Eager, 10)]);
        assert_eq!(packets(Way::Eager, 25, 10), [(Kind::Eager, 10), (Kind::Data, 10), (Kind::Data, 5)]);
    }

    #[test]
    fn long_message_asks_and_waits_until_it_is_cleared() {
        let asked = [(Kind::Ask, 0), (Kind::Clear, 0)];
        assert_eq!(packets(Way::Rendezvous, 0, 10), asked);
        assert_eq!(
            packets(Way::Rendezvous, 12, 10),
            [&asked[..], &[(Kind::Data, 10), (Kind::Data, 2)]].concat()
        );
        assert_eq!(Sending::Asked { length: 12 }.next(12, 10), None);
    }

    #[test]
    fn packets_that_the_protocol_does_not_know_are_refused() {
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
