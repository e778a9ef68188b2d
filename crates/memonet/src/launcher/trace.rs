//! Calls of processes as trace events.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use cluster::Time;
use processes::{Run, RunState};
use serde_json::{Value, json};

use crate::output;
use crate::trace_events::{beginning, complete, document, thread};

/// Records the calls of a run.
pub struct CallTrace(Rc<RefCell<Calls>>);

#[derive(Default)]
struct Calls {
    /// Names of functions; calls refer to them by index.
    functions: Vec<String>,
    /// In the order of their starts.
    calls: Vec<Call>,
    /// By process, the index of the call that it is in.
    current: Vec<Option<usize>>,
    /// Word before the number of a process: `rank`.
    process: &'static str,
    /// Category of the events: `mpi`.
    kind: &'static str,
}

struct Call {
    process: usize,
    function: usize,
    begin: Time,
    /// None for a call that did not return.
    end: Option<Time>,
}

impl CallTrace {
    /// Records all calls of a run from now on. Events are of this kind, and rows have this word before their number.
    pub fn of<S: RunState>(run: &Run<S>, kind: &'static str, process: &'static str) -> CallTrace {
        let calls = Rc::new(RefCell::new(Calls { kind, process, ..Calls::default() }));
        let recorded = calls.clone();
        run.observe(move |process, now, function| recorded.borrow_mut().record(process, now, function));
        CallTrace(calls)
    }

    /// Writes trace events into a file.
    pub fn write(&self, file: &Path) -> anyhow::Result<()> {
        let events = self.0.borrow().events();
        output::write(file, format!("{events}\n").as_bytes())
    }
}

impl Calls {
    fn record(&mut self, process: usize, now: Time, function: Option<&str>) {
        if self.current.len() <= process {
            self.current.resize(process + 1, None);
        }
        if let Some(call) = self.current[process].take() {
            self.calls[call].end = Some(now);
        }
        let Some(name) = function else { return };
        let known = self.functions.iter().position(|function| function == name);
        let function = known.unwrap_or_else(|| {
            self.functions.push(name.to_owned());
            self.functions.len() - 1
        });
        self.current[process] = Some(self.calls.len());
        self.calls.push(Call { process, function, begin: now, end: None });
    }

    /// Trace events; each process is a thread.
    fn events(&self) -> Value {
        let threads = (0..self.current.len()).map(|row| thread(row, &format!("{} {row}", self.process)));
        let calls = self.calls.iter().map(|Call { process, function, begin, end }| {
            let name = &self.functions[*function];
            match end {
                Some(end) => {
                    let lasts = *end - *begin;
                    complete(*process, self.kind, name, *begin, lasts, json!({ "ps": lasts.ps() }))
                }
                None => beginning(*process, self.kind, name, *begin),
            }
        });
        document(threads.chain(calls).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_without_a_return_has_a_start_alone() {
        let mut calls = Calls { kind: "mpi", process: "rank", ..Calls::default() };
        let at = |us: u64| Time::from_ps(us * 1_000_000);
        calls.record(1, at(1), Some("MPI_Send"));
        calls.record(0, at(2), Some("MPI_Recv"));
        calls.record(1, at(3), None);
        calls.record(1, at(5), Some("MPI_Recv"));
        let events = calls.events();
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
