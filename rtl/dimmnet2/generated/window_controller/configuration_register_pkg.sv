// Generated from crates/devices/dimmnet2/src/window_controller/configuration_register.rs by `make tables`; do not edit.
package configuration_register_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // System code of SO-DIMM Capacity.
  localparam logic [2:0] Capacity = 3'd1;

  // System code of MTU.
  localparam logic [2:0] Mtu = 3'd2;

  // System code of LID.
  localparam logic [2:0] Lid = 3'd3;

  // System code of the PGID of WID 0.
  localparam logic [2:0] Pgid0 = 3'd4;

  // System code of the PGID of WID 1.
  localparam logic [2:0] Pgid1 = 3'd5;

  // System code of Read Options.
  localparam logic [2:0] ReadOptions = 3'd6;

  // Longest packet in bytes: the largest multiple of 8 that Packet Size can hold.
  localparam logic [12:0] LongestPacket = 13'd4088;

  // Input pins of the Configuration Register.
  typedef struct packed {
    // The value sent in this cycle; codes 0 and 7 select no register.
    struct packed {
      logic [2:0] system_code;
      logic [2:0] user_code;
      logic wid;
      logic [15:0] value;
    } configuration;
  } in_t;

  // Output pins of the Configuration Register.
  typedef struct packed {
    // Decoded configuration.
    struct packed {
      logic read_together;
      logic data_awaited;
      logic [2:0] capacity;
      logic [12:0] mtu;
      logic [15:0] lid;
      logic [7:0] pgid1;
      logic [7:0] pgid0;
    } configured;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
