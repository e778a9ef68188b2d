//! The world: ranks with programs, messages in flight, and all that may happen.

use std::collections::VecDeque;

use mpi::LockKind;
use mpi::window_rules::{Call, Signal, Signals, Step, Waiting};
use stateright::Model;

use super::defect::Defect;
use super::program::Op;
use super::rank::{Content, Message, RANKS, Rank, Running};
use super::wrong::Wrong;
use crate::core::{Trap, Walk};

/// A world to explore.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// The calls of each rank; two or three ranks.
    pub programs: Vec<Vec<Op>>,
    /// The rank that may die.
    pub dies: Option<usize>,
    /// The rule that is left out.
    pub defect: Option<Defect>,
}

/// A state of the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    ranks: Vec<Rank>,
    /// Messages in flight, by sender and receiver.
    channels: Vec<Vec<VecDeque<Message>>>,
    /// The carrier has copied a message, and the copy as long as it is in flight.
    copied: Option<Option<(usize, usize, Message)>>,
    wrong: Option<Wrong>,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A rank begins its next call.
    Call(usize),
    /// A rank goes on in its call, and returns if nothing is left to wait for.
    GoOn(usize),
    /// A message of a place in the queue arrives.
    Deliver(usize, usize, usize),
    /// The carrier copies the oldest message.
    Copy(usize, usize),
    /// The copy arrives.
    Repeat(usize, usize),
    /// The data of the oldest long message arrives.
    Data(usize, usize),
    /// A remote write reaches its target.
    Land(usize, usize),
    /// A remote write is acknowledged.
    Acknowledge(usize, usize),
    /// A rank dies.
    Die(usize),
    /// The network of a rank declares another one dead.
    Learn(usize, usize),
}

impl World {
    /// A world without deaths that has all rules.
    pub fn of<const N: usize>(programs: [&[Op]; N]) -> Self {
        World { programs: programs.map(<[Op]>::to_vec).to_vec(), ..World::default() }
    }

    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    /// Steps of a call, without those that the defect leaves out.
    fn steps(&self, call: Call) -> impl Iterator<Item = Step> {
        call.steps().iter().copied().filter(move |step| !self.defect.is_some_and(|it| it.skips(call, *step)))
    }

    fn is_over(&self, state: &State, me: usize) -> bool {
        let rank = &state.ranks[me];
        rank.at == self.programs[me].len() && rank.running.is_none()
    }

    /// All accesses are in epochs of fences.
    fn has_fences(&self) -> bool {
        self.programs.iter().flatten().any(|op| *op == Op::Fence)
    }

    fn op(&self, state: &State, me: usize) -> Option<Op> {
        self.programs[me].get(state.ranks[me].at).copied()
    }

    /// Whether a rank goes on in its call.
    fn may_go_on(&self, state: &State, me: usize) -> bool {
        let rank = &state.ranks[me];
        let Some(running) = &rank.running else { return false };
        match self.steps(running.call).nth(running.step) {
            Some(Step::Await(condition)) => {
                !matches!(rank.rules.wait(condition, &running.targets), Waiting::For(_))
            }
            _ => true,
        }
    }

    fn send(state: &mut State, from: usize, to: usize, content: Content, is_whole: bool) {
        state.channels[from][to].push_back(Message { content, is_whole });
    }

    fn signal(state: &mut State, from: usize, signals: Signals) {
        for (to, signal) in signals {
            Self::send(state, from, to, Content::Signal(signal), true);
        }
    }

    fn note(state: &mut State, is_right: bool, wrong: Wrong) {
        if !is_right {
            state.wrong.get_or_insert(wrong);
        }
    }

    /// Begins the next call of a rank. A call that the library refuses, after an error of an earlier one, is left out.
    fn call(&self, state: &mut State, me: usize) -> Option<()> {
        let op = self.op(state, me)?;
        let rules = &mut state.ranks[me].rules;
        let all: Vec<_> = (0..self.programs.len()).filter(|rank| *rank != me).collect();
        let running = match op {
            Op::Lock(target, kind) => rules.epoch.lock(target).map(|()| (Call::Lock(kind), vec![target])),
            Op::LockAll => rules.epoch.begin().map(|()| (Call::Lock(LockKind::Shared), all)),
            Op::Unlock(target) => rules.epoch.unlock(target).map(|()| (Call::Unlock, vec![target])),
            Op::UnlockAll => rules.epoch.unlock_all().map(|()| (Call::Unlock, all)),
            Op::Flush(target) => rules.epoch.passive(target).map(|()| (Call::Flush, vec![target])),
            Op::Fence => rules.epoch.fence().map(|()| (Call::Flush, all)),
            Op::Start(group) => rules.epoch.begin().map(|()| (Call::Start, group.to_vec())),
            Op::Complete => rules.epoch.complete().map(|group| (Call::Complete, group.into_iter().collect())),
            Op::Wait => rules.exposed_to().map(|group| (Call::Wait, group)),
            Op::Post(group) => {
                let posts = rules.post(group, false).unwrap_or_default();
                Self::signal(state, me, posts);
                state.ranks[me].at += 1;
                return Some(());
            }
            Op::Put(target) | Op::LongPut(target) | Op::Write(target) | Op::Get(target) => {
                if rules.epoch.access(target).is_ok() {
                    Self::access(state, me, op, target);
                }
                state.ranks[me].at += 1;
                return Some(());
            }
        };
        let Ok((call, targets)) = running else {
            state.ranks[me].at += 1;
            return Some(());
        };
        if matches!(op, Op::Unlock(_) | Op::UnlockAll) {
            targets.iter().for_each(|target| state.ranks[me].held[*target] = None);
        }
        state.ranks[me].running = Some(Running { call, step: 0, targets, has_failed: false });
        if op == Op::Fence && self.has(Defect::FencesUnflushed) {
            state.ranks[me].running.as_mut()?.step = call.steps().len();
        }
        self.execute(state, me);
        Some(())
    }

    fn access(state: &mut State, me: usize, op: Op, target: usize) {
        let rank = &mut state.ranks[me];
        match op {
            Op::Get(_) => {
                rank.rules.asked(target);
                // Gets are not ordered with remote writes.
                let before = rank.sent[target] - rank.writes[target] - rank.landed[target];
                return Self::send(state, me, target, Content::Get(before), true);
            }
            Op::Write(_) => {
                rank.rules.writing(target);
                rank.writes[target] += 1;
            }
            _ => rank.rules.accessed(target),
        }
        rank.sent[target] += 1;
        if !matches!(op, Op::Write(_)) {
            Self::send(state, me, target, Content::Put, matches!(op, Op::Put(_)));
        }
    }

    /// Executes the steps of a call up to the next one that waits.
    fn execute(&self, state: &mut State, me: usize) -> Option<()> {
        loop {
            let running = state.ranks[me].running.clone()?;
            match self.steps(running.call).nth(running.step)? {
                Step::Await(_) => return None,
                Step::Leave => {}
                Step::Send => {
                    let signals = state.ranks[me].rules.send(running.call, &running.targets);
                    Self::signal(state, me, signals);
                }
            }
            state.ranks[me].running.as_mut()?.step += 1;
        }
    }

    /// Goes on in a call of a rank, which may.
    fn go_on(&self, state: &mut State, me: usize) -> Option<()> {
        loop {
            let rank = &mut state.ranks[me];
            let running = rank.running.as_mut()?;
            let Some(step) = self.steps(running.call).nth(running.step) else {
                return self.end(state, me);
            };
            if let Step::Await(condition) = step {
                match rank.rules.wait(condition, &running.targets) {
                    Waiting::Over => running.step += 1,
                    Waiting::For(_) => return None,
                    Waiting::ForDead(_) => {
                        running.has_failed = true;
                        let stops = self.defect.is_some_and(|defect| defect.stops_at_dead(running.call));
                        if stops || !running.call.outlives_dead() {
                            return self.end(state, me);
                        }
                        running.targets.retain(|target| !rank.rules.is_dead(*target));
                    }
                }
            }
            self.execute(state, me);
        }
    }

    /// Ends a call: the rank returns from it, or gives up locks first.
    fn end(&self, state: &mut State, me: usize) -> Option<()> {
        let Running { call, targets, has_failed, .. } = state.ranks[me].running.take()?;
        let op = self.op(state, me)?;
        let all_there = |state: &State| {
            targets.iter().all(|target| state.ranks[*target].stored[me] == state.ranks[me].sent[*target])
        };
        match call {
            Call::Lock(kind) if !has_failed => {
                let excludes = |state: &State, target: usize| {
                    let others = (0..state.ranks.len()).filter(|other| *other != me);
                    let mut held = others.filter(|other| !state.ranks[*other].is_dead);
                    held.all(|other| match state.ranks[other].held[target] {
                        None => true,
                        Some(held) => (held, kind) == (LockKind::Shared, LockKind::Shared),
                    })
                };
                let excluded = targets.iter().all(|target| excludes(state, *target));
                Self::note(state, excluded, Wrong::Exclusion);
                let rank = &mut state.ranks[me];
                targets.iter().for_each(|target| rank.held[*target] = Some(kind));
                match op {
                    Op::Lock(target, _) => rank.rules.epoch.locked(target),
                    _ => rank.rules.epoch = mpi::Epoch::LockedAll,
                }
            }
            Call::Lock(_) => {
                let all = match op {
                    Op::Lock(target, _) => vec![target],
                    _ => (0..self.programs.len()).filter(|rank| *rank != me).collect(),
                };
                let running = Running { call: Call::Withdraw, step: 0, targets: all, has_failed };
                state.ranks[me].running = Some(running);
                return self.execute(state, me);
            }
            Call::Start if !has_failed => {
                state.ranks[me].rules.started(&targets, self.has(Defect::StartsUnposted))
            }
            Call::Wait if !has_failed => {
                let there = |origin: &usize| state.ranks[me].stored[*origin] == state.ranks[*origin].sent[me];
                let there = targets.iter().all(there);
                Self::note(state, there, Wrong::Missing);
                state.ranks[me].rules.end_exposure();
                for origin in targets.iter().filter(|_| self.has(Defect::KeepsCompletes)) {
                    state.ranks[me].rules.arrive(*origin, Signal::Complete);
                }
            }
            Call::Flush if op == Op::Fence => {
                state.ranks[me].is_fenced = true;
                self.pass_fence(state);
                return Some(());
            }
            Call::Unlock | Call::Flush if !has_failed => {
                let there = all_there(state);
                Self::note(state, there, Wrong::Missing);
            }
            _ => {}
        }
        state.ranks[me].at += 1;
        Some(())
    }

    /// Ends the fence if all ranks have come to it.
    fn pass_fence(&self, state: &mut State) {
        if !state.ranks.iter().all(|rank| rank.is_fenced) {
            return;
        }
        let ranks = 0..state.ranks.len();
        let there = ranks.clone().all(|origin| {
            ranks.clone().all(|target| state.ranks[target].stored[origin] == state.ranks[origin].sent[target])
        });
        Self::note(state, there, Wrong::Missing);
        for rank in &mut state.ranks {
            rank.is_fenced = false;
            rank.rules.epoch = mpi::Epoch::Fenced { used: false };
            rank.at += 1;
        }
    }

    /// A rank takes a message into its queue and carries out what is whole.
    fn deliver(&self, state: &mut State, from: usize, to: usize, message: Message) {
        state.ranks[to].arrivals.push(from, message);
        self.carry_out(state, from, to);
    }

    fn carry_out(&self, state: &mut State, from: usize, to: usize) {
        if self.has(Defect::Overtakes) {
            // A message that is not whole lets those behind it pass.
            let waiting: Vec<_> = state.ranks[to].arrivals.of_mut(from).map(|message| *message).collect();
            while state.ranks[to].arrivals.next_whole(from, |_| Some(())).is_some() {}
            for message in waiting {
                match message.is_whole {
                    true => self.carry_out_one(state, from, to, message.content),
                    false => state.ranks[to].arrivals.push(from, message),
                }
            }
            return;
        }
        let whole = |message: &Message| message.is_whole.then_some(());
        while let Some((message, ())) = state.ranks[to].arrivals.next_whole(from, whole) {
            self.carry_out_one(state, from, to, message.content);
        }
    }

    fn carry_out_one(&self, state: &mut State, from: usize, to: usize, content: Content) {
        let rank = &mut state.ranks[to];
        if rank.rules.is_dead(from) {
            return;
        }
        match content {
            Content::Put => self.store(state, from, to),
            Content::Get(before) => {
                let reads_all = rank.stored[from] >= before;
                Self::note(state, reads_all, Wrong::Stale);
                Self::send(state, to, from, Content::Answer, true);
            }
            Content::Answer => rank.rules.answered(from),
            Content::Signal(signal) => {
                let answers = rank.rules.arrive(from, signal);
                let answers = match self.defect {
                    Some(defect) => defect.answers(from, signal, answers),
                    None => answers,
                };
                Self::signal(state, to, answers);
            }
        }
    }

    /// A put is stored in the memory of its target.
    fn store(&self, state: &mut State, from: usize, to: usize) {
        let rank = &mut state.ranks[to];
        rank.stored[from] += 1;
        let is_exposed = rank.rules.exposed_to().is_ok_and(|group| group.contains(&from));
        let is_open = self.has_fences() || is_exposed || rank.rules.locks().is_held_by(from);
        // A target that grants all locks knows of none.
        Self::note(state, is_open || self.has(Defect::GrantsAll), Wrong::Outside);
    }

    /// Ranks whose messages, writes or death another one may see.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let ranks = self.programs.len();
        (0..ranks).flat_map(move |from| (0..ranks).map(move |to| (from, to)))
    }
}

impl Model for World {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let ranks = self.programs.len();
        assert!((2..=RANKS).contains(&ranks), "two ranks or three");
        vec![State {
            ranks: (0..ranks).map(|_| Rank::new(ranks)).collect(),
            channels: vec![vec![VecDeque::new(); ranks]; ranks],
            copied: None,
            wrong: None,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.wrong.is_some() {
            return;
        }
        for (me, rank) in state.ranks.iter().enumerate().filter(|(_, rank)| !rank.is_dead) {
            if self.may_go_on(state, me) {
                actions.push(Action::GoOn(me));
            } else if rank.running.is_none() && !rank.is_fenced && !self.is_over(state, me) {
                actions.push(Action::Call(me));
            }
            if self.dies == Some(me) {
                actions.push(Action::Die(me));
            }
        }
        for (from, to) in self.pairs() {
            let (sender, receiver) = (&state.ranks[from], &state.ranks[to]);
            if receiver.is_dead {
                continue;
            }
            let waiting = state.channels[from][to].len();
            let places = if self.has(Defect::Reorders) { waiting } else { waiting.min(1) };
            actions.extend((0..places).map(|place| Action::Deliver(from, to, place)));
            if self.has(Defect::Repeats) && state.copied.is_none() && waiting > 0 {
                actions.push(Action::Copy(from, to));
            }
            if matches!(state.copied, Some(Some((sender, receiver, _))) if (sender, receiver) == (from, to)) {
                actions.push(Action::Repeat(from, to));
            }
            let is_kept = self.has(Defect::KeepsDeadLocks) && receiver.rules.locks().is_held_by(from);
            if sender.is_dead && !receiver.rules.is_dead(from) && !is_kept {
                actions.push(Action::Learn(to, from));
            }
            if sender.is_dead {
                continue;
            }
            if receiver.arrivals.of(from).any(|message| !message.is_whole) {
                actions.push(Action::Data(from, to));
            }
            if sender.writes[to] > 0 {
                actions.push(Action::Land(from, to));
            }
            if sender.landed[to] > 0 {
                actions.push(Action::Acknowledge(from, to));
            }
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = state.clone();
        match action {
            Action::Call(me) => self.call(&mut state, me)?,
            Action::GoOn(me) => {
                self.go_on(&mut state, me);
            }
            Action::Deliver(from, to, place) => {
                let message = state.channels[from][to].remove(place)?;
                self.deliver(&mut state, from, to, message);
            }
            Action::Copy(from, to) => {
                state.copied = Some(Some((from, to, *state.channels[from][to].front()?)));
            }
            Action::Repeat(from, to) => {
                let (_, _, message) = state.copied.replace(None)??;
                self.deliver(&mut state, from, to, message);
            }
            Action::Data(from, to) => {
                let waits = |message: &&mut Message| !message.is_whole;
                state.ranks[to].arrivals.of_mut(from).find(waits)?.is_whole = true;
                self.carry_out(&mut state, from, to);
            }
            Action::Land(from, to) => {
                state.ranks[from].writes[to] -= 1;
                state.ranks[from].landed[to] += 1;
                self.store(&mut state, from, to);
            }
            Action::Acknowledge(from, to) => {
                state.ranks[from].landed[to] -= 1;
                state.ranks[from].rules.written(to);
            }
            Action::Die(me) => state.ranks[me].is_dead = true,
            Action::Learn(me, dead) => {
                let granted = state.ranks[me].rules.bury(dead);
                Self::signal(&mut state, me, granted);
            }
        }
        // Messages to a dead rank are lost.
        for to in (0..state.ranks.len()).filter(|rank| state.ranks[*rank].is_dead) {
            state.channels.iter_mut().for_each(|channels| channels[to].clear());
        }
        Some(state)
    }
}

impl Walk for World {
    type Wrong = Wrong;

    fn wrong(&self, state: &State) -> Vec<Wrong> {
        state.wrong.into_iter().collect()
    }

    /// All living ranks have ended their programs, and no rank holds a lock.
    fn is_complete(&self, state: &State) -> bool {
        state
            .ranks
            .iter()
            .enumerate()
            .all(|(me, rank)| rank.is_dead || self.is_over(state, me) && rank.rules.locks().is_idle())
    }

    fn is_end(&self, state: &State) -> bool {
        state.wrong.is_some() || self.is_complete(state)
    }

    fn trap(_: Trap) -> Wrong {
        Wrong::Standstill
    }

    fn happens(&self, before: &State, action: Action, after: &State) -> String {
        let op = |me: usize| self.op(before, me).map_or_else(String::new, |op| op.to_string());
        match action {
            Action::Call(me) => format!("rank {me} calls {}", op(me)),
            Action::GoOn(me) if after.ranks[me].running.is_some() => {
                format!("rank {me} goes on in {}", op(me))
            }
            Action::GoOn(me) if after.ranks[me].is_fenced => {
                format!("rank {me} waits at the barrier of its fence")
            }
            Action::GoOn(me) => format!("rank {me} returns from {}", op(me)),
            Action::Deliver(from, to, place) => {
                let message = before.channels[from][to].get(place);
                let name = message.map_or_else(String::new, Message::to_string);
                format!("{name} of rank {from} arrives at rank {to}")
            }
            Action::Copy(from, to) => {
                let name = before.channels[from][to].front().map_or_else(String::new, Message::to_string);
                format!("the carrier copies {name} from rank {from} to rank {to}")
            }
            Action::Repeat(from, to) => format!("the copy of rank {from} arrives at rank {to}"),
            Action::Data(from, to) => format!("the data of a put of rank {from} arrives at rank {to}"),
            Action::Land(from, to) => format!("a remote write of rank {from} reaches rank {to}"),
            Action::Acknowledge(from, to) => {
                format!("rank {from} gets the acknowledgement of a remote write to rank {to}")
            }
            Action::Die(me) => format!("rank {me} dies"),
            Action::Learn(me, dead) => format!("the network of rank {me} declares rank {dead} dead"),
        }
    }
}
