//! State of an object at a node: owner, copy or invalid.

use std::collections::VecDeque;

use super::{Guards, Input, Message, Output};
use crate::protocol::{Answers, Nodes, Rules};

/// Pending request of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Wanted {
    request: u32,
    write: bool,
}

/// A hand-over in progress at the owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct HandingOver {
    to: u16,
    request: u32,
    version: u32,
    has: Option<u32>,
    /// Nodes with copies that are not yet invalidated.
    missing: Nodes,
}

/// State of an object at a node. Without data the node has no valid copy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Replica<D> {
    me: u16,
    home: u16,
    owner: bool,
    version: u32,
    data: Option<D>,
    guards: Guards,
    /// Number of the last request.
    requests: u32,
    wanted: Option<Wanted>,
    newest: u32,
    /// Owner: nodes with copies.
    copies: Nodes,
    /// Newest version known to the node; older data is ignored.
    handing_over: Option<HandingOver>,
    /// Owner: requests of home deferred until the program drops its guards or copies are invalidated.
    aside: VecDeque<Message<D>>,
    /// Copy: owner, request and version of an invalidation deferred until readers drop their guards.
    invalidating: Option<(u16, u32, u32)>,
}

impl<D: Clone> Replica<D> {
    /// An object at node `me`, initially owned by its home.
    pub fn new(me: u16, home: u16, data: D) -> Self {
        Replica {
            me,
            home,
            owner: me == home,
            version: 1,
            data: (me == home).then_some(data),
            guards: Guards::default(),
            requests: 0,
            wanted: None,
            newest: 1,
            copies: Nodes::NONE,
            handing_over: None,
            aside: VecDeque::new(),
            invalidating: None,
        }
    }

    /// An object of which all nodes initially have copies.
    pub fn cached(me: u16, home: u16, data: D, nodes: usize) -> Self {
        let copies = if me == home { Nodes::first(nodes).without(me) } else { Nodes::NONE };
        Replica { data: Some(data.clone()), copies, ..Self::new(me, home, data) }
    }

    /// Node that orders the requests of the object.
    pub fn home(&self) -> u16 {
        self.home
    }

    /// Whether the node owns the object.
    pub fn is_owner(&self) -> bool {
        self.owner
    }

    /// Version of the data.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Data, if the node is the owner or has a valid copy.
    pub fn data(&self) -> Option<&D> {
        self.data.as_ref()
    }

    /// Data for a program with a write guard.
    pub fn data_mut(&mut self) -> Option<&mut D> {
        self.data.as_mut().filter(|_| self.guards.writing)
    }

    /// Guards of the program.
    pub fn guards(&self) -> Guards {
        self.guards
    }

    /// Whether the node accepts this message now. Without `aside` an owner that waits for acknowledgements
    /// accepts nothing else (H17).
    pub fn takes(&self, rules: &Rules, message: &Message<D>) -> bool {
        rules.aside || self.handing_over.is_none() || matches!(message, Message::Invalidated { .. })
    }

    /// Handles an input.
    pub fn step(&mut self, rules: &Rules, input: Input<D>) -> Vec<Output<D>> {
        let mut outputs = Vec::new();
        match input {
            Input::Read => self.read(&mut outputs),
            Input::Write => self.write(&mut outputs),
            Input::EndRead => {
                self.guards.readers = self.guards.readers.saturating_sub(1);
                if self.guards.readers == 0
                    && let Some((to, request, version)) = self.invalidating.take()
                {
                    self.data = None;
                    outputs.push(Output::Send(to, Message::Invalidated { request, version }));
                }
            }
            Input::EndWrite(data) => {
                self.guards.writing = false;
                self.data = Some(data);
            }
            Input::Push(to) => self.push(to, &mut outputs),
            Input::Message(from, message) => self.hear(rules, from, message, &mut outputs),
        }
        self.go_on(rules, &mut outputs);
        outputs
    }

    fn read(&mut self, outputs: &mut Vec<Output<D>>) {
        // New readers do not delay an invalidation; nested read guards are granted.
        let free = self.handing_over.is_none() && self.aside.is_empty() && self.invalidating.is_none();
        if self.data.is_some() && !self.guards.writing && (free || self.guards.readers > 0) {
            self.guards.readers += 1;
            outputs.push(Output::Readable);
        } else {
            let request = self.ask(false);
            outputs.push(Output::Send(self.home, Message::Read { request }));
        }
    }

    fn write(&mut self, outputs: &mut Vec<Output<D>>) {
        let alone = self.owner && self.copies.is_empty();
        if alone && !self.guards.any() && self.handing_over.is_none() && self.aside.is_empty() {
            self.guards.writing = true;
            outputs.push(Output::Writable);
        } else {
            let request = self.ask(true);
            let has = self.data.is_some().then_some(self.version);
            outputs.push(Output::Send(self.home, Message::Write { request, has }));
        }
    }

    fn ask(&mut self, write: bool) -> u32 {
        self.requests += 1;
        self.wanted = Some(Wanted { request: self.requests, write });
        self.requests
    }

    fn push(&mut self, to: u16, outputs: &mut Vec<Output<D>>) {
        let free = self.owner && !self.guards.writing && self.handing_over.is_none();
        if free
            && to != self.me
            && let Some(data) = self.data.clone()
        {
            self.copies.insert(to);
            outputs.push(Output::Send(to, Message::Data { request: 0, version: self.version, data }));
        }
    }

    fn hear(&mut self, rules: &Rules, from: u16, message: Message<D>, outputs: &mut Vec<Output<D>>) {
        match message {
            Message::Supply { .. } | Message::HandOver { .. } => self.aside.push_back(message),
            Message::Invalidate { request, version } => {
                self.newest = self.newest.max(version);
                let older = !rules.versions || self.version < version;
                if !self.owner && self.data.is_some() && older {
                    if self.guards.readers > 0 {
                        self.invalidating = Some((from, request, version));
                        return;
                    }
                    self.data = None;
                }
                outputs.push(Output::Send(from, Message::Invalidated { request, version }));
            }
            Message::Invalidated { version, .. } => {
                if let Some(over) = &mut self.handing_over
                    && over.version == version
                {
                    over.missing.remove(from);
                }
            }
            Message::Data { request: 0, version, data } => {
                let current = !rules.versions || version >= self.newest;
                if !self.owner && self.data.is_none() && current {
                    (self.version, self.data) = (version, Some(data));
                }
            }
            Message::Data { request, version, data } => {
                if self.is_answer(rules, request, false) {
                    if !self.owner {
                        (self.version, self.data) = (version, Some(data));
                    }
                    if self.wanted.take_if(|wanted| !wanted.write).is_some() {
                        self.guards.readers += 1;
                        outputs.push(Output::Readable);
                    }
                    outputs.push(Output::Send(self.home, Message::Done { request }));
                }
            }
            Message::Grant { request, version, data } => {
                if self.is_answer(rules, request, true) && (data.is_some() || self.data.is_some()) {
                    self.owner = true;
                    self.copies = Nodes::NONE;
                    self.version = version;
                    self.data = data.or(self.data.take());
                    if self.wanted.take_if(|wanted| wanted.write).is_some() {
                        self.guards.writing = true;
                        outputs.push(Output::Writable);
                    }
                    outputs.push(Output::Send(self.home, Message::Done { request }));
                }
            }
            Message::Read { .. } | Message::Write { .. } | Message::Done { .. } => {}
        }
    }

    fn is_answer(&self, rules: &Rules, request: u32, write: bool) -> bool {
        let waits = self.wanted.filter(|wanted| wanted.write == write);
        match rules.answers {
            Answers::Any => true,
            Answers::IfWaiting => waits.is_some(),
            Answers::Numbered => waits.is_some_and(|wanted| wanted.request == request),
        }
    }

    /// Handles deferred requests of home as far as guards and copies allow.
    fn go_on(&mut self, rules: &Rules, outputs: &mut Vec<Output<D>>) {
        loop {
            if let Some(over) = self.handing_over {
                if !over.missing.is_empty() {
                    return;
                }
                self.hand_over(over, outputs);
            }
            match self.aside.front() {
                None => return,
                Some(Message::Supply { .. }) if self.guards.writing => return,
                Some(Message::HandOver { .. }) if self.guards.any() => return,
                _ => {}
            }
            match self.aside.pop_front() {
                Some(Message::Supply { to, request, version }) => {
                    if self.owner
                        && (!rules.versions || version == self.version)
                        && let Some(data) = self.data.clone()
                    {
                        self.copies.insert(to);
                        let version = self.version;
                        outputs.push(Output::Send(to, Message::Data { request, version, data }));
                    }
                }
                Some(Message::HandOver { to, request, version, has })
                    if self.owner && (!rules.versions || version == self.version.saturating_add(1)) =>
                {
                    let missing = self.copies.without(to).without(self.me);
                    self.handing_over = Some(HandingOver { to, request, version, has, missing });
                    let invalidate = |to| Output::Send(to, Message::Invalidate { request, version });
                    outputs.extend(missing.iter().map(invalidate));
                }
                _ => {}
            }
        }
    }

    fn hand_over(&mut self, over: HandingOver, outputs: &mut Vec<Output<D>>) {
        let HandingOver { to, request, version, has, .. } = over;
        let same = has == Some(self.version);
        let data = if same { None } else { self.data.clone() };
        outputs.push(Output::Send(to, Message::Grant { request, version, data }));
        self.handing_over = None;
        self.owner = false;
        self.copies = Nodes::NONE;
        if to != self.me {
            self.newest = self.newest.max(version);
            self.data = None;
        }
    }
}
