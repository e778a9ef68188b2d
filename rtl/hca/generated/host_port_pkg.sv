// Generated from crates/devices/hca/src/host_port.rs by `make tables`; do not edit.
package host_port_pkg;

  // A table: no design uses every line of it.
  /* verilator lint_off UNUSEDPARAM */

  // Input pins of the host port.
  typedef struct packed {
    logic [15:0] overflows;  // CQEs lost.
    // What the send engine counts.
    struct packed { logic [15:0] failed; logic [15:0] sent; } send_counts;
    // What the receive engine counts.
    struct packed {
      logic [15:0] failed;
      logic [15:0] received;
      logic [15:0] no_receive;
      logic [15:0] wrong_q_key;
      logic [15:0] unknown_qp;
      logic [15:0] malformed;
      logic [15:0] foreign;
    } receive_counts;
    // What the link side counts.
    struct packed { logic [15:0] length_errors; logic [15:0] icrc_errors; } link_counts;
    logic command_done;  // A command is done.
    logic [4:0] causes;  // Causes of the interrupt.
    // The host's access.
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
    logic [127:0] staging_high;  // Bits 255:128.
    logic [127:0] staging_low;  // Bits 127:0 of the row.
    logic [3:0] row;  // Its row.
    logic [1:0] kind;  // What its row is of.
    logic command;  // A command waits or is carried out.
    logic [3:0] arm;  // Completion queues that are armed, a bit each.
    logic [15:0] posted;  // Send queues whose doorbell is written, a bit each.
    logic [15:0] bell_value;  // Its count.
    // Which one: 0 to 15 of send queues, from 16 on of receive queues, from 32 on of completion
    // queues.
    logic [5:0] bell;
    logic bell_write;  // A doorbell is written.
    logic refuse;  // An access is refused; high for one cycle.
    logic [4:0] interrupt_enable;  // Causes that interrupt.
    logic [4:0] clear;  // Causes that the host clears.
    logic [15:0] lid;  // LID of the port.
    logic enable;  // The adapter works.
    logic [31:0] rdata;  // Word of the last read.
  } out_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage
