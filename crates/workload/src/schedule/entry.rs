//! An entry of a workload, which stands for one or several messages.

use cluster::Duration;

use super::Problem;
use crate::duration::LONGEST;
use crate::nodes::{self, NodesError};

/// An entry in the form common to both file formats.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry<'t> {
    pub id: Option<&'t str>,
    pub from: &'t str,
    pub to: &'t str,
    pub bytes: u64,
    pub primitive: Option<&'t str>,
    pub at: Option<Duration>,
    pub after: Option<&'t str>,
    pub delay: Option<Duration>,
    pub every: Option<Duration>,
    pub count: Option<u64>,
    pub spread: bool,
}

/// Receiver of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Receiver {
    /// The node with this number.
    Node(u32),
    /// The node this many numbers after the sender, modulo the number of nodes.
    Ahead(u64),
    /// All nodes except the sender, beginning with the next one.
    Others,
}

impl Receiver {
    fn parse(text: &str, nodes: usize) -> Result<Receiver, Problem> {
        let none = || Problem::NotAReceiver(text.to_owned());
        let around = |digits: &str| digits.parse::<u32>().map(|by| u64::from(by) % nodes as u64);
        let text = text.trim();
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return match nodes::number(text, text, nodes) {
                Err(NodesError::NotNodes(_)) => Err(none()),
                node => Ok(Receiver::Node(node?)),
            };
        }
        let sign = text.chars().next().filter(|sign| "+-".contains(*sign));
        // A second sign would be parsed as part of the number.
        let digits = sign.map(|_| &text[1..]).filter(|digits| digits.bytes().all(|c| c.is_ascii_digit()));
        match (text, sign, digits) {
            ("others", ..) => Ok(Receiver::Others),
            ("next", ..) => Ok(Receiver::Ahead(1 % nodes as u64)),
            ("previous", ..) => Ok(Receiver::Ahead(nodes as u64 - 1)),
            (_, Some('+'), Some(digits)) => Ok(Receiver::Ahead(around(digits).map_err(|_| none())?)),
            (_, Some('-'), Some(digits)) => {
                let back = around(digits).map_err(|_| none())?;
                Ok(Receiver::Ahead((nodes as u64 - back) % nodes as u64))
            }
            _ => Err(none()),
        }
    }

    /// Distances from this sender to the receivers.
    fn steps(self, from: u32, nodes: u64) -> std::ops::Range<u64> {
        match self {
            Receiver::Node(to) => {
                let steps = (u64::from(to) + nodes - u64::from(from)) % nodes;
                steps..steps + 1
            }
            Receiver::Ahead(steps) => steps..steps + 1,
            Receiver::Others => 1..nodes,
        }
    }
}

/// Messages of an entry before they are created.
pub(super) struct Expansion {
    senders: Vec<u32>,
    receiver: Receiver,
    nodes: u64,
    count: u64,
    every: Duration,
    spread: bool,
    /// Begin of the first message: a time or a delay.
    base: Duration,
}

impl Expansion {
    pub fn of(entry: &Entry, nodes: usize) -> Result<Expansion, Problem> {
        let mut senders = nodes::select(entry.from, nodes)?;
        let receiver = Receiver::parse(entry.to, nodes)?;
        let itself = match receiver {
            Receiver::Node(to) => senders == [to],
            Receiver::Ahead(steps) => steps == 0,
            Receiver::Others => nodes == 1,
        };
        if itself {
            return Err(Problem::Itself(senders[0]));
        }
        if let Receiver::Node(to) = receiver {
            senders.retain(|from| *from != to);
        }
        if entry.at.is_some() && entry.after.is_some() {
            return Err(Problem::AtAndAfter);
        }
        if entry.delay.is_some() && entry.after.is_none() {
            return Err(Problem::DelayWithoutAfter);
        }
        if entry.every.is_some() && entry.count.is_none() {
            return Err(Problem::EveryWithoutCount);
        }
        if entry.count == Some(0) {
            return Err(Problem::NoTimes);
        }
        let every = entry.every.unwrap_or_default();
        if entry.spread && every == Duration::ZERO {
            return Err(Problem::SpreadWithoutEvery);
        }
        let base = entry.at.or(entry.delay).unwrap_or_default();
        let count = entry.count.unwrap_or(1);
        let rounds = u128::from(if entry.spread { count } else { count - 1 });
        if u128::from(base.ps()) + u128::from(every.ps()) * rounds > u128::from(LONGEST.ps()) {
            return Err(Problem::TooLate);
        }
        Ok(Expansion { senders, receiver, nodes: nodes as u64, count, every, spread: entry.spread, base })
    }

    /// Number of messages.
    pub fn len(&self) -> u128 {
        let receivers = if self.receiver == Receiver::Others { self.nodes - 1 } else { 1 };
        u128::from(self.count) * self.senders.len() as u128 * u128::from(receivers)
    }

    /// Sender, receiver and begin of each message, round by round.
    pub fn messages(&self) -> impl Iterator<Item = (u32, u32, Duration)> {
        (0..self.count).flat_map(move |round| {
            (0..).zip(&self.senders).flat_map(move |(place, &from)| {
                let begin = self.base + self.every * round + self.phase(place);
                let to = move |steps| ((u64::from(from) + steps) % self.nodes) as u32;
                self.receiver.steps(from, self.nodes).map(move |steps| (from, to(steps), begin))
            })
        })
    }

    /// Delay of this sender after the first one.
    fn phase(&self, place: u64) -> Duration {
        match self.spread {
            true => Duration::from_ps(self.every.ps() * place / self.senders.len() as u64),
            false => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(from: &str, to: &str, nodes: usize) -> Result<Vec<(u32, u32)>, Problem> {
        let expansion = Expansion::of(&Entry { from, to, bytes: 8, ..Entry::default() }, nodes)?;
        let pairs: Vec<_> = expansion.messages().map(|(from, to, _)| (from, to)).collect();
        assert_eq!(pairs.len() as u128, expansion.len());
        Ok(pairs)
    }

    #[test]
    fn receivers_are_named_by_number_by_distance_and_all() {
        assert_eq!(pairs("1", "0", 3).unwrap(), [(1, 0)]);
        assert_eq!(pairs("all", "next", 3).unwrap(), [(0, 1), (1, 2), (2, 0)]);
        assert_eq!(pairs("all", "previous", 3).unwrap(), [(0, 2), (1, 0), (2, 1)]);
        assert_eq!(pairs("0-1", "+5", 4).unwrap(), [(0, 1), (1, 2)]);
        assert_eq!(pairs("0", "-3", 4).unwrap(), [(0, 1)]);
        assert_eq!(pairs("1", "others", 4).unwrap(), [(1, 2), (1, 3), (1, 0)]);
    }

    #[test]
    fn receiver_among_the_senders_is_left_out_unless_it_is_alone() {
        assert_eq!(pairs("all", "1", 3).unwrap(), [(0, 1), (2, 1)]);
        assert_eq!(pairs("1", "1", 3), Err(Problem::Itself(1)));
        assert_eq!(pairs("all", "+3", 3), Err(Problem::Itself(0)));
        for to in ["others", "next", "previous", "0"] {
            assert_eq!(pairs("all", to, 1), Err(Problem::Itself(0)), "{to}");
        }
    }

    #[test]
    fn invalid_receivers_are_refused() {
        for to in ["", "all", "+", "-", "+-1", "++1", "nobody", "0-1", "+99999999999", "é"] {
            assert_eq!(pairs("0", to, 4), Err(Problem::NotAReceiver(to.into())), "{to}");
        }
        assert_eq!(pairs("0", "4", 4), Err(NodesError::NoSuchNode { node: 4, nodes: 4 }.into()));
    }

    #[test]
    fn phases_are_spread_over_the_interval_between_rounds() {
        let us = |n| Some(Duration::from_us(n));
        let entry = Entry {
            from: "all",
            to: "next",
            bytes: 8,
            at: us(1),
            every: us(10),
            count: Some(2),
            spread: true,
            ..Entry::default()
        };
        let expansion = Expansion::of(&entry, 4).unwrap();
        let begins: Vec<_> = expansion.messages().map(|(_, _, begin)| begin.ps() / 100_000).collect();
        assert_eq!(begins, [10, 35, 60, 85, 110, 135, 160, 185]);
        let late = Entry { count: Some(100_000_000), ..entry };
        assert_eq!(Expansion::of(&late, 4).err(), Some(Problem::TooLate));
    }
}
