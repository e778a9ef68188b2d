//! Dispatch of messages between nodes.

use super::{LOCKS, Node};
use crate::error::Error;
use crate::protocol::object::{Input, Output};
use crate::wire::{Data, Message};

impl Node {
    /// Applies an input to an object.
    pub(super) fn object(&mut self, number: u32, input: Input<Data>) {
        let outputs = self.objects[number as usize].replica.step(&self.config.rules, input);
        self.follow(number, outputs);
    }

    fn follow(&mut self, number: u32, outputs: Vec<Output<Data>>) {
        for output in outputs {
            match output {
                Output::Send(to, message) => self.send(to, Message::Object(number, message)),
                Output::Readable | Output::Writable => self.complete(Ok(())),
            }
        }
    }

    pub(super) fn send(&mut self, to: u16, message: Message) {
        self.stats.count(&message);
        if to == self.me {
            self.hear(to, message);
        } else {
            self.mail.send(to, message.encode());
        }
    }

    pub(super) fn decode(&mut self, from: u16, bytes: &[u8]) {
        match Message::decode(bytes).filter(|message| self.is_sound(message)) {
            Some(message) => self.hear(from, message),
            None => self.stats.malformed += 1,
        }
    }

    /// Whether the numbers in a message are valid.
    fn is_sound(&self, message: &Message) -> bool {
        use crate::protocol::object::Message::{Data, Grant, HandOver, Supply};
        let node = |node: u16| usize::from(node) < self.nodes;
        match message {
            Message::Object(number, message) => {
                let Some(object) = self.objects.get(*number as usize) else { return false };
                match message {
                    Data { data, .. } | Grant { data: Some(data), .. } => {
                        data.0.bytes().len() == object.bytes
                    }
                    Supply { to, .. } | HandOver { to, .. } => node(*to),
                    _ => true,
                }
            }
            Message::Lock(number, _) => (*number as usize) < LOCKS,
            Message::Dead(dead, _) => node(*dead),
            _ => true,
        }
    }

    fn hear(&mut self, from: u16, message: Message) {
        match message {
            Message::Object(number, message) if message.is_to_home() => {
                let home = self.objects[number as usize].home.as_mut();
                let outputs =
                    home.map_or_else(Vec::new, |home| home.step(&self.config.rules, from, &message));
                self.follow(number, outputs);
            }
            Message::Object(number, message) => self.object(number, Input::Message(from, message)),
            Message::Lock(number, message) => {
                let (holder, home) = &mut self.locks[number as usize];
                if message.is_to_home() {
                    let given = home.as_mut().and_then(|home| home.step(from, message));
                    if let Some((to, message)) = given {
                        self.send(to, Message::Lock(number, message));
                    }
                } else if holder.step(message) {
                    self.complete(Ok(()));
                }
            }
            Message::Barrier(message) if message.is_to_home() => {
                if let Some(passed) = self.meeting.step(from, message) {
                    // Other nodes first: after its own message this node may enter the next barrier.
                    for to in (0..self.nodes as u16).rev() {
                        self.send(to, Message::Barrier(passed));
                    }
                }
            }
            Message::Barrier(message) => match self.arrival.step(message) {
                Some(None) => self.complete(Ok(())),
                Some(Some(node)) => self.fail(Error::Disagree(node)),
                None => {}
            },
            Message::Ping => {}
            Message::Report(report) => {
                if let Some(cycle) = self.watch.hear(from, report) {
                    let words = self.words(&cycle);
                    for to in (0..self.nodes as u16).rev() {
                        self.send(to, Message::Cycle(words.clone()));
                    }
                }
            }
            Message::Cycle(words) => self.fail(Error::Cycle(words)),
            Message::Dead(node, lost) => self.fail(Error::Dead { node, lost }),
        }
    }
}
