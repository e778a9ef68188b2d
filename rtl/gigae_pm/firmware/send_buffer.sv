/// Send buffers: SBuf(r, i) of the paper's appendix, 16 in NIC memory for each channel.
///
/// A message stays in its buffer until it is acknowledged, so a retransmission needs no PCI DMA.
/// Each buffer has a record of two words: used, peer and the low half of the message number; and
/// the size. A buffer is found by a linear search, because a channel has few of them, and a table
/// for each peer would grow with the cluster.
///
/// Freeing a buffer also frees the send descriptor of the same slot, which tells the host that it
/// may use the slot again.
module send_buffer (
    /// Card clock, 33.33 MHz.
    input  logic                  clk_i,
    /// Synchronous reset.
    input  logic                  rst_ni,
    /// From the rules and NIC memory.
    input  send_buffer_pkg::in_t  pins_i,
    /// To the rules, the timer scan and NIC memory.
    output send_buffer_pkg::out_t pins_o
);

  send_buffer_pkg::state_e       state_d, state_q;
  firmware_pkg::buffer_request_t request_d, request_q;
  logic [3:0]                    slot_d, slot_q;
  logic                          found_d, found_q;
  logic [10:0]                   size_d, size_q;
  logic [6:0]                    used_d, used_q;

  logic        keeps;
  logic [17:0] record;
  logic [17:0] flag_word;
  assign keeps = (request_q.operation == firmware_pkg::Keep);
  assign record = memory_map_pkg::SendRecords + {11'b0, request_q.channel, slot_q, 1'b0};
  assign flag_word = memory_map_pkg::SendDescriptors + {10'b0, request_q.channel, slot_q, 2'b11};

  firmware_pkg::memory_access_t memory;
  always_comb begin
    memory = '0;
    unique case (state_q)
      send_buffer_pkg::Keep: begin
        memory.write = 1'b1;
        memory.address = record;
        memory.wdata = {1'b1, 5'b0, request_q.node, request_q.number[15:0]};
      end
      send_buffer_pkg::Size: begin
        memory.write = 1'b1;
        memory.address = record + 18'd1;
        memory.wdata = {21'b0, request_q.size};
      end
      send_buffer_pkg::Search: begin
        memory.read = 1'b1;
        memory.address = record;
      end
      send_buffer_pkg::Fetch: begin
        memory.read = 1'b1;
        memory.address = record + 18'd1;
      end
      send_buffer_pkg::Clear: begin
        memory.write = 1'b1;
        memory.address = record;
      end
      send_buffer_pkg::Mark: begin
        memory.write = 1'b1;
        memory.address = flag_word;
        memory.wdata = {30'b0, keeps ? memory_map_pkg::Kept : memory_map_pkg::Free};
      end
      default: ;
    endcase
  end
  assign pins_o.memory = memory;
  assign pins_o.done = (state_q == send_buffer_pkg::Done);
  assign pins_o.found = found_q;
  assign pins_o.slot = slot_q;
  assign pins_o.size = size_q;
  assign pins_o.outstanding = (used_q != 7'd0);

  logic [31:0] word;
  logic        finds;
  logic        starts_keep;
  logic [15:0] distance;
  logic        of_peer;
  logic        last;
  assign word = pins_i.memory_rdata;
  assign finds = (request_q.operation == firmware_pkg::Find);
  assign starts_keep = (pins_i.request.operation == firmware_pkg::Keep);
  // 16 bits distinguish all messages of a window.
  assign distance = word[15:0] - request_q.number[15:0];
  assign of_peer = word[31] && (word[25:16] == request_q.node);
  assign last = (slot_q == 4'd15);

  always_comb begin
    state_d = state_q;
    request_d = request_q;
    slot_d = slot_q;
    found_d = found_q;
    size_d = size_q;
    used_d = used_q;

    unique case (state_q)
      // Idle: the host chose the slot of a new message; a search begins with slot 0.
      send_buffer_pkg::Idle: begin
        if (pins_i.start) begin
          request_d = pins_i.request;
          slot_d = starts_keep ? pins_i.request.slot : 4'd0;
          found_d = 1'b0;
          state_d = starts_keep ? send_buffer_pkg::Keep : send_buffer_pkg::Search;
        end
      end
      // Keep: from now on, a search finds the message.
      send_buffer_pkg::Keep: begin
        used_d = used_q + 7'd1;
        state_d = send_buffer_pkg::Size;
      end
      // Size: a copy, because the host may change that of the descriptor.
      send_buffer_pkg::Size: state_d = send_buffer_pkg::Mark;
      // Search: the record arrives in the next cycle.
      send_buffer_pkg::Search: state_d = send_buffer_pkg::Compare;
      // Compare: Find matches one number, Free all `count` numbers from the first.
      send_buffer_pkg::Compare: begin
        if (finds && of_peer && distance == 16'd0) begin
          state_d = send_buffer_pkg::Fetch;
        end else if (!finds && of_peer && {16'b0, distance} < request_q.count) begin
          state_d = send_buffer_pkg::Clear;
        end else begin
          slot_d = last ? slot_q : slot_q + 4'd1;
          state_d = last ? send_buffer_pkg::Done : send_buffer_pkg::Search;
        end
      end
      // Fetch: the size arrives in the next cycle.
      send_buffer_pkg::Fetch: state_d = send_buffer_pkg::Take;
      // Take: the size ends the search.
      send_buffer_pkg::Take: begin
        found_d = 1'b1;
        size_d = word[10:0];
        state_d = send_buffer_pkg::Done;
      end
      // Clear: from now on, a search does not find the message.
      send_buffer_pkg::Clear: begin
        used_d = used_q - 7'd1;
        state_d = send_buffer_pkg::Mark;
      end
      // Mark: the descriptor is in use, or free for the host.
      send_buffer_pkg::Mark: begin
        slot_d = (last || keeps) ? slot_q : slot_q + 4'd1;
        state_d = (last || keeps) ? send_buffer_pkg::Done : send_buffer_pkg::Search;
      end
      // Done: the result is kept until the next operation.
      send_buffer_pkg::Done: state_d = send_buffer_pkg::Idle;
      default: state_d = send_buffer_pkg::Idle;
    endcase
  end

  // The upper half of a number is not recorded, and some bits of a record are always 0.
  logic unused;
  assign unused = &{1'b0, request_q.number[31:16], request_q.slot, word[30:26]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= send_buffer_pkg::Idle;
      request_q <= '0;
      slot_q <= '0;
      found_q <= '0;
      size_q <= '0;
      used_q <= '0;
    end else begin
      state_q <= state_d;
      request_q <= request_d;
      slot_q <= slot_d;
      found_q <= found_d;
      size_q <= size_d;
      used_q <= used_d;
    end
  end

  // A successful search keeps its result until the next one begins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= send_buffer_pkg::Done);
      OneAccessAtATime : assert (!(memory.read && memory.write));
      FoundAtTheEnd : assert (
          !found_q || state_q == send_buffer_pkg::Done || state_q == send_buffer_pkg::Idle);
    end
  end
`endif

endmodule
