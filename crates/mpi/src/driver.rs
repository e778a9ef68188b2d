//! The driver of calls of several threads: it takes the steps of the library for all of them.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll};

use cluster::Time;

use crate::carrier::AnyCarrier;
use crate::concurrent::Calls;
use crate::progress::{Borrowed, Library};

/// The next action of the driver.
enum Next<T> {
    End((u32, T)),
    Step(Box<dyn AnyCarrier>),
}

impl Library {
    /// Runs calls until one is complete. `None` at `until`, or if `rests` holds and all of them wait.
    pub async fn drive_calls<T>(
        &self,
        calls: &mut Calls<T>,
        until: Option<Time>,
        rests: bool,
    ) -> Option<(u32, T)> {
        let mut looking = self.host.looking();
        loop {
            self.find_at_work().await;
            let next = poll_fn(|context| match self.poll_calls(calls, context) {
                Some(ended) => Poll::Ready(Next::End(ended)),
                None => self.carrier.take().map_or(Poll::Pending, |carrier| Poll::Ready(Next::Step(carrier))),
            });
            let carrier = match next.await {
                Next::End(ended) => return Some(ended),
                Next::Step(carrier) => carrier,
            };
            let mut borrowed = Borrowed { library: self, carrier: Some(carrier) };
            let carrier = borrowed.carrier();
            if self.step(carrier).await {
                looking = self.host.looking();
                continue;
            }
            let all_wait = self.concurrent.waiting() == calls.len();
            let is_over = until.is_some_and(|until| until <= self.host.now());
            if is_over || all_wait && rests {
                self.signs.busy();
                return None;
            }
            let waits = all_wait && until.is_none();
            if waits {
                self.signs.idle();
            }
            self.look_again(&mut looking, waits && carrier.looks_alike()).await;
            if let Some(ended) = self.wait_for_news(carrier, calls, until).await {
                return Some(ended);
            }
            if self.has_work() {
                looking = self.host.looking();
            }
        }
    }

    /// Waits for a packet, for work of a call, or for a time. Returns a call that has ended.
    async fn wait_for_news<T>(
        &self,
        carrier: &mut Box<dyn AnyCarrier>,
        calls: &mut Calls<T>,
        until: Option<Time>,
    ) -> Option<(u32, T)> {
        let mut pause = pin!(carrier.pause());
        let mut limit = pin!(async {
            match until {
                Some(until) => self.host.compute(until - self.host.now()).await,
                None => std::future::pending().await,
            }
        });
        poll_fn(|context| {
            if let Some(ended) = self.poll_calls(calls, context) {
                return Poll::Ready(Some(ended));
            }
            if self.has_work() || self.concurrent.take_carrier_wish() {
                return Poll::Ready(None);
            }
            match limit.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(None),
                Poll::Pending => pause.as_mut().poll(context).map(|()| None),
            }
        })
        .await
    }

    /// Polls the non-blocking calls, then the calls of the threads. Returns the first that has ended.
    fn poll_calls<T>(&self, calls: &mut Calls<T>, context: &mut Context<'_>) -> Option<(u32, T)> {
        self.advance(context);
        let ended = self.concurrent.poll(calls, context);
        if ended.is_some() {
            self.signs.busy();
        }
        ended
    }
}
