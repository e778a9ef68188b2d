/// LID of a CLID, as `address::clid_to_lid` has it: the dropped bits come back as 0, except in the
/// CLID of a node that has none of its own (decision 0006).
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
