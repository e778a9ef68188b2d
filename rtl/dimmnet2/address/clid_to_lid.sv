/// LID of a compressed LID: the dropped bits 11:8 are 0, except in the LID of initialisation
/// (decision 0006). Cell, twin of `address::clid_to_lid`.
///
/// Combinational: `clid_i` to `lid_o`.
module clid_to_lid (
    /// Compressed LID.
    input  logic [11:0] clid_i,
    /// LID of the same node.
    output logic [15:0] lid_o
);

  assign lid_o = (clid_i == 12'hfff) ? 16'hffff : {clid_i[11:8], 4'h0, clid_i[7:0]};

endmodule
