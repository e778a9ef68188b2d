/// The MAC stores a received frame as whole words and one status, and only where the FIFO has room for it (decision 0028).
///
/// For every byte, gap and error on the pins: after a status come the words of one frame and its
/// status; a frame begins only with room for the longest, and has no more words than that; the
/// status contains the number of bytes received, up to 2,047, and whether length and check sequence
/// are right.
// Shorter: rtl/gigae_pm/generated/mac/mac_pkg.sv | ShortestFrame = 11'd64 | ShortestFrame = 11'd6
// Shorter: rtl/gigae_pm/generated/mac/mac_pkg.sv | LongestFrame = 11'd1518 | LongestFrame = 11'd10
// Mutation: rtl/gigae_pm/mac/mac_receive.sv | pins_i.fifo_free < mac_pkg::FrameWords | pins_i.fifo_free < 11'd3
// Mutation: rtl/gigae_pm/mac/mac_receive.sv | miss = no_room_q; | miss = 1'b0;
// Mutation: rtl/gigae_pm/mac/mac_receive.sv | (length_q < mac_pkg::LongestFrame) | (length_q <= mac_pkg::LongestFrame)
// Mutation: rtl/gigae_pm/mac/mac_receive.sv | (length_q < mac_pkg::ShortestFrame) | (length_q <= mac_pkg::ShortestFrame)
// Mutation: rtl/gigae_pm/mac/mac_receive.sv | \|\| error_q | \|\| pins_i.rx_error
// Mutation: rtl/gigae_pm/mac/mac_receive.sv | ? mac_receive_pkg::Status : mac_receive_pkg::Flush | ? mac_receive_pkg::Status : mac_receive_pkg::Status
// Mutation: rtl/gigae_pm/mac/mac_receive.sv | word_d.last = 1'b1 | word_d.last = miss
// Witness: StateIsDeclared | rtl/gigae_pm/mac/mac_receive.sv | state_d = (index_q == 2'd0) ? mac_receive_pkg::Status : mac_receive_pkg::Flush; | state_d = 3'd6;
// Witness: DroppedFrameIsNotStored | rtl/gigae_pm/mac/mac_receive.sv | word_enable_d = 1'b0; | word_enable_d = pins_i.rx_valid;
module mac_receive_proof (
    input logic clk_i,
    input logic rst_ni,
    input mac_receive_pkg::in_t pins_i
);

  mac_receive_pkg::out_t pins_o;
  mac_receive u_mac_receive (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0]  \u_mac_receive.state_q ;
  (* hierconn *) logic [1:0]  \u_mac_receive.index_q ;
  (* hierconn *) logic [10:0] \u_mac_receive.length_q ;
  (* hierconn *) logic [31:0] \u_mac_receive.crc_q ;
  (* hierconn *) logic        \u_mac_receive.error_q ;
  (* hierconn *) logic        \u_mac_receive.no_room_q ;
  logic [2:0] state;
  assign state = \u_mac_receive.state_q ;

  machine #(.States(6), .Arcs(mac_receive_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // The current frame: bytes after the delimiter, check sequence, errors, stored words, and room at
  // its start.
  logic        known_q;
  logic        past_rst_nq;
  logic [10:0] bytes_q;
  logic [31:0] check_q;
  logic [31:0] check;
  logic        error_q;
  logic [8:0]  words_q;
  logic        room_q;
  logic        inside;
  crc32 u_check (
      .crc_i(check_q),
      .byte_i(pins_i.rx_data),
      .crc_o(check)
  );
  assign inside = (state == mac_receive_pkg::Frame) && pins_i.rx_valid;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    if (state == mac_receive_pkg::Idle) room_q <= (pins_i.fifo_free >= mac_pkg::FrameWords);
    if (state == mac_receive_pkg::Preamble) begin
      bytes_q <= '0;
      check_q <= 32'hffff_ffff;
      error_q <= 1'b0;
    end else if (inside) begin
      if (bytes_q != 11'h7ff) bytes_q <= bytes_q + 11'd1;
      check_q <= check;
      error_q <= error_q || pins_i.rx_error;
    end
    if (pins_o.word_enable) words_q <= pins_o.word.last ? 9'd0 : words_q + 9'd1;
    if (!rst_ni) words_q <= '0;
  end

  // Words filled by the bytes and two padding bytes; and all words, with a partial last one.
  logic [10:0] stored;
  logic [11:0] filled;
  logic [8:0]  full;
  logic [8:0]  all;
  mac_pkg::receive_status_t status;
  assign stored = (bytes_q < mac_pkg::LongestFrame) ? bytes_q : mac_pkg::LongestFrame;
  assign filled = {1'b0, stored} + 12'd2;
  assign full = filled[10:2];
  assign all = full + {8'd0, filled[1:0] != 2'd0};
  assign status = pins_o.word.data;
  // Properties of the frame when its status was built.
  logic [10:0] past_bytes_q;
  logic [31:0] past_check_q;
  logic        past_error_q;
  logic [8:0]  past_all_q;
  always @(posedge clk_i) begin
    past_bytes_q <= bytes_q;
    past_check_q <= check_q;
    past_error_q <= error_q;
    past_all_q <= all;
  end

  always @* begin
    if (known_q) begin
      if (pins_o.word_enable) begin
        if (!pins_o.word.last) StoredOnlyWithRoom: assert (room_q);
        NoMoreWordsThanTheLongestHas: assert (words_q < mac_pkg::FrameWords[8:0]);
      end
      if (pins_o.word_enable && pins_o.word.last) begin
        StatusComesBehindAllWords: assert (words_q == past_all_q);
        StatusTellsTheLength: assert (status.length == past_bytes_q);
        StatusTellsRuntAndGiant: assert (status.runt == (past_bytes_q < mac_pkg::ShortestFrame) &&
                                         status.giant == (past_bytes_q > mac_pkg::LongestFrame));
        StatusTellsTheCheckSequence: assert (
            status.fcs_error == (past_check_q != 32'hdebb_20e3 || past_error_q));
      end
      // Invariants that carry the induction.
      if (state == mac_receive_pkg::Preamble) begin
        assert (room_q == !\u_mac_receive.no_room_q  && words_q == 9'd0 && !pins_o.word_enable);
      end
      if (state == mac_receive_pkg::Frame || state == mac_receive_pkg::Flush || state == mac_receive_pkg::Status) begin
        assert (room_q && bytes_q == \u_mac_receive.length_q  && check_q == \u_mac_receive.crc_q  &&
                error_q == \u_mac_receive.error_q );
        assert (!pins_o.word_enable || !pins_o.word.last);
      end
      if (state == mac_receive_pkg::Frame || state == mac_receive_pkg::Flush) begin
        assert (words_q + {8'd0, pins_o.word_enable} == full && \u_mac_receive.index_q  == filled[1:0]);
      end
      if (state == mac_receive_pkg::Flush) assert (filled[1:0] != 2'd0);
      if (state == mac_receive_pkg::Status) assert (words_q + {8'd0, pins_o.word_enable} == all);
      if (state == mac_receive_pkg::Idle || state == mac_receive_pkg::Drop) begin
        assert (pins_o.word_enable ? pins_o.word.last : words_q == 9'd0);
      end
    end
  end

endmodule
