// Generated from crates/devices/gigae_pm/src/protocol/frame.rs by `make tables`; do not edit.
package frame_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Kind of a frame. Control frames are created and consumed by the firmware and never cross the
  // PCI bus (paper section 2.2).

  localparam logic [2:0] Nothing = 3'b000;  // No frame is sent.
  localparam logic [2:0] Message = 3'b001;  // Msg(s, r, i): message i.
  localparam logic [2:0] Ack = 3'b010;  // ACK(r, k): k is the last message received in order.
  // LOSE(r, k): a message after k was lost; k is the last one received in order.
  localparam logic [2:0] Lose = 3'b011;
  localparam logic [2:0] Stop = 3'b100;  // STOP(r, k): there is no room for message k.
  localparam logic [2:0] Go = 3'b101;  // GO(r, k): there is room again; message k is the next.

  /* verilator lint_on UNUSEDPARAM */
endpackage
