/// Copy control of the Prefetch Unit: holds the first halves of copies from SO-DIMM to SO-DIMM
/// (thesis section 4.6.8).
///
/// A VL or VLS with DSTOff 0xffff_ffff is parked, one per process. The Prefetch Unit stays free for
/// other requests until the second half, a VS or VSS, arrives. The VS module then requests one
/// chunk of 512 bytes after another. The Prefetch Unit reads each chunk into the copy buffer as
/// into a Prefetch Window, and the Write Unit takes it from there as from a Write Window. Elements
/// have at most 128 bytes, so a chunk holds whole elements (decision 0022).
///
/// A chunk is read only after the one before has been stored. No block holds a resource while it
/// waits for another, so deadlock is impossible.
module pu_copy (
    /// Core clock, 100 MHz.
    input  logic              clk_i,
    /// Synchronous reset.
    input  logic              rst_ni,
    /// From Window Controller, control, reader. Rows of the chunk are read elsewhere.
    /* verilator lint_off UNUSEDSIGNAL */
    input  pu_copy_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To control, Window Controller, copy buffer.
    output pu_copy_pkg::out_t pins_o
);

  // Variants of a vector load: code bits 1:0 of the primitive.
  localparam logic [1:0] Strided = 2'd1;
  localparam logic [1:0] ByList = 2'd2;

  pu_copy_pkg::state_e state_d, state_q;
  pu_copy_pkg::parked_t parked0_d, parked0_q;
  pu_copy_pkg::parked_t parked1_d, parked1_q;
  logic       wid_d, wid_q;
  logic [9:0] bytes_d, bytes_q;
  logic [7:0] elements_d, elements_q;
  logic [31:0] step_d, step_q;
  logic [9:0] reach_d, reach_q;
  logic [32:0] next_d, next_q;

  // The copy in progress, and its remainder after the chunk. Contiguous data ends at 4 GB; strided
  // elements wrap.
  pu_copy_pkg::parked_t parked;
  pu_copy_pkg::parked_t rest;
  assign parked = wid_q ? parked1_q : parked0_q;
  assign rest.strided = parked.strided;
  assign rest.dtype = parked.dtype;
  assign rest.left = (next_q[32] && !parked.strided) ? 32'd0 : parked.left - {22'd0, bytes_q};
  assign rest.stride = parked.stride;
  assign rest.srcoff = next_q[31:0];

  assign pins_o.load.wid = wid_q;
  assign pins_o.load.variant = {1'b0, parked.strided};
  assign pins_o.load.dtype = parked.dtype;
  assign pins_o.load.iteration = elements_q;
  assign pins_o.load.size_list_stride = parked.strided ? parked.stride : {22'd0, bytes_q};
  assign pins_o.load.srcoff = parked.srcoff;
  assign pins_o.load.dstoff = 32'd0;
  assign pins_o.load.to_packet = 1'b0;
  assign pins_o.load.total = 32'd0;
  assign pins_o.load.first_half = 1'b0;
  assign pins_o.load.wanted = bytes_q;
  assign pins_o.load.reach = reach_q;
  assign pins_o.load_start = (state_q == pu_copy_pkg::Start);
  assign pins_o.owns = (state_q == pu_copy_pkg::Start) || (state_q == pu_copy_pkg::Load);
  assign pins_o.chunk.ready = (state_q == pu_copy_pkg::Ready);
  assign pins_o.chunk.bytes = bytes_q;

  // The first half of a copy as requested, of which nothing is read yet.
  pu_copy_pkg::parked_t first_half;
  logic strided;
  logic copies;
  logic place_wid;
  assign strided = (pins_i.vector_load.variant == Strided);
  assign first_half.strided = strided;
  assign first_half.dtype = pins_i.vector_load.dtype;
  assign first_half.left = strided ?
                           {24'd0, pins_i.vector_load.iteration} << pins_i.vector_load.dtype :
                                     pins_i.vector_load.size_list_stride;
  assign first_half.stride = pins_i.vector_load.size_list_stride;
  assign first_half.srcoff = pins_i.vector_load.srcoff;
  assign copies = pins_i.start && pins_i.vector_load.first_half &&
                  pins_i.vector_load.variant != ByList;
  assign place_wid = copies ? pins_i.vector_load.wid : pins_i.copy_request.wid;

  // The next chunk of the requested copy: its bytes, its elements, and the distance to the chunk
  // after it.
  /* verilator lint_off UNUSEDSIGNAL */
  pu_copy_pkg::parked_t asked;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [9:0]  chunk;
  logic [9:0]  elements;
  logic [2:0]  shift;
  logic [31:0] step;
  assign asked = pins_i.copy_request.wid ? parked1_q : parked0_q;
  assign chunk = (asked.left < {22'd0, prefetch_unit_pkg::WindowBytes}) ?
                 asked.left[9:0] : prefetch_unit_pkg::WindowBytes;
  assign elements = chunk >> asked.dtype;
  assign shift = (asked.dtype < 3'd2) ? 3'd2 : asked.dtype;
  assign step = asked.strided ? asked.stride << (4'd9 - {1'b0, shift}) :
                                {22'd0, prefetch_unit_pkg::WindowBytes};

  // Bytes up to the end of the region, 512 at most; strided elements are checked one by one. The
  // end is a power of two. An offset is beyond it if it has a bit that offsets within the region do
  // not have, and in the last 512 bytes if all other bits are set. The start of the region of WID 1
  // is used by the reader only.
  /* verilator lint_off UNUSEDSIGNAL */
  region_pkg::out_t bounds;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:28] top;
  logic         beyond;
  logic         at_end;
  logic [9:0]   reach;
  region u_region (
      .pins_i({pins_i.capacity}),
      .pins_o(bounds)
  );
  assign top = {bounds.limit[32], |bounds.limit[32:31], |bounds.limit[32:30], |bounds.limit[32:29]};
  assign beyond = (asked.srcoff[31:28] & ~top) != 4'd0;
  assign at_end = asked.srcoff[31:28] == top && (&asked.srcoff[27:9]);
  assign reach = (beyond && !asked.strided) ? 10'd0 :
                 (at_end && !asked.strided) ?
                 prefetch_unit_pkg::WindowBytes - {1'b0, asked.srcoff[8:2], 2'b00} :
                 prefetch_unit_pkg::WindowBytes;

  always_comb begin
    state_d = state_q;
    parked0_d = parked0_q;
    parked1_d = parked1_q;
    wid_d = wid_q;
    bytes_d = bytes_q;
    elements_d = elements_q;
    step_d = step_q;
    reach_d = reach_q;
    next_d = next_q;

    unique case (state_q)
      // Idle: when nothing is left, the chunk is empty.
      pu_copy_pkg::Idle: begin
        if (pins_i.copy_request.request) begin
          wid_d = pins_i.copy_request.wid;
          bytes_d = chunk;
          elements_d = elements[7:0];
          step_d = step;
          reach_d = reach;
          state_d = (asked.left == 32'd0) ? pu_copy_pkg::Ready : pu_copy_pkg::Start;
        end
      end
      // Start: the control is idle, because the VS module waits for that. The start of the next
      // chunk is computed before this one is read.
      pu_copy_pkg::Start: begin
        next_d = {1'b0, parked.srcoff} + {1'b0, step_q};
        state_d = pu_copy_pkg::Load;
      end
      // Load: an element beyond the region ends the run; the elements read before it count.
      pu_copy_pkg::Load: begin
        if (!pins_i.busy) begin
          bytes_d = (pins_i.run_bytes < pins_i.run_remaining) ? 10'd0 :
                    pins_i.run_bytes - pins_i.run_remaining;
          if (wid_q) parked1_d = rest;
          else parked0_d = rest;
          state_d = pu_copy_pkg::Ready;
        end
      end
      // Ready: the length is reported to the VS module.
      pu_copy_pkg::Ready: state_d = pu_copy_pkg::Idle;
      default: state_d = pu_copy_pkg::Idle;
    endcase

    // A new first half replaces one that is still parked. A list is not parked.
    if ((copies || pins_i.copy_request.end_copy) && place_wid) begin
      parked1_d = copies ? first_half : '0;
    end else if (copies || pins_i.copy_request.end_copy) begin
      parked0_d = copies ? first_half : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= pu_copy_pkg::Idle;
      parked0_q <= '0;
      parked1_q <= '0;
      wid_q <= '0;
      bytes_q <= '0;
      elements_q <= '0;
      step_q <= '0;
      reach_q <= '0;
      next_q <= '0;
    end else begin
      state_q <= state_d;
      parked0_q <= parked0_d;
      parked1_q <= parked1_d;
      wid_q <= wid_d;
      bytes_q <= bytes_d;
      elements_q <= elements_d;
      step_q <= step_d;
      reach_q <= reach_d;
      next_q <= next_d;
    end
  end

  // A chunk of elements of 1 or 2 bytes never reaches these bits.
  logic unused_bits;
  assign unused_bits = ^elements[9:8];

  // An empty chunk is not read.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      ChunkHasBytes : assert ((state_q != pu_copy_pkg::Start) ||
          ((bytes_q != 10'd0) && (bytes_q <= prefetch_unit_pkg::WindowBytes)));
    end
  end
`endif

endmodule
