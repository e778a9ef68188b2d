// Generated from crates/devices/dimmnet2/src/receive_controller/packet_write.rs by `make tables`; do not edit.
package packet_write_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Packet writer of the Receive Controller.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for a packet.
    Read = 2'd1,  // Takes the first data line from SWIF, if there is one.
    Write = 2'd2,  // Stores lines to the end of the packet.
    Done = 2'd3  // The packet is stored.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Done
    4'b1000,  // from Write
    4'b1100,  // from Read
    4'b0010  // from Idle
  };

  // Input pins of the packet writer.
  typedef struct packed {
    // The line most recently taken from SWIF.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
    logic last_packet;  // The packet is the last one of its transfer.
    logic outside;  // The data lies outside the Prefetch Window in which its transfer began.
    logic [11:0] bytes;  // Bytes of data in the packet, from Packet Size.
    logic [31:0] offset;  // Offset in the process's windows or LLCM; bits 1:0 are ignored.
    logic wid;  // Receiving process.
    logic to_llcm;  // Writes to 0: Prefetch Window, 1: LLCM.
    logic start;  // Starts the packet writer; high for one cycle.
  } in_t;

  // Output pins of the packet writer.
  typedef struct packed {
    state_e state;  // State number, for Module State.
    // Quarters of the window that have been stored; each for one cycle, all of them after the last
    // packet.
    logic [3:0] quarters;
    logic [11:0] bytes;  // With `done`: bytes of data in the packet.
    logic broken;  // With `done`: a first line arrived within the packet.
    logic overrun;  // With `done`: data extended past its area and was cut.
    logic done;  // The packet is stored and read to its end; high for one cycle.
    logic [63:0] llcm_wdata;  // Data for LLCM.
    logic [12:0] llcm_address;  // Word of 8 bytes: WID, word in the process's 32 KB.
    logic [7:0] llcm_byte_enable;  // Bytes of an LLCM word to write; 0 writes nothing.
    logic [127:0] prefetch_window_wdata;  // Data for the Prefetch Window.
    logic [7:0] prefetch_window_address;  // Row of 16 bytes: WID, window, row in the window.
    logic [15:0] prefetch_window_byte_enable;  // Bytes of a Prefetch Window to write.
    logic line_next;  // Takes the next line of the packet.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
