// Generated from crates/devices/cenju3/src/register_file.rs by `make tables`; do not edit.
package register_file_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the register file.
  typedef struct packed {
    logic [3:0] cause;  // Pending interrupt causes.
    logic [2:0] held;  // Full rings that a packet waits for, a bit each.
    logic dropped;  // A packet is dropped; high for one cycle.
    // Entry after the mask.
    struct packed {
      logic [25:0] entry;
      logic [31:0] destination;
      logic [31:0] source;
      logic [31:0] length;
      logic [7:0] pe;
      logic [1:0] kind;
    } transfer;
    logic user;  // The entry is from the user's queue.
    logic [2:0] why;  // Reason of the refusal, a `Refusal`.
    logic refuse;  // An entry is refused; high for one cycle.
    // An entry of the user's queue is in flight, whatever the positions say: the user may move his
    // own one back.
    logic user_busy;
    logic busy;  // The NIF is active.
    // Positions of the NIF in its queues and rings.
    struct packed {
      logic [5:0] write2;
      logic [5:0] write1;
      logic [5:0] write0;
      logic [5:0] read1;
      logic [5:0] read0;
    } positions;
    // From the host.
    struct packed { logic write; logic enable; logic [11:0] address; logic [31:0] wdata; } host;
  } in_t;

  // Output pins of the register file.
  typedef struct packed {
    logic fault;  // To the interrupt: one of bits 3 to 0 of Status was set; high for one cycle.
    logic [3:0] clear;  // To the interrupt: causes that the host clears.
    // Settings written by the host.
    struct packed {
      logic [3:0] interrupt_enable;
      logic [5:0] read2;
      logic [5:0] read1;
      logic [5:0] read0;
      logic [5:0] write1;
      logic [5:0] write0;
      logic [7:0] pe_mask;
      logic [7:0] pe_base;
      logic [13:0] address_base;
      logic [12:0] data1;
      logic [12:0] data0;
      logic [13:0] header2;
      logic [13:0] header1;
      logic [13:0] header0;
      logic [13:0] queue1;
      logic [13:0] queue0;
      logic [7:0] pe;
      logic enable;
    } configuration;
    logic [31:0] rdata;  // To the host: word for the last read.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
