//! Calls of the program.

use std::sync::Arc;
use std::task::Waker;

use super::{Call, Node, Object, Waiting};
use crate::block::Block;
use crate::error::Error;
use crate::protocol::object::Input;
use crate::wire::{Data, Message};

impl Node {
    /// Begins a call; an error if another call is pending.
    pub fn begin(&mut self, call: Call) -> Result<(), Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if self.waiting.is_some() || self.result.is_some() {
            return Err(Error::OneAtATime(self.me));
        }
        self.calls += 1;
        let now = self.now;
        self.waiting = Some(Waiting { call, since: now, reported: now, dropped: false });
        let calls = &mut self.stats.calls;
        match call {
            Call::Read(number) => {
                calls.accesses += 1;
                self.object(number, Input::Read);
            }
            Call::Write(number) => {
                calls.accesses += 1;
                self.object(number, Input::Write);
            }
            Call::Lock(number) => {
                calls.locks += 1;
                let message = self.locks[number as usize].0.acquire();
                self.send(self.home_of_lock(number), Message::Lock(number, message));
            }
            Call::Barrier(digest) => {
                calls.barriers += 1;
                let message = self.arrival.arrive(digest);
                self.send(0, Message::Barrier(message));
            }
            Call::Until(_) => {}
        }
        Ok(())
    }

    /// Result of the call, if it has completed. Otherwise the waker is called on completion.
    pub fn end(&mut self, waker: &Waker) -> Option<Result<(), Error>> {
        if self.result.is_none() {
            self.waker = Some(waker.clone());
        }
        self.result.take().map(|(_, result)| result)
    }

    /// Abandons the call: whatever it acquires is released.
    pub fn forget(&mut self) {
        if let Some(waiting) = &mut self.waiting {
            waiting.dropped = true;
        } else if let Some((call, Ok(()))) = self.result.take() {
            self.give_back(call);
        }
    }

    /// Whether this node owns an object.
    pub fn owns(&self, number: u32) -> bool {
        self.objects[number as usize].replica.is_owner()
    }

    /// Data of an object with a read guard.
    pub fn data(&self, number: u32) -> Arc<Block> {
        let data = self.objects[number as usize].replica.data();
        data.map_or_else(Arc::default, |data| data.0.clone())
    }

    /// Takes the data of an object with a write guard; [`end_write`](Node::end_write) returns it.
    pub fn take(&mut self, number: u32) -> Arc<Block> {
        let data = self.objects[number as usize].replica.data_mut();
        data.map_or_else(Arc::default, |data| std::mem::take(&mut data.0))
    }

    /// Drops a read guard.
    pub fn end_read(&mut self, number: u32) {
        self.object(number, Input::EndRead);
    }

    /// Drops a write guard and stores the new data.
    pub fn end_write(&mut self, number: u32, block: Arc<Block>) {
        self.object(number, Input::EndWrite(Data(block)));
    }

    /// Releases a lock.
    pub fn release(&mut self, number: u32) {
        let message = self.locks[number as usize].0.release();
        self.send(self.home_of_lock(number), Message::Lock(number, message));
    }

    /// Sends a copy to another node; an error unless this node is the owner.
    pub fn push(&mut self, number: u32, to: u16) -> Result<(), Error> {
        let Object { name, replica, .. } = &self.objects[number as usize];
        if !replica.is_owner() || replica.guards().writing {
            return Err(Error::NotOwner { node: self.me, what: name.clone() });
        }
        self.object(number, Input::Push(to));
        Ok(())
    }

    /// Completes the pending call.
    pub(super) fn complete(&mut self, result: Result<(), Error>) {
        let Some(waiting) = self.waiting.take() else { return };
        self.stats.waited += self.now.saturating_sub(waiting.since);
        if waiting.dropped {
            if result.is_ok() {
                self.give_back(waiting.call);
            }
            return;
        }
        self.result = Some((waiting.call, result));
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Releases the result of an abandoned call.
    fn give_back(&mut self, call: Call) {
        match call {
            Call::Read(number) => self.end_read(number),
            Call::Write(number) => {
                let block = self.take(number);
                self.end_write(number, block);
            }
            Call::Lock(number) => self.release(number),
            Call::Barrier(_) | Call::Until(_) => {}
        }
    }

    /// Fails the node: the pending call and all later calls return the error.
    pub(crate) fn fail(&mut self, error: Error) {
        if self.failed.is_none() {
            self.failed = Some(error.clone());
            self.complete(Err(error));
        }
    }
}
