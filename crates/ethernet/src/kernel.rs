//! Costs of the protocols on a host: system calls, copies, the bottom half.

use std::cell::{Cell, RefCell, RefMut};
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use cluster::host::{Level, Preemption};
use cluster::{Duration, Signal, Time};

use crate::card::{Card, Host};
use crate::stack::Stack;
use crate::udp::ports::Ports;

/// TCP and UDP in the kernel of one host.
pub struct Kernel<C> {
    pub(crate) card: Rc<C>,
    preemption: Rc<Preemption>,
    stack: RefCell<Stack>,
    ports: RefCell<Ports>,
    /// A socket or a timer has changed.
    pub(crate) changed: Signal,
    /// A process or the bottom half is sending.
    sending: Cell<bool>,
}

impl<C: Card> Kernel<C> {
    /// The kernel of the host that this card is in.
    pub fn new(card: Rc<C>, preemption: Rc<Preemption>) -> Self {
        Kernel {
            stack: RefCell::new(Stack::new(card.node(), C::mac_address)),
            ports: RefCell::new(Ports::new(card.node(), C::mac_address)),
            card,
            preemption,
            changed: Signal::default(),
            sending: Cell::new(false),
        }
    }

    pub(crate) fn stack(&self) -> RefMut<'_, Stack> {
        self.stack.borrow_mut()
    }

    pub(crate) fn ports(&self) -> RefMut<'_, Ports> {
        self.ports.borrow_mut()
    }

    /// Enters the kernel.
    pub(crate) async fn system_call(&self, host: &C::Host) {
        self.preemption.work(host.processor(), Level::Process, host.kernel_costs().system_call).await;
    }

    /// Looks at sockets in one system call: a compare and a branch for each, as in a turn of a loop.
    pub(crate) async fn select(&self, host: &C::Host, sockets: usize) {
        let costs = host.kernel_costs().system_call + host.kernel_costs().turn * sockets as u64;
        self.preemption.work(host.processor(), Level::Process, costs).await;
    }

    /// Copies bytes from a process and computes their checksum.
    pub(crate) async fn copy_in(&self, host: &C::Host, bytes: usize) {
        self.preemption.work(host.processor(), Level::Process, words(bytes, host.kernel_costs().copy)).await;
    }

    /// Copies bytes to a process.
    pub(crate) async fn copy_out(&self, host: &C::Host, bytes: usize) {
        self.preemption
            .work(host.processor(), Level::Process, words(bytes, host.kernel_costs().copy_cached))
            .await;
    }

    /// Waits until a socket changes.
    pub(crate) async fn wait(&self, host: &C::Host, what: &'static str) {
        self.changed.wait(host.processor(), what).await;
    }

    /// Waits until a socket changes, or until `end`, which is not over.
    pub(crate) async fn wait_until(&self, host: &C::Host, what: &'static str, end: Time) {
        let processor = host.processor();
        let mut changed = pin!(self.changed.wait(processor, what));
        let mut expired = pin!(processor.compute(end - processor.now()));
        poll_fn(|context| {
            if changed.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            expired.as_mut().poll(context)
        })
        .await;
    }

    /// Sends after a call of a process.
    pub(crate) async fn send_as_process(&self, host: &C::Host) {
        self.send(host, Level::Process).await;
        // A timer may run now.
        self.changed.raise(host.processor());
    }

    /// The bottom half: frames that arrived, and timers that expired.
    pub async fn bottom_half(&self, host: C::Host) {
        let processor = host.processor();
        loop {
            let frame = self.next_frame(&host).await;
            let _working = self.preemption.enter(processor, Level::BottomHalf);
            if let Some(frame) = frame {
                let costs = host.kernel_costs().packet + words(frame.len(), host.kernel_costs().checksum);
                self.preemption.work(processor, Level::BottomHalf, costs).await;
                if !self.ports().receive(&frame) {
                    self.stack().receive(processor.now(), &frame);
                }
            }
            self.send(&host, Level::BottomHalf).await;
            self.changed.raise(processor);
        }
    }

    /// The next frame, or `None` when a timer has expired.
    async fn next_frame(&self, host: &C::Host) -> Option<Vec<u8>> {
        let processor = host.processor();
        loop {
            let now = processor.now();
            let timer = self.stack().next_timer(now);
            // Another sender may be about to send the packet of the timer.
            let timer = timer.map(|at| if at > now { at - now } else { host.kernel_costs().packet });
            let mut frame = pin!(self.card.next_frame(host));
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

    /// Sends all that waits, unless another sender is active, which sends it then.
    async fn send(&self, host: &C::Host, level: Level) {
        if self.sending.replace(true) {
            return;
        }
        loop {
            let datagram = self.ports().transmit();
            let frame = datagram.or_else(|| self.stack().transmit(host.processor().now()));
            let Some(frame) = frame else { break };
            self.preemption.work(host.processor(), level, host.kernel_costs().packet).await;
            while !self.card.transmit(host, &frame).await {
                self.card.pause(host, &self.preemption, level).await;
            }
        }
        self.sending.set(false);
    }
}

/// The cost of `bytes` bytes, word by word.
fn words(bytes: usize, word: Duration) -> Duration {
    word * bytes.div_ceil(4) as u64
}
