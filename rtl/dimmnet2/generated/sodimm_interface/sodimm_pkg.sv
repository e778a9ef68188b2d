// Generated from crates/devices/dimmnet2/src/sodimm_interface/sodimm.rs by `make tables`; do not edit.
package sodimm_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Words in the FIFO from which it may have room for fewer than four more.
  localparam logic [4:0] AlmostFull = 5'd12;

  // Cycles between the cycle after a write and the cycle before Precharge.
  localparam logic [1:0] WriteRecovery = 2'd2;

  // Row state of one SO-DIMM (decision 0011).
  typedef enum logic [2:0] {
    Idle = 3'd0,  // No row is open; waits for a word.
    Activate = 3'd1,  // Opens the row of the loaded word.
    ActivateWait = 3'd2,  // Waits for tRCD.
    // Writes or reads words of the open row, one per cycle in which the module is ready.
    Burst = 3'd3,
    Recover = 3'd4,  // Waits for tWR, or for another word of the open row.
    Precharge1 = 3'd5,  // Closes the row.
    Precharge2 = 3'd6  // Waits for tRP.
  } state_e;

  // Declared arcs of state_e: bit [from * 7 + to].
  localparam logic [48:0] StateArcs = {
    7'b0000011,  // from Precharge2
    7'b1000000,  // from Precharge1
    7'b0101000,  // from Recover
    7'b0010000,  // from Burst
    7'b0001000,  // from ActivateWait
    7'b0000100,  // from Activate
    7'b0000010  // from Idle
  };

  // A word for one SO-DIMM.
  typedef struct packed {
    logic read;  // The word is read; otherwise it is written.
    logic [7:0] byte_enable;  // Bytes to write.
    logic upper;  // Half of the burst: 1 is the upper 8 bytes.
    logic [28:0] burst;  // Burst address in the module, in units of 16 bytes.
    logic [63:0] data;  // Data to write.
  } word_t;

  // Input pins of an SO-DIMM channel.
  typedef struct packed {
    struct packed { logic [127:0] rdata; logic ready; } memory;  // SO-DIMM slot.
    // SO-DIMM access is enabled; otherwise writes are discarded and reads return 0.
    logic sodimm_enabled;
    // Takes a word read; it is on `rdata` in the next cycle. Ignored when there is none.
    logic data_next;
    logic word_enable;  // `word` is valid.
    word_t word;  // Word to write or to read.
  } in_t;

  // Output pins of an SO-DIMM channel.
  typedef struct packed {
    // SO-DIMM slot.
    struct packed {
      logic read;
      logic write;
      logic [15:0] byte_enable;
      logic [28:0] address;
      logic [127:0] wdata;
    } memory;
    logic data_empty;  // The data FIFO is empty.
    logic [63:0] rdata;  // The most recently taken word that was read.
    logic idle;  // All words before this cycle are written, on the way back, or discarded.
    // After the word on the pins in this cycle there may be room for fewer than four more.
    logic almost_full;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
