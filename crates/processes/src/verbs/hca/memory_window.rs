//! A memory window: its key, and the region that it is a part of.

/// A key for a part of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryWindow {
    /// Protection domain, that of the region and of the queue pair that binds it.
    pub domain: u8,
    pub key: u32,
    /// Key of the region to which the window is bound.
    pub region: Option<u32>,
}
