//! Calls of several threads of a process at once.
//!
//! One driver takes the steps of the library. The calls wait inside of it for their own ends, polled by ascending number.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use cluster::Time;

use crate::carrier::AnyCarrier;
use crate::progress::{Borrowed, Library};

/// Calls under way by the number of their thread.
pub type Calls<T> = BTreeMap<u32, Pin<Box<dyn Future<Output = T>>>>;

/// State of calls of several threads.
#[derive(Default)]
pub(crate) struct Concurrent {
    is_polling: Cell<bool>,
    /// Calls that wait for their end, as of the last poll of all.
    waiting: Cell<usize>,
    /// A call needs the carrier, which the driver has.
    is_carrier_wanted: Cell<bool>,
}

impl Concurrent {
    /// Whether the running call is one of several.
    pub fn is_polling(&self) -> bool {
        self.is_polling.get()
    }

    /// Asks the driver for the carrier.
    pub fn want_carrier(&self) {
        self.is_carrier_wanted.set(true);
    }

    /// Waits for the end of one of several calls; the driver takes the steps.
    pub async fn wait<T>(&self, call: impl Future<Output = T>) -> T {
        let mut call = pin!(call);
        poll_fn(|context| {
            let polled = call.as_mut().poll(context);
            if polled.is_pending() {
                self.waiting.update(|count| count + 1);
            }
            polled
        })
        .await
    }

    fn poll<T>(&self, calls: &mut Calls<T>, context: &mut Context<'_>) -> Option<(u32, T)> {
        self.waiting.set(0);
        self.is_polling.set(true);
        let ended = calls.iter_mut().find_map(|(number, call)| match call.as_mut().poll(context) {
            Poll::Ready(result) => Some((*number, result)),
            Poll::Pending => None,
        });
        self.is_polling.set(false);
        if let Some((number, _)) = &ended {
            calls.remove(number);
        }
        ended
    }
}

/// What the driver does next.
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
            let next = poll_fn(|context| {
                self.advance(context);
                if let Some(ended) = self.concurrent.poll(calls, context) {
                    return Poll::Ready(Next::End(ended));
                }
                self.carrier.take().map_or(Poll::Pending, |carrier| Poll::Ready(Next::Step(carrier)))
            });
            let carrier = match next.await {
                Next::End(ended) => {
                    self.signs.busy();
                    return Some(ended);
                }
                Next::Step(carrier) => carrier,
            };
            let mut borrowed = Borrowed { library: self, carrier: Some(carrier) };
            let carrier = borrowed.carrier();
            if self.step(carrier).await {
                looking = self.host.looking();
                continue;
            }
            let all_wait = self.concurrent.waiting.get() == calls.len();
            let is_over = until.is_some_and(|until| until <= self.host.now());
            if is_over || all_wait && rests {
                self.signs.busy();
                return None;
            }
            if all_wait && until.is_none() {
                self.signs.idle();
                if let Some(looking) =
                    looking.as_mut().filter(|_| carrier.looks_alike() && self.thread.is_none())
                {
                    looking.again().await;
                }
            }
            let mut pause = pin!(carrier.pause());
            let mut limit = pin!(async {
                match until {
                    Some(until) => self.host.compute(until - self.host.now()).await,
                    None => std::future::pending().await,
                }
            });
            let ended = poll_fn(|context| {
                self.advance(context);
                if let Some(ended) = self.concurrent.poll(calls, context) {
                    return Poll::Ready(Some(ended));
                }
                if self.has_work() || self.concurrent.is_carrier_wanted.replace(false) {
                    return Poll::Ready(None);
                }
                match limit.as_mut().poll(context) {
                    Poll::Ready(()) => Poll::Ready(None),
                    Poll::Pending => pause.as_mut().poll(context).map(|()| None),
                }
            });
            if let Some(ended) = ended.await {
                self.signs.busy();
                return Some(ended);
            }
            if self.has_work() {
                looking = self.host.looking();
            }
        }
    }
}
