// Generated from crates/devices/hca/src/protocol/requester.rs by `make tables`; do not edit.
package requester_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // What happens to a requester.

  localparam logic [3:0] Nothing = 4'b0000;  // Nothing.
  localparam logic [3:0] Answer = 4'b0001;  // An answer arrives.
  localparam logic [3:0] Respond = 4'b0010;  // A packet of the data of an RDMA READ arrives.
  localparam logic [3:0] Take = 4'b0011;  // It is taken.
  localparam logic [3:0] Fail = 4'b0100;  // The request cannot be sent.
  localparam logic [3:0] Begin = 4'b0101;  // A request begins.
  localparam logic [3:0] Send = 4'b0110;  // The next packet leaves.
  localparam logic [3:0] Turn = 4'b0111;  // Its turn: has the deadline passed?
  localparam logic [3:0] Flush = 4'b1000;  // The next request is flushed.

  // Input pins of the requester.
  typedef struct packed {
    logic resends;  // Packets are sent again when it has passed.
    logic passed;  // The last one has passed: whoever asks has compared before.
    logic [31:0] deadline;  // The next deadline: whoever asks has added before.
    logic spent;  // To send again is once too often: whoever asks has compared before.
    logic fits;  // It has the bytes that are due.
    logic ends;  // A packet of data is the last one of its answer.
    logic [7:0] syndrome;  // What it says.
    logic [23:0] psn;  // PSN of an answer.
    logic signalled;  // It wants a CQE.
    logic [31:0] length;  // Its length.
    logic [7:0] operation;  // Its operation.
    logic remains;  // The oldest one is the last one.
    // It ends the request: the last packet is acknowledged, or a NAK is one too many or for good.
    logic over;
    logic next;  // It is for the oldest one.
    logic overtakes;  // And for one that is not sent yet, or again.
    logic belongs;  // An answer is for a packet of the request.
    logic unanswered;  // There is one after going back to the oldest.
    logic unsent;  // There is a packet that is due.
    logic rests;  // The packet that is due is the oldest one.
    // The request is an RDMA READ: whoever asks has compared before, here and in the next eight.
    logic reads;
    logic [23:0] more;  // Packets of the request behind its first one.
    logic [3:0] cause;  // What happens.
    // Row of the queue pair.
    struct packed {
      logic [31:0] deadline;
      logic waiting;
      logic [2:0] rnr;
      logic [2:0] retries;
      logic [31:0] length;
      logic [7:0] operation;
      logic signalled;
      logic active;
      logic [23:0] last;
      logic [23:0] oldest;
      logic [23:0] first;
      logic [23:0] psn;
      logic failed;
      logic dead;
      logic [15:0] consumed;
    } row;
  } in_t;

  // Output pins of the requester.
  typedef struct packed {
    logic [7:0] status;  // How it ended.
    logic finish;  // The request is over.
    logic takes;  // A packet of data is the next one, and may be taken.
    logic sends;  // There is a packet to send.
    // Row of the queue pair after the event.
    struct packed {
      logic [31:0] deadline;
      logic waiting;
      logic [2:0] rnr;
      logic [2:0] retries;
      logic [31:0] length;
      logic [7:0] operation;
      logic signalled;
      logic active;
      logic [23:0] last;
      logic [23:0] oldest;
      logic [23:0] first;
      logic [23:0] psn;
      logic failed;
      logic dead;
      logic [15:0] consumed;
    } row;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
