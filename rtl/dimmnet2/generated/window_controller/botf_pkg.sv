// Generated from crates/devices/dimmnet2/src/window_controller/botf.rs by `make tables`; do not edit.
package botf_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Bytes in a Write Window.
  localparam logic [9:0] WindowBytes = 10'd512;

  // BOTF module of the Request Executor (figure 5.11).
  typedef enum logic [2:0] {
    Prim = 3'd0,  // Waits for a BOTF.
    Wait = 3'd1,  // Waits for room in the SWIF FIFO.
    Botf1 = 3'd2,  // Waits for the Write Window; the first read is in progress.
    Botf2 = 3'd3,  // Latches the first line with PGID and Packet Size replaced.
    Botf3 = 3'd4,  // Sends the latched line, latches the next and requests two more.
    Botf4 = 3'd5,  // Sends the latched line and latches the next.
    BotfEnd1 = 3'd6,  // Sends the last line.
    BotfEnd2 = 3'd7  // Resets the internal registers.
  } state_e;

  // Declared arcs of state_e: bit [from * 8 + to].
  localparam logic [63:0] StateArcs = {
    8'b00000001,  // from BotfEnd2
    8'b10000000,  // from BotfEnd1
    8'b01010000,  // from Botf4
    8'b01100000,  // from Botf3
    8'b01010000,  // from Botf2
    8'b00001000,  // from Botf1
    8'b00000100,  // from Wait
    8'b00000110  // from Prim
  };

  // Input pins of the BOTF module.
  typedef struct packed {
    logic swif_fifo_almost_full;  // The SWIF FIFO has less room than one packet needs.
    logic [7:0] pgid1;  // Process group of WID 1, from Configuration Register.
    logic [7:0] pgid0;  // Process group of WID 0, from Configuration Register.
    logic [9:0] size;  // Bytes to send, packet header included; 0 sends nothing.
    logic [1:0] window;  // Write Window to send.
    logic wid;  // Process that issued the BOTF.
    logic start;  // The Request Executor dispatches a BOTF; high for one cycle, only while `idle`.
    // Two lines, from Write Window: the answer to the most recent read.
    logic [127:0] write_window_rdata;
  } in_t;

  // Output pins of the BOTF module.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    logic idle;  // The module can accept a BOTF.
    logic done_wid;  // Process whose BOTF is complete.
    logic done;  // A BOTF is complete; high for one cycle.
    logic [7:0] write_window_address;  // Row of 16 bytes: WID, window, row in the window.
    logic write_window_read_enable;  // Reads two lines of the Write Window.
    logic line_enable;  // Writes `line` into the SWIF FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // Line to the SWIF FIFO.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
