// Generated from crates/devices/cenju3/src/send_queue.rs by `make tables`; do not edit.
package send_queue_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Send queue.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for an entry.
    First = 2'd1,  // Reads the first word of the entry.
    Second = 2'd2,  // Reads the second word of the entry.
    Offer = 2'd3  // Waits until the entry is sent or refused.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Offer
    4'b1000,  // from Second
    4'b0100,  // from First
    4'b0010  // from Idle
  };

  // Input pins of a send queue.
  typedef struct packed {
    logic done;  // The entry is done.
    logic [63:0] memory_rdata;  // From memory: word that is read.
    logic memory_ready;  // From memory: a word is read in this cycle.
    logic [5:0] write;  // Entry that the host writes next.
    logic [13:0] base;  // Number of the 4 KB page that holds the queue.
    logic enable;  // Entries may be fetched.
  } in_t;

  // Output pins of a send queue.
  typedef struct packed {
    logic [5:0] read;  // Entry that is read next.
    logic [25:0] entry;  // Byte address of the entry.
    logic [63:0] addresses;  // Second word of the entry.
    logic [63:0] control;  // First word of the entry.
    logic valid;  // An entry is waiting.
    logic [5:0] memory_left;  // To memory: words left in the burst, this one included.
    logic [25:0] memory_address;  // To memory: byte address of the word.
    logic memory_request;  // To memory: requests a read.
    logic idle;  // No entry is held or being fetched.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
