/// Receive DMA stores frames where the firmware looks for them, and never over one that waits (decision 0028).
///
/// All writes are in the buffer at the head of the ring, which is not one of the waiting ones; a
/// bad or foreign frame changes nothing but a counter; the length is the last word of a good frame
/// to be written.
// Mutation: rtl/gigae_pm/network_dma/receive_dma.sv | head_d = head_q + 4'd1 | head_d = head_q
// Mutation: rtl/gigae_pm/network_dma/receive_dma.sv | end else if (bad) begin | end else if (status.runt) begin
// Mutation: rtl/gigae_pm/network_dma/receive_dma.sv | assign stored = (state_q == receive_dma_pkg::Length) && pins_i.memory_grant | assign stored = (state_q == receive_dma_pkg::Length)
// Mutation: rtl/gigae_pm/network_dma/receive_dma.sv | waiting_q + {4'b0, stored} - {4'b0, pins_i.frame_done} | waiting_q + {4'b0, stored}
// Mutation: rtl/gigae_pm/network_dma/receive_dma.sv | pins_o.frame_slot = head_q - waiting_q[3:0] | pins_o.frame_slot = head_q - 4'd1
// Mutation: rtl/gigae_pm/network_dma/receive_dma.sv | length_d = status.length - 11'd4 | length_d = status.length
// Witness: StateIsDeclared | rtl/gigae_pm/network_dma/receive_dma.sv | state_d = receive_dma_pkg::Length; | state_d = 2'd3;
// Witness: OneReadOfTheMac | rtl/gigae_pm/network_dma/receive_dma.sv | assign pins_o.word_next = (state_q == receive_dma_pkg::Store); | assign pins_o.word_next = (state_q != receive_dma_pkg::Length);
module receive_dma_proof (
    input logic clk_i,
    input logic rst_ni,
    input receive_dma_pkg::in_t pins_i
);

  receive_dma_pkg::out_t pins_o;
  receive_dma u_receive_dma (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0] \u_receive_dma.state_q ;
  (* hierconn *) logic [3:0] \u_receive_dma.head_q ;
  (* hierconn *) logic [4:0] \u_receive_dma.waiting_q ;
  (* hierconn *) logic [8:0] \u_receive_dma.count_q ;
  logic [1:0] state;
  assign state = \u_receive_dma.state_q ;

  machine #(.States(3), .Arcs(receive_dma_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // The firmware releases only a waiting frame; a frame has fewer words than its buffer.
  always @* begin
    if (!pins_o.frame_waiting) assume (!pins_i.frame_done);
    if (\u_receive_dma.count_q  == 9'd400) assume (pins_i.word.last);
  end

  logic known_q;
  logic past_rst_nq;
  logic past_enable_q;
  logic past_done_q;
  logic [1:0] past_state_q;
  logic [4:0] past_waiting_q;
  logic [3:0] past_slot_q;
  mac_pkg::receive_status_t status;
  mac_pkg::receive_status_t past_status_q;
  logic past_last_q;
  logic past_grant_q;
  logic past_waits_q;
  receive_dma_pkg::receive_counts_t past_counts_q;
  assign status = pins_i.word.data;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_enable_q <= pins_i.enable;
    past_done_q <= pins_i.frame_done;
    past_state_q <= state;
    past_waiting_q <= \u_receive_dma.waiting_q ;
    past_slot_q <= pins_o.frame_slot;
    past_waits_q <= pins_o.frame_waiting;
    past_status_q <= status;
    past_last_q <= pins_i.word.last;
    past_grant_q <= pins_i.memory_grant;
    past_counts_q <= pins_o.counts;
  end

  // The bytes of the current frame, without its check sequence.
  logic [10:0] length_q;
  always @(posedge clk_i) if (state == receive_dma_pkg::Store && pins_i.word.last) length_q <= status.length - 11'd4;

  logic [17:0] offset;
  assign offset = pins_o.memory_address - memory_map_pkg::Frames;

  always @* begin
    if (known_q) begin
      NoMoreFramesThanBuffers: assert (\u_receive_dma.waiting_q  <= 5'd16);
      if (pins_o.memory_write) begin
        WritesIntoTheRing: assert (offset < 18'd8192);
        WritesOverNoFrameThatWaits: assert (\u_receive_dma.waiting_q  <= 5'd15);
        WritesAtTheHead: assert (offset[12:9] == \u_receive_dma.head_q );
        LengthHasItsWord: assert (pins_o.length_enable == (offset[8:0] == memory_map_pkg::LengthWord));
      end
      if (pins_o.length_enable) LengthIsTheFrames: assert (pins_o.length == length_q);
      if (past_rst_nq) begin
        if (pins_o.counts.good != past_counts_q.good) begin
          GoodFrameHasItsLengthStored: assert (past_state_q == receive_dma_pkg::Length && past_grant_q);
        end
        if (state == receive_dma_pkg::Length && past_state_q == receive_dma_pkg::Store) begin
          BadFramesAreDropped: assert (past_enable_q && !past_status_q.runt && !past_status_q.giant &&
                                       !past_status_q.fcs_error);
        end
        if (past_state_q == receive_dma_pkg::Store && past_last_q && past_enable_q &&
            state == receive_dma_pkg::Idle) begin
          DroppedFramesAreCounted: assert (
              pins_o.counts.runts + pins_o.counts.giants + pins_o.counts.fcs_errors + pins_o.counts.foreign ==
              past_counts_q.runts + past_counts_q.giants + past_counts_q.fcs_errors + past_counts_q.foreign + 16'd1);
        end
        if (past_enable_q && past_waits_q && !past_done_q) begin
          OldestFrameStaysTheOldest: assert (pins_o.frame_waiting && pins_o.frame_slot == past_slot_q);
        end
        if (past_enable_q && past_done_q) begin
          NextFrameFollows: assert (pins_o.frame_slot == past_slot_q + 4'd1);
        end
        if (!past_enable_q) StoppedCardDropsWhatWaits: assert (!pins_o.frame_waiting);
      end
      // Invariants that carry the induction.
      if (state != receive_dma_pkg::Idle) assert (\u_receive_dma.waiting_q  <= 5'd15);
      if (state == receive_dma_pkg::Store) assert (\u_receive_dma.count_q  <= 9'd400);
      if (state == receive_dma_pkg::Length) assert (pins_o.length == length_q);
    end
  end

endmodule
