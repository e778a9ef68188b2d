// Generated from crates/devices/dimmnet2/src/write_unit/stride.rs by `make tables`; do not edit.
package stride_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Stride machine of the Write Unit.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for data at a stride or by list.
    Store = 2'd1,  // Places halves.
    Drain = 2'd2  // Takes what is left after an element beyond the region.
  } state_e;

  // Declared arcs of state_e: bit [from * 3 + to].
  localparam logic [8:0] StateArcs = {
    3'b001,  // from Drain
    3'b101,  // from Store
    3'b010  // from Idle
  };

  // What the Write Unit begins to store, a store or a packet.
  typedef struct packed {
    logic [2:0] dtype;  // An element has 1 << dtype bytes.
    // From one element to the next, in bytes, modulo 4 GB; bits 1:0 are ignored.
    logic [31:0] stride;
    // Offset of the first element in the process's SO-DIMM region; bits 1:0 are ignored.
    logic [31:0] offset;
    logic upper;  // The data begins in the upper half of the first line.
    logic listed;  // With `strided`: they lie where a list says instead.
    // Something begins whose elements lie a stride apart; else the data is contiguous, or there is
    // none.
    logic strided;
  } elements_t;

  // Input pins of the stride.
  typedef struct packed {
    logic [31:0] listed;  // By list: offset of the next element.
    logic listed_ended;  // By list: the list has ended.
    logic listed_valid;  // By list: there is an offset, or none any more.
    logic last;  // It is the last one.
    logic data;  // It holds data.
    logic accept;  // The half is taken.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    logic done;  // What began is stored.
    elements_t elements;  // What it is, in that cycle.
    logic begins;  // Something begins to be stored; high for one cycle.
  } in_t;

  // Output pins of the stride.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic overrun;  // Some element lies beyond the region.
    logic store;  // It may be stored.
    logic [31:0] place;  // Offset in the region to which it goes.
    logic upper;  // The present half is the upper one of the line.
    // Waits for the offset of the next element, and takes it as soon as it is there.
    logic locating;
    logic by_list;  // By list.
    logic running;  // Data at a stride or by list is being stored.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
