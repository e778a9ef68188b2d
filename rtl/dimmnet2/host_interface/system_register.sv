/// System Register: the privileged page (thesis section 5.2, figure 4.15, table 4.12, appendix B).
///
/// The page holds SO-DIMM Init and Controller Reset. Values that configure the transaction side are
/// kept there, and Configuration Distribution sends them. SMA Software Reset has no effect: the
/// subnet management agent lies behind SWIF, and the Core Logic has no wire to it. AMT Address
/// Table Interface is decoded next to the table.
module system_register (
    /// Core clock, 100 MHz.
    input  logic                            clk_i,
    /// Synchronous reset; Controller Reset is none of them.
    input  logic                            rst_ni,
    /// From the host bus and SWIF.
    input  system_register_block_pkg::in_t  pins_i,
    /// To the host bus, SO-DIMM interface, and everything that Controller Reset resets.
    output system_register_block_pkg::out_t pins_o
);

  logic        sodimm_enabled_d, sodimm_enabled_q;
  logic [3:0]  reset_count_d, reset_count_q;
  logic        resetting_d, resetting_q;
  logic [63:0] rdata_d, rdata_q;

  assign pins_o.rdata = rdata_q;
  assign pins_o.sodimm_enabled = sodimm_enabled_q;
  assign pins_o.controller_reset = resetting_q;

  system_register_pkg::sma_lid_t sma_lid;
  always_comb begin
    sma_lid = '0;
    sma_lid.lid = pins_i.sma_lid;
    sma_lid.swif_status = pins_i.link_status;
  end

  always_comb begin
    sodimm_enabled_d = sodimm_enabled_q;
    reset_count_d = reset_count_q;
    rdata_d = rdata_q;

    // Any access to Controller Reset starts it, or restarts it.
    if ((pins_i.read || pins_i.touch) &&
        pins_i.offset == system_register_pkg::ControllerReset) begin
      reset_count_d = system_register_block_pkg::ResetCycles;
    end else if (reset_count_q != 4'd0) begin
      reset_count_d = reset_count_q - 4'd1;
    end

    // A register of its own, because the reset has a large fan-out (decision 0052).
    resetting_d = (reset_count_d != 4'd0);

    if (pins_i.write && pins_i.offset == system_register_pkg::SdimmInit) begin
      sodimm_enabled_d = pins_i.wdata;
    end

    if (pins_i.read) begin
      rdata_d = (pins_i.offset == system_register_pkg::SmaLid) ? sma_lid : 64'd0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sodimm_enabled_q <= '0;
      reset_count_q <= '0;
      resetting_q <= '0;
      rdata_q <= '0;
    end else begin
      sodimm_enabled_q <= sodimm_enabled_d;
      reset_count_q <= reset_count_d;
      resetting_q <= resetting_d;
      rdata_q <= rdata_d;
    end
  end

  // The counter of Controller Reset stays within its length, and is 0 exactly when the reset is
  // inactive.
`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni) begin
      ResetIsNotLonger : assert (reset_count_q <= system_register_block_pkg::ResetCycles);
      ResetIsWhatIsCounted : assert (resetting_q == (reset_count_q != 4'd0));
    end
  end
`endif

endmodule
