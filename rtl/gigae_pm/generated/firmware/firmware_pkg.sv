// Generated from crates/devices/gigae_pm/src/firmware/pins.rs by `make tables`; do not edit.
package firmware_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // An access to NIC memory. A word arrives in the cycle after its read.
  typedef struct packed {
    logic [31:0] wdata;  // Data to write.
    logic [17:0] address;  // Word address in NIC memory.
    logic write;  // Writes the word at `address`.
    logic read;  // Reads the word at `address`.
  } memory_access_t;

  // A rule to apply to the control structure of a peer.
  typedef struct packed {
    logic [10:0] size;  // Bytes of a new message.
    logic [3:0] slot;  // Send buffer of a new message.
    logic [15:0] epoch;  // Session that the frame names.
    logic [31:0] number;  // Number of the message or of the control frame.
    logic [9:0] node;  // Peer.
    logic [1:0] channel;  // Channel, 0 to 3.
    logic [2:0] cause;  // Event: a `Cause` of the receiver or of the sender.
    logic receives;  // A rule of the receiver; otherwise of the sender.
  } request_t;

  // Operation of the send buffers.

  localparam logic [1:0] Nothing = 2'b00;  // No operation.
  localparam logic [1:0] Keep = 2'b01;  // Records that a buffer holds message `number` for a peer.
  localparam logic [1:0] Find = 2'b10;  // Finds the buffer of message `number` for a peer.
  localparam logic [1:0] Free = 2'b11;  // Frees the buffers of `count` messages from `number` on.

  // A request to the send buffers of a channel.
  typedef struct packed {
    logic [10:0] size;  // Size of its message in bytes.
    logic [3:0] slot;  // Buffer to keep.
    logic [31:0] count;  // Messages to free.
    logic [31:0] number;  // Message number.
    logic [9:0] node;  // Peer.
    logic [1:0] channel;  // Channel, 0 to 3.
    logic [1:0] operation;  // Code of the operation (`Operation`).
  } buffer_request_t;

  // Input pins of the firmware.
  typedef struct packed {
    logic transfer_refused;  // With `transfer_done`: the transfer was refused.
    logic transfer_done;  // From PCI DMA: the transfer is over.
    logic [3:0] frame_slot;  // From receive DMA: buffer of the oldest frame.
    logic frame_waiting;  // From receive DMA: a frame waits.
    logic transmit_idle;  // From transmit DMA: it can take a frame.
    logic [31:0] memory_rdata;  // From NIC memory: the word read last.
    logic [2:0] released_ring;  // With `released`: ring of the slot.
    logic released;  // The host gives a slot back.
    logic [4:0] posted;  // Rings of which a send descriptor was posted, bit per ring.
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
  } in_t;

  // Output pins of the firmware.
  typedef struct packed {
    logic [3:0] causes;  // Causes of an interrupt, each high for one cycle.
    // Event counters, for the registers.
    struct packed {
      logic [15:0] expired;
      logic [15:0] refused;
      logic [15:0] sent;
      logic [15:0] delivered;
      logic [15:0] discarded;
      logic [15:0] wrong_epoch;
      logic [15:0] malformed;
    } counts;
    logic [24:0] held;  // Slots of the receive rings that the host holds, five bits each.
    logic frame_done;  // To receive DMA: the oldest frame is processed.
    logic frame_start;  // Starts the frame, as soon as transmit DMA is idle.
    // To transmit DMA.
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
    logic transfer_start;  // Starts the transfer; high for one cycle, PCI DMA is idle.
    // To PCI DMA.
    struct packed {
      logic [31:0] area;
      logic to_host;
      logic [8:0] words;
      logic [17:0] nic_address;
      logic [31:0] host_address;
    } transfer;
    memory_access_t memory;  // To NIC memory.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
