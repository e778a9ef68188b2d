//! Room for messages that are pushed: how many of a sender may be on their way to a node or lie there.
//!
//! A full LH Buffer, or a full ring, would stop the Receive Controller, and with it all other packets. So a node shares its
//! places out among those who push to it, and a sender waits until it is told of room. Counts are totals since the
//! beginning, so that it does not matter which of two comes last.

use std::collections::BTreeMap;

/// Messages that may be on their way to a node or lie there: as many as an LH Buffer holds, and a ring of statuses (thesis
/// section 5.1.4).
pub(super) const PLACES: u64 = 63;

/// A sender, as the node sees it to which it pushes.
#[derive(Clone, Copy, Debug)]
struct Giving {
    /// Messages of it that the node has taken.
    taken: u64,
    /// Messages that it may push, as far as it was told.
    told: u64,
    /// All messages that it pushes.
    all: u64,
}

/// A receiver, as the node sees it that pushes to it.
#[derive(Clone, Copy, Debug, Default)]
struct Having {
    /// Messages that were pushed.
    pushed: u64,
    /// Messages that may be pushed.
    room: u64,
}

/// What a node gives to others, and has of them.
#[derive(Debug, Default)]
pub(super) struct Room {
    giving: BTreeMap<usize, Giving>,
    having: BTreeMap<usize, Having>,
}

impl Room {
    /// That of a node, out of the senders of messages that are pushed to it, and the receivers of those that it pushes.
    pub fn new(senders: impl Iterator<Item = usize>, receivers: impl Iterator<Item = usize>) -> Self {
        let mut room = Room::default();
        for sender in senders {
            room.giving.entry(sender).or_insert(Giving { taken: 0, told: 0, all: 0 }).all += 1;
        }
        room.having = receivers.map(|receiver| (receiver, Having::default())).collect();
        room
    }

    /// Those who push to the node.
    pub fn senders(&self) -> impl Iterator<Item = usize> {
        self.giving.keys().copied()
    }

    /// Those to whom the node pushes.
    pub fn receivers(&self) -> impl Iterator<Item = usize> {
        self.having.keys().copied()
    }

    /// Places of each sender: the same for all, and at least one.
    pub fn share(&self) -> u64 {
        (PLACES / self.giving.len().max(1) as u64).max(1)
    }

    /// Places that all senders have together.
    pub fn places(&self) -> u64 {
        self.share() * self.giving.len() as u64
    }

    /// What senders are told before they push anything.
    pub fn first(&mut self) -> Vec<(usize, u64)> {
        let share = self.share();
        let told = self.giving.iter_mut().map(|(&sender, giving)| {
            giving.told = share.min(giving.all);
            (sender, giving.told)
        });
        told.collect()
    }

    /// The node has taken a message; what its sender is told now, if anything. It is told when half of its places are free
    /// again, so that most messages cost no packet of their own, or when it has room for all the rest.
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

    /// Whether there is room for one more message, as far as the node knows.
    pub fn is_there(&self, receiver: usize) -> bool {
        let Having { pushed, room } = self.having[&receiver];
        pushed < room
    }

    /// What a receiver has told last.
    pub fn heard(&mut self, receiver: usize, room: u64) {
        self.having.get_mut(&receiver).expect("only receivers tell").room = room;
    }

    /// The node pushes a message.
    pub fn push(&mut self, receiver: usize) {
        self.having.get_mut(&receiver).expect("only those are pushed to who give room").pushed += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Senders that push as often as they may, and a node that takes what has come, one of each in turn; how many
    /// messages lay at the node at most, and how often senders were told.
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
        // More senders than places have one each.
        assert_eq!(play(100, 5).0, 100);
    }

    #[test]
    fn sender_is_told_when_half_of_its_places_are_free() {
        assert_eq!(play(1, 63), (63, 0));
        // After 32 messages, after 64, and of the last 9 when there is room for them.
        assert_eq!(play(1, 63 + 32 + 32 + 9), (63, 3));
        assert_eq!(play(63, 5), (63, 63 * 4));
    }
}
