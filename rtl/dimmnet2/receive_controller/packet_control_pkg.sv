// Generated from crates/devices/dimmnet2/src/receive_controller/packet_control.rs by `make tables`; do not edit.
package packet_control_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Main machine of the Receive Controller.
  typedef enum logic [3:0] {
    Idle = 4'd0,  // Waits for a packet.
    Request = 4'd1,  // Takes the first line from SWIF.
    Header1 = 4'd2,  // Looks at the first line, takes the second.
    Header2 = 4'd3,  // Looks at the second line, takes the third if there is one.
    Header3 = 4'd4,  // Looks at the third line, takes the fourth of a remote request.
    Header4 = 4'd5,  // Looks at the fourth line.
    Decode = 4'd6,  // Starts whoever stores the data.
    Memory = 4'd7,  // Waits for the Write Unit and builds the status.
    Local = 4'd8,  // Waits for the packet writer and builds the status.
    Room = 4'd9,  // Waits for room in the LH Buffer and, if the message has a rest, in the ring.
    Head = 4'd10,  // Waits for the head writer.
    Status = 4'd11,  // Hands the status over.
    Remote = 4'd12,  // Hands a remote request over.
    Drop = 4'd13  // Reads the rest of a packet that nobody wants.
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

  // How a packet's data was stored, from Write Unit or packet writer.
  typedef struct packed {
    // With `done`: bytes of data that the packet held, at most what Packet Size says.
    logic [11:0] bytes;
    logic broken;  // With `done`: a first line came inside the packet.
    logic refused;  // With `done`: the packet found no ring.
    logic overrun;  // With `done`: data ran past its area and was cut.
    logic done;  // The packet is stored and read to its end; high for one cycle.
  } stored_t;

  // Input pins of the packet control.
  typedef struct packed {
    logic remote_fifo_full;  // The Receive Controller's Request FIFO cannot take a request.
    logic [1:0] status_busy;  // A status for this WID cannot be taken now, bit per WID.
    logic [1:0] lh_full;  // The LH Buffer has no room for an entry, bit per WID.
    logic ring_room;  // The Write Unit has found room for the rest of a message.
    stored_t head_write;  // From head writer.
    // With an IPUSH that the Write Unit has stored: first byte of its message.
    logic [31:0] first_address;
    stored_t packet_write;  // From packet writer.
    stored_t write_unit;  // From Write Unit.
    // Configuration values, from the registers.
    struct packed {
      logic [2:0] system_code;
      logic [2:0] user_code;
      logic wid;
      logic [15:0] value;
    } configuration;
    logic [7:0] pgid1;  // Process group of WID 1.
    logic [7:0] pgid0;  // Process group of WID 0.
    logic packet_available;  // SWIF holds at least one whole packet.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // The line taken from SWIF last.
  } in_t;

  // Output pins of the packet control.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic wid;  // Process that the three pulses above belong to.
    logic [1:0] condition;  // Condition, nonzero for one cycle.
    logic overrun;  // Received data ran past its area; one cycle.
    logic packet_received;  // A packet was accepted; one cycle.
    // To Request Separator.
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
    logic [1:0] vl_hold;  // The rest of a message is on its way to SO-DIMM, bit per WID.
    logic [11:0] head_bytes;  // To the head writer: bytes of data in the packet, from Packet Size.
    logic [31:0] message_size;  // To the head writer: bytes of the message.
    logic head_write_start;  // Starts the head writer; low again in the cycle after it is done.
    logic last_packet;  // The packet ends its transfer.
    logic outside;  // The data lies beyond the Prefetch Window in which its transfer began.
    logic to_llcm;  // The packet writer writes to 0: Prefetch Window, 1: LLCM.
    logic packet_write_start;  // Starts the packet writer; high for one cycle.
    logic amt_read_enable;  // Reads the AMT Address Table.
    // To Write Unit.
    struct packed {
      logic [15:0] area_size;
      logic [31:0] sent;
      logic head;
      logic start;
    } ring_request;
    // To Write Unit; to the packet writer but for `start`.
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
