//! Barrier: dissemination. In step `k` each rank tells the one 2^k places behind it; after log2 of the ranks all know of all.

use super::Channel;
use crate::error::Error;

impl Channel {
    pub(super) async fn barrier(&self) -> Result<Vec<u8>, Error> {
        let mut distance = 1;
        while distance < self.size() {
            self.exchange(self.behind(distance), Vec::new(), self.before(distance), 0).await?;
            distance *= 2;
        }
        Ok(Vec::new())
    }
}
