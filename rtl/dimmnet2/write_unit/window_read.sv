/// Window read of the Write Unit: takes the lines of a local store from a Write Window (thesis
/// section 5.1.1).
///
/// The block requests rows of two lines from the Window Controller; a row arrives three cycles
/// later. Up to four rows are in flight or wait, which sustains one line per cycle. A line is held
/// until it is taken.
///
/// Lines are aligned as in the window: if the data begins in the upper half of a line, the lower
/// half is skipped, and the write control shifts the data to its destination. Data beyond the
/// region is taken and not stored.
module window_read (
    /// Core clock, 100 MHz.
    input  logic                  clk_i,
    /// Synchronous reset.
    input  logic                  rst_ni,
    /// From Window Controller, Write Window, write control, stride. Whose data it is, and its
    /// stride, matter to others.
    /* verilator lint_off UNUSEDSIGNAL */
    input  window_read_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To Window Controller, write control, stride.
    output window_read_pkg::out_t pins_o
);

  logic [6:0] rows_d, rows_q;
  logic       asked_d, asked_q;
  logic       reading_d, reading_q;
  logic       arrived_d, arrived_q;
  logic       loaded_d, loaded_q;
  logic       odd_d, odd_q;
  logic       skip_d, skip_q;
  logic [9:0] remaining_d, remaining_q;
  logic [9:0] room_d, room_q;
  logic       empty_d, empty_q;
  logic       overrun_d, overrun_q;

  logic [127:0] row;
  logic         fifo_empty;
  logic [2:0]   count;

  // Bytes of the current line that can be data, and those to store.
  logic [9:0] width;
  logic [9:0] stored;
  logic [9:0] held;
  logic       last;
  logic [7:0] mask;
  assign width = skip_q ? 10'd4 : 10'd8;
  assign stored = (room_q[9:3] == 7'd0 && !(skip_q && room_q[2])) ? room_q : width;
  assign held = (remaining_q[9:3] == 7'd0 && !(skip_q && remaining_q[2])) ? remaining_q : width;
  assign last = skip_q ? remaining_q[9:3] == 7'd0 && (!remaining_q[2] || remaining_q[1:0] == 2'd0) :
                         remaining_q[9:4] == 6'd0 && (!remaining_q[3] || remaining_q[2:0] == 3'd0);
  always_comb begin
    for (int i = 0; i < 8; i++) mask[i] = (stored[3:0] > 4'(i));
  end

  assign pins_o.row_next = asked_q;
  assign pins_o.line.data = odd_q ? row[127:64] : row[63:0];
  assign pins_o.line.id = last ? line_pkg::Last : line_pkg::Middle;
  assign pins_o.line_valid = loaded_q;
  assign pins_o.line_ends_low = !skip_q && (remaining_q <= 10'd4);
  assign pins_o.line_enable = skip_q ? {mask[3:0], 4'h0} : mask;
  assign pins_o.empty = empty_q;
  assign pins_o.overrun = overrun_q;

  // Bytes of the store, clamped to the end of the region. The end is a power of two. An offset is
  // beyond it if it has a bit that offsets within the region do not have, and in the last KB if all
  // other bits are set. The start of the region of WID 1 is used by the write control only.
  /* verilator lint_off UNUSEDSIGNAL */
  region_pkg::out_t bounds;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0] top;
  logic       whole;
  logic       beyond;
  logic       at_end;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [10:0] sum;
  /* verilator lint_on UNUSEDSIGNAL */
  logic       passes;
  logic [9:0] to_end;
  logic [9:0] room;
  region u_region (
      .pins_i({pins_i.capacity}),
      .pins_o(bounds)
  );
  assign top = {bounds.limit[32], |bounds.limit[32:31], |bounds.limit[32:30], |bounds.limit[32:29]};
  // Listed elements are checked one by one; so are strided elements of a copy, which arrive in
  // chunks.
  assign whole = pins_i.vector_store.listed ||
                 (pins_i.vector_store.copies && pins_i.vector_store.strided);
  assign beyond = (pins_i.vector_store.offset[31:28] & ~top) != 4'd0;
  assign at_end = pins_i.vector_store.offset[31:28] == top && (&pins_i.vector_store.offset[27:10]);
  // Whether the data reaches or passes the end of that KB, and the bytes up to the end.
  assign sum = {1'b0, pins_i.vector_store.offset[9:2], 2'b00} + {1'b0, pins_i.vector_store.bytes};
  assign passes = sum[10];
  assign to_end = 10'd0 - {pins_i.vector_store.offset[9:2], 2'b00};
  always_comb begin
    room = pins_i.vector_store.bytes;
    if (at_end && passes) room = to_end;
    if (beyond) room = 10'd0;
    if (whole) room = pins_i.vector_store.bytes;
  end

  // Bits 10:4 are the number of rows that hold the data; the others only round it up.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [10:0] covered;
  /* verilator lint_on UNUSEDSIGNAL */
  assign covered = {1'b0, pins_i.vector_store.bytes} +
                   {7'd0, pins_i.vector_store.first, 2'b00} + 11'd15;

  logic take;
  logic row_done;
  logic load;
  assign take = pins_i.take && loaded_q;
  assign row_done = take && (odd_q || last);
  assign load = !fifo_empty && (!loaded_q || row_done);

  // Rows in flight; no more are requested than fit.
  logic [3:0] under_way;
  assign under_way = {1'b0, count} + {3'd0, asked_q} + {3'd0, reading_q} + {3'd0, arrived_q};

  /* verilator lint_off PINCONNECTEMPTY */
  // The FIFO never holds more than was requested.
  fifo #(
      .Width(128),
      .Depth(4)
  ) u_fifo (
      .clk_i,
      .rst_ni,
      .write_enable_i(arrived_q),
      .wdata_i(pins_i.write_window_rdata),
      .read_enable_i(load),
      .rdata_o(row),
      .empty_o(fifo_empty),
      .full_o(),
      .count_o(count)
  );
  /* verilator lint_on PINCONNECTEMPTY */

  always_comb begin
    asked_d = (rows_q != 7'd0) && (under_way < {1'b0, window_read_pkg::Rows});
    rows_d = rows_q - {6'd0, asked_d};
    reading_d = asked_q;
    arrived_d = reading_q;

    // The taken line.
    loaded_d = load || (loaded_q && !row_done);
    odd_d = odd_q;
    skip_d = skip_q;
    remaining_d = remaining_q;
    room_d = room_q;
    empty_d = 1'b0;
    overrun_d = overrun_q;
    if (take) begin
      remaining_d = remaining_q - held;
      room_d = room_q - stored;
      overrun_d = overrun_q || (stored < held);
      odd_d = !odd_q;
      skip_d = 1'b0;
    end

    // A store that begins requests its first row at once.
    if (pins_i.begin_store) begin
      asked_d = (pins_i.vector_store.bytes != 10'd0);
      rows_d = (pins_i.vector_store.bytes == 10'd0) ? 7'd0 : covered[10:4] - 7'd1;
      reading_d = 1'b0;
      arrived_d = 1'b0;
      odd_d = pins_i.vector_store.first[1];
      skip_d = pins_i.vector_store.first[0];
      remaining_d = pins_i.vector_store.bytes;
      room_d = room;
      empty_d = (pins_i.vector_store.bytes == 10'd0);
      overrun_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rows_q <= '0;
      asked_q <= '0;
      reading_q <= '0;
      arrived_q <= '0;
      loaded_q <= '0;
      odd_q <= '0;
      skip_q <= '0;
      remaining_q <= '0;
      room_q <= '0;
      empty_q <= '0;
      overrun_q <= '0;
    end else begin
      rows_q <= rows_d;
      asked_q <= asked_d;
      reading_q <= reading_d;
      arrived_q <= arrived_d;
      loaded_q <= loaded_d;
      odd_q <= odd_d;
      skip_q <= skip_d;
      remaining_q <= remaining_d;
      room_q <= room_d;
      empty_q <= empty_d;
      overrun_q <= overrun_d;
    end
  end

  // No more is stored of a window than was requested.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RoomIsNotMoreThanTheRest : assert (room_q <= remaining_q);
    end
  end
`endif

endmodule
