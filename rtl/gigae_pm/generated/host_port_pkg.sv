// Generated from crates/devices/gigae_pm/src/host_port.rs by `make tables`; do not edit.
package host_port_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the host port.
  typedef struct packed {
    logic [3:0] causes;  // From firmware: causes of an interrupt, each high for one cycle.
    logic [24:0] held;  // From firmware: slots that the host holds.
    // From firmware.
    struct packed {
      logic [15:0] expired;
      logic [15:0] refused;
      logic [15:0] sent;
      logic [15:0] delivered;
      logic [15:0] discarded;
      logic [15:0] wrong_epoch;
      logic [15:0] malformed;
    } firmware_counts;
    // From receive DMA.
    struct packed {
      logic [15:0] missed;
      logic [15:0] foreign;
      logic [15:0] giants;
      logic [15:0] runts;
      logic [15:0] fcs_errors;
      logic [15:0] good;
    } receive_counts;
    logic [31:0] memory_rdata;  // The word that NIC memory read last.
    // From the host.
    struct packed {
      logic user;
      logic write;
      logic enable;
      logic [13:0] address;
      logic [31:0] wdata;
    } host;
  } in_t;

  // Output pins of the host port.
  typedef struct packed {
    // Parameters set by the kernel.
    struct packed {
      logic [15:0] scan_period;
      logic [4:0] room;
      logic [7:0] limit;
      logic [31:0] timeout;
      logic [14:0] window;
      struct packed {
        logic sent_only;
        logic probe;
        logic wide_bounds;
        logic wide_window;
        logic go_to_each_sender;
        logic stop_each_sender;
        logic lose_once;
        logic epochs;
        logic count_at_once;
        logic ack_resumes;
        logic one_timer;
        logic sent_follows_acked;
        logic go_rewinds;
        logic lose_rewinds;
        logic timer_while_stopped;
        logic stop_keeps;
        logic answer_old;
        logic resend_expired;
      } rules;
      logic [10:0] nodes;
      struct packed {
        logic [9:0] node;
        logic [15:0] ether_type;
        logic [31:0] mac_prefix;
      } identity;
      logic enable;
    } configuration;
    logic firmware_reset;  // Resets firmware and PCI DMA.
    logic [2:0] released_ring;  // With `released`: ring of the slot.
    logic released;  // To firmware: a slot of a receive ring is given back.
    logic [4:0] posted;  // To firmware: rings of which a send descriptor was posted, bit per ring.
    logic [31:0] memory_wdata;  // The word to write.
    logic [17:0] memory_address;  // Word address in NIC memory.
    logic memory_write;  // Writes a word of NIC memory.
    logic memory_read;  // Reads a word of NIC memory.
    logic interrupt_request;  // To the host.
    logic memory_answers;  // NIC memory answers.
    logic [31:0] rdata;  // To the host, unless NIC memory answers.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
