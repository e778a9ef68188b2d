//! Credit-based flow control: a sender never has more packets outstanding than the receiver has buffers for
//! it. Independent of time and network.
//!
//! A receiver with full buffers would block all its senders; if it had to send before it could receive, the
//! ranks would deadlock. Therefore each pair of ranks reserves buffers for each other in advance. A receiver
//! returns credits in a separate word that needs no buffer; a carrier with credits has such words. The words
//! hold totals, so only the latest counts and lost words do no harm.

/// Credits of one rank for one peer. The totals wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Credits {
    /// Buffers that each side reserves for the other.
    share: u32,
    /// Packets sent, and the total that the peer has acknowledged.
    sent: u32,
    heard: u32,
    /// Packets received, and the total of them that was returned to the peer.
    taken: u32,
    returned: u32,
}

impl Credits {
    /// Credits of a pair with `share` buffers for each other; `None` for 0.
    pub fn new(share: u32) -> Option<Credits> {
        (share > 0).then_some(Credits { share, sent: 0, heard: 0, taken: 0, returned: 0 })
    }

    /// Share of each peer in `slots` buffers among `ranks` ranks; `None` if there are too few.
    pub fn of_slots(slots: usize, ranks: usize) -> Option<Credits> {
        Credits::new(u32::try_from(slots / (ranks - 1).max(1)).ok()?)
    }

    /// Largest share that fits into `places` buffers of a pair if words that only return credits occupy a
    /// buffer too; `None` if there is none.
    pub fn share_of(places: u32) -> Option<u32> {
        (1..=places).rev().find(|share| share + Credits::tellings(*share) <= places)
    }

    /// Most words with credits alone that are in flight to one side at a time. Each returns half a share, and
    /// at most one share is sent before one of them has arrived.
    pub const fn tellings(share: u32) -> u32 {
        share / share.div_ceil(2)
    }

    /// Buffers that each side reserves for the other.
    pub fn share(&self) -> u32 {
        self.share
    }

    /// Whether the sender has a credit left.
    pub fn may_send(&self) -> bool {
        self.sent.wrapping_sub(self.heard) < self.share
    }

    /// Records that a packet was sent.
    pub fn sent(&mut self) {
        self.sent = self.sent.wrapping_add(1);
    }

    /// Records the peer's total of received packets. Totals above the packets sent or below the last total
    /// are ignored.
    pub fn hear(&mut self, taken: u32) {
        if taken.wrapping_sub(self.heard) <= self.sent.wrapping_sub(self.heard) {
            self.heard = taken;
        }
    }

    /// Records that a packet was received.
    pub fn took(&mut self) {
        self.taken = self.taken.wrapping_add(1);
    }

    /// Whether credits are to be returned: half of the share or more is free and the peer does not know it.
    pub fn is_to_tell(&self) -> bool {
        self.taken.wrapping_sub(self.returned) >= self.share.div_ceil(2)
    }

    /// Whether the peer has no credit left, so that its credits are returned before anything else.
    pub fn is_to_tell_at_once(&self) -> bool {
        self.taken.wrapping_sub(self.returned) >= self.share
    }

    /// Total to send to the peer, which counts as returned.
    pub fn tell(&mut self) -> u32 {
        self.returned = self.taken;
        self.taken
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, VecDeque};

    use super::*;

    /// Two ranks with the packets and credit words in flight to each.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Pair {
        ends: [Credits; 2],
        packets: [u32; 2],
        words: [VecDeque<u32>; 2],
        /// Packets that each rank still has to send.
        wants: [u8; 2],
    }

    /// All successor states.
    fn steps(pair: &Pair) -> Vec<Pair> {
        let mut next = Vec::new();
        for end in 0..2 {
            let mut step = |happens: bool, what: &dyn Fn(&mut Pair)| {
                if happens {
                    let mut then = pair.clone();
                    what(&mut then);
                    next.push(then);
                }
            };
            step(pair.ends[end].may_send() && pair.wants[end] > 0, &|pair| {
                pair.ends[end].sent();
                pair.packets[1 - end] += 1;
                pair.wants[end] -= 1;
            });
            step(pair.packets[end] > 0, &|pair| {
                pair.ends[end].took();
                pair.packets[end] -= 1;
            });
            step(pair.ends[end].is_to_tell(), &|pair| {
                let total = pair.ends[end].tell();
                pair.words[1 - end].push_back(total);
            });
            step(!pair.words[end].is_empty(), &|pair| {
                let total = pair.words[end].pop_front().unwrap();
                pair.ends[end].hear(total);
            });
        }
        next
    }

    /// Explores all states of a pair whose totals begin at `first` and returns their number.
    fn walk(share: u32, wants: u8, first: u32) -> usize {
        let end = Credits { share, sent: first, heard: first, taken: first, returned: first };
        let words = [VecDeque::new(), VecDeque::new()];
        let begin = Pair { ends: [end; 2], packets: [0; 2], words, wants: [wants; 2] };
        let (mut seen, mut open) = (BTreeSet::from([begin.clone()]), vec![begin]);
        while let Some(pair) = open.pop() {
            assert!(
                pair.packets.iter().all(|packets| *packets <= share),
                "more packets than places: {pair:?}"
            );
            let tellings = Credits::tellings(share) as usize;
            assert!(
                pair.words.iter().all(|words| words.len() <= tellings),
                "more words than places: {pair:?}"
            );
            let next = steps(&pair);
            assert!(!next.is_empty() || pair.wants == [0; 2], "nobody goes on: {pair:?}");
            open.extend(next.into_iter().filter(|next| seen.insert(next.clone())));
        }
        seen.len()
    }

    #[test]
    fn ranks_that_flood_each_other_neither_block_nor_overrun() {
        for (share, wants) in [(1, 4), (2, 4), (3, 5), (4, 5)] {
            assert!(walk(share, wants, 0) > 100, "{share}");
        }
    }

    #[test]
    fn totals_may_wrap_around() {
        assert_eq!(walk(2, 4, u32::MAX - 1), walk(2, 4, 0));
    }

    #[test]
    fn credits_are_returned_when_half_of_the_share_is_free() {
        let returned_at = |share| {
            let mut credits = Credits::new(share).unwrap();
            let tells = |_: &u32| {
                credits.took();
                credits.is_to_tell().then(|| credits.tell()).is_some()
            };
            (1..=12).filter(tells).collect::<Vec<u32>>()
        };
        assert_eq!(returned_at(1), (1..=12).collect::<Vec<_>>());
        assert_eq!(returned_at(3), [2, 4, 6, 8, 10, 12]);
        assert_eq!(returned_at(8), [4, 8, 12]);
    }

    #[test]
    fn peer_that_may_send_nothing_is_told_at_once() {
        for share in 1..=8 {
            let mut credits = Credits::new(share).unwrap();
            for taken in 1..=share {
                credits.took();
                assert_eq!(credits.is_to_tell_at_once(), taken == share, "{taken} of {share}");
            }
            assert_eq!(
                (credits.tell(), credits.is_to_tell_at_once(), credits.is_to_tell()),
                (share, false, false)
            );
        }
    }

    #[test]
    fn share_leaves_buffers_for_credit_words() {
        assert_eq!([1, 2, 3, 4, 5].map(Credits::tellings), [1, 2, 1, 2, 1]);
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 7, 63].map(Credits::share_of),
            [None, None, Some(1), Some(1), Some(3), Some(3), Some(5), Some(5), Some(61),]
        );
    }

    #[test]
    fn impossible_totals_are_ignored() {
        let mut credits = Credits::new(2).unwrap();
        credits.sent();
        credits.sent();
        for taken in [3, u32::MAX] {
            credits.hear(taken);
            assert!(!credits.may_send(), "{taken}");
        }
        credits.hear(1);
        credits.hear(0);
        assert!(credits.may_send());
    }

    #[test]
    fn buffers_are_shared_among_all_peers() {
        assert_eq!(Credits::of_slots(63, 22), Credits::new(3));
        assert_eq!(Credits::of_slots(63, 64), Credits::new(1));
        assert_eq!(Credits::of_slots(63, 65), None);
        assert_eq!(Credits::of_slots(63, 1), Credits::new(63));
    }
}
