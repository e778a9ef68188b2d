//! Time counted from the moment when all nodes are initialised.

use cluster::Time;
use workload::{Arrival, Messenger, SendError};

/// A messenger whose time begins when all nodes are initialised.
pub struct ShiftedMessenger<M> {
    inner: M,
    begin: Time,
}

impl<M: Messenger> ShiftedMessenger<M> {
    /// Waits until `begin`, which becomes time 0.
    pub async fn begin(mut inner: M, begin: Time) -> Self {
        inner.wait_until(begin).await;
        ShiftedMessenger { inner, begin }
    }

    fn shift(&self, time: Time) -> Time {
        Time::from_ps(time.ps().saturating_sub(self.begin.ps()))
    }
}

impl<M: Messenger> Messenger for ShiftedMessenger<M> {
    fn now(&self) -> Time {
        self.shift(self.inner.now())
    }

    async fn wait_until(&mut self, time: Time) {
        self.inner.wait_until(time + (self.begin - Time::ZERO)).await;
    }

    async fn send(&mut self, to: usize, bytes: u64, primitive: usize) -> Result<Time, SendError> {
        let first = self.inner.send(to, bytes, primitive).await?;
        Ok(self.shift(first))
    }

    async fn poll(&mut self) -> Option<Arrival> {
        self.inner.poll().await
    }
}
