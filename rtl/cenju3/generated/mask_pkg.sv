// Generated from crates/devices/cenju3/src/mask.rs by `make tables`; do not edit.
package mask_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Mask.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for an entry.
    Apply = 3'd1,  // Applies the mask.
    Check = 3'd2,  // Checks the entry.
    Send = 3'd3,  // Waits until send DMA has sent the transfer.
    Refuse = 3'd4,  // Reports the refusal.
    Done = 3'd5  // Lets the queue advance.
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

  // Transfer to send.
  typedef struct packed {
    logic [25:0] entry;  // Byte address of the entry in its queue.
    logic [31:0] destination;  // DMA write address.
    logic [31:0] source;  // Byte address of the data.
    logic [31:0] length;  // Bytes of the transfer.
    logic [7:0] pe;  // Destination processor element.
    logic [1:0] kind;  // Kind of transfer.
  } transfer_t;

  // Input pins of the mask.
  typedef struct packed {
    logic sent;  // The transfer is sent.
    logic [25:0] entry1;  // Byte address of the entry.
    logic [63:0] addresses1;  // Second word of the entry.
    logic [63:0] control1;  // First word of the entry.
    logic valid1;  // The user's queue has an entry.
    logic [25:0] entry0;  // Byte address of the entry.
    logic [63:0] addresses0;  // Second word of the entry.
    logic [63:0] control0;  // First word of the entry.
    logic valid0;  // The kernel's queue has an entry.
    logic waits0;  // The kernel's queue has an entry, or is fetching one.
    logic [7:0] pe_mask;  // Bits of the destination that the user chooses.
    logic [7:0] pe_base;  // Bits of the user's destinations, set by the host.
    logic [13:0] address_base;  // Bits 31 to 18 of the user's DMA write addresses, set by the host.
    logic new_rom;  // New ROM: user entries are masked.
  } in_t;

  // Output pins of the mask.
  typedef struct packed {
    logic user;  // The entry is from the user's queue.
    logic [2:0] why;  // Reason of the refusal, a `Refusal`.
    logic refuse;  // An entry is refused; high for one cycle.
    logic done1;  // The entry of the user's queue is done; high for one cycle.
    logic done0;  // The entry of the kernel's queue is done; high for one cycle.
    logic start;  // Requests the transfer; high until it is sent.
    transfer_t transfer;  // Transfer to send.
    logic idle;  // No entry is being processed.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
