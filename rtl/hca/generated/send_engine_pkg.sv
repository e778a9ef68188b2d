// Generated from crates/devices/hca/src/send_engine.rs by `make tables`; do not edit.
package send_engine_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // First word of a slot's area for WQEs.
  localparam logic [8:0] WqeWord = 9'd480;

  // Send engine.
  typedef enum logic [4:0] {
    Idle = 5'd0,  // Waits until the scheduler gives a queue pair its turn.
    Load = 5'd1,  // Reads the rows of the queue pair and its doorbell.
    Look = 5'd2,  // Takes the rows and counts the posted WQEs.
    Turn = 5'd3,  // Chooses what to send.
    Fetch = 5'd4,  // Reads the WQE.
    Key = 5'd5,  // Reads the row of the key.
    Check = 5'd6,  // Checks operation, length and key.
    Begin = 5'd7,  // Begins the packet, or reports what is wrong.
    Cut = 5'd8,  // Cuts this packet's part out of the message.
    Frame = 5'd9,  // Adds up the lengths of headers and data.
    Copy = 5'd10,  // Reads the data into the slot.
    Header = 5'd11,  // Writes the headers in front of the data.
    Launch = 5'd12,  // Hands the packet to the transmitter.
    Drain = 5'd13,  // Reads the doorbell of the receive queue.
    Count = 5'd14,  // Counts the posted receive WQEs.
    Flush = 5'd15,  // Flushes a receive WQE.
    Complete = 5'd16,  // Waits until the CQE is written.
    Store = 5'd17,  // Writes the row of the requester or of the responder.
    Finish = 5'd18  // Reports the end of the turn.
  } state_e;

  // Declared arcs of state_e: bit [from * 19 + to].
  localparam logic [360:0] StateArcs = {
    19'b0000000000000000001,  // from Finish
    19'b1000000000000000000,  // from Store
    19'b0100000000000000000,  // from Complete
    19'b1110000000000000000,  // from Flush
    19'b0001000000000000000,  // from Count
    19'b0000100000000000000,  // from Drain
    19'b0110000000000000000,  // from Launch
    19'b0000001000000000000,  // from Header
    19'b0000000100000000000,  // from Copy
    19'b0000000110000000000,  // from Frame
    19'b0000000001000000000,  // from Cut
    19'b0110000000100000000,  // from Begin
    19'b0000000000010000000,  // from Check
    19'b0000000000001000000,  // from Key
    19'b0000000000000100000,  // from Fetch
    19'b1110010001000110000,  // from Turn
    19'b0000000000000001000,  // from Look
    19'b0000000000000000100,  // from Load
    19'b0000000000000000010  // from Idle
  };

  // The operation of a WQE, decoded.
  typedef struct packed {
    logic compares;  // Compare-and-swap.
    logic atomic;  // Atomic operation.
    logic immediate;  // The last packet carries immediate data.
    logic read;  // RDMA READ.
    logic write;  // RDMA WRITE, with or without immediate data.
    logic send;  // SEND, with or without immediate data.
  } operation_flags_t;

  // Input pins of the send engine.
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
    // Doorbell of the send queue, or of the receive queue after `drain`: number of WQEs posted;
    // wraps.
    logic [15:0] bell;
    // Row of the peer's next RDMA READ.
    struct packed {
      logic denied;
      logic [31:0] key;
      logic [31:0] length;
      logic [31:0] address;
      logic [23:0] last;
      logic [23:0] first;
    } read;
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
    // Row of the outstanding request.
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
    logic slot;  // Free slot of the transmitter's memory.
    logic [15:0] lid;  // LID of the port.
    logic [7:0] pair;  // Queue pair that gets the turn.
    logic start;  // Gives a queue pair its turn; ignored outside `Idle`.
  } in_t;

  // Output pins of the send engine.
  typedef struct packed {
    // Packets sent and WQEs failed.
    struct packed { logic [15:0] failed; logic [15:0] sent; } counts;
    logic again;  // The queue pair has more to send; valid with `done`.
    logic done;  // The turn is over; high for one cycle.
    logic active;  // A request is outstanding; valid with `done`.
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
    logic [10:0] units;  // Units of 4 bytes of the packet, without ICRC.
    logic launch;  // The packet in the slot is complete.
    logic header_half;  // Only the lower half of the word is written.
    logic [63:0] header;  // Word of the headers.
    logic [9:0] header_address;  // Word of the transmitter's memory to write.
    logic header_write;  // Writes a word of the headers.
    logic copy;  // Starts the transfer.
    // Transfer for host DMA: a WQE or data.
    struct packed {
      logic to_host;
      logic [11:0] bytes;
      logic [12:0] offset;
      logic [31:0] address;
    } transfer;
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
    logic yielded;  // Writes the row of the RDMA READ before which the send queue went.
    logic answered;  // Writes the rows of the responder and of the RDMA READ.
    logic [3:0] read_place;  // Place of that RDMA READ among those of its queue pair.
    logic read_load;  // Reads the row of the peer's next RDMA READ.
    // Row of the request to write.
    struct packed {
      logic [31:0] length;
      logic [7:0] operation;
      logic signalled;
      logic [23:0] last;
      logic [23:0] first;
    } request;
    logic [3:0] request_place;  // Place of the request among those of its queue pair.
    logic request_store;  // Writes the row of an outstanding request.
    logic request_load;  // Reads the row of an outstanding request.
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
    logic store;  // Writes the row of the requester.
    logic [11:0] key;  // Row of the key to read.
    logic key_load;  // Reads the row of the key.
    logic drain;  // Reads the doorbell of the receive queue.
    logic load;  // Reads the rows of the queue pair and its doorbell.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
