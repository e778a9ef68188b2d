//! Looks of a rank that find nothing. The rank is told until when the same look finds nothing, and repeats it
//! without the simulator; the repetitions count as calls when the next other call arrives.

use cluster::{Duration, Time};
use mpi::Communicator;

use super::{Reply, Server};
use crate::codec::{encode, hash_encoded};
use crate::mpi::call::{Answer, Call};

/// A look that finds nothing until a time.
pub(super) struct Look {
    function: String,
    call: Vec<u8>,
    answered: Time,
    until: Time,
    length: Duration,
}

impl Look {
    /// The first repetitions, up to one that cannot have been. The times are the word of a process: each repetition begins
    /// when the one before has ended, and ends before an event may come.
    fn possible(&self, repeated: &[u64]) -> impl Iterator<Item = Time> {
        let mut earliest = Time::ZERO;
        let begins = repeated.iter().map(|ps| self.answered + Duration::from_ps(*ps));
        begins.take_while(move |begins| {
            let possible = *begins >= earliest && *begins + self.length < self.until;
            earliest = *begins + self.length;
            possible
        })
    }
}

impl Server {
    /// Counts the repetitions of the last look, given by their times after its answer in ps. Returns their number.
    pub(super) fn count_looks(&self, repeated: &[u64]) -> usize {
        let Some(look) = self.look.take() else { return 0 };
        let begins = look.possible(repeated);
        let repeat = |begins| {
            self.run.enter_call(self.rank, &look.function, begins, |hash| hash_encoded(&look.call, hash));
        };
        begins.map(repeat).count()
    }

    /// Replaces the answer to a look that has found nothing, where it finds nothing for some time.
    pub(super) fn answer_to_look(
        &self,
        world: &Communicator,
        function: &str,
        call: &Call,
        reply: Reply,
    ) -> Reply {
        let length = world.host().costs().look;
        if !may_repeat(&reply, self.run.may_skip_looks(), length) {
            return reply;
        }
        let Some(until) = world.quiet_until() else { return reply };
        let (function, call, answered) = (function.to_owned(), encode(call), world.now());
        self.look.replace(Some(Look { function, call, answered, until, length }));
        Ok(Answer::Nothing { until_ps: until.ps(), look_ps: length.ps() })
    }
}

/// Whether a rank may repeat a look with this reply itself. Looks that take no time would never end.
fn may_repeat(reply: &Reply, may_skip: bool, length: Duration) -> bool {
    found_nothing(reply) && may_skip && length > Duration::ZERO
}

fn found_nothing(reply: &Reply) -> bool {
    match reply {
        Ok(Answer::Completed(ends)) => ends.is_empty(),
        Ok(answer) => matches!(answer, Answer::Flag(false) | Answer::Probed(None)),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_follow_each_other_and_end_before_the_event() {
        let at = |ps| Time::from_ps(ps);
        let look = Look {
            function: "MPI_Test".into(),
            call: vec![],
            answered: at(1_000),
            until: at(1_100),
            length: Duration::from_ps(10),
        };
        for (repeated, expected) in [
            (&[][..], &[][..]),
            (&[0, 10, 25], &[1_000, 1_010, 1_025]),
            // The second begins before the first has ended.
            (&[0, 9, 30], &[1_000]),
            (&[5, 0], &[1_005]),
            // The look ends when the event may come.
            (&[89], &[1_089]),
            (&[90], &[]),
            (&[0, 90, 20], &[1_000]),
        ] {
            let begins: Vec<_> = look.possible(repeated).collect();
            assert_eq!(begins, expected.iter().copied().map(at).collect::<Vec<_>>(), "{repeated:?}");
        }
    }

    #[test]
    fn looks_without_an_event_may_be_repeated() {
        for (answer, nothing) in [
            (Answer::Completed(vec![]), true),
            (Answer::Flag(false), true),
            (Answer::Flag(true), false),
            (Answer::Probed(None), true),
            (Answer::Done, false),
        ] {
            for (may_skip, ps) in [(true, 1), (false, 1), (true, 0), (false, 0)] {
                let repeats = may_repeat(&Ok(answer.clone()), may_skip, Duration::from_ps(ps));
                assert_eq!(repeats, nothing && may_skip && ps > 0, "{answer:?} {may_skip} {ps}");
            }
        }
    }
}
