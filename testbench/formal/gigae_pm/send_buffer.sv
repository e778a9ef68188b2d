/// The send buffers walk their declared arcs only, and an operation touches nothing but its channel (decision 0028).
///
/// For any content of the records: a message is recorded completely before its flag is written;
/// only records of the peer, within the named numbers, are freed; a message found is the one
/// requested; and no buffer is examined twice.
// Mutation: rtl/gigae_pm/firmware/send_buffer.sv | send_buffer_pkg::Size: state_d = send_buffer_pkg::Mark; | send_buffer_pkg::Size: state_d = send_buffer_pkg::Done;
// Mutation: rtl/gigae_pm/firmware/send_buffer.sv | of_peer = word[31] && | of_peer =
// Mutation: rtl/gigae_pm/firmware/send_buffer.sv | {16'b0, distance} < request_q.count | {16'b0, distance} <= request_q.count
// Mutation: rtl/gigae_pm/firmware/send_buffer.sv | finds && of_peer && distance == 16'd0 | finds && of_peer
// Mutation: rtl/gigae_pm/firmware/send_buffer.sv | {11'b0, request_q.channel, slot_q, 1'b0} | {11'b0, pins_i.request.channel, slot_q, 1'b0}
// Mutation: rtl/gigae_pm/firmware/send_buffer.sv | used_d = used_q - 7'd1 | used_d = used_q
// Mutation: rtl/gigae_pm/firmware/send_buffer.sv | slot_d = starts_keep ? pins_i.request.slot : 4'd0 | slot_d = pins_i.request.slot
// Witness: StateIsDeclared | rtl/gigae_pm/firmware/send_buffer.sv | send_buffer_pkg::Size: state_d = send_buffer_pkg::Mark; | send_buffer_pkg::Size: state_d = 4'd10;
// Witness: OneAccessAtATime | rtl/gigae_pm/firmware/send_buffer.sv | memory.wdata = {21'b0, request_q.size}; | memory.read = 1'b1;
// Witness: FoundAtTheEnd | rtl/gigae_pm/firmware/send_buffer.sv | found_d = 1'b0; | found_d = found_q;
module send_buffer_proof (
    input logic clk_i,
    input logic rst_ni,
    input send_buffer_pkg::in_t pins_i
);

  send_buffer_pkg::out_t pins_o;
  send_buffer u_send_buffer (.clk_i, .rst_ni, .pins_i, .pins_o);

  (* hierconn *) logic [3:0] \u_send_buffer.state_q ;
  (* hierconn *) logic [6:0] \u_send_buffer.used_q ;
  (* hierconn *) logic [92:0] \u_send_buffer.request_q ;
  logic [3:0] state;
  assign state = \u_send_buffer.state_q ;

  machine #(.States(10), .Arcs(send_buffer_pkg::StateArcs)) u_machine (.clk_i, .rst_ni, .state_i(state));

  // The current operation, the number of buffers examined, and the last word read.
  logic known_q;
  logic past_rst_nq;
  firmware_pkg::buffer_request_t request_q;
  logic [4:0]  looked_q;
  logic        recorded_q;
  logic        sized_q;
  logic [31:0] past_rdata_q;
  logic [3:0]  past_state_q;
  logic [6:0]  past_used_q;
  initial known_q = 1'b0;
  always @(posedge clk_i) begin
    known_q <= 1'b1;
    past_rst_nq <= rst_ni;
    past_rdata_q <= pins_i.memory_rdata;
    past_state_q <= state;
    past_used_q <= \u_send_buffer.used_q ;
    if (state == send_buffer_pkg::Idle) begin
      request_q <= pins_i.request;
      looked_q <= '0;
      recorded_q <= 1'b0;
      sized_q <= 1'b0;
    end else begin
      if (state == send_buffer_pkg::Search) looked_q <= looked_q + 5'd1;
      if (state == send_buffer_pkg::Keep) recorded_q <= 1'b1;
      if (state == send_buffer_pkg::Size) sized_q <= 1'b1;
    end
  end

  logic [17:0] records;
  logic [17:0] flags;
  logic        keeps;
  logic        finds;
  logic        of_peer;
  logic [15:0] distance;
  assign records = memory_map_pkg::SendRecords + {11'b0, request_q.channel, 5'b0};
  assign flags = memory_map_pkg::SendDescriptors + {10'b0, request_q.channel, 6'b0};
  assign keeps = (request_q.operation == firmware_pkg::Keep);
  assign finds = (request_q.operation == firmware_pkg::Find);
  assign of_peer = past_rdata_q[31] && past_rdata_q[25:16] == request_q.node;
  assign distance = past_rdata_q[15:0] - request_q.number[15:0];

  always @* begin
    if (known_q) begin
      if (pins_o.memory.read) begin
        ReadsRecordsOfItsChannel: assert (pins_o.memory.address - records < 18'd32);
      end
      if (pins_o.memory.write) begin
        WritesRecordsAndFlagsOfItsChannel: assert (
            pins_o.memory.address - records < 18'd32 ||
            (pins_o.memory.address - flags < 18'd64 && pins_o.memory.address[1:0] == 2'b11));
      end
      if (pins_o.memory.read && state == send_buffer_pkg::Search) begin
        LooksAtOneBufferAfterTheOther: assert (pins_o.memory.address == records + {12'd0, looked_q, 1'b0});
      end
      if (state == send_buffer_pkg::Clear) begin
        FreesWhatWasNamed: assert (of_peer && {16'd0, distance} < request_q.count && !finds && !keeps);
      end
      if (state == send_buffer_pkg::Fetch) begin
        FindsWhatWasAskedFor: assert (of_peer && distance == 16'd0 && finds);
      end
      if (state == send_buffer_pkg::Mark && keeps) begin
        FlagComesAfterTheRecord: assert (recorded_q && sized_q);
      end
      if (pins_o.done && keeps) begin
        MessageIsRecordedWhole: assert (recorded_q && sized_q);
        DescriptorIsMarked: assert (past_state_q == send_buffer_pkg::Mark || !past_rst_nq);
      end
      if (pins_o.done && !keeps && !pins_o.found) SearchesAllBuffers: assert (looked_q == 5'd16);
      if (pins_o.done && pins_o.found) OnlyAFindFinds: assert (finds);
      if (past_rst_nq) begin
        CountsBuffersInUse: assert (
            \u_send_buffer.used_q  == past_used_q + {6'd0, past_state_q == send_buffer_pkg::Keep} -
                                      {6'd0, past_state_q == send_buffer_pkg::Clear});
      end
      // Invariants that carry the induction.
      if (state != send_buffer_pkg::Idle) assert (request_q == \u_send_buffer.request_q );
      case (state)
        send_buffer_pkg::Keep: begin
          assert (keeps && !recorded_q && !sized_q && pins_o.slot == request_q.slot && !pins_o.found);
        end
        send_buffer_pkg::Size: begin
          assert (keeps && recorded_q && !sized_q && pins_o.slot == request_q.slot && !pins_o.found);
        end
        send_buffer_pkg::Search: begin
          assert (!keeps && looked_q == {1'b0, pins_o.slot} && !pins_o.found);
        end
        send_buffer_pkg::Compare, send_buffer_pkg::Fetch, send_buffer_pkg::Take, send_buffer_pkg::Clear: begin
          assert (!keeps && looked_q == {1'b0, pins_o.slot} + 5'd1 && !pins_o.found);
        end
        send_buffer_pkg::Mark: begin
          assert (!pins_o.found);
          if (keeps) begin
            assert (recorded_q && sized_q && pins_o.slot == request_q.slot);
          end else begin
            assert (looked_q == {1'b0, pins_o.slot} + 5'd1 && !finds);
          end
        end
        default: ;
      endcase
      if (state == send_buffer_pkg::Take) assert (finds);
      if (state == send_buffer_pkg::Clear) assert (!finds);
    end
  end

endmodule
