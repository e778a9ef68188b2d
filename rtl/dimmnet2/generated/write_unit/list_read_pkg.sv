// Generated from crates/devices/dimmnet2/src/write_unit/list_read.rs by `make tables`; do not edit.
package list_read_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // List read of the Write Unit.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for a listed store or packet.
    Request = 2'd1,  // Waits until the Prefetch Unit has read the list.
    Fetch = 2'd2,  // Requests the row of the next offset.
    Give = 2'd3  // Holds the offset until it is taken.
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
    logic running;  // The store is in progress.
    logic take;  // The offset is taken in this cycle.
    // The list, from Prefetch Unit.
    struct packed { logic [63:0] rdata; logic [7:0] entries; logic ready; } store_list;
    logic [7:0] entries;  // Number of elements, in the cycle of `begins`.
    logic [31:0] offset;  // Offset of the list, in the cycle of `begins`.
    logic wid;  // Process whose region contains the list, in the cycle of `begins`.
    logic begins;  // A listed store or packet begins; ignored while one is in progress.
  } in_t;

  // Output pins of the list read.
  typedef struct packed {
    logic upper;  // The offset is the second one of the row.
    logic ended;  // With `valid`: the list has ended.
    logic valid;  // The offset is available, or the list has ended.
    logic [6:0] row;  // Row of 8 bytes in the list.
    logic read_enable;  // Reads two offsets of the list.
    // List request, to Prefetch Unit.
    struct packed { logic [7:0] entries; logic [31:0] offset; logic wid; logic request; } request;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
