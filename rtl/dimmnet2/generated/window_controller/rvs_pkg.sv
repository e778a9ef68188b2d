// Generated from crates/devices/dimmnet2/src/window_controller/rvs.rs by `make tables`; do not edit.
package rvs_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bytes of a header of two lines.
  localparam logic [11:0] ShortHeader = 12'd16;

  // Bytes of a header of three lines.
  localparam logic [11:0] LongHeader = 12'd24;

  // RVS module of the Request Executor (figure 5.15).
  typedef enum logic [3:0] {
    Prim = 4'd0,  // Waits for a primitive.
    Wait = 4'd1,  // Waits for the Prefetch Unit.
    Rvss1 = 4'd2,  // RVSS, RVSI: tests whether the rest fits in one packet.
    Rvss2 = 4'd3,  // RVSS, RVSI: computes the bytes of the elements of this packet.
    Rvs1 = 4'd4,  // Waits for room in the SWIF FIFO; builds the first and the second header line.
    Rvs2 = 4'd5,  // Waits for the data; builds the third header line.
    Rvs3 = 4'd6,  // Waits for the data.
    Rvs4 = 4'd7,  // Sends the header.
    Rvs5 = 4'd8,  // Sends the data as it arrives.
    RvsEnd = 4'd9  // Resets the internal registers.
  } state_e;

  // Declared arcs of state_e: bit [from * 10 + to].
  localparam logic [99:0] StateArcs = {
    10'b0000000001,  // from RvsEnd
    10'b1000010100,  // from Rvs5
    10'b0100000000,  // from Rvs4
    10'b0010000000,  // from Rvs3
    10'b0010000000,  // from Rvs2
    10'b0001100000,  // from Rvs1
    10'b0000010000,  // from Rvss2
    10'b0000011000,  // from Rvss1
    10'b0000010100,  // from Wait
    10'b0000010110  // from Prim
  };

  // Layout of data in a memory.
  typedef struct packed {
    // Size in bytes, stride in bytes, or offset of the list, depending on the variant.
    logic [31:0] size_list_stride;
    logic [7:0] iteration;  // Number of elements.
    logic [2:0] dtype;  // Element size: 1 << dtype bytes.
    logic [1:0] variant;  // 0 contiguous, 1 strided, 2 by list.
  } vector_t;

  // Input pins of the RVS module.
  typedef struct packed {
    logic [10:0] packet_lines;  // Lines in the packet buffer.
    // The most recently taken line of the packet buffer, from Prefetch Unit.
    logic [63:0] packet_data;
    logic prefetch_unit_busy;  // The Prefetch Unit is executing a request.
    logic swif_fifo_almost_full;  // The SWIF FIFO has less room than one packet needs.
    // A packet begins only when all of its data has been read, from Configuration Register.
    logic data_awaited;
    logic [12:0] mtu;  // Longest packet in bytes, from Configuration Register.
    logic [7:0] pgid1;  // Process group of WID 1, from Configuration Register.
    logic [7:0] pgid0;  // Process group of WID 0, from Configuration Register.
    logic [127:0] write_window_rdata;  // Two lines of the Write Window, read most recently.
    logic [7:0] window;  // First line of the process's Write Windows to send.
    logic lflag;  // The packets carry lflag.
    // Bytes of the transfer.
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
    logic [31:0] dstoff;  // Offset in the remote memory.
    vector_t target;  // Layout in the remote memory.
    logic [31:0] srcoff;  // Offset in own SO-DIMM region.
    vector_t source;  // Layout in own memory.
    logic rflag;  // Destination of the data: 0 SO-DIMM, 1 Prefetch Window.
    logic eflag;  // The last packet requests a status.
    logic [11:0] dclid;  // Receiving node.
    logic dwid;  // Receiving process.
    logic wid;  // Process on this node: the issuer, or the one whose data is read.
    logic [4:0] otype;  // TYPE of the packets.
    logic remote;  // The primitive is a request of a remote node.
    // The Request Executor dispatches a primitive; high for one cycle, only while `idle`.
    logic start;
  } in_t;

  // Output pins of the RVS module.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic idle;  // The module can accept a primitive.
    logic ipush;  // The primitive is of the IPUSH family.
    logic done_wid;  // Process whose primitive is complete.
    logic done;  // A primitive of the host is complete; high for one cycle.
    logic [12:0] mtu;  // Longest packet of the transfer in bytes; 0 while `idle`.
    logic line_enable;  // Writes `line` into the SWIF FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // Line to the SWIF FIFO.
    logic [7:0] write_window_address;  // Row of 16 bytes: WID, window, row in the window.
    logic write_window_read_enable;  // Reads two lines of the Write Window.
    logic packet_next;  // Takes a line of the packet buffer, if there is one.
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
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
