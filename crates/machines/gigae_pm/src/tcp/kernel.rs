//! What the protocols cost a host: system calls, copies, the bottom half.

use std::cell::{Cell, RefCell, RefMut};
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use super::stack::Stack;
use crate::bus::BusHost;
use crate::driver::{Driver, TransmitError};
use cluster::host::{Level, Preemption};
use cluster::{Duration, Signal};

/// TCP/IP in the kernel of one host.
pub struct Kernel {
    pub(super) driver: Rc<Driver>,
    preemption: Rc<Preemption>,
    stack: RefCell<Stack>,
    /// Something happened to a socket, or is to happen at another time.
    pub(super) changed: Signal,
    /// Somebody is sending what there is to send.
    sending: Cell<bool>,
}

impl Kernel {
    pub fn new(driver: Rc<Driver>, preemption: Rc<Preemption>) -> Self {
        Kernel {
            stack: RefCell::new(Stack::new(driver.node())),
            driver,
            preemption,
            changed: Signal::default(),
            sending: Cell::new(false),
        }
    }

    pub(super) fn stack(&self) -> RefMut<'_, Stack> {
        self.stack.borrow_mut()
    }

    /// Enters the kernel.
    pub(super) async fn system_call(&self, host: &BusHost) {
        self.preemption.work(host.processor(), Level::Process, host.costs().system_call).await;
    }

    /// Looks at so many sockets in one system call: for each a compare and a branch, as in the turn of a loop.
    pub(super) async fn select(&self, host: &BusHost, sockets: usize) {
        let costs = host.costs().system_call + host.costs().turn * sockets as u64;
        self.preemption.work(host.processor(), Level::Process, costs).await;
    }

    /// Copies bytes from a process; their checksum is made as they pass.
    pub(super) async fn copy_in(&self, host: &BusHost, bytes: usize) {
        self.preemption.work(host.processor(), Level::Process, words(bytes, host.costs().copy)).await;
    }

    /// Copies bytes to a process.
    pub(super) async fn copy_out(&self, host: &BusHost, bytes: usize) {
        self.preemption.work(host.processor(), Level::Process, words(bytes, host.costs().copy_cached)).await;
    }

    /// Waits until something happens to a socket.
    pub(super) async fn wait(&self, host: &BusHost, what: &'static str) {
        self.changed.wait(host.processor(), what).await;
    }

    /// A process changed what is to be sent: sends it.
    pub(super) async fn send_as_process(&self, host: &BusHost) {
        self.send(host, Level::Process).await;
        // A timer may run now.
        self.changed.raise(host.processor());
    }

    /// The bottom half: frames that arrived, and timers that expired.
    pub async fn bottom_half(&self, host: BusHost) {
        let processor = host.processor();
        loop {
            let frame = self.next_frame(&host).await;
            let _working = self.preemption.enter(processor, Level::BottomHalf);
            if let Some(frame) = frame {
                let costs = host.costs().packet + words(frame.len(), host.costs().checksum);
                self.preemption.work(processor, Level::BottomHalf, costs).await;
                self.stack().receive(processor.now(), &frame);
            }
            self.send(&host, Level::BottomHalf).await;
            self.changed.raise(processor);
        }
    }

    /// A frame, or nothing when a timer has expired.
    async fn next_frame(&self, host: &BusHost) -> Option<Vec<u8>> {
        let processor = host.processor();
        loop {
            let now = processor.now();
            let timer = self.stack().next_timer(now);
            // Somebody else may be about to send what the timer is for.
            let timer = timer.map(|at| if at > now { at - now } else { host.costs().packet });
            let mut frame = pin!(self.driver.next_frame(host));
            let mut changed = pin!(self.changed.wait(processor, "a timer"));
            let mut expired = pin!(processor.compute(timer.unwrap_or(Duration::ZERO)));
            let event = poll_fn(|context| {
                if let Poll::Ready(frame) = frame.as_mut().poll(context) {
                    return Poll::Ready(Some(Some(frame)));
                }
                if timer.is_some() && expired.as_mut().poll(context).is_ready() {
                    return Poll::Ready(Some(None));
                }
                changed.as_mut().poll(context).map(|()| None)
            });
            if let Some(event) = event.await {
                return event;
            }
        }
    }

    /// Sends what there is to send, unless somebody is at it: whoever is sends that too.
    async fn send(&self, host: &BusHost, level: Level) {
        if self.sending.replace(true) {
            return;
        }
        loop {
            let frame = self.stack().transmit(host.processor().now());
            let Some(frame) = frame else { break };
            self.preemption.work(host.processor(), level, host.costs().packet).await;
            while let Err(error) = self.driver.transmit(host, &frame).await {
                assert_eq!(error, TransmitError::Full, "the interface is up, and packets fit into frames");
                self.preemption.work(host.processor(), level, host.costs().turn).await;
            }
        }
        self.sending.set(false);
    }
}

/// The cost of so many bytes, word by word.
fn words(bytes: usize, word: Duration) -> Duration {
    word * bytes.div_ceil(4) as u64
}
