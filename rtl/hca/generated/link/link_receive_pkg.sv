// Generated from crates/devices/hca/src/link/link_receive.rs by `make tables`; do not edit.
package link_receive_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Receiver.
  typedef enum logic [0:0] {
    Take = 1'd0,  // Takes words.
    Check = 1'd1  // A packet is complete: is it right?
  } state_e;

  // Declared arcs of state_e: bit [from * 2 + to].
  localparam logic [3:0] StateArcs = {
    2'b01,  // from Check
    2'b10  // from Take
  };

  // Input pins of the receiver.
  typedef struct packed {
    logic release_slot;  // The oldest slot is read; only while `waiting`.
    logic valid;  // From the link: there is one.
    logic last;  // From the link: it is the last one.
    logic [63:0] data;  // From the link: word.
  } in_t;

  // Output pins of the receiver.
  typedef struct packed {
    struct packed { logic [15:0] length_errors; logic [15:0] icrc_errors; } counts;  // Counters.
    logic slot;  // Slot of the oldest one.
    logic waiting;  // A packet waits.
    logic write;  // Writes it.
    logic [9:0] address;  // Where it goes.
    logic [63:0] wdata;  // Word for the memory.
    logic ready;  // To the link: a word is taken.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
