//! A host as a program sees it: its processor, memory, and the adapter on the bus.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use cluster::host::Library;
use cluster::{Cpu, Duration, Time, Waiting};
use hca::contexts::{Kind, Report};
use hca::pins::HostIn;
use hca::registers::{Doorbell, Register};
use hdl::{Bits, Bundle};

use crate::Settings;
use crate::bus::{Bus, MEMORY_BYTES};
use crate::clocks::{CLOCKS, CORE};
use crate::cost::Costs;
use crate::windows::Window;

/// Address of the first doorbell in the aperture.
pub const DOORBELLS: u16 = 0x1000;

/// The processor of a host with its memory and adapter. Clones share the host.
#[derive(Clone)]
pub struct Host {
    cpu: Cpu,
    bus: Rc<RefCell<Bus>>,
    costs: Costs,
    verbs_library: Library,
}

impl Host {
    pub(crate) fn new(cpu: Cpu, bus: Rc<RefCell<Bus>>, verbs_library: Library) -> Self {
        let costs = *bus.borrow().costs();
        Host { cpu, bus, costs, verbs_library }
    }

    /// The verbs library on this host.
    pub fn verbs_library(&self) -> &Library {
        &self.verbs_library
    }

    /// Costs of accesses.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// Settings of the run.
    pub fn settings(&self) -> Settings {
        *self.bus.borrow().settings()
    }

    /// The processor: time, marks, computing.
    pub fn processor(&self) -> &Cpu {
        &self.cpu
    }

    /// Computes for `duration`.
    pub async fn compute(&self, duration: Duration) {
        self.cpu.compute(duration).await;
    }

    /// Writes a register, as the kernel.
    pub async fn write_register(&self, register: Register, wdata: u32) {
        let address = register.info().offset;
        self.write(HostIn { wdata, address, enable: true, write: true, user: false }).await;
    }

    /// Rings a doorbell as a process: `count` elements of a queue were put into its ring or, for completions, taken
    /// from it.
    pub async fn ring(&self, doorbell: Doorbell, queue: u8, count: u16) {
        let address = DOORBELLS + doorbell.info().offset;
        let wdata = u32::from(count) << 16 | u32::from(queue);
        self.write(HostIn { wdata, address, enable: true, write: true, user: true }).await;
    }

    /// Rings a doorbell that the processor has rung `ago` before now: a processor whose program is simulated later than
    /// its adapter. The doorbell must still be in flight, so `ago` is at most [`Self::doorbell_lead`]. Takes no time.
    pub fn ring_ago(&self, ago: Duration, doorbell: Doorbell, queue: u8, count: u16) {
        let address = DOORBELLS + doorbell.info().offset;
        let wdata = u32::from(count) << 16 | u32::from(queue);
        let pins = HostIn { wdata, address, enable: true, write: true, user: true };
        self.bus.borrow_mut().issue(self.cpu.now().saturating_sub(ago), pins);
    }

    /// Time for which an adapter does not notice what its processor does, if that are doorbells alone.
    pub fn doorbell_lead(&self) -> Duration {
        let margin = CLOCKS.domain(CORE).period * 2;
        Duration::from_ps(self.costs.doorbell_path.ps().saturating_sub(margin.ps()))
    }

    /// Reads a register as the kernel. All earlier writes have reached the adapter when it returns.
    pub async fn read_register(&self, register: Register) -> u32 {
        let address = register.info().offset;
        let pins = HostIn { address, enable: true, ..HostIn::default() };
        let ticket = self.bus.borrow_mut().issue(self.cpu.now(), pins);
        self.compute(self.costs.request_path + self.costs.bus_read + self.costs.response_path).await;
        loop {
            let answer = self.bus.borrow_mut().take(ticket);
            let waits = Waiting::Access("a register of the adapter", address.into());
            match answer {
                Some(answer) => {
                    if answer.done > self.cpu.now() {
                        self.cpu.until(answer.done, waits).await;
                    }
                    return answer.data;
                }
                // Other accesses were before this one.
                None => {
                    let period = CLOCKS.domain(CORE).period;
                    self.cpu.until(CLOCKS.domain(CORE).at_or_after(self.cpu.now() + period), waits).await;
                }
            }
        }
    }

    /// Stages a row of the adapter's contexts and has the adapter write it, as the kernel.
    pub async fn write_row<B: Bundle>(&self, kind: Kind, row: impl Into<u16>, value: B) {
        self.stage(value).await;
        self.command(kind, row.into()).await;
    }

    /// Writes a row into the staging registers, where commands leave it.
    pub async fn stage<B: Bundle>(&self, value: B) {
        let mut words = [0; 4];
        value.put(&mut words, 0, B::WIDTH);
        for i in 0..8 {
            let word = (words[usize::from(i) / 2] >> (32 * (i & 1))) as u32;
            self.write_register(staging(i), word).await;
        }
    }

    /// Reads the progress of a queue pair, as the kernel.
    pub async fn progress(&self, row: u8) -> Report {
        self.command(Kind::Report, row.into()).await;
        let mut words = [0; 2];
        for i in 0..4 {
            let word = self.read_register(staging(i)).await;
            words[usize::from(i) / 2] |= u64::from(word) << (32 * (i & 1));
        }
        Report::take(&words, 0, Report::WIDTH)
    }

    /// Has the adapter carry out a command on a row of its contexts, and waits for its end.
    pub async fn command(&self, kind: Kind, row: u16) {
        self.write_register(Register::Command, kind.word(row)).await;
        while self.read_register(Register::Command).await != 0 {}
    }

    /// Copies bytes from one place in memory to another.
    pub async fn copy(&self, bytes: usize) {
        self.compute(self.costs.word * bytes.div_ceil(4) as u64).await;
    }

    /// Bytes of memory without a copy: programs use them in place.
    pub fn memory(&self, address: u32, length: usize) -> Vec<u8> {
        self.bus.borrow().peek(address, length)
    }

    /// Sets bytes of memory without a copy: programs build them in place.
    pub fn set_memory(&self, address: u32, bytes: &[u8]) {
        self.bus.borrow_mut().poke(address, bytes);
    }

    /// 8 bytes of memory, little endian.
    pub fn memory_word(&self, address: u32) -> u64 {
        u64::from_le_bytes(self.bus.borrow().memory.read(address.into()))
    }

    /// Notes from now on when the adapter writes to this part of memory.
    pub fn stamp_writes(&self, part: Range<u32>) {
        self.bus.borrow_mut().stamps.begin(part);
    }

    /// Time at which the adapter wrote the last word of the entry at this address, in the part of [`stamp_writes`](Self::stamp_writes).
    pub fn written_at(&self, address: u32) -> Option<Time> {
        self.bus.borrow().stamps.time(address)
    }

    /// Opens a window: bus addresses that lead to memory of a process.
    pub fn open_window(&self, window: Window) {
        self.bus.borrow_mut().windows.open(window);
    }

    /// Closes the window that begins at this bus address.
    pub fn close_window(&self, base: u32) {
        self.bus.borrow_mut().windows.close(base);
    }

    /// Closes all windows, of a process that has ended.
    pub fn close_windows(&self) {
        self.bus.borrow_mut().windows.close_all();
    }

    /// Stores in the process what the adapter has written through the windows. It is called before the process runs.
    pub fn synchronize_windows(&self) {
        self.bus.borrow_mut().windows.synchronize();
    }

    /// Writes of the adapter through windows that the process may look at, so far.
    pub fn window_writes(&self) -> u64 {
        self.bus.borrow().windows.writes()
    }

    /// Whether the adapter has written through such a window since the last synchronization.
    pub fn has_written_windows(&self) -> bool {
        self.bus.borrow().windows.has_written()
    }

    /// Bytes at a bus address of a window, for a driver that builds or takes apart messages.
    pub fn window_bytes(&self, address: u32, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.bus.borrow_mut().windows.read(address, &mut bytes);
        bytes
    }

    /// Bytes at a bus address: of host memory, or of a window beyond it.
    pub fn bus_bytes(&self, address: u32, length: usize) -> Vec<u8> {
        if address < MEMORY_BYTES { self.memory(address, length) } else { self.window_bytes(address, length) }
    }

    /// Sets bytes at a bus address of a window.
    pub fn set_window_bytes(&self, address: u32, bytes: &[u8]) {
        self.bus.borrow_mut().windows.write(address, bytes);
    }

    /// Whether the adapter requests an interrupt.
    pub fn is_interrupted(&self) -> bool {
        self.bus.borrow().interrupt
    }

    async fn write(&self, pins: HostIn) {
        self.bus.borrow_mut().issue(self.cpu.now(), pins);
        self.compute(self.costs.write).await;
    }
}

/// The staging word of this number.
fn staging(number: u16) -> Register {
    Register::write(Register::Staging0.info().offset + 4 * number).expect("there are eight of them")
}
