// Generated from crates/devices/dimmnet2/src/status_write_unit.rs by `make tables`; do not edit.
package status_write_unit_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Code that Configuration Distribution sends with Status Initial Address (thesis table 5.1).
  localparam logic [2:0] InitialAddress = 3'd5;

  // Code of Status Area Size.
  localparam logic [2:0] AreaSize = 3'd6;

  // Code of Status Next Read Address.
  localparam logic [2:0] NextReadAddress = 3'd7;

  // Status Write Unit (figure 5.17).
  typedef enum logic [1:0] {
    Nop = 2'd0,  // Waits for a status and latches it.
    Write1 = 2'd1,  // Writes the upper 64 bits.
    Write2 = 2'd2  // Writes the lower 64 bits and advances Status Next Write Address.
  } state_e;

  // Declared arcs of state_e: bit [from * 3 + to].
  localparam logic [8:0] StateArcs = {
    3'b001,  // from Write2
    3'b100,  // from Write1
    3'b010  // from Nop
  };

  // Input pins of the Status Write Unit.
  typedef struct packed {
    // Configuration values, from the registers.
    struct packed {
      logic [2:0] system_code;
      logic [2:0] user_code;
      logic wid;
      logic [15:0] value;
    } configuration;
    // `status` is valid; accepted in a cycle with `status_busy` low for its process, held until
    // then.
    logic status_enable;
    // A receive status, from Request Separator; `wid` is the receiving process.
    struct packed {
      logic wid;
      logic to_prefetch_window;
      logic [63:0] upper;
      logic [63:0] lower;
    } status;
  } in_t;

  // Output pins of the Status Write Unit.
  typedef struct packed {
    logic [1:0] status_busy;  // A status for this WID cannot be accepted now, bit per WID.
    logic [1:0] empty;  // The ring is empty, bit per WID.
    logic [1:0] full;  // The ring is full, bit per WID.
    logic [14:0] next_write_address1;  // LLCM byte address of the next status of WID 1.
    logic [14:0] next_write_address0;  // LLCM byte address of the next status of WID 0.
    logic [63:0] llcm_wdata;  // Data for LLCM.
    logic [12:0] llcm_address;  // Word of 8 bytes: WID, word in the process's 32 KB.
    // Bytes of an LLCM word to write; 0 writes nothing. Wins over every other writer.
    logic [7:0] llcm_byte_enable;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
