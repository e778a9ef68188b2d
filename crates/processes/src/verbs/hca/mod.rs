//! A verbs program on its host: its calls, one after the other, in virtual time.

mod adapter;
mod async_events;
mod completion_queue;
mod completions;
pub(super) mod directory;
mod errno;
mod failures;
mod gather;
mod guest;
mod host_memory;
mod probe;
mod queue_pair;
mod queue_pairs;
mod regions;
mod requests;
#[cfg(test)]
mod tests;
mod transitions;

use cluster::{Duration, Time, Waiting};
use hca_machine::Port;

use super::INTERFACE;
use super::call::{Answer, Call, CallMessage, Completion};
use super::out_of_band::{next_tick, visible_until};
use super::run::{Run, VerbsFailure};
use crate::encode;
use crate::process::{Process, ProcessError};
use crate::progress::ProcessId;
use adapter::Adapter;

pub use gather::{MOST_INLINE, MOST_PIECES};

/// Outstanding RDMA READs of the peers of a queue pair at most: one for each peer, and a queue pair has one.
pub const MOST_PEER_READS: u8 = 16;

/// Virtual time that a program computes or sleeps between two calls at most: one hour, in ps.
const LONGEST_COMPUTATION: u64 = 3_600_000_000_000_000;

/// Result of a call: its answer, or an `errno`.
type Reply = Result<Answer, i32>;

impl crate::process::CallMessage for CallMessage {
    fn function_mut(&mut self) -> &mut String {
        &mut self.function
    }
}

/// Runs the program of a host, from its start to its exit or to the end of the run.
pub async fn serve(port: Port, run: Run) {
    run.drive(start_and_serve(port, run.clone())).await;
}

async fn start_and_serve(port: Port, run: Run) -> Result<(), VerbsFailure> {
    let host = port.verbs().node();
    let mut adapter = Adapter::load(port, run.directory()).await;
    let process = ProcessId { interface: &INTERFACE, number: host };
    let process = Process::start(run.program(host), process, &[], run.silence_watch())?;
    adapter.find_pages = guest::pages_of(process.pid());
    Server { run, host, process, adapter }.serve_calls().await
}

/// The simulator's half of a program.
struct Server {
    run: Run,
    host: usize,
    process: Process,
    adapter: Adapter,
}

impl Server {
    async fn serve_calls(&mut self) -> Result<(), VerbsFailure> {
        let cpu = self.adapter.host().processor().clone();
        loop {
            let next = self.process.next::<CallMessage>(&mut || self.run.is_running());
            let CallMessage { function, computed_ps, sent_out_of_band, memory, call } = match next {
                Ok(message) => message,
                Err(ProcessError::Exit(exit)) if exit.status.code().is_some() => {
                    self.adapter.release().await;
                    self.run.end_program(&exit, cpu.now());
                    return Ok(());
                }
                Err(error) => return Err(error.into()),
            };
            if sent_out_of_band {
                self.run.out_of_band().borrow_mut().send(self.host, cpu.now());
            }
            cpu.compute(Duration::from_ps(computed_ps.min(LONGEST_COMPUTATION))).await;
            self.run.enter_call(self.host, &function, cpu.now(), &encode(&call));
            let reply = match call {
                Call::WaitForSocket { again } => {
                    // The program has seen everything that can be seen now.
                    self.wait_for_tick(again, visible_until(cpu.now())).await
                }
                Call::WaitForPeer => {
                    let is_alone = self.run.out_of_band().borrow().is_alone();
                    self.wait_for_tick(!is_alone, Time::ZERO).await
                }
                Call::Sleep(ps) => {
                    cpu.compute(Duration::from_ps(ps.min(LONGEST_COMPUTATION))).await;
                    Ok(Answer::Done)
                }
                call => {
                    self.run.open();
                    self.adapter.carry_out(call, memory).await
                }
            };
            if let Ok(Answer::Completions(completions)) = &reply {
                let is_message =
                    |completion: &&Completion| completion.operation.is_receive() && completion.status == 0;
                let received = completions.iter().filter(is_message);
                received.for_each(|completion| self.run.count_message(completion.bytes.into()));
            }
            let answer = reply.unwrap_or_else(Answer::Failed);
            self.run.leave_call(self.host);
            // The program sees what the adapter has written, and may write its memory.
            self.adapter.host().synchronize_windows();
            self.process.set_events(self.adapter.has_events());
            self.process.answer(cpu.now().ps(), &answer, &mut || self.run.is_running())?;
        }
    }

    /// Waits for the next tick; with `news`, for a tick at which another program's socket operation after `known` is
    /// seen.
    async fn wait_for_tick(&mut self, news: bool, known: Time) -> Reply {
        let cpu = self.adapter.host().processor().clone();
        let traffic = self.run.out_of_band();
        loop {
            if news {
                traffic.borrow_mut().start_wait(self.host, known);
                if traffic.borrow().is_deadlocked() {
                    self.run.report_deadlock();
                }
            }
            let tick = next_tick(cpu.now());
            cpu.until(tick, Waiting::For("a socket operation of another program")).await;
            if !news || traffic.borrow().has_news(self.host, known, tick) {
                traffic.borrow_mut().end_wait(self.host);
                return Ok(Answer::Done);
            }
        }
    }
}
