//! A PE as a program sees it: its processor, cached and uncached memory, and the registers of the NIF.

use std::cell::RefCell;
use std::rc::Rc;

use cenju3::registers::Register;
use cluster::host::{Level, Preemption};
use cluster::{Cpu, Duration, Waiting};

use crate::cache::{LINE_BYTES, Moved};
use crate::clocks::{CLOCKS, CORE};
use crate::cost::Costs;
use crate::element::Element;
use crate::layout;

/// The processor of a PE with its memory and registers. Clones share the PE.
#[derive(Clone)]
pub struct Host {
    cpu: Cpu,
    element: Rc<RefCell<Element>>,
    preemption: Rc<Preemption>,
    level: Level,
    costs: Costs,
}

impl Host {
    /// The host of a thread, or of an interrupt handler, which preempts threads.
    pub(crate) fn new(
        cpu: Cpu,
        element: Rc<RefCell<Element>>,
        preemption: Rc<Preemption>,
        level: Level,
    ) -> Self {
        let costs = element.borrow().costs;
        Host { cpu, element, preemption, level, costs }
    }

    /// Computes for `duration`, without the time of interrupts: a PE has one processor.
    pub async fn compute(&self, duration: Duration) {
        self.preemption.work(&self.cpu, self.level, duration).await;
    }

    /// Costs of steps.
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The processor: time, marks, computing.
    pub fn processor(&self) -> &Cpu {
        &self.cpu
    }

    /// Address in local memory of an address of the user.
    pub fn user(&self, address: u32) -> u32 {
        self.element.borrow().frame(address / layout::PAGE) + address % layout::PAGE
    }

    /// Reads a register of the NIF.
    pub async fn read_register(&self, register: Register) -> u32 {
        self.access(register, None, self.costs.register_read).await
    }

    /// Writes a register of the NIF.
    pub async fn write_register(&self, register: Register, value: u32) {
        self.access(register, Some(value), self.costs.register_write).await;
    }

    /// Reads uncached bytes.
    pub async fn read_uncached(&self, address: u32, length: usize) -> Vec<u8> {
        self.compute(self.costs.uncached * length.div_ceil(8) as u64).await;
        self.element.borrow().peek(address, length)
    }

    /// Writes uncached bytes.
    pub async fn write_uncached(&self, address: u32, bytes: &[u8]) {
        self.compute(self.costs.uncached * bytes.len().div_ceil(8) as u64).await;
        self.element.borrow_mut().poke(address, bytes);
    }

    /// Reads bytes through the cache, into registers or cached buffers.
    pub async fn read(&self, address: u32, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        let moved = {
            let Element { memory, cache, .. } = &mut *self.element.borrow_mut();
            cache.read(memory, address, &mut bytes)
        };
        self.moved(moved, length).await;
        bytes
    }

    /// Writes bytes through the cache.
    pub async fn write(&self, address: u32, bytes: &[u8]) {
        let moved = {
            let Element { memory, cache, .. } = &mut *self.element.borrow_mut();
            cache.write(memory, address, bytes)
        };
        self.moved(moved, bytes.len()).await;
    }

    /// Sets bytes of memory as an exchange of pages would, without a copy: the paper's `nocopy` (section 6.1).
    pub fn place(&self, address: u32, bytes: &[u8]) {
        self.element.borrow_mut().poke(address, bytes);
    }

    /// Bytes of memory as an exchange of pages would give them.
    pub fn placed(&self, address: u32, length: usize) -> Vec<u8> {
        self.element.borrow().peek(address, length)
    }

    /// Replaces the lines of an area at user level: reads a word of each line one cache size further (paper, section
    /// 6.3).
    pub async fn replace(&self, address: u32, length: u32) {
        let lines = lines(address, length);
        let moved = {
            let Element { memory, cache, .. } = &mut *self.element.borrow_mut();
            let mut moved = Moved::default();
            for line in 0..lines {
                moved += cache.read(memory, layout::alias(address) + line * LINE_BYTES, &mut [0; 4]);
            }
            moved
        };
        self.moved(moved, 4 * lines as usize).await;
    }

    /// Flushes the lines of an area with cache instructions, which only a kernel may use.
    pub async fn flush(&self, address: u32, length: u32) {
        self.compute(self.costs.cache_op * u64::from(lines(address, length))).await;
        let Element { memory, cache, .. } = &mut *self.element.borrow_mut();
        cache.flush(memory, address, length);
    }

    /// A step of the library's protocol and matching.
    pub async fn software(&self) {
        self.compute(self.costs.software).await;
    }

    /// Charges line fills and the copied words. Writebacks go on behind the fills.
    async fn moved(&self, Moved { filled, .. }: Moved, bytes: usize) {
        let lines = self.costs.line * u64::from(filled);
        self.compute(lines + self.costs.word * bytes.div_ceil(4) as u64).await;
    }

    async fn access(&self, register: Register, write: Option<u32>, cost: Duration) -> u32 {
        let (begin, period) = (self.cpu.now(), CLOCKS.domain(CORE).period);
        let (done, address) = (begin + cost, register.info().offset);
        // Half of the cost is the path there, half the path back.
        let ticket =
            self.element.borrow_mut().issue(begin + Duration::from_ps(cost.ps() / 2), address, write);
        self.compute(cost).await;
        loop {
            let answer = self.element.borrow_mut().take(ticket);
            match answer {
                Some(data) => return data,
                // Other accesses were before this one.
                None => {
                    let next = CLOCKS.domain(CORE).at_or_after(self.cpu.now().max(done) + period);
                    self.cpu.until(next, Waiting::Access("a register of the NIF", address.into())).await;
                }
            }
        }
    }
}

/// Number of lines that an area touches.
fn lines(address: u32, length: u32) -> u32 {
    if length == 0 { 0 } else { (address + length - 1) / LINE_BYTES - address / LINE_BYTES + 1 }
}

#[cfg(test)]
mod tests {
    use cluster::Executor;

    use super::*;
    use crate::layout::WINDOW;

    /// Runs a program on a PE without a NIF; returns its result and its time.
    fn on<T: 'static, F: Future<Output = T> + 'static>(program: impl FnOnce(Host) -> F) -> (T, Duration) {
        let element = Rc::new(RefCell::new(Element::new(0, Costs::PUBLISHED)));
        let mut executor = Executor::alone(0);
        let output =
            executor.spawn("program", |cpu| program(Host::new(cpu, element, Rc::default(), Level::Process)));
        let mut end = cluster::Time::ZERO;
        while let Some(wake) = executor.next_wake() {
            end = wake;
            executor.run(wake);
        }
        (output.take().expect("it is done"), end - cluster::Time::ZERO)
    }

    #[test]
    fn replacing_a_unit_reads_128_words_and_shows_what_dma_wrote() {
        let (bytes, _) = on(|host| async move {
            host.read(WINDOW, 8192).await;
            host.place(WINDOW, &[5; 8192]);
            let old = host.read(WINDOW, 8192).await;
            host.replace(WINDOW, 8192).await;
            (old, host.read(WINDOW, 8192).await)
        });
        assert_eq!(bytes, (vec![0; 8192], vec![5; 8192]));
        let costs = Costs::PUBLISHED;
        let (_, time) = on(|host| async move { host.replace(WINDOW, 8192).await });
        assert_eq!(time, (costs.line + costs.word) * 128);
    }

    #[test]
    fn flush_costs_an_instruction_for_each_line() {
        let (placed, time) = on(|host| async move {
            let begin = host.processor().now();
            host.write(WINDOW, &[3; 100]).await;
            let written = host.processor().now() - begin;
            host.flush(WINDOW, 100).await;
            (host.placed(WINDOW, 100), written)
        });
        assert_eq!(placed.0, [3; 100]);
        assert_eq!(time - placed.1, Costs::PUBLISHED.cache_op * 2);
    }

    #[test]
    fn lines_of_an_area_are_those_that_it_touches() {
        assert_eq!(
            [(0, 0), (0, 1), (63, 2), (64, 64), (60, 200)].map(|(at, n)| lines(at, n)),
            [0, 1, 2, 1, 5]
        );
    }
}
