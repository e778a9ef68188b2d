//! Windows: ranges of bus addresses that lead to memory of a process of the operating system.
//!
//! A program's registered memory stays in its process. The bus holds copies of its pages only while the process waits:
//! [`Windows::synchronize`] stores what the adapter has written and forgets all copies before the process runs on.

use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes of a page: of the copies, and of the mapping.
pub const PAGE: u32 = 4096;

/// Memory of a process, at addresses of that process.
pub trait ProcessPages {
    /// Fills `into` with the bytes at `address`; false if they cannot be read.
    fn read(&self, address: u64, into: &mut [u8]) -> bool;
    /// Stores bytes at `address`; false if they cannot be written.
    fn write(&self, address: u64, bytes: &[u8]) -> bool;
}

/// Pages of a process at consecutive bus addresses.
#[derive(Clone)]
pub struct Window {
    /// First bus address, a multiple of [`PAGE`].
    pub base: u32,
    /// Bytes, a multiple of [`PAGE`].
    pub bytes: u32,
    /// Address in the process of the first byte, a multiple of [`PAGE`].
    pub address: u64,
    /// The process may look at the bytes at any time: a peer writes them, without a completion here.
    pub is_watched: bool,
    /// Access to the process that has the pages.
    pub memory: Rc<dyn ProcessPages>,
}

/// A copy of a page.
struct Copy {
    bytes: Box<[u8; PAGE as usize]>,
    /// Bytes that have been written, a bit each.
    written: [u64; PAGE as usize / 64],
}

/// All windows of a bus; they do not overlap.
#[derive(Default)]
pub struct Windows {
    by_base: BTreeMap<u32, Window>,
    copies: BTreeMap<u32, Copy>,
    /// Writes into watched windows.
    writes: u64,
    /// Those that have been stored in the process.
    stored: u64,
}

impl std::fmt::Debug for Windows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map()
            .entries(self.by_base.iter().map(|(base, window)| (base, (window.bytes, window.address))))
            .finish()
    }
}

impl Windows {
    /// Adds a window.
    pub fn open(&mut self, window: Window) {
        self.by_base.insert(window.base, window);
    }

    /// Removes the window that begins at this bus address, after its writes are stored.
    pub fn close(&mut self, base: u32) {
        self.synchronize();
        self.by_base.remove(&base);
    }

    /// Removes all windows. What the adapter has written since the last synchronization is lost with the process.
    pub fn close_all(&mut self) {
        self.copies.clear();
        self.by_base.clear();
    }

    /// Writes into windows that the process may look at, so far.
    pub fn writes(&self) -> u64 {
        self.writes
    }

    /// Whether such a write has come since the last synchronization.
    pub fn has_written(&self) -> bool {
        self.writes != self.stored
    }

    /// Whether an address is in a window.
    pub fn contains(&self, address: u32) -> bool {
        self.window(address).is_some()
    }

    /// Stores all written bytes in the process and forgets the copies of its pages.
    pub fn synchronize(&mut self) {
        self.stored = self.writes;
        let copies = std::mem::take(&mut self.copies);
        for (page, copy) in copies {
            let Some(window) = self.window(page) else { continue };
            let address = window.address + u64::from(page - window.base);
            for run in copy.runs() {
                // A page that the program has unmapped since its registration takes no data, as freed memory would.
                let _ = window.memory.write(address + run.start as u64, &copy.bytes[run]);
            }
        }
    }

    /// Fills `into` with the bytes at a bus address; bytes outside all windows read 0.
    pub fn read(&mut self, address: u32, into: &mut [u8]) {
        for (at, range) in by_page(address, into.len()) {
            let place = (at % PAGE) as usize;
            match self.copy(at) {
                Some(copy) => {
                    let bytes = &copy.bytes[place..place + range.len()];
                    into[range].copy_from_slice(bytes);
                }
                None => into[range].fill(0),
            }
        }
    }

    /// Stores bytes at a bus address; bytes outside all windows are dropped.
    pub fn write(&mut self, address: u32, bytes: &[u8]) {
        self.writes += u64::from(self.window(address).is_some_and(|window| window.is_watched));
        for (at, range) in by_page(address, bytes.len()) {
            let place = (at % PAGE) as usize;
            if let Some(copy) = self.copy(at) {
                copy.bytes[place..place + range.len()].copy_from_slice(&bytes[range.clone()]);
                for place in place..place + range.len() {
                    copy.written[place / 64] |= 1 << (place % 64);
                }
            }
        }
    }

    fn window(&self, address: u32) -> Option<&Window> {
        let (_, window) = self.by_base.range(..=address).next_back()?;
        (address - window.base < window.bytes).then_some(window)
    }

    /// The copy of the page with this bus address.
    fn copy(&mut self, address: u32) -> Option<&mut Copy> {
        let page = address & !(PAGE - 1);
        if !self.copies.contains_key(&page) {
            let window = self.window(page)?;
            let mut bytes = Box::new([0; PAGE as usize]);
            // A page that cannot be read is all zeros.
            let _ = window.memory.read(window.address + u64::from(page - window.base), &mut bytes[..]);
            self.copies.insert(page, Copy { bytes, written: [0; PAGE as usize / 64] });
        }
        self.copies.get_mut(&page)
    }
}

/// The parts of `length` bytes from `address` on, each on one page: their addresses and places.
fn by_page(address: u32, length: usize) -> impl Iterator<Item = (u32, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let at = address.wrapping_add(done as u32);
        let part = (length - done).min((PAGE - at % PAGE) as usize);
        let range = done..done + part;
        done += part;
        (part > 0).then_some((at, range))
    })
}

impl Copy {
    /// Runs of written bytes.
    fn runs(&self) -> Vec<std::ops::Range<usize>> {
        let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
        let words = self.written.iter().enumerate().filter(|(_, bits)| **bits != 0);
        let written = words.flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
        });
        for place in written {
            match runs.last_mut() {
                Some(run) if run.end == place => run.end += 1,
                _ => runs.push(place..place + 1),
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Two pages of a process from address 0x7000 on, and the writes to them.
    #[derive(Default)]
    struct Pages {
        bytes: RefCell<Vec<u8>>,
        writes: RefCell<Vec<(u64, usize)>>,
    }

    impl ProcessPages for Pages {
        fn read(&self, address: u64, into: &mut [u8]) -> bool {
            let begin = (address - 0x7000) as usize;
            into.copy_from_slice(&self.bytes.borrow()[begin..begin + into.len()]);
            true
        }

        fn write(&self, address: u64, bytes: &[u8]) -> bool {
            self.writes.borrow_mut().push((address, bytes.len()));
            let begin = (address - 0x7000) as usize;
            self.bytes.borrow_mut()[begin..begin + bytes.len()].copy_from_slice(bytes);
            true
        }
    }

    #[test]
    fn written_bytes_alone_reach_the_process_when_it_runs_on() {
        let pages = Rc::new(Pages { bytes: RefCell::new(vec![7; 2 * PAGE as usize]), ..Pages::default() });
        let mut windows = Windows::default();
        windows.open(Window {
            base: 0x2000_0000,
            bytes: 2 * PAGE,
            address: 0x7000,
            is_watched: true,
            memory: pages.clone(),
        });
        let mut read = [1; 4];
        windows.read(0x2000_0ffe, &mut read);
        assert_eq!(read, [7; 4]);
        windows.write(0x2000_0fff, &[1, 2]);
        windows.write(0x2000_0010, &[3]);
        windows.write(0x2000_00be, &[4; 4]);
        assert!(windows.has_written());
        assert!(pages.writes.borrow().is_empty(), "the process still waits");
        // The process changes a byte next to them before the writes are stored.
        pages.bytes.borrow_mut()[0x11] = 9;
        windows.synchronize();
        assert!(!windows.has_written());
        assert_eq!(*pages.writes.borrow(), [(0x7010, 1), (0x70be, 4), (0x7fff, 1), (0x8000, 1)]);
        windows.read(0x2000_0010, &mut read);
        assert_eq!(read, [3, 9, 7, 7]);
    }

    #[test]
    fn addresses_outside_all_windows_hold_nothing() {
        let pages = Rc::new(Pages { bytes: RefCell::new(vec![7; 2 * PAGE as usize]), ..Pages::default() });
        let mut windows = Windows::default();
        windows.open(Window {
            base: 0x2000_0000,
            bytes: PAGE,
            address: 0x7000,
            is_watched: false,
            memory: pages,
        });
        let mut read = [1; 2];
        windows.read(0x2000_0fff, &mut read);
        assert_eq!(read, [7, 0]);
        windows.write(0x2000_1000, &[1]);
        windows.write(0x2000_0000, &[1]);
        assert!(!windows.has_written(), "the window is not watched");
        windows.close(0x2000_0000);
        assert!(!windows.contains(0x2000_0000));
        windows.read(0x2000_0000, &mut read);
        assert_eq!(read, [0, 0]);
    }
}
