//! Flow control of pushed messages: the number that a sender may have in flight or stored at a node.
//!
//! A full LH Buffer, or a full ring, would stop the Receive Controller and with it all other packets. Therefore a node
//! divides its places among its senders, and a sender waits until room is granted. Counts are totals since the
//! beginning, so that the order in which two grants arrive does not matter.

use std::collections::BTreeMap;

/// Messages in flight to a node or stored there: as many as an LH Buffer and a ring of statuses hold (thesis section
/// 5.1.4).
pub(super) const PLACES: u64 = 63;

/// State that a receiver keeps for a sender.
#[derive(Clone, Copy, Debug)]
struct Giving {
    /// Messages that the node has taken.
    taken: u64,
    /// Messages granted to the sender so far.
    told: u64,
    /// Messages that the sender pushes in the whole run.
    all: u64,
}

/// State that a sender keeps for a receiver.
#[derive(Clone, Copy, Debug, Default)]
struct Having {
    /// Messages pushed so far.
    pushed: u64,
    /// Messages that may be pushed, those pushed so far included.
    room: u64,
}

/// Room that a node grants to senders and holds at receivers.
#[derive(Debug, Default)]
pub(super) struct Room {
    giving: BTreeMap<usize, Giving>,
    having: BTreeMap<usize, Having>,
}

impl Room {
    /// The room of a node with these senders and receivers.
    pub fn new(senders: impl Iterator<Item = usize>, receivers: impl Iterator<Item = usize>) -> Self {
        let mut room = Room::default();
        for sender in senders {
            room.giving.entry(sender).or_insert(Giving { taken: 0, told: 0, all: 0 }).all += 1;
        }
        room.having = receivers.map(|receiver| (receiver, Having::default())).collect();
        room
    }

    /// Senders that push to the node.
    pub fn senders(&self) -> impl Iterator<Item = usize> {
        self.giving.keys().copied()
    }

    /// Receivers to which the node pushes.
    pub fn receivers(&self) -> impl Iterator<Item = usize> {
        self.having.keys().copied()
    }

    /// Messages that each sender may have in flight or stored: the same for all, at least one.
    pub fn share(&self) -> u64 {
        (PLACES / self.giving.len().max(1) as u64).max(1)
    }

    /// Messages that all senders together may have in flight or stored.
    pub fn places(&self) -> u64 {
        self.share() * self.giving.len() as u64
    }

    /// The first grants, before any message.
    pub fn first(&mut self) -> Vec<(usize, u64)> {
        let share = self.share();
        let told = self.giving.iter_mut().map(|(&sender, giving)| {
            giving.told = share.min(giving.all);
            (sender, giving.told)
        });
        told.collect()
    }

    /// Counts a message that the node has taken; returns the new grant of its sender, if one is due. A grant is due
    /// when half of the sender's places are free again, so that most messages cost no packet of their own, or when it
    /// covers all the rest.
    pub fn took(&mut self, sender: usize) -> Option<u64> {
        let share = self.share();
        let giving = self.giving.get_mut(&sender).expect("only those push who were told of room");
        giving.taken += 1;
        let room = (giving.taken + share).min(giving.all);
        let tell = room - giving.told >= share.div_ceil(2) || room == giving.all;
        (tell && room > giving.told).then(|| {
            giving.told = room;
            room
        })
    }

    /// Whether the receiver has room for one more message, by its last grant.
    pub fn is_there(&self, receiver: usize) -> bool {
        let Having { pushed, room } = self.having[&receiver];
        pushed < room
    }

    /// Stores the last grant of a receiver.
    pub fn heard(&mut self, receiver: usize, room: u64) {
        self.having.get_mut(&receiver).expect("only receivers tell").room = room;
    }

    /// Counts a message that the node pushes.
    pub fn push(&mut self, receiver: usize) {
        self.having.get_mut(&receiver).expect("only those are pushed to who give room").pushed += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Senders that push as often as they may, and a node that takes the messages of each in rotation; returns the most
    /// messages at the node and the number of grants.
    fn play(senders: usize, messages: usize) -> (u64, usize) {
        let all = || (0..senders).flat_map(|sender| std::iter::repeat_n(sender, messages));
        let mut node = Room::new(all(), std::iter::empty());
        let mut ends: Vec<_> = (0..senders).map(|_| Room::new(std::iter::empty(), [9].into_iter())).collect();
        let mut there = vec![0u64; senders];
        let (mut most, mut told, mut left) = (0, 0, senders * messages);
        let mut pushed = vec![0; senders];
        for (sender, room) in node.first() {
            ends[sender].heard(9, room);
        }
        while left > 0 {
            for sender in 0..senders {
                while pushed[sender] < messages && ends[sender].is_there(9) {
                    ends[sender].push(9);
                    pushed[sender] += 1;
                    there[sender] += 1;
                }
            }
            most = most.max(there.iter().sum());
            let before = left;
            for sender in 0..senders {
                if there[sender] > 0 {
                    there[sender] -= 1;
                    left -= 1;
                    if let Some(room) = node.took(sender) {
                        ends[sender].heard(9, room);
                        told += 1;
                    }
                }
            }
            assert!(left < before, "{left} messages of {senders} senders wait for each other");
        }
        (most, told)
    }

    #[test]
    fn no_more_messages_lie_at_a_node_than_it_has_places() {
        for senders in [1, 2, 3, 7, 31, 32, 62, 63] {
            for messages in [1, 2, 5, 62, 63, 64, 70, 200] {
                assert!(play(senders, messages).0 <= PLACES, "{senders} senders, {messages} messages");
            }
        }
        // With more senders than places each sender has one place.
        assert_eq!(play(100, 5).0, 100);
    }

    #[test]
    fn sender_is_told_when_half_of_its_places_are_free() {
        assert_eq!(play(1, 63), (63, 0));
        // Grants come after 32 messages, after 64, and for the last 9 as soon as they fit.
        assert_eq!(play(1, 63 + 32 + 32 + 9), (63, 3));
        assert_eq!(play(63, 5), (63, 63 * 4));
    }
}
