//! A cluster in memory: nodes that run the protocol of GigaE PM, and links with fault injection.
//!
//! Time is counted in ticks. In a tick every program runs until it pauses, frames arrive, timers are checked and
//! messages leave. The same settings and programs give the same run, frame by frame.

mod settings;
mod wire;

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use cluster::{LinkCounters, NodeId};

use crate::buffer::{Received, SendBuffer};
use crate::channel::Channel;
use crate::endpoint::{Endpoint, GetSendBufferError, OpenError, SendError};
use crate::software::{Frame, Node};
pub use settings::Settings;
use wire::Wire;

/// Nodes and their links.
pub struct Cluster(Rc<RefCell<State>>);

struct State {
    nodes: Vec<Node>,
    wire: Wire,
    now: u64,
    watch: Option<Box<Watch>>,
}

/// Place of a frame that an observer sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A node sends it; the link may lose it.
    Leaves,
    /// It arrives at its receiver.
    Arrives,
}

/// An observer of all frames, with the tick.
type Watch = dyn FnMut(u64, Sight, &Frame);

/// Programs have not ended within the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{programs} programs still run after {ticks} ticks")]
pub struct StillRunning {
    /// Number of these programs.
    pub programs: usize,
    /// The limit in ticks.
    pub ticks: u64,
}

impl Cluster {
    /// A cluster of `nodes` nodes.
    pub fn new(nodes: u16, settings: Settings) -> Self {
        let wire = Wire::new(&settings);
        let nodes = (0..nodes).map(|id| Node::new(NodeId(id), settings.node)).collect();
        Self(Rc::new(RefCell::new(State { nodes, wire, now: 0, watch: None })))
    }

    /// The endpoint of a node.
    pub fn port(&self, node: NodeId) -> Port {
        assert!(usize::from(node.0) < self.0.borrow().nodes.len(), "there is no node {}", node.0);
        Port { state: Rc::clone(&self.0), node }
    }

    /// Shows all frames from now on to an observer.
    pub fn watch(&self, watch: impl FnMut(u64, Sight, &Frame) + 'static) {
        self.0.borrow_mut().watch = Some(Box::new(watch));
    }

    /// Counters of all links together.
    pub fn counters(&self) -> LinkCounters {
        self.0.borrow().wire.counters
    }

    /// Number of frames with a message, retransmissions included.
    pub fn messages(&self) -> u64 {
        self.0.borrow().wire.messages
    }

    /// Ticks that passed so far.
    pub fn ticks(&self) -> u64 {
        self.0.borrow().now
    }

    /// Runs programs until all have ended, for at most `ticks` ticks. Results are in the order of the programs.
    pub fn run<F: Future>(
        &self,
        ticks: u64,
        programs: impl IntoIterator<Item = F>,
    ) -> Result<Vec<F::Output>, StillRunning> {
        let mut programs: Vec<_> =
            programs.into_iter().map(|program| Program::Runs(Box::pin(program))).collect();
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..ticks {
            let mut running = false;
            for program in &mut programs {
                running |= program.poll(&mut context);
            }
            if !running {
                return Ok(programs.into_iter().filter_map(Program::result).collect());
            }
            self.0.borrow_mut().tick();
        }
        let running = programs.into_iter().filter(|program| matches!(program, Program::Runs(_)));
        Err(StillRunning { programs: running.count(), ticks })
    }
}

enum Program<F: Future> {
    Runs(Pin<Box<F>>),
    Ended(F::Output),
}

impl<F: Future> Program<F> {
    /// Runs the program until it pauses; returns false if it has ended.
    fn poll(&mut self, context: &mut Context<'_>) -> bool {
        let Program::Runs(program) = self else { return false };
        match pin!(program).poll(context) {
            Poll::Pending => true,
            Poll::Ready(result) => {
                *self = Program::Ended(result);
                false
            }
        }
    }

    fn result(self) -> Option<F::Output> {
        match self {
            Program::Runs(_) => None,
            Program::Ended(result) => Some(result),
        }
    }
}

impl State {
    fn tick(&mut self) {
        self.now += 1;
        let now = self.now;
        while let Some(frame) = self.wire.arrival(now) {
            let to = usize::from(frame.to.0);
            self.show(Sight::Arrives, &frame);
            self.with(to, |node, out| node.arrive(frame, now, out));
        }
        for node in 0..self.nodes.len() {
            self.with(node, |node, out| node.tick(now, out));
        }
    }

    fn show(&mut self, sight: Sight, frame: &Frame) {
        if let Some(watch) = &mut self.watch {
            watch(self.now, sight, frame);
        }
    }

    /// Calls a node and sends its frames.
    fn with<T>(&mut self, node: usize, call: impl FnOnce(&mut Node, &mut Vec<Frame>) -> T) -> T {
        let mut out = Vec::new();
        let result = call(&mut self.nodes[node], &mut out);
        for frame in out {
            self.show(Sight::Leaves, &frame);
            self.wire.send(frame, self.now);
        }
        result
    }
}

/// The endpoint of a node of a [`Cluster`]. Its calls take no time; only [`Endpoint::pause`] takes a tick.
pub struct Port {
    state: Rc<RefCell<State>>,
    node: NodeId,
}

impl Port {
    fn with<T>(&self, call: impl FnOnce(&mut Node, &mut Vec<Frame>) -> T) -> T {
        self.state.borrow_mut().with(self.node.0.into(), call)
    }
}

impl Endpoint for Port {
    fn node(&self) -> NodeId {
        self.node
    }

    fn most_bytes(&self) -> usize {
        self.with(|node, _| node.most_bytes())
    }

    async fn open(&mut self, channel: Channel, session: u16) -> Result<(), OpenError> {
        let nodes = self.state.borrow().nodes.len();
        self.with(|node, _| node.open(channel, session, nodes))
    }

    async fn close(&mut self, channel: Channel) {
        self.with(|node, _| node.close(channel));
    }

    async fn get_send_buffer(
        &mut self,
        channel: Channel,
        size: usize,
    ) -> Result<SendBuffer, GetSendBufferError> {
        self.with(|node, _| node.get_send_buffer(channel, size))
    }

    async fn send_message(&mut self, buffer: SendBuffer, to: NodeId) -> Result<(), SendError> {
        self.with(|node, _| node.send_message(buffer, to))
    }

    async fn receive(&mut self, channel: Channel) -> Option<Received> {
        self.with(|node, _| node.receive(channel))
    }

    async fn put_receive_buffer(&mut self, message: Received) {
        self.with(|node, out| node.put_receive_buffer(message, out));
    }

    async fn pause(&mut self) {
        let mut paused = false;
        poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending }).await;
    }
}
