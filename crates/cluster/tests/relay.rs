//! A machine in one file: a card with one register and one clock that forwards numbers, and hosts that wait
//! for them.

use std::cell::Cell;
use std::rc::Rc;

use cluster::switch::{CutThrough, CutThroughTiming};
use cluster::{
    Clocks, Cpu, Destination, Duration, Executor, FingerprintRecorder, Link, LinkTiming, Looking, Machine,
    Side, Signal, Station, Time, Unit,
};
use hdl::{Clock, Device, Edges, Model, Probe, Quiet, Role, Visitor};

hdl::bundle! {
    /// Input from the cable.
    pub struct In in relay_pkg {
        /// `number` has arrived.
        valid: bool,
        /// Number that has arrived.
        number: u16,
    }
}

hdl::bundle! {
    /// Output to the cable, which is also the only register.
    pub struct Out in relay_pkg {
        /// `number` is driven.
        valid: bool,
        /// One more than the number received.
        number: u16,
    }
}

static CLOCKS: [Clock; 1] = [Clock { name: "core", port: "clk_i", period_ps: 5_000, doc: "200 MHz." }];

/// The card: increments the numbers that it forwards.
#[derive(Clone, Debug, Default)]
pub struct Relay {
    held: Out,
}

impl Device for Relay {
    type In = In;
    type Out = Out;
    const CLOCKS: &'static [Clock] = &CLOCKS;

    fn outputs(&self) -> Out {
        self.held
    }

    fn edge(&mut self, _edges: Edges, pins: &In) {
        self.held = Out { valid: pins.valid, number: pins.number.wrapping_add(pins.valid.into()) };
    }

    fn idle(&self, pins: &In) -> bool {
        *pins == In::default()
    }

    fn quiescent(&self) -> Quiet {
        if self.held == Out::default() { Quiet::UntilInput } else { Quiet::Busy }
    }
}

hdl::observed!(Relay);

impl Probe for Relay {
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.registers(&self.held);
        visitor.pins(Role::Outputs, || self.held);
    }
}

/// A frame of one unit: a number for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    to: u16,
    number: u16,
}

impl Unit for Token {
    const BITS: u32 = 16;
    const DAMAGED: std::ops::Range<u32> = 0..1;
    const END: Self = Token { to: u16::MAX, number: 0 };

    fn ends(self) -> bool {
        true
    }

    fn damaged(self, bit: u32) -> Self {
        Token { number: self.number ^ 1 << bit, ..self }
    }

    fn destination(frame: &[Self]) -> Option<Destination> {
        Some(Destination::Address(frame.first()?.to))
    }

    fn to_word(self) -> (u64, u8) {
        (u64::from(self.to) << 16 | u64::from(self.number), 0)
    }

    fn from_word((word, _): (u64, u8)) -> Self {
        Token { to: (word >> 16) as u16, number: word as u16 }
    }
}

/// State shared by host and pins.
#[derive(Default)]
pub struct Mailbox {
    number: Cell<Option<u16>>,
    /// Number given to the card, with the time.
    out: Cell<Option<(Time, u16)>>,
    came: Signal,
    /// Number of times that the host has polled.
    looks: Cell<u32>,
}

/// The host as seen by a program.
pub struct Host {
    pub cpu: Cpu,
    mailbox: Rc<Mailbox>,
}

impl Host {
    /// Gives the card a number at its next clock edge.
    pub fn send(&self, number: u16) {
        self.mailbox.out.set(Some((self.cpu.now(), number)));
    }

    /// Polls every 20 ns until the next number arrives.
    pub async fn receive(&self) -> u16 {
        self.receive_by_polls(Duration::from_ns(20)).await
    }

    /// Polls once in each period until the next number arrives. Of several programs the first to see it takes it.
    pub async fn receive_by_polls(&self, period: Duration) -> u16 {
        let mut looking = Looking::begin(&self.cpu);
        loop {
            self.mailbox.looks.set(self.mailbox.looks.get() + 1);
            match self.mailbox.number.take() {
                Some(number) => return number,
                None => looking.again().await,
            }
            self.cpu.compute(period).await;
        }
    }

    /// Polls until a number has arrived, which stays for other programs. What a poll reads is used `period` later.
    pub async fn see_late(&self, period: Duration) -> u16 {
        let mut looking = Looking::begin(&self.cpu);
        loop {
            let read = self.mailbox.number.get();
            self.cpu.compute(period).await;
            match read {
                Some(number) => return number,
                None => looking.again().await,
            }
        }
    }

    /// Number of simulated polls.
    pub fn looks(&self) -> u32 {
        self.mailbox.looks.get()
    }

    /// Waits for a signal that is never raised.
    pub async fn wait_in_vain(&self) {
        self.mailbox.came.wait(&self.cpu, "a signal that nobody raises").await;
    }
}

/// The pins of a card.
pub struct Pins {
    station: Station,
    mailbox: Rc<Mailbox>,
}

type Cable<'a> = cluster::CableOf<'a, Ring>;

impl Side<Ring> for Pins {
    fn next(&self, _now: Time, _cable: &Cable<'_>) -> Option<Time> {
        None
    }

    fn next_access(&self) -> Option<Time> {
        self.mailbox.out.get().map(|(since, _)| Ring::CLOCKS.next_after(since))
    }

    fn idle_pins(&mut self, _now: Time, _pins: &mut In, _cable: &mut Cable<'_>) {}

    fn before(&mut self, now: Time, _edges: Edges, out: &Out, _pins: &In, cable: &mut Cable<'_>) {
        let given = self.mailbox.out.get().filter(|(since, _)| *since < now).map(|(_, number)| number);
        if !out.valid && given.is_some() {
            self.mailbox.out.take();
        }
        let number = out.valid.then_some(out.number).or(given);
        if let Some(number) = number {
            let to = (self.station.node() + 1) % self.station.nodes();
            assert!(cable.up.takes(now, now), "the ring is never full");
            cable.up.send(now, Token { to: Ring::address(to), number });
        }
    }

    fn after(&mut self, now: Time, _edges: Edges, _out: &Out, cable: &mut Cable<'_>, _: &mut Executor) {
        cable.down.announce(now, true);
    }

    fn drive(&mut self, now: Time, _edges: Edges, _out: &Out, pins: &mut In, cable: &mut Cable<'_>) {
        let token = cable.down.receive(now).map(|(_, token)| token);
        *pins = token.map_or(In::default(), |token| In { valid: true, number: token.number });
        if let Some(token) = token {
            self.mailbox.number.set(Some(token.number));
        }
    }

    fn beside(&mut self, _now: Time, _pins: &mut In, _cable: &mut Cable<'_>) -> bool {
        false
    }

    fn idle(&self, _now: Time, out: &Out, pins: &In) -> Edges {
        Edges::FIRST.when(!out.valid && !pins.valid && self.mailbox.out.get().is_none())
    }

    /// Programs read the number in memory of their own.
    fn bus_is_free(&self, _now: Time) -> bool {
        true
    }

    fn is_still(&self) -> bool {
        true
    }

    fn digest(&self, fingerprint: &mut FingerprintRecorder) {
        fingerprint.add(&self.mailbox.number.get().unwrap_or(0).to_le_bytes());
    }
}

/// The machine: relays in a ring.
pub enum Ring {}

impl Machine for Ring {
    type Device = Relay;
    type Side = Pins;
    type Port = Host;
    type Switch = CutThrough<Token>;
    type Settings = ();

    const TITLE: &'static str = "the ring";
    const MOST_NODES: usize = 100;
    const CLOCKS: Clocks = Clocks::of(&CLOCKS);
    const LINK_CLOCK: usize = 0;
    const LINK: LinkTiming = LinkTiming {
        latency: Duration::from_ns(10),
        unit: Duration::from_ns(5),
        frame_overhead: Duration::ZERO,
        flow_control: true,
    };
    const SWITCH: CutThroughTiming = CutThroughTiming {
        cut_through: Duration::from_ns(100),
        unit: Duration::from_ns(5),
        credit: Duration::from_ns(100),
        input: 64,
        longest: 1,
    };

    fn address(node: usize) -> u16 {
        node as u16 + 1
    }

    fn link(_settings: &()) -> Link<Token> {
        Link::new(Self::LINK)
    }

    fn side(station: Station, _settings: &()) -> Pins {
        Pins { station, mailbox: Rc::default() }
    }

    fn pins(_side: &Pins) -> In {
        In::default()
    }

    fn port(side: &Pins, cpu: Cpu) -> Host {
        Host { cpu, mailbox: side.mailbox.clone() }
    }
}

/// A card for the engine.
pub fn card() -> Box<cluster::AnyNic<Ring>> {
    Box::new(Model::new(Relay::default()))
}
