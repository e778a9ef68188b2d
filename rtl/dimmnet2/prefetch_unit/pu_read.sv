/// Reader of the Prefetch Unit: requests words from the SO-DIMM interface (thesis section 4.5.6,
/// dsh's ST_R).
///
/// A run consists of contiguous elements: one element for contiguous data, otherwise Iteration
/// elements, each at its own offset. An element is cut into words of 8 bytes; only one half may be
/// used of its first and of its last word. With each requested word, a piece tells the writer which
/// of its bytes are used. Words of one element are requested in consecutive cycles; each new
/// element costs one more cycle.
///
/// The right to read is requested before the first word and held until the last one is on the way
/// back: a run into a window has at most 512 bytes, less than a packet. An element that does not
/// end within the region ends the run.
///
/// A run into the packet buffer is read in parts of 256 words. The right is released after each
/// part and requested again only when the buffer has room for the next, so a stalled network never
/// blocks the SO-DIMMs (decision 0019). Words beyond the region are not read; their pieces are
/// zeros.
///
/// A run with `together` requests two words at once, one of each SO-DIMM. It does so wherever the
/// first word is in SO-DIMM1, both are used whole, and the data before them fills whole lines
/// (decision 0041).
module pu_read (
    /// Core clock, 100 MHz.
    input  logic              clk_i,
    /// Synchronous reset.
    input  logic              rst_ni,
    /// From control, list buffer, writer, SO-DIMM interface.
    input  pu_read_pkg::in_t  pins_i,
    /// To SO-DIMM interface, writer, list buffer, control.
    output pu_read_pkg::out_t pins_o
);

  pu_read_pkg::state_e state_d, state_q;
  logic [31:0] offset_d, offset_q;
  logic [7:0]  index_d, index_q;
  logic [31:0] listed_d, listed_q;
  logic [31:0] last_offset_d, last_offset_q;
  logic        none_fits_d, none_fits_q;
  logic [31:0] position_d, position_q;
  logic [31:0] left_d, left_q;
  logic [31:0] remaining_d, remaining_q;
  logic [8:0]  part_d, part_q;
  logic        more_d, more_q;
  logic [30:0] address_d, address_q;
  logic        enable_d, enable_q;
  logic        absent_d, absent_q;
  logic        upper_d, upper_q;
  logic [3:0]  bytes_d, bytes_q;
  logic        pair_d, pair_q;

  logic [7:0] next_index;
  assign next_index = index_q + 8'd1;

  assign pins_o.read_right_request = (state_q != pu_read_pkg::Idle) &&
                                     (state_q != pu_read_pkg::Room);
  assign pins_o.read.address = address_q;
  assign pins_o.read.enable = enable_q && !absent_q;
  assign pins_o.read.pair = pair_q;
  assign pins_o.piece.second = address_q[0];
  assign pins_o.piece.upper = upper_q;
  assign pins_o.piece.bytes = bytes_q;
  assign pins_o.piece.absent = absent_q;
  assign pins_o.piece.pair = pair_q;
  assign pins_o.piece_enable = enable_q;
  assign pins_o.list_read_enable = (state_q == pu_read_pkg::Element);
  assign pins_o.list_row = (state_q == pu_read_pkg::Idle) ? 7'd0 : next_index[7:1];
  assign pins_o.ended = ((state_q == pu_read_pkg::Idle) || (state_q == pu_read_pkg::Finish)) &&
                        !enable_q && !more_q;
  assign pins_o.remaining = remaining_q;
  assign pins_o.idle = (state_q == pu_read_pkg::Idle);
  assign pins_o.state = state_q;

  // Bytes of a region within reach of an offset, and first word of the region of WID 1.
  region_pkg::out_t bounds;
  region u_region (
      .pins_i({pins_i.capacity}),
      .pins_o(bounds)
  );

  // The next element; bits 1:0 of its offset are ignored.
  logic [31:0] listed;
  logic        wraps;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] element;
  /* verilator lint_on UNUSEDSIGNAL */
  assign listed = !pins_i.run.listed ? 32'd0 :
                  index_q[0] ? pins_i.list_rdata[63:32] : pins_i.list_rdata[31:0];
  assign {wraps, element} = {1'b0, offset_q} + {1'b0, listed_q};

  // The last offset at which an element ends within the region; negative if there is none.
  logic [32:0] last_offset;
  logic        low_carries;
  logic [31:0] differing;
  logic [31:0] carrying;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [32:0] margin;
  /* verilator lint_on UNUSEDSIGNAL */
  logic        inside_region;
  assign last_offset = bounds.limit - {1'b0, pins_i.run.element_bytes};
  // An element is inside the region if the last offset less its own is not negative. The three
  // terms are added in one step, in words of 4 bytes, in parallel with the sum that is the
  // element's offset; the carry of that sum beyond 4 GB does not count.
  assign low_carries = (offset_q[1] && listed_q[1]) ||
                       ((offset_q[1] || listed_q[1]) && offset_q[0] && listed_q[0]);
  assign differing = {2'b00, last_offset_q[31:2] ^ offset_q[31:2] ^ listed_q[31:2]};
  assign carrying = {1'b1,
                     (last_offset_q[31:2] & ~(offset_q[31:2] & listed_q[31:2])) |
                     ~(offset_q[31:2] | listed_q[31:2]),
                     1'b1};
  assign margin = {differing, 1'b1} + {carrying, !low_carries};
  assign inside_region = !none_fits_q && (!margin[32] || (wraps && margin[31]));

  // The next word, or pair of words. Whole lines have been requested if the bytes left and those of
  // the run differ by a multiple of 8.
  logic       ask;
  logic       whole_lines;
  logic       pair;
  logic [3:0] held;
  logic [3:0] bytes;
  logic       fewer;
  logic [31:0] left;
  logic [31:0] remaining;
  logic [31:0] position;
  logic [8:0]  part;
  logic        element_ends;
  logic        run_ends;
  logic        part_ends;
  logic        more;
  logic        absent;
  assign ask = (state_q == pu_read_pkg::Read) && !pins_i.sodimm_almost_full &&
               !pins_i.pieces_almost_full;
  assign whole_lines = (pins_i.run.bytes[2] == remaining_q[2]);
  assign pair = pins_i.run.together && position_q[1:0] == 2'd0 && whole_lines &&
                left_q[31:4] != 28'd0 && part_q[8:1] != 8'd0;
  assign held = position_q[0] ? 4'd4 : 4'd8;
  assign fewer = position_q[0] ? left_q[31:2] == 30'd0 : left_q[31:3] == 29'd0;
  assign bytes = fewer ? left_q[3:0] : held;
  // The subtrahend is selected in parallel with the subtractions. A pair begins with the first of
  // two words; a single word ends with itself.
  assign left = pair ? left_q - 32'd16 : fewer ? 32'd0 : left_q - {28'd0, held};
  assign remaining = pair ? remaining_q - 32'd16 :
                     fewer ? remaining_q - {29'd0, left_q[2:0]} : remaining_q - {28'd0, held};
  assign position = pair ? {position_q[31:2] + 30'd1, 2'b00} : {position_q[31:1] + 31'd1, 1'b0};
  assign part = pair ? part_q - 9'd2 : part_q - 9'd1;
  // The end of the element is detected in parallel with the subtractions, not after them.
  assign element_ends = pair ? left_q == 32'd16 : left_q <= {28'd0, held};
  assign run_ends = element_ends && left_q == remaining_q;
  assign part_ends = pair ? part_q == 9'd2 : part_q == 9'd1;
  assign more = pins_i.run.to_packet && part_ends && !run_ends;
  assign absent = pins_i.run.padded && {1'b0, position_q} >= {2'b00, bounds.limit[32:2]};

  always_comb begin
    state_d = state_q;
    offset_d = offset_q;
    index_d = index_q;
    listed_d = listed_q;
    last_offset_d = last_offset_q;
    none_fits_d = none_fits_q;
    position_d = position_q;
    left_d = left_q;
    remaining_d = remaining_q;
    part_d = part_q;
    more_d = more_q;
    address_d = address_q;
    enable_d = 1'b0;
    absent_d = absent_q;
    upper_d = upper_q;
    bytes_d = bytes_q;
    pair_d = pair_q;

    unique case (state_q)
      // Idle: every run has at least one byte to read.
      pu_read_pkg::Idle: begin
        if (pins_i.start) begin
          offset_d = pins_i.run.offset;
          index_d = 8'd0;
          {none_fits_d, last_offset_d} = last_offset;
          left_d = 32'd0;
          remaining_d = pins_i.run.bytes;
          more_d = 1'b0;
          state_d = pins_i.run.to_packet ? pu_read_pkg::Room : pu_read_pkg::Request;
        end
      end
      // Room: other masters can use the SO-DIMMs meanwhile.
      pu_read_pkg::Room: begin
        part_d = pu_read_pkg::PartWords;
        more_d = 1'b0;
        if (pins_i.packet_room) begin
          state_d = pu_read_pkg::Request;
        end
      end
      // Request: the list buffer has been read; a part may begin inside an element.
      pu_read_pkg::Request: begin
        listed_d = listed;
        if (pins_i.read_right) begin
          state_d = (left_q == 32'd0) ? pu_read_pkg::Element : pu_read_pkg::Read;
        end
      end
      // Element: computes the location; beyond the region, only a padded run continues.
      pu_read_pkg::Element: begin
        offset_d = pins_i.run.listed ? offset_q : offset_q + pins_i.run.stride;
        index_d = next_index;
        position_d = {2'b00, element[31:2]};
        left_d = (pins_i.run.element_bytes < remaining_q) ? pins_i.run.element_bytes : remaining_q;
        state_d = (inside_region || pins_i.run.padded) ? pu_read_pkg::Read : pu_read_pkg::Finish;
      end
      // Read: a word per cycle; meanwhile the offset of the next element comes from the list
      // buffer.
      pu_read_pkg::Read: begin
        listed_d = listed;
        if (ask) begin
          upper_d = position_q[0];
          bytes_d = bytes;
          pair_d = pair;
          address_d = (pins_i.run.wid ? bounds.words : 31'd0) + position_q[31:1];
          enable_d = 1'b1;
          absent_d = absent;
          position_d = position;
          left_d = left;
          remaining_d = remaining;
          part_d = part;
          more_d = more;
          state_d = more ? pu_read_pkg::Finish :
                    !element_ends ? pu_read_pkg::Read :
                    !run_ends ? pu_read_pkg::Element : pu_read_pkg::Finish;
        end
      end
      // Finish: from now on the other master may turn the data bus around.
      pu_read_pkg::Finish: begin
        if (!enable_q && pins_i.sodimm_idle) begin
          state_d = more_q ? pu_read_pkg::Room : pu_read_pkg::Idle;
        end
      end
      default: state_d = pu_read_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= pu_read_pkg::Idle;
      offset_q <= '0;
      index_q <= '0;
      listed_q <= '0;
      last_offset_q <= '0;
      none_fits_q <= '0;
      position_q <= '0;
      left_q <= '0;
      remaining_q <= '0;
      part_q <= '0;
      more_q <= '0;
      address_q <= '0;
      enable_q <= '0;
      absent_q <= '0;
      upper_q <= '0;
      bytes_q <= '0;
      pair_q <= '0;
    end else begin
      state_q <= state_d;
      offset_q <= offset_d;
      index_q <= index_d;
      listed_q <= listed_d;
      last_offset_q <= last_offset_d;
      none_fits_q <= none_fits_d;
      position_q <= position_d;
      left_q <= left_d;
      remaining_q <= remaining_d;
      part_q <= part_d;
      more_q <= more_d;
      address_q <= address_d;
      enable_q <= enable_d;
      absent_q <= absent_d;
      upper_q <= upper_d;
      bytes_q <= bytes_d;
      pair_q <= pair_d;
    end
  end

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= pu_read_pkg::Finish);
    end
  end
`endif

endmodule
