/// Transmit DMA hands whole frames over: header, then as many words as the frame has, the last one marked (decision 0028).
///
/// A frame begins only if the MAC has room for the longest. The twelve words of the header come in
/// order; a frame of another protocol has none. Words of NIC memory follow in order, and their
/// number is that of the frame's size.
// Mutation: rtl/gigae_pm/network_dma/transmit_dma.sv | pins_i.fifo_free >= mac_pkg::FrameWords | pins_i.fifo_free != 11'd0
// Mutation: rtl/gigae_pm/network_dma/transmit_dma.sv | assign last_of_header = (count_q == 4'd11) | assign last_of_header = (count_q == 4'd10)
// Mutation: rtl/gigae_pm/network_dma/transmit_dma.sv | assign size_up = pins_i.frame.size + 11'd3 | assign size_up = pins_i.frame.size + 11'd4
// Mutation: rtl/gigae_pm/network_dma/transmit_dma.sv | word_d.last = last_of_header && empty | word_d.last = last_of_header
// Mutation: rtl/gigae_pm/network_dma/transmit_dma.sv | valid_d = reads | valid_d = pins_o.memory_read
// Mutation: rtl/gigae_pm/network_dma/transmit_dma.sv | frame_q.size[1:0] - 2'd1 | frame_q.size[1:0]
// Witness: NoWordIsReadInVain | rtl/gigae_pm/network_dma/transmit_dma.sv | valid_d = reads; | valid_d = pins_i.memory_grant;
// Witness: HeaderHasTwelveWords | rtl/gigae_pm/network_dma/transmit_dma.sv | assign last_of_header = (count_q == 4'd11); | assign last_of_header = (count_q == 4'd12);
module transmit_dma_proof (
    input logic clk_i,
    input logic rst_ni,
    input transmit_dma_pkg::in_t pins_i
);

  transmit_dma_pkg::out_t pins_o;
  transmit_dma u_transmit_dma (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [1:0] \u_transmit_dma.state_q ;
  (* hierconn *) logic [3:0] \u_transmit_dma.count_q ;
  (* hierconn *) logic [8:0] \u_transmit_dma.left_q ;
  (* hierconn *) logic       \u_transmit_dma.valid_q ;
  (* hierconn *) logic [92:0] \u_transmit_dma.frame_q ;
  logic [1:0] state;
  header_pkg::frame_t own;
  assign own = \u_transmit_dma.frame_q ;
  assign state = \u_transmit_dma.state_q ;

  machine #(.States(4), .Arcs(transmit_dma_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // Sizes that the firmware allows: a message, none for a control frame, or a frame of another
  // protocol.
  always @* begin
    if (pins_i.start) begin
      assume (pins_i.frame.size <= (pins_i.frame.raw ? memory_map_pkg::OtherMtu : memory_map_pkg::Mtu));
      if (pins_i.frame.raw) assume (pins_i.frame.size != 11'd0);
    end
  end

  // The requested frame, the words sent, the words read, and the next word.
  logic known_q;
  logic past_rst_nq;
  header_pkg::frame_t frame_q;
  logic        ended_q;
  logic [8:0]  sent_q;
  logic [8:0]  read_q;
  logic        reads_q;
  logic [31:0] rdata_q;
  logic [10:0] past_free_q;
  logic [1:0]  past_state_q;
  logic [8:0]  payload;
  logic [3:0]  header;
  logic [10:0] size_up;
  assign size_up = frame_q.size + 11'd3;
  assign payload = size_up[10:2];
  assign header = frame_q.raw ? 4'd0 : 4'd12;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_free_q <= pins_i.fifo_free;
    past_state_q <= state;
    rdata_q <= pins_i.memory_rdata;
    reads_q <= rst_ni && pins_o.memory_read && pins_i.memory_grant;
    if (pins_o.word_enable) begin
      sent_q <= sent_q + 9'd1;
      ended_q <= pins_o.word.last;
    end
    if (pins_o.memory_read && pins_i.memory_grant) read_q <= read_q + 9'd1;
    if (rst_ni && pins_o.idle && pins_i.start) begin
      frame_q <= pins_i.frame;
      sent_q <= '0;
      read_q <= '0;
      ended_q <= 1'b0;
    end
    if (!rst_ni) ended_q <= 1'b1;
  end

  // The last word of a frame is sent in the cycle in which the next frame can be started.
  logic leaving;
  assign leaving = pins_o.word_enable && pins_o.idle;
  logic [9:0] total;
  assign total = {6'd0, header} + {1'b0, payload};

  always @* begin
    if (known_q) begin
      if (pins_o.word_enable) begin
        NoWordTooMany: assert (!ended_q && {1'b0, sent_q} < total);
        LastWordEndsTheFrame: assert (pins_o.word.last == ({1'b0, sent_q} + 10'd1 == total));
        if (pins_o.word.last && payload != 9'd0) begin
          LastWordHasTheBytesThatAreLeft: assert (pins_o.word.bytes == frame_q.size[1:0] - 2'd1);
        end
        if ({5'd0, header} <= sent_q) PayloadIsWhatMemoryHeld: assert (pins_o.word.data == rdata_q);
      end
      if (pins_o.memory_read) begin
        WordsFollowEachOther: assert (pins_o.memory_address == frame_q.address + {9'd0, read_q});
        ReadsNoWordTooMany: assert (read_q < payload);
      end
      if (past_rst_nq && past_state_q == transmit_dma_pkg::Room && state != transmit_dma_pkg::Room) begin
        BeginsWithRoomForTheLongest: assert (past_free_q >= mac_pkg::FrameWords);
      end
      if (pins_o.idle && !leaving) EveryFrameEnds: assert (ended_q);
      // Invariants that carry the induction.
      if (leaving) assert (pins_o.word.last && !ended_q);
      if (!pins_o.idle) begin
        assert (!ended_q && frame_q.raw == own.raw &&
                frame_q.size == own.size && read_q + \u_transmit_dma.left_q  == payload &&
                read_q <= payload && own.address == frame_q.address + {9'd0, read_q});
        assert (frame_q.size <= (frame_q.raw ? memory_map_pkg::OtherMtu : memory_map_pkg::Mtu));
        assert (!frame_q.raw || frame_q.size != 11'd0);
      end
      case (state)
        transmit_dma_pkg::Idle: begin
          assert (!\u_transmit_dma.valid_q  && \u_transmit_dma.count_q  == 4'd0);
        end
        transmit_dma_pkg::Room: begin
          assert (sent_q == 9'd0 && read_q == 9'd0 && !pins_o.word_enable && \u_transmit_dma.count_q  == 4'd0 &&
                  !\u_transmit_dma.valid_q );
        end
        transmit_dma_pkg::Header: begin
          assert (!frame_q.raw && read_q == 9'd0 && \u_transmit_dma.count_q  <= 4'd11 &&
                  sent_q + {8'd0, pins_o.word_enable} == {5'd0, \u_transmit_dma.count_q } &&
                  pins_o.word_enable == (\u_transmit_dma.count_q  != 4'd0) && !\u_transmit_dma.valid_q );
        end
        default: begin
          assert (sent_q + {8'd0, pins_o.word_enable} + {8'd0, \u_transmit_dma.valid_q } == {5'd0, header} + read_q &&
                  \u_transmit_dma.valid_q  == reads_q && payload != 9'd0 &&
                  \u_transmit_dma.count_q  == 4'd0);
          assert (\u_transmit_dma.left_q  != 9'd0 || \u_transmit_dma.valid_q );
        end
      endcase
      if (state != transmit_dma_pkg::Idle && pins_o.word_enable) assert (!pins_o.word.last);
    end
  end

endmodule
