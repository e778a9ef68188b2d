// Generated from crates/devices/dimmnet2/src/window_controller/pins.rs by `make tables`; do not edit.
package window_controller_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Vector Store Request: what the Write Unit stores in SO-DIMM (thesis figure 5.8).
  typedef struct packed {
    // Stride in bytes, modulo 4 GB, or offset of the list; bits 1:0 are ignored.
    logic [31:0] stride;
    logic [2:0] dtype;  // Elements have 1 << dtype bytes.
    logic copies;  // The data is in the copy buffer instead of a Write Window.
    logic listed;  // A list of offsets gives the locations of the elements.
    logic strided;  // The elements are strided or listed; otherwise the data is contiguous.
    logic [31:0] offset;  // Offset in the process's SO-DIMM region; bits 1:0 are ignored.
    logic [9:0] bytes;  // Bytes to store, up to the end of the window.
    // Unit of 4 bytes in the first row of the Write Window at which the data begins.
    logic [1:0] first;
    logic wid;  // Process that issued the primitive.
    logic request;  // Requests a store; held until the Write Unit is storing.
  } vector_store_t;

  // Vector Store Status and Write Unit Busy (thesis figure 5.8).
  typedef struct packed {
    logic overrun;  // With `done`: data extended past the region and was cut.
    logic done;  // The data is in SO-DIMM; high for one cycle.
    logic row_next;  // Makes the Window Controller read the next row of the Write Window.
    logic storing;  // The Write Unit is storing the data of the Window Controller.
    logic busy;  // The Write Unit is storing, possibly a packet.
  } vector_store_status_t;

  // Input pins of the Window Controller.
  typedef struct packed {
    // The rest of a message is in flight to SO-DIMM, bit per WID, from Receive Controller: VL
    // waits.
    logic [1:0] vl_hold;
    logic [10:0] packet_lines;  // Lines in the packet buffer (Vector Load Status).
    // The most recently taken line of the packet buffer, from Prefetch Unit (Vector Load Data).
    logic [63:0] packet_data;
    // Chunk of a copy, from Prefetch Unit.
    struct packed { logic [9:0] bytes; logic ready; } copy_chunk;
    logic prefetch_unit_busy;  // The Prefetch Unit is executing a request.
    vector_store_status_t vector_store_status;  // Progress of the store, from Write Unit.
    logic [10:0] swif_fifo_free;  // Lines that the SWIF FIFO can still take.
    // Configuration value sent in this cycle, from the registers.
    struct packed {
      logic [2:0] system_code;
      logic [2:0] user_code;
      logic wid;
      logic [15:0] value;
    } configuration;
    // Writes `remote_request` into the Receive Controller's Request FIFO.
    logic remote_request_enable;
    logic [63:0] remote_ex;  // Command Ex of `remote_request`.
    // Request of a remote node, from Request Separator.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } remote_request;
    logic host_request_enable;  // Writes `host_request` into the host Request FIFO.
    logic [63:0] host_ex;  // Command Ex of `host_request`.
    // Request of the host for its Request FIFO.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } host_request;
    logic [127:0] write_window_rdata;  // Two lines of the Write Window, read most recently.
  } in_t;

  // Decoded configuration, for every block that needs it.
  typedef struct packed {
    logic read_together;  // Data for packets is read from both SO-DIMMs at once (Read Options).
    logic data_awaited;  // A packet begins only when all of its data has been read (Read Options).
    // SO-DIMM capacity: 256 MB << capacity per module, and per process's region (thesis table
    // 4.10).
    logic [2:0] capacity;
    // Longest packet in bytes, header included (thesis table 4.11); 4096 is capped at 4088
    // (decision 0008).
    logic [12:0] mtu;
    logic [15:0] lid;  // LID of this node.
    logic [7:0] pgid1;  // Process group of WID 1.
    logic [7:0] pgid0;  // Process group of WID 0.
  } configured_t;

  // Output pins of the Window Controller.
  typedef struct packed {
    // Request for a chunk of a copy, to Prefetch Unit.
    struct packed {
      logic [4:0] row;
      logic read_enable;
      logic wid;
      logic end_copy;
      logic request;
    } copy_request;
    vector_store_t vector_store;  // Store request, to Write Unit.
    configured_t configured;  // Decoded configuration.
    logic [2:0] executor_family;  // Family of the running module, code bits 4:2 of the primitive.
    logic [9:0] executor_state;  // State number of the running module of the Request Executor.
    logic [1:0] acceptor_state;  // State number of the Request Acceptor.
    logic packet_next;  // To Prefetch Unit: takes a line of the packet buffer.
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
    logic ipush_done;  // An IPUSH of the host is complete; one cycle.
    logic rvs_done_wid;  // Process whose RVS, RVSS or RVSI is complete.
    logic rvs_done;  // An RVS, RVSS or RVSI of the host is complete; one cycle.
    // Update of the Prefetch Window Flag.
    struct packed { logic wid; logic [1:0] window; logic [3:0] quarters; logic opened; } flag;
    logic rvl_done_wid;  // Process whose RVL, RVLS or RVLI has been sent.
    logic rvl_done;  // The request of an RVL, RVLS or RVLI has been sent; one cycle.
    logic vl_done_wid;  // Process whose VL, VLS or VLI is complete.
    logic vl_done;  // A VL, VLS or VLI is complete; one cycle.
    // Result of a primitive of the VS family.
    struct packed {
      logic destination_clamped;
      logic source_clamped;
      logic copied;
      logic [1:0] window;
      logic wid;
      logic done;
    } vs_result;
    logic botf_done_wid;  // Process whose BOTF is complete.
    logic botf_done;  // A BOTF is complete; one cycle.
    logic remote_fifo_full;  // The Receive Controller's Request FIFO is full.
    logic host_fifo_almost_full;  // The host Request FIFO is almost full.
    logic host_fifo_full;  // The host Request FIFO is full.
    logic [7:0] write_window_address;  // Row of 16 bytes: WID, window, row in the window.
    logic write_window_read_enable;  // Reads two lines of the Write Window.
    logic line_enable;  // Writes `line` into the SWIF FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // Line to the SWIF FIFO.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
