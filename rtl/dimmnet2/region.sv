/// The SO-DIMM region of a process: how much of it an offset reaches, and where that of WID 1 begins (thesis figure 4.16).
///
/// Capacity codes are those of Configuration Register: 256 MB in each module, times two to the code. Codes above 5, which
/// it never sends, mean 8 GB.
///
/// Combinational: the units that cut or place something hold it beside their registers.
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
