// Generated from crates/devices/gigae_pm/src/firmware/send_message.rs by `make tables`; do not edit.
package send_message_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Fewest bytes of a frame of another protocol.
  localparam logic [10:0] OtherLeast = 11'd16;

  // Work on a send descriptor.
  typedef enum logic [3:0] {
    Idle = 4'd0,  // Waits for a descriptor; polls the rings in order.
    Load = 4'd1,  // Reads the descriptor.
    Check = 4'd2,  // Decides whether the descriptor is valid.
    Copy = 4'd3,  // Starts PCI DMA.
    Moving = 4'd4,  // Waits for PCI DMA.
    Offer = 4'd5,  // Starts the rule; high for one cycle.
    Judge = 4'd6,  // Waits for the result of the rule.
    Raw = 4'd7,  // Sends a frame of another protocol.
    Mark = 4'd8,  // Frees its descriptor.
    Refuse = 4'd9,  // Refuses the descriptor.
    Done = 4'd10  // Reports the end.
  } state_e;

  // Declared arcs of state_e: bit [from * 11 + to].
  localparam logic [120:0] StateArcs = {
    11'b00000000001,  // from Done
    11'b10000000000,  // from Refuse
    11'b10000000000,  // from Mark
    11'b00100000000,  // from Raw
    11'b10000000000,  // from Judge
    11'b00001000000,  // from Offer
    11'b01010100000,  // from Moving
    11'b00000010000,  // from Copy
    11'b11000101000,  // from Check
    11'b00000000100,  // from Load
    11'b00000000010  // from Idle
  };

  // Input pins of the work on send descriptors.
  typedef struct packed {
    logic transmit_idle;  // Transmit DMA can take a frame.
    logic transfer_refused;  // With `transfer_done`: PCI DMA refused the transfer.
    logic transfer_done;  // The transfer of PCI DMA is complete.
    logic rule_accepted;  // With `rule_done`: the message was sent.
    logic rule_done;  // The rule is applied; high for one cycle.
    logic [31:0] memory_rdata;  // From NIC memory.
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
    logic unblock;  // A rule of the sender was accepted.
    logic [4:0] posted;  // Rings of which a descriptor was posted, bit per ring.
    logic start;  // Starts the work on a descriptor; only while idle.
  } in_t;

  // Output pins of the work on send descriptors.
  typedef struct packed {
    logic [15:0] refused;  // Descriptors refused; wraps.
    logic [15:0] sent;  // Messages and frames taken; wraps.
    logic refused_one;  // A descriptor was refused; high for one cycle.
    logic done;  // The descriptor is processed; high for one cycle.
    logic frame_start;  // Starts the frame as soon as transmit DMA is idle.
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
    logic transfer_start;  // Starts the transfer; high for one cycle.
    // To PCI DMA.
    struct packed {
      logic [31:0] area;
      logic to_host;
      logic [8:0] words;
      logic [17:0] nic_address;
      logic [31:0] host_address;
    } transfer;
    logic rule_start;  // Starts the rule; high for one cycle.
    // The rule to apply.
    struct packed {
      logic [10:0] size;
      logic [3:0] slot;
      logic [15:0] epoch;
      logic [31:0] number;
      logic [9:0] node;
      logic [1:0] channel;
      logic [2:0] cause;
      logic receives;
    } request;
    // To NIC memory.
    struct packed { logic [31:0] wdata; logic [17:0] address; logic write; logic read; } memory;
    logic wanted;  // A ring is ready.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
