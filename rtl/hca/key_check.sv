/// Whether a key allows an access (IBA volume 1, section 10.6.3).
///
/// The key must be that of the row, of the same protection domain and with the requested right, and
/// all bytes must lie in the area. An access of no bytes needs no key.
///
/// Combinational: all inputs to the output.
module key_check (
    /// Row of a key, and an access.
    input  key_check_pkg::in_t  pins_i,
    /// Result of the check.
    output key_check_pkg::out_t pins_o
);

  logic named;
  logic rights;
  assign named = pins_i.row.valid && (pins_i.key[31:20] == 12'd0) &&
                 (pins_i.key[19:12] == pins_i.row.variant);
  assign rights = (!pins_i.local_write || pins_i.row.local_write) &&
                  (!pins_i.remote_write || pins_i.row.remote_write) &&
                  (!pins_i.remote_read || pins_i.row.remote_read) &&
                  (!pins_i.remote_atomic || pins_i.row.remote_atomic);

  logic contained;
  assign contained = (pins_i.reach <= pins_i.row.limit) && (pins_i.address >= pins_i.row.base);

  // An area that reaches beyond the address space would wrap to address 0.
  logic ends;
  assign ends = (pins_i.reach <= 33'h1_0000_0000);

  assign pins_o.allowed = (pins_i.length == 32'd0) ||
                          (named && (pins_i.domain == pins_i.row.domain) &&
                           rights && contained && ends);

  // Bits 11:0 of a key are the number of its row.
  logic unused;
  assign unused = &{1'b0, pins_i.key[11:0]};

  // An allowed access ends within the area.
`ifndef SYNTHESIS
  always_comb begin
    AreaHoldsTheAccess : assert (
        !pins_o.allowed || pins_i.reach <= pins_i.row.limit || pins_i.length == 32'd0);
  end
`endif

endmodule
