// Generated from crates/devices/dimmnet2/src/receive_controller/packet_control.rs by `make tables`; do not edit.
package packet_control_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Main state machine of the Receive Controller.
  typedef enum logic [3:0] {
    Idle = 4'd0,  // Waits for a packet.
    Request = 4'd1,  // Takes the first line from SWIF.
    Header1 = 4'd2,  // Examines the first line, takes the second.
    Header2 = 4'd3,  // Examines the second line, takes the third if there is one.
    Header3 = 4'd4,  // Examines the third line, takes the fourth of a remote request.
    Header4 = 4'd5,  // Examines the fourth line.
    Decode = 4'd6,  // Starts the unit that stores the data.
    Memory = 4'd7,  // Waits for the Write Unit and builds the status.
    Local = 4'd8,  // Waits for the packet writer and builds the status.
    Room = 4'd9,  // Waits for room in the LH Buffer and, if the message has a rest, in the ring.
    Head = 4'd10,  // Waits for the head writer.
    Status = 4'd11,  // Sends the status.
    Remote = 4'd12,  // Sends the remote request.
    Drop = 4'd13  // Reads the rest of a dropped packet.
  } state_e;

  // Declared arcs of state_e: bit [from * 14 + to].
  localparam logic [195:0] StateArcs = {
    14'b00000000000001,  // from Drop
    14'b00000000000001,  // from Remote
    14'b00000000000001,  // from Status
    14'b00100010000001,  // from Head
    14'b00010000000001,  // from Room
    14'b00100000000001,  // from Local
    14'b00100000000001,  // from Memory
    14'b01001110000000,  // from Decode
    14'b10000001000000,  // from Header4
    14'b10000001100000,  // from Header3
    14'b10000001010000,  // from Header2
    14'b10000000001000,  // from Header1
    14'b00000000000100,  // from Request
    14'b00000000000010  // from Idle
  };

  // Result of storing a packet's data, from Write Unit, packet writer or head writer.
  typedef struct packed {
    // With `done`: bytes of data in the packet, at most those announced by Packet Size.
    logic [11:0] bytes;
    logic broken;  // With `done`: a first line arrived within the packet.
    logic refused;  // With `done`: the packet has no ring.
    logic overrun;  // With `done`: data extended past its area and was cut.
    logic done;  // The packet has been stored and read to its end; high for one cycle.
  } stored_t;

  // Input pins of the packet control.
  typedef struct packed {
    logic remote_fifo_full;  // The Receive Controller's Request FIFO is full.
    logic [1:0] status_busy;  // A status for this WID cannot be accepted now, bit per WID.
    logic [1:0] lh_full;  // The LH Buffer has no free entry, bit per WID.
    logic ring_room;  // The Write Unit has found room for the rest of a message.
    stored_t head_write;  // Result of the head writer.
    // With `write_unit.done` of an IPUSH: first byte of its message, an offset in the region.
    logic [31:0] first_address;
    stored_t packet_write;  // Result of the packet writer.
    stored_t write_unit;  // Result of the Write Unit.
    // Configuration values, from the registers; IPUSH Area Size is kept here.
    struct packed {
      logic [2:0] system_code;
      logic [2:0] user_code;
      logic wid;
      logic [15:0] value;
    } configuration;
    logic [7:0] pgid1;  // Process group of WID 1.
    logic [7:0] pgid0;  // Process group of WID 0.
    logic packet_available;  // SWIF holds at least one whole packet.
    // The line most recently taken from SWIF.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
  } in_t;

  // Output pins of the packet control.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic wid;  // Process to which `packet_received`, `overrun` and `condition` belong.
    logic [1:0] condition;  // Error, a `ReceiveCondition`, nonzero for one cycle.
    logic overrun;  // Received data extended past its area; one cycle.
    logic packet_received;  // A packet was accepted; one cycle.
    // Status or remote request, to Request Separator.
    struct packed {
      logic enable;
      logic [63:0] ex;
      struct packed {
        logic wid;
        logic to_prefetch_window;
        logic [63:0] upper;
        logic [63:0] lower;
      } request;
    } result;
    logic [1:0] vl_hold;  // The rest of a message is in flight to SO-DIMM, bit per WID.
    logic [11:0] head_bytes;  // To the head writer: bytes of data in the packet, from Packet Size.
    logic [31:0] message_size;  // To the head writer: bytes of the message.
    logic head_write_start;  // Starts the head writer; low in the cycle after the writer is done.
    logic last_packet;  // The packet is the last one of its transfer.
    logic outside;  // The data lies outside the Prefetch Window in which its transfer began.
    logic to_llcm;  // The packet writer writes to 0: Prefetch Window, 1: LLCM.
    logic packet_write_start;  // Starts the packet writer; high for one cycle.
    logic amt_read_enable;  // Reads the AMT Address Table for the sender on `line`.
    // Ring for the data, to Write Unit.
    struct packed {
      logic [15:0] area_size;
      logic [31:0] sent;
      logic head;
      logic start;
    } ring_request;
    // Destination of the data, to Write Unit and packet writer; `start` concerns only the Write
    // Unit.
    struct packed {
      logic [31:0] stride_list;
      logic [7:0] iteration;
      logic [2:0] dtype;
      logic [1:0] variant;
      logic [11:0] bytes;
      logic [31:0] offset;
      logic wid;
      logic start;
    } write_request;
    logic line_next;  // Takes the next line of the present packet.
    logic packet_start;  // Takes the first line of the next packet from SWIF.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
