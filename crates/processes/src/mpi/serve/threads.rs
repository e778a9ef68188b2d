//! Calls of several threads of a rank at once.
//!
//! The process runs one thread at a time. A call that waits gives the process back to its other threads; when none of
//! them can run, the process waits for the first call that ends.

use std::rc::Rc;

use cluster::{Duration, Time};
use mpi::{Calls, Communicator};

use super::{LONGEST_COMPUTATION, Reply, Server, not_allowed};
use crate::mpi::call::{Answer, Call, CallingThread, MemoryAddress};

/// Calls of threads that have no answer yet.
#[derive(Default)]
pub(super) struct Threads(Calls<Reply>);

impl Threads {
    /// Lets the time pass that the process has computed, in ps.
    pub async fn compute(&self, world: &Communicator, ps: u64) {
        let duration = Duration::from_ps(ps.min(LONGEST_COMPUTATION));
        match self.0.is_empty() {
            true => world.compute(duration).await,
            // A call may hold the library, so no progress thread runs meanwhile.
            false => world.host().compute(duration).await,
        }
    }

    /// Drops the calls of threads that a program leaves behind at `MPI_Finalize`.
    pub fn end(&mut self) {
        self.0.clear();
    }
}

impl Server {
    /// Begins the call of a thread, and answers the first call that ends.
    pub(super) async fn call_of_thread(
        self: Rc<Self>,
        threads: &mut Threads,
        world: &Communicator,
        thread: Option<CallingThread>,
        call: Call,
        memory: Option<MemoryAddress>,
    ) -> Reply {
        let calls = &mut threads.0;
        let thread = thread.ok_or_else(not_allowed)?;
        let until = match call {
            Call::Await { until_ps } if until_ps.is_some() || !calls.is_empty() => until_ps,
            Call::Await { .. } => return Err(not_allowed()),
            _ if calls.contains_key(&thread.number) => return Err(not_allowed()),
            call => {
                let server = self.clone();
                let reply = async move {
                    match call {
                        Call::Window(call) => server.call_window(call, memory).await,
                        call => server.carry_out(call).await,
                    }
                };
                calls.insert(thread.number, Box::pin(reply));
                None
            }
        };
        let until = until.map(Time::from_ps);
        Ok(match world.drive_calls(calls, until, thread.may_switch).await {
            Some((thread, reply)) => {
                Answer::OfThread { thread, answer: Box::new(reply.unwrap_or_else(Answer::Failed)) }
            }
            None => Answer::Waiting,
        })
    }
}
