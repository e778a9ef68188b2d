//! Looks of a rank that find nothing. The rank is told until when the same look finds nothing, and repeats it
//! without the simulator; the repetitions count as calls when the next other call arrives.

use cluster::{Duration, Time};
use mpi::Communicator;

use super::{Reply, Server};
use crate::encode;
use crate::mpi::call::{Answer, Call};

/// A look that finds nothing until a time.
pub(super) struct Look {
    function: String,
    call: Vec<u8>,
    answered: Time,
    until: Time,
    length: Duration,
}

impl Server {
    /// Counts the repetitions of the last look, given by their times after its answer in ps. Returns their number.
    pub(super) fn count_looks(&self, repeated: &[u64]) -> usize {
        let Some(look) = self.look.take() else { return 0 };
        // The times are the word of a process.
        let mut earliest = Time::ZERO;
        let possible = |begins: &Time| {
            let possible = *begins >= earliest && *begins + look.length < look.until;
            earliest = *begins + look.length;
            possible
        };
        let begins = repeated.iter().map(|ps| look.answered + Duration::from_ps(*ps)).take_while(possible);
        begins.map(|begins| self.run.enter_call(self.rank, &look.function, begins, &look.call)).count()
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
        if !found_nothing(&reply) || !self.run.may_skip_looks() || length == Duration::ZERO {
            return reply;
        }
        let Some(until) = world.quiet_until() else { return reply };
        let (function, call, answered) = (function.to_owned(), encode(call), world.now());
        self.look.replace(Some(Look { function, call, answered, until, length }));
        Ok(Answer::Nothing { until_ps: until.ps(), look_ps: length.ps() })
    }
}

fn found_nothing(reply: &Reply) -> bool {
    match reply {
        Ok(Answer::Completed(ends)) => ends.is_empty(),
        Ok(answer) => matches!(answer, Answer::Flag(false) | Answer::Probed(None)),
        Err(_) => false,
    }
}
