/// Control of the Prefetch Unit: decides what is read, and into which buffer (thesis section 4.6.3,
/// dsh's pu_ctl).
///
/// The control clamps a request to the end of the Prefetch Window and, if it is contiguous, to the
/// end of the process's region, and runs it through reader and writer. A list is a run of its own
/// before that of the data; its offsets go into the list buffer. When the data begins, the quarters
/// of the window that stay untouched are reported to the Prefetch Window Flag.
///
/// A request for packets is not clamped, because its size has been announced to a remote node.
/// Bytes beyond the region are read as 0 (decision 0019).
///
/// Elements of 1 and 2 bytes are counted as such but read as 4: SO-DIMM access is designed for 4
/// bytes and more (thesis page 53, note 4; decision 0016). The first half of a copy from SO-DIMM to
/// SO-DIMM is not executed here: the copy control holds it and requests its chunks, which touch no
/// Prefetch Window.
module pu_ctl (
    /// Core clock, 100 MHz.
    input  logic             clk_i,
    /// Synchronous reset.
    input  logic             rst_ni,
    /// From Window Controller, copy control, reader, writer.
    input  pu_ctl_pkg::in_t  pins_i,
    /// To reader, writer, registers.
    output pu_ctl_pkg::out_t pins_o
);

  // Variants of a vector load: code bits 1:0 of the primitive.
  localparam logic [1:0] Contiguous = 2'd0;
  localparam logic [1:0] ByList = 2'd2;

  pu_ctl_pkg::state_e state_d, state_q;
  prefetch_unit_pkg::vector_load_t vector_load_d, vector_load_q;
  logic       together_d, together_q;
  logic [31:0] bytes_d, bytes_q;
  logic [9:0] list_bytes_d, list_bytes_q;
  logic       copies_d, copies_q;
  logic       start_d, start_q;
  logic       opened_d, opened_q;
  logic [3:0] quarters_d, quarters_q;

  // Elements of 1 and 2 bytes are read as 4 bytes.
  logic [2:0] shift;
  assign shift = (vector_load_q.dtype < 3'd2) ? 3'd2 : vector_load_q.dtype;

  logic to_list;
  logic contiguous;
  logic by_list;
  assign to_list = (state_q == pu_ctl_pkg::List);
  assign contiguous = (vector_load_q.variant == Contiguous);
  assign by_list = (vector_load_q.variant == ByList);
  assign pins_o.busy = (state_q != pu_ctl_pkg::Idle);
  assign pins_o.start = start_q;
  assign pins_o.run.wid = vector_load_q.wid;
  assign pins_o.run.offset = to_list ? vector_load_q.size_list_stride : vector_load_q.srcoff;
  assign pins_o.run.stride = vector_load_q.size_list_stride;
  assign pins_o.run.element_bytes = to_list ? {22'd0, list_bytes_q} :
                                    contiguous ? bytes_q : 32'd1 << shift;
  assign pins_o.run.bytes = to_list ? {22'd0, list_bytes_q} : bytes_q;
  assign pins_o.run.listed = !to_list && by_list;
  assign pins_o.run.padded = vector_load_q.to_packet;
  assign pins_o.run.to_packet = vector_load_q.to_packet && !to_list;
  assign pins_o.run.together = vector_load_q.to_packet && !to_list && together_q;
  assign pins_o.to_list = to_list;
  assign pins_o.destination = {vector_load_q.wid, vector_load_q.dstoff[10:2]};
  assign pins_o.opened = opened_q;
  assign pins_o.quarters = quarters_q;
  assign pins_o.state = state_q;

  // The new request.
  prefetch_unit_pkg::vector_load_t load;
  assign load = pins_i.copy_start ? pins_i.copy_load : pins_i.vector_load;

  // Bytes to read: the smaller of the bytes that fit in the window and those in the region. A list
  // has one offset for each element of these bytes; its reach is a multiple of the element size, so
  // one comparison decides both.
  logic [9:0]  wanted;
  logic [9:0]  reach;
  logic        short;
  logic [7:0]  whole;
  logic        cut;
  logic [9:0]  rounded;
  logic [9:0]  reached;
  logic [9:0]  list_bytes;
  logic [31:0] bytes_wanted;
  assign wanted = vector_load_q.wanted;
  assign reach = vector_load_q.reach;
  assign short = (reach < wanted);
  // A partial last element has an offset too.
  always_comb begin
    unique case (shift)
      3'd3: {whole, cut} = {1'd0, wanted[9:3], wanted[2:0] != 3'd0};
      3'd4: {whole, cut} = {2'd0, wanted[9:4], wanted[3:0] != 4'd0};
      3'd5: {whole, cut} = {3'd0, wanted[9:5], wanted[4:0] != 5'd0};
      3'd6: {whole, cut} = {4'd0, wanted[9:6], wanted[5:0] != 6'd0};
      3'd7: {whole, cut} = {5'd0, wanted[9:7], wanted[6:0] != 7'd0};
      default: {whole, cut} = {wanted[9:2], wanted[1:0] != 2'd0};
    endcase
  end
  assign rounded = {2'd0, whole} + {9'd0, cut};
  assign reached = reach >> shift;
  assign list_bytes = (short ? reached : rounded) << 2;
  assign bytes_wanted = vector_load_q.to_packet ? vector_load_q.total :
                        {22'd0, short ? reach : wanted};

  // Quarters of the window that the transfer does not touch. The transfer ends at the nearer of two
  // ends; the quarters are computed for both ends in parallel with the comparison.
  logic [9:0] first;
  logic [9:0] last_wanted;
  logic [9:0] last_reached;
  logic       nothing;
  logic       ends;
  logic [3:0] quarters;
  assign first = {1'b0, vector_load_q.dstoff[8:2], 2'b00};
  assign last_wanted = first + wanted;
  assign last_reached = first + reach;
  assign nothing = (wanted == 10'd0) || (reach == 10'd0);
  assign ends = vector_load_q.to_packet ? (vector_load_q.total == 32'd0) : nothing;
  assign quarters[0] = nothing || first >= 10'd128;
  assign quarters[1] = nothing || first >= 10'd256 ||
                       10'd128 >= last_wanted || 10'd128 >= last_reached;
  assign quarters[2] = nothing || first >= 10'd384 ||
                       10'd256 >= last_wanted || 10'd256 >= last_reached;
  assign quarters[3] = nothing || last_wanted <= 10'd384 || last_reached <= 10'd384;

  logic done;
  assign done = !start_q && pins_i.read_idle && pins_i.write_idle;

  always_comb begin
    state_d = state_q;
    vector_load_d = vector_load_q;
    together_d = together_q;
    bytes_d = bytes_q;
    list_bytes_d = list_bytes_q;
    copies_d = copies_q;
    start_d = 1'b0;
    opened_d = 1'b0;
    quarters_d = quarters_q;

    unique case (state_q)
      // Idle: a chunk of a copy is executed; its first half is not.
      pu_ctl_pkg::Idle: begin
        if (pins_i.copy_start ||
            (pins_i.start &&
             (pins_i.vector_load.to_packet || !pins_i.vector_load.first_half))) begin
          vector_load_d = load;
          if (!pins_i.copy_start) together_d = pins_i.read_together;
          copies_d = pins_i.copy_start;
          state_d = pu_ctl_pkg::Compute;
        end
      end
      // Compute: the smaller of the bytes that fit in the window and the bytes in the region; an
      // empty request completes at once.
      pu_ctl_pkg::Compute: begin
        bytes_d = bytes_wanted;
        list_bytes_d = vector_load_q.to_packet ? {vector_load_q.iteration, 2'b00} :
                       list_bytes;
        quarters_d = quarters;
        start_d = !ends;
        opened_d = !copies_q && !vector_load_q.to_packet;
        state_d = ends ? pu_ctl_pkg::Idle :
                  by_list ? pu_ctl_pkg::List : pu_ctl_pkg::Data;
      end
      // List: the writer is idle once the last offset is in the list buffer.
      pu_ctl_pkg::List: begin
        if (done) begin
          start_d = 1'b1;
          state_d = pu_ctl_pkg::Data;
        end
      end
      // Data: the writer is idle once the last word is stored.
      pu_ctl_pkg::Data: begin
        if (done) begin
          state_d = pu_ctl_pkg::Idle;
        end
      end
      default: state_d = pu_ctl_pkg::Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= pu_ctl_pkg::Idle;
      vector_load_q <= '0;
      together_q <= '0;
      bytes_q <= '0;
      list_bytes_q <= '0;
      copies_q <= '0;
      start_q <= '0;
      opened_q <= '0;
      quarters_q <= '0;
    end else begin
      state_q <= state_d;
      vector_load_q <= vector_load_d;
      together_q <= together_d;
      bytes_q <= bytes_d;
      list_bytes_q <= list_bytes_d;
      copies_q <= copies_d;
      start_q <= start_d;
      opened_q <= opened_d;
      quarters_q <= quarters_d;
    end
  end

  // Bits 10:2 of DSTOff select window and word; the others are not used.
  logic unused_bits;
  assign unused_bits = ^{vector_load_q.dstoff[31:11], vector_load_q.dstoff[1:0]};

  // Reader and writer are started only for a run with data.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RunHasBytes : assert (
          ((state_q != pu_ctl_pkg::List) && (state_q != pu_ctl_pkg::Data)) || (bytes_q != 32'd0));
    end
  end
`endif

endmodule
