//! Calls on shared receive queues: creation, requests, limit, destruction.

use hca::contexts::{self, Kind};
use hca::layout::RECEIVE_WQE_BYTES;
use hca::registers::Doorbell;

use super::Reply;
use super::adapter::Adapter;
use super::errno::{EBUSY, EINVAL, ENOMEM};
use super::gather::MOST_PIECES;
use super::queue_pair::{Receive, ring_log};
use super::shared_queue::SharedQueue;
use crate::verbs::call::{Answer, AsyncEvent, Buffer, Call};

impl Adapter {
    /// Carries out a call on a shared receive queue.
    pub(super) async fn carry_out_shared(&mut self, call: Call) -> Reply {
        match call {
            Call::CreateSharedQueue { domain, requests, pieces } => {
                self.create_shared_queue(domain, requests, pieces).await
            }
            Call::SetLimit { queue, least } => self.set_limit(queue, least).await,
            Call::QueryLimit(queue) => Ok(Answer::Number(self.shared_queue(queue)?.limit)),
            Call::DestroySharedQueue(queue) => self.destroy_shared_queue(queue),
            Call::PostShared { queue, id, pieces } => self.post_shared(queue, id, pieces).await,
            _ => Err(EINVAL),
        }
    }

    async fn create_shared_queue(&mut self, domain: u8, requests: u32, pieces: u32) -> Reply {
        self.check_domain(domain)?;
        if requests == 0 || pieces > MOST_PIECES {
            return Err(EINVAL);
        }
        let log = ring_log(requests)?;
        let number = self.shared_queues.iter().position(Option::is_none).ok_or(ENOMEM)?;
        let base = self.memory.allocate(u64::from(RECEIVE_WQE_BYTES) << log)?;
        let row = contexts::SharedQueue { log, base, ..contexts::SharedQueue::default() };
        self.host().write_row(Kind::SharedQueue, number as u8, row).await;
        self.host().write_row(Kind::Limit, number as u8, contexts::Limit::default()).await;
        self.shared_queues[number] = Some(SharedQueue::new(domain, pieces.max(1), (base, log)));
        Ok(Answer::SharedQueue { number: number as u8, requests: 1 << log })
    }

    pub(super) fn shared_queue(&mut self, queue: u8) -> Result<&mut SharedQueue, i32> {
        self.shared_queues.get_mut(usize::from(queue)).and_then(Option::as_mut).ok_or(EINVAL)
    }

    pub(super) fn destroy_shared_queue(&mut self, queue: u8) -> Reply {
        let of = self.shared_queue(queue)?.clone();
        if self.pairs.iter().flatten().any(|pair| pair.shared == Some(queue)) {
            return Err(EBUSY);
        }
        self.shared_queues[usize::from(queue)] = None;
        for bounce in of.requests.into_values().filter_map(|request| request.bounce) {
            self.bounce.free(bounce.base);
        }
        self.memory.free(of.base);
        self.events.retain(|event| *event != AsyncEvent::Limit(queue));
        Ok(Answer::Done)
    }

    async fn post_shared(&mut self, queue: u8, id: u64, pieces: Vec<Buffer>) -> Reply {
        let of = self.shared_queue(queue)?;
        if pieces.len() > of.pieces as usize {
            return Err(EINVAL);
        }
        if !of.has_room() {
            return Err(ENOMEM);
        }
        let domain = of.domain;
        let place = self.place(domain, &pieces, true).await?;
        let buffer = Buffer { key: place.key, offset: place.address.into(), length: place.length };
        self.spend(self.host().post_receive_time(self.host().costs().post)).await;
        let of = self.shared_queue(queue)?;
        let request = Receive { id, buffer, bounce: place.bounce };
        let wqe = request.wqe();
        let count = of.push(request);
        let entry = of.base + u32::from(RECEIVE_WQE_BYTES) * of.index(count);
        let posted = of.posted;
        self.host().set_memory(entry, &wqe);
        self.ring(Doorbell::SharedBell, queue, posted).await;
        Ok(Answer::Done)
    }

    /// Sets the limit of a queue. If fewer requests are left already, the event is due now.
    async fn set_limit(&mut self, queue: u8, least: u32) -> Reply {
        let of = self.shared_queue(queue)?;
        if least as usize > of.most() {
            return Err(EINVAL);
        }
        of.limit = least;
        let row = contexts::Limit { least: least as u16, armed: least != 0 };
        self.host().write_row(Kind::Limit, queue, row).await;
        if self.left(queue)? < least {
            self.host().write_row(Kind::Limit, queue, contexts::Limit::default()).await;
            self.note_limit(queue);
        }
        Ok(Answer::Done)
    }

    /// The adapter has fewer requests than the limit of a queue, which it has cleared.
    pub(super) fn note_limit(&mut self, queue: u8) {
        let Ok(of) = self.shared_queue(queue) else { return };
        if std::mem::take(&mut of.limit) != 0 {
            self.events.push_back(AsyncEvent::Limit(queue));
        }
    }

    /// Requests of a queue for which the adapter has written no completion.
    fn left(&mut self, queue: u8) -> Result<u32, i32> {
        let mut left = self.shared_queue(queue)?.requests.len() as u32;
        for ring in self.queue_numbers() {
            let Ok(end) = self.end(ring) else { continue };
            let mut count = self.completion_queue(ring)?.consumed;
            while count != end {
                let entry = self.entry(ring, count)?;
                let is_of = self.pair(entry.pair).is_ok_and(|pair| pair.shared == Some(queue));
                left = left.saturating_sub(u32::from(is_of && entry.is_receive()));
                count = count.wrapping_add(1);
            }
        }
        Ok(left)
    }

    /// Takes the request of this count out of the shared queue of a queue pair; an empty one if it has left the queue.
    pub(super) fn take_shared(&mut self, queue: u8, count: u16) -> Receive {
        self.shared_queue(queue).ok().and_then(|of| of.requests.remove(&count)).unwrap_or_default()
    }

    /// Frees the request of this count of a queue pair whose completions are discarded.
    pub(super) fn discard_shared(&mut self, queue: u8, count: u16) {
        if let Some(bounce) = self.take_shared(queue, count).bounce {
            self.bounce.free(bounce.base);
        }
    }
}
