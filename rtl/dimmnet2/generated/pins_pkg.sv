// Generated from crates/devices/dimmnet2/src/pins.rs by `make tables`; do not edit.
package pins_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // One beat of the host bus, as the DDR Host Interface delivers it: 128 bits per core cycle.
  typedef struct packed {
    logic write;  // The beat writes; otherwise it reads and `rdata` follows one cycle later.
    logic enable;  // There is a beat in this cycle.
    // Byte address on the board, a multiple of 16; bits 19:16 select the area (thesis table 4.3).
    logic [19:0] address;
    logic [15:0] byte_enable;  // Bytes of `wdata` to write; bit 0 is the lowest address.
    logic [127:0] wdata;  // Data to write; the low 64 bits go to the Even bank (address bit 3 = 0).
  } host_in_t;

  // Answers to the host bus.
  typedef struct packed {
    logic [127:0] rdata;  // Data of the read one cycle earlier; stays until the next read.
  } host_out_t;

  // Input pins from one SO-DIMM.
  typedef struct packed {
    // Burst of the read accepted two cycles earlier (CAS latency 2, decision 0016).
    logic [127:0] rdata;
    logic ready;  // The module accepts a command in this cycle; low, for example, during a refresh.
  } memory_in_t;

  // Output pins to one SO-DIMM. Bursts have length 2, so each core cycle moves 16 bytes.
  typedef struct packed {
    logic read;  // Reads the burst. Accepted like a write; never set together with `write`.
    logic write;  // Writes the burst. Accepted in a cycle with `ready`; held until then.
    logic [15:0] byte_enable;  // Bytes of `wdata` to write; bit 0 is the lowest address.
    logic [28:0] address;  // Burst address in the module, in units of 16 bytes.
    logic [127:0] wdata;  // Data to write.
  } memory_out_t;

  // Input pins from the InfiniBand link and its management; network clock.
  typedef struct packed {
    logic [1:0] link_status;  // SWIF status, 2'b11 when the link is usable (thesis appendix B).
    logic [15:0] sma_lid;  // LID that the Subnet Manager has assigned to this port; 0 before that.
    logic tx_ready;  // The link takes the line on `tx_line` in this cycle.
    logic rx_valid;  // `rx_line` is valid.
    struct packed { logic [1:0] id; logic [63:0] data; } rx_line;  // Line from the link.
  } network_in_t;

  // Output pins to the InfiniBand link; network clock.
  typedef struct packed {
    // The receive buffer has room for the longest frame and for the lines still in flight; a frame
    // may start.
    logic rx_ready;
    logic tx_valid;  // `tx_line` is valid; the line is held until `tx_ready`.
    struct packed { logic [1:0] id; logic [63:0] data; } tx_line;  // Line to the link.
  } network_out_t;

  // All input pins of the board.
  typedef struct packed {
    network_in_t network;  // InfiniBand link.
    memory_in_t memory1;  // SO-DIMM2, which holds bytes 8-15 of every 16.
    memory_in_t memory0;  // SO-DIMM1, which holds bytes 0-7 of every 16.
    host_in_t host;  // Host bus.
  } in_t;

  // All output pins of the board.
  typedef struct packed {
    network_out_t network;  // InfiniBand link.
    memory_out_t memory1;  // SO-DIMM2.
    memory_out_t memory0;  // SO-DIMM1.
    host_out_t host;  // Answers to the host bus.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
