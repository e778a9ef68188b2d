/// Ring of the Write Unit: finds room for an IPUSH packet in its ring (thesis section 7.1.5, table
/// 7.5, dsh's wu_ipush).
///
/// A ring lies in the receiving process's SO-DIMM region, aligned to its size. Its Head and Tail
/// are one word of LLCM, the AMT entry: the host moves Head when it has consumed data, this block
/// moves Tail when data is stored. Head and Tail are fetched in one cycle, the start and the end of
/// the area are computed next, and then the free space is tested. If the ring has room, read
/// control and write control begin in that cycle, and the addresses of the write control wrap
/// within the area. Otherwise Head and Tail are fetched again and again. No operation has begun
/// meanwhile, so local stores continue, and the block holds no resource that the host needs to make
/// room (decision 0020).
///
/// The rest of a message whose head goes to the LH Buffer waits in `Hold` until the head has been
/// written.
///
/// A packet occupies whole lines of 8 bytes in the ring. A packet is accepted if it leaves at least
/// one line free, so Tail never catches up with Head. A packet that can never be accepted is
/// refused, that is, read and not stored: one that is not smaller than its ring, or whose ring has
/// size 0 or is not within the region.
module ring (
    /// Core clock, 100 MHz.
    input  logic           clk_i,
    /// Synchronous reset.
    input  logic           rst_ni,
    /// From Receive Controller, LLCM, read control, write control. Pointers are multiples of 8.
    /* verilator lint_off UNUSEDSIGNAL */
    input  ring_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To LLCM, read control, write control, Receive Controller, registers.
    output ring_pkg::out_t pins_o
);

  ring_pkg::state_e state_d, state_q;
  logic [11:0] entry_d, entry_q;
  logic [12:0] bytes_d, bytes_q;
  logic [31:0] size_d, size_q;
  logic [31:0] tail_d, tail_q;
  logic [31:0] start_d, start_q;
  logic [31:0] consumed_d, consumed_q;
  logic        never_d, never_q;
  logic        fits_d, fits_q;
  logic [31:0] first_address_d, first_address_q;
  logic        head_d, head_q;
  logic        refused_d, refused_q;

  // Address bits that differ within the area.
  logic [31:0] mask;
  assign mask = size_q - 32'd1;

  assign pins_o.llcm_read_enable = (state_q == ring_pkg::Fetch);
  assign pins_o.llcm_write_enable = (state_q == ring_pkg::Update);
  assign pins_o.entry = entry_q;
  assign pins_o.tail = tail_q;
  assign pins_o.begins = (state_q == ring_pkg::Test) && (never_q || (fits_q && !head_q));
  assign pins_o.room = (state_q == ring_pkg::Hold);
  assign pins_o.storing = (state_q == ring_pkg::Test) || (state_q == ring_pkg::Hold) ||
                          (state_q == ring_pkg::Write);
  assign pins_o.refused = (state_q == ring_pkg::Write) && refused_q;
  assign pins_o.keep = {2'b11, ~mask[31:3]};
  assign pins_o.first_address = first_address_q;
  assign pins_o.state = (state_q == ring_pkg::Idle) ? 2'd0 :
                        (state_q == ring_pkg::Write) ? 2'd2 :
                        (state_q == ring_pkg::Update) ? 2'd3 : 2'd1;

  // Bytes of a ring: the largest power of two not above IPUSH Area Size, in units; 0 for 0.
  logic [15:0] units;
  always_comb begin
    units = 16'd0;
    for (int i = 0; i < 16; i++) begin
      if (pins_i.ring_request.area_size[i]) units = 16'd1 << i;
    end
  end

  // Whether the packet can never be stored, because the ring is too small or lies outside the
  // region; and whether there is room now. Region and ring are powers of two, and a ring begins at
  // a multiple of its size. It lies outside if its start or its size has a bit that offsets, or
  // sizes, within the region do not have. The start of the region of WID 1 is used by the write
  // control only.
  /* verilator lint_off UNUSEDSIGNAL */
  region_pkg::out_t bounds;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0] top;
  logic       outside;
  logic       too_large;
  logic [31:0] left;
  logic        fits;
  region u_region (
      .pins_i({pins_i.capacity}),
      .pins_o(bounds)
  );
  assign top = {bounds.limit[32], |bounds.limit[32:31], |bounds.limit[32:30], |bounds.limit[32:29]};
  assign outside = (start_q[31:28] & ~top) != 4'd0 || (size_q[31:28] & ~{top[2:0], 1'b1}) != 4'd0;
  assign too_large = ({19'd0, bytes_q} >= size_q);
  // Free bytes less one; a packet of at most this size leaves a line free.
  assign left = ~(tail_q - consumed_q) & mask;
  assign fits = ({19'd0, bytes_q} <= left);

  // The packet in whole lines; Head and Tail as in LLCM; the Tail and the address after the packet.
  logic [12:0] announced_lines;
  logic [12:0] stored_lines;
  logic [31:0] head;
  logic [31:0] tail;
  logic [31:0] next_tail;
  logic [31:0] message;
  assign announced_lines = ({1'b0, pins_i.announced} + 13'd7) & ~13'd7;
  assign stored_lines = ({1'b0, pins_i.bytes} + 13'd7) & ~13'd7;
  assign head = {pins_i.llcm_rdata[63:35], 3'd0};
  assign tail = {pins_i.llcm_rdata[31:3], 3'd0};
  assign next_tail = tail_q + {19'd0, stored_lines};
  assign message = tail_q - pins_i.ring_request.sent;

  always_comb begin
    state_d = state_q;
    entry_d = entry_q;
    bytes_d = bytes_q;
    size_d = size_q;
    tail_d = tail_q;
    start_d = start_q;
    consumed_d = consumed_q;
    never_d = never_q;
    fits_d = fits_q;
    first_address_d = first_address_q;
    head_d = head_q;
    refused_d = refused_q;

    unique case (state_q)
      // Idle: the size of the packet is known with the request, and the AMT Address Table has
      // answered.
      ring_pkg::Idle: begin
        if (pins_i.ring_request.start) begin
          entry_d = pins_i.amt_entry;
          bytes_d = announced_lines;
          size_d = {16'd0, units} << ring_pkg::UnitBits;
          head_d = pins_i.ring_request.head;
          state_d = ring_pkg::Fetch;
        end
      end
      // Fetch: Head and Tail arrive in the next cycle.
      ring_pkg::Fetch: state_d = ring_pkg::Start;
      // Start: the ring begins at a multiple of its size, so Tail determines its start.
      ring_pkg::Start: begin
        tail_d = tail;
        start_d = tail & ~mask;
        consumed_d = head;
        state_d = ring_pkg::End;
      end
      // End: tests whether the area is within the region and whether the packet fits before Head.
      // The first address of the message precedes Tail by the bytes of its earlier packets.
      ring_pkg::End: begin
        never_d = too_large || outside;
        fits_d = fits;
        first_address_d = start_q | (message & mask);
        state_d = ring_pkg::Test;
      end
      // Test: without room, Head is read again, because the host may have moved it.
      ring_pkg::Test: begin
        refused_d = never_q;
        state_d = never_q ? ring_pkg::Write :
                  !fits_q ? ring_pkg::Fetch :
                  head_q ? ring_pkg::Hold : ring_pkg::Write;
      end
      // Hold: waits for the head of the message; if it was malformed, there is no rest to write.
      ring_pkg::Hold: begin
        if (pins_i.head_done) begin
          state_d = pins_i.head_broken ? ring_pkg::Idle : ring_pkg::Write;
        end
      end
      // Write: a refused or malformed packet leaves Tail unchanged.
      ring_pkg::Write: begin
        if (pins_i.done) begin
          tail_d = start_q | (next_tail & mask);
          state_d = (refused_q || pins_i.broken) ? ring_pkg::Idle : ring_pkg::Update;
        end
      end
      // Update: only Tail is written; Head belongs to the host.
      ring_pkg::Update: state_d = ring_pkg::Idle;
      default: state_d = ring_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= ring_pkg::Idle;
      entry_q <= '0;
      bytes_q <= '0;
      size_q <= '0;
      tail_q <= '0;
      start_q <= '0;
      consumed_q <= '0;
      never_q <= '0;
      fits_q <= '0;
      first_address_q <= '0;
      head_q <= '0;
      refused_q <= '0;
    end else begin
      state_q <= state_d;
      entry_q <= entry_d;
      bytes_q <= bytes_d;
      size_q <= size_d;
      tail_q <= tail_d;
      start_q <= start_d;
      consumed_q <= consumed_d;
      never_q <= never_d;
      fits_q <= fits_d;
      first_address_q <= first_address_d;
      head_q <= head_d;
      refused_q <= refused_d;
    end
  end

  // Sizes are powers of two, and an accepted packet leaves room before Head.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      SizeIsAPowerOfTwo : assert ((size_q & mask) == 32'd0);
      PacketLeavesRoom : assert (
          ((state_q != ring_pkg::Hold) && (state_q != ring_pkg::Write)) || refused_q ||
          ({19'd0, bytes_q} + ((tail_q - consumed_q) & mask) < size_q));
    end
  end
`endif

endmodule
