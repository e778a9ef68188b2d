/// SWIF, the Switch Interface: wraps DIMMnet-2 packets in InfiniBand frames and unwraps them
/// (thesis section 4.2).
///
/// The side of the Core Logic runs at 100 MHz, the side of the link at 125 MHz. A FIFO in each
/// direction transfers whole packets between them (decision 0010).
///
/// Reading: `packet_start` takes the first line of a packet, `line_next` each of the following; the
/// line is on `line` from the next cycle on. `line_next` is ignored after a last line, and
/// `packet_start` before it, so a reader can neither run into the next packet nor lose its
/// position.
///
/// Controller Reset lasts longer than its propagation through the synchroniser to the network
/// clock. For some cycles, both sides of both FIFOs and both state machines are therefore in reset
/// together.
module swif (
    /// Core clock, 100 MHz.
    input  logic           clk_i,
    /// Network clock, 125 MHz.
    input  logic           network_clk_i,
    /// Synchronous reset, low for at least one edge of each clock.
    input  logic           rst_ni,
    /// From Window Controller, Receive Controller, Write Unit, registers and the link.
    input  swif_pkg::in_t  pins_i,
    /// To Window Controller, Receive Controller, Write Unit, registers and the link.
    output swif_pkg::out_t pins_o
);

  encapsulation_pkg::in_t  encapsulation_in;
  encapsulation_pkg::out_t encapsulation_out;
  decapsulation_pkg::in_t  decapsulation_in;
  decapsulation_pkg::out_t decapsulation_out;

  logic              network_reset;
  logic              core_rst_n;
  logic              network_rst_n;
  logic [10:0]       transmit_free;
  line_pkg::line_t   transmit_rdata;
  logic              transmit_available;
  logic [10:0]       receive_free;
  line_pkg::line_t   receive_rdata;
  logic              receive_available;
  assign core_rst_n = rst_ni && !pins_i.controller_reset;
  assign network_rst_n = rst_ni && !network_reset;

  assign pins_o.fifo_free = transmit_free;
  assign pins_o.line = receive_rdata;
  assign pins_o.packet_available = receive_available;
  assign pins_o.network.tx_line = encapsulation_out.tx_line;
  assign pins_o.network.tx_valid = encapsulation_out.tx_valid;
  assign pins_o.network.rx_ready = decapsulation_out.rx_ready;

  logic transmit_packet;
  logic transmit_line;
  assign transmit_packet = encapsulation_out.packet_next && transmit_available;
  assign transmit_line = encapsulation_out.line_next && pins_i.network.tx_ready &&
                         (transmit_rdata.id != line_pkg::Last);

  // The reader is between two packets; after a reset no line has been read.
  logic between;
  logic receive_packet;
  logic receive_line;
  assign between = (receive_rdata.id == line_pkg::Last) || (receive_rdata.id == 2'b00);
  assign receive_packet = pins_i.packet_start && between && receive_available;
  assign receive_line = pins_i.line_next && !between;

  assign encapsulation_in.packet_available = transmit_available;
  assign encapsulation_in.line = transmit_rdata;
  assign encapsulation_in.tx_ready = pins_i.network.tx_ready;
  assign encapsulation_in.sma_lid = pins_i.network.sma_lid;
  assign decapsulation_in.rx_line = pins_i.network.rx_line;
  assign decapsulation_in.rx_valid = pins_i.network.rx_valid;
  assign decapsulation_in.sma_lid = pins_i.network.sma_lid;
  assign decapsulation_in.fifo_free = receive_free;

  encapsulation u_encapsulation (
      .clk_i(network_clk_i),
      .rst_ni(network_rst_n),
      .pins_i(encapsulation_in),
      .pins_o(encapsulation_out)
  );

  decapsulation u_decapsulation (
      .clk_i(network_clk_i),
      .rst_ni(network_rst_n),
      .pins_i(decapsulation_in),
      .pins_o(decapsulation_out)
  );

  // Only whole packets are read, so `empty_o` is not needed; nor is `coming_o` of the synchroniser.
  /* verilator lint_off PINCONNECTEMPTY */
  async_fifo #(
      .Width(66),
      .Depth(1024)
  ) u_transmit_fifo (
      .write_clk_i(clk_i),
      .write_rst_ni(core_rst_n),
      .write_enable_i(pins_i.line_enable),
      .wdata_i(pins_i.line),
      .write_last_i(pins_i.line.id == line_pkg::Last),
      .free_o(transmit_free),
      .read_clk_i(network_clk_i),
      .read_rst_ni(network_rst_n),
      .read_enable_i(transmit_packet || transmit_line),
      .read_packet_i(transmit_packet),
      .rdata_o(transmit_rdata),
      .empty_o(),
      .packet_available_o(transmit_available)
  );

  async_fifo #(
      .Width(66),
      .Depth(1024)
  ) u_receive_fifo (
      .write_clk_i(network_clk_i),
      .write_rst_ni(network_rst_n),
      .write_enable_i(decapsulation_out.line_enable),
      .wdata_i(decapsulation_out.line),
      .write_last_i(decapsulation_out.line.id == line_pkg::Last),
      .free_o(receive_free),
      .read_clk_i(clk_i),
      .read_rst_ni(core_rst_n),
      .read_enable_i(receive_packet || receive_line),
      .read_packet_i(receive_packet),
      .rdata_o(receive_rdata),
      .empty_o(),
      .packet_available_o(receive_available)
  );

  synchroniser #(
      .Width(1)
  ) u_controller_reset_sync (
      .clk_i(network_clk_i),
      .rst_ni,
      .value_i(pins_i.controller_reset),
      .coming_o(),
      .value_o(network_reset)
  );

  synchroniser #(
      .Width(16)
  ) u_sma_lid_sync (
      .clk_i,
      .rst_ni,
      .value_i(pins_i.network.sma_lid),
      .coming_o(),
      .value_o(pins_o.sma_lid)
  );

  synchroniser #(
      .Width(2)
  ) u_link_status_sync (
      .clk_i,
      .rst_ni,
      .value_i(pins_i.network.link_status),
      .coming_o(),
      .value_o(pins_o.link_status)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // A line from the link always finds room, even in a frame that is too long.
`ifndef SYNTHESIS
  always @(posedge network_clk_i) begin
    if (network_rst_n) begin
      ReceiveFifoHasRoom : assert (!decapsulation_out.line_enable || (receive_free != 11'd0));
    end
  end
`endif

endmodule
