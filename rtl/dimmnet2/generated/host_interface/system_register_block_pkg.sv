// Generated from crates/devices/dimmnet2/src/host_interface/system_register.rs by `make tables`; do not edit.
package system_register_block_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Core cycles of a Controller Reset.
  localparam logic [3:0] ResetCycles = 4'd8;

  // Input pins of the System Register.
  typedef struct packed {
    logic [1:0] link_status;  // SWIF status.
    logic [15:0] sma_lid;  // LID from the Subnet Manager.
    logic wdata;  // Bit 0 of the data from the host.
    logic read;  // The host reads the register at `offset`; it is on `rdata` in the next cycle.
    logic touch;  // The host writes at least one byte of the register at `offset`.
    logic write;  // The host writes all 64 bits of the register at `offset`.
    logic [11:0] offset;  // Byte offset in the page.
  } in_t;

  // Output pins of the System Register.
  typedef struct packed {
    logic controller_reset;  // Controller Reset is active.
    logic sodimm_enabled;  // SO-DIMM access is enabled.
    logic [63:0] rdata;  // Register that the host read most recently.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
