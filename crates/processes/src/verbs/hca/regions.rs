//! Memory regions: parts of modelled host memory that mirror registered memory of a program.
//!
//! Data to be sent is copied into the mirror with its work request, received data out of it with its completion. In
//! between, the rules of verbs give the memory to the adapter, so the program cannot tell the two apart.

use hca::contexts::{KEYS, Key, Kind};

use super::Reply;
use super::adapter::Adapter;
use super::errno::{EINVAL, ENOMEM, EOPNOTSUPP};
use super::host_memory::Region;
use crate::verbs::call::{Answer, Buffer};

/// `IBV_ACCESS_LOCAL_WRITE`.
const LOCAL_WRITE: u32 = 1;
/// Flags that an adapter may ignore (`IBV_ACCESS_OPTIONAL_RANGE`).
const OPTIONAL: u32 = 0x3ff << 20;

impl Adapter {
    pub(super) async fn register_memory(
        &mut self,
        domain: u8,
        length: u64,
        alignment: u8,
        access: u32,
    ) -> Reply {
        self.check_domain(domain)?;
        // Remote access is not supported: a remote write would have to appear in the process at once.
        if access & !(LOCAL_WRITE | OPTIONAL) != 0 {
            return Err(EOPNOTSUPP);
        }
        let alignment = u32::from(alignment & 7);
        let row = self.regions.iter().position(Option::is_none).ok_or(ENOMEM)?;
        let base = self.memory.allocate(length.saturating_add(alignment.into()))? + alignment;
        let variant = self.variants[row].wrapping_add(1);
        self.variants[row] = variant;
        let (key, length) = (u32::from(variant) << 8 | row as u32, length as u32);
        let local_write = access & LOCAL_WRITE != 0;
        let value = Key { valid: true, local_write, domain, variant, base, length, ..Key::default() };
        self.host().write_row(Kind::Area, row as u8, value).await;
        self.regions[row] = Some(Region { domain, key, base, length });
        Ok(Answer::Number(key))
    }

    pub(super) async fn deregister_memory(&mut self, key: u32) -> Reply {
        let region = *self.region(key).ok_or(EINVAL)?;
        let row = key as usize % KEYS;
        self.host().write_row(Kind::Area, row as u8, Key::default()).await;
        self.regions[row] = None;
        self.memory.free(region.base);
        Ok(Answer::Done)
    }

    pub(super) fn region(&self, key: u32) -> Option<&Region> {
        self.regions[key as usize % KEYS].as_ref().filter(|region| region.key == key)
    }

    /// Address of a buffer in host memory, if its region contains it.
    pub(super) fn address(&self, buffer: Buffer) -> Option<u32> {
        match self.region(buffer.key) {
            Some(region) if region.contains(buffer) => Some(region.base + buffer.offset as u32),
            _ => None,
        }
    }
}
