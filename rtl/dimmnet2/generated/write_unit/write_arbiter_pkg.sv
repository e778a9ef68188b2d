// Generated from crates/devices/dimmnet2/src/write_unit/write_arbiter.rs by `make tables`; do not edit.
package write_arbiter_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Operation in progress.
  typedef enum logic [1:0] {
    Free = 2'd0,  // None.
    Packet = 2'd1,  // The data of a received packet.
    Store = 2'd2,  // Data of a Write Window.
    LateStart = 2'd3  // Starts a packet that arrived during a local store.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0010,  // from LateStart
    4'b1001,  // from Store
    4'b0001,  // from Packet
    4'b0110  // from Free
  };

  // Input pins of the arbiter.
  typedef struct packed {
    logic done;  // The operation in progress has been stored; high for one cycle.
    logic store;  // A local store is requested; held until it begins.
    logic packet;  // A packet starts; high for one cycle.
  } in_t;

  // Output pins of the arbiter.
  typedef struct packed {
    logic late_start;  // The waiting packet begins; high for one cycle.
    logic storing;  // A local store is in progress.
    logic packet;  // A packet is being stored.
    logic free;  // A packet or a store that arrives in this cycle begins in it.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
