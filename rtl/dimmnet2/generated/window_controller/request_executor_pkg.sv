// Generated from crates/devices/dimmnet2/src/window_controller/request_executor.rs by `make tables`; do not edit.
package request_executor_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Lines of a full Write Window: the longest packet that does not depend on MTU.
  localparam logic [9:0] WindowLines = 10'd64;

  // Lines of room kept beyond the longest packet (decision 0008).
  localparam logic [10:0] SwifFifoMargin = 11'd4;

  // Input pins of the Request Executor.
  typedef struct packed {
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    logic [1:0] vl_hold;  // VLs of this process have to wait, bit per WID.
    logic [10:0] packet_lines;  // Lines in the packet buffer.
    // The most recently taken line of the packet buffer, from Prefetch Unit.
    logic [63:0] packet_data;
    // Chunk of a copy, from Prefetch Unit.
    struct packed { logic [9:0] bytes; logic ready; } copy_chunk;
    logic prefetch_unit_busy;  // The Prefetch Unit is executing a request.
    // Progress of the store, from Write Unit.
    struct packed {
      logic overrun;
      logic done;
      logic row_next;
      logic storing;
      logic busy;
    } vector_store_status;
    logic [10:0] swif_fifo_free;  // Lines that the SWIF FIFO can still take.
    // A packet begins only when all of its data has been read, from Configuration Register.
    logic data_awaited;
    logic [12:0] mtu;  // Longest packet in bytes, from Configuration Register.
    logic [7:0] pgid1;  // Process group of WID 1, from Configuration Register.
    logic [7:0] pgid0;  // Process group of WID 0, from Configuration Register.
    logic request_enable;  // `request` is valid; accepted in a cycle with `ready`.
    logic remote;  // The request came from a remote node.
    // Amount of data that the request moves.
    struct packed {
      logic too_long;
      logic [9:0] room;
      logic nothing;
      logic [6:0] window_lines;
      logic [15:0] limit;
      logic limited;
      logic [14:0] elements;
      logic [31:0] command;
    } sizes;
    logic [63:0] ex;  // Command Ex of `request`.
    // Request, from Request Acceptor.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
    logic [127:0] write_window_rdata;  // Two lines of the Write Window, read most recently.
  } in_t;

  // Output pins of the Request Executor.
  typedef struct packed {
    // Request for a chunk of a copy, to Prefetch Unit.
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
    // Result of a primitive of the VS family.
    struct packed {
      logic destination_clamped;
      logic source_clamped;
      logic copied;
      logic [1:0] window;
      logic wid;
      logic done;
    } vs_result;
    logic [2:0] family;  // Family of the running module; 0 when all are idle.
    logic [9:0] state;  // State number of the running module; 0 when all are idle.
    logic packet_next;  // Takes a line of the packet buffer.
    logic vector_load_start;  // The Prefetch Unit accepts `vector_load` in this cycle.
    // Request, to Prefetch Unit.
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
    logic ipush_done_wid;  // Process whose IPUSH is complete.
    logic ipush_done;  // An IPUSH, with or without LHS, is complete; high for one cycle.
    logic rvs_done_wid;  // Process whose RVS, RVSS or RVSI is complete.
    logic rvs_done;  // An RVS, RVSS or RVSI of the host is complete; high for one cycle.
    // Update of the Prefetch Window Flag.
    struct packed { logic wid; logic [1:0] window; logic [3:0] quarters; logic opened; } flag;
    logic rvl_done_wid;  // Process whose RVL, RVLS or RVLI has been sent.
    logic rvl_done;  // The request of an RVL, RVLS or RVLI has been sent; high for one cycle.
    logic vl_done_wid;  // Process whose VL, VLS or VLI is complete.
    logic vl_done;  // A VL, VLS or VLI is complete; high for one cycle.
    logic botf_done_wid;  // Process whose BOTF is complete.
    logic botf_done;  // A BOTF is complete; high for one cycle.
    logic [7:0] write_window_address;  // Row of 16 bytes: WID, window, row in the window.
    logic write_window_read_enable;  // Reads two lines of the Write Window.
    logic line_enable;  // Writes `line` into the SWIF FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // Line to the SWIF FIFO.
    logic ready;  // All modules are idle: a request is accepted in this cycle.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
