//! A network in memory with virtual time: calls take fixed times, and messages arrive after a fixed latency.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use cluster::{Duration, Time};

use super::{Arrival, Messenger, SendError};

/// Times of calls.
pub(crate) const SEND: Duration = Duration::from_ns(200);
pub(crate) const LOOK: Duration = Duration::from_ns(100);
/// Time from the end of a send until a poll finds the message.
pub(crate) const LATENCY: Duration = Duration::from_ns(1_000);

/// Properties of the network.
#[derive(Clone, Copy, Default)]
pub(crate) struct Behaviour {
    /// Capacity of a node in messages; senders wait for room.
    pub room: Option<usize>,
    /// Changes or drops a message in flight.
    pub damage: Option<fn(Arrival) -> Option<Arrival>>,
}

/// State shared by all nodes.
struct Network {
    now: Cell<Time>,
    /// Wake-up time of each node.
    wakes: RefCell<Vec<Option<Time>>>,
    /// Messages in flight to each node with their arrival times.
    inputs: RefCell<Vec<VecDeque<(Time, Arrival)>>>,
    behaviour: Behaviour,
}

/// Network interface of one node.
pub(crate) struct End {
    node: usize,
    network: Rc<Network>,
}

impl End {
    async fn spend(&self, time: Duration) {
        self.sleep_until(self.network.now.get() + time).await;
    }

    async fn sleep_until(&self, time: Time) {
        self.network.wakes.borrow_mut()[self.node] = Some(time);
        std::future::poll_fn(|_| {
            let now = self.network.now.get();
            if now < time { Poll::Pending } else { Poll::Ready(()) }
        })
        .await
    }
}

impl Messenger for End {
    fn now(&self) -> Time {
        self.network.now.get()
    }

    async fn wait_until(&mut self, time: Time) {
        self.sleep_until(time).await;
    }

    async fn send(&mut self, to: usize, bytes: u64, _primitive: usize) -> Result<Time, SendError> {
        if to == 13 {
            return Err(SendError::PeerDead(to));
        }
        let full = |input: &VecDeque<_>| self.network.behaviour.room.is_some_and(|room| input.len() >= room);
        while full(&self.network.inputs.borrow()[to]) {
            self.spend(LOOK).await;
        }
        let first_store = self.now();
        let arrival = Arrival { from: self.node, bytes };
        let arrival = self.network.behaviour.damage.map_or(Some(arrival), |damage| damage(arrival));
        if let Some(arrival) = arrival {
            self.network.inputs.borrow_mut()[to].push_back((first_store + SEND + LATENCY, arrival));
        }
        self.spend(SEND).await;
        Ok(first_store)
    }

    async fn poll(&mut self) -> Option<Arrival> {
        self.spend(LOOK).await;
        let input = &mut self.network.inputs.borrow_mut()[self.node];
        if input.front()?.0 > self.now() {
            return None;
        }
        input.pop_front().map(|(_, arrival)| arrival)
    }
}

/// Runs a program on each node until all have ended or until `limit`, and returns their results.
pub(crate) fn run<T, F: Future<Output = T>>(
    behaviour: Behaviour,
    nodes: usize,
    limit: Time,
    program: impl Fn(usize, End) -> F,
) -> Vec<Option<T>> {
    let network = Rc::new(Network {
        now: Cell::default(),
        wakes: RefCell::new(vec![Some(Time::ZERO); nodes]),
        inputs: RefCell::new(vec![VecDeque::new(); nodes]),
        behaviour,
    });
    let mut programs: Vec<_> =
        (0..nodes).map(|node| Box::pin(program(node, End { node, network: network.clone() }))).collect();
    let mut results: Vec<Option<T>> = (0..nodes).map(|_| None).collect();
    loop {
        let first =
            network.wakes.borrow().iter().enumerate().filter_map(|(node, wake)| Some(((*wake)?, node))).min();
        let Some((time, node)) = first.filter(|(time, _)| *time <= limit) else { return results };
        network.now.set(time);
        network.wakes.borrow_mut()[node] = None;
        let mut program = pin!(&mut programs[node]);
        if let Poll::Ready(result) = program.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            results[node] = Some(result);
        }
    }
}
