// Generated from crates/devices/gigae_pm/src/network_dma/receive_dma.rs by `make tables`; do not edit.
package receive_dma_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Network DMA of received frames.
  typedef enum logic [1:0] {
    Idle = 2'd0,  // Waits for a frame and a free buffer; takes its first word.
    Store = 2'd1,  // Stores words up to the status.
    Length = 2'd2  // Stores the length.
  } state_e;

  // Declared arcs of state_e: bit [from * 3 + to].
  localparam logic [8:0] StateArcs = {
    3'b001,  // from Length
    3'b101,  // from Store
    3'b010  // from Idle
  };

  // Counters of received frames, by reason of the drop; all wrap.
  typedef struct packed {
    logic [15:0] missed;  // No room in the receive FIFO.
    logic [15:0] foreign;  // Addressed to another node.
    logic [15:0] giants;  // Longer than 1,518 bytes.
    logic [15:0] runts;  // Shorter than 64 bytes.
    logic [15:0] fcs_errors;  // Wrong check sequence.
    logic [15:0] good;  // Good frames, not dropped.
  } receive_counts_t;

  // Input pins of receive DMA.
  typedef struct packed {
    logic memory_grant;  // NIC memory takes the word.
    logic frame_done;  // From firmware: the oldest frame is processed.
    logic enable;  // The card is enabled; otherwise frames are dropped.
    // Identity of the card.
    struct packed { logic [9:0] node; logic [15:0] ether_type; logic [31:0] mac_prefix; } identity;
    logic frame_available;  // From the MAC: a whole frame waits.
    struct packed { logic last; logic [31:0] data; } word;  // From the MAC: word taken last.
  } in_t;

  // Output pins of receive DMA.
  typedef struct packed {
    receive_counts_t counts;  // Counters of received frames.
    logic [3:0] frame_slot;  // To firmware: buffer of the oldest frame.
    logic frame_waiting;  // To firmware: a frame waits.
    logic [10:0] length;  // Bytes of the frame, check sequence not included.
    logic length_enable;  // The word is `length`.
    logic [17:0] memory_address;  // Word address in NIC memory.
    logic memory_write;  // Writes a word into NIC memory: that of the MAC, or the length.
    logic word_next;  // Takes the next word with each one that NIC memory takes.
    logic frame_start;  // Takes the first word of a frame, as soon as one is available.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
