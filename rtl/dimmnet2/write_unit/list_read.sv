/// List read of the Write Unit: fetches the offsets of a listed store or packet (thesis section
/// 4.6.4, decision 0022).
///
/// The Prefetch Unit reads the list from SO-DIMM before the Write Unit requests the write right, so
/// neither waits for a resource that the other holds. The list stays in the Prefetch Unit, which
/// delivers two offsets at a time, one cycle after the request. An offset is held until it is
/// taken; after the last one, `ended` is set.
module list_read (
    /// Core clock, 100 MHz.
    input  logic                clk_i,
    /// Synchronous reset.
    input  logic                rst_ni,
    /// From Window Controller, Prefetch Unit, stride. The offsets themselves go to the stride.
    /* verilator lint_off UNUSEDSIGNAL */
    input  list_read_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To Prefetch Unit and stride.
    output list_read_pkg::out_t pins_o
);

  list_read_pkg::state_e state_d, state_q;
  logic        wid_d, wid_q;
  logic [31:0] list_d, list_q;
  logic [7:0]  entries_d, entries_q;
  logic [7:0]  index_d, index_q;

  logic [7:0] next_index;
  assign next_index = index_q + 8'd1;

  assign pins_o.request.request = (state_q == list_read_pkg::Request);
  assign pins_o.request.wid = wid_q;
  assign pins_o.request.offset = list_q;
  assign pins_o.request.entries = entries_q;
  assign pins_o.read_enable = (state_q == list_read_pkg::Fetch);
  // Also valid one cycle before the row is read, so that the memory can be read ahead.
  assign pins_o.row = (state_q == list_read_pkg::Give) ? next_index[7:1] : index_q[7:1];
  assign pins_o.valid = (state_q == list_read_pkg::Give);
  assign pins_o.ended = (entries_q == 8'd0);
  assign pins_o.upper = index_q[0];

  always_comb begin
    state_d = state_q;
    wid_d = wid_q;
    list_d = list_q;
    entries_d = entries_q;
    index_d = index_q;

    unique case (state_q)
      // Idle: the Prefetch Unit may still be working for the Window Controller.
      list_read_pkg::Idle: begin
        if (pins_i.begins) begin
          wid_d = pins_i.wid;
          list_d = pins_i.offset;
          entries_d = pins_i.entries;
          index_d = {7'd0, pins_i.offset[2]};
          state_d = list_read_pkg::Request;
        end
      end
      // Request: the list may have fewer offsets than there are elements.
      list_read_pkg::Request: begin
        if (pins_i.store_list.ready) begin
          entries_d = pins_i.store_list.entries;
          state_d = list_read_pkg::Fetch;
        end
      end
      // Fetch: the row is valid in the next cycle.
      list_read_pkg::Fetch: state_d = list_read_pkg::Give;
      // Give: a finished store takes no more offsets.
      list_read_pkg::Give: begin
        if (!pins_i.running) begin
          state_d = list_read_pkg::Idle;
        end else if (pins_i.take) begin
          if (entries_q != 8'd0) entries_d = entries_q - 8'd1;
          index_d = next_index;
          state_d = list_read_pkg::Fetch;
        end
      end
      default: state_d = list_read_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= list_read_pkg::Idle;
      wid_q <= '0;
      list_q <= '0;
      entries_q <= '0;
      index_q <= '0;
    end else begin
      state_q <= state_d;
      wid_q <= wid_d;
      list_q <= list_d;
      entries_q <= entries_d;
      index_q <= index_d;
    end
  end

  // No offset is read after the last one.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      EntriesNeverWrap : assert ((state_q != list_read_pkg::Give) || (entries_d <= entries_q));
    end
  end
`endif

endmodule
