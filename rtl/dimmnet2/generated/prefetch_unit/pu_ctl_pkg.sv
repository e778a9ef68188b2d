// Generated from crates/devices/dimmnet2/src/prefetch_unit/pu_ctl.rs by `make tables`; do not edit.
package pu_ctl_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Control of the Prefetch Unit.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for a request.
    Compute = 2'd1,  // Computes the bytes to read.
    List = 2'd2,  // The list is read into the list buffer.
    Data = 2'd3  // The data is read into the Prefetch Window or the packet buffer.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Data
    4'b1000,  // from List
    4'b1101,  // from Compute
    4'b0010  // from Idle
  };

  // One run of the reader.
  typedef struct packed {
    logic together;  // A contiguous run reads words of both SO-DIMMs at once.
    logic to_packet;  // The run goes into the packet buffer, and waits for room there.
    // 1: bytes beyond the region are read as 0. 0: an element outside the region ends the run.
    logic padded;
    logic listed;  // The offsets are in the list buffer.
    logic [31:0] bytes;  // Bytes of all elements; the last element may be cut.
    // Element size in bytes, at least 4; the whole run if it is contiguous.
    logic [31:0] element_bytes;
    logic [31:0] stride;  // Distance between consecutive elements in bytes.
    // Offset of the first element, or the base that is added to each offset of the list.
    logic [31:0] offset;
    logic wid;  // Process whose region is read.
  } run_t;

  // Input pins of the control.
  typedef struct packed {
    logic write_idle;  // The writer is idle.
    logic read_idle;  // The reader is idle.
    logic read_together;  // Data for packets is read from both SO-DIMMs at once.
    logic copy_start;  // `copy_load` is valid.
    // Request for a chunk, from the copy control.
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
    } copy_load;
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

  // Output pins of the control.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic [3:0] quarters;  // Quarters that the transfer will not touch.
    logic opened;  // The transfer begins, and `quarters` is valid; high for one cycle.
    // Destination in the Prefetch Windows in units of 4 bytes: WID, window, half word.
    logic [9:0] destination;
    // The run goes into the list buffer, otherwise into a Prefetch Window or the packet buffer.
    logic to_list;
    run_t run;  // Run, to the reader.
    logic start;  // Starts reader and writer; high for one cycle, `run` stays until both are idle.
    logic busy;  // A request is executed.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
