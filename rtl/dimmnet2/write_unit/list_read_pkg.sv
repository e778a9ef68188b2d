// Generated from crates/devices/dimmnet2/src/write_unit/list_read.rs by `make tables`; do not edit.
package list_read_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // List read of the Write Unit.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for a store or packet by list.
    Request = 2'd1,  // Waits until the Prefetch Unit has read the list.
    Fetch = 2'd2,  // Asks for the row of the next offset.
    Give = 2'd3  // Gives the offset.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0101,  // from Give
    4'b1000,  // from Fetch
    4'b0100,  // from Request
    4'b0010  // from Idle
  };

  // Input pins of the list read.
  typedef struct packed {
    logic running;  // The store is under way.
    logic take;  // The offset is taken.
    // From Prefetch Unit.
    struct packed { logic [63:0] rdata; logic [7:0] entries; logic ready; } store_list;
    logic [7:0] entries;  // Elements of it, in that cycle.
    logic [31:0] offset;  // Offset of the list, in that cycle.
    logic wid;  // Process whose region holds the list, in that cycle.
    logic begins;  // A store or packet by list begins; without meaning while one is under way.
  } in_t;

  // Output pins of the list read.
  typedef struct packed {
    logic upper;  // The offset is the second one of the row.
    logic ended;  // With `valid`: the list has ended.
    logic valid;  // There is an offset, or none any more.
    logic [6:0] row;  // Row of 8 bytes in the list.
    logic read_enable;  // Reads two offsets.
    // To Prefetch Unit.
    struct packed { logic [7:0] entries; logic [31:0] offset; logic wid; logic request; } request;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
