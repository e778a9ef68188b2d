/// The board: Core Logic, SO-DIMM interface and SWIF (thesis section 4.1, figure 4.1).
///
/// The core clock and the network clock cross only in the FIFOs of SWIF.
module dimmnet2 (
    /// Core clock, 100 MHz: host bus, Core Logic, SO-DIMM interface.
    input  logic           clk_i,
    /// Network clock, 125 MHz: SWIF.
    input  logic           network_clk_i,
    /// Synchronous reset of both clock domains.
    input  logic           rst_ni,
    /// From host bus, SO-DIMMs, link.
    input  pins_pkg::in_t  pins_i,
    /// To host bus, SO-DIMMs, link.
    output pins_pkg::out_t pins_o
);

  core_logic_pkg::in_t core_in;
  core_logic_pkg::out_t core;
  sodimm_interface_pkg::in_t sodimm_in;
  sodimm_interface_pkg::out_t sodimm;
  swif_pkg::in_t swif_in;
  swif_pkg::out_t swif;

  assign pins_o.host.rdata = core.rdata;
  assign pins_o.memory0 = sodimm.memory0;
  assign pins_o.memory1 = sodimm.memory1;
  assign pins_o.network = swif.network;

  assign core_in.host = pins_i.host;
  assign core_in.line = swif.line;
  assign core_in.packet_available = swif.packet_available;
  assign core_in.swif_fifo_free = swif.fifo_free;
  assign core_in.sma_lid = swif.sma_lid;
  assign core_in.link_status = swif.link_status;
  assign core_in.write_right = sodimm.write_right;
  assign core_in.sodimm_almost_full = sodimm.almost_full;
  assign core_in.sodimm_idle = sodimm.idle;
  assign core_in.read_right = sodimm.read_right;
  assign core_in.data = sodimm.data;

  core_logic u_core_logic (
      .clk_i,
      .rst_ni,
      .pins_i(core_in),
      .pins_o(core)
  );

  logic controller_rst_n;
  assign controller_rst_n = rst_ni && !core.controller_reset;

  assign sodimm_in.write_right_request = core.write_right_request;
  assign sodimm_in.word = core.word;
  assign sodimm_in.read_right_request = core.read_right_request;
  assign sodimm_in.read = core.read;
  assign sodimm_in.data_next0 = core.data_next0;
  assign sodimm_in.data_next1 = core.data_next1;
  assign sodimm_in.sodimm_enabled = core.sodimm_enabled;
  assign sodimm_in.memory0 = pins_i.memory0;
  assign sodimm_in.memory1 = pins_i.memory1;

  sodimm_interface u_sodimm_interface (
      .clk_i,
      .rst_ni(controller_rst_n),
      .pins_i(sodimm_in),
      .pins_o(sodimm)
  );

  assign swif_in.line = core.line;
  assign swif_in.line_enable = core.line_enable;
  assign swif_in.packet_start = core.packet_start;
  assign swif_in.line_next = core.line_next;
  assign swif_in.controller_reset = core.controller_reset;
  assign swif_in.network = pins_i.network;

  swif u_swif (
      .clk_i,
      .network_clk_i,
      .rst_ni,
      .pins_i(swif_in),
      .pins_o(swif)
  );

  // A sender waits for room for the whole packet, and a user of the SO-DIMMs waits for the right.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (controller_rst_n) begin
      LineHasRoom : assert (!core.line_enable || (swif.fifo_free != 11'd0));
      WordHasTheRight : assert ((core.word.byte_enable == 8'd0) || sodimm.write_right);
      ReadHasTheRight : assert (!core.read.enable || sodimm.read_right);
    end
  end
`endif

endmodule
