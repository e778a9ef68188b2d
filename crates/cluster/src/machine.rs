//! What a machine is to the engine: a device, all that is on its pins, and the network between machines.

use std::rc::Rc;

use hdl::{Device, Edges, Nic};

use crate::fabric::{Cable, Link, LinkTiming, Switch, Topology};
use crate::host::{Cpu, Executor, Shared};
use crate::look::{Event, Log, Place, Recorder};
use crate::{Clocks, Duration, Time};

/// Input pins of a machine's device.
pub type In<M> = <<M as Machine>::Device as Device>::In;
/// Output pins of a machine's device.
pub type Out<M> = <<M as Machine>::Device as Device>::Out;
/// Any device of a machine behind its pins: model, RTL, or both in lockstep.
pub type AnyNic<M> = dyn Nic<In = In<M>, Out = Out<M>>;
/// What the links of a machine carry.
pub type UnitOf<M> = <<M as Machine>::Switch as Switch>::Unit;
/// The cable of a node, as its end of it.
pub type CableOf<'a, M> = Cable<'a, UnitOf<M>>;

/// A computer with a network interface, and what it is connected by.
pub trait Machine: Sized + 'static {
    /// The network interface.
    type Device: Device;
    /// What is on its pins: buses, memories, the far side of its link.
    type Side: Side<Self>;
    /// What most programs are given.
    type Port;
    /// The switches between machines.
    type Switch: Switch;
    /// What is set up before all machines are switched on.
    type Settings: Clone + Default + Send + Sync;

    /// What it is called in errors.
    const TITLE: &'static str;
    /// Most nodes of a network: those that there are addresses for.
    const MOST_NODES: usize;
    /// The clocks of the device.
    const CLOCKS: Clocks;
    /// The clock of its link, by number.
    const LINK_CLOCK: usize;
    /// How long things take on a cable.
    const LINK: LinkTiming;
    /// How long things take in a switch.
    const SWITCH: <Self::Switch as Switch>::Timing;

    /// Address of a node in the network.
    fn address(node: usize) -> u16;

    /// The network that so many nodes have unless somebody wants another one: a star, around one switch.
    fn topology(nodes: usize) -> Topology {
        Topology::star(nodes)
    }

    /// A link as these settings want it.
    fn link(settings: &Self::Settings) -> Link<UnitOf<Self>>;

    /// What surrounds the device of a node.
    fn side(station: Station, settings: &Self::Settings) -> Self::Side;

    /// The pins of the device when it is switched on.
    fn pins(side: &Self::Side) -> In<Self>;

    /// What a program on this node has.
    fn port(side: &Self::Side, cpu: Cpu) -> Self::Port;
}

/// All that is on the pins of one device. Everything on them changes at clock edges.
pub trait Side<M: Machine>: Sized {
    /// When something happens beside the device, which may sleep on.
    fn next(&self, now: Time, cable: &CableOf<'_, M>) -> Option<Time>;

    /// When what is on the cable concerns the device next: at the first unit, unless it takes frames whole.
    fn arrival(&self, cable: &CableOf<'_, M>) -> Option<Time> {
        cable.down.next_arrival()
    }

    /// When the host or its buses need the device next.
    fn next_access(&self) -> Option<Time>;

    /// The pins of the cycles that end at or contain `now`, with nothing on them.
    fn idle_pins(&mut self, now: Time, pins: &mut In<M>, cable: &mut CableOf<'_, M>);

    /// Clocks are about to rise: takes what the device puts out, and what it is given.
    fn before(&mut self, now: Time, edges: Edges, out: &Out<M>, pins: &In<M>, cable: &mut CableOf<'_, M>);

    /// They have risen. `services` runs what no run waits for, interrupt handlers above all.
    fn after(
        &mut self,
        now: Time,
        edges: Edges,
        out: &Out<M>,
        cable: &mut CableOf<'_, M>,
        services: &mut Executor,
    );

    /// The pins of the cycles that begin at `now`.
    fn drive(&mut self, now: Time, edges: Edges, out: &Out<M>, pins: &mut In<M>, cable: &mut CableOf<'_, M>);

    /// What is to be done at `now` while the device sleeps; tells whether its pins change, so that it has to wake.
    fn beside(&mut self, now: Time, pins: &mut In<M>, cable: &mut CableOf<'_, M>) -> bool;

    /// Clocks on whose pins there is nothing that somebody could take.
    fn idle(&self, now: Time, out: &Out<M>, pins: &In<M>) -> Edges;

    /// For how long the bus between processor and device was taken so far, if that is known.
    fn bus_busy(&self) -> Option<Duration> {
        None
    }

    /// It was taken for so long in turns of a loop that were left out.
    fn add_bus_busy(&mut self, _busy: Duration) {}

    /// Whether buses and transports are at rest.
    fn is_still(&self) -> bool;

    /// Adds the contents of memories to a fingerprint.
    fn digest(&self, fingerprint: &mut Recorder);
}

/// A node's place in the cluster, and its log.
#[derive(Clone)]
pub struct Station {
    shared: Rc<Shared>,
    nodes: usize,
}

impl Station {
    pub(crate) fn new(shared: Rc<Shared>, nodes: usize) -> Self {
        Station { shared, nodes }
    }

    /// Number of the node.
    pub fn node(&self) -> usize {
        self.shared.node
    }

    /// Nodes of the cluster.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Notes something that happened at the node, if anybody wants to know.
    pub fn observe(&self, now: Time, event: Event) {
        self.log().observe(now, Place::Node(self.node()), event);
    }

    fn log(&self) -> std::cell::RefMut<'_, Log> {
        self.shared.log.borrow_mut()
    }
}
