// Generated from crates/devices/gigae_pm/src/firmware/cost.rs by `make tables`; do not edit.
package cost_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Looking at a received frame.
  localparam logic [8:0] ReceiveCycles = 9'd108;

  // Looking at a send descriptor.
  localparam logic [8:0] SendCycles = 9'd108;

  // One rule of the protocol on a control structure.
  localparam logic [8:0] RuleCycles = 9'd35;

  // Making the header of a frame and starting network DMA.
  localparam logic [8:0] FrameCycles = 9'd35;

  // Writing receive descriptor and arrival flag.
  localparam logic [8:0] DeliverCycles = 9'd35;

  /* verilator lint_on UNUSEDPARAM */
endpackage
