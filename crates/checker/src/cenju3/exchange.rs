//! PEs that send to each other: their libraries, NIFs and rings, and the cache line of each slot.

use mpi_de::{Config, Event, Header};
use stateright::Model;

use super::pe::{Element, Entry, Pe};
use super::wrong::Wrong;
use crate::core::{Trap, Walk};

/// A message of a program: to which PE, and bytes.
pub type Send = (u8, u32);

/// PEs with programs of sends. All that is offered is received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Configuration of every library; `pes` follows from `sends`.
    pub config: Config,
    /// Messages of each PE, in this order.
    pub sends: Vec<Vec<Send>>,
    /// Entries that a send queue holds before a program has to wait.
    pub queue: usize,
    /// Places of a message ring; by default as many as credits need.
    pub places: Option<usize>,
    /// Writes of a program into the cached line of a free slot.
    pub touches: u8,
    /// Reads of a line at any time, by a prefetch or another thread.
    pub fetches: u8,
    /// The PE whose program computes. Its library takes messages only when the progress thread wakes.
    pub computes: Option<usize>,
}

impl Default for Exchange {
    fn default() -> Self {
        let config = Config { send_slots: 1, receive_slots: 1, share: 1, ..Config::default() };
        Self {
            config,
            sends: vec![vec![(1, 128)], vec![]],
            queue: 1,
            places: None,
            touches: 0,
            fetches: 0,
            computes: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) pes: Vec<Pe>,
    touches: u8,
    fetches: u8,
    periods: u8,
    pub(super) wrong: Option<Wrong>,
}

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A program sends its next message.
    Send(u8),
    /// A NIF serves its next entry, and the message or unit arrives.
    Serve(u8),
    /// Data arrive after their header.
    Land(u8),
    /// A library takes the oldest message out of its ring.
    TakeMessage(u8),
    /// A library takes the oldest header of a DMA.
    TakeDma(u8),
    /// A second passes, and the progress thread empties the rings.
    Period(u8),
    /// A program writes into the cached line of a free slot.
    Touch(u8, u8),
    /// The line of a slot is read.
    Fetch(u8, u8),
}

impl Exchange {
    pub(super) fn config(&self) -> Config {
        Config { pes: self.sends.len() as u16, ..self.config }
    }

    pub(super) fn places(&self) -> usize {
        self.places.unwrap_or(self.config().places() as usize)
    }

    fn has_room(&self, state: &State, (to, header, _): Entry) -> bool {
        matches!(header, Header::Data { .. }) || state.pes[usize::from(to)].messages.len() < self.places()
    }

    /// Whether a library may take messages out of its rings.
    fn takes(&self, me: usize, pe: &Pe) -> bool {
        let sends = pe.begun < self.sends[me].len();
        (self.computes != Some(me) || self.config.rules.urgent) && (self.config.rules.drains || !sends)
    }

    /// Messages for a PE.
    fn expected(&self, me: usize) -> usize {
        self.sends.iter().flatten().filter(|(to, _)| usize::from(*to) == me).count()
    }

    fn step(&self, state: &mut State, me: usize, event: Event) {
        let done = state.pes[me].step(me as u8, event);
        state.pes[me].got += done.got;
        state.wrong = done.wrong.or(state.wrong);
    }

    fn serve(&self, state: &mut State, me: usize) -> Option<()> {
        let (to, header, source) = state.pes[me].queue.pop_front()?;
        let data = source.map(|slot| state.pes[me].memory[usize::from(slot)]);
        let target = &mut state.pes[usize::from(to)];
        match (header, data) {
            (Header::Data { slot, .. }, Some(data)) => {
                match self.config.rules.data_first {
                    true => target.memory[usize::from(slot)] = data,
                    false => target.late.push_back((slot, data)),
                }
                target.dma.push_back((me as u8, header));
            }
            _ => target.messages.push_back((me as u8, header)),
        }
        if let Some(slot) = source {
            self.step(state, me, Event::Sent { slot });
        }
        Some(())
    }

    fn take_message(&self, state: &mut State, me: usize) -> Option<()> {
        let (from, header) = state.pes[me].messages.pop_front()?;
        self.step(state, me, Event::Arrived { from, header });
        Some(())
    }

    fn take_dma(&self, state: &mut State, me: usize) -> Option<()> {
        let (from, header) = state.pes[me].dma.pop_front()?;
        self.step(state, me, Event::Arrived { from, header });
        Some(())
    }
}

impl Model for Exchange {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let pe = |me| Pe::new(self.config(), me as u8);
        let pes = (0..self.sends.len()).map(pe).collect();
        vec![State { pes, touches: self.touches, fetches: self.fetches, periods: 0, wrong: None }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.wrong.is_some_and(|wrong| wrong != Wrong::Late) {
            return;
        }
        for (me, pe) in state.pes.iter().enumerate() {
            let number = me as u8;
            let mut may = |is: bool, action| actions.extend(is.then_some(action));
            may(pe.begun < self.sends[me].len() && pe.queue.len() < self.queue, Action::Send(number));
            may(pe.queue.front().is_some_and(|entry| self.has_room(state, *entry)), Action::Serve(number));
            may(!pe.late.is_empty(), Action::Land(number));
            may(self.takes(me, pe) && !pe.messages.is_empty(), Action::TakeMessage(number));
            may(self.takes(me, pe) && !pe.dma.is_empty(), Action::TakeDma(number));
        }
        if actions.is_empty() {
            let waits = |me: &usize| !state.pes[*me].messages.is_empty() || !state.pes[*me].dma.is_empty();
            actions.extend(self.computes.filter(waits).map(|me| Action::Period(me as u8)));
        }
        // Programs touch receive slots only: send slots belong to the library.
        let first = if self.config.rules.two_pools { self.config.send_slots } else { 0 };
        for (me, pe) in state.pes.iter().enumerate() {
            for slot in first..pe.library.pools().slots() {
                let free = pe.library.pools().is_free(slot);
                actions.extend((state.touches > 0 && free).then_some(Action::Touch(me as u8, slot)));
                actions.extend((state.fetches > 0 && !free).then_some(Action::Fetch(me as u8, slot)));
            }
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut state = state.clone();
        match action {
            Action::Send(me) => {
                let me = usize::from(me);
                let request = state.pes[me].begun;
                let (to, length) = *self.sends[me].get(request)?;
                state.pes[me].begun += 1;
                self.step(&mut state, me, Event::Send { to, request: request as u16, length });
            }
            Action::Serve(me) => self.serve(&mut state, me.into())?,
            Action::Land(me) => {
                let pe = &mut state.pes[usize::from(me)];
                let (slot, data) = pe.late.pop_front()?;
                pe.memory[usize::from(slot)] = data;
            }
            Action::TakeMessage(me) => self.take_message(&mut state, me.into())?,
            Action::TakeDma(me) => self.take_dma(&mut state, me.into())?,
            Action::Period(me) => {
                let me = usize::from(me);
                state.periods += 1;
                state.wrong = Some(Wrong::Late);
                while self.take_message(&mut state, me).is_some() {}
                while self.take_dma(&mut state, me).is_some() {}
            }
            Action::Touch(me, slot) => {
                state.pes[usize::from(me)].touch(slot.into());
                state.touches -= 1;
            }
            Action::Fetch(me, slot) => {
                state.pes[usize::from(me)].read(slot.into());
                state.fetches -= 1;
            }
        }
        Some(state)
    }
}

impl Walk for Exchange {
    type Wrong = Wrong;

    fn wrong(&self, state: &State) -> Vec<Wrong> {
        let held = |pe: &Pe| pe.queue.front().is_some_and(|entry| !self.has_room(state, *entry));
        let held = (self.config.rules.credits && state.pes.iter().any(held)).then_some(Wrong::Held);
        state.wrong.or(held).into_iter().collect()
    }

    fn is_complete(&self, state: &State) -> bool {
        state.wrong.is_none_or(|wrong| wrong == Wrong::Late)
            && state.pes.iter().enumerate().all(|(me, pe)| {
                pe.begun == self.sends[me].len() && pe.got == self.expected(me) && pe.library.is_idle()
            })
    }

    fn knowledge(&self, state: &State) -> Vec<String> {
        let words = |(me, pe): (usize, &Pe)| {
            let names = |headers: &mut dyn Iterator<Item = Header>| named(headers.map(Some));
            let messages = names(&mut pe.messages.iter().map(|(_, header)| *header));
            let dma = names(&mut pe.dma.iter().map(|(_, header)| *header));
            line(me, pe.queue.len(), &messages, &dma, &pe.memory)
        };
        state.pes.iter().enumerate().map(words).collect()
    }

    /// Periods of the progress thread that have passed.
    fn waited_s(&self, state: &State) -> u32 {
        u32::from(state.periods) * mpi_de::PROGRESS_SECONDS
    }

    fn is_end(&self, state: &State) -> bool {
        self.is_complete(state) || self.wrong(state).into_iter().any(Wrong::is_final)
    }

    fn trap(_: Trap) -> Wrong {
        Wrong::Deadlock
    }

    fn happens(&self, before: &State, action: Action, _: &State) -> String {
        let name = |first: Option<&(u8, Header)>| first.map_or("nothing", |(_, header)| header.name());
        match action {
            Action::Send(me) => {
                let next = before.pes[usize::from(me)].begun;
                match self.sends[usize::from(me)].get(next) {
                    Some((to, length)) => format!("PE {me} sends {length} bytes to PE {to}"),
                    None => format!("PE {me} has nothing to send"),
                }
            }
            Action::Serve(me) => match before.pes[usize::from(me)].queue.front() {
                Some((to, header, _)) => format!("the NIF of PE {me} brings {} to PE {to}", header.name()),
                None => format!("the NIF of PE {me} has nothing"),
            },
            Action::Land(me) => format!("data come to PE {me}, behind their header"),
            Action::TakeMessage(me) => {
                format!("PE {me} takes {}", name(before.pes[usize::from(me)].messages.front()))
            }
            Action::TakeDma(me) => format!("PE {me} takes {}", name(before.pes[usize::from(me)].dma.front())),
            Action::Period(me) => {
                format!("a second passes, and the progress thread of PE {me} takes what has come")
            }
            Action::Touch(me, slot) => {
                format!("PE {me} writes a word of free slot {slot}, which stays in its cache")
            }
            Action::Fetch(me, slot) => format!("PE {me} reads a word of slot {slot} before its time"),
        }
    }
}

/// Headers by name.
pub(super) fn named(headers: impl Iterator<Item = Option<Header>>) -> String {
    let names: Vec<_> = headers.map(|header| header.map_or("no header", Header::name)).collect();
    if names.is_empty() { "-".into() } else { names.join(" ") }
}

/// A PE in words.
pub(super) fn line(me: usize, waiting: usize, messages: &str, dma: &str, memory: &[u8]) -> String {
    let memory: Vec<_> = memory.iter().map(u8::to_string).collect();
    format!("PE {me}: {waiting} queued; messages {messages}; DMA {dma}; slots {}", memory.join(" "))
}
