/// A key allows exactly the accesses of its domain, with its rights, within its area.
///
/// Source: IBA volume 1, section 10.6.3.
// Mutation: rtl/hca/key_check.sv | rights && contained && ends | rights && contained
// Mutation: rtl/hca/key_check.sv | (pins_i.address >= pins_i.row.base) | 1'b1
// Mutation: rtl/hca/key_check.sv | (pins_i.reach <= pins_i.row.limit) && | (pins_i.reach <= pins_i.row.limit + 33'd1) &&
// Mutation: rtl/hca/key_check.sv | (pins_i.reach <= pins_i.row.limit) && | (pins_i.reach < pins_i.row.limit) &&
// Mutation: rtl/hca/key_check.sv | (!pins_i.remote_write \|\| pins_i.row.remote_write) | 1'b1
// Mutation: rtl/hca/key_check.sv | (!pins_i.remote_atomic \|\| pins_i.row.remote_atomic) | 1'b1
// Mutation: rtl/hca/key_check.sv | (pins_i.key[31:20] == 12'd0) | 1'b1
// Mutation: rtl/hca/key_check.sv | (pins_i.domain == pins_i.row.domain) | 1'b1
// Mutation: rtl/hca/key_check.sv | assign named = pins_i.row.valid && | assign named =
// Witness: AreaHoldsTheAccess | rtl/hca/key_check.sv | rights && contained && ends | rights && (contained \|\| ends) && ends
module key_check_proof (
    input logic clk_i,
    input logic rst_ni,
    input key_check_pkg::in_t pins_i
);

  key_check_pkg::out_t pins_o;
  key_check u_key_check (.pins_i, .pins_o);

  // Any byte of the access, and its place in the area.
  (* anyseq *) logic [31:0] byte_number;
  logic [33:0] at;
  logic [33:0] base;
  logic [33:0] area_end;
  logic [33:0] end_of_access;
  assign at = {2'b0, pins_i.address} + {2'b0, byte_number};
  assign base = {2'b0, pins_i.row.base};
  assign area_end = {1'b0, pins_i.row.limit};
  assign end_of_access = {2'b0, pins_i.address} + {2'b0, pins_i.length};

  // `reach` and `limit` are sums; an area has a length of 32 bits.
  always @* begin
    assume ({1'b0, pins_i.reach} == end_of_access);
    assume (area_end >= base && area_end <= base + 34'h0_ffff_ffff);
  end

  logic rights;
  logic named;
  logic inside_area;
  assign rights = (pins_i.row.local_write || !pins_i.local_write) &&
                  (pins_i.row.remote_write || !pins_i.remote_write) &&
                  (pins_i.row.remote_read || !pins_i.remote_read) &&
                  (pins_i.row.remote_atomic || !pins_i.remote_atomic);
  assign named = pins_i.row.valid && pins_i.key[31:12] == {12'd0, pins_i.row.variant};
  assign inside_area = {2'b0, pins_i.address} >= base && end_of_access <= area_end &&
      end_of_access <= 34'h1_0000_0000;

  always @* begin
    if (pins_i.length == 32'd0) NoBytesNeedNoKey: assert (pins_o.allowed);
    if (pins_o.allowed && pins_i.length != 32'd0) begin
      KeyIsTheRows: assert (named);
      DomainIsTheKeys: assert (pins_i.domain == pins_i.row.domain);
      RightsAreGiven: assert (rights);
      if (byte_number < pins_i.length) begin
        EveryByteIsInTheArea: assert (at >= base && at < area_end);
        EveryByteHasAnAddress: assert (at < 34'h1_0000_0000);
      end
    end
    if (named && rights && pins_i.domain == pins_i.row.domain &&
        inside_area) AllInTheAreaIsAllowed: assert (pins_o.allowed);
  end

endmodule
