// Generated from crates/devices/gigae_pm/src/firmware/apply_rule.rs by `make tables`; do not edit.
package apply_rule_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // A rule on the control structure of a peer.
  typedef enum logic [3:0] {
    Idle = 4'd0,  // Waits for a rule.
    Load = 4'd1,  // Reads the control structure.
    Apply = 4'd2,  // Applies the rule.
    Reply = 4'd3,  // Sends a control frame.
    Free = 4'd4,  // Requests that the buffers of acknowledged messages are freed.
    Keep = 4'd5,  // Requests that the buffer of a new message is recorded.
    Find = 4'd6,  // Requests the buffer of a message.
    Buffer = 4'd7,  // Waits for the send buffers.
    Send = 4'd8,  // Sends a message.
    Offer = 4'd9,  // Executes S1, which retransmits messages.
    Store = 4'd10,  // Writes the control structure.
    Done = 4'd11  // Reports the end.
  } state_e;

  // Declared arcs of state_e: bit [from * 12 + to].
  localparam logic [143:0] StateArcs = {
    12'b000000000001,  // from Done
    12'b100000000000,  // from Store
    12'b010001000000,  // from Offer
    12'b011000000000,  // from Send
    12'b011100000000,  // from Buffer
    12'b000010000000,  // from Find
    12'b000010000000,  // from Keep
    12'b000010000000,  // from Free
    12'b010000000000,  // from Reply
    12'b111001111000,  // from Apply
    12'b000000000100,  // from Load
    12'b000000000010  // from Idle
  };

  // Input pins of the rules.
  typedef struct packed {
    logic [10:0] buffer_size;  // With `buffer_found`: size of the message in bytes.
    logic [3:0] buffer_slot;  // With `buffer_found`: buffer of the message.
    logic buffer_found;  // With `buffer_done`: the message was found.
    logic buffer_done;  // The send buffers are done.
    logic transmit_idle;  // Transmit DMA takes a frame.
    logic [31:0] memory_rdata;  // From NIC memory.
    logic [31:0] now;  // Time in cycles.
    logic [3:0] full;  // Receive rings of the channels that are full.
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
    logic start;  // Starts the rule; only while idle.
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
  } in_t;

  // Output pins of the rules.
  typedef struct packed {
    logic [15:0] expired;  // Timers expired; wraps.
    logic [15:0] wrong_epoch;  // Frames of another session; wraps.
    logic [3:0] discarding;  // Channels that discard messages.
    logic dead;  // With `done`: the peer is dead.
    logic unblock;  // With `done`: a rule of the sender was accepted, so it may send again.
    logic deliver;  // A received message is to be delivered.
    logic accepted;  // A new message was sent.
    logic done;  // The rule is applied; high for one cycle.
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
    logic buffer_start;  // Starts the request.
    // To the send buffers.
    struct packed {
      logic [10:0] size;
      logic [3:0] slot;
      logic [31:0] count;
      logic [31:0] number;
      logic [9:0] node;
      logic [1:0] channel;
      logic [1:0] operation;
    } buffer;
    // To NIC memory.
    struct packed { logic [31:0] wdata; logic [17:0] address; logic write; logic read; } memory;
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
