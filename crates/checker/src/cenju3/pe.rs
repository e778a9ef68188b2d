//! A PE in a world of exchanges: its library, its queue and rings, its memory and cache.

use std::collections::VecDeque;

use mpi_de::{Action, Config, Event, Header, Library};

use super::wrong::Wrong;

/// A queued entry: its destination, its header and, for a DMA, the slot to read from.
pub type Entry = (u8, Header, Option<u8>);

/// The content of a unit: a number of its own for each sender, request and unit.
pub fn tag(from: u8, request: u16, unit: u32) -> u8 {
    1 + from * 32 + request as u8 * 8 + unit as u8
}

/// The outcome of a step of a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Messages that the program has got.
    pub got: usize,
    /// A violation.
    pub wrong: Option<Wrong>,
}

/// A processor as its library uses it. A world has a number for each unit, a replay has memory next to a NIF.
pub trait Element {
    fn library(&mut self) -> &mut Library;
    /// Puts an entry into the send queue.
    fn post(&mut self, to: u8, header: Header, source: Option<u8>);
    /// Replaces the cache lines of a slot.
    fn replace(&mut self, slot: usize);
    /// Copies a unit of that tag into a slot, through the cache.
    fn fill(&mut self, slot: usize, tag: u8);
    /// Reads the tag of a slot through the cache.
    fn read(&mut self, slot: usize) -> u8;
    /// Writes a word of a slot into the cache.
    fn touch(&mut self, slot: usize);

    /// Gives an event to the library and carries out its actions.
    fn step(&mut self, me: u8, event: Event) -> Outcome {
        let mut done = Outcome::default();
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            for action in self.library().step(event) {
                match action {
                    Action::Post { to, header, source } => self.post(to, header, source),
                    Action::ReplaceLines { slot } => self.replace(slot.into()),
                    Action::CopyIn { request, unit, slot } => self.fill(slot.into(), tag(me, request, unit)),
                    Action::CopyOut { from, request, unit, slot } => {
                        if self.read(slot.into()) != tag(from, request, unit) {
                            done.wrong = Some(Wrong::WrongData);
                        }
                    }
                    Action::Offer { from, request, .. } => events.push_back(Event::Accept { from, request }),
                    Action::Deliver { .. } | Action::Received { .. } => done.got += 1,
                    Action::Complete { .. } => {}
                    Action::Refuse { .. } => done.wrong = Some(Wrong::Refused),
                }
            }
        }
        done
    }
}

/// The cached copy of a slot. One line stands for all lines of the slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    Absent,
    /// The content that memory has, or had when the line was read.
    Clean(u8),
    /// Content that is not in memory yet.
    Dirty(u8),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pe {
    pub library: Library,
    pub begun: usize,
    pub got: usize,
    /// Entries that the NIF has not served.
    pub queue: VecDeque<Entry>,
    /// Headers in each ring, with their sender.
    pub messages: VecDeque<(u8, Header)>,
    pub dma: VecDeque<(u8, Header)>,
    /// Units whose header has arrived before them: slot and tag.
    pub late: VecDeque<(u8, u8)>,
    /// The tag of each slot in memory.
    pub memory: Vec<u8>,
    pub lines: Vec<Line>,
}

impl Pe {
    pub fn new(config: Config, me: u8) -> Self {
        let library = Library::new(config, me).expect("worlds have slots and shares");
        let slots = usize::from(library.pools().slots());
        Self {
            library,
            begun: 0,
            got: 0,
            queue: VecDeque::new(),
            messages: VecDeque::new(),
            dma: VecDeque::new(),
            late: VecDeque::new(),
            memory: vec![0; slots],
            lines: vec![Line::Absent; slots],
        }
    }
}

impl Element for Pe {
    fn library(&mut self) -> &mut Library {
        &mut self.library
    }

    fn post(&mut self, to: u8, header: Header, source: Option<u8>) {
        self.queue.push_back((to, header, source));
    }

    fn replace(&mut self, slot: usize) {
        if let Line::Dirty(tag) = std::mem::replace(&mut self.lines[slot], Line::Absent) {
            self.memory[slot] = tag;
        }
    }

    fn fill(&mut self, slot: usize, tag: u8) {
        self.lines[slot] = Line::Dirty(tag);
    }

    fn read(&mut self, slot: usize) -> u8 {
        if self.lines[slot] == Line::Absent {
            self.lines[slot] = Line::Clean(self.memory[slot]);
        }
        match self.lines[slot] {
            Line::Clean(tag) | Line::Dirty(tag) => tag,
            Line::Absent => self.memory[slot],
        }
    }

    fn touch(&mut self, slot: usize) {
        let tag = self.read(slot);
        self.lines[slot] = Line::Dirty(tag);
    }
}
