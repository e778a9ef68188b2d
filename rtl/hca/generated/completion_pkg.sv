// Generated from crates/devices/hca/src/completion.rs by `make tables`; do not edit.
package completion_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Completion.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a CQE.
    Load = 3'd1,  // Reads the row of the queue and its doorbell.
    Look = 3'd2,  // Checks for room in the queue.
    Copy = 3'd3,  // Writes the CQE to host memory.
    Store = 3'd4,  // Writes the row with the new count.
    Lose = 3'd5,  // Writes the row as broken.
    Done = 3'd6  // Reports that the CQE is written or lost.
  } state_e;

  // Declared arcs of state_e: bit [from * 7 + to].
  localparam logic [48:0] StateArcs = {
    7'b0000001,  // from Done
    7'b1000000,  // from Lose
    7'b1000000,  // from Store
    7'b0010000,  // from Copy
    7'b0101000,  // from Look
    7'b0000100,  // from Load
    7'b0000010  // from Idle
  };

  // Fields of a CQE; `layout.rs` defines their positions.
  typedef struct packed {
    logic [31:0] immediate;  // Immediate data.
    logic [31:0] bytes;  // Bytes received, or read by an RDMA READ.
    logic [15:0] source_lid;  // LID of the sender.
    logic [23:0] source;  // QPN of the sender of a datagram.
    logic [7:0] status;  // How the WQE ended, a `Status`.
    logic [7:0] operation;  // Operation of a CQE, as in layout.rs.
    logic [7:0] pair;  // QPN of the WQE.
    logic [15:0] index;  // Sequence number of the WQE in its queue; wraps.
    logic [7:0] ring;  // Completion queue.
  } entry_t;

  // Input pins of completion.
  typedef struct packed {
    logic copied;  // Host DMA has written the last word.
    logic [1:0] word;  // Word of the CQE to read; 0 to 3.
    logic read;  // Host DMA reads a word of the CQE.
    logic [15:0] bell;  // Doorbell of the queue: number of CQEs that the host has taken; wraps.
    // Row of the completion queue.
    struct packed {
      logic [31:0] base;
      logic [15:0] produced;
      logic [7:0] reserved1;
      logic [3:0] log;
      logic [1:0] reserved;
      logic broken;
      logic valid;
    } row;
    logic start;  // Writes the CQE; ignored outside `Idle`.
    entry_t entry;  // The CQE; stable until `done`.
  } in_t;

  // Output pins of completion.
  typedef struct packed {
    logic [15:0] overflows;  // CQEs lost; the counter wraps.
    logic done;  // The CQE is written or lost; high for one cycle.
    logic lost;  // The CQE is lost; high for one cycle.
    logic completed;  // The CQE is written; high for one cycle.
    logic [63:0] word;  // Word of the CQE that was read last.
    logic copy;  // Starts the transfer; host DMA reads the words from `word`.
    // Transfer of the CQE, for host DMA.
    struct packed {
      logic to_host;
      logic [11:0] bytes;
      logic [12:0] offset;
      logic [31:0] address;
    } transfer;
    // Row to write.
    struct packed {
      logic [31:0] base;
      logic [15:0] produced;
      logic [7:0] reserved1;
      logic [3:0] log;
      logic [1:0] reserved;
      logic broken;
      logic valid;
    } row;
    logic [7:0] ring;  // Completion queue of the row.
    logic store;  // Writes the row of the queue.
    logic load;  // Reads the row and the doorbell of the queue.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
