// Generated from crates/devices/dimmnet2/src/line.rs by `make tables`; do not edit.
package line_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // A 66-bit line: 64 bits of data and a line identifier (thesis section 4.7, table 4.14).
  typedef struct packed {
    // Line identifier: 2'b01 first, 2'b11 middle, 2'b10 last line of a packet, 2'b00 no line
    // (decision 0003).
    logic [1:0] id;
    logic [63:0] data;  // Data; byte 0 is in bits 7:0.
  } line_t;

  // First line of a packet.
  localparam logic [1:0] First = 2'd1;

  // Neither first nor last line.
  localparam logic [1:0] Middle = 2'd3;

  // Last line of a packet (EOP).
  localparam logic [1:0] Last = 2'd2;

  /* verilator lint_on UNUSEDPARAM */
endpackage
