// Generated from crates/devices/hca/src/protocol/responder.rs by `make tables`; do not edit.
package responder_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Syndrome of an ACK.
  localparam logic [7:0] Ack = 8'd31;

  // Of an RNR NAK.
  localparam logic [7:0] RnrNak = 8'd32;

  // Of a NAK.
  localparam logic [7:0] Nak = 8'd96;

  // What happens to a responder.

  localparam logic [2:0] Nothing = 3'b000;  // Nothing.
  localparam logic [2:0] Arrive = 3'b001;  // A packet arrives.
  localparam logic [2:0] Take = 3'b010;  // It is taken: its buffer has room for it.
  localparam logic [2:0] Refuse = 3'b011;  // It is refused for good.
  localparam logic [2:0] Respond = 3'b100;  // A packet of the data of an RDMA READ leaves.

  // Input pins of the responder.
  typedef struct packed {
    logic [23:0] more;  // Packets of the data of an RDMA READ behind the first one.
    logic [31:0] key;  // Its r_key.
    logic [31:0] length;  // Bytes of it that are still to come.
    logic [31:0] address;  // Where an RDMA WRITE goes, or an RDMA READ is from.
    logic [1:0] code;  // Code of the NAK of `Refuse`.
    logic [4:0] rnr_timer;  // RNR timer that is asked of the peer.
    logic ready;  // There is a receive WQE.
    logic [11:0] mtu;  // Bytes that every packet but the last one has.
    logic sized;  // They are as many as such a packet has.
    logic [11:0] bytes;  // Bytes of data.
    logic asks;  // It asks for an answer.
    logic immediate;  // Immediate data come with it.
    logic read;  // It is an RDMA READ.
    logic write;  // It is of an RDMA WRITE.
    logic last;  // It is the last one.
    logic first;  // It is the first one of its message.
    logic repeats;  // It came before.
    // It is the next one: whoever asks has compared before, here and with its bytes.
    logic follows;
    logic [23:0] psn;  // PSN of the packet.
    logic [2:0] cause;  // What happens.
    // Its RDMA READ.
    struct packed {
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
      logic [31:0] write_key;
      logic [31:0] write_left;
      logic [31:0] write_address;
      logic writes;
      logic [23:0] answer_psn;
      logic [7:0] syndrome;
      logic answer;
      logic refused;
      logic [23:0] messages;
      logic [31:0] received;
      logic midway;
      logic [23:0] psn;
      logic dead;
      logic [15:0] consumed;
    } row;
  } in_t;

  // Output pins of the responder.
  typedef struct packed {
    logic breaks;  // The connection is broken.
    logic takes;  // The packet is the next one, and may be taken.
    // Its RDMA READ after the event.
    struct packed {
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
      logic [31:0] write_key;
      logic [31:0] write_left;
      logic [31:0] write_address;
      logic writes;
      logic [23:0] answer_psn;
      logic [7:0] syndrome;
      logic answer;
      logic refused;
      logic [23:0] messages;
      logic [31:0] received;
      logic midway;
      logic [23:0] psn;
      logic dead;
      logic [15:0] consumed;
    } row;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
