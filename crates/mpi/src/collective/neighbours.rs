//! Exchange with neighbours: all receives are posted, then all sends, then the rank waits for all.

use super::{Channel, filled, parts};
use crate::error::Error;

/// Checks the arguments of a rank among `size`.
pub(super) fn check(
    size: usize,
    bytes: &[u8],
    sends: &[(usize, usize)],
    receives: &[(usize, usize)],
) -> Result<(), Error> {
    if let Some((rank, _)) = sends.iter().chain(receives).find(|(rank, _)| *rank >= size) {
        return Err(Error::Rank { rank: *rank, size });
    }
    let lengths =
        |parts: &[(usize, usize)]| parts::total(&parts.iter().map(|(_, count)| *count).collect::<Vec<_>>());
    lengths(receives)?;
    filled(bytes, lengths(sends)?)
}

impl Channel {
    /// Sends consecutive parts of `bytes` and returns the received parts one after the other. Several parts between two
    /// ranks match in order.
    pub(super) async fn neighbours(
        &self,
        bytes: Vec<u8>,
        sends: &[(usize, usize)],
        receives: &[(usize, usize)],
    ) -> Result<Vec<u8>, Error> {
        let mut all = Vec::new();
        let receives: Vec<_> = receives
            .iter()
            .map(|(from, count)| Ok((self.begin_receive(*from, *count)?, *count)))
            .collect::<Result<_, Error>>()?;
        let lengths: Vec<_> = sends.iter().map(|(_, count)| *count).collect();
        let mut places = Vec::new();
        for ((to, _), range) in sends.iter().zip(parts::ranges(&lengths)) {
            places.push(self.begin_send(*to, bytes[range].to_vec())?);
        }
        for (place, count) in receives {
            let part = place.end().await?.bytes;
            filled(&part, count)?;
            all.extend(part);
        }
        for place in places {
            place.end().await?;
        }
        Ok(all)
    }
}
