/// A transfer moves each of its words once, in order, and no byte beyond it (decision 0060).
// Shorter: rtl/hca/host_dma.sv | bytes_d = pins_i.transfer.bytes; | bytes_d = {7'd0, pins_i.transfer.bytes[4:0]};
// Mutation: rtl/hca/host_dma.sv | (last && end_q != 3'd0) ? ~(8'hff << end_q) : 8'hff | 8'hff
// Mutation: rtl/hca/host_dma.sv | assign from = first_q ? (8'hff << lane_q) : 8'hff; | assign from = 8'hff;
// Mutation: rtl/hca/host_dma.sv | if (dests_q == 10'd0) state_d = host_dma_pkg::Done; | if (dests_q == 10'h3ff) state_d = host_dma_pkg::Done;
// Mutation: rtl/hca/host_dma.sv | end else if (sources_q == 10'd1) begin | end else if (sources_q == 10'd0) begin
// Mutation: rtl/hca/host_dma.sv | prime_d = (dest_lane < source_lane); | prime_d = 1'b0;
// Mutation: rtl/hca/host_dma.sv | end_d = dest_lane + bytes_q[2:0]; | end_d = bytes_q[2:0];
// Witness: FromTheHostOnly | rtl/hca/host_dma.sv | state_d = to_host_q ? host_dma_pkg::Fetch : host_dma_pkg::Read; | state_d = host_dma_pkg::Read;
// Witness: ToTheHostOnly | rtl/hca/host_dma.sv | state_d = to_host_q ? host_dma_pkg::Fetch : host_dma_pkg::Read; | state_d = host_dma_pkg::Fetch;
// Witness: WordThatIsWrittenHasBytes | rtl/hca/host_dma.sv | first_q ? (8'hff << lane_q) : 8'hff | first_q ? (8'hff << lane_q) : 8'h00
module host_dma_proof (
    input logic clk_i,
    input logic rst_ni,
    input host_dma_pkg::in_t pins_i
);

  host_dma_pkg::out_t pins_o;
  host_dma u_host_dma (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [3:0]  \u_host_dma.state_q ;
  (* hierconn *) logic [31:0] \u_host_dma.address_q ;
  (* hierconn *) logic [11:0] \u_host_dma.bytes_q ;
  (* hierconn *) logic        \u_host_dma.to_host_q ;
  (* hierconn *) logic [12:0] \u_host_dma.offset_q ;
  (* hierconn *) logic [9:0]  \u_host_dma.sources_q ;
  (* hierconn *) logic [9:0]  \u_host_dma.dests_q ;
  (* hierconn *) logic [2:0]  \u_host_dma.lane_q ;
  (* hierconn *) logic [2:0]  \u_host_dma.end_q ;
  (* hierconn *) logic        \u_host_dma.prime_q ;
  (* hierconn *) logic        \u_host_dma.first_q ;
  logic [3:0]  state;
  logic [11:0] bytes;
  assign state = \u_host_dma.state_q ;
  assign bytes = \u_host_dma.bytes_q ;

  machine #(.States(9), .Arcs(host_dma_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  // Start of the transfer on both sides, and words that the bus has transferred. The bus answers
  // only requests.
  logic        known_q;
  logic        past_rst_nq;
  logic [31:0] start_q;
  logic [2:0]  offset_q;
  logic [9:0]  moved_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    if (state == host_dma_pkg::Idle) begin
      start_q <= pins_i.transfer.address;
      offset_q <= pins_i.transfer.offset[2:0];
      moved_q <= '0;
    end else if (pins_o.transfer && pins_i.ready) begin
      moved_q <= moved_q + 10'd1;
    end
  end
  always @* if (!pins_o.request) assume (!pins_i.grant);

  // Words of host memory and of the packet that the transfer touches.
  logic [12:0] host_end;
  logic [12:0] packet_end;
  logic [9:0]  host_words;
  logic [9:0]  packet_words;
  logic        primes;
  logic [9:0]  written;
  assign host_end = {10'd0, start_q[2:0]} + {1'b0, bytes};
  assign packet_end = {10'd0, offset_q} + {1'b0, bytes};
  assign host_words = host_end[12:3] + {9'd0, host_end[2:0] != 3'd0};
  assign packet_words = packet_end[12:3] + {9'd0, packet_end[2:0] != 3'd0};
  assign primes = (offset_q < start_q[2:0]);
  assign written = (primes && moved_q != 10'd0) ? moved_q - 10'd1 : moved_q;

  // Bytes of the present word that belong to the transfer.
  logic [7:0]  mine;
  logic [12:0] at;
  always @* begin
    for (int i = 0; i < 8; i++) begin
      at = {moved_q, 3'd0} + i;
      mine[i] = at >= {10'd0, start_q[2:0]} && at < host_end;
    end
  end

  always @* begin
    if (known_q) begin
      if (pins_o.transfer) begin
        BusIsHeld: assert (pins_o.request);
        WordsAreInOrder: assert (pins_o.address == {start_q[31:3], 3'd0} + {19'd0, moved_q, 3'd0});
        NoWordBeyondIsTouched: assert (moved_q < host_words);
        if (pins_o.write) NoByteBeyondIsWritten: assert (pins_o.byte_enable == mine);
      end
      if (pins_o.done && bytes != 12'd0) EveryWordWasTransferred: assert (moved_q == host_words);
      if (pins_o.done && bytes == 12'd0) NothingWasTransferred: assert (moved_q == 10'd0);
      // Invariants that carry the induction.
      if (state == host_dma_pkg::Measure) assert (\u_host_dma.address_q  == start_q &&
          \u_host_dma.offset_q [2:0] == offset_q && moved_q == 10'd0);
      if (state != host_dma_pkg::Idle && state != host_dma_pkg::Measure &&
          state != host_dma_pkg::Done) begin
        assert (bytes != 12'd0);
        assert (\u_host_dma.lane_q  == (pins_o.write ? start_q[2:0] : offset_q));
        assert (\u_host_dma.end_q  == (pins_o.write ? host_end[2:0] : packet_end[2:0]));
      end
      if (state == host_dma_pkg::Request) begin
        assert (moved_q == 10'd0 && \u_host_dma.first_q  && \u_host_dma.address_q  == start_q);
        assert (\u_host_dma.prime_q  == (pins_o.write ? start_q[2:0] < offset_q : primes));
        assert (\u_host_dma.sources_q  == (pins_o.write ? packet_words : host_words));
        assert (\u_host_dma.dests_q  == (pins_o.write ? host_words : packet_words));
      end
      if (state == host_dma_pkg::Read || state == host_dma_pkg::Flush) begin
        assert (!pins_o.write && \u_host_dma.sources_q  == host_words - moved_q);
        assert (\u_host_dma.dests_q  == packet_words - written && written < packet_words);
      end
      if (state == host_dma_pkg::Read) begin
        assert (\u_host_dma.prime_q  == (primes && moved_q == 10'd0));
        assert (\u_host_dma.address_q [2:0] == start_q[2:0]);
      end
      if (state == host_dma_pkg::Flush) assert (moved_q == host_words);
      if (state == host_dma_pkg::Fetch || state == host_dma_pkg::Take) begin
        assert (pins_o.write && moved_q == 10'd0 && \u_host_dma.address_q  == start_q);
        assert (\u_host_dma.first_q  && \u_host_dma.dests_q  == host_words);
      end
      if (state == host_dma_pkg::Put) begin
        assert (pins_o.write && !\u_host_dma.first_q  &&
            \u_host_dma.dests_q  == host_words - 10'd1 - moved_q);
        assert (\u_host_dma.address_q [2:0] == start_q[2:0]);
      end
    end
  end

endmodule
