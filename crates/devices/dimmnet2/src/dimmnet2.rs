//! The board: Core Logic, SO-DIMM interface and SWIF (thesis section 4.1, figure 4.1).
//!
//! The core clock and the network clock cross only in the FIFOs of SWIF.

use hdl::{Clock, Clocked, Device, Edges, Probe, Quiet, Role, Visitor};

use crate::clocks;
use crate::core_logic::{self, CoreLogic};
use crate::pins::{HostOut, In, Out};
use crate::sodimm_interface::{self, SodimmInterface};
use crate::swif::{self, Swif};

/// Registers, by block and name, that are not 0 during Controller Reset.
pub const RESETS: &[(&str, &str)] =
    &[("core_logic.host_interface.system_register", "reset_count"), ("swif.controller_reset_sync", "stage1")];

/// A DIMMnet-2 board with its two SO-DIMM channels.
#[derive(Clone, Debug, Default)]
pub struct Dimmnet2 {
    /// Everything in the clock domain of the host bus except the memory interface.
    pub core_logic: CoreLogic,
    /// The two SO-DIMM channels.
    pub sodimm_interface: SodimmInterface,
    /// The InfiniBand side.
    pub swif: Swif,
}

impl Device for Dimmnet2 {
    type In = In;
    type Out = Out;

    const CLOCKS: &'static [Clock] = &clocks::CLOCKS;

    #[inline(always)]
    fn outputs(&self) -> Out {
        let sodimm = self.sodimm_interface.outputs();
        Out {
            host: HostOut { rdata: self.core_logic.host_interface.rdata() },
            memory0: sodimm.memory0,
            memory1: sodimm.memory1,
            network: self.swif.network(),
        }
    }

    // Compiled once, here, as the edges.
    #[inline(never)]
    fn update_outputs(&self, edges: Edges, out: &mut Out) {
        if edges.meets(clocks::CORE) {
            *out = self.outputs();
        } else {
            out.network = self.swif.network();
        }
    }

    #[inline]
    fn edge(&mut self, edges: Edges, pins: &In) {
        if !edges.meets(clocks::CORE) {
            self.swif_edge(edges, pins);
            return;
        }
        match self.core_logic.awake(self.swif.outputs().packet_available) {
            (false, false) if !pins.host.enable && self.host_and_sodimm_rest() => self.swif_edge(edges, pins),
            (false, false) => self.core_edge::<false, false>(edges, pins),
            (false, true) => self.core_edge::<false, true>(edges, pins),
            (true, false) => self.core_edge::<true, false>(edges, pins),
            (true, true) => self.core_edge::<true, true>(edges, pins),
        }
    }

    fn idle(&self, pins: &In) -> bool {
        let swif = self.swif.outputs();
        !pins.host.enable
            && !pins.network.rx_valid
            && pins.network.sma_lid == swif.sma_lid
            && pins.network.link_status == swif.link_status
    }

    fn quiescent(&self) -> Quiet {
        // Conditions between the parts: a packet that waits in SWIF, an SO-DIMM enable that has not yet
        // reached the interface.
        if self.swif.outputs().packet_available || !self.sodimm_settled() {
            return Quiet::Busy;
        }
        // Busy is returned early: a board at work is asked often, and one busy part decides.
        let swif = self.swif.quiescent();
        if swif == Quiet::Busy {
            return Quiet::Busy;
        }
        let memory = self.sodimm_interface.quiescent();
        if memory == Quiet::Busy { Quiet::Busy } else { self.core_logic.quiescent().and(memory).and(swif) }
    }

    fn skip(&mut self, edges: &[u64]) {
        // Only counters of the core clock run while the board is quiescent.
        self.core_logic.skip(edges[0]);
    }

    fn resting(&self) -> Edges {
        let controller_reset = self.core_logic.host_interface.system_register.outputs().controller_reset;
        clocks::NETWORK.when(!controller_reset && self.swif.network_rests())
    }
}

// Thousands of instructions: compiled once here instead of in every crate that drives a board.
impl Dimmnet2 {
    /// An edge that concerns SWIF alone: of the network clock, or of the core clock while the rest of the
    /// board rests.
    #[inline(never)]
    fn swif_edge(&mut self, edges: Edges, pins: &In) {
        // The other pins between Core Logic and SWIF are sampled with the core clock and are idle while the
        // Core Logic rests.
        let controller_reset = self.core_logic.host_interface.system_register.outputs().controller_reset;
        let network = pins.network;
        self.swif.edge(edges, &swif::pins::In { controller_reset, network, ..Default::default() });
    }

    /// Whether the SO-DIMM interface has seen the present value of its enable.
    #[inline(always)]
    fn sodimm_settled(&self) -> bool {
        self.sodimm_interface.settled(self.core_logic.host_interface.outputs().sodimm_enabled)
    }

    /// Whether an edge without a host beat leaves Host Interface and SO-DIMM interface unchanged, provided
    /// that the rest of the Core Logic requests nothing.
    #[inline(always)]
    fn host_and_sodimm_rest(&self) -> bool {
        self.core_logic.host_interface.quiescent() == Quiet::UntilInput
            && self.sodimm_settled()
            && self.sodimm_interface.quiescent() == Quiet::UntilInput
    }

    /// An edge of the core clock, alone or with the network clock. `SENDS` and `RECEIVES` name the halves of
    /// the Core Logic that do not rest.
    #[inline(never)]
    fn core_edge<const SENDS: bool, const RECEIVES: bool>(&mut self, edges: Edges, pins: &In) {
        let wires = self.core_logic.wires_of::<SENDS, RECEIVES>();
        let core = wires.outputs();
        let sodimm = self.sodimm_interface.outputs();
        let swif = self.swif.outputs();

        let core_pins = core_logic::In {
            host: pins.host,
            line: swif.line,
            packet_available: swif.packet_available,
            swif_fifo_free: swif.fifo_free,
            sma_lid: swif.sma_lid,
            link_status: swif.link_status,
            write_right: sodimm.write_right,
            sodimm_almost_full: sodimm.almost_full,
            sodimm_idle: sodimm.idle,
            read_right: sodimm.read_right,
            data: sodimm.data,
        };
        self.core_logic.tick_of::<SENDS, RECEIVES>(&wires, &core_pins);
        if core.controller_reset {
            self.sodimm_interface.reset();
        } else {
            self.sodimm_interface.tick(&sodimm_interface::pins::In {
                write_right_request: core.write_right_request,
                word: core.word,
                read_right_request: core.read_right_request,
                read: core.read,
                data_next0: core.data_next0,
                data_next1: core.data_next1,
                sodimm_enabled: core.sodimm_enabled,
                memory0: pins.memory0,
                memory1: pins.memory1,
            });
        }
        self.swif.edge(
            edges,
            &swif::pins::In {
                line: core.line,
                line_enable: core.line_enable,
                packet_start: core.packet_start,
                line_next: core.line_next,
                controller_reset: core.controller_reset,
                network: pins.network,
            },
        );
    }
}

hdl::observed!(Dimmnet2);

impl Probe for Dimmnet2 {
    #[inline(always)]
    fn probe(&self, visitor: &mut impl Visitor) {
        visitor.block("core_logic", &self.core_logic);
        visitor.block("sodimm_interface", &self.sodimm_interface);
        visitor.clocks(clocks::BOTH);
        visitor.block("swif", &self.swif);
        visitor.pins(Role::Outputs, || self.outputs());
    }
}
