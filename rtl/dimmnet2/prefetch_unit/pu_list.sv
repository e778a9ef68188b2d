/// List service of the Prefetch Unit: reads the lists of the Write Unit (thesis section 4.6.4,
/// decision 0022).
///
/// A VSI and a received RVSI have their list in own SO-DIMM. The service reads it word by word into
/// a buffer of its own. It starts in a cycle in which the reader neither has nor requests the right
/// to read and the writer waits for no word. It therefore overtakes a stalled request of the Window
/// Controller and never waits for the network. While the service works, the right is hidden from
/// the reader, and the Prefetch Unit reports busy to new requests.
///
/// Words are stored as they are in SO-DIMM; a list at an odd multiple of 4 begins in the upper half
/// of its first word.
module pu_list (
    /// Core clock, 100 MHz.
    input  logic              clk_i,
    /// Synchronous reset.
    input  logic              rst_ni,
    /// From Write Unit, reader, writer, SO-DIMM interface. The words themselves go to the buffer.
    /* verilator lint_off UNUSEDSIGNAL */
    input  pu_list_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To Write Unit, reader, SO-DIMM interface, buffer.
    output pu_list_pkg::out_t pins_o
);

  pu_list_pkg::state_e state_d, state_q;
  logic [7:0]  entries_d, entries_q;
  logic [30:0] address_d, address_q;
  logic        enable_d, enable_q;
  logic [7:0]  left_d, left_q;
  logic [4:0]  under_way_d, under_way_q;
  logic        second_d, second_q;
  logic        taken_d, taken_q;
  logic [6:0]  row_d, row_q;

  assign pins_o.busy = (state_q != pu_list_pkg::Idle);
  assign pins_o.owns = (state_q == pu_list_pkg::Request) || (state_q == pu_list_pkg::Read) ||
                       (state_q == pu_list_pkg::Finish);
  assign pins_o.read.address = address_q;
  assign pins_o.read.enable = enable_q;
  assign pins_o.read.pair = 1'b0;
  assign pins_o.data_next0 = (under_way_q != 5'd0) && !second_q;
  assign pins_o.data_next1 = (under_way_q != 5'd0) && second_q;
  assign pins_o.write_enable = taken_q;
  // The modules alternate, and `second` already names the next one.
  assign pins_o.write_second = !second_q;
  assign pins_o.write_row = row_q;
  assign pins_o.ready = (state_q == pu_list_pkg::Done);
  assign pins_o.entries = entries_q;

  // Bytes of a region within reach of an offset, and first word of the region of WID 1.
  region_pkg::out_t bounds;
  region u_region (
      .pins_i({pins_i.capacity}),
      .pins_o(bounds)
  );

  // The requested list, clamped to the end of the region. The end is a power of two. An offset is
  // beyond it if it has a bit that offsets within the region do not have, and in the last KB if all
  // other bits are set; no subtraction is needed.
  prefetch_unit_pkg::list_request_t asked;
  logic [3:0]  top;
  logic        beyond;
  logic        at_end;
  logic [7:0]  room;
  logic [8:0]  reached;
  logic        cut;
  logic [7:0]  entries;
  logic [30:0] address;
  logic [8:0]  halves_asked;
  logic [8:0]  halves_cut;
  logic [8:0]  halves;
  assign asked = pins_i.list_request;
  assign top = {bounds.limit[32], |bounds.limit[32:31], |bounds.limit[32:30], |bounds.limit[32:29]};
  assign beyond = (asked.offset[31:28] & ~top) != 4'd0;
  assign at_end = asked.offset[31:28] == top && (&asked.offset[27:10]) && asked.offset[9:2] != 8'd0;
  assign room = 8'd0 - asked.offset[9:2];
  // In the last KB, 256 less the offset in it is left. One sum gives both the comparison with the
  // number of entries and the difference.
  assign reached = {1'b0, asked.offset[9:2]} + {1'b0, asked.entries};
  assign cut = at_end && reached[8] && reached[7:0] != 8'd0;
  assign entries = beyond ? 8'd0 : cut ? room : asked.entries;
  assign address = (asked.wid ? bounds.words : 31'd0) + {2'b00, asked.offset[31:3]};
  assign halves_asked = {1'b0, asked.entries} + {8'd0, asked.offset[2]} + 9'd1;
  assign halves_cut = {1'b0, ~asked.offset[9:2]} + {7'd0, 1'b1, asked.offset[2]};
  assign halves = beyond ? {7'd0, asked.offset[2], !asked.offset[2]} :
                  cut ? halves_cut : halves_asked;

  logic take;
  logic ask;
  assign take = (under_way_q != 5'd0) && !(second_q ? pins_i.data.empty1 : pins_i.data.empty0);
  assign ask = (state_q == pu_list_pkg::Read) && !pins_i.sodimm_almost_full &&
               (under_way_q < pu_list_pkg::UnderWay);

  always_comb begin
    state_d = state_q;
    entries_d = entries_q;
    address_d = enable_q ? address_q + 31'd1 : address_q;
    enable_d = ask;
    left_d = left_q;
    under_way_d = under_way_q + {4'd0, ask} - {4'd0, take};
    second_d = take ? !second_q : second_q;
    taken_d = take;
    row_d = taken_q ? row_q + 7'd1 : row_q;

    unique case (state_q)
      // Idle: a list entirely beyond the region is empty.
      pu_list_pkg::Idle: begin
        if (asked.request) begin
          entries_d = entries;
          address_d = address;
          second_d = address[0];
          left_d = halves[8:1];
          row_d = 7'd0;
          state_d = (beyond || asked.entries == 8'd0) ? pu_list_pkg::Done : pu_list_pkg::Wait;
        end
      end
      // Wait: the reader has nothing in flight.
      pu_list_pkg::Wait: begin
        if (!pins_i.reader_asks && !pins_i.writer_waits) begin
          state_d = pu_list_pkg::Request;
        end
      end
      // Request: the reader may request the right too; it gets it after the list.
      pu_list_pkg::Request: begin
        if (pins_i.read_right) begin
          state_d = pu_list_pkg::Read;
        end
      end
      // Read: a word per cycle, as long as all words in flight fit into one FIFO.
      pu_list_pkg::Read: begin
        if (ask) begin
          left_d = left_q - 8'd1;
          if (left_q == 8'd1) begin
            state_d = pu_list_pkg::Finish;
          end
        end
      end
      // Finish: all words are in the buffer.
      pu_list_pkg::Finish: begin
        if (under_way_q == 5'd0 && !taken_q) begin
          state_d = pu_list_pkg::Done;
        end
      end
      // Done: the Write Unit is informed.
      pu_list_pkg::Done: state_d = pu_list_pkg::Idle;
      default: state_d = pu_list_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= pu_list_pkg::Idle;
      entries_q <= '0;
      address_q <= '0;
      enable_q <= '0;
      left_q <= '0;
      under_way_q <= '0;
      second_q <= '0;
      taken_q <= '0;
      row_q <= '0;
    end else begin
      state_q <= state_d;
      entries_q <= entries_d;
      address_q <= address_d;
      enable_q <= enable_d;
      left_q <= left_d;
      under_way_q <= under_way_d;
      second_q <= second_d;
      taken_q <= taken_d;
      row_q <= row_d;
    end
  end

  // Of the sum only bits 8:1 count; bit 0 rounds up.
  logic unused_bits;
  assign unused_bits = halves[0];

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= pu_list_pkg::Done);
    end
  end
`endif

endmodule
