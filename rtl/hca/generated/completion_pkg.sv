// Generated from crates/devices/hca/src/completion.rs by `make tables`; do not edit.
package completion_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Completion.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for an entry.
    Load = 3'd1,  // Reads the queue's row and its doorbell.
    Look = 3'd2,  // Is there room?
    Copy = 3'd3,  // Writes the CQE.
    Store = 3'd4,  // Counts it.
    Lose = 3'd5,  // The queue is broken.
    Done = 3'd6  // Reports the end.
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

  // An entry, as layout.rs has it.
  typedef struct packed {
    logic [31:0] immediate;  // Immediate data.
    logic [31:0] bytes;  // Bytes received.
    logic [15:0] source_lid;  // Its LID.
    logic [23:0] source;  // QPN of the sender of a datagram.
    logic [7:0] status;  // Status.
    logic [7:0] operation;  // Operation.
    logic [3:0] pair;  // QPN.
    logic [15:0] index;  // Count of the WQE.
    logic [1:0] ring;  // The queue.
  } entry_t;

  // Input pins of completion.
  typedef struct packed {
    logic copied;  // Host DMA is done.
    logic [1:0] word;  // Which one.
    logic read;  // Host DMA reads a word of the entry.
    logic [15:0] bell;  // Its doorbell.
    // Row of the queue.
    struct packed {
      logic [31:0] base;
      logic [15:0] produced;
      logic [7:0] reserved1;
      logic [3:0] log;
      logic [1:0] reserved;
      logic broken;
      logic valid;
    } row;
    logic start;  // Starts; looked at in `Idle` only.
    entry_t entry;  // The entry; stays until `done`.
  } in_t;

  // Output pins of completion.
  typedef struct packed {
    logic [15:0] overflows;  // Entries lost, counted.
    logic done;  // Over; high for one cycle.
    logic lost;  // It is lost; high for one cycle.
    logic completed;  // The entry is written; high for one cycle.
    logic [63:0] word;  // Word of the entry that was read last.
    logic copy;  // Starts it; meanwhile its words come from here.
    // To host DMA.
    struct packed {
      logic to_host;
      logic [11:0] bytes;
      logic [12:0] offset;
      logic [31:0] address;
    } transfer;
    // The row.
    struct packed {
      logic [31:0] base;
      logic [15:0] produced;
      logic [7:0] reserved1;
      logic [3:0] log;
      logic [1:0] reserved;
      logic broken;
      logic valid;
    } row;
    logic store;  // Writes the row.
    logic load;  // Reads row and doorbell.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
