// Generated from crates/devices/dimmnet2/src/prefetch_unit/pu_copy.rs by `make tables`; do not edit.
package pu_copy_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Copy control of the Prefetch Unit.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for the request for a chunk.
    Start = 2'd1,  // Makes the control read the chunk.
    Load = 2'd2,  // Waits until the chunk is in the copy buffer.
    Ready = 2'd3  // Reports the length of the chunk.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Ready
    4'b1000,  // from Load
    4'b0100,  // from Start
    4'b1010  // from Idle
  };

  // The unread part of the first half of a copy.
  typedef struct packed {
    logic [31:0] srcoff;  // Source offset in the process's region.
    logic [31:0] stride;  // Stride in bytes.
    logic [31:0] left;  // Bytes left; 0 when nothing is parked.
    logic [2:0] dtype;  // Element size: 1 << dtype bytes.
    logic strided;  // The elements are strided; otherwise the data is contiguous.
  } parked_t;

  // Input pins of the copy control.
  typedef struct packed {
    logic [9:0] run_remaining;  // Bytes of the run that the reader did not find in the region.
    logic [9:0] run_bytes;  // Bytes of the run after the control has clamped the request.
    logic busy;  // The control is executing a request.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // Request for a chunk, from Window Controller.
    struct packed {
      logic [4:0] row;
      logic read_enable;
      logic wid;
      logic end_copy;
      logic request;
    } copy_request;
    logic start;  // `vector_load` is valid.
    // Request, from Window Controller.
    struct packed {
      logic [9:0] reach;
      logic [9:0] wanted;
      logic first_half;
      logic [31:0] total;
      logic to_packet;
      logic [31:0] dstoff;
      logic [31:0] srcoff;
      logic [31:0] size_list_stride;
      logic [7:0] iteration;
      logic [2:0] dtype;
      logic [1:0] variant;
      logic wid;
    } vector_load;
  } in_t;

  // Output pins of the copy control.
  typedef struct packed {
    struct packed { logic [9:0] bytes; logic ready; } chunk;  // Chunk, to Window Controller.
    logic owns;  // A chunk is being read; stored data goes into the copy buffer.
    logic load_start;  // The control accepts `load` in this cycle.
    // Request for the next chunk, to the control.
    struct packed {
      logic [9:0] reach;
      logic [9:0] wanted;
      logic first_half;
      logic [31:0] total;
      logic to_packet;
      logic [31:0] dstoff;
      logic [31:0] srcoff;
      logic [31:0] size_list_stride;
      logic [7:0] iteration;
      logic [2:0] dtype;
      logic [1:0] variant;
      logic wid;
    } load;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
