//! A guest's process as a program of its host: its calls one after the other, in virtual time.

mod adapter;
mod areas;
mod completions;
mod pairs;
mod requests;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use cluster::{Duration, Time, Waiting};
use hca_machine::Port;

use crate::verbs::beside::{heard, next_tick};
use crate::verbs::call::{Answer, Call, Called};
use crate::verbs::process::{Ended, Process};
use crate::verbs::run::{Ending, Run};
use adapter::Adapter;

/// The most that one call may compute or sleep: an hour.
const LONGEST_COMPUTATION: u64 = 3_600_000_000_000_000;

/// What a call comes to: an answer, or the error number of the operating system.
type Reply = Result<Answer, i32>;

/// Runs the program of a host, from its start to its end; or until the run is over.
pub async fn serve(port: Port, run: Run) {
    let mut served = pin!(guest(port, run.clone()));
    let result = poll_fn(|context| {
        if !run.goes_on() {
            return Poll::Ready(None);
        }
        served.as_mut().poll(context).map(Some)
    })
    .await;
    if let Some(Err(ending)) = result {
        run.end(ending);
    }
}

async fn guest(port: Port, run: Run) -> Result<(), Ending> {
    let host = port.verbs().node();
    let adapter = Adapter::load(port).await;
    let program = run.program(host);
    let process = Process::start(program, host).map_err(|error| {
        let name = program.words.first().map_or(String::new(), |word| word.to_string_lossy().into_owned());
        Ending::Start { program: name, error }
    })?;
    let process = Rc::new(RefCell::new(process));
    Server { run, host, process, adapter }.calls().await
}

/// The simulator's half of a guest.
struct Server {
    run: Run,
    host: usize,
    process: Rc<RefCell<Process>>,
    adapter: Adapter,
}

impl Server {
    async fn calls(&mut self) -> Result<(), Ending> {
        let cpu = self.adapter.host().processor().clone();
        loop {
            let next = self.process.borrow_mut().next(&mut || self.run.goes_on());
            let Called { function, computed_ps, spoke, call } = match next {
                Ok(called) => called,
                Err(Ended::Exit(death)) if death.status.code().is_some() => {
                    self.run.over(&death, cpu.now());
                    return Ok(());
                }
                Err(ended) => return Err(ended.into()),
            };
            if spoke {
                self.run.beside().borrow_mut().tells(self.host, cpu.now());
            }
            cpu.compute(Duration::from_ps(computed_ps.min(LONGEST_COMPUTATION))).await;
            self.run.called(self.host, &function, cpu.now(), &crate::encode(&call));
            let reply = match call {
                Call::Waits { again } => self.waits(again).await,
                Call::Meets => self.meets().await,
                Call::Sleep(ps) => {
                    cpu.compute(Duration::from_ps(ps.min(LONGEST_COMPUTATION))).await;
                    Ok(Answer::Done)
                }
                call => self.adapter.carry_out(call).await,
            };
            if let Ok(Answer::Completions(completions)) = &reply {
                let came = completions.iter().filter(|completion| completion.received.is_some());
                came.for_each(|completion| self.run.count_message(completion.bytes));
            }
            let answer = reply.unwrap_or_else(Answer::Failed);
            self.process.borrow_mut().answer(cpu.now().ps(), &answer, &mut || self.run.goes_on())?;
        }
    }

    /// A guest calls another one beside the adapter: not before one has said anything.
    async fn meets(&mut self) -> Reply {
        let alone = self.run.beside().borrow().is_alone();
        self.hears(!alone, Time::ZERO).await
    }

    /// A guest waits for what others say beside the adapter. It looks at the next tick; and then at each one at which there is something new.
    async fn waits(&mut self, again: bool) -> Reply {
        // It has looked at what was heard now.
        let known = heard(self.adapter.host().processor().now());
        self.hears(again, known).await
    }

    /// Waits for a tick; for one at which there is something that was not `known`, if it is `news` that is waited for.
    async fn hears(&mut self, news: bool, known: Time) -> Reply {
        let cpu = self.adapter.host().processor().clone();
        loop {
            if news {
                self.run.beside().borrow_mut().waits(self.host, known);
                if self.run.beside().borrow().stands_still() {
                    self.run.stands_still();
                }
            }
            let tick = next_tick(cpu.now());
            cpu.until(tick, Waiting::For("a word of another program, in a socket")).await;
            if !news || self.run.beside().borrow().is_news(self.host, known, tick) {
                self.run.beside().borrow_mut().looks(self.host);
                return Ok(Answer::Done);
            }
        }
    }
}
