// Generated from crates/devices/hca/src/link/link_transmit.rs by `make tables`; do not edit.
package link_transmit_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Transmitter.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a packet and reads its first word.
    First = 3'd1,  // The first word arrives; the second one is read.
    Load = 3'd2,  // Takes the first word; the second one arrives.
    Send = 3'd3,  // Offers a word to the link.
    Check = 3'd4  // Offers the ICRC where it needs a word of its own.
  } state_e;

  // Declared arcs of state_e: bit [from * 5 + to].
  localparam logic [24:0] StateArcs = {
    5'b00001,  // from Check
    5'b10001,  // from Send
    5'b01000,  // from Load
    5'b00100,  // from First
    5'b00010  // from Idle
  };

  // Input pins of the transmitter.
  typedef struct packed {
    logic ready;  // From the link: the word is taken in this cycle.
    logic [63:0] memory_rdata;  // Word of the memory that was read last.
    logic [10:0] units;  // Units of 4 bytes of the packet, without ICRC; 5 to 527.
    logic launch;  // The slot that is filled may be sent.
  } in_t;

  // Output pins of the transmitter.
  typedef struct packed {
    logic valid;  // To the link: the word is valid.
    logic last;  // To the link: the word is the last one of its packet.
    logic [63:0] data;  // To the link: word of a packet.
    logic next;  // Reads the memory if the link takes the offered word.
    logic read;  // Reads the memory.
    logic [9:0] address;  // Word of the memory to read.
    logic slot;  // Slot that is free.
    logic free;  // A slot is free.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
