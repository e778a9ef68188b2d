// Generated from crates/devices/gigae_pm/src/firmware/receive_frame.rs by `make tables`; do not edit.
package receive_frame_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Work on a received frame.
  typedef enum logic [3:0] {
    Idle = 4'd0,  // Waits for a frame.
    Load = 4'd1,  // Reads length and header.
    Check = 4'd2,  // Decides which protocol the frame belongs to.
    Rule = 4'd3,  // Starts the rule; high for one cycle.
    Judge = 4'd4,  // Waits for the result of the rule.
    Area = 4'd5,  // Reads the address of the receive ring in host memory.
    Place = 4'd6,  // Computes the address of the slot.
    Copy = 4'd7,  // Starts PCI DMA.
    Moving = 4'd8,  // Waits for PCI DMA.
    Describe = 4'd9,  // Writes receive descriptor and arrival flag.
    Done = 4'd10  // Reports the end.
  } state_e;

  // Declared arcs of state_e: bit [from * 11 + to].
  localparam logic [120:0] StateArcs = {
    11'b00000000001,  // from Done
    11'b10000001000,  // from Describe
    11'b01000000000,  // from Moving
    11'b00100000000,  // from Copy
    11'b00010000000,  // from Place
    11'b00001000000,  // from Area
    11'b10000100000,  // from Judge
    11'b00000010000,  // from Rule
    11'b10000101000,  // from Check
    11'b00000000100,  // from Load
    11'b00000000010  // from Idle
  };

  // Input pins of the work on received frames.
  typedef struct packed {
    logic transfer_done;  // The transfer of PCI DMA is complete.
    logic rule_deliver;  // With `rule_done`: the message is to be delivered.
    logic rule_done;  // The rule is applied.
    logic [2:0] released_ring;  // With `released`: ring of the slot.
    logic released;  // The host gives a slot back.
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
    logic [3:0] slot;  // Buffer of the frame.
    logic start;  // Starts with the frame in buffer `slot`; only while idle.
  } in_t;

  // Output pins of the work on received frames.
  typedef struct packed {
    logic [15:0] delivered;  // Messages and frames delivered; wraps.
    logic [15:0] discarded;  // Messages dropped by the rules, and frames without room; wraps.
    logic [15:0] malformed;  // Malformed frames; wraps.
    logic [24:0] held;  // Slots of the receive rings that the host holds.
    logic [3:0] full;  // Receive rings of the channels that are full.
    logic other_delivered;  // A frame of another protocol was delivered; high for one cycle.
    logic done;  // The frame is processed; high for one cycle.
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
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
