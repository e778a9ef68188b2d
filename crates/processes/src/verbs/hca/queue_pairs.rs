//! Calls on queue pairs: creation, changes of state and attributes, destruction.

use hca::contexts::{Attributes, Kind, QPS};
use hca::layout::{RECEIVE_WQE_BYTES, SEND_WQE_BYTES};

use super::Reply;
use super::adapter::Adapter;
use super::errno::{EBUSY, EINVAL, ENOMEM, EOPNOTSUPP};
use super::gather::{MOST_INLINE, MOST_PIECES};
use super::queue_pair::{Bounce, FIRST_PAIR, QueuePair, Ring, ring_log};
use super::transitions;
use super::transitions::state::*;
use crate::verbs::call::mask::ACCESS;
use crate::verbs::call::{Answer, AsyncEvent, QueuePairAttributes, QueuePairInit, Service};

impl Adapter {
    pub(super) fn create_queue_pair(&mut self, init: QueuePairInit, shared: Option<u8>) -> Reply {
        let free = |number: &usize| self.pairs[*number].is_none();
        let number = (FIRST_PAIR..QPS).find(free);
        self.make_queue_pair(number, init, shared)
    }

    /// Makes the queue pair of this number; `ENOMEM` without one.
    pub(super) fn make_queue_pair(
        &mut self,
        number: Option<usize>,
        init: QueuePairInit,
        shared: Option<u8>,
    ) -> Reply {
        self.check_domain(init.domain)?;
        self.completion_queue(init.send_queue)?;
        self.completion_queue(init.receive_queue)?;
        if init.send_pieces.max(init.receive_pieces) > MOST_PIECES || init.inline > MOST_INLINE {
            return Err(EINVAL);
        }
        self.check_sharing(&init, shared)?;
        let (send_log, receive_log) = (ring_log(init.sends)?, ring_log(init.receives)?);
        let number = number.ok_or(ENOMEM)?;
        let sends = self.memory.allocate(u64::from(SEND_WQE_BYTES) << send_log)?;
        let sends_ring = Ring::new(sends, send_log);
        if shared.is_some() {
            let pair = QueuePair::new(init, sends_ring, Ring::new(0, 0));
            self.pairs[number] = Some(QueuePair { shared, ..pair });
            return Ok(Answer::QueuePair { number: number as u8, sends: 1 << send_log, receives: 0 });
        }
        let receives = self
            .memory
            .allocate(u64::from(RECEIVE_WQE_BYTES) << receive_log)
            .inspect_err(|_| self.memory.free(sends))?;
        self.pairs[number] = Some(QueuePair::new(init, sends_ring, Ring::new(receives, receive_log)));
        Ok(Answer::QueuePair { number: number as u8, sends: 1 << send_log, receives: 1 << receive_log })
    }

    /// Checks a queue pair against its shared receive queue: the keys of requests are checked in its domain.
    fn check_sharing(&mut self, init: &QueuePairInit, shared: Option<u8>) -> Result<(), i32> {
        let Some(shared) = shared else { return Ok(()) };
        if init.service == Service::UnreliableConnection {
            return Err(EOPNOTSUPP);
        }
        if self.shared_queue(shared)?.domain == init.domain { Ok(()) } else { Err(EINVAL) }
    }

    pub(super) fn pair(&mut self, pair: u8) -> Result<&mut QueuePair, i32> {
        self.pairs.get_mut(usize::from(pair)).and_then(Option::as_mut).ok_or(EINVAL)
    }

    pub(super) async fn query_queue_pair(&mut self, number: u8) -> Reply {
        self.inspect().await;
        self.note_drained(number);
        let pair = self.pair(number)?;
        Ok(Answer::QueuePairState { state: pair.state, is_draining: pair.is_draining })
    }

    pub(super) async fn destroy_queue_pair(&mut self, number: u8) -> Reply {
        let pair = self.pair(number)?;
        let (sends, receives) = (pair.sends.base, pair.receives.base);
        if self.is_attached(number) {
            return Err(EBUSY);
        }
        let held = self.unload_row(number).await;
        self.discard(number, held);
        self.forget_events_of_pair(number);
        self.directory.set_access(self.lid(), number, 0);
        let pair = self.pairs[usize::from(number)].take();
        self.memory.free(sends);
        if pair.is_some_and(|pair| pair.shared.is_none()) {
            self.memory.free(receives);
        }
        Ok(Answer::Done)
    }

    pub(super) async fn modify_queue_pair(&mut self, number: u8, change: QueuePairAttributes) -> Reply {
        self.inspect().await;
        let pair = self.pair(number)?;
        let from = pair.state;
        let to = transitions::check(pair.init.service, from, &change)?;
        pair.attributes = pair.attributes.updated_with(&change);
        if change.mask & ACCESS != 0 {
            self.directory.set_access(self.lid(), number, change.access);
        }
        match (from, to) {
            (_, RESET) => self.reset_queue_pair(number).await?,
            (ERROR, ERROR) => {}
            (_, ERROR) => self.enter_error(number).await,
            (INIT, READY_TO_RECEIVE) => {
                self.pair(number)?.state = to;
                self.load_row(number).await?;
            }
            (READY_TO_RECEIVE, READY_TO_SEND) => {
                self.load_row_again(number).await?;
                self.pair(number)?.state = to;
            }
            (READY_TO_SEND, DRAINED) => {
                let pair = self.pair(number)?;
                (pair.state, pair.is_draining) = (to, true);
                self.note_drained(number);
            }
            (DRAINED | SEND_ERROR, READY_TO_SEND) => {
                let pair = self.pair(number)?;
                (pair.state, pair.is_draining) = (to, false);
                if pair.sends.rung != pair.sends.posted {
                    self.ring_sends(number).await;
                }
            }
            _ => self.pair(number)?.state = to,
        }
        Ok(Answer::Done)
    }

    /// Removes all requests and completions of a queue pair.
    async fn reset_queue_pair(&mut self, number: u8) -> Result<(), i32> {
        let held = self.unload_row(number).await;
        self.discard(number, held);
        let pair = self.pair(number)?;
        let (mut sends, mut receives) = (pair.sends.clone(), pair.receives.clone());
        sends.clear();
        receives.clear();
        *pair = QueuePair { shared: pair.shared, ..QueuePair::new(pair.init.clone(), sends, receives) };
        self.directory.set_access(self.lid(), number, 0);
        Ok(())
    }

    /// Has the adapter forget a queue pair; the count of the request that it held of a shared receive queue.
    pub(super) async fn unload_row(&mut self, number: u8) -> Option<u16> {
        let is_sharing = self.pair(number).is_ok_and(|pair| pair.shared.is_some() && pair.is_loaded);
        if !is_sharing {
            self.host().write_row(Kind::Pair, number, Attributes::default()).await;
            return None;
        }
        // No message begins between the report and the command.
        self.stop_engines().await;
        let taken = self.host().progress(number).await.receives;
        self.host().write_row(Kind::Pair, number, Attributes::default()).await;
        let done = self.pair(number).map(|pair| pair.init.receive_queue);
        let done = done.and_then(|queue| self.done_shared(number, queue));
        self.start_engines().await;
        // The queue pair has taken a request since its last completion. Counts have 16 bits: one that has come round is
        // missed.
        done.is_ok_and(|done| done != taken).then(|| taken.wrapping_sub(1))
    }

    /// Discards the completions of a queue pair, the request that it held of a shared receive queue, and the driver's
    /// buffers of its requests.
    fn discard(&mut self, number: u8, held: Option<u16>) {
        let shared = self.pair(number).ok().and_then(|pair| pair.shared);
        if let (Some(shared), Some(held)) = (shared, held) {
            self.discard_shared(shared, held);
        }
        self.discard_entries(number);
        let Ok(pair) = self.pair(number) else { return };
        let sends = pair.sends.requests.iter_mut().map(|send| send.bounce.take());
        let receives = pair.receives.requests.iter_mut().map(|receive| receive.bounce.take());
        let bounces: Vec<Bounce> = sends.chain(receives).flatten().collect();
        for bounce in bounces {
            self.bounce.free(bounce.base);
        }
    }

    /// Writes the row of a queue pair, and rings the doorbell for receive requests posted before.
    async fn load_row(&mut self, number: u8) -> Result<(), i32> {
        let pair = self.pair(number)?;
        pair.is_loaded = true;
        let (row, is_sharing) = (pair.row(), pair.shared.is_some());
        self.host().write_row(Kind::Pair, number, row).await;
        if !is_sharing {
            self.ring_receives(number).await;
        }
        Ok(())
    }

    /// Writes the row of a queue pair that is at work. A command of the adapter resets both of its queues, so the
    /// responder goes on after the messages that it has received, and requests that are left come first in their ring.
    async fn load_row_again(&mut self, number: u8) -> Result<(), i32> {
        let pair = self.pair(number)?;
        if pair.shared.is_some() {
            // Requests of the queue may be taken for a message that has begun, so the responder goes on as it is.
            let row = pair.row();
            self.host().write_row(Kind::Sender, number, row).await;
            return Ok(());
        }
        let queue = pair.init.receive_queue;
        let may_receive = pair.receives.posted != pair.receives.completed || pair.receives.completed != 0;
        if !may_receive {
            return self.load_row(number).await;
        }
        self.stop_engines().await;
        self.take_entries(queue, Some(number)).await?;
        let pair = self.pair(number)?;
        if pair.receives.completed != 0 {
            pair.receives.recount();
            let pending = pair.receives.posted;
            if let Ok(of) = self.completion_queue(queue) {
                let own = of.own.iter_mut().filter(|own| own.completion.pair == number);
                own.for_each(|own| own.completed = 0);
            }
            for count in 0..pending {
                self.write_receive(number, count)?;
            }
            self.host().copy(usize::from(pending) * usize::from(RECEIVE_WQE_BYTES)).await;
        }
        let row = self.pair(number)?.row();
        self.host().write_row(Kind::Pair, number, row).await;
        self.ring_receives(number).await;
        self.start_engines().await;
        Ok(())
    }

    /// Ends the draining of a send queue if all its requests are complete, and reports that.
    pub(super) fn note_drained(&mut self, number: u8) {
        let Ok(pair) = self.pair(number) else { return };
        if !pair.is_draining {
            return;
        }
        let queue = pair.init.send_queue;
        let (rung, reports) = (pair.sends.rung, pair.attributes.reports_drained);
        let Ok(mut done) = self.done(number, queue, false) else { return };
        let Ok(pair) = self.pair(number) else { return };
        // Requests without a completion of their own are done with those before them, as far as the driver can tell.
        while done != rung && !pair.sends.request(done).signalled {
            done = done.wrapping_add(1);
        }
        if done == rung {
            pair.is_draining = false;
            if reports {
                self.events.push_back(AsyncEvent::Drained(number));
            }
        }
    }
}
