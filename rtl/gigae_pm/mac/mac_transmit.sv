/// Sends frames: preamble, bytes, padding, check sequence, gap (IEEE 802.3, sections 3 and 4).
///
/// One byte is sent per cycle of the network clock. The state machine starts only when a whole
/// frame waits and always has the next word available, so a frame has no gaps. A frame of maximum
/// size takes 1,538 cycles from its preamble to the next: 8 + 1,518 + 12, as in the 12.30 us of the
/// paper's bandwidth.
module mac_transmit (
    /// Network clock, 125 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From transmit FIFO.
    input  mac_transmit_pkg::in_t  pins_i,
    /// To transmit FIFO and the physical layer.
    output mac_transmit_pkg::out_t pins_o
);

  mac_transmit_pkg::state_e state_d, state_q;
  logic [1:0]  index_d, index_q;
  logic [10:0] count_d, count_q;
  logic [31:0] crc_d, crc_q;
  logic [7:0]  tx_data_d, tx_data_q;
  logic        tx_enable_d, tx_enable_q;

  assign pins_o.packet_next = (state_q == mac_transmit_pkg::Idle);
  assign pins_o.word_next = (state_q == mac_transmit_pkg::Data) && (index_q == 2'd3);
  assign pins_o.tx_data = tx_data_q;
  assign pins_o.tx_enable = tx_enable_q;

  logic [7:0]  frame_byte;
  logic [31:0] next_crc;
  logic [10:0] next_count;
  logic        ends;
  logic        delimiter;
  logic        short_frame;
  assign frame_byte = (state_q == mac_transmit_pkg::Data) ? pins_i.word.data[8*index_q+:8] : 8'h00;
  assign next_count = count_q + 11'd1;
  assign ends = pins_i.word.last && (index_q == pins_i.word.bytes);
  assign delimiter = (next_count == mac_transmit_pkg::PreambleBytes);
  assign short_frame = (next_count < mac_pkg::ShortestFrame - 11'd4);

  crc32 u_crc32 (
      .crc_i(crc_q),
      .byte_i(frame_byte),
      .crc_o(next_crc)
  );

  always_comb begin
    state_d = state_q;
    index_d = index_q;
    count_d = count_q;
    crc_d = crc_q;
    tx_data_d = 8'h00;
    tx_enable_d = 1'b0;

    unique case (state_q)
      // Idle: the first word arrives on `word` in the next cycle; its first two bytes are not sent.
      mac_transmit_pkg::Idle: begin
        if (pins_i.packet_available) begin
          index_d = 2'd2;
          crc_d = 32'hffff_ffff;
          state_d = mac_transmit_pkg::Preamble;
        end
      end
      // Preamble: the last byte is the start delimiter.
      mac_transmit_pkg::Preamble: begin
        tx_data_d = delimiter ? 8'hd5 : 8'h55;
        tx_enable_d = 1'b1;
        count_d = delimiter ? '0 : next_count;
        state_d = delimiter ? mac_transmit_pkg::Data : mac_transmit_pkg::Preamble;
      end
      // Data: up to the last byte of the last word.
      mac_transmit_pkg::Data: begin
        tx_data_d = frame_byte;
        tx_enable_d = 1'b1;
        crc_d = next_crc;
        index_d = index_q + 2'd1;
        count_d = next_count;
        if (ends) begin
          count_d = short_frame ? next_count : '0;
          state_d = short_frame ? mac_transmit_pkg::Pad : mac_transmit_pkg::Fcs;
        end
      end
      // Pad: the zeros are part of the check sequence.
      mac_transmit_pkg::Pad: begin
        tx_enable_d = 1'b1;
        crc_d = next_crc;
        count_d = next_count;
        if (next_count == mac_pkg::ShortestFrame - 11'd4) begin
          count_d = '0;
          state_d = mac_transmit_pkg::Fcs;
        end
      end
      // Fcs: the complement, lowest byte first.
      mac_transmit_pkg::Fcs: begin
        tx_data_d = ~crc_q[7:0];
        tx_enable_d = 1'b1;
        crc_d = {8'h00, crc_q[31:8]};
        count_d = next_count;
        if (next_count == 11'd4) begin
          count_d = '0;
          state_d = mac_transmit_pkg::Gap;
        end
      end
      // Gap: the wire is idle.
      mac_transmit_pkg::Gap: begin
        count_d = next_count;
        if (next_count == mac_transmit_pkg::GapCycles) begin
          count_d = '0;
          state_d = mac_transmit_pkg::Idle;
        end
      end
      default: state_d = mac_transmit_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= mac_transmit_pkg::Idle;
      index_q <= '0;
      count_q <= '0;
      crc_q <= '0;
      tx_data_q <= '0;
      tx_enable_q <= '0;
    end else begin
      state_q <= state_d;
      index_q <= index_d;
      count_q <= count_d;
      crc_q <= crc_d;
      tx_data_q <= tx_data_d;
      tx_enable_q <= tx_enable_d;
    end
  end

  // The wire is idle between frames.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= mac_transmit_pkg::Gap);
      NothingIsSentWithoutEnable : assert (tx_enable_q || tx_data_q == 8'd0);
    end
  end
`endif

endmodule
