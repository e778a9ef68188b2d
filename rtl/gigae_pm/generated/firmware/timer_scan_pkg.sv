// Generated from crates/devices/gigae_pm/src/firmware/timer_scan.rs by `make tables`; do not edit.
package timer_scan_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Visit of a control structure.
  typedef enum logic [2:0] {
    Idle = 3'd0,  // Waits to be started.
    Timer = 3'd1,  // Starts the rule of an expired timer.
    Room = 3'd2,  // Starts the rule for a GO.
    Visit = 3'd3,  // Waits for the end of the rule.
    Done = 3'd4  // Moves on to the next node.
  } state_e;

  // Declared arcs of state_e: bit [from * 5 + to].
  localparam logic [24:0] StateArcs = {
    5'b00001,  // from Done
    5'b10000,  // from Visit
    5'b01000,  // from Room
    5'b01000,  // from Timer
    5'b00110  // from Idle
  };

  // Input pins of the timer scan.
  typedef struct packed {
    logic rule_done;  // The rule was applied.
    logic [24:0] held;  // Slots of the receive rings that the host holds.
    logic [3:0] discarding;  // Channels that discard messages.
    logic outstanding;  // A message waits for an ACK.
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
    logic start;  // Starts a visit; only while idle.
  } in_t;

  // Output pins of the timer scan.
  typedef struct packed {
    logic [31:0] now;  // Time in cycles.
    logic done;  // The visit is over.
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
    logic wanted;  // A visit is due.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
