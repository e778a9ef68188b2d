//! Memory windows of type 1: keys for a part of a region, which a program gives to peers and takes back.
//!
//! A window is a row of the adapter's keys, as a region is, so a peer's access is checked in the same way. Binding takes
//! its place among the requests of a send queue as an RDMA WRITE of no bytes, which completes after those before it.

use hca::contexts::{Key, Kind};

use super::Reply;
use super::adapter::Adapter;
use super::directory::RemoteRegion;
use super::errno::{EINVAL, ENOMEM, EOPNOTSUPP};
use super::memory_window::MemoryWindow;
use super::queue_pair::QueuePair;
use super::region::LOCAL_WRITE;
use super::transitions::state::ERROR;
use crate::verbs::call::access::{BIND, REMOTE_ATOMIC, REMOTE_CHANGES, REMOTE_READ, REMOTE_WRITE};
use crate::verbs::call::{Answer, Binding, Buffer, SendOperation, SendRequest};

impl Adapter {
    pub(super) fn allocate_memory_window(&mut self, domain: u8) -> Reply {
        self.check_domain(domain)?;
        let row = self.free_rows().next().ok_or(ENOMEM)?;
        let key = self.next_key(row);
        self.memory_windows.insert(row, MemoryWindow { domain, key, region: None });
        Ok(Answer::Number(key))
    }

    pub(super) async fn free_memory_window(&mut self, key: u32) -> Reply {
        self.memory_window(key)?;
        let row = Key::row_of(key);
        self.memory_windows.remove(&row);
        self.directory.remove_region(self.lid(), key);
        self.host().write_row(Kind::Area, row, Key::default()).await;
        Ok(Answer::Done)
    }

    /// Binds a window to bytes of a region, or to none. Its key changes, so peers with the old one are refused.
    pub(super) async fn bind_memory_window(&mut self, pair: u8, key: u32, binding: Binding) -> Reply {
        let window = self.memory_window(key)?;
        let QueuePair { init, state, .. } = self.pair(pair)?;
        let is_flushed = *state == ERROR;
        if init.domain != window.domain {
            return Err(EINVAL);
        }
        let bound = match binding.buffer {
            Some(buffer) => Some(self.check_binding(window, buffer, binding.access)?),
            None => None,
        };
        let Binding { id, signalled, .. } = binding;
        let operation = SendOperation::Bind;
        self.post_send(pair, SendRequest { id, signalled, operation, ..SendRequest::default() }, None)
            .await?;
        if is_flushed {
            return Ok(Answer::Number(key));
        }
        let row = Key::row_of(key);
        let new = self.next_key(row);
        let region = binding.buffer.map(|buffer| buffer.key);
        self.memory_windows.insert(row, MemoryWindow { key: new, region, ..window });
        self.directory.remove_region(self.lid(), key);
        let variant = Key::variant_of(new);
        let value = bound.map_or_else(Key::default, |(value, remote)| {
            self.directory.add_region(self.lid(), new, remote);
            Key { variant, ..value }
        });
        self.host().write_row(Kind::Area, row, value).await;
        Ok(Answer::Number(new))
    }

    fn memory_window(&self, key: u32) -> Result<MemoryWindow, i32> {
        self.memory_windows.get(&Key::row_of(key)).copied().filter(|window| window.key == key).ok_or(EINVAL)
    }

    /// Rights and bounds of a window on this buffer, and how peers name it.
    fn check_binding(
        &self,
        window: MemoryWindow,
        buffer: Buffer,
        access: u32,
    ) -> Result<(Key, RemoteRegion), i32> {
        if access & !(LOCAL_WRITE | REMOTE_CHANGES | REMOTE_READ) != 0 {
            return Err(EOPNOTSUPP);
        }
        let region = self.region(buffer.key).ok_or(EINVAL)?;
        let changes = access & REMOTE_CHANGES != 0 && region.access & LOCAL_WRITE == 0;
        let bindable = region.access & BIND != 0 && region.domain == window.domain;
        if !bindable || changes || !region.contains(buffer) {
            return Err(EINVAL);
        }
        let base = region.base + buffer.offset as u32;
        let address = region.address.wrapping_add(region.shift).wrapping_add(buffer.offset);
        let value = Key {
            valid: true,
            remote_write: access & REMOTE_WRITE != 0,
            remote_read: access & REMOTE_READ != 0,
            remote_atomic: access & REMOTE_ATOMIC != 0,
            domain: window.domain,
            base,
            length: buffer.length,
            ..Key::default()
        };
        Ok((value, RemoteRegion { address, length: buffer.length, base }))
    }
}
