//! Buffers of a request for an adapter whose requests have one: the driver gathers what it sends, and scatters what
//! arrives, in a buffer of its own.

use super::adapter::Adapter;
use super::errno::{EINVAL, ENOMEM};
use super::queue_pair::Bounce;
use crate::verbs::call::Buffer;

/// Scatter/gather elements of a request at most (our choice).
pub const MOST_PIECES: u32 = 32;
/// Bytes of inline data of a request at most (our choice).
pub const MOST_INLINE: u32 = 512;

/// The one buffer of a request at the adapter.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// Bus address; 0, which no key allows, if a buffer is not in its region.
    pub address: u32,
    pub length: u32,
    pub key: u32,
    pub bounce: Option<Bounce>,
}

impl Adapter {
    /// Copies inline data into a buffer of the driver.
    pub(super) async fn place_inline(&mut self, domain: u8, data: &[u8]) -> Result<Place, i32> {
        if data.is_empty() {
            return Ok(Place::default());
        }
        let (key, base) = self.bounce_buffer(domain, data.len() as u32).await?;
        self.host().set_memory(base, data);
        self.host().copy(data.len()).await;
        let bounce = Some(Bounce { base, pieces: Vec::new() });
        Ok(Place { address: base, length: data.len() as u32, key, bounce })
    }

    /// The one buffer for these of a program: the only one, or one of the driver with the data of all. `arrives` if data
    /// come into them.
    pub(super) async fn place(&mut self, domain: u8, pieces: &[Buffer], arrives: bool) -> Result<Place, i32> {
        let pieces: Vec<Buffer> = pieces.iter().copied().filter(|piece| piece.length > 0).collect();
        match pieces.as_slice() {
            [] => return Ok(Place::default()),
            [piece] => {
                let address = self.address(*piece).unwrap_or(0);
                return Ok(Place { address, length: piece.length, key: piece.key, bounce: None });
            }
            _ => {}
        }
        let length =
            pieces.iter().try_fold(0_u32, |sum, piece| sum.checked_add(piece.length)).ok_or(EINVAL)?;
        let mut places = Vec::new();
        for piece in &pieces {
            match self.checked_address(domain, *piece, arrives) {
                Some(address) => places.push((address, piece.length)),
                // The adapter refuses the request when it comes to it.
                None => return Ok(Place { address: 0, length, key: piece.key, bounce: None }),
            }
        }
        let (key, base) = self.bounce_buffer(domain, length).await?;
        if arrives {
            return Ok(Place { address: base, length, key, bounce: Some(Bounce { base, pieces: places }) });
        }
        let mut done = 0;
        for (address, length) in places {
            let data = self.host().window_bytes(address, length as usize);
            self.host().set_memory(base + done, &data);
            done += length;
        }
        self.host().copy(length as usize).await;
        Ok(Place { address: base, length, key, bounce: Some(Bounce { base, pieces: Vec::new() }) })
    }

    /// Key and address of a buffer of the driver.
    async fn bounce_buffer(&mut self, domain: u8, bytes: u32) -> Result<(u32, u32), i32> {
        let key = self.bounce_key(domain).await?;
        let base = self.bounce.allocate(bytes.into()).map_err(|_| ENOMEM)?;
        Ok((key, base))
    }
}
