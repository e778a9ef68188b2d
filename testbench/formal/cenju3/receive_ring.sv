/// A position moves by one, after data and then header are in memory (hazard H18).
///
/// A packet writes only its slot and its header, or the bytes at its address.
// Mutation: rtl/cenju3/receive_ring.sv | heading_q ? end_of_header : (end_of_data && !last_q) | heading_q ? end_of_header : end_of_data
// Mutation: rtl/cenju3/receive_ring.sv | (pins_i.word.last != end_of_packet) | (pins_i.word.last && !end_of_packet)
// Mutation: rtl/cenju3/receive_ring.sv | if (!writing_q) begin | if (1'b1) begin
// Mutation: rtl/cenju3/receive_ring.sv | write_d = write_q + 6'd1 | write_d = write_q + 6'd2
// Mutation: rtl/cenju3/receive_ring.sv | {pins_i.header_base, write_q, count_q, 3'b0} | {pins_i.header_base, write_q + 6'd1, count_q, 3'b0}
// Mutation: rtl/cenju3/receive_ring.sv | strobe_d = end_of_data ? (8'hff >> (3'd7 - bytes_q)) : 8'hff | strobe_d = 8'hff
// Mutation: rtl/cenju3/receive_ring.sv | assign takes = pins_i.word_valid && !writing_q | assign takes = pins_i.word_valid
// Mutation: rtl/cenju3/receive_ring.sv | words_d = header.bytes[7:3] | words_d = header.bytes[7:3] - 5'd1
// Witness: StateIsDeclared | rtl/cenju3/receive_ring.sv | receive_ring_pkg::Fault: state_d = receive_ring_pkg::Idle; | receive_ring_pkg::Fault: state_d[2:0] = 3'd5;
// Witness: PositionMovesWhenAllIsWritten | rtl/cenju3/receive_ring.sv | if (!writing_q) begin | if (last_q) begin
// Witness: PositionMovesForAHeader | rtl/cenju3/receive_ring.sv | heading_d = end_of_data; | {heading_d, write_d} = {end_of_data, write_q + 6'd1};
// Witness: CauseComesWithThePosition | rtl/cenju3/receive_ring.sv | arrived_d = 1'b1; | arrived_d = pins_i.message;
// Witness: HeaderHasSixWords | rtl/cenju3/receive_ring.sv | if (end_of_packet) begin | if (end_of_packet && !heading_q) begin
// Witness: WordHasItsFirstByte | rtl/cenju3/receive_ring.sv | (8'hff >> (3'd7 - bytes_q)) | (8'hff << bytes_q)
module receive_ring_proof (
    input logic clk_i,
    input logic rst_ni,
    input receive_ring_pkg::in_t pins_i
);

  receive_ring_pkg::out_t pins_o;
  receive_ring u_receive_ring (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [2:0]  \u_receive_ring.state_q ;
  (* hierconn *) logic [5:0]  \u_receive_ring.write_q ;
  (* hierconn *) logic        \u_receive_ring.last_q ;
  (* hierconn *) logic [4:0]  \u_receive_ring.words_q ;
  (* hierconn *) logic [2:0]  \u_receive_ring.bytes_q ;
  (* hierconn *) logic        \u_receive_ring.heading_q ;
  (* hierconn *) logic [2:0]  \u_receive_ring.count_q ;
  (* hierconn *) logic [25:0] \u_receive_ring.address_q ;
  (* hierconn *) logic [25:0] \u_receive_ring.data_q ;
  logic [2:0] state;
  assign state = \u_receive_ring.state_q ;

  machine #(.States(5), .Arcs(receive_ring_pkg::StateArcs)) u_machine (.clk_i, .rst_ni,
      .state_i(state));

  // Registers and packet are stable while a packet is stored; a message fits its slot
  // (link_receive); memory answers only requests.
  memory_map_pkg::header_t header;
  memory_map_pkg::header_t header_q;
  logic        message_q;
  logic [13:0] header_base_q;
  logic [12:0] data_base_q;
  assign header = pins_i.header;
  always @* begin
    if (state != receive_ring_pkg::Idle) begin
      assume (pins_i.message == message_q && pins_i.header_base == header_base_q);
    end
    if (pins_i.start && pins_i.message) assume (!header.bytes[7]);
    if (!pins_o.memory_request) assume (!pins_i.memory_ready);
  end

  // Words of data and of the header that are in memory.
  logic       known_q;
  logic       past_rst_nq;
  logic [5:0] data_q;
  logic [2:0] headers_q;
  logic [5:0] past_write_q;
  logic       of_header_q;
  logic       of_last_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_write_q <= pins_o.write;
    if (state == receive_ring_pkg::Idle) begin
      header_q <= pins_i.header;
      message_q <= pins_i.message;
      header_base_q <= pins_i.header_base;
      data_base_q <= pins_i.data_base;
      data_q <= '0;
      headers_q <= '0;
    end else if (pins_o.memory_request && pins_i.memory_ready) begin
      if (of_header_q) headers_q <= headers_q + 3'd1;
      else data_q <= data_q + 6'd1;
    end
    // A word that is taken belongs to the part that the state stores.
    if (pins_o.word_next && pins_i.word_valid) begin
      of_header_q <= \u_receive_ring.heading_q ;
      of_last_q <= pins_i.word.last;
    end
  end

  logic [5:0]  words;
  logic [25:0] first;
  logic [25:0] offset;
  logic [25:0] slot;
  assign words = {1'b0, header_q.bytes[7:3]} + 6'd1;
  assign slot = {data_base_q, pins_o.write, 7'b0};
  assign first = message_q ? slot : header_q.address[25:0];
  assign offset = pins_o.memory_address - first;

  always @* begin
    if (known_q && past_rst_nq) begin
      if (pins_o.write != past_write_q) begin
        MovesByOne: assert (pins_o.write == past_write_q + 6'd1);
        DataIsInMemory: assert (data_q == words);
        HeaderIsInMemory: assert (headers_q == 3'd6 && !pins_o.memory_request);
        HostIsToldNow: assert (pins_o.arrived);
      end else begin
        NothingElseArrives: assert (!pins_o.arrived);
      end
      if (pins_o.memory_request) begin
        if (of_header_q) begin
          HeaderAfterAllData: assert (data_q == words);
          HeaderGoesToItsPlace: assert (pins_o.memory_address ==
                                        {header_base_q, pins_o.write, headers_q, 3'b0} &&
                                            headers_q < 3'd6);
        end else begin
          DataGoesToItsPlace: assert (offset == {17'b0, data_q, 3'b0} && data_q < words);
          BytesBehindTheDataStay: assert (pins_o.memory_strobe ==
              ((data_q + 6'd1 == words) ? (8'hff >> (3'd7 - header_q.bytes[2:0])) : 8'hff));
        end
      end
    end
    if (known_q && state == receive_ring_pkg::Settle) PacketEndsWithItsLastWord: assert (of_last_q);
    // Invariants that carry the induction.
    if (known_q && state != receive_ring_pkg::Idle) begin
      assert (data_q <= words && headers_q <= 3'd6);
      assert (\u_receive_ring.last_q  == header_q.last &&
          \u_receive_ring.bytes_q  == header_q.bytes[2:0]);
      assert (\u_receive_ring.address_q  == first + {17'b0, data_q, 3'b0} + {22'b0,
          pins_o.memory_request && !of_header_q, 3'b0});
      if (state == receive_ring_pkg::Store && !\u_receive_ring.heading_q ) begin
        assert (headers_q == 3'd0 && \u_receive_ring.count_q  == 3'd0);
        assert (!pins_o.memory_request || !of_header_q);
        assert ({1'b0, \u_receive_ring.words_q } + data_q + {5'b0,
            pins_o.memory_request} + 6'd1 == words);
      end
      if (state == receive_ring_pkg::Store && \u_receive_ring.heading_q ) begin
        assert (data_q + {5'b0, pins_o.memory_request && !of_header_q} == words && header_q.last);
        assert (headers_q + {2'b0, pins_o.memory_request &&
            of_header_q} == \u_receive_ring.count_q );
        assert (\u_receive_ring.count_q  <= 3'd5);
        assert (!(pins_o.memory_request && !of_header_q) || \u_receive_ring.count_q  == 3'd0);
      end
      if (state == receive_ring_pkg::Settle || state == receive_ring_pkg::Move) begin
        if (header_q.last) begin
          assert (data_q == words && headers_q + {2'b0, pins_o.memory_request} == 3'd6 &&
              (!pins_o.memory_request || of_header_q));
        end else begin
          assert (data_q + {5'b0, pins_o.memory_request} == words && !(pins_o.memory_request &&
              of_header_q));
        end
      end
      if (state == receive_ring_pkg::Move ||
          state == receive_ring_pkg::Fault) assert (!pins_o.memory_request);
    end
    if (known_q && state == receive_ring_pkg::Idle) assert (!pins_o.memory_request);
  end

endmodule
