// Generated from crates/devices/dimmnet2/src/swif/pins.rs by `make tables`; do not edit.
package swif_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of SWIF.
  typedef struct packed {
    // InfiniBand link, network clock.
    struct packed {
      logic [1:0] link_status;
      logic [15:0] sma_lid;
      logic tx_ready;
      logic rx_valid;
      struct packed { logic [1:0] id; logic [63:0] data; } rx_line;
    } network;
    // Resets both FIFOs and both state machines; core clock, high for eight cycles.
    logic controller_reset;
    // Takes the next line of the present packet; ignored when its last line is on `line`.
    logic line_next;
    logic packet_start;  // Takes the first line of the next received packet, core clock.
    logic line_enable;  // Writes `line` into the SWIF FIFO.
    // Line from Window Controller, core clock.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
  } in_t;

  // Output pins of SWIF.
  typedef struct packed {
    // InfiniBand link, network clock.
    struct packed {
      logic rx_ready;
      logic tx_valid;
      struct packed { logic [1:0] id; logic [63:0] data; } tx_line;
    } network;
    logic [1:0] link_status;  // To the registers: SWIF status, core clock.
    logic [15:0] sma_lid;  // To the registers: LID from the Subnet Manager, core clock.
    // To Receive Controller: at least one whole packet is in the receive FIFO, core clock.
    logic packet_available;
    // To Receive Controller and Write Unit: the line most recently taken, core clock.
    struct packed { logic [1:0] id; logic [63:0] data; } line;
    // To Window Controller: lines that the SWIF FIFO can still take, core clock.
    logic [10:0] fifo_free;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
