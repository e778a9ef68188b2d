// Generated from crates/devices/hca/src/command.rs by `make tables`; do not edit.
package command_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Commands.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a command.
    Write = 3'd1,  // Writes the row.
    SendBell = 3'd2,  // Sets the doorbell of the send queue to 0.
    ReceiveBell = 3'd3,  // Sets that of the receive queue to 0.
    CompletionBell = 3'd4,  // Sets that of the completion queue to 0.
    Done = 3'd5  // Reports the end.
  } state_e;

  // Declared arcs of state_e: bit [from * 6 + to].
  localparam logic [35:0] StateArcs = {
    6'b000001,  // from Done
    6'b100000,  // from CompletionBell
    6'b100000,  // from ReceiveBell
    6'b001000,  // from SendBell
    6'b110100,  // from Write
    6'b000010  // from Idle
  };

  // Input pins of the commands.
  typedef struct packed {
    logic bell_write;  // The host writes a doorbell in this cycle.
    logic [3:0] row;  // The row.
    logic [1:0] kind;  // What the row is of.
    logic start;  // Starts one; looked at in `Idle` only.
  } in_t;

  // Output pins of the commands.
  typedef struct packed {
    logic done;  // A command is done; high for one cycle.
    logic [5:0] bell;  // Which one.
    logic bell_clear;  // Wants to set a doorbell to 0.
    logic [3:0] row;  // The row.
    logic key_write;  // Writes a key.
    logic queue_write;  // Writes a completion queue.
    logic pair_write;  // Writes the attributes of a queue pair, and its queues anew.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
