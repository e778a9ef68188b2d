// Generated from crates/devices/hca/src/search.rs by `make tables`; do not edit.
package search_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Search.
  typedef enum logic [1:0] {
    Rest = 2'd0,  // A queue pair is in front, or none has work.
    Look = 2'd1,  // Takes the groups that have work, and the rest of the group of the last one.
    Choose = 2'd2,  // The next one is of that rest, or chooses a group.
    Find = 2'd3  // The next one is the lowest of the group.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Find
    4'b1001,  // from Choose
    4'b0100,  // from Look
    4'b0010  // from Rest
  };

  // Input pins of the search.
  typedef struct packed {
    logic serves;  // The queue pair in front gets its turn; only while `ready`.
    logic [7:0] gainer;  // A queue pair.
    logic gains;  // `gainer` gets work in this cycle.
    logic [7:0] last;  // Queue pair that was served last.
    logic [255:0] work;  // Queue pairs with work, that in front included.
  } in_t;

  // Output pins of the search.
  typedef struct packed {
    logic [7:0] front;  // The queue pair in front.
    logic ready;  // A queue pair is in front.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
