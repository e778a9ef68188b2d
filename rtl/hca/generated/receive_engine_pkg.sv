// Generated from crates/devices/hca/src/receive_engine.rs by `make tables`; do not edit.
package receive_engine_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Receive engine.
  typedef enum logic [4:0] {
    Idle = 5'd0,  // Waits for a packet.
    Head = 5'd1,  // Reads the headers.
    Sort = 5'd2,  // Drops packets for other ports and malformed ones.
    Group = 5'd3,  // Reads a quarter of the queue pairs of the multicast group.
    Members = 5'd4,  // Takes them.
    Member = 5'd5,  // Chooses the next one.
    Ahead = 5'd6,  // Waits while its rows are read ahead.
    Load = 5'd7,  // Reads the rows of the queue pair and its doorbell.
    Look = 5'd8,  // Takes the rows and counts the posted WQEs.
    Pool = 5'd9,  // Reads the row of the shared receive queue, its limit and its doorbell.
    Share = 5'd10,  // Takes the row and counts the posted WQEs of the shared receive queue.
    Admit = 5'd11,  // Decides whether the queue pair takes the packet.
    Answer = 5'd12,  // Applies an answer to the oldest request.
    Judge = 5'd13,  // Decides whether a packet of a connection is the next one.
    Fetch = 5'd14,  // Reads the WQE: a receive WQE, or that of the RDMA READ whose data arrive.
    Key = 5'd15,  // Reads the row of the key.
    Check = 5'd16,  // Checks length and key.
    Operand = 5'd17,  // Reads the operand of an atomic operation.
    Take = 5'd18,  // Takes the packet, or refuses it.
    Copy = 5'd19,  // Writes the data, or the value of an atomic operation, to host memory.
    Complete = 5'd20,  // Waits until the CQE is written.
    Advance = 5'd21,  // Takes the next outstanding request as the oldest one.
    Store = 5'd22,  // Writes the row of the responder or of the requester.
    Release = 5'd23  // Frees the slot and reports the end.
  } state_e;

  // Declared arcs of state_e: bit [from * 24 + to].
  localparam logic [575:0] StateArcs = {
    24'b000000000000000000000001,  // from Release
    24'b100000000000000010101000,  // from Store
    24'b010000000000000000000000,  // from Advance
    24'b011000000000000000000000,  // from Complete
    24'b011100000000000000000000,  // from Copy
    24'b011110000000000000000000,  // from Take
    24'b000001000000000000000000,  // from Operand
    24'b000001100000000000000000,  // from Check
    24'b000000010000000000000000,  // from Key
    24'b000000001000000000000000,  // from Fetch
    24'b010000001100000000000000,  // from Judge
    24'b011100000100000000000000,  // from Answer
    24'b110000000111000000101000,  // from Admit
    24'b000000000000100000000000,  // from Share
    24'b000000000000010000000000,  // from Pool
    24'b000000000000101000000000,  // from Look
    24'b000000000000000100000000,  // from Load
    24'b000000000000000010000000,  // from Ahead
    24'b000000000000000001000000,  // from Member
    24'b100000000000000000101000,  // from Members
    24'b000000000000000000010000,  // from Group
    24'b100000000000000010001000,  // from Sort
    24'b000000000000000000000100,  // from Head
    24'b000000000000000000000010  // from Idle
  };

  // The operation code of a packet, decoded.
  typedef struct packed {
    logic [3:0] units;  // Units of 4 bytes in front of the data; 5 to 12.
    logic original;  // Original value of an atomic operation, which counts as 8 bytes of data.
    logic compares;  // Request for a compare-and-swap.
    logic atomic;  // Request for an atomic operation.
    logic immediate;  // Immediate data follow the headers.
    // The packet has a RETH or an AtomicETH: the first one of an RDMA WRITE, an RDMA READ request,
    // and an atomic operation.
    logic remote;
    logic ends;  // Last packet of its message.
    logic begins;  // First packet of its message.
    logic datagram;  // Unreliable datagram.
    logic unreliable;  // Unreliable connection.
    logic connected;  // Connection, reliable or not.
    logic acknowledge;  // Acknowledgement; it has no data.
    logic response;  // Data of an RDMA READ, or the original value of an atomic operation.
    logic read;  // Request for an RDMA READ.
    logic write;  // Packet of an RDMA WRITE.
  } packet_form_t;

  // Input pins of the receive engine.
  typedef struct packed {
    logic completed;  // The CQE is written or lost.
    logic copied;  // Host DMA has finished the transfer.
    logic [2:0] place;  // Place of the word in the WQE; 0 to 5.
    logic [63:0] word;  // Word of the WQE.
    logic word_valid;  // Host DMA delivers a word of the WQE.
    // Row of the key.
    struct packed {
      logic [32:0] limit;
      logic [31:0] base;
      logic remote_atomic;
      logic [7:0] variant;
      logic [3:0] domain;
      logic remote_read;
      logic remote_write;
      logic local_write;
      logic valid;
    } key;
    logic [31:0] now;  // Time in ticks of 1.024 us.
    // Doorbell of the receive queue, or of the shared one: number of WQEs posted; wraps.
    logic [15:0] bell;
    logic [63:0] members;  // Queue pairs of a quarter of the multicast group, a bit each.
    // Number of WQEs at which the shared receive queue interrupts.
    struct packed { logic armed; logic [15:0] least; } limit;
    // Row of the shared receive queue.
    struct packed {
      logic [31:0] base;
      logic [11:0] reserved;
      logic [3:0] log;
      logic [15:0] taken;
    } shared;
    // Row of the outstanding request after the oldest one.
    struct packed {
      logic [31:0] length;
      logic [7:0] operation;
      logic signalled;
      logic [23:0] last;
      logic [23:0] first;
    } request;
    // Row of the requester.
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
    } requester;
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
    // Row of the responder.
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
    } responder;
    // Attributes of the queue pair.
    struct packed {
      logic [7:0] receive_cq;
      logic [23:0] receive_psn;
      logic [7:0] send_cq;
      logic [23:0] send_psn;
      logic [3:0] reserved3;
      logic [4:0] reads;
      logic [1:0] shared_queue;
      logic [4:0] rnr_timer;
      logic [15:0] peer_lid;
      logic [2:0] reserved2;
      logic [4:0] timeout;
      logic [23:0] peer;
      logic [31:0] q_key;
      logic [31:0] receive_base;
      logic [31:0] send_base;
      logic shared;
      logic unreliable;
      logic [2:0] rnr_retries;
      logic [2:0] retries;
      logic [3:0] reserved1;
      logic [3:0] receive_log;
      logic [3:0] send_log;
      logic [3:0] mtu;
      logic [3:0] domain;
      logic connected;
      logic [2:0] state;
    } attributes;
    logic [63:0] memory_rdata;  // Word of the receiver's memory that was read last.
    logic [15:0] lid;  // LID of the port.
    logic slot;  // Slot of the receiver's memory that holds the packet.
    logic start;  // Hands over a packet; ignored outside `Idle`.
  } in_t;

  // Output pins of the receive engine.
  typedef struct packed {
    // Packets dropped, messages received and receives failed.
    struct packed {
      logic [15:0] failed;
      logic [15:0] received;
      logic [15:0] no_receive;
      logic [15:0] wrong_q_key;
      logic [15:0] unknown_qp;
      logic [15:0] malformed;
      logic [15:0] foreign;
    } counts;
    logic done;  // The packet is done and its slot free; high for one cycle.
    logic fail;  // The queue pair fails; high for one cycle.
    // The CQE.
    struct packed {
      logic [31:0] immediate;
      logic [31:0] bytes;
      logic [15:0] source_lid;
      logic [23:0] source;
      logic [7:0] status;
      logic [7:0] operation;
      logic [7:0] pair;
      logic [15:0] index;
      logic [7:0] ring;
    } entry;
    logic complete;  // Requests a CQE.
    logic [63:0] value;  // New value of an atomic operation, or the original one that has arrived.
    logic supply;  // The transfer takes `value` in place of words of the receiver's memory.
    logic copy;  // Starts the transfer.
    // Transfer for host DMA: a WQE or data.
    struct packed {
      logic to_host;
      logic [11:0] bytes;
      logic [12:0] offset;
      logic [31:0] address;
    } transfer;
    logic post;  // The send queue of the queue pair gets work; high for one cycle.
    logic [3:0] request_place;  // Place of the request among those of its queue pair.
    logic request_load;  // Reads the row of the outstanding request after the oldest one.
    // Row of the requester to write.
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
    } requester;
    logic acknowledge;  // Writes the row of the requester.
    // Row of the RDMA READ to write.
    struct packed {
      logic denied;
      logic [31:0] key;
      logic [31:0] length;
      logic [31:0] address;
      logic [23:0] last;
      logic [23:0] first;
    } read;
    logic [3:0] read_place;  // Place of that RDMA READ among those of its queue pair.
    logic read_store;  // Writes the row of a waiting RDMA READ of the peer.
    // Row of the peer's RDMA READ or atomic operation to write.
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
    // Row of the responder to write.
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
    } responder;
    logic store;  // Writes the rows of the responder and of the RDMA READ.
    logic [11:0] key;  // Row of the key to read.
    logic key_load;  // Reads the row of the key.
    // The shared receive queue has fewer WQEs than its limit, which is cleared; high for one cycle.
    logic sinks;
    // Row of the shared receive queue to write.
    struct packed {
      logic [31:0] base;
      logic [11:0] reserved;
      logic [3:0] log;
      logic [15:0] taken;
    } shared;
    logic shared_store;  // Writes the row of the shared receive queue.
    logic [1:0] shared_queue;  // Number of the shared receive queue.
    logic shared_load;  // Reads the row of the shared receive queue, its limit and its doorbell.
    logic [5:0] group;  // Row of the quarter: the group in bits 3:0, the quarter in bits 5:4.
    logic group_load;  // Reads a quarter of the queue pairs of the multicast group.
    logic [7:0] pair;  // Queue pair of the rows.
    logic load;  // Reads the rows of the queue pair and its doorbell.
    logic [9:0] memory_address;  // Word of the receiver's memory to read.
    logic memory_read;  // Reads a word of the receiver's memory.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
