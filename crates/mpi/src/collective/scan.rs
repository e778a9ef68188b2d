//! Scan by recursive doubling: in step `k` each rank holds the combination of 2^k operands up to its own and
//! receives that of the ranks before them.

use super::Channel;
use crate::error::Error;
use crate::operation::Operation;

impl Channel {
    /// Returns the combined operands of the ranks before this one, if any, and the same combined with this
    /// rank's operand.
    pub(super) async fn scan(
        &self,
        bytes: Vec<u8>,
        operation: &Operation,
    ) -> Result<(Option<Vec<u8>>, Vec<u8>), Error> {
        let (rank, count) = (self.rank(), bytes.len());
        let (mut before, mut with_own) = (None, bytes);
        let mut distance = 1;
        while distance < self.size() {
            let give = (rank + distance < self.size())
                .then(|| self.begin_send(rank + distance, with_own.clone()))
                .transpose()?;
            if rank >= distance {
                let theirs = self.receive(rank - distance, count).await?;
                before = Some(match before {
                    None => theirs.clone(),
                    Some(mine) => self.combine(operation, &theirs, mine).await?,
                });
                with_own = self.combine(operation, &theirs, with_own).await?;
            }
            if let Some(give) = give {
                give.end().await?;
            }
            distance *= 2;
        }
        Ok((before, with_own))
    }
}
