// Generated from crates/devices/dimmnet2/src/pins.rs by `make tables`; do not edit.
package pins_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // One beat of the host bus after the DDR Host Interface: 128 bits per core cycle.
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

  // From one SO-DIMM.
  typedef struct packed {
    // Burst of the read that was taken two cycles earlier (CAS latency 2, decision 0016).
    logic [127:0] rdata;
    logic ready;  // The module takes a command in this cycle; low for instance while it refreshes.
  } memory_in_t;

  // To one SO-DIMM: bursts of length 2, so 16 bytes per core cycle.
  typedef struct packed {
    logic read;  // Reads the burst; taken like a write. Never together with `write`.
    logic write;  // Writes the burst; it is taken in a cycle with `ready`, and held until then.
    logic [15:0] byte_enable;  // Bytes of `wdata` to write; bit 0 is the lowest address.
    logic [28:0] address;  // Burst address in the module, in units of 16 bytes.
    logic [127:0] wdata;  // Data to write.
  } memory_out_t;

  // From the InfiniBand link and its management, network clock.
  typedef struct packed {
    logic [1:0] link_status;  // SWIF status, 2'b11 when the link is usable (thesis appendix B).
    logic [15:0] sma_lid;  // LID that the Subnet Manager gave to this port; 0 before that.
    logic tx_ready;  // The link takes the line on `tx_line` in this cycle.
    logic rx_valid;  // There is a line on `rx_line`.
    struct packed { logic [1:0] id; logic [63:0] data; } rx_line;  // Line from the link.
  } network_in_t;

  // To the InfiniBand link, network clock.
  typedef struct packed {
    // There is room for the longest frame and for what is still under way on the link; a frame may
    // start.
    logic rx_ready;
    logic tx_valid;  // There is a line on `tx_line`; it stays until `tx_ready`.
    struct packed { logic [1:0] id; logic [63:0] data; } tx_line;  // Line to the link.
  } network_out_t;

  // All input pins of the board.
  typedef struct packed {
    network_in_t network;  // Network.
    memory_in_t memory1;  // SO-DIMM2, which holds bytes 8-15 of every 16.
    memory_in_t memory0;  // SO-DIMM1, which holds bytes 0-7 of every 16.
    host_in_t host;  // Host bus.
  } in_t;

  // All output pins of the board.
  typedef struct packed {
    network_out_t network;  // Network.
    memory_out_t memory1;  // SO-DIMM2.
    memory_out_t memory0;  // SO-DIMM1.
    host_out_t host;  // Host bus.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
