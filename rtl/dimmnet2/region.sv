/// The SO-DIMM region of a process: the bytes that an offset can reach, and the start of the region
/// of WID 1 (thesis figure 4.16).
///
/// Capacity codes are those of Configuration Register: each module has 256 MB << code. Codes above
/// 5 are never sent and mean 8 GB.
///
/// Combinational: units that clamp sizes or compute addresses instantiate it next to their
/// registers.
module region (
    /// From Configuration Register.
    input  region_pkg::in_t  pins_i,
    /// To the unit around it.
    output region_pkg::out_t pins_o
);

  always_comb begin
    unique case (pins_i.capacity)
      3'd0: {pins_o.limit, pins_o.words} = {33'h0_1000_0000, 31'h0200_0000};
      3'd1: {pins_o.limit, pins_o.words} = {33'h0_2000_0000, 31'h0400_0000};
      3'd2: {pins_o.limit, pins_o.words} = {33'h0_4000_0000, 31'h0800_0000};
      3'd3: {pins_o.limit, pins_o.words} = {33'h0_8000_0000, 31'h1000_0000};
      3'd4: {pins_o.limit, pins_o.words} = {33'h1_0000_0000, 31'h2000_0000};
      default: {pins_o.limit, pins_o.words} = {33'h1_0000_0000, 31'h4000_0000};
    endcase
  end

endmodule
