// Generated from crates/devices/dimmnet2/src/window_controller/vs.rs by `make tables`; do not edit.
package vs_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // VS module of the Request Executor (figure 5.13).
  typedef enum logic [2:0] {
    Prim = 3'd0,  // Waits for a VS, VSS or VSI.
    Wait = 3'd1,  // VS: waits until the Write Unit is not busy, for a copy the Prefetch Unit too.
    // VSS, VSI: clamps the number of elements, waits until the Write Unit is not busy, and for VSI
    // and copies the Prefetch Unit too.
    Vss1 = 3'd2,
    Vs1 = 3'd3,  // Waits until the data is in SO-DIMM.
    VsEnd = 3'd4  // Reports, and resets the internal registers.
  } state_e;

  // Declared arcs of state_e: bit [from * 5 + to].
  localparam logic [24:0] StateArcs = {
    5'b00001,  // from VsEnd
    5'b10000,  // from Vs1
    5'b01000,  // from Vss1
    5'b01000,  // from Wait
    5'b01110  // from Prim
  };

  // Input pins of the VS module.
  typedef struct packed {
    // Chunk of a copy, from Prefetch Unit.
    struct packed { logic [9:0] bytes; logic ready; } copy_chunk;
    logic prefetch_unit_busy;  // The Prefetch Unit is executing a request.
    // Progress of the store, from Write Unit.
    struct packed { logic overrun; logic done; logic row_next; logic storing; logic busy; } status;
    logic too_long;  // VS: Size exceeds `room`.
    logic [9:0] room;  // Bytes from the source to the end of its Write Window.
    logic [7:0] iteration;  // VSS, VSI: number of elements.
    logic [2:0] dtype;  // VSS, VSI: elements have 1 << dtype bytes.
    logic [31:0] size_list_stride;  // VS: bytes. VSS: stride in bytes. VSI: offset of the list.
    logic [31:0] offset;  // Byte offset in the process's SO-DIMM region.
    // Byte offset in the process's 2 KB of Write Windows; bits 1:0 are ignored.
    logic [10:0] source;
    logic wid;  // Process that issued the primitive.
    logic copies;  // The primitive is the second half of a copy.
    logic listed;  // The primitive is a VSI.
    logic strided;  // The primitive is a VSS or VSI.
    // The Request Executor dispatches a VS, VSS or VSI; high for one cycle, only while `idle`.
    logic start;
  } in_t;

  // Output pins of the VS module.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic idle;  // The module can accept a primitive.
    // Result, for Controller Status.
    struct packed {
      logic destination_clamped;
      logic source_clamped;
      logic copied;
      logic [1:0] window;
      logic wid;
      logic done;
    } result;
    logic [7:0] write_window_address;  // Row of 16 bytes: WID, window, row in the window.
    logic write_window_read_enable;  // Reads two lines of the Write Window.
    // Request for a chunk, to Prefetch Unit.
    struct packed {
      logic [4:0] row;
      logic read_enable;
      logic wid;
      logic end_copy;
      logic request;
    } copy_request;
    // Store request, to Write Unit.
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
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
