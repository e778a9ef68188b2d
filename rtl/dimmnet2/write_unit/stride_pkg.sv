// Generated from crates/dimmnet2/src/write_unit/stride.rs by `make tables`; do not edit.
package stride_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Stride machine of the Write Unit.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for a store at a stride or by list.
    Store = 2'd1,  // Places halves.
    Drain = 2'd2  // Takes what is left after an element beyond the region.
  } state_e;

  // Declared arcs of state_e: bit [from * 3 + to].
  localparam logic [8:0] StateArcs = {
    3'b001,  // from Drain
    3'b101,  // from Store
    3'b010  // from Idle
  };

  // Input pins of the stride.
  typedef struct packed {
    logic [31:0] listed;  // By list: offset of the next element.
    logic listed_ended;  // By list: the list has ended.
    logic listed_valid;  // By list: there is an offset, or none any more.
    logic last;  // It is the last one.
    logic accept;  // The half is taken.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // What is to be stored, in that cycle.
    struct packed {
      logic [31:0] stride;
      logic [2:0] dtype;
      logic copies;
      logic listed;
      logic strided;
      logic [31:0] offset;
      logic [9:0] bytes;
      logic [1:0] first;
      logic wid;
      logic request;
    } vector_store;
    // Begins a local store; high for one cycle. Only a strided one of at least one byte concerns
    // this machine.
    logic begin_store;
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
    logic running;  // A store at a stride or by list is under way.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
