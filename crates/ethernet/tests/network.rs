//! Hosts whose cards send frames at once and deliver them after a constant time.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;

use cluster::host::{Executor, Level, Output, Preemption, Waiting};
use cluster::{Cpu, Duration, NodeId, Signal, Time};
use ethernet::{Card, Costs, Host, Kernel, Tcp, Udp};

pub const COSTS: Costs = Costs {
    system_call: Duration::from_us(10),
    turn: Duration::from_us(1),
    copy: Duration::from_ns(100),
    copy_cached: Duration::from_ns(50),
    checksum: Duration::from_ns(30),
    packet: Duration::from_us(20),
};

/// Time of a frame from card to card.
pub const LATENCY: Duration = Duration::from_us(5);

pub const fn us(count: u64) -> Duration {
    Duration::from_us(count)
}

pub fn at(microseconds: f64) -> Time {
    Time::from_ps((microseconds * 1e6).round() as u64)
}

#[derive(Clone)]
pub struct Machine(pub Cpu);

impl Host for Machine {
    fn processor(&self) -> &Cpu {
        &self.0
    }

    fn kernel_costs(&self) -> Costs {
        COSTS
    }
}

/// A frame that a card has sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub time: Time,
    pub from: u16,
    pub bytes: usize,
}

#[derive(Default)]
struct Inbox {
    frames: RefCell<VecDeque<(Time, Vec<u8>)>>,
    arrival: Signal,
}

/// The cable of all cards.
pub struct Cable {
    inboxes: Vec<Inbox>,
    sent: RefCell<Vec<Frame>>,
    /// Frames of each card that get lost from now on.
    loses: Vec<Cell<usize>>,
    /// Frames that each card has no room for.
    is_full: Vec<Cell<usize>>,
}

impl Cable {
    /// All frames so far.
    pub fn sent(&self) -> Vec<Frame> {
        self.sent.borrow().clone()
    }

    /// Number of frames that a node has sent.
    pub fn count(&self, from: u16) -> usize {
        self.sent.borrow().iter().filter(|frame| frame.from == from).count()
    }

    /// Loses the next frames of a node.
    pub fn lose(&self, from: u16, frames: usize) {
        self.loses[usize::from(from)].set(frames);
    }

    /// Makes the card of a node refuse frames, until it has refused this many.
    pub fn fill(&self, node: u16, refusals: usize) {
        self.is_full[usize::from(node)].set(refusals);
    }
}

fn take_one(count: &Cell<usize>) -> bool {
    let left = count.get();
    count.set(left.saturating_sub(1));
    left > 0
}

/// The card of one node.
pub struct Port {
    node: u16,
    cable: Rc<Cable>,
}

impl Card for Port {
    type Host = Machine;

    fn mac_address(node: NodeId) -> [u8; 6] {
        [2, 0, 0, 0, 0, node.0 as u8]
    }

    fn node(&self) -> NodeId {
        NodeId(self.node)
    }

    fn reaches(&self, node: NodeId) -> bool {
        node.0 != self.node && usize::from(node.0) < self.cable.inboxes.len()
    }

    async fn transmit(&self, host: &Machine, frame: &[u8]) -> bool {
        let own = usize::from(self.node);
        if take_one(&self.cable.is_full[own]) {
            return false;
        }
        let time = host.0.now();
        self.cable.sent.borrow_mut().push(Frame { time, from: self.node, bytes: frame.len() });
        if !take_one(&self.cable.loses[own]) {
            let inbox = &self.cable.inboxes[usize::from(frame[5])];
            inbox.frames.borrow_mut().push_back((time + LATENCY, frame.to_vec()));
            inbox.arrival.raise(&host.0);
        }
        true
    }

    async fn pause(&self, host: &Machine, preemption: &Preemption, level: Level) {
        preemption.work(&host.0, level, us(1)).await;
    }

    async fn next_frame(&self, host: &Machine) -> Vec<u8> {
        let Inbox { frames, arrival } = &self.cable.inboxes[usize::from(self.node)];
        loop {
            let first = frames.borrow().front().map(|(time, _)| *time);
            match first {
                Some(time) if time <= host.0.now() => {
                    return frames.borrow_mut().pop_front().expect("it is the first").1;
                }
                Some(time) => host.0.until(time, Waiting::For("a frame")).await,
                None => arrival.wait(&host.0, "a frame").await,
            }
        }
    }
}

/// Hosts 0 to `nodes - 1`.
pub struct Hosts {
    executor: Executor,
    kernels: Vec<Rc<Kernel<Port>>>,
    pub cable: Rc<Cable>,
}

impl Hosts {
    pub fn new(nodes: u16) -> Self {
        let cable = Rc::new(Cable {
            inboxes: (0..nodes).map(|_| Inbox::default()).collect(),
            sent: RefCell::default(),
            loses: (0..nodes).map(|_| Cell::new(0)).collect(),
            is_full: (0..nodes).map(|_| Cell::new(0)).collect(),
        });
        let mut executor = Executor::alone(0);
        let kernel = |node| {
            let card = Rc::new(Port { node, cable: cable.clone() });
            let kernel = Rc::new(Kernel::new(card, Rc::default()));
            let own = kernel.clone();
            executor.spawn("bottom half", move |cpu| async move { own.bottom_half(Machine(cpu)).await });
            kernel
        };
        let kernels = (0..nodes).map(kernel).collect();
        Hosts { executor, kernels, cable }
    }

    /// Starts a program with TCP on a host.
    pub fn tcp<F, T>(&mut self, node: usize, program: impl FnOnce(Tcp<Port>) -> F + 'static) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        let kernel = self.kernels[node].clone();
        self.executor.spawn("program", move |cpu| program(Tcp::new(Machine(cpu), kernel)))
    }

    /// Starts a program with UDP on a host.
    pub fn udp<F, T>(&mut self, node: usize, program: impl FnOnce(Udp<Port>) -> F + 'static) -> Output<T>
    where
        F: Future<Output = T> + 'static,
        T: 'static,
    {
        let kernel = self.kernels[node].clone();
        self.executor.spawn("program", move |cpu| program(Udp::new(Machine(cpu), kernel)))
    }

    /// Lets virtual time pass, at most until `end`. Fails if it stands still.
    pub fn run_until(&mut self, end: Time) {
        let (mut now, mut steps) = (Time::ZERO, 0);
        while let Some(wake) = self.executor.next_wake().filter(|wake| *wake <= end) {
            steps = if wake > now { 0 } else { steps + 1 };
            assert!(steps < 10_000, "time stands still at {now}");
            now = now.max(wake);
            self.executor.run(now);
        }
    }

    /// Lets 10 s pass.
    pub fn run(&mut self) {
        self.run_until(at(10e6));
    }
}
