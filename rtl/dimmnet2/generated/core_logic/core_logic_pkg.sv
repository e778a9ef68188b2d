// Generated from crates/devices/dimmnet2/src/core_logic/pins.rs by `make tables`; do not edit.
package core_logic_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the Core Logic.
  typedef struct packed {
    // From the SO-DIMM interface: words read.
    struct packed { logic empty1; logic empty0; logic [63:0] data1; logic [63:0] data0; } data;
    logic read_right;  // From the SO-DIMM interface: the Prefetch Unit has the right to read.
    logic sodimm_idle;  // From the SO-DIMM interface: all words are in the SO-DIMMs.
    logic sodimm_almost_full;  // From the SO-DIMM interface: the FIFO is almost full.
    logic write_right;  // From the SO-DIMM interface: the Write Unit has the right to write.
    logic [1:0] link_status;  // From SWIF: link status, 2'b11 when the link is usable.
    logic [15:0] sma_lid;  // From SWIF: LID from the Subnet Manager.
    logic [10:0] swif_fifo_free;  // From SWIF: lines that the SWIF FIFO can still take.
    logic packet_available;  // From SWIF: at least one whole packet is in the receive FIFO.
    // From SWIF: the line taken most recently.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
    // Host bus.
    struct packed {
      logic write;
      logic enable;
      logic [19:0] address;
      logic [15:0] byte_enable;
      logic [127:0] wdata;
    } host;
  } in_t;

  // Output pins of the Core Logic.
  typedef struct packed {
    // To SWIF and the SO-DIMM interface: resets them; high for eight cycles.
    logic controller_reset;
    logic sodimm_enabled;  // To the SO-DIMM interface: access is enabled.
    logic data_next1;  // To the SO-DIMM interface: takes a word of SO-DIMM2.
    logic data_next0;  // To the SO-DIMM interface: takes a word of SO-DIMM1.
    // To the SO-DIMM interface: word to read.
    struct packed { logic pair; logic enable; logic [30:0] address; } read;
    logic read_right_request;  // To the SO-DIMM interface: requests the right to read.
    // To the SO-DIMM interface: word to write.
    struct packed { logic [7:0] byte_enable; logic [30:0] address; logic [63:0] data; } word;
    logic write_right_request;  // To the SO-DIMM interface: requests the right to write.
    logic line_next;  // To SWIF: takes the next line of the present packet.
    logic packet_start;  // To SWIF: takes the first line of the next received packet.
    logic line_enable;  // To SWIF: writes `line` into the SWIF FIFO.
    struct packed { logic [1:0] id; logic [63:0] data; } line;  // To SWIF: line of a packet.
    logic [127:0] rdata;  // To the host bus: data of the read one cycle earlier.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
