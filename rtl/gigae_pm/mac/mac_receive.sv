/// Receives frames: finds the start delimiter, packs bytes into words, checks length and check
/// sequence.
///
/// The words of a frame go into the receive FIFO as they arrive, and a status follows them, because
/// the check sequence is the last part of a frame. The reader of the FIFO drops frames with a bad
/// status. A frame for which the FIFO has no room at its start is not stored; the next status
/// reports it. The number of free words is known late in a cycle, so a register tells whether there
/// is room, and a frame without room is detected one cycle later (decision 0052).
module mac_receive (
    /// Network clock, 125 MHz.
    input  logic                  clk_i,
    /// Synchronous reset.
    input  logic                  rst_ni,
    /// From the physical layer and receive FIFO.
    input  mac_receive_pkg::in_t  pins_i,
    /// To receive FIFO.
    output mac_receive_pkg::out_t pins_o
);

  mac_receive_pkg::state_e state_d, state_q;
  logic [1:0]             index_d, index_q;
  logic [31:0]            data_d, data_q;
  logic [10:0]            length_d, length_q;
  logic [31:0]            crc_d, crc_q;
  logic                   error_d, error_q;
  logic                   no_room_d, no_room_q;
  logic [7:0]             missed_d, missed_q;
  mac_pkg::receive_word_t word_d, word_q;
  logic                   word_enable_d, word_enable_q;

  assign pins_o.word = word_q;
  assign pins_o.word_enable = word_enable_q;

  logic [31:0]              data;
  logic [31:0]              next_crc;
  mac_pkg::receive_status_t status;
  logic                     miss;
  logic [7:0]               more_missed;
  assign more_missed = (missed_q == 8'hff) ? missed_q : missed_q + 8'd1;
  assign data = data_q | ({24'b0, pins_i.rx_data} << (8 * index_q));
  // 0xdebb20e3 is the CRC-32 residue of a frame without an error, its check sequence included.
  assign status.length = length_q;
  assign status.fcs_error = (crc_q != 32'hdebb_20e3) || error_q;
  assign status.runt = (length_q < mac_pkg::ShortestFrame);
  assign status.giant = (length_q > mac_pkg::LongestFrame);
  assign status.reserved = '0;
  assign status.missed = missed_q;

  crc32 u_crc32 (
      .crc_i(crc_q),
      .byte_i(pins_i.rx_data),
      .crc_o(next_crc)
  );

  always_comb begin
    state_d = state_q;
    index_d = index_q;
    data_d = data_q;
    length_d = length_q;
    crc_d = crc_q;
    error_d = error_q;
    no_room_d = no_room_q;
    missed_d = missed_q;
    word_d = word_q;
    word_enable_d = 1'b0;
    miss = 1'b0;

    unique case (state_q)
      // Idle: requires room for the longest frame, because stored words cannot be removed.
      mac_receive_pkg::Idle: begin
        if (pins_i.rx_valid) begin
          no_room_d = (pins_i.fifo_free < mac_pkg::FrameWords);
          state_d = mac_receive_pkg::Preamble;
        end
      end
      // Preamble: its length does not matter. Two padding bytes precede the frame in its first
      // word.
      mac_receive_pkg::Preamble: begin
        index_d = 2'd2;
        data_d = '0;
        length_d = '0;
        crc_d = 32'hffff_ffff;
        error_d = 1'b0;
        miss = no_room_q;
        if (!pins_i.rx_valid) begin
          state_d = mac_receive_pkg::Idle;
        end else if (miss) begin
          state_d = mac_receive_pkg::Drop;
        end else if (pins_i.rx_data == 8'hd5) begin
          state_d = mac_receive_pkg::Frame;
        end
      end
      // Frame: bytes beyond the longest frame are counted, not stored.
      mac_receive_pkg::Frame: begin
        if (pins_i.rx_valid) begin
          crc_d = next_crc;
          error_d = error_q || pins_i.rx_error;
          length_d = (length_q == 11'h7ff) ? length_q : length_q + 11'd1;
          if (length_q < mac_pkg::LongestFrame) begin
            index_d = index_q + 2'd1;
            data_d = (index_q == 2'd3) ? '0 : data;
            word_d.data = data;
            word_d.last = 1'b0;
            word_enable_d = (index_q == 2'd3);
          end
        end else begin
          state_d = (index_q == 2'd0) ? mac_receive_pkg::Status : mac_receive_pkg::Flush;
        end
      end
      // Flush: stores the last word.
      mac_receive_pkg::Flush: begin
        word_d.data = data_q;
        word_d.last = 1'b0;
        word_enable_d = 1'b1;
        state_d = mac_receive_pkg::Status;
      end
      // Status: a frame that begins in this cycle, without a gap, has lost its preamble.
      mac_receive_pkg::Status: begin
        word_d.data = status;
        word_d.last = 1'b1;
        word_enable_d = 1'b1;
        missed_d = '0;
        miss = pins_i.rx_valid;
        state_d = miss ? mac_receive_pkg::Drop : mac_receive_pkg::Idle;
      end
      // Drop: discards the rest of the frame.
      mac_receive_pkg::Drop: begin
        if (!pins_i.rx_valid) begin
          state_d = mac_receive_pkg::Idle;
        end
      end
      default: state_d = mac_receive_pkg::Idle;
    endcase

    // The status has reported the frames missed before.
    if (miss) missed_d = (state_q == mac_receive_pkg::Status) ? 8'd1 : more_missed;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= mac_receive_pkg::Idle;
      index_q <= '0;
      data_q <= '0;
      length_q <= '0;
      crc_q <= '0;
      error_q <= '0;
      no_room_q <= '0;
      missed_q <= '0;
      word_q <= '0;
      word_enable_q <= '0;
    end else begin
      state_q <= state_d;
      index_q <= index_d;
      data_q <= data_d;
      length_q <= length_d;
      crc_q <= crc_d;
      error_q <= error_d;
      no_room_q <= no_room_d;
      missed_q <= missed_d;
      word_q <= word_d;
      word_enable_q <= word_enable_d;
    end
  end

  // A frame without room is not stored; in its first cycle, the status of the frame before may be.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= mac_receive_pkg::Drop);
      DroppedFrameIsNotStored : assert (
          state_q != mac_receive_pkg::Drop || !word_enable_q || word_q.last);
    end
  end
`endif

endmodule
