//! A thread that waits for messages of a NIF, whose interrupts the kernel makes events of.

use cenju3::memory_map::ENTRIES;
use cenju3::pins::{In, Out};
use hdl::{Nic, NicError};
use mpi_de::{Header, Turn, Waiter};

use super::player::NifTestbed;
use super::stage::{SOON, Stage, entry};
use crate::cenju3::waiting::{Action, State, Waiting, line};
use crate::cenju3::wrong::Wrong;
use crate::core::Testbed;

/// The PE that sends, and the one whose thread waits.
const SENDER: usize = 0;
const WAITER: usize = 1;
/// The ring of messages.
const MESSAGES: usize = 0;

/// The world on NIFs.
pub struct WaitingTestbed<'a, N> {
    world: &'a Waiting,
    stage: Stage<N>,
    waiter: Waiter,
    coming: u8,
}

impl<'a, N: Nic<In = In, Out = Out>> WaitingTestbed<'a, N> {
    /// NIFs after reset, and a thread that is about to look.
    pub fn new(world: &'a Waiting, nifs: [N; 2]) -> Result<Self, NicError> {
        let waiter = Waiter::new(world.rules.counts_events, world.rules.polls_again);
        Ok(Self { world, stage: Stage::new(nifs, ENTRIES - 1)?, waiter, coming: world.messages })
    }

    /// The kernel's interrupt handler, which notifies the thread.
    fn handle(&mut self) -> Result<(), NicError> {
        if self.stage.interrupt(WAITER)? {
            self.waiter.notify();
        }
        Ok(())
    }
}

impl<N: Nic<In = In, Out = Out>> Testbed<Waiting> for WaitingTestbed<'_, N> {
    fn act(&mut self, _: &State, action: Action) -> Result<(), NicError> {
        match action {
            Action::Arrive => {
                let header = Header::Eager { request: u16::from(self.coming), length: 8 };
                self.stage.sides[SENDER].post(&entry(WAITER as u8, header, 8, None));
                self.stage.serve(SENDER)?;
                self.coming -= 1;
                self.handle()?;
            }
            Action::Turn => match self.waiter.turn() {
                Turn::Poll => {
                    let found = self.stage.take(WAITER, MESSAGES)?.is_some();
                    self.waiter.polled(found);
                }
                Turn::Arm => self.waiter.arm(),
                Turn::Sleep => self.waiter.sleep(),
                Turn::Asleep => {}
            },
            Action::Progress => {
                self.stage.take(WAITER, MESSAGES)?;
                if self.world.rules.hands_over {
                    self.waiter.notify();
                }
            }
        }
        Ok(())
    }

    fn knowledge(&mut self, _: &State) -> Result<Vec<String>, NicError> {
        let ring = self.stage.headers(WAITER, MESSAGES)?.len() as u8;
        Ok(vec![line(self.waiter, self.coming, ring)])
    }

    fn agrees(&mut self, state: &State) -> Result<bool, NicError> {
        let ring = self.stage.headers(WAITER, MESSAGES)?.len() as u8;
        Ok((self.waiter, self.coming, ring) == (state.waiter, state.coming, state.ring))
    }

    fn time(&self) -> u64 {
        self.stage.cycles
    }
}

impl<N: Nic<In = In, Out = Out>> NifTestbed<Waiting> for WaitingTestbed<'_, N> {
    fn wrong(&self) -> Option<Wrong> {
        None
    }

    /// No new interrupt is requested, and a sleeping thread does not wake.
    fn is_still(&mut self) -> Result<bool, NicError> {
        let before = self.waiter;
        self.stage.rest(SOON)?;
        self.handle()?;
        Ok(self.waiter == before)
    }
}
