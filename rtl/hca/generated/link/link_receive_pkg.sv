// Generated from crates/devices/hca/src/link/link_receive.rs by `make tables`; do not edit.
package link_receive_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Receiver.
  typedef enum logic [0:0] {
    Take = 1'd0,  // Takes words from the link.
    Check = 1'd1  // Checks length and ICRC of the packet.
  } state_e;

  // Declared arcs of state_e: bit [from * 2 + to].
  localparam logic [3:0] StateArcs = {
    2'b01,  // from Check
    2'b10  // from Take
  };

  // Input pins of the receiver.
  typedef struct packed {
    logic release_slot;  // The receive engine frees the oldest slot; only while `waiting`.
    logic valid;  // From the link: the word is valid.
    logic last;  // From the link: the word is the last one of its packet.
    logic [63:0] data;  // From the link: word of a packet.
  } in_t;

  // Output pins of the receiver.
  typedef struct packed {
    // Packets dropped.
    struct packed { logic [15:0] length_errors; logic [15:0] icrc_errors; } counts;
    logic slot;  // Slot of the oldest packet.
    logic waiting;  // A packet is waiting.
    logic write;  // Writes the word to the receiver's memory.
    logic [9:0] address;  // Word of the receiver's memory to write.
    logic [63:0] wdata;  // Word for the memory.
    logic ready;  // To the link: a word is taken in this cycle.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
