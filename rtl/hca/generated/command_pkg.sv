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
    // Clears the doorbell of the completion queue, or of the shared receive queue.
    QueueBell = 3'd4,
    Read = 3'd5,  // Reads the rows of a queue pair.
    Report = 3'd6,  // Stores its progress in the staging words.
    Done = 3'd7  // Reports that the command is done.
  } state_e;

  // Declared arcs of state_e: bit [from * 8 + to].
  localparam logic [63:0] StateArcs = {
    8'b00000001,  // from Done
    8'b10000000,  // from Report
    8'b01000000,  // from Read
    8'b10000000,  // from QueueBell
    8'b10000000,  // from ReceiveBell
    8'b10001000,  // from SendBell
    8'b10010100,  // from Write
    8'b00100010  // from Idle
  };

  // Input pins of the commands.
  typedef struct packed {
    logic bell_write;  // The host writes a doorbell in this cycle.
    logic [11:0] row;  // Number of the row.
    logic [3:0] kind;  // Effect of the command, a `context_pkg::Kind`.
    logic start;  // Starts a command; ignored outside `Idle`.
  } in_t;

  // Output pins of the commands.
  typedef struct packed {
    logic done;  // The command is done; high for one cycle.
    logic report;  // Stores the progress of the queue pair in the staging words.
    logic load;  // Reads the rows of a queue pair.
    // Doorbell to clear: 0 to 255 of send queues, 256 to 511 of receive queues, 512 to 515 of
    // shared receive queues, 768 to 1,023 of completion queues.
    logic [9:0] bell;
    logic bell_clear;  // Clears a doorbell, unless `bell_write`.
    logic [11:0] row;  // Number of the row.
    logic group_write;  // Writes the queue pairs of a multicast group.
    logic limit_write;  // Writes the limit of a shared receive queue.
    logic shared_write;  // Writes the row of a shared receive queue.
    logic key_write;  // Writes the row of a key.
    logic queue_write;  // Writes the row of a completion queue.
    logic receive_reset;  // Resets the rows of its receive queue.
    logic send_reset;  // Resets the row of its send queue.
    logic attributes_write;  // Writes the attributes of a queue pair.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
