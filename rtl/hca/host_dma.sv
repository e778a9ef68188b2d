/// Host DMA: moves bytes between host memory and the packet memories as bus master, with any
/// alignment on both sides.
///
/// A word of the destination holds bytes of up to two words of the source. The block keeps the two
/// latest words of the source and takes the upper bytes from the later one, the lower bytes from
/// the earlier one. So a word moves in every cycle, whatever the alignment is, and each word
/// crosses the bus once.
module host_dma (
    /// Clock of the adapter, 125 MHz.
    input  logic               clk_i,
    /// Synchronous reset.
    input  logic               rst_ni,
    /// From engines, PCI bus, packet memory.
    input  host_dma_pkg::in_t  pins_i,
    /// To engines, PCI bus, packet memories.
    output host_dma_pkg::out_t pins_o
);

  host_dma_pkg::state_e state_d, state_q;
  logic [31:0] address_d, address_q;
  logic [12:0] offset_d, offset_q;
  logic [11:0] bytes_d, bytes_q;
  logic        to_host_d, to_host_q;
  logic [9:0]  sources_d, sources_q;
  logic [9:0]  dests_d, dests_q;
  logic [2:0]  shift_d, shift_q;
  logic        prime_d, prime_q;
  logic        first_d, first_q;
  logic [2:0]  lane_d, lane_q;
  logic [2:0]  end_d, end_q;
  logic [63:0] held_d, held_q;
  logic [63:0] came_d, came_q;
  logic [7:0]  mask_d, mask_q;
  logic [7:0]  byte_enable_d, byte_enable_q;
  logic [9:0]  write_address_d, write_address_q;
  logic        write_d, write_q;

  // Destination word: bytes of the two latest words of the source, shifted to their places.
  logic [63:0] joined;
  logic [63:0] word;
  assign joined = 64'({came_q, held_q} >> {4'd8 - {1'b0, shift_q}, 3'd0});
  always_comb begin
    for (int i = 0; i < 8; i++) begin
      word[8*i+:8] = mask_q[i] ? joined[8*i+:8] : 8'd0;
    end
  end

  logic fetch;
  logic take;
  assign fetch = (state_q == host_dma_pkg::Fetch);
  assign take = (state_q == host_dma_pkg::Take);
  assign pins_o.request = (state_q == host_dma_pkg::Request) ||
                          (state_q == host_dma_pkg::Read) || fetch || take ||
                          (state_q == host_dma_pkg::Put);
  assign pins_o.transfer = (state_q == host_dma_pkg::Read) || (state_q == host_dma_pkg::Put);
  assign pins_o.write = to_host_q;
  assign pins_o.address = {address_q[31:3], 3'd0};
  assign pins_o.wdata = word;
  assign pins_o.byte_enable = byte_enable_q;
  assign pins_o.read_address = offset_q[12:3];
  assign pins_o.memory_read = fetch || (take && !prime_q);
  assign pins_o.memory_next = (state_q == host_dma_pkg::Put);
  assign pins_o.write_address = write_address_q;
  assign pins_o.memory_write = write_q;
  assign pins_o.done = (state_q == host_dma_pkg::Done);

  // Arriving word of the source, and bytes of the destination word that belong to the transfer.
  logic [63:0] source;
  logic        last;
  logic [7:0]  from;
  logic [7:0]  to;
  assign source = to_host_q ? pins_i.memory_rdata : pins_i.rdata;
  assign last = (dests_q == 10'd1);
  assign from = first_q ? (8'hff << lane_q) : 8'hff;
  assign to = (last && end_q != 3'd0) ? ~(8'hff << end_q) : 8'hff;

  // Alignment of the first byte on both sides; bits 12:3 of the ends are the words on each side.
  logic [2:0]  source_lane;
  logic [2:0]  dest_lane;
  logic [12:0] source_end;
  logic [12:0] dest_end;
  assign source_lane = to_host_q ? offset_q[2:0] : address_q[2:0];
  assign dest_lane = to_host_q ? address_q[2:0] : offset_q[2:0];
  assign source_end = {10'd0, source_lane} + {1'b0, bytes_q} + 13'd7;
  assign dest_end = {10'd0, dest_lane} + {1'b0, bytes_q} + 13'd7;

  // Alignment of the transfer.
  always_comb begin
    shift_d = shift_q;
    lane_d = lane_q;
    end_d = end_q;
    if (state_q == host_dma_pkg::Measure) begin
      shift_d = dest_lane - source_lane;
      lane_d = dest_lane;
      end_d = dest_lane + bytes_q[2:0];
    end
  end

  always_comb begin
    state_d = state_q;
    address_d = address_q;
    offset_d = offset_q;
    bytes_d = bytes_q;
    to_host_d = to_host_q;
    sources_d = sources_q;
    dests_d = dests_q;
    prime_d = prime_q;
    first_d = first_q;
    held_d = held_q;
    came_d = came_q;
    mask_d = mask_q;
    byte_enable_d = byte_enable_q;
    write_address_d = write_address_q;
    write_d = 1'b0;

    unique case (state_q)
      // Idle: takes the transfer.
      host_dma_pkg::Idle: begin
        if (pins_i.start) begin
          address_d = pins_i.transfer.address;
          offset_d = pins_i.transfer.offset;
          bytes_d = pins_i.transfer.bytes;
          to_host_d = pins_i.transfer.to_host;
          state_d = host_dma_pkg::Measure;
        end
      end
      // Measure: an unaligned start takes one more word on its side.
      host_dma_pkg::Measure: begin
        sources_d = source_end[12:3];
        dests_d = dest_end[12:3];
        prime_d = (dest_lane < source_lane);
        first_d = 1'b1;
        state_d = (bytes_q == 12'd0) ? host_dma_pkg::Done : host_dma_pkg::Request;
      end
      // Request: waits for the bus grant.
      host_dma_pkg::Request: begin
        if (pins_i.grant) state_d = to_host_q ? host_dma_pkg::Fetch : host_dma_pkg::Read;
      end
      // Read: each word completes a word of the packet, but the first one does not where it alone
      // is too short.
      host_dma_pkg::Read: begin
        if (pins_i.ready) begin
          address_d = address_q + 32'd8;
          sources_d = sources_q - 10'd1;
          held_d = came_q;
          came_d = source;
          prime_d = 1'b0;
          if (!prime_q) begin
            write_d = 1'b1;
            mask_d = from & to;
            // Zeros fill the word after the last byte: they are the pad bytes (IBA volume 1,
            // section 9.2).
            byte_enable_d = from;
            write_address_d = offset_q[12:3];
            offset_d = offset_q + 13'd8;
            dests_d = dests_q - 10'd1;
            first_d = 1'b0;
          end
          if (!prime_q && last) begin
            state_d = host_dma_pkg::Done;
          end else if (sources_q == 10'd1) begin
            state_d = host_dma_pkg::Flush;
          end
        end
      end
      // Flush: the last bytes came with the word before.
      host_dma_pkg::Flush: begin
        held_d = came_q;
        write_d = 1'b1;
        mask_d = from & to;
        byte_enable_d = from;
        write_address_d = offset_q[12:3];
        state_d = host_dma_pkg::Done;
      end
      // Fetch: the word arrives in the next cycle.
      host_dma_pkg::Fetch: begin
        offset_d = offset_q + 13'd8;
        state_d = host_dma_pkg::Take;
      end
      // Take: the next word is read in the same cycle.
      host_dma_pkg::Take: begin
        held_d = came_q;
        came_d = source;
        prime_d = 1'b0;
        if (prime_q) begin
          // Without another word the latest one stays; the mask discards its upper bytes.
          if (sources_q != 10'd1) state_d = host_dma_pkg::Fetch;
        end else begin
          mask_d = from & to;
          dests_d = dests_q - 10'd1;
          byte_enable_d = from & to;
          offset_d = offset_q + 13'd8;
          first_d = 1'b0;
          state_d = host_dma_pkg::Put;
        end
      end
      // Put: the next word is assembled when the bus takes this one.
      host_dma_pkg::Put: begin
        if (pins_i.ready) begin
          address_d = address_q + 32'd8;
          mask_d = from & to;
          byte_enable_d = from & to;
          dests_d = dests_q - 10'd1;
          held_d = came_q;
          came_d = source;
          offset_d = offset_q + 13'd8;
          if (dests_q == 10'd0) state_d = host_dma_pkg::Done;
        end
      end
      // Done: the last word of the packet memory is written in this cycle.
      host_dma_pkg::Done: state_d = host_dma_pkg::Idle;
      default: state_d = host_dma_pkg::Idle;
    endcase
  end

  // Only the upper half of what is shifted is the rotated word.
  logic unused;
  assign unused = &{1'b0, source_end[2:0], dest_end[2:0]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= host_dma_pkg::Idle;
      address_q <= '0;
      offset_q <= '0;
      bytes_q <= '0;
      to_host_q <= '0;
      sources_q <= '0;
      dests_q <= '0;
      shift_q <= '0;
      prime_q <= '0;
      first_q <= '0;
      lane_q <= '0;
      end_q <= '0;
      held_q <= '0;
      came_q <= '0;
      mask_q <= '0;
      byte_enable_q <= '0;
      write_address_q <= '0;
      write_q <= '0;
    end else begin
      state_q <= state_d;
      address_q <= address_d;
      offset_q <= offset_d;
      bytes_q <= bytes_d;
      to_host_q <= to_host_d;
      sources_q <= sources_d;
      dests_q <= dests_d;
      shift_q <= shift_d;
      prime_q <= prime_d;
      first_q <= first_d;
      lane_q <= lane_d;
      end_q <= end_d;
      held_q <= held_d;
      came_q <= came_d;
      mask_q <= mask_d;
      byte_enable_q <= byte_enable_d;
      write_address_q <= write_address_d;
      write_q <= write_d;
    end
  end

  // A transfer has one direction; the packet memory is written from the host only.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      FromTheHostOnly : assert (
          (state_q != host_dma_pkg::Read && state_q != host_dma_pkg::Flush) || !to_host_q);
      ToTheHostOnly : assert ((!fetch && !take && state_q != host_dma_pkg::Put) || to_host_q);
      WordThatIsWrittenHasBytes : assert (!write_q || byte_enable_q != 8'd0);
    end
  end
`endif

endmodule
