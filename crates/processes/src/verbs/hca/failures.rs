//! The error state of queue pairs: flushed requests, and failures of which only an interrupt tells.

use hca::contexts::{PAIRS, PairState, SHARED_QUEUES};
use hca::registers::{Register, cause};

use super::adapter::{Adapter, CAUSES};
use super::completion_queue::{Entry, OwnCompletion};
use super::transitions::state::{ERROR, READY_TO_RECEIVE, READY_TO_SEND, SEND_ERROR};
use crate::verbs::call::{AsyncEvent, CompletedOperation, Completion};

/// `IBV_WC_WR_FLUSH_ERR`.
pub(super) const FLUSHED: u8 = 5;

impl Adapter {
    /// Moves a queue pair to the error state: the adapter forgets it, and all its requests are flushed.
    pub(super) async fn enter_error(&mut self, number: u8) {
        let Ok(pair) = self.pair(number) else { return };
        pair.state = ERROR;
        let (was_loaded, shared) = (pair.is_loaded, pair.shared);
        let held = if was_loaded { self.unload_row(number).await } else { None };
        if let Ok(pair) = self.pair(number) {
            pair.is_loaded = false;
        }
        self.flush(number);
        if shared.is_some() {
            if let Some(held) = held {
                self.flush_one(number, held, true);
            }
            self.events.push_back(AsyncEvent::LastRequest(number));
        }
    }

    /// Flushes the requests of which the adapter has written no completion (IBA volume 1, section 10.3.1.7). Those of a
    /// shared receive queue stay there.
    fn flush(&mut self, number: u8) {
        let is_sharing = self.pair(number).is_ok_and(|pair| pair.shared.is_some());
        let queues = if is_sharing { &[false][..] } else { &[false, true] };
        for is_receive in queues.iter().copied() {
            let Ok(queue) = self.queue_of(number, is_receive) else { continue };
            let Ok(done) = self.done(number, queue, is_receive) else { continue };
            let Ok(behind) = self.end(queue) else { continue };
            let Ok(pair) = self.pair(number) else { continue };
            let posted = if is_receive { pair.receives.posted } else { pair.sends.posted };
            let mut count = done;
            while count != posted {
                self.add_flushed(queue, number, count, is_receive, behind);
                count = count.wrapping_add(1);
            }
        }
    }

    /// Flushes the request of this count, which the adapter does not know.
    pub(super) fn flush_one(&mut self, number: u8, count: u16, is_receive: bool) {
        let Ok(queue) = self.queue_of(number, is_receive) else { return };
        let Ok(behind) = self.end(queue) else { return };
        self.add_flushed(queue, number, count, is_receive, behind);
    }

    fn queue_of(&mut self, number: u8, is_receive: bool) -> Result<u8, i32> {
        let init = &self.pair(number)?.init;
        Ok(if is_receive { init.receive_queue } else { init.send_queue })
    }

    fn add_flushed(&mut self, queue: u8, number: u8, count: u16, is_receive: bool, behind: u16) {
        if let Some(own) = self.flushed(number, count, is_receive, behind) {
            self.add_own(queue, own);
        }
    }

    /// The completion of a request that is flushed.
    fn flushed(&mut self, number: u8, count: u16, is_receive: bool, behind: u16) -> Option<OwnCompletion> {
        let (id, operation, bounce) = if is_receive {
            let request = self.take_receive(number, count)?;
            (request.id, CompletedOperation::Receive, request.bounce)
        } else {
            let pair = self.pair(number).ok()?;
            let request = std::mem::take(pair.sends.request(count));
            (request.id, request.operation, request.bounce)
        };
        if let Some(bounce) = bounce {
            self.bounce.free(bounce.base);
        }
        let completion = Completion {
            id,
            status: FLUSHED,
            operation,
            time_ps: self.host().processor().now().ps(),
            pair: number,
            bytes: 0,
            immediate: None,
            source: 0,
            source_lid: 0,
        };
        Some(OwnCompletion { behind, completed: count.wrapping_add(1), completion })
    }

    /// Count of the first request without a completion, of the adapter or of the driver.
    pub(super) fn done(&mut self, number: u8, queue: u8, is_receive: bool) -> Result<u16, i32> {
        let pair = self.pair(number)?;
        let mut done = if is_receive { pair.receives.completed } else { pair.sends.completed };
        let of = self.completion_queue(queue)?;
        let mut count = of.consumed;
        let own = of.own.iter().filter(|own| own.completion.pair == number);
        let own = own.filter(|own| own.completion.operation.is_receive() == is_receive);
        let own: Vec<u16> = own.map(|own| own.completed).collect();
        let mut reach = |completed: u16| {
            if completed.wrapping_sub(done) as i16 > 0 {
                done = completed;
            }
        };
        own.into_iter().for_each(&mut reach);
        let end = self.end(queue)?;
        while count != end {
            let entry = self.entry(queue, count)?;
            if entry.pair == number && entry.is_receive() == is_receive {
                reach(entry.index.wrapping_add(1));
            }
            count = count.wrapping_add(1);
        }
        Ok(done)
    }

    /// Count behind the last request of its shared receive queue of which a queue pair has a completion of the adapter.
    pub(super) fn done_shared(&mut self, number: u8, queue: u8) -> Result<u16, i32> {
        let mut done = self.pair(number)?.receives.completed;
        let (mut count, end) = (self.completion_queue(queue)?.consumed, self.end(queue)?);
        while count != end {
            let entry = self.entry(queue, count)?;
            if entry.pair == number && entry.is_receive() {
                done = entry.index.wrapping_add(1);
            }
            count = count.wrapping_add(1);
        }
        Ok(done)
    }

    /// Reports the first message of a queue pair that is not ready to send.
    pub(super) fn note_arrival(&mut self, entry: Entry) {
        let Ok(pair) = self.pair(entry.pair) else { return };
        if entry.is_receive() && pair.state == READY_TO_RECEIVE && !pair.is_established {
            pair.is_established = true;
            self.events.push_back(AsyncEvent::Established(entry.pair));
        }
    }

    /// Reads the causes of an interrupt, if the adapter requests one, and acts on them.
    pub(super) async fn handle_interrupt(&mut self) {
        if !self.host().is_interrupted() {
            return;
        }
        let causes = self.host().read_register(Register::InterruptCause).await as u16 & CAUSES;
        self.host().write_register(Register::InterruptCause, causes.into()).await;
        // The write has reached the adapter when a read returns, so the same interrupt is not seen again.
        self.host().read_register(Register::InterruptCause).await;
        self.inspect().await;
        for queue in 0..SHARED_QUEUES as u8 {
            if causes & cause::LIMIT << queue != 0 {
                self.note_limit(queue);
            }
        }
        if causes & cause::OVERFLOW != 0 {
            self.handle_overflow().await;
        }
        if causes & cause::QUEUE_PAIR != 0 {
            self.find_refusal().await;
        }
    }

    /// A completion queue without room has overflowed: so have failed the queue pairs that use it.
    async fn handle_overflow(&mut self) {
        for queue in self.queue_numbers() {
            let Ok(of) = self.completion_queue(queue) else { continue };
            let last = of.reported.wrapping_add(((1_u32 << of.log) - 1) as u16);
            if of.is_broken || !self.is_valid(queue, last).is_ok_and(|valid| valid) {
                continue;
            }
            if let Ok(of) = self.completion_queue(queue) {
                of.is_broken = true;
            }
            self.events.push_back(AsyncEvent::QueueError(queue));
            for pair in PAIRS {
                let uses = self.pair(pair).is_ok_and(|pair| {
                    pair.state != ERROR
                        && pair.is_loaded
                        && [pair.init.send_queue, pair.init.receive_queue].contains(&queue)
                });
                if uses {
                    self.events.push_back(AsyncEvent::PairFatal(pair));
                    self.enter_error(pair).await;
                }
            }
        }
    }

    /// A responder may have refused an RDMA request for good. Without a receive request no completion tells of it, so the
    /// adapter is asked for the state of each connection.
    async fn find_refusal(&mut self) {
        let is_candidate = |pair: &u8| {
            self.pairs[usize::from(*pair)]
                .as_ref()
                .is_some_and(|pair| pair.init.service.is_connected() && pair.is_loaded)
        };
        let candidates: Vec<u8> = PAIRS.filter(is_candidate).collect();
        for pair in candidates {
            if self.host().progress(pair).await.state != PairState::Error.code() {
                continue;
            }
            // The completion of a request that has failed may have come meanwhile.
            self.inspect().await;
            if self.pair(pair).is_ok_and(|pair| pair.state != ERROR) {
                self.refuse(pair).await;
            }
        }
    }

    /// The responder of a connection has refused an RDMA request for good.
    async fn refuse(&mut self, pair: u8) {
        self.events.push_back(AsyncEvent::PairAccessError(pair));
        self.enter_error(pair).await;
    }

    /// Changes the state of the queue pair of an entry that reports an error.
    pub(super) async fn note_failure(&mut self, entry: Entry) {
        let Ok(pair) = self.pair(entry.pair) else { return };
        if entry.status == 0 || pair.state == ERROR {
            return;
        }
        if !pair.init.service.is_connected() {
            if !entry.is_receive() && pair.state == READY_TO_SEND {
                pair.state = SEND_ERROR;
            }
        } else if entry.status == FLUSHED {
            // No request has failed, but the adapter flushes.
            self.refuse(entry.pair).await;
        } else {
            self.enter_error(entry.pair).await;
        }
    }

    pub(super) fn forget_events_of_queue(&mut self, queue: u8) {
        self.events.retain(|event| !matches!(event, AsyncEvent::QueueError(of) if *of == queue));
    }

    pub(super) fn forget_events_of_pair(&mut self, number: u8) {
        self.events.retain(|event| match event {
            AsyncEvent::QueueError(_) | AsyncEvent::Limit(_) => true,
            AsyncEvent::PairFatal(of)
            | AsyncEvent::PairAccessError(of)
            | AsyncEvent::Established(of)
            | AsyncEvent::Drained(of)
            | AsyncEvent::LastRequest(of) => *of != number,
        });
    }
}
