//! States for [`crate::walk`].

use super::Peer;
use crate::modern::recovery::RoundTrip;
use crate::time::Instant;

impl Peer {
    /// Bytes of blocks that the application has not taken, complete or not.
    pub fn held(&self) -> usize {
        self.assembly.len() + self.unread
    }

    /// Removes measurements and shifts all times so that `now` is zero.
    pub fn forget_time(&mut self, now: Instant) {
        (self.trip, self.in_vain) = (RoundTrip::default(), 0);
        self.asked.0 = self.asked.0.map(|asked| asked.counted_from(now));
        self.timer = self.timer.map(|timer| timer.counted_from(now));
        self.entries.iter_mut().for_each(|entry| entry.sent = entry.sent.and(Some(Instant::ZERO)));
    }
}
