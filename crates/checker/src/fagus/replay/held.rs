//! A node's end of the network. It holds messages of objects back until the script lets them arrive.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use ::fagus::Error;
use ::fagus::carrier::machine::{Station, Step};
use ::fagus::wire::Message;

use super::log::{Event, Log};
use super::script::{Cue, Flight, Script};

/// A filter between a node and its network.
pub struct Filter {
    station: Box<dyn Station>,
    node: u16,
    log: Rc<Log>,
    /// Time and message of each arrival at this node, and whether a copy arrives later.
    cues: VecDeque<(Duration, Flight, bool)>,
    /// Time from which all messages may arrive.
    free: Duration,
    /// Messages that have arrived and are held back.
    held: VecDeque<(Flight, Vec<u8>)>,
}

impl Filter {
    /// The station of a node, behind this filter.
    pub fn new(station: Box<dyn Station>, node: u16, script: &Script, log: Rc<Log>) -> Filter {
        let cues = script.steps.iter().enumerate().filter_map(|(number, step)| match step.cue {
            Cue::Arrive(flight, again) if flight.1 == node => Some((script.time_of(number), flight, again)),
            _ => None,
        });
        let free = script.time_of(script.steps.len());
        Filter { station, node, log, cues: cues.collect(), free, held: VecDeque::new() }
    }

    /// The message whose time has come.
    fn heard(&mut self) -> Option<(u16, Vec<u8>)> {
        let now = self.now();
        let (flight, bytes, again) = if now >= self.free {
            let (flight, bytes) = self.held.pop_front()?;
            (flight, bytes, false)
        } else {
            let &(_, wanted, again) = self.cues.front().filter(|(time, ..)| *time <= now)?;
            let at = self.held.iter().position(|(flight, _)| *flight == wanted)?;
            self.cues.pop_front();
            let (flight, bytes) = if again { self.held[at].clone() } else { self.held.remove(at)? };
            (flight, bytes, again)
        };
        if !again {
            self.log.note(now, Event::Heard(flight));
        }
        Some((flight.0, bytes))
    }
}

/// The name of a message of an object; `None` for all others, which are not held back.
fn name(bytes: &[u8]) -> Option<&'static str> {
    match Message::decode(bytes)? {
        Message::Object(_, message) => Some(message.name()),
        _ => None,
    }
}

impl Station for Filter {
    fn now(&self) -> Duration {
        self.station.now()
    }

    fn send(&mut self, to: u16, bytes: Vec<u8>) -> Step<'_, Result<(), Error>> {
        if let Some(name) = name(&bytes) {
            self.log.note(self.now(), Event::Leaves((self.node, to, name)));
        }
        self.station.send(to, bytes)
    }

    fn look(&mut self) -> Step<'_, Option<(u16, Vec<u8>)>> {
        Box::pin(async move {
            if let Some((from, bytes)) = self.station.look().await {
                match name(&bytes) {
                    Some(name) => self.held.push_back(((from, self.node, name), bytes)),
                    None => return Some((from, bytes)),
                }
            }
            self.heard()
        })
    }

    fn pause(&mut self, until: Option<Duration>) -> Step<'_, ()> {
        let next = self.cues.front().map_or(self.free, |(time, ..)| *time);
        let next = Some(next).filter(|next| *next > self.now());
        self.station.pause(until.into_iter().chain(next).min())
    }

    fn compute(&mut self, time: Duration) -> Step<'_, ()> {
        self.station.compute(time)
    }

    fn is_quiet(&mut self) -> bool {
        self.station.is_quiet()
    }

    fn lost(&mut self) -> Option<u16> {
        self.station.lost()
    }
}
