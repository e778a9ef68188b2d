//! Memory regions: windows of the bus that lead to registered memory of a program (decision 0078).

use std::rc::Rc;

use hca::contexts::{KEYS, Key, Kind};
use hca_machine::windows::ProcessPages;

use super::Reply;
use super::adapter::Adapter;
use super::directory::RemoteRegion;
use super::errno::{EBUSY, EFAULT, EINVAL, ENOMEM, EOPNOTSUPP};
use super::host_memory::{BOUNCE, PAGE};
use super::region::{LOCAL_WRITE, Region};
use crate::verbs::call::access::{BIND, REMOTE_CHANGES, REMOTE_READ};
use crate::verbs::call::{Answer, Buffer, MemoryAddress};

/// Flags that an adapter may ignore (`IBV_ACCESS_OPTIONAL_RANGE`).
const OPTIONAL: u32 = 0x3ff << 20;
/// Bytes of the longest region (our choice).
pub(super) const LONGEST_REGION: u64 = 1 << 31;

/// Checks access flags of a region, as Linux does.
fn check_access(access: u32) -> Result<(), i32> {
    if access & !(LOCAL_WRITE | REMOTE_CHANGES | REMOTE_READ | BIND | OPTIONAL) != 0 {
        return Err(EOPNOTSUPP);
    }
    let writes = access & REMOTE_CHANGES != 0;
    if writes && access & LOCAL_WRITE == 0 { Err(EINVAL) } else { Ok(()) }
}

/// Checks that a program may read its memory, and write it where the region is written: a page at a time, as a driver
/// that pins the pages.
fn check_pages(memory: &dyn ProcessPages, address: u64, length: u64, access: u32) -> Result<(), i32> {
    let end = address.checked_add(length).ok_or(EFAULT)?;
    let writes = access & (LOCAL_WRITE | REMOTE_CHANGES) != 0;
    let mut at = address;
    while at < end {
        let mut byte = [0];
        if !memory.read(at, &mut byte) || writes && !memory.write(at, &byte) {
            return Err(EFAULT);
        }
        at = (at | u64::from(PAGE - 1)).saturating_add(1);
    }
    Ok(())
}

impl Adapter {
    pub(super) async fn register_memory(
        &mut self,
        domain: u8,
        length: u64,
        access: u32,
        shift: u64,
        place: Option<MemoryAddress>,
    ) -> Reply {
        self.check_domain(domain)?;
        check_access(access)?;
        let row = self.free_rows().next().ok_or(ENOMEM)?;
        let (address, memory) = self.pages(place, length, access)?;
        let base = self.allocate_window(address, length)?;
        let key = self.next_key(row);
        let region = Region { domain, key, access, base, length: length as u32, address, shift, memory };
        self.install(row, region).await;
        Ok(Answer::Number(key))
    }

    /// Changes a region in place; its key stays.
    pub(super) async fn reregister_memory(
        &mut self,
        key: u32,
        (domain, length, access): (Option<u8>, Option<u64>, Option<u32>),
        place: Option<MemoryAddress>,
    ) -> Reply {
        let mut region = self.region(key).ok_or(EINVAL)?.clone();
        let old = region.base;
        if let Some(domain) = domain {
            self.check_domain(domain)?;
            region.domain = domain;
        }
        if let Some(access) = access {
            check_access(access)?;
            region.access = access;
        }
        if let Some(length) = length {
            let (address, memory) = self.pages(place, length, region.access)?;
            region.base = self.allocate_window(address, length)?;
            (region.address, region.memory, region.length, region.shift) =
                (address, memory, length as u32, 0);
        } else {
            check_pages(&*region.memory, region.address, region.length.into(), region.access)?;
        }
        let moved = region.base != old;
        self.install(Key::row_of(key), region).await;
        if moved {
            self.free_window(old);
        }
        Ok(Answer::Done)
    }

    pub(super) async fn deregister_memory(&mut self, key: u32) -> Reply {
        let base = self.region(key).ok_or(EINVAL)?.base;
        if self.memory_windows.values().any(|window| window.region == Some(key)) {
            return Err(EBUSY);
        }
        let row = Key::row_of(key);
        self.host().write_row(Kind::Area, row, Key::default()).await;
        self.regions.remove(&row);
        self.directory.remove_region(self.lid(), key);
        self.free_window(base);
        Ok(Answer::Done)
    }

    /// The key of the domain for the buffers in which the driver gathers and scatters; it takes the last free row.
    pub(super) async fn bounce_key(&mut self, domain: u8) -> Result<u32, i32> {
        let slot = usize::from(domain);
        let row = match self.bounce_keys[slot] {
            Some(row) => row,
            None => {
                let row = self.free_rows().next_back().ok_or(ENOMEM)?;
                self.next_key(row);
                let value = Key {
                    valid: true,
                    local_write: true,
                    domain,
                    variant: self.variants[usize::from(row)],
                    base: BOUNCE.0,
                    length: BOUNCE.1 - BOUNCE.0,
                    ..Key::default()
                };
                self.host().write_row(Kind::Area, row, value).await;
                self.bounce_keys[slot] = Some(row);
                row
            }
        };
        Ok(Key::of(row, self.variants[usize::from(row)]))
    }

    /// Frees the row of the domain's buffers.
    pub(super) async fn free_bounce_key(&mut self, domain: u8) {
        if let Some(row) = self.bounce_keys[usize::from(domain)].take() {
            self.host().write_row(Kind::Area, row, Key::default()).await;
        }
    }

    pub(super) fn region(&self, key: u32) -> Option<&Region> {
        self.regions.get(&Key::row_of(key)).filter(|region| region.key == key)
    }

    /// Bus address of a buffer, if its region contains it.
    pub(super) fn address(&self, buffer: Buffer) -> Option<u32> {
        match self.region(buffer.key) {
            Some(region) if region.contains(buffer) => Some(region.base + buffer.offset as u32),
            _ => None,
        }
    }

    /// Bus address of a buffer of a queue pair in this domain, if the key allows the access.
    pub(super) fn checked_address(&self, domain: u8, buffer: Buffer, writes: bool) -> Option<u32> {
        let region = self.region(buffer.key)?;
        let allowed = region.domain == domain && (!writes || region.access & LOCAL_WRITE != 0);
        self.address(buffer).filter(|_| allowed)
    }

    /// Rows of keys that are not in use, in order.
    pub(super) fn free_rows(&self) -> impl DoubleEndedIterator<Item = u16> {
        (0..KEYS as u16).filter(|row| {
            let is_used = self.regions.contains_key(row) || self.memory_windows.contains_key(row);
            !is_used && !self.bounce_keys.contains(&Some(*row))
        })
    }

    /// A key for this row that differs from all earlier ones but the 256th.
    pub(super) fn next_key(&mut self, row: u16) -> u32 {
        let variant = &mut self.variants[usize::from(row)];
        *variant = variant.wrapping_add(1);
        Key::of(row, *variant)
    }

    /// The memory of a region, after a check of its pages.
    fn pages(
        &self,
        place: Option<MemoryAddress>,
        length: u64,
        access: u32,
    ) -> Result<(u64, Rc<dyn ProcessPages>), i32> {
        let place = place.ok_or(EINVAL)?;
        if length == 0 {
            return Err(EINVAL);
        }
        if length > LONGEST_REGION {
            return Err(ENOMEM);
        }
        let memory = (self.find_pages)(place.process).ok_or(EFAULT)?;
        check_pages(&*memory, place.address, length, access)?;
        Ok((place.address, memory))
    }

    /// Bus address for memory at this address: the place in its page is kept.
    fn allocate_window(&mut self, address: u64, length: u64) -> Result<u32, i32> {
        let before = address % u64::from(PAGE);
        Ok(self.windows.allocate(before + length)? + before as u32)
    }

    fn free_window(&mut self, base: u32) {
        self.host().close_window(base & !(PAGE - 1));
        self.windows.free(base);
    }

    /// Opens the window of a region and writes its row.
    async fn install(&mut self, row: u16, region: Region) {
        self.host().open_window(region.window());
        self.host().write_row(Kind::Area, row, region.row()).await;
        let Region { address, shift, length, base, key, .. } = region;
        let remote = RemoteRegion { address: address.wrapping_add(shift), length, base };
        self.directory.add_region(self.lid(), key, remote);
        self.regions.insert(row, region);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page that can be read, before memory that cannot be accessed.
    struct ReadOnly;

    impl ProcessPages for ReadOnly {
        fn read(&self, address: u64, _: &mut [u8]) -> bool {
            address < u64::from(PAGE)
        }

        fn write(&self, _: u64, _: &[u8]) -> bool {
            false
        }
    }

    #[test]
    fn pages_without_a_right_that_the_region_needs_are_refused() {
        let check = |length, access| check_pages(&ReadOnly, 1, length, access);
        let page = u64::from(PAGE) - 1;
        assert_eq!((check(page, 0), check(page, REMOTE_READ)), (Ok(()), Ok(())));
        assert_eq!((check(page, LOCAL_WRITE), check(page + 1, 0)), (Err(EFAULT), Err(EFAULT)));
    }
}
