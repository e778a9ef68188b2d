//! Calls of several threads of a process at once.
//!
//! One driver takes the steps of the library. The calls wait inside of it for their own ends, polled by ascending number.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

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

    /// Number of calls that wait for their end, as of the last poll.
    pub fn waiting(&self) -> usize {
        self.waiting.get()
    }

    /// Whether a call has asked for the carrier since the last question.
    pub fn take_carrier_wish(&self) -> bool {
        self.is_carrier_wanted.take()
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

    /// Polls all calls, and removes the first that has ended.
    pub fn poll<T>(&self, calls: &mut Calls<T>, context: &mut Context<'_>) -> Option<(u32, T)> {
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
