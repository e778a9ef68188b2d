//! Positions of programs within their polling iterations, for comparison of two instants.

use crate::Duration;

/// Position of a program, relative to an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The program is suspended at the end of a polling iteration.
    pub stands: bool,
    /// Times that it was resumed so far.
    pub resumed: u64,
    /// Time since the end of its last polling iteration, and times that it was resumed since.
    pub turned: Option<(Duration, u64)>,
    /// Time until it continues, if that is known.
    pub left: Option<Duration>,
}

/// How a program spent the time between two instants, at both of which it is at an equal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spent {
    /// Suspended: it continues at a fixed time, or never.
    Resting,
    /// In whole polling iterations.
    Iterating,
    /// In polling iterations, within one at both instants.
    WithinIterations,
}

impl Position {
    /// How the program came from the position `before`, `time` earlier, to this one; `None` if the positions differ.
    fn spent_since(&self, before: &Position, time: Duration) -> Option<Spent> {
        if self.resumed == before.resumed {
            return Some(Spent::Resting);
        }
        if self.stands && before.stands {
            return Some(Spent::Iterating);
        }
        let (since, _) = self.turned.filter(|_| !self.stands && !before.stands)?;
        let is_due_later = self.left.is_some_and(|left| left > Duration::ZERO);
        let is_alike = self.turned == before.turned && self.left == before.left;
        (is_alike && is_due_later && since < time).then_some(Spent::WithinIterations)
    }
}

/// How each program came from `before`, `time` earlier, to `now`; `None` if a program is at another position.
pub(crate) fn spent(before: &[Position], now: &[Position], time: Duration) -> Option<Vec<Spent>> {
    if before.len() != now.len() {
        return None;
    }
    now.iter().zip(before).map(|(now, before)| now.spent_since(before, time)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NS: fn(u64) -> Duration = Duration::from_ns;

    fn within(resumed: u64, since: u64, left: u64) -> Position {
        Position { stands: false, resumed, turned: Some((NS(since), 2)), left: Some(NS(left)) }
    }

    #[test]
    fn program_within_an_iteration_is_alike_after_a_whole_one() {
        let spent = |now: Position, time| now.spent_since(&within(5, 30, 20), NS(time));
        assert_eq!(spent(within(9, 30, 20), 90), Some(Spent::WithinIterations));
        assert_eq!(spent(within(9, 30, 10), 90), None, "it continues earlier");
        assert_eq!(spent(within(9, 40, 20), 90), None, "its iteration began earlier");
        assert_eq!(spent(within(9, 30, 20), 30), None, "its iteration did not end in between");
        assert_eq!(
            spent(Position { turned: Some((NS(30), 3)), ..within(9, 30, 20) }, 90),
            None,
            "a later step"
        );
    }

    #[test]
    fn suspended_program_rests_whenever_it_continues() {
        let computing = |left| Position { stands: false, resumed: 3, turned: None, left: Some(NS(left)) };
        let positions = [[within(5, 30, 20), computing(100)], [within(9, 30, 20), computing(10)]];
        let spent = spent(&positions[0], &positions[1], NS(90));
        assert_eq!(spent, Some(vec![Spent::WithinIterations, Spent::Resting]));
    }

    #[test]
    fn program_that_left_its_loop_is_at_another_position() {
        let stands = Position { stands: true, resumed: 5, turned: Some((NS(0), 0)), left: None };
        let again = Position { resumed: 9, ..stands };
        assert_eq!(again.spent_since(&stands, NS(90)), Some(Spent::Iterating));
        assert_eq!(within(9, 30, 20).spent_since(&stands, NS(90)), None);
        let computing = Position { turned: None, ..within(9, 30, 20) };
        assert_eq!(computing.spent_since(&computing_before(), NS(90)), None);
    }

    fn computing_before() -> Position {
        Position { turned: None, ..within(5, 30, 20) }
    }

    #[test]
    fn other_number_of_programs_is_another_position() {
        assert_eq!(spent(&[within(5, 30, 20)], &[], NS(90)), None);
    }
}
