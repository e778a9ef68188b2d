//! PEs that send to each other, on NIFs: the libraries of the world, with real memory, cache lines and rings.

use std::collections::VecDeque;

use cenju3::pins::{In, Out};
use cenju3::traffic::layout::WINDOW;
use hdl::{Nic, NicError};
use mpi_de::{EAGER_LIMIT, Event, Header, Library, UNIT};

use super::player::NifTestbed;
use super::stage::{SOON, Side, Stage, entry};
use crate::cenju3::exchange::{Action, Exchange, State, line, named};
use crate::cenju3::pe::{Element, Pe};
use crate::cenju3::wrong::Wrong;
use crate::core::Testbed;

/// Rings: messages, and headers of DMA.
const MESSAGES: usize = 0;
const DMA: usize = 2;
/// The tag of a slot whose bytes are of more than one unit.
const TORN: u8 = 255;

/// A processor without its memory.
struct Processor {
    library: Library,
    begun: usize,
    got: usize,
    /// The cache has these bytes of a slot, and memory has not, if they are dirty.
    lines: Vec<Option<(bool, Vec<u8>)>>,
    /// Send slots of entries that are not served, in their order.
    sources: VecDeque<Option<u8>>,
}

/// The world on NIFs.
pub struct ExchangeTestbed<'a, N> {
    world: &'a Exchange,
    stage: Stage<N>,
    processors: Vec<Processor>,
    wrong: Option<Wrong>,
}

/// A processor with its memory, while its library takes a step.
struct ProcessorAccess<'a> {
    processor: &'a mut Processor,
    side: &'a mut Side,
    /// Messages of its program: destination and bytes.
    sends: &'a [(u8, u32)],
}

/// Where a slot of the MPI buffer lies.
fn address(slot: usize) -> u32 {
    WINDOW + slot as u32 * UNIT
}

/// The tag that all of these bytes are.
fn tag_of(bytes: &[u8]) -> u8 {
    if bytes.iter().all(|byte| *byte == bytes[0]) { bytes[0] } else { TORN }
}

impl ProcessorAccess<'_> {
    /// The cached bytes of a slot, read from memory if there are none, and whether they are dirty.
    fn line(&mut self, slot: usize) -> &mut (bool, Vec<u8>) {
        let side = &*self.side;
        self.processor.lines[slot].get_or_insert_with(|| (false, side.bytes(address(slot), UNIT)))
    }
}

impl Element for ProcessorAccess<'_> {
    fn library(&mut self) -> &mut Library {
        &mut self.processor.library
    }

    fn post(&mut self, to: u8, header: Header, source: Option<u8>) {
        let (length, dma) = match (header, source) {
            (Header::Data { request, unit, slot }, Some(source)) => {
                let left = self.sends[usize::from(request)].1 - unit * UNIT;
                (left.min(UNIT), Some((address(source.into()), address(slot.into()))))
            }
            (Header::Eager { length, .. }, _) => (length.max(8), None),
            // The rest says all in words of the library; an entry without a byte is refused.
            _ => (8, None),
        };
        self.side.post(&entry(to, header, length, dma));
        self.processor.sources.push_back(source);
    }

    fn replace(&mut self, slot: usize) {
        if let Some((true, bytes)) = self.processor.lines[slot].take() {
            self.side.put(address(slot), &bytes);
        }
    }

    fn fill(&mut self, slot: usize, tag: u8) {
        self.processor.lines[slot] = Some((true, vec![tag; UNIT as usize]));
    }

    fn read(&mut self, slot: usize) -> u8 {
        // No unit of a long message is shorter.
        tag_of(&self.line(slot).1[..EAGER_LIMIT as usize])
    }

    fn touch(&mut self, slot: usize) {
        self.line(slot).0 = true;
    }
}

impl<'a, N: Nic<In = In, Out = Out>> ExchangeTestbed<'a, N> {
    /// NIFs after reset, and PEs that have done nothing.
    pub fn new(world: &'a Exchange, nifs: [N; 2]) -> Result<Self, NicError> {
        let processor = |me| {
            let pe = Pe::new(world.config(), me);
            let slots = pe.memory.len();
            let sources = Default::default();
            Processor { library: pe.library, begun: 0, got: 0, lines: vec![None; slots], sources }
        };
        let stage = Stage::new(nifs, world.places().min(63) as u8)?;
        Ok(Self { world, stage, processors: vec![processor(0), processor(1)], wrong: None })
    }

    fn access(&mut self, me: usize) -> ProcessorAccess<'_> {
        ProcessorAccess {
            processor: &mut self.processors[me],
            side: &mut self.stage.sides[me],
            sends: &self.world.sends[me],
        }
    }

    fn step(&mut self, me: usize, event: Event) {
        let done = self.access(me).step(me as u8, event);
        self.processors[me].got += done.got;
        self.wrong = done.wrong.or(self.wrong);
    }

    /// The library takes the oldest header of a ring; one that is none is refused.
    fn take(&mut self, me: usize, ring: usize) -> Result<bool, NicError> {
        let Some((from, header)) = self.stage.take(me, ring)? else { return Ok(false) };
        match header {
            Some(header) => self.step(me, Event::Arrived { from, header }),
            None => self.wrong = Some(Wrong::Refused),
        }
        Ok(true)
    }

    fn tags(&self, me: usize) -> Vec<u8> {
        let tag = |slot| tag_of(&self.stage.sides[me].bytes(address(slot), EAGER_LIMIT));
        (0..self.processors[me].lines.len()).map(tag).collect()
    }
}

impl<N: Nic<In = In, Out = Out>> Testbed<Exchange> for ExchangeTestbed<'_, N> {
    fn act(&mut self, _: &State, action: Action) -> Result<(), NicError> {
        match action {
            Action::Send(me) => {
                let me = usize::from(me);
                let request = self.processors[me].begun;
                let (to, length) = self.world.sends[me][request];
                self.processors[me].begun += 1;
                self.step(me, Event::Send { to, request: request as u16, length });
            }
            Action::Serve(me) => {
                let me = usize::from(me);
                if self.stage.serve(me)?
                    && let Some(slot) = self.processors[me].sources.pop_front().flatten()
                {
                    self.step(me, Event::Sent { slot });
                }
            }
            // A NIF writes data before their header.
            Action::Land(_) => {}
            Action::TakeMessage(me) => _ = self.take(me.into(), MESSAGES)?,
            Action::TakeDma(me) => _ = self.take(me.into(), DMA)?,
            Action::Period(me) => {
                self.wrong = Some(Wrong::Late);
                while self.take(me.into(), MESSAGES)? {}
                while self.take(me.into(), DMA)? {}
            }
            Action::Touch(me, slot) => self.access(me.into()).touch(slot.into()),
            Action::Fetch(me, slot) => _ = self.access(me.into()).read(slot.into()),
        }
        Ok(())
    }

    fn knowledge(&mut self, _: &State) -> Result<Vec<String>, NicError> {
        let mut seen = Vec::new();
        for me in [0, 1] {
            let [messages, dma] = [self.stage.headers(me, MESSAGES)?, self.stage.headers(me, DMA)?];
            let names =
                |headers: Vec<(u8, Option<Header>)>| named(headers.into_iter().map(|(_, header)| header));
            let waiting = self.stage.sides[me].waiting().into();
            seen.push(line(me, waiting, &names(messages), &names(dma), &self.tags(me)));
        }
        Ok(seen)
    }

    fn agrees(&mut self, state: &State) -> Result<bool, NicError> {
        let mut agrees = self.wrong == state.wrong;
        for (me, pe) in state.pes.iter().enumerate() {
            let expected = |headers: &VecDeque<(u8, Header)>| {
                headers.iter().map(|(from, header)| (*from, Some(*header))).collect::<Vec<_>>()
            };
            agrees &= self.stage.headers(me, MESSAGES)? == expected(&pe.messages);
            agrees &= self.stage.headers(me, DMA)? == expected(&pe.dma);
            let waiting = usize::from(self.stage.sides[me].waiting());
            let processor = &self.processors[me];
            agrees &= (processor.begun, processor.got, waiting) == (pe.begun, pe.got, pe.queue.len());
            agrees &= processor.library == pe.library && self.tags(me) == pe.memory;
        }
        Ok(agrees)
    }

    fn time(&self) -> u64 {
        self.stage.cycles
    }
}

impl<N: Nic<In = In, Out = Out>> NifTestbed<Exchange> for ExchangeTestbed<'_, N> {
    fn wrong(&self) -> Option<Wrong> {
        self.wrong
    }

    /// Entries that wait are given to their NIFs, and time passes.
    fn is_still(&mut self) -> Result<bool, NicError> {
        let before = [self.stage.written(0)?, self.stage.written(1)?];
        for me in [0, 1] {
            if self.stage.sides[me].waiting() > 0 {
                self.stage.serve(me)?;
            }
        }
        self.stage.rest(SOON)?;
        Ok([self.stage.written(0)?, self.stage.written(1)?] == before)
    }
}
