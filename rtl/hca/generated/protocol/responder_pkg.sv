// Generated from crates/devices/hca/src/protocol/responder.rs by `make tables`; do not edit.
package responder_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Syndrome of an ACK.
  localparam logic [7:0] Ack = 8'd31;

  // Syndrome of an RNR NAK; bits 4:0 are its timer.
  localparam logic [7:0] RnrNak = 8'd32;

  // Syndrome of a NAK; bits 4:0 are its code.
  localparam logic [7:0] Nak = 8'd96;

  // Event of a responder.

  localparam logic [2:0] Nothing = 3'b000;  // No event: the rows stay as they are.
  localparam logic [2:0] Arrive = 3'b001;  // A packet arrives.
  localparam logic [2:0] Take = 3'b010;  // The packet is taken: its buffer has room.
  localparam logic [2:0] Refuse = 3'b011;  // The packet is refused for good.
  localparam logic [2:0] Respond = 3'b100;  // A packet of RDMA READ data is sent.

  // Input pins of the responder.
  typedef struct packed {
    logic [63:0] original;  // Value before the atomic operation.
    logic [23:0] more;  // Packets of RDMA READ data after the first one; 0 for an atomic operation.
    logic [31:0] key;  // r_key of the RDMA WRITE or READ, l_key of the buffer of a SEND.
    // Bytes that the RDMA WRITE or READ still has, or of the buffer of a SEND.
    logic [31:0] length;
    // Byte address of the RDMA WRITE or READ, of the atomic operation, or of the buffer of a SEND.
    logic [31:0] address;
    logic [1:0] code;  // Code of the NAK of `Refuse`.
    logic [4:0] rnr_timer;  // RNR timer for the peer (IBA volume 1, table 45).
    logic shared;  // Receive WQEs come from a shared receive queue.
    logic ready;  // A receive WQE is posted.
    logic [11:0] mtu;  // Bytes of a full packet.
    logic sized;  // The packet has as many bytes as its kind may have.
    logic [11:0] bytes;  // Bytes of data; 0 to 2,048.
    logic asks;  // The packet requests an acknowledgement.
    logic immediate;  // The packet has immediate data.
    // The oldest RDMA READ that waits.
    struct packed {
      logic denied;
      logic [31:0] key;
      logic [31:0] length;
      logic [31:0] address;
      logic [23:0] last;
      logic [23:0] first;
    } next;
    logic crowded;  // The RDMA READ would wait, and there is no place.
    logic appends;  // The RDMA READ waits behind the one that is answered.
    logic saved;  // The saved answer is that of the packet.
    logic atomic;  // The packet requests an atomic operation.
    logic read;  // The packet requests an RDMA READ.
    logic write;  // The packet belongs to an RDMA WRITE.
    logic last;  // The packet is the last one of its message.
    logic first;  // The packet is the first one of its message.
    logic repeats;  // The packet is a duplicate.
    logic follows;  // The packet has the expected PSN.
    logic unreliable;  // The connection is unreliable: packets are SENDs and RDMA WRITEs.
    logic [23:0] psn;  // PSN of the packet.
    logic [2:0] cause;  // Event, a `Cause`.
    // Row of the peer's RDMA READ or atomic operation.
    struct packed {
      logic yields;
      logic [23:0] newest;
      logic [3:0] place;
      logic [3:0] waiting;
      logic denied;
      logic atomic;
      logic [31:0] key;
      logic [31:0] left;
      logic [31:0] address;
      logic [23:0] last;
      logic [23:0] psn;
      logic begun;
      logic active;
    } reader;
    // Row of the queue pair.
    struct packed {
      logic [31:0] key;
      logic [31:0] length;
      logic [31:0] address;
      logic writes;
      logic [23:0] answer_psn;
      logic [7:0] syndrome;
      logic answer;
      logic refused;
      logic [23:0] messages;
      logic [31:0] received;
      logic midway;
      logic [23:0] psn;
      logic failed;
      logic dead;
      logic [15:0] consumed;
    } row;
  } in_t;

  // Output pins of the responder.
  typedef struct packed {
    logic breaks;  // The connection is broken.
    logic takes;  // The packet is the expected one and may be taken.
    // Row of the peer's RDMA READ or atomic operation after the event.
    struct packed {
      logic yields;
      logic [23:0] newest;
      logic [3:0] place;
      logic [3:0] waiting;
      logic denied;
      logic atomic;
      logic [31:0] key;
      logic [31:0] left;
      logic [31:0] address;
      logic [23:0] last;
      logic [23:0] psn;
      logic begun;
      logic active;
    } reader;
    // Row of the queue pair after the event.
    struct packed {
      logic [31:0] key;
      logic [31:0] length;
      logic [31:0] address;
      logic writes;
      logic [23:0] answer_psn;
      logic [7:0] syndrome;
      logic answer;
      logic refused;
      logic [23:0] messages;
      logic [31:0] received;
      logic midway;
      logic [23:0] psn;
      logic failed;
      logic dead;
      logic [15:0] consumed;
    } row;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
