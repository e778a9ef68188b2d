// Generated from crates/devices/gigae_pm/src/network_dma/transmit_dma.rs by `make tables`; do not edit.
package transmit_dma_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Transmission of a frame.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for a frame.
    Room = 2'd1,  // Waits for room in the MAC.
    Header = 2'd2,  // Writes the header.
    Payload = 2'd3  // Writes words of NIC memory.
  } state_e;

  // Declared arcs of state_e: bit [from * 4 + to].
  localparam logic [15:0] StateArcs = {
    4'b0001,  // from Payload
    4'b1001,  // from Header
    4'b1100,  // from Room
    4'b0010  // from Idle
  };

  // Input pins of transmit DMA.
  typedef struct packed {
    logic [31:0] memory_rdata;  // The word read last.
    logic memory_grant;  // NIC memory performs the read.
    logic [10:0] fifo_free;  // Words that the MAC can take.
    // Identity of the card.
    struct packed { logic [9:0] node; logic [15:0] ether_type; logic [31:0] mac_prefix; } identity;
    logic start;  // Starts the frame; only while `idle`.
    // The frame to send.
    struct packed {
      logic [15:0] epoch;
      logic [31:0] number;
      logic [9:0] node;
      logic [1:0] channel;
      logic [2:0] kind;
      logic raw;
      logic [10:0] size;
      logic [17:0] address;
    } frame;
  } in_t;

  // Output pins of transmit DMA.
  typedef struct packed {
    logic word_enable;  // Writes `word` into the transmit FIFO.
    struct packed { logic last; logic [1:0] bytes; logic [31:0] data; } word;  // Word to the MAC.
    logic [17:0] memory_address;  // Word address in NIC memory.
    logic memory_read;  // Reads a word of NIC memory.
    logic idle;  // The next frame can be started.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
