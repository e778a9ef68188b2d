//! Operations of nodes and their dependencies.
//!
//! A file of operations has no times: a message begins when what its send requires has happened.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::ops::Range;

use cluster::{Duration, Time};

use super::problem::LocatedProblem;
use super::{MOST_MESSAGES, Message, Problem, Schedule, Setting, Start};
use crate::duration::LONGEST;

/// An operation of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Send {
        to: u32,
        tag: u32,
        bytes: u64,
    },
    /// A message with the tag, or with any.
    Receive {
        from: u32,
        tag: Option<u32>,
        bytes: u64,
    },
    Calculate(Duration),
}

/// The two moments of an operation that others can depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Moment {
    Begin,
    End,
}

/// Action of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Act {
    /// Sends messages; the send ends with the last one.
    Send { last: u32 },
    /// Waits for the last message of a send.
    Receive { last: u32 },
    /// Takes time.
    Calculate(Duration),
}

/// An operation of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Operation {
    act: Act,
    /// Number of dependencies.
    needs: u32,
    /// Range of the operations that depend on it.
    dependents: Range<u32>,
}

/// Operations of all nodes, those of a node one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Operations {
    list: Vec<Operation>,
    /// Operations that depend on another, and on which moment of it.
    dependents: Vec<(u32, Moment)>,
    /// Range of each node.
    nodes: Vec<Range<u32>>,
}

impl Operations {
    /// Numbers of a node's operations.
    pub fn of_node(&self, node: u32) -> Range<u32> {
        self.nodes.get(node as usize).cloned().unwrap_or_default()
    }

    /// Action of an operation.
    pub fn act(&self, number: u32) -> Act {
        self.list[number as usize].act
    }

    fn dependents(&self, number: u32) -> &[(u32, Moment)] {
        let Range { start, end } = self.list[number as usize].dependents;
        &self.dependents[start as usize..end as usize]
    }
}

/// An operation begins or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    pub time: Time,
    pub operation: u32,
    pub moment: Moment,
}

/// How far a range of operations has come. Times may lie in the future, because a calculation has a known end.
pub(crate) struct Progress<'a> {
    operations: &'a Operations,
    /// Number of the first operation.
    first: u32,
    states: Vec<State>,
}

#[derive(Clone, Copy, Default)]
struct State {
    /// Dependencies that have not happened.
    missing: u32,
    /// Time of the last dependency.
    since: Time,
    begun: Option<Time>,
    /// Time at which the message of a receive has arrived.
    arrived: Option<Time>,
}

impl<'a> Progress<'a> {
    /// No operation of the range has begun.
    pub fn new(operations: &'a Operations, range: Range<u32>) -> Self {
        let first = range.start;
        let state = |number| State { missing: operations.list[number as usize].needs, ..State::default() };
        Progress { operations, first, states: range.map(state).collect() }
    }

    fn state(&mut self, number: u32) -> &mut State {
        &mut self.states[(number - self.first) as usize]
    }

    /// Time at which an operation begins, if that is known.
    pub fn begun(&self, number: u32) -> Option<Time> {
        self.states[(number - self.first) as usize].begun
    }

    /// Operations without dependencies begin.
    pub fn start(&self) -> Vec<Event> {
        let free = (self.first..).zip(&self.states).filter(|(_, state)| state.missing == 0);
        free.map(|(operation, _)| Event { time: Time::ZERO, operation, moment: Moment::Begin }).collect()
    }

    /// Records an event, and returns those that follow from it. The end of a send follows from none.
    pub fn pass(&mut self, event: Event) -> Vec<Event> {
        let Event { time, operation, moment } = event;
        let mut following = Vec::new();
        for &(dependent, on) in self.operations.dependents(operation) {
            if on == moment {
                let state = self.state(dependent);
                state.missing -= 1;
                state.since = state.since.max(time);
                if state.missing == 0 {
                    let time = state.since;
                    following.push(Event { time, operation: dependent, moment: Moment::Begin });
                }
            }
        }
        if moment == Moment::Begin {
            let act = self.operations.act(operation);
            let state = self.state(operation);
            state.begun = Some(time);
            let end = match act {
                Act::Send { .. } => None,
                Act::Receive { .. } => state.arrived.map(|arrived| arrived.max(time)),
                Act::Calculate(duration) => Some(time + duration),
            };
            following.extend(end.map(|time| Event { time, operation, moment: Moment::End }));
        }
        following
    }

    /// Records the arrival of the message of a receive, and returns the end of the receive if it has begun.
    pub fn arrive(&mut self, receive: u32, time: Time) -> Option<Event> {
        let state = self.state(receive);
        state.arrived = Some(time);
        let begun = state.begun?;
        Some(Event { time: time.max(begun), operation: receive, moment: Moment::End })
    }
}

/// Range of the messages of each send.
type Ranges = HashMap<u32, Range<u32>>;

/// A dependency: the operation, the one that it waits for, and the moment of that.
type Dependency = (u32, u32, Moment);

/// Operations under construction, added rank by rank.
pub(crate) struct OperationsBuilder<'a> {
    setting: &'a Setting<'a>,
    /// Node, operation and line of each.
    list: Vec<(u32, Kind, u32)>,
    dependencies: Vec<Dependency>,
}

impl<'a> OperationsBuilder<'a> {
    /// No operations.
    pub fn new(setting: &'a Setting<'a>) -> Self {
        OperationsBuilder { setting, list: Vec::new(), dependencies: Vec::new() }
    }

    /// Adds an operation and returns its number.
    pub fn add(&mut self, node: u32, kind: Kind, line: u32) -> Result<u32, Problem> {
        match kind {
            Kind::Send { to, .. } if to == node => return Err(Problem::Itself(node)),
            Kind::Receive { from, .. } if from == node => return Err(Problem::FromItself(node)),
            _ => {}
        }
        if self.list.len() == MOST_MESSAGES {
            return Err(Problem::TooMany);
        }
        self.list.push((node, kind, line));
        Ok(self.list.len() as u32 - 1)
    }

    /// Lets an operation begin after a moment of another one.
    pub fn depend(&mut self, operation: u32, on: u32, moment: Moment) {
        self.dependencies.push((operation, on, moment));
    }

    /// The schedule, if each send has its receive and all operations can happen.
    pub fn finish(self) -> Result<Schedule, LocatedProblem> {
        let pairs = self.pairs()?;
        let (messages, of_send) = self.messages()?;
        if messages.is_empty() {
            return Err(LocatedProblem::whole(Problem::NoMessages));
        }
        let operations = self.operations(&pairs, &of_send);
        let receives: HashMap<u32, u32> = pairs.iter().map(|(receive, send)| (*send, *receive)).collect();
        let order = order(&operations, &receives).map_err(|trouble| match trouble {
            Trouble::Late(operation) => LocatedProblem::at(self.list[operation as usize].2, Problem::Late),
            Trouble::Circle { begun, ended } => self.circle(&begun, &ended, &pairs),
        })?;
        Ok(Schedule {
            nodes: self.setting.nodes,
            poll: Duration::ZERO,
            primitives: vec![self.setting.primitive.to_owned()],
            messages,
            ids: Vec::new(),
            order: order.iter().flat_map(|send| of_send[send].clone()).collect(),
            operations,
            answers: Vec::new(),
        })
    }

    /// The send of each receive: sends of a rank to another with one tag are received in the order of the file.
    fn pairs(&self) -> Result<HashMap<u32, u32>, LocatedProblem> {
        let mut sends: HashMap<(u32, u32), Sends> = HashMap::new();
        for (number, &(node, kind, _)) in (0..).zip(&self.list) {
            if let Kind::Send { to, tag, .. } = kind {
                sends.entry((node, to)).or_default().add(number, tag);
            }
        }
        let mut pairs = HashMap::new();
        for (number, &(node, kind, line)) in (0..).zip(&self.list) {
            let Kind::Receive { from, tag, bytes } = kind else { continue };
            let first = sends.get_mut(&(from, node)).and_then(|sends| sends.take(tag));
            let send =
                first.ok_or_else(|| LocatedProblem::at(line, Problem::NoSend { from, to: node, tag }))?;
            let (_, Kind::Send { bytes: sent, .. }, of_send) = self.list[send as usize] else { continue };
            if sent > bytes {
                return Err(LocatedProblem::at(line, Problem::TooLong { bytes, sent, line: of_send }));
            }
            pairs.insert(number, send);
        }
        match sends.into_values().flat_map(|sends| sends.tags.into_keys()).min() {
            Some(send) => Err(LocatedProblem::at(self.list[send as usize].2, Problem::NoReceive)),
            None => Ok(pairs),
        }
    }

    /// Messages of all sends, and the range of each.
    fn messages(&self) -> Result<(Vec<Message>, Ranges), LocatedProblem> {
        let carries = self.setting.carries(self.setting.primitive).map_err(LocatedProblem::whole)?;
        let (least, most) = carries.into_inner();
        let mut messages = Vec::new();
        let mut of_send = HashMap::new();
        for (number, &(from, kind, line)) in (0..).zip(&self.list) {
            let Kind::Send { to, bytes, .. } = kind else { continue };
            let pieces = bytes.div_ceil(most).max(1);
            if pieces > (MOST_MESSAGES - messages.len()) as u64 {
                return Err(LocatedProblem::at(line, Problem::TooMany));
            }
            let first = messages.len() as u32;
            for piece in 0..pieces {
                let bytes = (bytes - piece * most).clamp(least, most);
                let start = Start::When(number);
                messages.push(Message { from, to, bytes, primitive: 0, start, id: None });
            }
            of_send.insert(number, first..messages.len() as u32);
        }
        Ok((messages, of_send))
    }

    /// The graph of all operations.
    fn operations(&self, pairs: &HashMap<u32, u32>, of_send: &Ranges) -> Operations {
        let last = |send: u32| of_send[&send].end - 1;
        let mut operations = Operations { nodes: vec![0..0; self.setting.nodes], ..Operations::default() };
        let mut dependents: Vec<Vec<(u32, Moment)>> = vec![Vec::new(); self.list.len()];
        let mut needs = vec![0; self.list.len()];
        for &(operation, on, moment) in &self.dependencies {
            dependents[on as usize].push((operation, moment));
            needs[operation as usize] += 1;
        }
        for (number, &(node, kind, _)) in (0..).zip(&self.list) {
            let act = match kind {
                Kind::Send { .. } => Act::Send { last: last(number) },
                Kind::Receive { .. } => Act::Receive { last: last(pairs[&number]) },
                Kind::Calculate(duration) => Act::Calculate(duration),
            };
            let start = operations.dependents.len() as u32;
            operations.dependents.append(&mut dependents[number as usize]);
            let dependents = start..operations.dependents.len() as u32;
            operations.list.push(Operation { act, needs: needs[number as usize], dependents });
            let range = &mut operations.nodes[node as usize];
            let start = if range.end == 0 { number } else { range.start };
            *range = start..number + 1;
        }
        operations
    }

    /// The error for operations that wait for each other.
    fn circle(&self, begun: &[bool], ended: &[bool], pairs: &HashMap<u32, u32>) -> LocatedProblem {
        let has_happened = |operation: u32, moment| match moment {
            Moment::Begin => begun[operation as usize],
            Moment::End => ended[operation as usize],
        };
        let mut awaited: HashMap<u32, u32> = HashMap::new();
        for &(operation, on, moment) in &self.dependencies {
            if !has_happened(on, moment) {
                awaited.entry(operation).or_insert(on);
            }
        }
        // A receive that has begun waits for its send alone.
        for (&receive, &send) in pairs.iter().filter(|(receive, _)| begun[**receive as usize]) {
            awaited.insert(receive, send);
        }
        let mut way: Vec<u32> = Vec::new();
        let mut places: HashMap<u32, usize> = HashMap::new();
        let mut next = (0..).zip(ended).find(|(_, ended)| !**ended).map_or(0, |(number, _)| number);
        let first = loop {
            if let Some(first) = places.insert(next, way.len()) {
                break first;
            }
            way.push(next);
            next = awaited[&next];
        };
        let mut lines: Vec<u32> = way[first..].iter().map(|number| self.list[*number as usize].2).collect();
        lines.sort_unstable();
        LocatedProblem::at(lines[0], Problem::Circle(lines))
    }
}

/// Sends of a rank to another that have no receive yet.
#[derive(Default)]
struct Sends {
    /// Tag of each.
    tags: BTreeMap<u32, u32>,
    /// Sends with each tag.
    queues: HashMap<u32, VecDeque<u32>>,
}

impl Sends {
    fn add(&mut self, send: u32, tag: u32) {
        self.tags.insert(send, tag);
        self.queues.entry(tag).or_default().push_back(send);
    }

    /// Removes the first send with a tag, or with any.
    fn take(&mut self, tag: Option<u32>) -> Option<u32> {
        let tag = tag.or_else(|| self.tags.values().next().copied())?;
        let send = self.queues.get_mut(&tag)?.pop_front()?;
        self.tags.remove(&send);
        Some(send)
    }
}

/// Reason why there is no order.
enum Trouble {
    /// The operation is too late.
    Late(u32),
    /// Operations wait for each other: those that have begun and ended.
    Circle { begun: Vec<bool>, ended: Vec<bool> },
}

/// Sends in an order in which each depends on earlier ones only: that of a network without delay. A message takes a
/// picosecond, so that all nodes advance together.
fn order(operations: &Operations, receives: &HashMap<u32, u32>) -> Result<Vec<u32>, Trouble> {
    let count = operations.list.len();
    let mut progress = Progress::new(operations, 0..count as u32);
    let mut events: BinaryHeap<_> = progress.start().into_iter().map(Reverse).collect();
    let mut order = Vec::new();
    let mut ended = vec![false; count];
    while let Some(Reverse(event)) = events.pop() {
        let Event { time, operation, moment } = event;
        if time > Time::ZERO + LONGEST {
            return Err(Trouble::Late(operation));
        }
        events.extend(progress.pass(event).into_iter().map(Reverse));
        match (moment, operations.act(operation)) {
            (Moment::End, _) => ended[operation as usize] = true,
            (Moment::Begin, Act::Send { .. }) => {
                order.push(operation);
                events.push(Reverse(Event { moment: Moment::End, ..event }));
                let arrival = time + Duration::from_ps(1);
                events.extend(progress.arrive(receives[&operation], arrival).map(Reverse));
            }
            (Moment::Begin, _) => {}
        }
    }
    if !ended.contains(&false) {
        return Ok(order);
    }
    let begun = (0..count as u32).map(|number| progress.begun(number).is_some()).collect();
    Err(Trouble::Circle { begun, ended })
}
