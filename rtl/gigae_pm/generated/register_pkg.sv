// Generated from crates/devices/gigae_pm/src/registers.rs by `make tables`; do not edit.
package register_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Registers of GigaE PM, behind 0x1000 of the aperture.

  // read or write: Bit 0 lets the card receive and the firmware work; while it is 0, firmware and
  // PCI DMA are reset, the firmware's counters too.
  localparam logic [11:0] Control = 12'h000;
  // read or write: Causes of the interrupt; a bit that is written as 1 is cleared.
  localparam logic [11:0] InterruptCause = 12'h004;
  // read or write: Causes that interrupt the host, by bit.
  localparam logic [11:0] InterruptEnable = 12'h008;
  // read or write: Page of 4 KB of NIC memory that is mapped at 0x2000 of the aperture.
  localparam logic [11:0] Page = 12'h00c;
  localparam logic [11:0] Node = 12'h010;  // read or write: Number of this node.
  // read or write: Number of nodes; frames from and messages to others are refused.
  localparam logic [11:0] Nodes = 12'h014;
  // read or write: First four bytes of all MAC addresses; the lowest byte goes first. The node's
  // number follows.
  localparam logic [11:0] MacPrefix = 12'h018;
  // read or write: Ethernet type of GigaE PM; 0x88B5, a local experimental type, unless the site
  // has other use for it.
  localparam logic [11:0] EtherType = 12'h01c;
  // read or write: Repairs of the printed rules: bit n - 1 is Fn (decision 0027).
  localparam logic [11:0] Rules = 12'h020;
  // read or write: N: messages that may be sent to a peer without an ACK.
  localparam logic [11:0] Window = 12'h024;
  // read or write: T: cycles from sending a message to sending it again.
  localparam logic [11:0] Timeout = 12'h028;
  // read or write: Expiries in a row after which a peer is dead; 0 for never.
  localparam logic [11:0] Limit = 12'h02c;
  // read or write: Free slots of a receive ring that end discarding.
  localparam logic [11:0] Room = 12'h030;
  // read or write: Cycles from one visit of a control structure by the timer scan to the next, less
  // one.
  localparam logic [11:0] ScanPeriod = 12'h034;
  // write: Gives the oldest slot of the receive ring of this number back to the card.
  localparam logic [11:0] Release = 12'h038;
  // read: Slots of the receive rings that the host holds, five bits each, ring 0 lowest.
  localparam logic [11:0] Held = 12'h03c;
  // read or write: Cycles for which frames of other protocols do not interrupt again, from the
  // clearing of their cause; 0 for an interrupt for each of them (decision 0037).
  localparam logic [11:0] InterruptDelay = 12'h040;
  localparam logic [11:0] Good = 12'h080;  // read: Good frames received.
  localparam logic [11:0] FcsErrors = 12'h084;  // read: Frames dropped: wrong check sequence.
  localparam logic [11:0] Runts = 12'h088;  // read: Frames dropped: too short.
  localparam logic [11:0] Giants = 12'h08c;  // read: Frames dropped: too long.
  localparam logic [11:0] Foreign = 12'h090;  // read: Frames dropped: for other nodes.
  localparam logic [11:0] Missed = 12'h094;  // read: Frames dropped: no room in the receive FIFO.
  // read: Frames dropped: unknown kind, version, node or channel, or sizes that do not fit.
  localparam logic [11:0] Malformed = 12'h098;
  localparam logic [11:0] WrongEpoch = 12'h09c;  // read: Frames dropped: of another session.
  // read: Messages dropped by the rules, and frames of other protocols without room.
  localparam logic [11:0] Discarded = 12'h0a0;
  localparam logic [11:0] Delivered = 12'h0a4;  // read: Messages and frames delivered to the host.
  localparam logic [11:0] Sent = 12'h0a8;  // read: Messages and frames taken from the host.
  localparam logic [11:0] Refused = 12'h0ac;  // read: Send descriptors refused.
  // read: Accesses refused: of users beyond the window, and of anyone to nothing.
  localparam logic [11:0] RefusedAccesses = 12'h0b0;
  localparam logic [11:0] Expired = 12'h0b4;  // read: Timers expired.

  // Parameters set by the kernel.
  typedef struct packed {
    logic [15:0] scan_period;  // Cycles between visits of the timer scan, less one.
    logic [4:0] room;  // Free slots that end discarding.
    logic [7:0] limit;  // Expiries after which a peer is dead.
    logic [31:0] timeout;  // T: cycles until a retransmission.
    logic [14:0] window;  // N: messages that may be sent to a peer without an ACK.
    // Repairs of the printed rules.
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
    logic [10:0] nodes;  // Number of nodes.
    // Identity of the card.
    struct packed { logic [9:0] node; logic [15:0] ether_type; logic [31:0] mac_prefix; } identity;
    logic enable;  // The card is enabled.
  } configuration_t;

  // Event counters of the firmware; all wrap.
  typedef struct packed {
    logic [15:0] expired;  // Timers expired.
    logic [15:0] refused;  // Send descriptors refused.
    logic [15:0] sent;  // Messages and frames taken from the host.
    logic [15:0] delivered;  // Messages and frames delivered.
    logic [15:0] discarded;  // Messages dropped by the rules, and frames without room.
    logic [15:0] wrong_epoch;  // Frames of another session.
    logic [15:0] malformed;  // Malformed frames.
  } firmware_counts_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
