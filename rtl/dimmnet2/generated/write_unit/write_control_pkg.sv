// Generated from crates/devices/dimmnet2/src/write_unit/write_control.rs by `make tables`; do not edit.
package write_control_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Write control of the Write Unit.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits for the first data line.
    Request = 3'd1,  // Requests the write right.
    Write = 3'd2,  // Sends words.
    Finish = 3'd3,  // Waits until the words are in the SO-DIMMs.
    Done = 3'd4  // The packet is stored.
  } state_e;

  // Declared arcs of state_e: bit [from * 5 + to].
  localparam logic [24:0] StateArcs = {
    5'b00001,  // from Done
    5'b10000,  // from Finish
    5'b01000,  // from Write
    5'b00100,  // from Request
    5'b10010  // from Idle
  };

  // Input pins of the write control.
  typedef struct packed {
    logic sodimm_idle;  // All words sent are in the SO-DIMMs, or will be after this cycle.
    logic sodimm_almost_full;  // The SO-DIMM interface is almost full.
    logic write_right;  // The Write Unit has the right to write.
    logic [2:0] capacity;  // SO-DIMM capacity: a region holds 256 MB << capacity.
    logic [31:0] place;  // Offset in the region, a multiple of 4.
    logic place_enable;  // Both halves of the line hold the same 4 bytes, which go to `place`.
    logic empty;  // The packet or store has no data lines.
    logic [7:0] line_enable;  // Bytes of `line` to store.
    logic line_valid;  // `line` is a data line that has not been taken.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // Line from SWIF or Write Window.
    logic skip;  // The data begins in the upper half of the first line.
    // With `write_request`: address bits that do not change from word to word; 0 except for a ring.
    logic [30:0] keep;
    // The packet or local store that begins.
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

  // Output pins of the write control.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic done;  // The packet is stored; high for one cycle.
    // Word to write, to the SO-DIMM interface.
    struct packed { logic [7:0] byte_enable; logic [30:0] address; logic [63:0] data; } word;
    logic writing;  // Takes every data line immediately.
    logic requesting;  // Waits only for the write right.
    logic write_right_request;  // Requests the right to write; held until the packet is stored.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
