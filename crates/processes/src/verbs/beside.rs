//! What guests tell each other beside the adapter, in sockets of the operating system, and when in virtual time it is heard.
//!
//! Nobody sees what passes there. A guest that would wait says so, and looks again at the next [tick](TICK) behind something that another guest has told. So the
//! order of words is that of virtual time, whatever the operating system does.

use cluster::{Duration, Time};

/// From tick to tick: 100 us, about what a short message of TCP took between PCs of that time (our choice, decision 0066).
pub const TICK: Duration = Duration::from_us(100);
/// What was told this long before a tick is heard at it: hosts of a run are apart by less (the shortest way between two of them). Ours.
const LAG: Duration = Duration::from_us(2);

/// Who has told something when, and who waits to hear.
#[derive(Debug, Default)]
pub struct Beside {
    guests: Vec<Guest>,
}

#[derive(Clone, Debug, Default)]
struct Guest {
    over: bool,
    /// When it told something; a later word does not hide an earlier one.
    told: Vec<Time>,
    /// It has looked and found nothing; up to then it knows what there was.
    waits: Option<Time>,
}

impl Beside {
    /// Of so many guests.
    pub fn new(guests: usize) -> Self {
        Beside { guests: vec![Guest::default(); guests] }
    }

    /// A guest tells something.
    pub fn tells(&mut self, guest: usize, now: Time) {
        self.guests[guest].told.push(now);
    }

    /// A guest has ended, which others hear too.
    pub fn over(&mut self, guest: usize, now: Time) {
        self.tells(guest, now);
        (self.guests[guest].over, self.guests[guest].waits) = (true, None);
    }

    /// A guest waits to hear what it did not know at `known`.
    pub fn waits(&mut self, guest: usize, known: Time) {
        self.guests[guest].waits = Some(known);
    }

    /// It looks.
    pub fn looks(&mut self, guest: usize) {
        self.guests[guest].waits = None;
    }

    /// Whether, at this tick, there is something that the guest did not know.
    pub fn is_news(&self, guest: usize, known: Time, tick: Time) -> bool {
        self.others(guest).any(|told| told > known && told <= heard(tick))
    }

    /// Whether all that have not ended wait, and nobody has told them anything.
    pub fn stands_still(&self) -> bool {
        let waits = |(guest, own): (usize, &Guest)| {
            own.over || own.waits.is_some_and(|known| self.others(guest).all(|told| told <= known))
        };
        self.guests.iter().enumerate().all(waits)
    }

    /// Whether there is one guest and no other.
    pub fn is_alone(&self) -> bool {
        self.guests.len() == 1
    }

    /// Guests that wait.
    pub fn waiting(&self) -> impl Iterator<Item = usize> {
        (0..self.guests.len()).filter(|guest| self.guests[*guest].waits.is_some())
    }

    fn others(&self, guest: usize) -> impl Iterator<Item = Time> {
        let others = self.guests.iter().enumerate().filter(move |(other, _)| *other != guest);
        others.flat_map(|(_, of)| of.told.iter().copied())
    }
}

/// The tick behind `now`.
pub fn next_tick(now: Time) -> Time {
    Time::from_ps((now.ps() / TICK.ps() + 1) * TICK.ps())
}

/// What was told until then is heard at this tick.
pub fn heard(tick: Time) -> Time {
    Time::from_ps(tick.ps().saturating_sub(LAG.ps()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(us: u64) -> Time {
        Time::ZERO + Duration::from_us(us)
    }

    #[test]
    fn word_is_heard_at_the_tick_behind_it_and_one_just_before_a_tick_at_the_next() {
        let mut beside = Beside::new(2);
        beside.tells(0, us(199));
        assert!(!beside.is_news(1, us(50), us(200)));
        assert!(beside.is_news(1, us(50), us(300)));
        assert!(!beside.is_news(1, us(199), us(300)), "it is known");
        assert!(!beside.is_news(0, us(50), us(300)), "nobody hears himself");
        assert_eq!((next_tick(us(0)), next_tick(us(100))), (us(100), us(200)));
    }

    #[test]
    fn all_that_wait_for_each_other_are_found_and_none_that_has_something_to_hear() {
        let mut beside = Beside::new(2);
        beside.waits(0, us(98));
        assert!(!beside.stands_still(), "guest 1 runs");
        beside.over(1, us(120));
        assert!(!beside.stands_still(), "its end is to be heard");
        beside.waits(0, us(198));
        assert!(beside.stands_still());
        assert_eq!(beside.waiting().collect::<Vec<_>>(), [0]);
    }
}
