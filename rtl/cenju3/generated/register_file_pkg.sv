// Generated from crates/devices/cenju3/src/register_file.rs by `make tables`; do not edit.
package register_file_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the register file.
  typedef struct packed {
    logic [3:0] cause;  // Causes of the interrupt.
    logic [2:0] held;  // A ring is full that a packet waits for.
    logic dropped;  // A packet is dropped.
    // The entry, after the mask.
    struct packed {
      logic [25:0] entry;
      logic [31:0] destination;
      logic [31:0] source;
      logic [31:0] length;
      logic [7:0] pe;
      logic [1:0] kind;
    } transfer;
    logic user;  // The entry is the user's.
    logic [2:0] why;  // Why.
    logic refuse;  // An entry is refused.
    // It is at an entry of the user's queue, whatever the positions say: the user may take his own
    // one back.
    logic user_busy;
    logic busy;  // It is at work.
    // Where the NIF is.
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
    logic fault;  // To the interrupt: something went wrong; high for one cycle.
    logic [3:0] clear;  // To the interrupt: causes that the host clears.
    // What the host set up.
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
    logic [31:0] rdata;  // To the host.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
