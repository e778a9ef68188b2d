//! Barrier by dissemination: in step `k` each rank notifies the rank 2^k places after it. After log2(ranks)
//! steps every rank knows that all have entered.

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
