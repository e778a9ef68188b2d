// Generated from crates/devices/hca/src/contexts.rs by `make tables`; do not edit.
package context_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // What the host says of a queue pair.
  typedef struct packed {
    logic [7:0] reserved5;  // Nothing.
    logic [23:0] receive_psn;  // PSN of the first packet that arrives.
    logic [7:0] reserved4;  // Nothing.
    logic [23:0] send_psn;  // PSN of the first packet that is sent.
    logic [10:0] reserved3;  // Nothing.
    logic [4:0] rnr_timer;  // RNR NAK timer that is asked of the peer (IBA volume 1, table 45).
    logic [15:0] peer_lid;  // LID of the peer.
    logic [2:0] reserved2;  // Nothing.
    // Logarithm of the ticks of 4.096 us until a packet is sent again; 0 for never.
    logic [4:0] timeout;
    logic [23:0] peer;  // QPN of the peer of a connection.
    logic [31:0] q_key;  // Q_Key that a datagram must have.
    logic [31:0] receive_base;  // Byte address of the receive ring, a multiple of 64.
    logic [31:0] send_base;  // Byte address of the send ring, a multiple of 64.
    logic [1:0] reserved1;  // Nothing.
    logic [2:0] rnr_retries;  // Retries after RNR NAKs; 7 for any number.
    logic [2:0] retries;  // Retries after time-outs and sequence errors.
    logic [1:0] receive_cq;  // CQ of the receive queue.
    logic [1:0] send_cq;  // CQ of the send queue.
    logic [3:0] receive_log;  // Logarithm of those of the receive ring.
    logic [3:0] send_log;  // Logarithm of the WQEs of the send ring.
    logic [3:0] mtu;  // Bytes of data in a packet: 1 for 256, 2 for 512, 3 for 1,024, 4 for 2,048.
    logic [3:0] domain;  // Protection domain, that of the keys it may use.
    logic [1:0] reserved0;  // Nothing.
    logic connected;  // Reliable connection; otherwise unreliable datagram.
    logic valid;  // It is there.
  } attributes_t;

  // A registered area of host memory. Its key is its row in bits 7:0, `variant` in bits 15:8.
  typedef struct packed {
    logic [31:0] length;  // Bytes.
    logic [31:0] base;  // Byte address of the area.
    logic [15:0] reserved;  // Nothing.
    logic [7:0] variant;  // Bits 15:8 of the key, so that a new area in an old row has another key.
    logic [3:0] domain;  // Protection domain.
    logic remote_read;  // A peer may read there.
    logic remote_write;  // A peer may write there.
    logic local_write;  // The adapter may write there for the owner.
    logic valid;  // It is there.
  } key_t;

  // A registered area as the adapter keeps it: its end is looked for when it is registered, not
  // when it is used.
  typedef struct packed {
    logic [32:0] limit;  // Address behind its last byte.
    logic [31:0] base;  // Byte address of the area.
    logic [7:0] variant;  // Bits 15:8 of the key.
    logic [3:0] domain;  // Protection domain.
    logic remote_read;  // A peer may read there.
    logic remote_write;  // A peer may write there.
    logic local_write;  // The adapter may write there for the owner.
    logic valid;  // It is there.
  } area_t;

  // A completion queue.
  typedef struct packed {
    logic [31:0] base;  // Byte address of the ring, a multiple of 32.
    logic [15:0] produced;  // CQEs written, counted; the lowest bits are the place of the next one.
    logic [7:0] reserved1;  // Nothing.
    logic [3:0] log;  // Logarithm of its CQEs.
    logic [1:0] reserved;  // Nothing.
    logic broken;  // It has overflowed: nothing is written any more.
    logic valid;  // It is there.
  } queue_t;

  // How far a send queue is. What is of a request counts for connections, which have one under way
  // at a time.
  typedef struct packed {
    logic [31:0] deadline;  // Tick at which packets are sent again.
    logic waiting;  // The peer had no receive WQE: nothing is sent before the deadline.
    logic [2:0] rnr;  // RNR NAKs since then.
    logic [2:0] retries;  // Retries since something was acknowledged.
    logic [31:0] length;  // Its length: a WQE whose length changes under way is refused.
    logic [7:0] operation;  // Its operation.
    logic signalled;  // It wants a CQE.
    logic active;  // A request is under way.
    logic [23:0] last;  // PSN of its last packet.
    logic [23:0] oldest;  // PSN of its first packet that is not acknowledged.
    logic [23:0] first;  // PSN of the first packet of the request.
    logic [23:0] psn;  // PSN of the next packet.
    logic failed;  // A request failed: those behind it are flushed.
    logic dead;  // The ring made no sense: nothing more is sent.
    logic [15:0] consumed;  // WQEs done, counted.
  } requester_t;

  // How far a receive queue is. What is behind `psn` counts for connections.
  typedef struct packed {
    logic [31:0] write_key;  // Its r_key, which is looked at for each packet.
    logic [31:0] write_left;  // Its bytes that are still to come.
    logic [31:0] write_address;  // Where its next byte goes.
    logic writes;  // The message that has begun is an RDMA WRITE.
    logic [23:0] answer_psn;  // PSN that it is for.
    logic [7:0] syndrome;  // What it says (IBA volume 1, table 44).
    logic answer;  // An answer is to be sent.
    logic refused;  // The next packet has been asked for by a NAK.
    logic [23:0] messages;  // Messages received, counted.
    logic [31:0] received;  // Bytes of the message so far.
    logic midway;  // It belongs to a message that has begun.
    logic [23:0] psn;  // PSN of the next packet.
    // The ring made no sense, or a request was refused for good: nothing more is received.
    logic dead;
    logic [15:0] consumed;  // WQEs taken, counted.
  } responder_t;

  // The RDMA READ that a peer has asked for last: how far its data are sent.
  typedef struct packed {
    logic [31:0] key;  // The r_key, which is looked at for each packet.
    logic [31:0] left;  // Bytes that are still to be sent.
    logic [31:0] address;  // Where the next one begins.
    logic [23:0] last;  // PSN of the last one.
    logic [23:0] psn;  // PSN of the next packet of them.
    logic begun;  // A packet of them is sent.
    logic active;  // There are data to be sent.
  } reader_t;

  // Bits of a row of the keys.
  localparam logic [31:0] AreaBits = 32'd81;

  // Bits of a row of the send queues.
  localparam logic [31:0] RequesterBits = 32'd195;

  // Bits of a row of the receive queues.
  localparam logic [31:0] ResponderBits = 32'd229;

  // Bits of a row of the RDMA READs.
  localparam logic [31:0] ReaderBits = 32'd146;

  // What a row is written for.

  // A queue pair: its attributes; both of its queues begin anew.
  localparam logic [1:0] Pair = 2'b00;
  localparam logic [1:0] Completion = 2'b01;  // A completion queue.
  localparam logic [1:0] Area = 2'b10;  // A key.

  /* verilator lint_on UNUSEDPARAM */
endpackage
