//! Nodes on machines where every step takes time: when they end, and which error of a run counts.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use fagus::carrier::machine::{Costs, Ended, Gathering, Pace, Place, Station, Step, live};
use fagus::comm::Timers;
use fagus::{Config, Delivery, Dsm, Error, RunError, Shared};

const MS: Duration = Duration::from_millis(1);
const PACE: Pace = Pace {
    period: Duration::from_micros(100),
    costs: Costs { access_ps: 0, lock_ps: 0, barrier_ps: 0, packet_ps: 3_000_000 },
};
const MESSAGES: Config = Config {
    seed: 1,
    timers: Timers { resend: MS, dead: Duration::from_secs(5) },
    patience: Duration::from_millis(200),
    limit: Duration::from_secs(1),
    delivery: Delivery::Messages,
    operation_ps: 0,
    rules: fagus::protocol::Rules::REPAIRED,
    wires: fagus::Wires::GOOD,
};

type Boxes = Rc<RefCell<Vec<VecDeque<(u16, Vec<u8>)>>>>;

/// A machine with a clock of its own. Only computing and waiting take time.
struct Machine {
    me: u16,
    clock: Rc<Cell<Duration>>,
    boxes: Boxes,
    /// Sends that have failed; `None` if all succeed.
    failed: Option<u32>,
    /// Woken at every pause.
    waker: Rc<RefCell<Option<Waker>>>,
}

impl Machine {
    fn new(me: u16, boxes: &Boxes) -> Self {
        let clock = Rc::new(Cell::new(Duration::ZERO));
        Machine { me, clock, boxes: boxes.clone(), failed: None, waker: Rc::default() }
    }

    fn at(self, time: Duration) -> Self {
        self.clock.set(time);
        self
    }
}

impl Station for Machine {
    fn now(&self) -> Duration {
        self.clock.get()
    }

    fn send(&mut self, to: u16, bytes: Vec<u8>) -> Step<'_, Result<(), Error>> {
        self.boxes.borrow_mut()[usize::from(to)].push_back((self.me, bytes));
        let result = self.failed.as_mut().map_or(Ok(()), |failed| {
            *failed += 1;
            Err(Error::System(format!("send {failed} to {to}")))
        });
        Box::pin(async { result })
    }

    fn look(&mut self) -> Step<'_, Option<(u16, Vec<u8>)>> {
        Box::pin(async { self.boxes.borrow_mut()[usize::from(self.me)].pop_front() })
    }

    fn pause(&mut self, until: Option<Duration>) -> Step<'_, ()> {
        Box::pin(async move {
            if let Some(waker) = &*self.waker.borrow() {
                waker.wake_by_ref();
            }
            // Other nodes run meanwhile.
            let mut has_waited = false;
            poll_fn(
                |_| if std::mem::replace(&mut has_waited, true) { Poll::Ready(()) } else { Poll::Pending },
            )
            .await;
            let next = self.clock.get() + Duration::from_micros(10);
            self.clock.set(until.map_or(next, |until| until.clamp(self.clock.get(), next)));
        })
    }

    fn compute(&mut self, time: Duration) -> Step<'_, ()> {
        self.clock.set(self.clock.get() + time);
        Box::pin(async {})
    }
}

fn boxes(nodes: usize) -> Boxes {
    Rc::new(RefCell::new(vec![VecDeque::new(); nodes]))
}

fn place(node: u16, nodes: usize, gathering: &Rc<Gathering>) -> Place {
    Place { node, nodes, gathering: gathering.clone() }
}

/// Polls all futures in turn until each has ended.
fn all<T>(mut futures: Vec<Pin<Box<dyn Future<Output = T> + '_>>>) -> Vec<T> {
    let mut values: Vec<_> = futures.iter().map(|_| None).collect();
    for _ in 0..1_000_000 {
        for (future, value) in futures.iter_mut().zip(&mut values) {
            if value.is_none()
                && let Poll::Ready(ended) = future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
            {
                *value = Some(ended);
            }
        }
        if values.iter().all(Option::is_some) {
            return values.into_iter().flatten().collect();
        }
    }
    panic!("the nodes do not end");
}

/// A node alone in its run.
fn alone<R>(
    machine: Machine,
    config: Config,
    program: impl AsyncFnOnce(Dsm) -> Result<R, Error>,
) -> (Option<Ended<R>>, Option<RunError>) {
    let gathering = Rc::default();
    let ended = {
        let live = pin!(live(machine, place(0, 1, &gathering), config, PACE, program));
        all(vec![Box::pin(live)]).remove(0)
    };
    (ended, gathering.failed())
}

#[test]
fn nodes_exchange_messages_and_pay_for_each() {
    let (gathering, boxes) = (Rc::default(), boxes(2));
    let node = |me| {
        let machine = Machine::new(me, &boxes);
        let clock = machine.clock.clone();
        let program = async |dsm: Dsm| {
            let data: Shared<[u32]> = dsm.shared("data", 2).await?;
            let mine = dsm.node();
            data.write(mine..mine + 1).await?[0] = 7 + mine as u32;
            dsm.barrier().await?;
            data.gather(0..2).await
        };
        let place = place(me, 2, &gathering);
        async move { (live(machine, place, MESSAGES, PACE, program).await, clock.get()) }
    };
    let nodes: Vec<Pin<Box<dyn Future<Output = _>>>> = vec![Box::pin(node(0)), Box::pin(node(1))];
    let ended = all(nodes);
    assert_eq!(gathering.failed(), None);
    for (ended, time) in ended {
        let Ended { value, stats, .. } = ended.expect("the run succeeds");
        assert_eq!(value, [7, 8]);
        let messages = stats.packets_sent + stats.packets_received;
        assert!(stats.packets_received > 3, "{stats:?}");
        let least = Duration::from_nanos(PACE.costs.packet_ps / 1_000 * messages);
        assert!(time >= least, "{time:?} for {messages} messages");
    }
}

#[test]
fn run_may_last_as_long_as_its_limit_and_no_longer() {
    let ends = |time| {
        let compute = async move |dsm: Dsm| dsm.compute(time).await;
        alone(Machine::new(0, &boxes(1)), MESSAGES, compute)
    };
    let (ended, failed) = ends(MESSAGES.limit);
    assert_eq!((ended.map(|ended| ended.time), failed), (Some(MESSAGES.limit), None));
    let (ended, failed) = ends(MESSAGES.limit + MS);
    assert!(ended.is_none());
    let failed = failed.expect("the run has failed");
    assert_eq!((failed.node, failed.error), (0, Error::Limit(MESSAGES.limit)));
    assert!(failed.time > MESSAGES.limit && failed.time <= MESSAGES.limit + PACE.period, "{:?}", failed.time);
}

#[test]
fn earliest_error_of_the_lowest_node_counts() {
    let gathering = Rc::default();
    let boxes = boxes(4);
    let cases: [(u16, u32, (u16, u32)); 5] =
        [(2, 5, (2, 5)), (3, 4, (3, 4)), (1, 4, (1, 4)), (2, 4, (1, 4)), (0, 5, (1, 4))];
    for (node, time, (first, at)) in cases {
        let machine = Machine::new(node, &boxes).at(time * MS);
        let program = async |_: Dsm| Err::<(), _>(Error::System(format!("{node} at {time}")));
        let live = pin!(live(machine, place(node, 4, &gathering), MESSAGES, PACE, program));
        assert!(all(vec![Box::pin(live)]).remove(0).is_none());
        let error = Error::System(format!("{first} at {at}"));
        assert_eq!(gathering.failed(), Some(RunError { node: first.into(), time: at * MS, error }));
    }
}

/// A node that waits for long asks silent nodes at one time, which fails twice here.
#[test]
fn first_of_two_errors_of_a_node_counts() {
    let gathering = Rc::default();
    let machine = Machine { failed: Some(0), ..Machine::new(0, &boxes(3)) };
    let pace = Pace { costs: Costs::default(), ..PACE };
    let config = Config { delivery: Config::default().delivery, ..MESSAGES };
    let program = async |dsm: Dsm| dsm.barrier().await;
    let live = pin!(live(machine, place(0, 3, &gathering), config, pace, program));
    assert!(all(vec![Box::pin(live)]).remove(0).is_none());
    let error = Error::System("send 1 to 1".into());
    assert_eq!(gathering.failed(), Some(RunError { node: 0, time: config.patience, error }));
}

#[test]
fn program_that_has_ended_is_not_polled_again() {
    let machine = Machine::new(0, &boxes(1));
    let waker = machine.waker.clone();
    let config = Config { delivery: Config::default().delivery, ..MESSAGES };
    let (ended, failed) = alone(machine, config, async move |_| {
        let own = poll_fn(|context| Poll::Ready(context.waker().clone())).await;
        *waker.borrow_mut() = Some(own);
        Ok(5)
    });
    assert_eq!((ended.map(|ended| ended.value), failed), (Some(5), None));
}
