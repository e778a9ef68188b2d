// Generated from crates/devices/gigae_pm/src/firmware/send_buffer.rs by `make tables`; do not edit.
package send_buffer_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Work on the send buffers of a channel.
  typedef enum logic [3:0] {
    Idle = 4'd0,  // Waits for an operation.
    Keep = 4'd1,  // Writes peer and number of a record.
    Size = 4'd2,  // Writes the size of a record.
    Search = 4'd3,  // Reads peer and number of a record.
    Compare = 4'd4,  // Compares the record with the request.
    Fetch = 4'd5,  // Reads the size of the record that was found.
    Take = 4'd6,  // Takes the size.
    Clear = 4'd7,  // Clears a record.
    Mark = 4'd8,  // Writes the flag of the send descriptor.
    Done = 4'd9  // Reports the end.
  } state_e;

  // Declared arcs of state_e: bit [from * 10 + to].
  localparam logic [99:0] StateArcs = {
    10'b0000000001,  // from Done
    10'b1000001000,  // from Mark
    10'b0100000000,  // from Clear
    10'b1000000000,  // from Take
    10'b0001000000,  // from Fetch
    10'b1010101000,  // from Compare
    10'b0000010000,  // from Search
    10'b0100000000,  // from Size
    10'b0000000100,  // from Keep
    10'b0000001010  // from Idle
  };

  // Input pins of the send buffers.
  typedef struct packed {
    logic [31:0] memory_rdata;  // From NIC memory.
    logic start;  // Starts the operation; only while idle.
    // The operation and its operands.
    struct packed {
      logic [10:0] size;
      logic [3:0] slot;
      logic [31:0] count;
      logic [31:0] number;
      logic [9:0] node;
      logic [1:0] channel;
      logic [1:0] operation;
    } request;
  } in_t;

  // Output pins of the send buffers.
  typedef struct packed {
    logic outstanding;  // At least one buffer is in use.
    logic [10:0] size;  // Bytes of the message.
    logic [3:0] slot;  // With `found`: buffer of the message.
    logic found;  // The message was found.
    logic done;  // The operation is over; high for one cycle.
    // To NIC memory.
    struct packed { logic [31:0] wdata; logic [17:0] address; logic write; logic read; } memory;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
