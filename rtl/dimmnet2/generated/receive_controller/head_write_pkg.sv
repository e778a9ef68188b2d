// Generated from crates/devices/dimmnet2/src/receive_controller/head_write.rs by `make tables`; do not edit.
package head_write_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bytes of a message that go to the LH Buffer: the envelope and 48 bytes of data.
  localparam logic [5:0] HeadBytes = 6'd56;

  // Head writer of the Receive Controller.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for a message.
    Sizes = 3'd1,  // Writes Pointer and Size, takes the envelope from SWIF.
    Envelope = 3'd2,  // Examines the envelope.
    Valid = 3'd3,  // Writes the envelope with Valid Flag inverted, takes the next data line.
    Data = 3'd4,  // Takes and writes data lines.
    Last = 3'd5,  // Writes the last data line.
    Complete = 3'd6,  // Writes the envelope with both flags inverted.
    Done = 3'd7  // The head is stored.
  } state_e;

  // Declared arcs of state_e: bit [from * 8 + to].
  localparam logic [63:0] StateArcs = {
    8'b00000001,  // from Done
    8'b10000000,  // from Complete
    8'b01000000,  // from Last
    8'b00100000,  // from Data
    8'b01010000,  // from Valid
    8'b00011000,  // from Envelope
    8'b10000100,  // from Sizes
    8'b00000010  // from Idle
  };

  // Input pins of the head writer.
  typedef struct packed {
    // The line most recently taken from SWIF.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
    logic polarity;  // Value of the flags of a new entry.
    logic [11:0] bytes;  // Bytes of data in the packet, from Packet Size.
    logic [31:0] size;  // Bytes of the message, envelope included.
    logic [31:0] pointer;  // Start of the rest in the ring; 0 without a rest.
    logic start;  // The packet control waits for the head; low in the cycle after `done`.
  } in_t;

  // Output pins of the head writer.
  typedef struct packed {
    logic [5:0] bytes;  // Bytes of the message in the head, 0 to 56.
    // With `done`: a first line arrived within the head, and the packet has been read to its end.
    logic broken;
    logic done;  // The head is stored; high for one cycle.
    logic advance;  // The entry is complete: the Tail advances; high for one cycle.
    logic [63:0] wdata;  // Line to write.
    logic [1:0] row;  // Row of 16 bytes in the entry.
    logic [1:0] write_enable;  // Banks of the LH Buffer to write, bit 0 Even; 0 writes nothing.
    logic line_next;  // Takes the next line of the packet.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
