//! Credits: a sender never has more packets at a receiver than that has room for. No time and no network.
//!
//! A receiver whose buffer is full stops all who send to it, and if it has to send before it takes, nobody goes on. So each pair shares
//! out places in advance. What a receiver has taken it tells the sender beside the packets, in a word that takes no place; a carrier
//! that goes by credits has such words. They hold totals, so only the latest counts, and none has to come.

/// Places that a pair has of each other, as one of them sees it. Totals go round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Credits {
    /// Places that each has at the other.
    share: u32,
    /// Packets that were sent, and those of them that the other side has told of.
    sent: u32,
    heard: u32,
    /// Packets that were taken, and those of them that were told of.
    taken: u32,
    told: u32,
}

impl Credits {
    /// Of a pair that has so many places of each other. None without a place.
    pub fn new(share: u32) -> Option<Credits> {
        (share > 0).then_some(Credits { share, sent: 0, heard: 0, taken: 0, told: 0 })
    }

    /// Of so many ranks whose buffer has places for so many packets of all others. None if they are too few.
    pub fn of_slots(slots: usize, ranks: usize) -> Option<Credits> {
        Credits::new(u32::try_from(slots / (ranks - 1).max(1)).ok()?)
    }

    /// The largest share that fits into so many places of a pair, where what only tells of credits takes a place too. None if there is none.
    pub fn share_of(places: u32) -> Option<u32> {
        (1..=places).rev().find(|share| share + Credits::tellings(*share) <= places)
    }

    /// Words that tell of credits and nothing else, on their way to one side at a time at most: each is for half of a share that was taken, and no
    /// more than a share is sent before one of them has come.
    pub const fn tellings(share: u32) -> u32 {
        share / share.div_ceil(2)
    }

    /// Places that each has at the other.
    pub fn share(&self) -> u32 {
        self.share
    }

    /// Whether a packet may leave.
    pub fn may_send(&self) -> bool {
        self.sent.wrapping_sub(self.heard) < self.share
    }

    /// A packet has left.
    pub fn sent(&mut self) {
        self.sent = self.sent.wrapping_add(1);
    }

    /// The other side has told that it has taken so many packets in all. More than were sent, or fewer than it told before, is no news.
    pub fn hear(&mut self, taken: u32) {
        if taken.wrapping_sub(self.heard) <= self.sent.wrapping_sub(self.heard) {
            self.heard = taken;
        }
    }

    /// A packet was taken.
    pub fn took(&mut self) {
        self.taken = self.taken.wrapping_add(1);
    }

    /// Whether the other side is to be told: half of its places are free again and it does not know. Of a single one at once.
    pub fn is_to_tell(&self) -> bool {
        self.taken.wrapping_sub(self.told) >= self.share.div_ceil(2)
    }

    /// Whether the other side knows of no free place, and is to be told before anything else.
    pub fn is_to_tell_at_once(&self) -> bool {
        self.taken.wrapping_sub(self.told) >= self.share
    }

    /// The total to tell the other side. It counts as told.
    pub fn tell(&mut self) -> u32 {
        self.told = self.taken;
        self.taken
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, VecDeque};

    use super::*;

    /// Two ranks, and on the way to each the number of packets, and words.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Pair {
        ends: [Credits; 2],
        packets: [u32; 2],
        words: [VecDeque<u32>; 2],
        /// Packets that each still wants to send.
        wants: [u8; 2],
    }

    /// All that can happen next.
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

    /// Walks all states of a pair whose totals begin at `first`; how many there are.
    fn walk(share: u32, wants: u8, first: u32) -> usize {
        let end = Credits { share, sent: first, heard: first, taken: first, told: first };
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
    fn two_that_flood_each_other_always_go_on_and_never_beyond_their_places() {
        for (share, wants) in [(1, 4), (2, 4), (3, 5), (4, 5)] {
            assert!(walk(share, wants, 0) > 100, "{share}");
        }
    }

    #[test]
    fn totals_may_go_round() {
        assert_eq!(walk(2, 4, u32::MAX - 1), walk(2, 4, 0));
    }

    #[test]
    fn sender_is_told_when_half_of_its_places_are_free() {
        let told = |share| {
            let mut credits = Credits::new(share).unwrap();
            let tells = |_: &u32| {
                credits.took();
                credits.is_to_tell().then(|| credits.tell()).is_some()
            };
            (1..=12).filter(tells).collect::<Vec<u32>>()
        };
        assert_eq!(told(1), (1..=12).collect::<Vec<_>>());
        assert_eq!(told(3), [2, 4, 6, 8, 10, 12]);
        assert_eq!(told(8), [4, 8, 12]);
    }

    #[test]
    fn share_leaves_places_for_the_words_that_tell() {
        assert_eq!([1, 2, 3, 4, 5].map(Credits::tellings), [1, 2, 1, 2, 1]);
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6, 7, 63].map(Credits::share_of),
            [None, None, Some(1), Some(1), Some(3), Some(3), Some(5), Some(5), Some(61),]
        );
    }

    #[test]
    fn words_that_cannot_be_are_no_news() {
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
    fn places_are_shared_among_all_others() {
        assert_eq!(Credits::of_slots(63, 22), Credits::new(3));
        assert_eq!(Credits::of_slots(63, 64), Credits::new(1));
        assert_eq!(Credits::of_slots(63, 65), None);
        assert_eq!(Credits::of_slots(63, 1), Credits::new(63));
    }
}
