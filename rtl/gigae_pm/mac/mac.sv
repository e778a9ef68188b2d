/// MAC: sends and receives Ethernet frames, and crosses between the two clocks.
///
/// The card's side runs at 33 MHz, GMII at 125 MHz with one byte per cycle. A FIFO in each
/// direction transfers whole frames, so a frame on the wire has no gaps.
module mac (
    /// Card clock, 33.33 MHz.
    input  logic          clk_i,
    /// Network clock, 125 MHz.
    input  logic          network_clk_i,
    /// Synchronous reset, low for at least one edge of each clock.
    input  logic          rst_ni,
    /// From network DMA and the physical layer.
    input  mac_pkg::in_t  pins_i,
    /// To network DMA and the physical layer.
    output mac_pkg::out_t pins_o
);

  mac_transmit_pkg::in_t   transmit_in;
  mac_transmit_pkg::out_t  transmit_out;
  mac_receive_pkg::in_t    receive_in;
  mac_receive_pkg::out_t   receive_out;
  mac_pkg::transmit_word_t transmit_rdata;
  mac_pkg::receive_word_t  receive_rdata;

  logic        transmit_available;
  logic        transmit_packet;
  logic [10:0] receive_free;
  logic        receive_packet;
  assign transmit_packet = transmit_out.packet_next && transmit_available;
  assign receive_packet = pins_i.frame_start && pins_o.frame_available;

  assign pins_o.receive_word = receive_rdata;
  assign pins_o.network.tx_data = transmit_out.tx_data;
  assign pins_o.network.tx_enable = transmit_out.tx_enable;

  assign transmit_in.packet_available = transmit_available;
  assign transmit_in.word = transmit_rdata;
  assign receive_in.rx_data = pins_i.network.rx_data;
  assign receive_in.rx_valid = pins_i.network.rx_valid;
  assign receive_in.rx_error = pins_i.network.rx_error;
  assign receive_in.fifo_free = receive_free;

  mac_transmit u_mac_transmit (
      .clk_i(network_clk_i),
      .rst_ni,
      .pins_i(transmit_in),
      .pins_o(transmit_out)
  );

  mac_receive u_mac_receive (
      .clk_i(network_clk_i),
      .rst_ni,
      .pins_i(receive_in),
      .pins_o(receive_out)
  );

  // Only whole frames are read, so `empty_o` is not needed.
  /* verilator lint_off PINCONNECTEMPTY */
  async_fifo #(
      .Width(35),
      .Depth(1024)
  ) u_transmit_fifo (
      .write_clk_i(clk_i),
      .write_rst_ni(rst_ni),
      .write_enable_i(pins_i.transmit_enable),
      .wdata_i(pins_i.transmit_word),
      .write_last_i(pins_i.transmit_word.last),
      .free_o(pins_o.transmit_free),
      .read_clk_i(network_clk_i),
      .read_rst_ni(rst_ni),
      .read_enable_i(transmit_packet || (transmit_out.word_next && !transmit_rdata.last)),
      .read_packet_i(transmit_packet),
      .rdata_o(transmit_rdata),
      .empty_o(),
      .packet_available_o(transmit_available)
  );

  async_fifo #(
      .Width(33),
      .Depth(1024)
  ) u_receive_fifo (
      .write_clk_i(network_clk_i),
      .write_rst_ni(rst_ni),
      .write_enable_i(receive_out.word_enable),
      .wdata_i(receive_out.word),
      .write_last_i(receive_out.word.last),
      .free_o(receive_free),
      .read_clk_i(clk_i),
      .read_rst_ni(rst_ni),
      .read_enable_i(receive_packet || (pins_i.word_next && !receive_rdata.last)),
      .read_packet_i(receive_packet),
      .rdata_o(receive_rdata),
      .empty_o(),
      .packet_available_o(pins_o.frame_available)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  // A word from the cable always finds room, even in a frame that is too long.
`ifndef SYNTHESIS
  always @(posedge network_clk_i) begin
    if (rst_ni) begin
      ReceiveFifoHasRoom : assert (!receive_out.word_enable || (receive_free != 11'd0));
    end
  end
`endif

endmodule
