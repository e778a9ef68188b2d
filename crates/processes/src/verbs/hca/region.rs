//! A memory region: its key, its window and its place in a process.

use std::rc::Rc;

use hca::contexts::Key;
use hca_machine::windows::{ProcessPages, Window};

use super::host_memory::PAGE;
use crate::verbs::call::Buffer;
use crate::verbs::call::access::{BIND, REMOTE_ATOMIC, REMOTE_CHANGES, REMOTE_READ, REMOTE_WRITE};

/// `IBV_ACCESS_LOCAL_WRITE`.
pub(super) const LOCAL_WRITE: u32 = 1;

/// A memory region.
#[derive(Clone)]
pub(super) struct Region {
    pub domain: u8,
    pub key: u32,
    pub access: u32,
    /// Bus address of the first byte.
    pub base: u32,
    pub length: u32,
    /// Address of the first byte in its process.
    pub address: u64,
    /// Address by which programs name the first byte, minus `address`; wraps.
    pub shift: u64,
    pub memory: Rc<dyn ProcessPages>,
}

impl Region {
    /// Whether the region contains all bytes of the buffer.
    pub fn contains(&self, buffer: Buffer) -> bool {
        buffer.offset.checked_add(buffer.length.into()).is_some_and(|end| end <= self.length.into())
    }

    /// Rights and bounds of its key, for the adapter.
    pub fn row(&self) -> Key {
        Key {
            valid: true,
            local_write: self.access & LOCAL_WRITE != 0,
            remote_write: self.access & REMOTE_WRITE != 0,
            remote_read: self.access & REMOTE_READ != 0,
            remote_atomic: self.access & REMOTE_ATOMIC != 0,
            domain: self.domain,
            variant: Key::variant_of(self.key),
            base: self.base,
            length: self.length,
            ..Key::default()
        }
    }

    /// The window of its pages.
    pub fn window(&self) -> Window {
        let before = self.base % PAGE;
        Window {
            base: self.base - before,
            bytes: (before + self.length).next_multiple_of(PAGE),
            address: self.address - u64::from(before),
            is_watched: self.access & (REMOTE_CHANGES | BIND) != 0,
            memory: self.memory.clone(),
        }
    }
}
