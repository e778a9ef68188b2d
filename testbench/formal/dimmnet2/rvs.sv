/// The RVS module goes where figure 5.15 goes, and sends well-formed packets and nothing else (thesis section 5.3).
///
/// For every transfer, every stall of the SWIF FIFO and every pace of the Prefetch Unit: no packet
/// is longer than MTU; lines are identified 01, 11 .. 11, 10; the number of lines of a packet
/// follows from its Packet Size; only the last packet has eflag; each packet carries the PGID
/// register of the process that owns the data. A line of data is sent two cycles after it is taken,
/// and a packet takes exactly the lines that it sends (decision 0034).
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | long_padded = {1'b0, long_room} + 13'd7 | long_padded = {1'b0, long_room} + 13'd8
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | pgid = vector_load_q.wid ? pins_i.pgid1 : pins_i.pgid0 | pgid = pins_i.pgid0
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | eflag_q && last_packet_q | eflag_q
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | header_left_d = long_header_q ? 2'd3 : 2'd2 | header_left_d = 2'd2
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | fits = (remaining_q <= {20'd0, room}) | fits = (remaining_q < {20'd0, room})
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | command_padded = {1'b0, pins_i.sizes.command[11:0]} + 13'd7 | command_padded = {1'b0, pins_i.sizes.command[11:0]} + 13'd8
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | begins_total = is_limited ? | begins_total = pins_i.sizes.limited ?
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | ready = (window_left_q != 7'd0) || (pins_i.packet_lines != 11'd0) | ready = (pins_i.packet_lines != 11'd0)
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | taken_d = asks && ready | taken_d = asks
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | complete = (pins_i.packet_lines >= {1'b0, awaited_q}) | complete = ready
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | data_counter_q - {3'd0, window_left_q} : 10'd0 | data_counter_q - {3'd0, window_left_q} : 10'd1
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | valid_d = taken_q | valid_d = 1'b1
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | between = {1'b0, taken_q} + {1'b0, valid_q && state_q == rvs_pkg::Rvs5} | between = {1'b0, valid_q && state_q == rvs_pkg::Rvs5}
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | odd_d = window_q[0] | odd_d = 1'b0
// Mutation: rtl/dimmnet2/window_controller/rvs.sv | pins_o.packet_next = asks && window_left_q == 7'd0 | pins_o.packet_next = asks
// Witness: StateIsDeclared | rtl/dimmnet2/window_controller/rvs.sv | state_d = long_header_q ? rvs_pkg::Rvs2 : rvs_pkg::Rvs3; | state_d = long_header_q ? rvs_pkg::Rvs2 : 4'd12;
module rvs_proof (
    input logic clk_i,
    input logic rst_ni,
    input rvs_pkg::in_t pins_i
);

  rvs_pkg::out_t pins_o;
  rvs u_rvs (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [$clog2(10)-1:0] \u_rvs.state_q ;
  (* hierconn *) logic [31:0] \u_rvs.remaining_q ;
  (* hierconn *) logic [11:0] \u_rvs.bytes_q ;
  (* hierconn *) logic [7:0]  \u_rvs.elements_q ;
  (* hierconn *) logic [9:0]  \u_rvs.data_counter_q ;
  (* hierconn *) logic [9:0]  \u_rvs.awaited_q ;
  (* hierconn *) logic        \u_rvs.last_packet_q ;
  (* hierconn *) logic        \u_rvs.long_header_q ;
  (* hierconn *) logic [1:0]  \u_rvs.header_left_q ;
  (* hierconn *) logic        \u_rvs.valid_q ;
  (* hierconn *) logic        \u_rvs.first_q ;
  (* hierconn *) logic        \u_rvs.eflag_q ;
  (* hierconn *) logic [63:0] \u_rvs.line_q ;
  (* hierconn *) logic [44:0] \u_rvs.target_q ;
  (* hierconn *) logic [7:0]  \u_rvs.window_q ;
  (* hierconn *) logic [6:0]  \u_rvs.window_left_q ;
  (* hierconn *) logic        \u_rvs.taken_q ;
  (* hierconn *) logic        \u_rvs.from_window_q ;
  (* hierconn *) logic        \u_rvs.odd_q ;

  rvs_pkg::vector_t target;
  assign target = \u_rvs.target_q ;

  logic [3:0] state;
  assign state = \u_rvs.state_q ;

  machine #(.States(10), .Arcs(rvs_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // Requests of the Executor: consistent sizes (proved for the Request Acceptor), one of five MTUs,
  // and at most the elements of the target.
  logic        begins;
  logic [31:0] limit;
  logic [31:0] total;
  assign limit = {17'd0, pins_i.sizes.elements} + {22'd0, pins_i.sizes.window_lines, 3'd0};
  assign total = (pins_i.sizes.limited && limit < pins_i.sizes.command) ? limit : pins_i.sizes.command;
  assign begins = (state == rvs_pkg::Prim) && pins_i.start && total != 32'd0;
  always @* begin
    assume ({16'd0, pins_i.sizes.limit} == limit);
    assume (pins_i.sizes.nothing == (total == 32'd0));
    if (begins) begin
      assume (pins_i.mtu == 13'd256 || pins_i.mtu == 13'd512 || pins_i.mtu == 13'd1024 ||
              pins_i.mtu == 13'd2048 || pins_i.mtu == 13'd4088);
      assume (pins_i.sizes.window_lines <= 7'd64 && total >= {22'd0, pins_i.sizes.window_lines, 3'd0});
      assume (pins_i.target.variant == 2'd0 || total <= (32'd255 << pins_i.target.dtype));
    end
  end

  // The transfer: its parameters and the bytes left; and the current packet: its bytes and its
  // place in the transfer.
  logic        contiguous_q;
  logic [2:0]  dtype_q;
  logic        wid_q;
  logic        eflag_q;
  logic [12:0] mtu_q;
  logic [31:0] left_q;
  logic        long_q;
  logic        last_q;
  logic [12:0] size_q;
  logic [1:0]  headers_q;
  logic [12:0] sent_q;
  logic [12:0] lines;
  logic [12:0] whole;
  logic        fits;
  assign lines = (size_q + 13'd7) >> 3;
  assign fits = left_q <= {19'd0, mtu_q - 13'd24};
  assign whole = ((mtu_q - 13'd24) >> dtype_q) << dtype_q;
  always @(posedge clk_i) begin
    case (state)
      rvs_pkg::Prim:
        if (begins) begin
          contiguous_q <= (pins_i.target.variant == 2'd0);
          dtype_q <= pins_i.target.dtype;
          wid_q <= pins_i.wid;
          eflag_q <= pins_i.eflag;
          mtu_q <= pins_i.mtu;
          left_q <= total;
          if (pins_i.target.variant == 2'd0 && total <= {19'd0, pins_i.mtu - 13'd16}) begin
            long_q <= 1'b0;
            last_q <= 1'b1;
            size_q <= total[12:0];
          end else begin
            long_q <= 1'b1;
            last_q <= 1'b0;
            size_q <= pins_i.mtu - 13'd24;
          end
        end
      rvs_pkg::Rvss1: begin
        last_q <= fits;
        size_q <= fits ? left_q[12:0] : whole;
      end
      rvs_pkg::Rvs1: begin
        headers_q <= 2'd0;
        sent_q <= 13'd0;
        if (!pins_i.swif_fifo_almost_full) left_q <= left_q - {19'd0, size_q};
      end
      rvs_pkg::Rvs4: headers_q <= headers_q + 2'd1;
      rvs_pkg::Rvs5: begin
        if (leaves_q) sent_q <= sent_q + 13'd1;
        if (contiguous_q && !last_q && leaves_q && sent_q + 13'd1 == lines) begin
          last_q <= fits;
          size_q <= fits ? left_q[12:0] : mtu_q - 13'd24;
        end
      end
      default: ;
    endcase
  end

  // Lines of the Write Window are always available. A packet begins with its first line, or when
  // all of its lines are available.
  logic        awaits_all_q;
  logic [12:0] from_window;
  logic [12:0] awaited;
  logic        there;
  always @(posedge clk_i) begin
    if (state == rvs_pkg::Rvs1) awaits_all_q <= pins_i.data_awaited;
  end
  assign from_window = (\u_rvs.window_left_q  < lines) ? {6'd0, \u_rvs.window_left_q } : lines;
  assign awaited = awaits_all_q ? lines - from_window : {12'd0, \u_rvs.window_left_q  == 7'd0};
  assign there = pins_i.packet_lines >= awaited;

  // A line is taken, is on an input in the next cycle and on the output in the one after. Lines of
  // the Write Windows come in pairs.
  logic        takes;
  logic        came_q;
  logic        leaves_q;
  logic [12:0] taken_q;
  logic        place_q;
  logic        from_window_q;
  logic        odd_q;
  logic [63:0] data_q;
  assign takes = pins_o.write_window_read_enable || (pins_o.packet_next && pins_i.packet_lines != 11'd0);
  always @(posedge clk_i) begin
    came_q <= rst_ni && takes;
    leaves_q <= rst_ni && came_q;
    if (state == rvs_pkg::Rvs1) taken_q <= 13'd0;
    else if (takes) taken_q <= taken_q + 13'd1;
    if (begins) place_q <= pins_i.window[0];
    else if (pins_o.write_window_read_enable) place_q <= !place_q;
    from_window_q <= pins_o.write_window_read_enable;
    odd_q <= place_q;
    data_q <= !from_window_q ? pins_i.packet_data :
              odd_q ? pins_i.write_window_rdata[127:64] : pins_i.write_window_rdata[63:0];
  end

  // Figure 5.15; a transfer of no bytes has no packet (decision 0019).
  logic [3:0] next;
  always @* begin
    case (state)
      rvs_pkg::Prim:
        next = !begins ? rvs_pkg::Prim : pins_i.prefetch_unit_busy ? rvs_pkg::Wait :
               (pins_i.target.variant == 2'd0) ? rvs_pkg::Rvs1 : rvs_pkg::Rvss1;
      rvs_pkg::Wait:
        next = pins_i.prefetch_unit_busy ? rvs_pkg::Wait : contiguous_q ? rvs_pkg::Rvs1 : rvs_pkg::Rvss1;
      rvs_pkg::Rvss1: next = fits ? rvs_pkg::Rvs1 : rvs_pkg::Rvss2;
      rvs_pkg::Rvss2: next = rvs_pkg::Rvs1;
      rvs_pkg::Rvs1:
        next = pins_i.swif_fifo_almost_full ? rvs_pkg::Rvs1 : long_q ? rvs_pkg::Rvs2 : rvs_pkg::Rvs3;
      rvs_pkg::Rvs2: next = there ? rvs_pkg::Rvs4 : rvs_pkg::Rvs2;
      rvs_pkg::Rvs3: next = there ? rvs_pkg::Rvs4 : rvs_pkg::Rvs3;
      rvs_pkg::Rvs4: next = (headers_q + 2'd1 == (long_q ? 2'd3 : 2'd2)) ? rvs_pkg::Rvs5 : rvs_pkg::Rvs4;
      rvs_pkg::Rvs5:
        next = (!leaves_q || sent_q + 13'd1 != lines) ? rvs_pkg::Rvs5 : last_q ? rvs_pkg::RvsEnd :
               contiguous_q ? rvs_pkg::Rvs1 : rvs_pkg::Rvss1;
      default: next = rvs_pkg::Prim;
    endcase
  end
  diagram #(.Width(4)) u_diagram (.clk_i, .rst_ni, .state_i(state), .next_i(next));

  // The PGID registers in the cycle in which the first line is built.
  logic       known_q;
  logic [7:0] pgid_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    if (state == rvs_pkg::Rvs1) pgid_q <= wid_q ? pins_i.pgid1 : pins_i.pgid0;
  end

  logic has_packet;
  logic has_header;
  logic in_data;
  assign has_packet = state >= rvs_pkg::Rvs1 && state <= rvs_pkg::Rvs5;
  assign has_header = state >= rvs_pkg::Rvs2 && state <= rvs_pkg::Rvs5;
  assign in_data = (state == rvs_pkg::Rvs5);
  always @* begin
    if (known_q) begin
      OneSourceForALine: assert (!(pins_o.packet_next && pins_o.write_window_read_enable));
      LinesAreThoseOfThePacket: assert (pins_o.line_enable == (state == rvs_pkg::Rvs4 || (in_data && leaves_q)));
      if (in_data && pins_o.line_enable) LineIsTheOneThatWasTaken: assert (pins_o.line.data == data_q);
      if (!in_data && state != rvs_pkg::Rvs4) NothingIsTakenBetweenPackets: assert (!takes && !came_q);
      if (pins_o.line_enable) begin
        if (!in_data && headers_q == 2'd0) begin
          FirstLine: assert (pins_o.line.id == line_pkg::First);
          GroupIsThatOfTheRegister: assert (pins_o.line.data[27:20] == pgid_q);
          ProcessOwnsTheData: assert (pins_o.line.data[30] == wid_q);
          SizeIsThatOfThePacket: assert ({1'b0, pins_o.line.data[11:0]} == size_q + (long_q ? 13'd24 : 13'd16));
          SizeIsAtMostMtu: assert ({1'b0, pins_o.line.data[11:0]} <= mtu_q);
          LastPacketAsksForAStatus: assert (pins_o.line.data[60] == (eflag_q && last_q));
        end else if (in_data && sent_q + 13'd1 == lines) begin
          LastLine: assert (pins_o.line.id == line_pkg::Last);
        end else begin
          MiddleLine: assert (pins_o.line.id == line_pkg::Middle);
        end
      end
      // Invariants that carry the induction.
      if (state != rvs_pkg::Prim && state != rvs_pkg::RvsEnd) begin
        assert (mtu_q == 13'd256 || mtu_q == 13'd512 || mtu_q == 13'd1024 || mtu_q == 13'd2048 ||
                mtu_q == 13'd4088);
        assert (pins_o.mtu == mtu_q);
        assert (\u_rvs.remaining_q  == left_q);
        assert (\u_rvs.long_header_q  == long_q);
        assert (\u_rvs.eflag_q  == eflag_q);
        assert (pins_o.vector_load.wid == wid_q);
        assert ((target.variant == 2'd0) == contiguous_q);
        if (!contiguous_q) assert (target.dtype == dtype_q);
        if (!contiguous_q) assert (left_q <= (32'd255 << dtype_q));
        if (!contiguous_q) assert (long_q);
      end
      if (state == rvs_pkg::Wait || state == rvs_pkg::Rvs1) assert (left_q != 32'd0);
      if (state == rvs_pkg::Rvss1) assert (left_q != 32'd0);
      if (state == rvs_pkg::Rvss2) begin
        assert (!last_q && !contiguous_q && size_q == whole && left_q > {19'd0, mtu_q - 13'd24});
        assert ({5'd0, \u_rvs.elements_q } == ((mtu_q - 13'd24) >> dtype_q));
        assert (\u_rvs.last_packet_q  == last_q);
      end
      if ((state == rvs_pkg::Wait && contiguous_q) || has_packet) begin
        assert (\u_rvs.last_packet_q  == last_q);
        assert ({1'b0, \u_rvs.bytes_q } == size_q);
        assert (size_q != 13'd0 && size_q + (long_q ? 13'd24 : 13'd16) <= mtu_q);
        if (!long_q) assert (last_q);
        if (!last_q) assert (contiguous_q ? size_q == mtu_q - 13'd24 : size_q == whole);
      end
      if ((state == rvs_pkg::Wait && contiguous_q) || state == rvs_pkg::Rvs1) begin
        if (last_q) assert (left_q == {19'd0, size_q});
        else assert (left_q > {19'd0, size_q});
      end
      if (has_header) begin
        if (last_q) assert (left_q == 32'd0);
        else assert (left_q != 32'd0);
      end
      if ((state == rvs_pkg::Wait && contiguous_q) || (has_packet && !in_data)) begin
        assert ({3'd0, \u_rvs.data_counter_q } == lines);
      end
      if (has_header && !in_data) assert (sent_q == 13'd0);
      if (has_header) begin
        PacketTakesNoMoreThanItSends: assert (taken_q <= lines);
        assert (taken_q == sent_q + {12'd0, came_q} + {12'd0, leaves_q});
      end
      if (has_header && !in_data) assert (!leaves_q);
      if (came_q) assert (state == rvs_pkg::Rvs4 ? \u_rvs.header_left_q  == 2'd1 : in_data);
      assert (\u_rvs.taken_q  == came_q);
      assert (\u_rvs.valid_q  == pins_o.line_enable);
      if (came_q) assert (\u_rvs.from_window_q  == from_window_q);
      if (came_q && from_window_q) assert (\u_rvs.odd_q  == odd_q);
      if (state != rvs_pkg::Prim && state != rvs_pkg::RvsEnd) assert (\u_rvs.window_q [0] == place_q);
      if (in_data) begin
        assert (sent_q < lines && {3'd0, \u_rvs.data_counter_q } + sent_q == lines);
        assert (!\u_rvs.first_q );
      end
      if (state == rvs_pkg::Rvs2) assert (long_q);
      if (state == rvs_pkg::Rvs3) assert (!long_q);
      if (state == rvs_pkg::Rvs2 || state == rvs_pkg::Rvs3) begin
        assert (headers_q == 2'd0);
        assert ({3'd0, \u_rvs.awaited_q } == awaited);
      end
      if (state >= rvs_pkg::Rvs2 && state <= rvs_pkg::Rvs4) begin
        assert ({1'b0, \u_rvs.header_left_q } + {1'b0, headers_q} == (long_q ? 3'd3 : 3'd2));
        assert (\u_rvs.header_left_q  != 2'd0);
        assert (\u_rvs.first_q  == (headers_q == 2'd0));
        if (headers_q == 2'd0) begin
          assert (\u_rvs.line_q [27:20] == pgid_q);
          assert (\u_rvs.line_q [30] == wid_q);
          assert (\u_rvs.line_q [60] == (eflag_q && last_q));
          assert ({1'b0, \u_rvs.line_q [11:0]} == size_q + (long_q ? 13'd24 : 13'd16));
        end
      end
    end
  end

endmodule
