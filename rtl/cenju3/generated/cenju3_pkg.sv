// Generated from crates/devices/cenju3/src/pins.rs by `make tables`; do not edit.
package cenju3_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // One access of the host to a register: a word of 32 bits.
  typedef struct packed {
    logic write;  // The access writes; otherwise it reads, and `rdata` follows a cycle later.
    logic enable;  // The host makes an access in this cycle.
    logic [11:0] address;  // Byte offset of the register, a multiple of 4.
    logic [31:0] wdata;  // Word that is written.
  } host_in_t;

  // Answers to the host.
  typedef struct packed {
    logic interrupt_request;  // An interrupt cause is set and enabled.
    logic [31:0] rdata;  // Word of the last read; stable until the next one.
  } host_out_t;

  // From local memory.
  typedef struct packed {
    logic ready;  // The word at `address` is transferred in this cycle; only with `request`.
    logic [63:0] rdata;  // Word at `address`, with `ready`.
  } memory_in_t;

  // To local memory; the NIF is its master.
  typedef struct packed {
    // A word is to be transferred. This and all other pins of the bundle are stable until `ready`.
    logic request;
    logic write;  // Direction: to memory, otherwise from it.
    // Words left in the burst, this one included. `request` falls for at least a cycle after a
    // burst.
    logic [5:0] left;
    // Bytes of the word that are written, a bit each; bit 0 is the lowest address.
    logic [7:0] strobe;
    // Byte address, a multiple of 8 below 64 MB; the next one of a burst is 8 more.
    logic [31:0] address;
    logic [63:0] wdata;  // Word that is written.
  } memory_out_t;

  // A word of a packet on a link.
  typedef struct packed {
    logic last;  // Last word of its packet.
    logic [63:0] data;  // Eight bytes; the lowest address is bits 7 to 0.
  } link_word_t;

  // All input pins of the NIF.
  typedef struct packed {
    logic transmit_ready;  // From the network: the word in `transmit` is taken.
    link_word_t receive;  // From the network: word of an arriving packet.
    logic receive_valid;  // From the network: `receive` is valid.
    memory_in_t memory;  // Pins of local memory.
    host_in_t host;  // Registers.
    // The ROM is the new one, with kernel queue and user queue (paper, section 6.4); constant.
    logic new_rom;
  } in_t;

  // All output pins of the NIF.
  typedef struct packed {
    link_word_t transmit;  // To the network: the word.
    logic transmit_valid;  // To the network: `transmit` is valid, and stable until it is taken.
    logic receive_ready;  // To the network: the word in `receive` is taken.
    memory_out_t memory;  // Pins of local memory.
    host_out_t host;  // Registers.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
