/// Receive ring: stores a packet in local memory. Data is written first, then the header; then the
/// position moves, then the host may be interrupted (paper, section 3).
///
/// The NIF has three: two receive message buffers, whose data goes to the slot with the number of
/// the header, and the receive header buffer of DMA, whose data goes to the address in the packet.
/// Only the last segment of a transfer has a header.
module receive_ring (
    /// Clock, 75 MHz.
    input  logic                   clk_i,
    /// Synchronous reset.
    input  logic                   rst_ni,
    /// From registers, link, memory.
    input  receive_ring_pkg::in_t  pins_i,
    /// To link, memory, registers, interrupt.
    output receive_ring_pkg::out_t pins_o
);

  receive_ring_pkg::state_e state_d, state_q;
  logic [5:0]  write_d, write_q;
  logic        last_d, last_q;
  logic [4:0]  words_d, words_q;
  logic [2:0]  bytes_d, bytes_q;
  logic        heading_d, heading_q;
  logic [2:0]  count_d, count_q;
  logic [25:0] address_d, address_q;
  logic [25:0] data_d, data_q;
  logic        writing_d, writing_q;
  logic [25:0] write_address_d, write_address_q;
  logic [63:0] wdata_d, wdata_q;
  logic [7:0]  strobe_d, strobe_q;
  logic        arrived_d, arrived_q;

  assign pins_o.idle = (state_q == receive_ring_pkg::Idle);
  assign pins_o.word_next = (state_q == receive_ring_pkg::Store) && !writing_q;
  assign pins_o.memory_request = writing_q;
  assign pins_o.memory_address = write_address_q;
  assign pins_o.memory_wdata = wdata_q;
  assign pins_o.memory_strobe = strobe_q;
  assign pins_o.fault = (state_q == receive_ring_pkg::Fault);
  assign pins_o.arrived = arrived_q;
  assign pins_o.write = write_q;

  memory_map_pkg::header_t header;
  logic                    takes;
  logic                    end_of_data;
  logic                    end_of_header;
  logic                    end_of_packet;
  assign header = pins_i.header;
  assign takes = pins_i.word_valid && !writing_q;
  assign end_of_data = (words_q == 5'd0);
  assign end_of_header = (count_q == receive_ring_pkg::HeaderEnd);
  assign end_of_packet = heading_q ? end_of_header : (end_of_data && !last_q);

  always_comb begin
    state_d = state_q;
    write_d = write_q;
    last_d = last_q;
    words_d = words_q;
    bytes_d = bytes_q;
    heading_d = heading_q;
    count_d = count_q;
    address_d = address_q;
    data_d = data_q;
    writing_d = writing_q && !pins_i.memory_ready;
    write_address_d = write_address_q;
    wdata_d = wdata_q;
    strobe_d = strobe_q;
    arrived_d = 1'b0;

    unique case (state_q)
      // Idle: the slot of a message has the number of its header.
      receive_ring_pkg::Idle: begin
        if (pins_i.start) begin
          last_d = header.last;
          words_d = header.bytes[7:3];
          bytes_d = header.bytes[2:0];
          heading_d = 1'b0;
          count_d = '0;
          data_d = {pins_i.data_base, write_q, 7'b0};
          address_d = pins_i.message ? data_d : header.address[25:0];
          state_d = receive_ring_pkg::Store;
        end
      end
      // Store: the last word of data may be partial. A packet that is too short or too long is
      // malformed.
      receive_ring_pkg::Store: begin
        if (takes && (pins_i.word.last != end_of_packet)) begin
          state_d = receive_ring_pkg::Fault;
        end else if (takes) begin
          writing_d = 1'b1;
          if (heading_q) begin
            // Only the receiver knows the place of a message's data.
            write_address_d = {pins_i.header_base, write_q, count_q, 3'b0};
            wdata_d = (pins_i.message && (count_q == 3'd1)) ? {38'b0, data_q} : pins_i.word.data;
            strobe_d = 8'hff;
            count_d = count_q + 3'd1;
          end else begin
            write_address_d = address_q;
            wdata_d = pins_i.word.data;
            strobe_d = end_of_data ? (8'hff >> (3'd7 - bytes_q)) : 8'hff;
            address_d = address_q + 26'd8;
            words_d = words_q - 5'd1;
            heading_d = end_of_data;
          end
          if (end_of_packet) begin
            state_d = receive_ring_pkg::Settle;
          end
        end
      end
      // Settle: the position must not move before the header is in memory.
      receive_ring_pkg::Settle: begin
        if (!writing_q) begin
          state_d = receive_ring_pkg::Move;
        end
      end
      // Move: the interrupt cause is raised with the position. Only the last segment has a header.
      receive_ring_pkg::Move: begin
        if (last_q) begin
          write_d = write_q + 6'd1;
          arrived_d = 1'b1;
        end
        state_d = receive_ring_pkg::Idle;
      end
      // Fault: words written before lie outside any header.
      receive_ring_pkg::Fault: state_d = receive_ring_pkg::Idle;
      default: state_d = receive_ring_pkg::Idle;
    endcase
  end

  // Header fields that the link uses.
  logic unused;
  assign unused = &{1'b0, header};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= receive_ring_pkg::Idle;
      write_q <= '0;
      last_q <= '0;
      words_q <= '0;
      bytes_q <= '0;
      heading_q <= '0;
      count_q <= '0;
      address_q <= '0;
      data_q <= '0;
      writing_q <= '0;
      write_address_q <= '0;
      wdata_q <= '0;
      strobe_q <= '0;
      arrived_q <= '0;
    end else begin
      state_q <= state_d;
      write_q <= write_d;
      last_q <= last_d;
      words_q <= words_d;
      bytes_q <= bytes_d;
      heading_q <= heading_d;
      count_q <= count_d;
      address_q <= address_d;
      data_q <= data_d;
      writing_q <= writing_d;
      write_address_q <= write_address_d;
      wdata_q <= wdata_d;
      strobe_q <= strobe_d;
      arrived_q <= arrived_d;
    end
  end

  // The position moves, and the cause is raised, after the last word of a header is written.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= receive_ring_pkg::Fault);
      PositionMovesWhenAllIsWritten : assert ((state_q != receive_ring_pkg::Move) || !writing_q);
      PositionMovesForAHeader : assert ((write_d == write_q) ||
          ((state_q == receive_ring_pkg::Move) && last_q));
      CauseComesWithThePosition : assert (arrived_d == (write_d != write_q));
      HeaderHasSixWords : assert ((state_q != receive_ring_pkg::Store) ||
          (count_q <= receive_ring_pkg::HeaderEnd));
      WordHasItsFirstByte : assert (!writing_q || strobe_q[0]);
    end
  end
`endif

endmodule
