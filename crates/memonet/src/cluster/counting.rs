//! Counts arriving messages for the progress bar.

use cluster::Time;
use machine_api::ProgressBar;
use workload::{Arrival, Messenger, SendError};

/// A messenger that advances a progress bar for each arrival.
pub struct CountingMessenger<M> {
    pub inner: M,
    pub progress: ProgressBar,
}

impl<M: Messenger> Messenger for CountingMessenger<M> {
    fn now(&self) -> Time {
        self.inner.now()
    }

    async fn wait_until(&mut self, time: Time) {
        self.inner.wait_until(time).await;
    }

    async fn send(&mut self, to: usize, bytes: u64, primitive: usize) -> Result<Time, SendError> {
        self.inner.send(to, bytes, primitive).await
    }

    async fn poll(&mut self) -> Option<Arrival> {
        let arrival = self.inner.poll().await;
        self.progress.inc(arrival.is_some().into());
        arrival
    }
}
