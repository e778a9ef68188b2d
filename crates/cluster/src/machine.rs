//! Interface between the engine and a machine: its device, the environment at its pins, and its network.

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
/// Any implementation of a machine's device: model, RTL, or both in lockstep.
pub type AnyNic<M> = dyn Nic<In = In<M>, Out = Out<M>>;
/// Unit of transfer on the links of a machine.
pub type UnitOf<M> = <<M as Machine>::Switch as Switch>::Unit;
/// The cable of a node, as seen from the node.
pub type CableOf<'a, M> = Cable<'a, UnitOf<M>>;

/// A computer with its network interface, and the network that connects it.
pub trait Machine: Sized + 'static {
    /// The network interface.
    type Device: Device;
    /// Environment at its pins: buses, memories, the far side of its link.
    type Side: Side<Self>;
    /// Interface that most programs use.
    type Port;
    /// Switches between nodes.
    type Switch: Switch;
    /// Configuration that is fixed when the nodes are switched on.
    type Settings: Clone + Default + Send + Sync;

    /// Name in error messages.
    const TITLE: &'static str;
    /// Most nodes of a network, limited by the addresses.
    const MOST_NODES: usize;
    /// The clocks of the device.
    const CLOCKS: Clocks;
    /// Index of the clock of its link.
    const LINK_CLOCK: usize;
    /// Timing of a cable.
    const LINK: LinkTiming;
    /// Parameters of a switch.
    const SWITCH: <Self::Switch as Switch>::Timing;

    /// Network address of a node.
    fn address(node: usize) -> u16;

    /// Default network of `nodes` nodes: a star around one switch.
    fn topology(nodes: usize) -> Topology {
        Topology::star(nodes)
    }

    /// A link of the machine, without faults, configured by `settings`.
    fn link(settings: &Self::Settings) -> Link<UnitOf<Self>>;

    /// Environment of the device of a node.
    fn side(station: Station, settings: &Self::Settings) -> Self::Side;

    /// Pins of the device when it is switched on.
    fn pins(side: &Self::Side) -> In<Self>;

    /// Interface of a program on this node.
    fn port(side: &Self::Side, cpu: Cpu) -> Self::Port;
}

/// Environment at the pins of one device. All pins change at clock edges.
pub trait Side<M: Machine>: Sized {
    /// Time of the next event in the environment that does not concern the device, which may stay asleep.
    fn next(&self, now: Time, cable: &CableOf<'_, M>) -> Option<Time>;

    /// Time of the next event on the cable that concerns the device: arrival of the first unit, unless frames
    /// are received whole.
    fn arrival(&self, cable: &CableOf<'_, M>) -> Option<Time> {
        cable.down.next_arrival()
    }

    /// Time at which the host or its buses need the device next.
    fn next_access(&self) -> Option<Time>;

    /// Drives idle pins for the cycles that end at or contain `now`.
    fn idle_pins(&mut self, now: Time, pins: &mut In<M>, cable: &mut CableOf<'_, M>);

    /// Called before clocks rise: samples the outputs and the inputs of the device.
    fn before(&mut self, now: Time, edges: Edges, out: &Out<M>, pins: &In<M>, cable: &mut CableOf<'_, M>);

    /// Called after clocks have risen. `services` runs the services, above all interrupt handlers.
    fn after(
        &mut self,
        now: Time,
        edges: Edges,
        out: &Out<M>,
        cable: &mut CableOf<'_, M>,
        services: &mut Executor,
    );

    /// Drives the pins of the cycles that begin at `now`.
    fn drive(&mut self, now: Time, edges: Edges, out: &Out<M>, pins: &mut In<M>, cable: &mut CableOf<'_, M>);

    /// Executes the events of `now` while the device sleeps; returns whether pins change, so that it must
    /// wake.
    fn beside(&mut self, now: Time, pins: &mut In<M>, cable: &mut CableOf<'_, M>) -> bool;

    /// Clocks whose pins carry nothing to accept.
    fn idle(&self, now: Time, out: &Out<M>, pins: &In<M>) -> Edges;

    /// Time for which the bus between processor and device has been occupied, if known.
    fn bus_busy(&self) -> Option<Duration> {
        None
    }

    /// Adds the bus time of skipped polling iterations.
    fn add_bus_busy(&mut self, _busy: Duration) {}

    /// Whether accesses to a resting device take the same time at any phase of its clocks, so that an iteration whose
    /// length is no multiple of their periods repeats.
    fn ignores_phase(&self) -> bool {
        false
    }

    /// Whether no access of a program delays one that a program begins at `now` or later. A machine that answers has the
    /// identical polling iterations of several programs skipped; reads are then the only accesses of these iterations.
    fn bus_is_free(&self, _now: Time) -> bool {
        false
    }

    /// Accesses of programs to the device so far, if memory of the host and its interrupt pin change only while
    /// [`changes_host`](Side::changes_host) holds or a service runs. Polling iterations without an access are then
    /// skipped even while the device works.
    fn accesses(&self) -> Option<u64> {
        None
    }

    /// Whether the device may write to memory, or programs see another interrupt pin, in the cycle that begins now,
    /// after the edge that brought these outputs.
    fn changes_host(&self, _out: &Out<M>) -> bool {
        true
    }

    /// Whether buses and transports are idle.
    fn is_still(&self) -> bool;

    /// Adds the contents of memories to a fingerprint.
    fn digest(&self, fingerprint: &mut Recorder);
}

/// Position of a node in the cluster, with its log.
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

    /// Number of nodes of the cluster.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// Records an event at the node if recording is enabled.
    pub fn observe(&self, now: Time, event: Event) {
        self.log().observe(now, Place::Node(self.node()), event);
    }

    fn log(&self) -> std::cell::RefMut<'_, Log> {
        self.shared.log.borrow_mut()
    }
}
