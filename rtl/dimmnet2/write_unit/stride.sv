/// Stride block of the Write Unit: computes the locations of strided and listed elements (thesis
/// section 4.2, dsh's wu_stride).
///
/// Elements are taken from the lines in halves of 4 bytes, the granularity of SO-DIMM access, one
/// half per cycle. The first element goes to the offset, each further one a stride beyond the one
/// before, modulo 4 GB. A listed element goes to the sum of the offset and its own list offset; no
/// half is taken until the list offset is known, which costs a cycle per element. An element that
/// is not entirely within the region ends the store: it and all elements after it are taken and not
/// stored.
///
/// Elements of 1 and 2 bytes are not supported by the thesis; they are stored as elements of 4
/// bytes (decision 0017).
module stride (
    /// Core clock, 100 MHz.
    input  logic             clk_i,
    /// Synchronous reset.
    input  logic             rst_ni,
    /// From Window Controller, Receive Controller, read control, window read, write control, list
    /// read. Bits 1:0 of offset and stride are ignored.
    /* verilator lint_off UNUSEDSIGNAL */
    input  stride_pkg::in_t  pins_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// To write control and registers.
    output stride_pkg::out_t pins_o
);

  stride_pkg::state_e state_d, state_q;
  logic        upper_d, upper_q;
  logic [31:0] element_d, element_q;
  logic [31:0] place_d, place_q;
  logic [31:0] stride_d, stride_q;
  logic [4:0]  halves_d, halves_q;
  logic [4:0]  left_d, left_q;
  logic        by_list_d, by_list_q;
  logic [31:0] base_d, base_q;
  logic        locating_d, locating_q;
  logic        fits_d, fits_q;
  logic        overrun_d, overrun_q;

  assign pins_o.running = (state_q != stride_pkg::Idle);
  assign pins_o.by_list = by_list_q;
  assign pins_o.locating = (state_q == stride_pkg::Store) && locating_q;
  assign pins_o.upper = upper_q;
  assign pins_o.place = place_q;
  assign pins_o.store = (state_q == stride_pkg::Store) && fits_q;
  assign pins_o.overrun = overrun_q;
  assign pins_o.state = state_q;

  // Bytes of a region within reach of an offset of 32 bits. The start of the region of WID 1 is
  // used by the write control only.
  /* verilator lint_off UNUSEDSIGNAL */
  region_pkg::out_t bounds;
  /* verilator lint_on UNUSEDSIGNAL */
  region u_region (
      .pins_i({pins_i.capacity}),
      .pins_o(bounds)
  );

  // Halves of an element, less one; an element has at least one half.
  logic [4:0] halves;
  always_comb begin
    unique case (pins_i.elements.dtype)
      3'd3: halves = 5'd1;
      3'd4: halves = 5'd3;
      3'd5: halves = 5'd7;
      3'd6: halves = 5'd15;
      3'd7: halves = 5'd31;
      default: halves = 5'd0;
    endcase
  end

  // The first element is at the start of the data; bits alone tell whether its last half lies in
  // the region. The region is a power of two and far larger than an element. The number of halves
  // less one is a power of two less one, so adding it carries into the upper bits only if all bits
  // between are set, and then the element passes the end if it begins in the last part of the
  // region.
  logic       begins;
  logic [3:0] top;
  logic [3:0] first_upper;
  logic       passes;
  logic       first_fits;
  assign begins = pins_i.elements.strided;
  assign top = {bounds.limit[32], |bounds.limit[32:31], |bounds.limit[32:30], |bounds.limit[32:29]};
  assign first_upper = pins_i.elements.offset[31:28];
  assign passes = (&(pins_i.elements.offset[6:2] | halves)) &&
                  (pins_i.elements.offset[6:2] & halves) != 5'd0 &&
                  (&pins_i.elements.offset[27:7]);
  assign first_fits = (first_upper & ~top) == 4'd0 && !(passes && first_upper == top);

  // The next element.
  logic [29:0] summand;
  logic [29:0] step;
  logic        carry;
  logic [30:0] sum;
  logic [31:0] next_element;
  // The sum is in words of 4 bytes: bits 1:0 are ignored, but their carry counts when an offset is
  // added to that of the list.
  assign summand = locating_q ? base_q[31:2] : element_q[31:2];
  assign step = locating_q ? pins_i.listed[31:2] : stride_q[31:2];
  assign carry = locating_q && ((base_q[1] && pins_i.listed[1]) ||
                                ((base_q[1] || pins_i.listed[1]) && base_q[0] && pins_i.listed[0]));
  assign sum = {1'b0, summand} + {1'b0, step} + {30'd0, carry};
  assign next_element = {sum[29:0], 2'b00};

  // Whether its last half lies in the region. The region is a power of two, so only upper bits
  // count. The half is computed in parallel with the element, not after it; the carry of the
  // element beyond 4 GB does not count.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] last_half;
  /* verilator lint_on UNUSEDSIGNAL */
  logic        next_fits;
  assign last_half = {2'b00, summand ^ step ^ {25'd0, halves_q}} +
                     {1'b0, (summand & step) | ((summand ^ step) & {25'd0, halves_q}), carry};
  assign next_fits = (last_half[29:26] & ~top) == 4'd0 && last_half[30] == sum[30];

  always_comb begin
    state_d = state_q;
    upper_d = upper_q;
    element_d = element_q;
    place_d = place_q;
    stride_d = stride_q;
    halves_d = halves_q;
    left_d = left_q;
    by_list_d = by_list_q;
    base_d = base_q;
    locating_d = locating_q;
    fits_d = fits_q;
    overrun_d = overrun_q;

    unique case (state_q)
      // Idle: `overrun` of the last store is kept until the next one begins.
      stride_pkg::Idle: begin
        overrun_d = overrun_q && !pins_i.begins;
        if (begins) begin
          upper_d = pins_i.elements.upper;
          element_d = {pins_i.elements.offset[31:2], 2'b00};
          place_d = {pins_i.elements.offset[31:2], 2'b00};
          stride_d = {pins_i.elements.stride[31:2], 2'b00};
          halves_d = halves;
          left_d = halves;
          fits_d = first_fits;
          by_list_d = pins_i.elements.listed;
          base_d = pins_i.elements.offset;
          locating_d = pins_i.elements.listed;
          state_d = stride_pkg::Store;
        end
      end
      // Store: the next element is located and tested while the last half of this one is taken.
      stride_pkg::Store: begin
        if (locating_q) begin
          if (pins_i.listed_valid) begin
            element_d = next_element;
            place_d = next_element;
            fits_d = !pins_i.listed_ended && next_fits;
            locating_d = 1'b0;
          end
        end else if (pins_i.accept) begin
          upper_d = !upper_q;
          left_d = left_q - 5'd1;
          place_d = place_q + 32'd4;
          if (left_q == 5'd0) begin
            element_d = next_element;
            place_d = next_element;
            left_d = halves_q;
            fits_d = next_fits;
            locating_d = by_list_q && fits_q && !pins_i.last;
          end
          overrun_d = !fits_q && pins_i.data;
          state_d = pins_i.last ? stride_pkg::Idle :
                    !fits_q ? stride_pkg::Drain : stride_pkg::Store;
        end
      end
      // Drain: all lines must be taken up to the last one.
      stride_pkg::Drain: begin
        if (pins_i.accept) begin
          upper_d = !upper_q;
          overrun_d = overrun_q || pins_i.data;
          if (pins_i.last) begin
            state_d = stride_pkg::Idle;
          end
        end
      end
      default: state_d = stride_pkg::Idle;
    endcase
    // A packet may end before its elements do, or contain none.
    if (pins_i.done) begin
      state_d = stride_pkg::Idle;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= stride_pkg::Idle;
      upper_q <= '0;
      element_q <= '0;
      place_q <= '0;
      stride_q <= '0;
      halves_q <= '0;
      left_q <= '0;
      by_list_q <= '0;
      base_q <= '0;
      locating_q <= '0;
      fits_q <= '0;
      overrun_q <= '0;
    end else begin
      state_q <= state_d;
      upper_q <= upper_d;
      element_q <= element_d;
      place_q <= place_d;
      stride_q <= stride_d;
      halves_q <= halves_d;
      left_q <= left_d;
      by_list_q <= by_list_d;
      base_q <= base_d;
      locating_q <= locating_d;
      fits_q <= fits_d;
      overrun_q <= overrun_d;
    end
  end

  // Holds for all input pins.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StateIsDeclared : assert (state_q <= stride_pkg::Drain);
    end
  end
`endif

endmodule
