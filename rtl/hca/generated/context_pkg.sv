// Generated from crates/devices/hca/src/contexts.rs by `make tables`; do not edit.
package context_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Attributes of a queue pair, set by the host.
  typedef struct packed {
    logic [7:0] receive_cq;  // Number of the CQ for the receive queue.
    logic [23:0] receive_psn;  // PSN expected of the first packet to arrive.
    logic [7:0] send_cq;  // Number of the CQ for the send queue.
    logic [23:0] send_psn;  // PSN of the first packet to send.
    logic [3:0] reserved3;  // Reserved; any value.
    // RDMA READs of the queue pair that may be outstanding; 1 to 16. 0 is 1, more are 16.
    logic [4:0] reads;
    logic [1:0] shared_queue;  // Number of the shared receive queue.
    logic [4:0] rnr_timer;  // Timer code in the RNR NAKs for the peer (IBA volume 1, table 45).
    logic [15:0] peer_lid;  // LID of the port at which the peer is; connections only.
    logic [2:0] reserved2;  // Reserved; any value.
    logic [4:0] timeout;  // Time-out as a code: 4.096 us times 2 to the code; 0 for none.
    logic [23:0] peer;  // QPN of the peer; connections only.
    logic [31:0] q_key;  // Q_Key that an arriving datagram must have.
    logic [31:0] receive_base;  // Byte address of the receive ring, a multiple of 64.
    logic [31:0] send_base;  // Byte address of the send ring, a multiple of 64.
    // Receive WQEs come from a shared receive queue; ignored on an unreliable connection.
    logic shared;
    // The connection is unreliable: nothing is acknowledged or sent again; connections only.
    logic unreliable;
    logic [2:0] rnr_retries;  // Retries after RNR NAKs; 7 is unlimited.
    logic [2:0] retries;  // Retries after time-outs and PSN sequence errors; 0 to 7.
    logic [3:0] reserved1;  // Reserved; any value.
    logic [3:0] receive_log;  // Binary logarithm of the places of the receive ring.
    logic [3:0] send_log;  // Binary logarithm of the places of the send ring.
    // MTU as a code: 1 for 256 bytes of data in a packet, 2 for 512, 3 for 1,024, 4 for 2,048.
    logic [3:0] mtu;
    logic [3:0] domain;  // Protection domain: the queue pair may use keys of the same domain only.
    logic connected;  // Connection, reliable unless `unreliable` is set; otherwise datagrams.
    // State that the host has set, a `PairState`. A failure of the adapter shows in the rows of
    // both queues.
    logic [2:0] state;
  } attributes_t;

  // A registered area of host memory. Its key is its row in bits 11:0, `variant` in bits 19:12.
  typedef struct packed {
    logic [31:0] length;  // Bytes of the area.
    logic [31:0] base;  // First byte of the area.
    logic [14:0] reserved;  // Reserved; any value.
    logic remote_atomic;  // A peer's atomic operations may work on the area.
    logic [7:0] variant;  // Bits 19:12 of the key: a new area in an old row gets another key.
    logic [3:0] domain;  // Protection domain of the area.
    logic remote_read;  // A peer's RDMA READs may read from the area.
    logic remote_write;  // A peer's RDMA WRITEs may write to the area.
    // The owner's receives, RDMA READs and atomic operations may write to the area.
    logic local_write;
    logic valid;  // The row is in use.
  } key_t;

  // A registered area as the adapter stores it: its end is computed once, when the area is
  // registered.
  typedef struct packed {
    logic [32:0] limit;  // Address after the last byte.
    logic [31:0] base;  // First byte of the area.
    logic remote_atomic;  // A peer's atomic operations may work on the area.
    logic [7:0] variant;  // Bits 19:12 of the key.
    logic [3:0] domain;  // Protection domain of the area.
    logic remote_read;  // A peer's RDMA READs may read from the area.
    logic remote_write;  // A peer's RDMA WRITEs may write to the area.
    // The owner's receives, RDMA READs and atomic operations may write to the area.
    logic local_write;
    logic valid;  // The row is in use.
  } area_t;

  // A completion queue.
  typedef struct packed {
    logic [31:0] base;  // Byte address of the ring, a multiple of 32.
    // CQEs written; the counter wraps, and its lowest bits are the place of the next one.
    logic [15:0] produced;
    logic [7:0] reserved1;  // Reserved; any value.
    logic [3:0] log;  // Binary logarithm of the places of the ring.
    logic [1:0] reserved;  // Reserved; any value.
    logic broken;  // The queue has overflowed; no CQE is written any more.
    logic valid;  // The row is in use.
  } queue_t;

  // A shared receive queue, from whose ring several queue pairs take receive WQEs.
  typedef struct packed {
    logic [31:0] base;  // Byte address of the ring, a multiple of 64.
    logic [11:0] reserved;  // Reserved; any value.
    logic [3:0] log;  // Binary logarithm of the places of the ring.
    logic [15:0] taken;  // WQEs taken; the counter wraps.
  } shared_queue_t;

  // Limit of a shared receive queue: once, when fewer WQEs are left, its cause interrupts.
  typedef struct packed {
    logic armed;  // The limit is set.
    logic [15:0] least;  // WQEs that are enough.
  } limit_t;

  // A quarter of the queue pairs of a multicast group.
  typedef struct packed {
    logic [63:0] members;  // Queue pairs that are attached, a bit each, the lowest number in bit 0.
  } group_t;

  // Progress of a send queue. All fields from `psn` on belong to the outstanding requests of a
  // connection; `first`, `last`, `signalled`, `operation` and `length` are those of the oldest one.
  typedef struct packed {
    logic [31:0] deadline;  // Tick of 1.024 us at which packets are sent again.
    logic waiting;  // An RNR NAK has arrived: no packet is sent before the deadline.
    logic [2:0] rnr;  // RNR NAKs since the last acknowledgement.
    logic [2:0] retries;  // Retries since the last acknowledgement.
    // Bytes of the request; a WQE that changes its length while it is outstanding is refused.
    logic [31:0] length;
    logic [7:0] operation;  // Operation of the request, an `Operation`.
    logic signalled;  // The request asks for a CQE.
    // The next request waits until none is outstanding: one of another kind, an atomic operation,
    // or one that fails.
    logic held;
    // Outstanding requests before the one of the next packet: all their packets have been sent.
    logic [4:0] sent;
    logic [4:0] begun;  // Outstanding requests; 0 to 16.
    logic active;  // A request is outstanding.
    logic [23:0] newest;  // PSN of the last packet of the newest request.
    logic [23:0] last;  // PSN of the last packet of the request.
    logic [23:0] oldest;  // PSN of the oldest unacknowledged packet.
    logic [23:0] first;  // PSN of the first packet of the request.
    logic [23:0] psn;  // PSN of the next packet to send.
    logic failed;  // A request has failed: the queue pair is in the error state.
    logic dead;  // The doorbell was beyond the ring: the queue sends no more.
    logic [15:0] consumed;  // WQEs done; the counter wraps.
  } requester_t;

  // An outstanding request of a connection: what its end and a packet that is sent again need.
  typedef struct packed {
    logic [31:0] length;  // Bytes.
    logic [7:0] operation;  // SEND or RDMA, as an `Operation`.
    logic signalled;  // The request asks for a CQE.
    logic [23:0] last;  // PSN of the last packet.
    logic [23:0] first;  // PSN of the first packet.
  } request_t;

  // Progress of a receive queue; all fields from `psn` on are those of a connection.
  typedef struct packed {
    // r_key of the RDMA WRITE, l_key of the buffer of a SEND; it is checked for each packet.
    logic [31:0] key;
    logic [31:0] length;  // Bytes of the RDMA WRITE still to arrive; of the buffer of a SEND.
    // Byte address of the next byte of the RDMA WRITE; of the buffer of a SEND.
    logic [31:0] address;
    logic writes;  // The message is an RDMA WRITE.
    logic [23:0] answer_psn;  // PSN that the answer acknowledges, or at which it refuses.
    logic [7:0] syndrome;  // Syndrome of the answer (IBA volume 1, table 44).
    logic answer;  // An acknowledgement or NAK is to be sent.
    logic refused;  // A NAK has requested the next packet; no other is sent for it.
    logic [23:0] messages;  // Messages received; the counter wraps.
    logic [31:0] received;  // Bytes of the message received so far.
    logic midway;  // The next packet continues a message.
    logic [23:0] psn;  // PSN expected of the next packet to arrive.
    logic failed;  // A request was refused for good: the queue pair is in the error state.
    logic dead;  // The doorbell was beyond the ring: the queue receives no more.
    // WQEs taken; the counter wraps. With a shared receive queue, its count when the latest one was
    // taken.
    logic [15:0] consumed;
  } responder_t;

  // Progress of the peer's oldest RDMA READ that is not answered, or the saved answer of its latest
  // atomic operation.
  typedef struct packed {
    // Data of another RDMA READ have been sent: the send queue goes before this one, once.
    logic yields;
    logic [23:0] newest;  // PSN of the last packet of the data of the newest one.
    logic [3:0] place;  // Place of the next one among the waiting RDMA READs of the queue pair.
    logic [3:0] waiting;  // RDMA READs that wait behind this one; 0 to 15.
    logic denied;  // The RDMA READ is refused when it is its turn: its r_key did not allow it.
    // The row is the saved answer of an atomic operation, which a duplicate receives again.
    logic atomic;
    logic [31:0] key;  // r_key of the RDMA READ; it is checked for each packet.
    logic [31:0] left;  // Bytes still to be sent; bits 63:32 of a saved answer.
    logic [31:0] address;  // Byte address of the next packet's data; bits 31:0 of a saved answer.
    logic [23:0] last;  // PSN of the last packet of the data; of the atomic operation.
    logic [23:0] psn;  // PSN of the next packet of the data.
    logic begun;  // The first packet of the data has been sent.
    logic active;  // Data, or the saved answer, are still to be sent.
  } reader_t;

  // An RDMA READ of the peer that waits until those before it are answered.
  typedef struct packed {
    logic denied;  // The RDMA READ is refused when it is its turn.
    logic [31:0] key;  // Its r_key.
    logic [31:0] length;  // Bytes.
    logic [31:0] address;  // Byte address.
    logic [23:0] last;  // PSN of the last packet of the data.
    logic [23:0] first;  // PSN of the first packet of the data.
  } read_t;

  // Progress of a queue pair, which the command `Kind::Report` stores in the staging words.
  typedef struct packed {
    logic [7:0] reserved2;  // Reserved; 0.
    logic [23:0] receive_psn;  // PSN expected of the next packet to arrive.
    logic [7:0] reserved1;  // Reserved; 0.
    logic [23:0] send_psn;  // PSN of the next packet to send.
    logic [15:0] receives;  // WQEs of the receive queue that are done; the counter wraps.
    logic [15:0] sends;  // WQEs of the send queue that are done; the counter wraps.
    logic [25:0] reserved0;  // Reserved; 0.
    // The doorbell of the receive queue was beyond the ring: it receives no more.
    logic receives_dead;
    logic sends_dead;  // The doorbell of the send queue was beyond the ring: it sends no more.
    logic outstanding;  // A request is outstanding. A queue that is drained has none.
    logic [2:0] state;  // State of the queue pair, a `PairState`.
  } report_t;

  // Bits of a row of the keys.
  localparam logic [31:0] AreaBits = 32'd82;

  // Bits of a row of the send queues.
  localparam logic [31:0] RequesterBits = 32'd230;

  // Bits of a row of the outstanding requests.
  localparam logic [31:0] RequestBits = 32'd89;

  // Requests of a connection that may be outstanding.
  localparam logic [4:0] Outstanding = 5'd16;

  // Bits of a row of the receive queues.
  localparam logic [31:0] ResponderBits = 32'd230;

  // Bits of a row of the RDMA READs.
  localparam logic [31:0] ReaderBits = 32'd181;

  // Bits of a row of the waiting RDMA READs.
  localparam logic [31:0] ReadBits = 32'd145;

  // State of a queue pair (IBA volume 1, section 10.3.1). The codes are those of verbs
  // (`ibv_qp_state`); the adapter never enters the state 5, send queue error.

  localparam logic [2:0] Reset = 3'b000;  // Packets are dropped, and no WQE is taken.
  localparam logic [2:0] Init = 3'b001;  // As `Reset`; receive WQEs may be posted.
  // Packets are received and answered; no request is sent.
  localparam logic [2:0] ReadyToReceive = 3'b010;
  localparam logic [2:0] ReadyToSend = 3'b011;  // Both queues work.
  // As `ReadyToSend`, but no request begins after the outstanding ones.
  localparam logic [2:0] Drained = 3'b100;
  // Packets are dropped, and the WQEs of both queues are flushed.
  localparam logic [2:0] Error = 3'b110;

  // Effect of a command, and its context.

  // Writes a queue pair: its attributes; the rows and doorbells of both queues are reset.
  localparam logic [3:0] Pair = 4'b0000;
  localparam logic [3:0] Completion = 4'b0001;  // Writes a completion queue.
  localparam logic [3:0] Area = 4'b0010;  // Writes a key.
  // Writes the attributes of a queue pair; the row and the doorbell of its send queue are reset.
  localparam logic [3:0] Sender = 4'b0011;
  // Writes the attributes of a queue pair; both queues go on.
  localparam logic [3:0] Change = 4'b0100;
  // Stores the `Report` of a queue pair in staging words 0 to 3.
  localparam logic [3:0] Report = 4'b0101;
  // Writes a shared receive queue; its doorbell is reset.
  localparam logic [3:0] SharedQueue = 4'b0110;
  localparam logic [3:0] Limit = 4'b0111;  // Writes the limit of a shared receive queue.
  // Writes a quarter of the queue pairs of a multicast group.
  localparam logic [3:0] Group = 4'b1000;

  /* verilator lint_on UNUSEDPARAM */
endpackage
