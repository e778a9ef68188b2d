//! The Core Logic: everything in the clock domain of the host bus (thesis section 4.2, figure 4.2).
//!
//! A structural block: it holds its children and the wires between them, in the order in which a packet
//! passes them.

pub mod pins;
mod wires;

use hdl::{Clocked, Probe, Quiet, Role, Visitor};

use crate::host_interface::HostInterface;
use crate::prefetch_unit::{self, PrefetchUnit};
use crate::receive_controller::{self, ReceiveController};
use crate::request_separator::separate;
use crate::status_write_unit::{self, StatusWriteUnit};
use crate::window_controller::{self, WindowController};
use crate::write_unit::{self, WriteUnit};
pub use pins::{In, Out};
use wires::Wires;

/// All units at 100 MHz except the SO-DIMM interface.
#[derive(Clone, Debug, Default)]
pub struct CoreLogic {
    /// Windows, LLCM, LH Buffer and registers.
    pub host_interface: HostInterface,
    /// Takes requests and sends packets.
    pub window_controller: WindowController,
    /// Parses received packets.
    pub receive_controller: ReceiveController,
    /// Stores received data in SO-DIMM.
    pub write_unit: WriteUnit,
    /// Reads SO-DIMM into a Prefetch Window or a packet.
    pub prefetch_unit: PrefetchUnit,
    /// Writes receive statuses into LLCM.
    pub status_write_unit: StatusWriteUnit,
}

impl Clocked for CoreLogic {
    type In = In;
    type Out = Out;

    #[inline(always)]
    fn outputs(&self) -> Out {
        self.wires_of::<true, true>().outputs()
    }

    #[inline(always)]
    fn tick(&mut self, pins: &In) {
        self.tick_of::<true, true>(&self.wires_of::<true, true>(), pins);
    }

    fn reset(&mut self) {
        self.host_interface.reset();
        self.window_controller.reset();
        self.receive_controller.reset();
        self.write_unit.reset();
        self.prefetch_unit.reset();
        self.status_write_unit.reset();
    }

    #[inline]
    fn quiescent(&self) -> Quiet {
        let units = self.sending();
        if units == Quiet::Busy {
            return Quiet::Busy;
        }
        let units = units.and(self.receiving());
        if units == Quiet::Busy { Quiet::Busy } else { units.and(self.host_interface.quiescent()) }
    }

    fn skip(&mut self, cycles: u64) {
        self.host_interface.skip(cycles);
    }
}

/// Specialised versions for a Core Logic of which a half may rest; `SENDS` and `RECEIVES` name the halves
/// that do not. A board in a cluster mostly either sends or receives, and does neither while its host polls;
/// the compiler removes the logic of a resting half.
impl CoreLogic {
    /// Whether each half has work at the next edge: the sending half (Window Controller, Prefetch Unit) and
    /// the receiving half (Receive Controller, Write Unit, Status Write Unit). A half without work rests, and
    /// no other block requests anything of it.
    #[inline(always)]
    pub fn awake(&self, packet_available: bool) -> (bool, bool) {
        let host = self.host_interface.outputs();
        if host.controller_reset || host.configuration.user_code != 0 || host.configuration.system_code != 0 {
            return (true, true);
        }
        let sends = host.request_enable || self.sending() != Quiet::UntilInput;
        let receives = packet_available || self.receiving() != Quiet::UntilInput;
        (sends || receives && self.asks_to_send(), receives || sends && self.asks_to_receive())
    }

    /// Whether the receiving half requests something of the sending half: a reply to send or a list to read.
    #[inline(always)]
    fn asks_to_send(&self) -> bool {
        let write = self.write_unit.outputs();
        let separated = separate(&self.receive_controller.outputs().result);
        separated.remote_request_enable || write.list_request.request || write.list_read_enable
    }

    /// Whether the sending half requests something of the receiving half: data to store.
    #[inline(always)]
    fn asks_to_receive(&self) -> bool {
        self.window_controller.outputs().vector_store.request
    }

    /// How long the sending half stays unchanged.
    #[inline(always)]
    fn sending(&self) -> Quiet {
        self.window_controller.quiescent().and(self.prefetch_unit.quiescent())
    }

    /// How long the receiving half stays unchanged.
    #[inline(always)]
    fn receiving(&self) -> Quiet {
        let units = self.receive_controller.quiescent().and(self.write_unit.quiescent());
        units.and(self.status_write_unit.quiescent())
    }

    #[inline(always)]
    fn window<const SENDS: bool>(&self) -> window_controller::pins::Out {
        if SENDS { self.window_controller.outputs() } else { self.window_controller.outputs_at_rest() }
    }

    #[inline(always)]
    fn prefetch<const SENDS: bool>(&self) -> prefetch_unit::pins::Out {
        if SENDS { self.prefetch_unit.outputs() } else { self.prefetch_unit.outputs_at_rest() }
    }

    #[inline(always)]
    fn receive<const RECEIVES: bool>(&self) -> receive_controller::pins::Out {
        if RECEIVES { self.receive_controller.outputs() } else { self.receive_controller.outputs_at_rest() }
    }

    #[inline(always)]
    fn write<const RECEIVES: bool>(&self) -> write_unit::pins::Out {
        if RECEIVES { self.write_unit.outputs() } else { self.write_unit.outputs_at_rest() }
    }

    #[inline(always)]
    fn status<const RECEIVES: bool>(&self) -> status_write_unit::Out {
        if RECEIVES { self.status_write_unit.outputs() } else { self.status_write_unit.outputs_at_rest() }
    }

    /// Outputs of the units, given which halves do not rest.
    #[inline(always)]
    pub(crate) fn wires_of<const SENDS: bool, const RECEIVES: bool>(&self) -> Wires {
        let receive = self.receive::<RECEIVES>();
        Wires {
            host: self.host_interface.outputs(),
            window: self.window::<SENDS>(),
            receive,
            write: self.write::<RECEIVES>(),
            prefetch: self.prefetch::<SENDS>(),
            status: self.status::<RECEIVES>(),
            separated: separate(&receive.result),
        }
    }

    /// One clock edge, given which halves do not rest and the outputs of the units before it.
    #[inline(always)]
    pub fn tick_of<const SENDS: bool, const RECEIVES: bool>(&mut self, wires: &Wires, pins: &In) {
        self.host_interface.tick(&wires.host_interface_inputs(pins));
        if wires.host.controller_reset {
            self.window_controller.reset();
            self.receive_controller.reset();
            self.write_unit.reset();
            self.prefetch_unit.reset();
            self.status_write_unit.reset();
            return;
        }
        if SENDS {
            self.window_controller.tick(&wires.window_controller_inputs(pins));
            self.prefetch_unit.tick(&wires.prefetch_unit_inputs(pins));
        }
        if RECEIVES {
            self.receive_controller.tick(&wires.receive_controller_inputs(pins));
            self.write_unit.tick(&wires.write_unit_inputs(pins));
            self.status_write_unit.tick(&wires.status_write_unit_inputs());
        }
    }
}

impl Probe for CoreLogic {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("host_interface", &self.host_interface);
        visitor.block("window_controller", &self.window_controller);
        visitor.block("receive_controller", &self.receive_controller);
        visitor.block("write_unit", &self.write_unit);
        visitor.block("prefetch_unit", &self.prefetch_unit);
        visitor.block("status_write_unit", &self.status_write_unit);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
