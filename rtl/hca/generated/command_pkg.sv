// Generated from crates/devices/hca/src/command.rs by `make tables`; do not edit.
package command_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Commands.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a command.
    Write = 3'd1,  // Writes the row.
    SendBell = 3'd2,  // Clears the doorbell of the send queue.
    ReceiveBell = 3'd3,  // Clears the doorbell of the receive queue.
    CompletionBell = 3'd4,  // Clears the doorbell of the completion queue.
    Done = 3'd5  // Reports that the command is done.
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
    logic [3:0] row;  // Number of the row; 0 to 15.
    logic [1:0] kind;  // Context that is written, a `context_pkg::Kind`.
    logic start;  // Starts a command; ignored outside `Idle`.
  } in_t;

  // Output pins of the commands.
  typedef struct packed {
    logic done;  // The command is done; high for one cycle.
    // Doorbell to clear: 0 to 15 of send queues, 16 to 31 of receive queues, 32 to 35 of completion
    // queues.
    logic [5:0] bell;
    logic bell_clear;  // Clears a doorbell, unless `bell_write`.
    logic [3:0] row;  // Number of the row; 0 to 15.
    logic key_write;  // Writes the row of a key.
    logic queue_write;  // Writes the row of a completion queue.
    logic pair_write;  // Writes the attributes of a queue pair and resets the rows of its queues.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
