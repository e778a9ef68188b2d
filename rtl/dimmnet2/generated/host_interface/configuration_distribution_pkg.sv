// Generated from crates/devices/dimmnet2/src/host_interface/configuration_distribution.rs by `make tables`; do not edit.
package configuration_distribution_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of Configuration Distribution.
  typedef struct packed {
    logic system_write;  // The host writes a whole register of the System Register page.
    logic wid;  // Process whose page is written.
    logic user_write;  // The host writes a whole register of a User Register page.
    logic [11:0] offset;  // Byte offset in the page.
    logic [15:0] wdata;  // Low bits of the data from the host.
  } in_t;

  // Output pins of Configuration Distribution.
  typedef struct packed {
    // The value sent in this cycle, to all blocks with a configuration.
    struct packed {
      logic [2:0] system_code;
      logic [2:0] user_code;
      logic wid;
      logic [15:0] value;
    } configuration;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
