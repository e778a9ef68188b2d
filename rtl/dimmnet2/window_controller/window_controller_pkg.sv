// Generated from crates/devices/dimmnet2/src/window_controller/pins.rs by `make tables`; do not edit.
package window_controller_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Vector Store Request: what the Write Unit shall store in SO-DIMM (thesis figure 5.8).
  typedef struct packed {
    // From one element to the next, in bytes, modulo 4 GB, or offset of the list; bits 1:0 are
    // ignored.
    logic [31:0] stride;
    logic [2:0] dtype;  // An element has 1 << dtype bytes.
    logic copies;  // The data is in the copy buffer, not in a Write Window.
    logic listed;  // A list of offsets says where elements go.
    // Elements lie a stride apart, or where a list says; else the data is contiguous.
    logic strided;
    logic [31:0] offset;  // Offset in the process's SO-DIMM region; bits 1:0 are ignored.
    logic [9:0] bytes;  // Bytes, up to the end of the window.
    logic [1:0] first;  // Which 4 bytes of the first row of the Write Window come first.
    logic wid;  // Process that issued the primitive.
    logic request;  // Asks the Write Unit; held until it is storing.
  } vector_store_t;

  // Vector Store Status and Write Unit Busy (thesis figure 5.8).
  typedef struct packed {
    logic overrun;  // With `done`: data ran past the region and was cut.
    logic done;  // The data is in SO-DIMM; high for one cycle.
    logic row_next;  // Asks the Window Controller to read the next row of the Write Window.
    logic storing;  // It stores what the Window Controller asked for.
    logic busy;  // The Write Unit stores something, maybe a packet.
  } vector_store_status_t;

  // Input pins of the Window Controller.
  typedef struct packed {
    // The rest of a message is on its way to SO-DIMM, bit per WID, from Receive Controller: VL
    // waits.
    logic [1:0] vl_hold;
    logic [10:0] packet_lines;  // Lines in the packet buffer (Vector Load Status).
    // The line of the packet buffer that was taken last, from Prefetch Unit (Vector Load Data).
    logic [63:0] packet_data;
    struct packed { logic [9:0] bytes; logic ready; } copy_chunk;  // From Prefetch Unit.
    logic prefetch_unit_busy;  // The Prefetch Unit executes a request.
    vector_store_status_t vector_store_status;  // From Write Unit.
    logic [10:0] swif_fifo_free;  // Lines that the SWIF FIFO can still take.
    // Configuration values, from the registers.
    struct packed {
      logic [2:0] system_code;
      logic [2:0] user_code;
      logic wid;
      logic [15:0] value;
    } configuration;
    logic remote_request_enable;  // Writes it into the Receive Controller's Request FIFO.
    logic [63:0] remote_ex;  // Its Command Ex.
    // Request of a remote node, from Request Separator.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } remote_request;
    logic host_request_enable;  // Writes it into the host Request FIFO.
    logic [63:0] host_ex;  // Its Command Ex.
    // Request of the host.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } host_request;
    logic [127:0] write_window_rdata;  // Two lines of the Write Window read last.
  } in_t;

  // Decoded configuration, for every block that needs it.
  typedef struct packed {
    logic read_together;  // Data for packets is read from both SO-DIMMs at once (Read Options).
    logic data_awaited;  // A packet begins when all of its data is there (Read Options).
    // SO-DIMM capacity: 256 MB << capacity per module, and per process's region (thesis table
    // 4.10).
    logic [2:0] capacity;
    // Longest packet in bytes, header included (thesis table 4.11); 4096 is capped at 4088
    // (decision 0008).
    logic [12:0] mtu;
    logic [15:0] lid;  // Own LID, as the LID register says.
    logic [7:0] pgid1;  // Process group of WID 1.
    logic [7:0] pgid0;  // Process group of WID 0.
  } configured_t;

  // Output pins of the Window Controller.
  typedef struct packed {
    // To Prefetch Unit.
    struct packed {
      logic [4:0] row;
      logic read_enable;
      logic wid;
      logic end_copy;
      logic request;
    } copy_request;
    vector_store_t vector_store;  // To Write Unit.
    configured_t configured;  // Decoded configuration.
    logic [2:0] executor_family;  // Family of the running module, code bits 4:2 of the primitive.
    logic [9:0] executor_state;  // State number of the running module of the Request Executor.
    logic [1:0] acceptor_state;  // State number of the Request Acceptor.
    logic packet_next;  // To Prefetch Unit: takes a line of the packet buffer.
    logic vector_load_start;  // The Prefetch Unit takes `vector_load` in this cycle.
    // To Prefetch Unit.
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
    // For the Prefetch Window Flag.
    struct packed { logic wid; logic [1:0] window; logic [3:0] quarters; logic opened; } flag;
    logic rvl_done_wid;  // Process whose RVL, RVLS or RVLI is complete.
    logic rvl_done;  // An RVL, RVLS or RVLI is complete, its request sent; one cycle.
    logic vl_done_wid;  // Process whose VL, VLS or VLI is complete.
    logic vl_done;  // A VL, VLS or VLI is complete; one cycle.
    // How a primitive of the VS family went.
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
    logic remote_fifo_full;  // The Receive Controller's Request FIFO cannot take a request.
    logic host_fifo_almost_full;  // The host Request FIFO has little room left.
    logic host_fifo_full;  // The host Request FIFO cannot take a request.
    logic [7:0] write_window_address;  // Row of 16 bytes: WID, window, row in the window.
    logic write_window_read_enable;  // Reads two lines of the Write Window.
    logic line_enable;  // Writes `line` into the SWIF FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // Line to the SWIF FIFO.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
