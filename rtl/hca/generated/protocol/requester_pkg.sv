// Generated from crates/devices/hca/src/protocol/requester.rs by `make tables`; do not edit.
package requester_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Event of a requester.

  localparam logic [3:0] Nothing = 4'b0000;  // No event: the row stays as it is.
  localparam logic [3:0] Answer = 4'b0001;  // An acknowledgement or NAK arrives.
  localparam logic [3:0] Respond = 4'b0010;  // A packet of RDMA READ data arrives.
  localparam logic [3:0] Take = 4'b0011;  // The packet of RDMA READ data is taken.
  // The data of the RDMA READ have no place: the request fails.
  localparam logic [3:0] Fail = 4'b0100;
  localparam logic [3:0] Begin = 4'b0101;  // A request begins.
  localparam logic [3:0] Send = 4'b0110;  // The next packet is sent.
  // The scheduler gives the queue pair its turn: the deadline may have passed.
  localparam logic [3:0] Turn = 4'b0111;
  localparam logic [3:0] Flush = 4'b1000;  // The next WQE is flushed, because the queue has failed.

  // Input pins of the requester.
  typedef struct packed {
    logic closes;  // The packet is the last one of a request that nothing acknowledges.
    logic [23:0] last_psn;  // PSN of the last packet of that request.
    logic last;  // The packet to send is the last one of a request of a connection.
    logic resends;  // The queue pair has a time-out, after which it sends again.
    logic passed;  // The deadline has passed.
    logic [31:0] deadline;  // Tick at which the next time-out expires.
    logic spent;  // The retry count is exhausted.
    logic fits;  // The packet of data has the kind and the length that are due.
    logic ends;  // The packet of data is the last one of its answer.
    logic [7:0] syndrome;  // Syndrome of the answer (IBA volume 1, table 44).
    logic [23:0] psn;  // PSN of the answer.
    logic signalled;  // The request that begins asks for a CQE.
    logic [31:0] length;  // Bytes of the request that begins.
    logic [7:0] operation;  // Operation of the request that begins, an `Operation`.
    logic remains;  // The oldest unacknowledged packet is the last one of the request.
    // The answer ends the oldest request: it acknowledges the last packet, or is a NAK that is
    // final or exhausts the retries.
    logic over;
    logic next;  // The answer is for the oldest unacknowledged packet.
    logic overtakes;  // The answered packet is not sent yet, or is to be sent again.
    // The answer is for a packet of a later request, and acknowledges the oldest one whole.
    logic passes;
    logic belongs;  // The answer is for a packet of an outstanding request.
    logic unanswered;  // Unacknowledged packets remain after a go-back-N restart.
    logic begins;  // A posted request may begin behind the outstanding ones.
    logic unsent;  // Packets of outstanding requests are still to be sent.
    logic rests;  // The next packet to send is the oldest unacknowledged one: none is in flight.
    logic reads;  // The oldest request is an RDMA READ or an atomic operation, which data answer.
    logic [23:0] more;  // Packets of the request after its first one.
    logic [3:0] cause;  // Event, a `Cause`.
    // Row of the queue pair.
    struct packed {
      logic [31:0] deadline;
      logic waiting;
      logic [2:0] rnr;
      logic [2:0] retries;
      logic [31:0] length;
      logic [7:0] operation;
      logic signalled;
      logic held;
      logic [4:0] sent;
      logic [4:0] begun;
      logic active;
      logic [23:0] newest;
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
    logic [7:0] status;  // How the request ended, a `Status`.
    logic finish;  // The oldest request is over.
    logic restarts;  // Sending goes back to the oldest unacknowledged packet, after a time-out.
    logic takes;  // The packet of data is the expected one and may be taken.
    logic sends;  // The next packet may be sent.
    // Row of the queue pair after the event.
    struct packed {
      logic [31:0] deadline;
      logic waiting;
      logic [2:0] rnr;
      logic [2:0] retries;
      logic [31:0] length;
      logic [7:0] operation;
      logic signalled;
      logic held;
      logic [4:0] sent;
      logic [4:0] begun;
      logic active;
      logic [23:0] newest;
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
