// Generated from crates/devices/dimmnet2/src/receive_controller/pins.rs by `make tables`; do not edit.
package receive_controller_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the Receive Controller.
  typedef struct packed {
    // The Receive Controller's Request FIFO is full, from Window Controller.
    logic remote_fifo_full;
    // A status for this WID cannot be accepted now, bit per WID, from Status Write Unit.
    logic [1:0] status_busy;
    logic [1:0] lh_polarity;  // Value of the flags of a new entry, bit per WID.
    logic [1:0] lh_full;  // The LH Buffer has no free entry, bit per WID.
    // The Write Unit has found room for the rest of a message and waits for its head.
    logic ring_room;
    // With `write_unit_done` of an IPUSH packet, or with `ring_room`: region offset of the first
    // byte of the message.
    logic [31:0] write_unit_first_address;
    // With `write_unit_done`: bytes of data in the packet, stored or cut; at most those announced
    // by Packet Size.
    logic [11:0] write_unit_bytes;
    logic write_unit_broken;  // With `write_unit_done`: a first line arrived within the packet.
    // With `write_unit_done`: the packet has no ring, so nothing of it is stored.
    logic write_unit_refused;
    logic write_unit_overrun;  // With `write_unit_done`: data extended past the region and was cut.
    // The Write Unit has stored the packet and read it to its end; high for one cycle.
    logic write_unit_done;
    // Configuration values, from the registers; IPUSH Area Size is kept in this unit.
    struct packed {
      logic [2:0] system_code;
      logic [2:0] user_code;
      logic wid;
      logic [15:0] value;
    } configuration;
    logic [7:0] pgid1;  // Process group of WID 1, from Configuration Register.
    logic [7:0] pgid0;  // Process group of WID 0, from Configuration Register.
    logic packet_available;  // SWIF holds at least one whole packet.
    // The line most recently taken from SWIF; held until the next one is taken.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
  } in_t;

  // A receive status or a remote request, to the Request Separator (thesis section 5.4).
  typedef struct packed {
    // `request` is valid. A status is accepted in a cycle with `status_busy` of its process low, a
    // remote request in a cycle with `remote_fifo_full` low; held until then.
    logic enable;
    logic [63:0] ex;  // Command Ex of a remote request.
    // The 128 bits of figure 4.13, with the receiving process as `wid` and rflag as
    // `to_prefetch_window`.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } request;
  } result_t;

  // Request to the Write Unit for the data lines of the present packet.
  typedef struct packed {
    // Stride in bytes, or offset of the list in the process's SO-DIMM region.
    logic [31:0] stride_list;
    logic [7:0] iteration;  // Number of elements in the packet.
    logic [2:0] dtype;  // An element has 1 << dtype bytes.
    logic [1:0] variant;  // Variant, code bits 1:0 of TYPE: 0 contiguous, 1 strided, 2 by list.
    logic [11:0] bytes;  // Bytes of data in the packet, from Packet Size; 0 to 4080.
    logic [31:0] offset;  // Offset in the process's SO-DIMM region; bits 1:0 are ignored.
    logic wid;  // Receiving process.
    logic start;  // Starts the Write Unit; high for one cycle.
  } write_request_t;

  // Ring into which the Write Unit stores the data lines of the present packet; process and bytes
  // are those of `WriteRequest`.
  typedef struct packed {
    logic [15:0] area_size;  // IPUSH Area Size of the receiving process.
    logic [31:0] sent;  // Bytes of the message that earlier packets have put into the ring.
    // The data lines follow a head, which the Receive Controller writes once the ring has room.
    logic head;
    logic start;  // Starts the Write Unit; high for one cycle.
  } ring_request_t;

  // Output pins of the Receive Controller.
  typedef struct packed {
    logic [1:0] packet_write_state;  // State number of the packet writer, for Module State.
    logic [3:0] state;  // State number, for Module State.
    // Quarters of a Prefetch Window that have been stored, for the Prefetch Window Flag.
    struct packed { logic wid; logic [1:0] window; logic [3:0] quarters; logic opened; } flag;
    logic wid;  // Process to which `packet_received`, `overrun` and `condition` belong.
    logic [1:0] condition;  // Error, a `ReceiveCondition`, nonzero for one cycle.
    logic overrun;  // Received data extended past its area; one cycle.
    logic packet_received;  // A packet was accepted; one cycle.
    result_t result;  // Status or remote request, to the Request Separator.
    // To the Window Controller: the rest of a message is in flight to SO-DIMM, bit per WID.
    logic [1:0] vl_hold;
    logic head_broken;  // With `head_done`: the packet is malformed and has been read to its end.
    logic head_done;  // To the Write Unit: the head has been written; high for one cycle.
    logic lh_advance;  // Advances the Tail of the LH Buffer; high for one cycle.
    logic [63:0] lh_wdata;  // Line for the LH Buffer.
    logic [1:0] lh_row;  // Row of 16 bytes in the entry at the Tail.
    logic [1:0] lh_write_enable;  // Banks of the LH Buffer to write; 0 writes nothing.
    logic [63:0] llcm_wdata;  // Data for LLCM.
    logic [12:0] llcm_address;  // Word of 8 bytes: WID, word in the process's 32 KB.
    logic [7:0] llcm_byte_enable;  // Bytes of an LLCM word to write; 0 writes nothing.
    logic [127:0] prefetch_window_wdata;  // Data for the Prefetch Window.
    logic [7:0] prefetch_window_address;  // Row of 16 bytes: WID, window, row in the window.
    // Bytes of a Prefetch Window to write; 0 writes nothing.
    logic [15:0] prefetch_window_byte_enable;
    // Reads the AMT Address Table for the sender of the first header line, which is on `line`.
    logic amt_read_enable;
    ring_request_t ring_request;  // Ring for the data lines, to the Write Unit.
    write_request_t write_request;  // Destination of the data lines, to the Write Unit.
    // Takes the next line of the present packet; ignored by SWIF when the last line is on its
    // output.
    logic line_next;
    logic packet_start;  // Takes the first line of the next packet from SWIF.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
