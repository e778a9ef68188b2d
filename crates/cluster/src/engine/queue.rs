//! Event queue: the earliest of many times, each of which changes often.

use crate::Time;

/// A tournament tree of times. Changing a time costs O(log N), reading the earliest O(1); of equal times, the
/// one with the lowest number comes first.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    /// Times of all players, which follow the inner matches; match n is between 2n and 2n + 1.
    times: Vec<Time>,
    /// Winner of each inner match.
    winners: Vec<u32>,
    players: usize,
}

impl Queue {
    /// A queue of `players` without events.
    pub fn new(players: usize) -> Self {
        let size = players.next_power_of_two();
        let mut queue = Queue { times: vec![Time::END; size], winners: vec![0; size], players };
        for at in (1..size).rev() {
            queue.winners[at] = queue.winner_of(at);
        }
        queue
    }

    /// The earliest time and the number of its player.
    #[inline]
    pub fn first(&self) -> (Time, usize) {
        match self.players {
            0 => (Time::END, 0),
            1 => (self.times[0], 0),
            _ => (self.times[self.winners[1] as usize], self.winners[1] as usize),
        }
    }

    /// All players whose time is before `end`, in the order of their numbers.
    pub fn before(&self, end: Time, players: &mut Vec<u32>) {
        if self.first().0 < end {
            self.gather(1, end, players);
        }
    }

    /// Players below a match whose time is before `end`.
    fn gather(&self, at: usize, end: Time, players: &mut Vec<u32>) {
        if at >= self.times.len() {
            players.push(self.best(at));
            return;
        }
        for below in [2 * at, 2 * at + 1] {
            if self.times[self.best(below) as usize] < end {
                self.gather(below, end, players);
            }
        }
    }

    /// Changes the time of a player.
    #[inline]
    pub fn set(&mut self, player: usize, time: Time) {
        if self.times[player] == time {
            return;
        }
        self.times[player] = time;
        let mut at = (player + self.times.len()) / 2;
        while at > 0 {
            self.winners[at] = self.winner_of(at);
            at /= 2;
        }
    }

    /// Winner of a match: the player with the earlier time.
    #[inline]
    fn winner_of(&self, at: usize) -> u32 {
        let (left, right) = (self.best(2 * at), self.best(2 * at + 1));
        if self.times[right as usize] < self.times[left as usize] { right } else { left }
    }

    /// Winner of a match, or the player at a position after the matches.
    #[inline]
    fn best(&self, at: usize) -> u32 {
        let size = self.times.len();
        if at >= size { (at - size) as u32 } else { self.winners[at] }
    }
}

#[cfg(test)]
mod tests {
    use hdl::Stimulus;

    use super::*;

    #[test]
    fn earliest_is_first_and_of_equal_ones_the_lowest_number() {
        for players in [1, 2, 3, 5, 8, 13] {
            let (mut queue, mut times) = (Queue::new(players), vec![Time::END; players]);
            let mut random = Stimulus::new(players as u64);
            for _ in 0..1_000 {
                let (player, time) = (random.below(players as u64) as usize, Time::from_ps(random.below(9)));
                queue.set(player, time);
                times[player] = time;
                let first = times.iter().enumerate().map(|(i, time)| (*time, i)).min().unwrap();
                assert_eq!(queue.first(), first);
                let (end, mut before) = (Time::from_ps(random.below(10)), Vec::new());
                queue.before(end, &mut before);
                let expected = (0..players as u32).filter(|player| times[*player as usize] < end);
                assert_eq!(before, expected.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn new_queue_has_no_events() {
        assert_eq!(Queue::new(3).first().0, Time::END);
        assert_eq!(Queue::new(0).first().0, Time::END);
    }
}
