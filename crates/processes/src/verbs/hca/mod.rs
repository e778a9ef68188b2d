//! A verbs program on its host: its calls, one after the other, in virtual time.

mod adapter;
mod ahead;
mod async_events;
mod completion_queue;
mod completions;
pub(super) mod directory;
mod errno;
mod failures;
mod gather;
mod groups;
mod guest;
mod host_memory;
mod management;
mod management_pair;
mod memory_window;
mod memory_windows;
mod queue_pair;
mod queue_pairs;
mod region;
mod regions;
mod requests;
mod shared_queue;
mod shared_queues;
#[cfg(test)]
mod tests;
mod transitions;
mod waits;

use std::borrow::Cow;

use cluster::{Duration, Time, Waiting};
use hca::contexts::OUTSTANDING;
use hca_machine::Port;

use super::INTERFACE;
use super::call::{Answer, Call, CallMessage, Completion, MemoryAddress};
use super::out_of_band::{next_look, next_send, next_tick, visible_until};
use super::run::{Programs, Run, VerbsFailure};
use crate::encode;
use crate::process::{Process, ProcessError, ProcessExit};
use crate::progress::ProcessId;
use adapter::Adapter;

pub use gather::{MOST_INLINE, MOST_PIECES};

/// Outstanding RDMA READs of a queue pair at most, and of its peer.
pub const MOST_READS: u8 = OUTSTANDING as u8;

/// Virtual time that a program computes or sleeps between two calls at most: one hour, in ps.
const LONGEST_COMPUTATION: u64 = 3_600_000_000_000_000;
/// Time between two looks for the end of the other programs.
const LINGER: Duration = Duration::from_us(10);

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
    run.add_library(port.host().verbs_library().clone());
    let mut adapter = Adapter::load(port, run.directory()).await;
    let id = ProcessId { interface: &INTERFACE, number: host };
    let (process, ancestor) = match run.programs() {
        Programs::Own(programs) => {
            let process = Process::start(&programs[host], id, &[], run.silence_watch())?;
            let pid = process.pid();
            (process, pid)
        }
        Programs::Launched(launch) => (launch.process(host, run.silence_watch())?, launch.pid()),
    };
    adapter.find_pages = guest::pages_of(ancestor);
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
    /// The call as it is counted. The port of a process outside the run is one that the operating system had free.
    fn reproducible<'a>(&self, call: &'a Call) -> Cow<'a, Call> {
        match call {
            Call::WaitForPeer { port, blocks: false }
                if !self.run.out_of_band().borrow().has_listener(*port) =>
            {
                Cow::Owned(Call::WaitForPeer { port: 0, blocks: false })
            }
            call => Cow::Borrowed(call),
        }
    }

    async fn serve_calls(&mut self) -> Result<(), VerbsFailure> {
        loop {
            let next = self.process.next::<CallMessage>(&mut || self.run.is_running());
            let CallMessage { function, computed_ps, sent_out_of_band, listens, memory, call } = match next {
                Ok(message) => message,
                Err(ProcessError::Exit(exit)) if exit.status.code().is_some() => {
                    return self.end(&exit).await;
                }
                Err(error) => return Err(error.into()),
            };
            if sent_out_of_band {
                self.run.out_of_band().borrow_mut().send(self.host, self.adapter.program_time());
            }
            self.run.out_of_band().borrow_mut().listen(&listens);
            self.compute(computed_ps).await;
            let counted = encode(&(self.reproducible(&call).as_ref(), self.adapter.digest));
            self.run.enter_call(self.host, &function, self.adapter.program_time(), &counted);
            let reply = self.carry_out(call, memory).await;
            if let Ok(Answer::Completions(completions)) = &reply {
                let is_message =
                    |completion: &&Completion| completion.operation.is_receive() && completion.status == 0;
                let received = completions.iter().filter(is_message);
                received.for_each(|completion| self.run.count_message(completion.bytes.into()));
            }
            let answer = reply.unwrap_or_else(Answer::Failed);
            let now = self.adapter.program_time();
            self.run.leave_call(self.host, now);
            // The program sees what the adapter has written, and may write its memory.
            self.adapter.host().synchronize_windows();
            self.process.set_events(self.adapter.has_events());
            match self.process.answer(now.ps(), &answer, &mut || self.run.is_running()) {
                // One thread was in a call when another one ended the program.
                Err(ProcessError::Exit(exit)) if exit.status.code().is_some() => {
                    return self.end(&exit).await;
                }
                answered => answered?,
            }
        }
    }

    /// The program has ended.
    async fn end(&mut self, exit: &ProcessExit) -> Result<(), VerbsFailure> {
        self.adapter.release().await;
        self.run.end_program(exit, self.adapter.host().processor().now());
        self.serve_others().await;
        Ok(())
    }

    /// The connection manager answers peers for as long as another program runs.
    async fn serve_others(&mut self) {
        if !self.adapter.manages_connections() {
            return;
        }
        let cpu = self.adapter.host().processor().clone();
        while !self.run.out_of_band().borrow().have_all_ended(visible_until(cpu.now())) {
            let waiting = Waiting::For("the end of the other programs");
            self.adapter.rest_until(cpu.now() + LINGER, waiting).await;
        }
    }

    /// The program computes or sleeps.
    async fn compute(&mut self, ps: u64) {
        let end = self.adapter.program_time() + Duration::from_ps(ps.min(LONGEST_COMPUTATION));
        self.adapter.advance_to(end).await;
    }

    async fn carry_out(&mut self, call: Call, memory: Option<MemoryAddress>) -> Reply {
        let cpu = self.adapter.host().processor().clone();
        match call {
            Call::Sleep(ps) => {
                self.compute(ps).await;
                Ok(Answer::Done)
            }
            Call::UseSockets { sends } => {
                self.adapter.forget_ahead();
                let time = if sends { next_send(cpu.now()) } else { next_look(cpu.now()) };
                self.adapter.rest_until(time, Waiting::Computing).await;
                Ok(Answer::Done)
            }
            Call::EndFork => {
                self.adapter.free_objects().await;
                Ok(Answer::Done)
            }
            Call::WaitForSocket { again } => {
                self.adapter.forget_ahead();
                // The program has seen everything that can be seen now.
                self.wait_for_tick(again, visible_until(cpu.now())).await
            }
            Call::WaitForPeer { port, blocks } => {
                self.adapter.forget_ahead();
                let is_alone = self.run.out_of_band().borrow().is_alone();
                if blocks {
                    self.wait_for_peer(!is_alone).await;
                }
                Ok(Answer::Number(self.run.out_of_band().borrow().listening(port)))
            }
            Call::Wait(wanted) => {
                self.adapter.forget_ahead();
                self.wait(wanted, &[]).await
            }
            Call::WaitForConnection(wanted, channels) => {
                self.adapter.forget_ahead();
                self.wait(wanted, &channels).await
            }
            call => {
                self.run.open();
                self.adapter.carry_out(call, memory).await
            }
        }
    }

    /// Waits until another program has used a socket, or until all of them wait: the peer may be no program of the run.
    async fn wait_for_peer(&mut self, has_others: bool) {
        let cpu = self.adapter.host().processor().clone();
        let run = self.run.clone();
        let traffic = run.out_of_band();
        loop {
            if has_others {
                traffic.borrow_mut().start_wait(self.host, Time::ZERO);
            }
            let tick = next_tick(cpu.now());
            self.adapter.rest_until(tick, Waiting::For("a socket operation of another program")).await;
            let has_news = traffic.borrow().has_news(self.host, Time::ZERO, tick);
            if !has_others || has_news || traffic.borrow().is_deadlocked() {
                traffic.borrow_mut().end_wait(self.host);
                return;
            }
        }
    }

    /// Waits for the next tick; with `news`, for a tick at which another program's socket operation after `known` is
    /// seen.
    async fn wait_for_tick(&mut self, news: bool, known: Time) -> Reply {
        let cpu = self.adapter.host().processor().clone();
        let run = self.run.clone();
        let traffic = run.out_of_band();
        loop {
            if news {
                traffic.borrow_mut().start_wait(self.host, known);
                if traffic.borrow().is_deadlocked() {
                    self.run.report_deadlock();
                }
            }
            let tick = next_tick(cpu.now());
            self.adapter.rest_until(tick, Waiting::For("a socket operation of another program")).await;
            if !news || traffic.borrow().has_news(self.host, known, tick) {
                traffic.borrow_mut().end_wait(self.host);
                return Ok(Answer::Done);
            }
        }
    }
}
