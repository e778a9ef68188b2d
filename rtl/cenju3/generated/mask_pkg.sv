// Generated from crates/devices/cenju3/src/mask.rs by `make tables`; do not edit.
package mask_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Mask.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for an entry.
    Apply = 3'd1,  // Puts the mask on it.
    Check = 3'd2,  // Looks whether it may be sent.
    Send = 3'd3,  // Has it sent.
    Refuse = 3'd4,  // Reports it.
    Done = 3'd5  // Its queue goes on.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000001,  // from Done
    6'b100000,  // from Refuse
    6'b100000,  // from Send
    6'b011000,  // from Check
    6'b000100,  // from Apply
    6'b000010  // from Idle
  };

  // What is sent.
  typedef struct packed {
    logic [25:0] entry;  // Byte address of the entry.
    logic [31:0] destination;  // DMA write address.
    logic [31:0] source;  // Byte address of the data.
    logic [31:0] length;  // Bytes.
    logic [7:0] pe;  // Destination.
    logic [1:0] kind;  // Kind of transfer.
  } transfer_t;

  // Input pins of the mask.
  typedef struct packed {
    logic sent;  // The transfer is sent.
    logic [25:0] entry1;  // Its byte address.
    logic [63:0] addresses1;  // Its second word.
    logic [63:0] control1;  // Its first word.
    logic valid1;  // The user's queue has an entry.
    logic [25:0] entry0;  // Its byte address.
    logic [63:0] addresses0;  // Its second word.
    logic [63:0] control0;  // Its first word.
    logic valid0;  // The kernel's queue has an entry.
    logic waits0;  // The kernel's queue has an entry, or fetches one.
    logic [7:0] pe_mask;  // Bits that he has.
    logic [7:0] pe_base;  // The user's destinations.
    logic [13:0] address_base;  // Bits 31 to 18 of the user's DMA write addresses.
    logic new_rom;  // The ROM is the new one.
  } in_t;

  // Output pins of the mask.
  typedef struct packed {
    logic user;  // The entry is the user's.
    logic [2:0] why;  // Why.
    logic refuse;  // An entry is refused; high for one cycle.
    logic done1;  // The same of the user's queue.
    logic done0;  // The entry of the kernel's queue is done; high for one cycle.
    logic start;  // Sends it; high until it is sent.
    transfer_t transfer;  // What is sent.
    logic idle;  // Nothing is at hand.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
