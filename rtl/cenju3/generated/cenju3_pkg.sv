// Generated from crates/devices/cenju3/src/pins.rs by `make tables`; do not edit.
package cenju3_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // One access of the host to a register: a word of 32 bits.
  typedef struct packed {
    logic write;  // It writes; otherwise it reads, and `rdata` follows one cycle later.
    logic enable;  // There is an access in this cycle.
    logic [11:0] address;  // Byte offset of the register, a multiple of 4.
    logic [31:0] wdata;  // Word to write.
  } host_in_t;

  // Answers to the host.
  typedef struct packed {
    logic interrupt_request;  // An interrupt cause is set and enabled.
    logic [31:0] rdata;  // Word of the last read; stays until the next one.
  } host_out_t;

  // From local memory.
  typedef struct packed {
    logic ready;  // The word at `address` is transferred in this cycle. Only with `request`.
    logic [63:0] rdata;  // Word at `address`, with `ready`.
  } memory_in_t;

  // To local memory, whose master the NIF is.
  typedef struct packed {
    logic request;  // There is a word to transfer. It and all other pins here stay until `ready`.
    logic write;  // To memory; otherwise from it.
    // Words of the burst that are left, this one included. `request` falls for at least a cycle
    // behind a burst.
    logic [5:0] left;
    // Bytes of the word that are written; bit 0 is the one of the lowest address.
    logic [7:0] strobe;
    // Byte address, a multiple of 8 below 64 MB; the next one of a burst is 8 more.
    logic [31:0] address;
    logic [63:0] wdata;  // Word to write.
  } memory_out_t;

  // A word of a packet on a link.
  typedef struct packed {
    logic last;  // The last word of its packet.
    logic [63:0] data;  // Eight bytes, that of the lowest address in bits 7 to 0.
  } link_word_t;

  // All input pins of the NIF.
  typedef struct packed {
    logic transmit_ready;  // From the network: it takes the word in `transmit`.
    link_word_t receive;  // From the network: the word.
    logic receive_valid;  // From the network: there is a word in `receive`.
    memory_in_t memory;  // Local memory.
    host_in_t host;  // Registers.
    // The ROM is the new one, with kernel queue and user queue (paper, section 6.4). Stays.
    logic new_rom;
  } in_t;

  // All output pins of the NIF.
  typedef struct packed {
    link_word_t transmit;  // To the network: the word.
    // To the network: there is a word in `transmit`; it stays until it is taken.
    logic transmit_valid;
    logic receive_ready;  // To the network: the word in `receive` is taken.
    memory_out_t memory;  // Local memory.
    host_out_t host;  // Registers.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
