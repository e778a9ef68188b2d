//! Credits: a sender never has more packets at a receiver than that has room for. No time and no network.
//!
//! A receiver whose buffer is full stops all who send to it, and if it has to send before it takes, nobody goes on. So each pair shares
//! out places in advance, and what a receiver has taken it tells the sender in the next packet that goes there anyway, or in one of its
//! own. The last place is for such a packet: without it two that fill each other's places could not tell.

/// Places that a pair has of each other, as one of them sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Credits {
    /// Places that each has at the other.
    share: u16,
    /// Packets that may be sent.
    free: u16,
    /// Packets that were taken, and not told of.
    owed: u16,
    /// Places that only a packet of credits may take.
    kept: u16,
}

impl Credits {
    /// The least share with which both sides always go on.
    pub const LEAST: u16 = 3;

    /// Of a pair that has so many places of each other. None if they are too few.
    pub fn new(share: u16) -> Option<Credits> {
        (share >= Self::LEAST).then_some(Credits { share, free: share, owed: 0, kept: 1 })
    }

    /// The same, but no place is kept for a packet of credits: two that flood each other stand still, which a checker can show.
    pub fn none_kept(self) -> Credits {
        Credits { kept: 0, ..self }
    }

    /// Of so many ranks whose buffer has places for so many packets of all others.
    pub fn of_slots(slots: usize, ranks: usize) -> Option<Credits> {
        Credits::new((slots / (ranks - 1).max(1)).min(u16::MAX.into()) as u16)
    }

    /// Whether a packet may leave that is more than credits.
    pub fn may_send(&self) -> bool {
        self.free > self.kept
    }

    /// Whether a packet is to leave that is nothing but credits. Those for such packets alone are not told in such a packet, or there
    /// would be no end of it.
    pub fn is_to_tell(&self) -> bool {
        self.free > 0 && self.owed >= (self.share / 2).max(2)
    }

    /// Packets that were taken and that the next packet tells of.
    pub fn told(&self) -> u16 {
        self.owed
    }

    /// A packet has left, and told.
    pub fn sent(&mut self) {
        self.free -= 1;
        self.owed = 0;
    }

    /// The other side is gone: nothing is sent to it, or told.
    pub(crate) fn forget(&mut self) {
        (self.free, self.owed) = (0, 0);
    }

    /// A packet was taken that tells so much; more than was sent is no credit.
    pub fn took(&mut self, told: u16) {
        self.owed = self.owed.saturating_add(1);
        self.free = self.free.saturating_add(told).min(self.share);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, VecDeque};

    use super::*;

    /// Two ranks, and on the way to each the packets, each by what it tells.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Pair {
        ends: [[u16; 2]; 2],
        coming: [VecDeque<u16>; 2],
        /// Messages that each still wants to send.
        wants: [u8; 2],
    }

    fn credits(pair: &Pair, end: usize, share: u16) -> Credits {
        Credits { share, free: pair.ends[end][0], owed: pair.ends[end][1], kept: 1 }
    }

    /// All that can happen next.
    fn steps(pair: &Pair, share: u16) -> Vec<Pair> {
        let mut next = Vec::new();
        for end in 0..2 {
            let mine = credits(pair, end, share);
            let mut send = |wants: u8| {
                let mut then = pair.clone();
                let mut mine = mine;
                then.coming[1 - end].push_back(mine.told());
                mine.sent();
                then.ends[end] = [mine.free, mine.owed];
                then.wants[end] = wants;
                next.push(then);
            };
            if mine.may_send() && pair.wants[end] > 0 {
                send(pair.wants[end] - 1);
            }
            if mine.is_to_tell() {
                send(pair.wants[end]);
            }
            let mut then = pair.clone();
            if let Some(told) = then.coming[end].pop_front() {
                let mut mine = mine;
                mine.took(told);
                then.ends[end] = [mine.free, mine.owed];
                next.push(then);
            }
        }
        next
    }

    /// Walks all states of a pair; how many there are.
    fn walk(share: u16, wants: u8) -> usize {
        let first =
            Pair { ends: [[share, 0]; 2], coming: [VecDeque::new(), VecDeque::new()], wants: [wants; 2] };
        let (mut seen, mut open) = (BTreeSet::from([first.clone()]), vec![first]);
        while let Some(pair) = open.pop() {
            for coming in &pair.coming {
                assert!(coming.len() <= usize::from(share), "more packets than places: {pair:?}");
            }
            let next = steps(&pair, share);
            assert!(!next.is_empty() || pair.wants == [0; 2], "nobody goes on: {pair:?}");
            open.extend(next.into_iter().filter(|next| seen.insert(next.clone())));
        }
        seen.len()
    }

    #[test]
    fn two_that_flood_each_other_always_go_on_and_never_beyond_their_places() {
        for (share, wants) in [(3, 5), (4, 5), (5, 5)] {
            assert!(walk(share, wants) > 1000, "{share}");
        }
    }

    #[test]
    fn credits_for_credits_alone_come_to_an_end() {
        let mut pair = [Credits::new(3).unwrap(); 2];
        let mut packets = 0;
        for message in 0..100 {
            let (from, to) = (message % 2, 1 - message % 2);
            let mut queue = vec![(to, pair[from].told())];
            assert!(pair[from].may_send());
            pair[from].sent();
            while let Some((to, told)) = queue.pop() {
                packets += 1;
                pair[to].took(told);
                if pair[to].is_to_tell() {
                    queue.push((1 - to, pair[to].told()));
                    pair[to].sent();
                }
            }
        }
        assert!(packets <= 150, "{packets}");
    }

    #[test]
    fn places_are_shared_among_all_others() {
        assert_eq!(Credits::of_slots(63, 22), Credits::new(3));
        assert_eq!(Credits::of_slots(63, 23), None);
        assert_eq!(Credits::of_slots(63, 1), Credits::new(63));
    }
}
