/// The lowest set bit of 64, and its number. Combinational: the input to both outputs.
///
/// Eight groups of 8 bits are looked at at a time, since a carry through 64 bits would be slow.
module lowest_bit (
    /// Any bits.
    input  logic [63:0] set_i,
    /// The lowest set bit alone; 0 without one.
    output logic [63:0] lowest_o,
    /// Number of that bit; 0 without one.
    output logic [5:0]  number_o
);

  // Bits 0 of all groups.
  localparam logic [63:0] Zero = 64'h0101_0101_0101_0101;

  // All bits of a group at and above a set one; then the lowest set bit of each group.
  logic [63:0] reach;
  logic [63:0] low;
  // Groups with a set bit, those at and above one, and the lowest of them: in bits 0 of the groups.
  logic [63:0] groups;
  logic [63:0] later;
  logic [63:0] group;
  // All bits of the lowest group.
  logic [63:0] whole;
  always_comb begin
    reach = set_i;
    reach = reach | ((reach & 64'h7f7f_7f7f_7f7f_7f7f) << 1);
    reach = reach | ((reach & 64'h3f3f_3f3f_3f3f_3f3f) << 2);
    reach = reach | ((reach & 64'h0f0f_0f0f_0f0f_0f0f) << 4);
    low = set_i & ~((reach & 64'h7f7f_7f7f_7f7f_7f7f) << 1);
    groups = (reach >> 7) & Zero;
    later = groups | (groups << 8);
    later = later | (later << 16);
    later = later | (later << 32);
    group = groups & ~(later << 8);
    whole = group | (group << 1);
    whole = whole | (whole << 2);
    whole = whole | (whole << 4);
  end
  assign lowest_o = low & whole;

  // Whether the number of the lowest bit of each group has a 1 in a place, in bits 0 of the groups.
  logic [63:0] ones[3];
  always_comb begin
    ones[0] = low & 64'haaaa_aaaa_aaaa_aaaa;
    ones[1] = low & 64'hcccc_cccc_cccc_cccc;
    ones[2] = low & 64'hf0f0_f0f0_f0f0_f0f0;
    for (int place = 0; place < 3; place++) begin
      ones[place] = ones[place] | (ones[place] >> 4);
      ones[place] = ones[place] | (ones[place] >> 2);
      ones[place] = ones[place] | (ones[place] >> 1);
      number_o[place] = ((ones[place] & group) != 64'd0);
    end
    number_o[3] = ((group & 64'hff00_ff00_ff00_ff00) != 64'd0);
    number_o[4] = ((group & 64'hffff_0000_ffff_0000) != 64'd0);
    number_o[5] = ((group & 64'hffff_ffff_0000_0000) != 64'd0);
  end

endmodule
