//! Calls of ranks as trace events.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use cluster::Time;
use processes::mpi::Run;
use serde_json::{Value, json};

use crate::output;
use crate::trace_events::{beginning, complete, document, thread};

/// The calls of a run.
#[derive(Default)]
pub(super) struct Calls(Rc<RefCell<Kept>>);

#[derive(Default)]
struct Kept {
    /// Names of functions; a call has the place of its own.
    functions: Vec<String>,
    /// In the order in which they began.
    calls: Vec<Call>,
    /// By rank, the call in which it is.
    present: Vec<Option<usize>>,
}

struct Call {
    rank: usize,
    function: usize,
    begin: Time,
    /// None of one that never ended.
    end: Option<Time>,
}

impl Calls {
    /// Those of a run, from now on.
    pub fn of(run: &Run) -> Calls {
        let calls = Calls::default();
        let kept = calls.0.clone();
        run.observe(move |rank, now, function| kept.borrow_mut().note(rank, now, function));
        calls
    }

    /// Writes them into a file.
    pub fn write(&self, file: &Path) -> anyhow::Result<()> {
        let events = self.0.borrow().events();
        output::write(file, format!("{events}\n").as_bytes())
    }
}

impl Kept {
    fn note(&mut self, rank: usize, now: Time, function: Option<&str>) {
        if self.present.len() <= rank {
            self.present.resize(rank + 1, None);
        }
        if let Some(call) = self.present[rank].take() {
            self.calls[call].end = Some(now);
        }
        let Some(name) = function else { return };
        let known = self.functions.iter().position(|function| function == name);
        let function = known.unwrap_or_else(|| {
            self.functions.push(name.to_owned());
            self.functions.len() - 1
        });
        self.present[rank] = Some(self.calls.len());
        self.calls.push(Call { rank, function, begin: now, end: None });
    }

    /// One thread for each rank.
    fn events(&self) -> Value {
        let threads = (0..self.present.len()).map(|rank| thread(rank, &format!("rank {rank}")));
        let calls = self.calls.iter().map(|Call { rank, function, begin, end }| {
            let name = &self.functions[*function];
            match end {
                Some(end) => {
                    let lasts = *end - *begin;
                    complete(*rank, "mpi", name, *begin, lasts, json!({ "ps": lasts.ps() }))
                }
                None => beginning(*rank, "mpi", name, *begin),
            }
        });
        document(threads.chain(calls).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_has_its_rank_and_times_and_one_that_never_ended_only_its_beginning() {
        let mut kept = Kept::default();
        let at = |us: u64| Time::from_ps(us * 1_000_000);
        kept.note(1, at(1), Some("MPI_Send"));
        kept.note(0, at(2), Some("MPI_Recv"));
        kept.note(1, at(3), None);
        kept.note(1, at(5), Some("MPI_Recv"));
        let events = kept.events();
        let call = |at: usize| &events["traceEvents"][2 + at];
        assert_eq!((&call(0)["name"], &call(0)["tid"]), (&json!("MPI_Send"), &json!(1)));
        assert_eq!(
            (&call(0)["ts"], &call(0)["dur"], &call(0)["ph"]),
            (&json!(1.0), &json!(2.0), &json!("X"))
        );
        assert_eq!(
            (&call(2)["name"], &call(2)["ph"], &call(2)["ts"]),
            (&json!("MPI_Recv"), &json!("B"), &json!(5.0))
        );
    }
}
