//! Asynchronous events: `ibv_get_async_event`.

use cluster::host::Looking;
use hca::contexts::PAIRS;

use super::Reply;
use super::adapter::Adapter;
use super::errno::EAGAIN;
use crate::verbs::call::Answer;

impl Adapter {
    /// The next event; with `waits`, it waits for one.
    pub(super) async fn take_event(&mut self, waits: bool) -> Reply {
        let mut looking = Looking::begin(self.host().processor());
        loop {
            self.handle_interrupt().await;
            self.inspect().await;
            PAIRS.for_each(|pair| self.note_drained(pair));
            if let Some(event) = self.events.pop_front() {
                return Ok(Answer::AsyncEvent(event));
            }
            if !waits {
                return Err(EAGAIN);
            }
            self.host().compute(self.host().costs().turn).await;
            self.end_turn(&mut looking).await;
        }
    }
}
