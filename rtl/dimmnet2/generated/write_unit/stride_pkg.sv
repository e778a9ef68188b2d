// Generated from crates/devices/dimmnet2/src/write_unit/stride.rs by `make tables`; do not edit.
package stride_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // State of the stride block.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for strided or listed data.
    Store = 2'd1,  // Computes the location of each half.
    Drain = 2'd2  // Takes the rest after an element beyond the region.
  } state_e;

  // Declared arcs of state_e: bit [from * 3 + to].
  localparam logic [8:0] StateArcs = {
    3'b001,  // from Drain
    3'b101,  // from Store
    3'b010  // from Idle
  };

  // Layout of the elements that the Write Unit begins to store, of a local store or a packet.
  typedef struct packed {
    logic [2:0] dtype;  // Elements have 1 << dtype bytes.
    // Distance between consecutive elements in bytes, modulo 4 GB; bits 1:0 are ignored.
    logic [31:0] stride;
    // Offset of the first element in the process's SO-DIMM region; bits 1:0 are ignored.
    logic [31:0] offset;
    logic upper;  // The data begins in the upper half of the first line.
    logic listed;  // With `strided`: the locations are listed.
    // Strided or listed data begins; otherwise the data is contiguous, or there is none.
    logic strided;
  } elements_t;

  // Input pins of the stride.
  typedef struct packed {
    logic [31:0] listed;  // Listed elements: offset of the next one.
    logic listed_ended;  // Listed elements: the list has ended.
    logic listed_valid;  // Listed elements: an offset is available, or the list has ended.
    logic last;  // The half is the last one of the store.
    logic data;  // The half holds data.
    logic accept;  // The half is taken in this cycle.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    logic done;  // The store is complete.
    elements_t elements;  // Layout of the elements, in the cycle of `begins`.
    logic begins;  // A store begins; high for one cycle.
  } in_t;

  // Output pins of the stride.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic overrun;  // An element lies beyond the region.
    logic store;  // The present half may be stored.
    logic [31:0] place;  // Location of the present half, an offset in the region.
    logic upper;  // The present half is the upper one of the line.
    // Waits for the offset of the next element, and takes it as soon as it is available.
    logic locating;
    logic by_list;  // The store in progress is listed.
    logic running;  // Strided or listed data is being stored.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
