//! The board as a process sees it: areas, registers, receive statuses.

use dimmnet2::address::{Area, WINDOW_BYTES};
use dimmnet2::registers::code::status_area_bytes;
use dimmnet2::registers::{
    ControllerStatus, PrimitiveCounter, ReadOptions, SmaLid, SystemRegister, UserRegister,
};
use dimmnet2::{StatusLower, StatusUpper};

use super::Habits;
use super::transfers::Transfers;
use crate::Host;

/// Write Windows of a process, and Prefetch Windows.
pub const WINDOWS: u8 = 4;

/// Offset of the ring of receive statuses in LLCM; the one after reset.
const STATUS_RING: u16 = 0;

/// Code of the ring's size: 1024 bytes, 63 statuses (thesis table A.5).
const STATUS_RING_CODE: u8 = 0b001_0000;

/// Bytes of a receive status.
const STATUS_BYTES: u16 = 16;

/// A process slot of a node and its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Number of the slot.
    pub wid: bool,
    /// Process group. Packets pass between processes of one group alone.
    pub pgid: u8,
}

/// The board of one process.
///
/// The process maps the areas of its own WID; it also takes the steps of a privileged process, each once.
pub struct Board {
    host: Host,
    process: Process,
    habits: Habits,
    lid: u16,
    /// Head of the ring of receive statuses.
    status_head: u16,
    /// BOTFs issued since the board was initialised.
    issued: u64,
    /// BOTFs that are complete, by the last read of the counter.
    completed: u64,
    /// For each Write Window, the count of complete BOTFs at which it is free, unless it is free already.
    window_free: [Option<u64>; WINDOWS as usize],
    /// Remote transfers issued since the board was initialised.
    pub(super) transfers: Transfers,
    /// For each Write Window, whether a VS, VSS or VSI from it may be in progress.
    pub(super) stores: [bool; WINDOWS as usize],
}

impl Board {
    /// Initialises SO-DIMM, LID, status ring and process group, in this order: the board accepts packets of the group
    /// only once there is a ring for their statuses.
    pub async fn initialise(host: Host, process: Process) -> Self {
        let mut board = Board {
            host,
            process,
            habits: Habits::default(),
            lid: 0,
            status_head: STATUS_RING,
            issued: 0,
            completed: 0,
            window_free: [None; WINDOWS as usize],
            transfers: Transfers::default(),
            stores: [false; WINDOWS as usize],
        };
        let (host, wid) = (&board.host, process.wid);
        host.store_uc(system(SystemRegister::SdimmInit), 1).await;
        let status = user(wid, UserRegister::ControllerStatus);
        host.poll("SO-DIMM initialisation", status, |value| {
            ControllerStatus::from_bits(value).sdimm_initialized
        })
        .await;
        let sma_lid = system(SystemRegister::SmaLid);
        let sma_lid = host.poll("the link", sma_lid, |value| SmaLid::from_bits(value).link_up()).await;
        board.lid = SmaLid::from_bits(sma_lid).lid;
        host.store_uc(system(SystemRegister::Lid), u64::from(board.lid)).await;
        host.store_uc(user(wid, UserRegister::StatusInitialAddress), u64::from(STATUS_RING)).await;
        host.store_uc(user(wid, UserRegister::StatusAreaSize), u64::from(STATUS_RING_CODE)).await;
        host.store_uc(user(wid, UserRegister::PrimitiveCounterReset), 0).await;
        let pgid = if wid { SystemRegister::Pgid1 } else { SystemRegister::Pgid0 };
        host.store_uc(system(pgid), u64::from(process.pgid)).await;
        board
    }

    /// The host, for time and marks.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The board with these habits.
    pub fn with(self, habits: Habits) -> Self {
        Board { habits, ..self }
    }

    /// The board of a user's process: its host keeps the pages of its slot alone.
    pub fn as_user(self) -> Self {
        Board { host: self.host.user(self.process.wid), ..self }
    }

    /// Sets how the board reads data for packets of RVS and IPUSH. The options after reset are 0, and then no register
    /// is written.
    pub async fn set_read_options(&self, options: ReadOptions) {
        if options != ReadOptions::default() {
            self.host.store_uc(system(SystemRegister::ReadOptions), options.bits()).await;
        }
    }

    /// Slot and group for which the board was initialised.
    pub fn process(&self) -> Process {
        self.process
    }

    /// LID of the node.
    pub fn lid(&self) -> u16 {
        self.lid
    }

    /// Waits until the last primitive from a Write Window is complete; then the window may be written.
    ///
    /// BOTFs complete in the order of issue, so the Primitive Counter tells which are complete. It is read before every
    /// window that was used: the host has to confirm that the window is free (thesis section 6.2.1). With the habit of
    /// a kept counter an earlier value may be enough.
    pub async fn wait_window(&mut self, window: u8) {
        let _call = self.host().processor().call("wait for a Write Window");
        self.wait_store(window).await;
        let Some(needed) = self.window_free[usize::from(window)].take() else { return };
        if self.habits.counter_kept && self.completed >= needed {
            return;
        }
        let (known, address) = (self.completed, self.user(UserRegister::PrimitiveCounter));
        let completed = |value| known + counted_since(known, PrimitiveCounter::from_bits(value).botf);
        let value = self.host.poll("a Write Window", address, |value| completed(value) >= needed).await;
        self.completed = completed(value);
    }

    /// Looks once whether a Write Window is free: whether the last BOTF from it is complete.
    pub async fn window_is_free(&mut self, window: u8) -> bool {
        let Some(needed) = self.window_free[usize::from(window)] else { return true };
        let (known, address) = (self.completed, self.user(UserRegister::PrimitiveCounter));
        let value = self.host.poll_times("a Write Window", address, 1, |_| true).await;
        let counter = PrimitiveCounter::from_bits(value.expect("the counter was read"));
        self.completed = known + counted_since(known, counter.botf);
        if self.completed >= needed {
            self.window_free[usize::from(window)] = None;
        }
        self.completed >= needed
    }

    /// With the habit of reading Controller Status before a command: waits until the Request FIFO has room.
    ///
    /// Without the habit, programs of this library have fewer commands in progress than the FIFO holds.
    pub(super) async fn may_issue(&self) {
        if self.habits.status_before_issue {
            let has_room = |value| !ControllerStatus::from_bits(value).request_fifo_almost_full;
            self.host.poll("the Request FIFO", self.user(UserRegister::ControllerStatus), has_room).await;
        }
    }

    /// Counts a BOTF that was issued from a Write Window.
    pub(super) fn issued(&mut self, window: u8) {
        self.issued += 1;
        self.window_free[usize::from(window)] = Some(self.issued);
    }

    /// Waits for the next receive status, takes it, and frees its place.
    pub async fn next_status(&mut self) -> (StatusLower, StatusUpper) {
        self.next_status_within(u64::MAX).await.expect("the end of time does not come")
    }

    /// Like [`Board::next_status`], but gives up after `polls` looks at the ring.
    pub async fn next_status_within(&mut self, polls: u64) -> Option<(StatusLower, StatusUpper)> {
        let address = self.status_within(polls).await?;
        let lower = self.host.load_uc(address).await;
        let upper = self.host.load_uc(address + 8).await;
        self.status_taken().await;
        Some((StatusLower::from_bits(lower), StatusUpper::from_bits(upper)))
    }

    /// Like [`Board::next_status`], but reads only the half with sender and size, for programs that know the place of
    /// the data, unless their habit is to read all.
    pub async fn next_arrival(&mut self) -> StatusLower {
        if self.habits.whole_status {
            return self.next_status().await.0;
        }
        let address = self.status_within(u64::MAX).await.expect("the end of time does not come");
        let lower = self.host.load_uc(address).await;
        self.status_taken().await;
        StatusLower::from_bits(lower)
    }

    /// Waits for the next receive status, for `polls` looks at most; returns its address.
    async fn status_within(&self, polls: u64) -> Option<u32> {
        let head = u64::from(self.status_head);
        let tail = self.user(UserRegister::StatusNextWriteAddress);
        self.host.poll_times("a receive status", tail, polls, |tail| tail != head).await?;
        self.host.mark("status seen");
        Some(self.llcm(u32::from(self.status_head)))
    }

    /// Frees the place of a status.
    async fn status_taken(&mut self) {
        let next = self.status_head + STATUS_BYTES;
        let end = STATUS_RING + status_area_bytes(STATUS_RING_CODE);
        self.status_head = if next == end { STATUS_RING } else { next };
        let head = self.user(UserRegister::StatusNextReadAddress);
        self.host.store_uc(head, u64::from(self.status_head)).await;
        self.host.mark("status read");
    }

    /// Reads the first `bytes` bytes of a Prefetch Window.
    pub async fn read_prefetch_window(&self, window: u8, bytes: usize) -> Vec<u8> {
        let _call = self.host().processor().call("read a Prefetch Window");
        assert!(bytes <= WINDOW_BYTES as usize, "a window has {WINDOW_BYTES} bytes");
        let address = Area::PrefetchWindow.window(self.process.wid, window);
        let mut data = self.host.load_lines(address, bytes.div_ceil(64) as u32).await;
        data.truncate(bytes);
        self.host.mark("data read");
        data
    }

    /// Address of a register in the process's User Register page.
    pub fn user(&self, register: UserRegister) -> u32 {
        user(self.process.wid, register)
    }

    /// Address of a System Register.
    pub fn system(register: SystemRegister) -> u32 {
        system(register)
    }

    /// Address of a byte in the process's LLCM.
    pub fn llcm(&self, offset: u32) -> u32 {
        Area::Llcm.part(self.process.wid) + offset
    }
}

/// The count of which `counter` holds 10 bits, at or after `known`.
fn counted_since(known: u64, counter: u16) -> u64 {
    (u64::from(counter).wrapping_sub(known)) & 0x3ff
}

fn user(wid: bool, register: UserRegister) -> u32 {
    Area::UserRegister.part(wid) + u32::from(register.info().offset)
}

fn system(register: SystemRegister) -> u32 {
    Area::SystemRegister.base() + u32::from(register.info().offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counter_that_wraps_goes_on_counting() {
        assert_eq!(counted_since(0, 3), 3);
        assert_eq!(counted_since(1022, 1), 3);
        assert_eq!(counted_since(5 * 1024 + 1023, 1023), 0);
    }

    #[test]
    fn registers_lie_on_the_pages_of_their_process() {
        assert_eq!(user(false, UserRegister::Command0Lower), 0x40000);
        assert_eq!(user(true, UserRegister::StatusNextReadAddress), 0x41b00);
        assert_eq!(system(SystemRegister::Pgid1), 0x50900);
    }
}
