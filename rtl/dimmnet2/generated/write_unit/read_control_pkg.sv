// Generated from crates/devices/dimmnet2/src/write_unit/read_control.rs by `make tables`; do not edit.
package read_control_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Read control of the Write Unit.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for a packet.
    Compute1 = 2'd1,  // Computes the room in the region.
    Compute2 = 2'd2,  // Computes the bytes to store.
    Read = 2'd3  // Reads lines to the end of the packet.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Read
    4'b1000,  // from Compute2
    4'b0100,  // from Compute1
    4'b0010  // from Idle
  };

  // Input pins of the read control.
  typedef struct packed {
    // Requests the next line: the line on `line` is taken in the next cycle at the latest, and so
    // is the one after it.
    logic ask;
    logic accept;  // The line on `line` is taken in this cycle if it is a data line.
    logic refused;  // With `ring`: the packet is refused, and nothing of it may be stored.
    logic ring;  // The data goes to a ring.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    // The line most recently taken from SWIF.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
    // Destination of the packet, from Receive Controller.
    struct packed {
      logic [31:0] stride_list;
      logic [7:0] iteration;
      logic [2:0] dtype;
      logic [1:0] variant;
      logic [11:0] bytes;
      logic [31:0] offset;
      logic wid;
      logic start;
    } write_request;
  } in_t;

  // Output pins of the read control.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic broken;  // A first line was among the lines taken.
    logic overrun;  // Data in the lines taken so far extends past the region.
    // Bytes of data in the lines taken so far, at most those announced by Packet Size.
    logic [11:0] bytes;
    logic empty;  // The packet has no data lines; high for one cycle.
    logic [3:0] line_held;  // Bytes of that line that are data, 0 to 8.
    logic [3:0] line_bytes;  // Bytes of that line to store, 0 to 8.
    logic line_valid;  // The line on `line` is a data line that has not been taken.
    logic line_next;  // Takes the next line of the packet.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
